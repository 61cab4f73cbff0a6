"""Fetching: a URL, safely.

limits     what a server may cost: `Limits` (imports nothing, so that a signature can name it)
addresses  which addresses are public, and how a name becomes addresses
urls       which URLs may be opened, what a redirect points at, what goes along to another host
failing    what went wrong, as a FetchError that names the limit and the setting
watching   a requests session whose every wait is bounded
coding     gzip and deflate, incrementally, with their limits
client     `open_url` and `open_response`, which give a `FetchedBody`

This package imports none of them by itself: requests and urllib3 are loaded by the first URL.
"""

__all__: list[str] = []
