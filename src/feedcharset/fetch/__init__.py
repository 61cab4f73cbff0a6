"""Downloads of a URL, within limits.

limits            limits on time and size: `Limits` (imports nothing, so that a signature can name it)
addresses         which addresses are public, and resolving a name in bounded time
urls              which URLs may be opened, where a redirect leads, which header fields go to another host
fetch_errors      every failure as a FetchError that names the limit and the setting
deadline          the total deadline of one download, and the response that enforces it while it is read
connection        connecting to an address within the limits; under `public_only` to a public one
bounded_session   a requests session whose waits are all within the limits
gunzip            gzip, zlib and deflate data, unpacked piece by piece within limits (imports zlib alone)
content_coding    the Content-Encoding of a response, removed piece by piece
user_agent        the User-Agent field
response_body     `FetchedBody`: the body of a response, a binary stream
client            `open_url` and `open_response`, which return a `FetchedBody`

This package imports none of them by itself: requests and urllib3 are loaded with the first URL.
"""

__all__: list[str] = []
