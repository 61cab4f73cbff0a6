"""Downloads of a URL, within limits.

limits         limits on time and size: `Limits` (imports nothing, so that a signature can name it)
gunzip         gzip, zlib and deflate data, unpacked piece by piece within limits, and streams of pieces
urls           which URLs may be opened, where a redirect leads, what is sent there, and what is shown of them
framing        where the body of a message ends: its length, or chunks
deadline       the total time of one download, the response that enforces it, every failure as a FetchError
connection     the session within the limits, and the addresses it connects to: `public_only`
response_body  `FetchedBody`: the body of a response, a binary stream without its content coding
client         `open_url` and `open_response`, which return a `FetchedBody`

This package imports none of them by itself: requests and urllib3 are loaded with the first URL.
"""
