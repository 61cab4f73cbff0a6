"""URLs: which may be opened, where a redirect leads, and what is sent there.

Clients read unusual URLs differently (`http://127.0.0.1\\@host/` names two hosts), and the host that is
checked must be the host that is opened. So unusual URLs are refused, and URLs in which urllib3 (which
connects) and urllib.parse (which requests uses) find different hosts.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from feedcharset.charsets import lazy_pattern
from feedcharset.errors import AddressRefused

_PORTS = {"http": 80, "https": 443}

# The longest URL, as given and as it is sent. Servers must take 8,000 characters (RFC 9110 section 4.1); most
# take no more than that. requests and urllib3 quote a URL several times: 8 to 14 µs for each character.
LONGEST_URL = 16_384

# User, password, host and port of more than 2,048 characters: a name in DNS has 253, and urllib.parse takes
# quadratic time to normalize them.
_LONG_AUTHORITY = lazy_pattern(r"[^/?#]*+//[^/?#]{2049}")

# C0 controls, DEL and lone surrogates anywhere; a backslash before the path (the WHATWG reads it as a slash,
# RFC 3986 does not allow it; in a path it is sent as %5C); white space in the authority.
_ODD = lazy_pattern(r"[\x00-\x1f\x7f\ud800-\udfff]|^[^/?#\\]*+(?://?[^/?#\\]*+)?\\|^[^/?#]*//[^/?#]*\s")

# A redirect to a host, as the WHATWG reads it, and to a path for others.
_ODD_REDIRECT = lazy_pattern(r"(?:[^:/?#\\]*+:)?/?\\")

# A redirect without a host where one is expected: others read a path.
_NO_HOST = lazy_pattern(r"https?:(?!//[^/?#])|//[/?#]", re.IGNORECASE)

# Userinfo in a URL that may be opened, and in the URLs within it; in these `:`, `/` and `@` may be
# percent-encoded, also twice. Behind encoded slashes a `/?#` that is encoded as often ends it, too; behind
# slashes that are encoded more than four times any: each way to encode them is searched to the end.
_USERINFO = lazy_pattern(
    r"((?:\A(?=//)|:|%(?:25)*+3A)/++)(?:(?:[^/?#@%]|%(?!(?:25)*+40))*+(?:@|%(?:25)*+40))++"
    r"|((?::|%(?:25)*+3A)(?:%((?:25){0,3}+)2F)++)"
    r"(?:(?:[^/?#&@%]|%(?!\3(?:2F|3F|23)|(?:25)*+40))*+(?:@|%(?:25)*+40))++"
    r"|((?::|%(?:25)*+3A)(?:%(?:25)*+2F)++)"
    r"(?:(?:[^/?#&@%]|%(?!(?:25)*+(?:2F|3F|23|40)))*+(?:@|%(?:25)*+40))++",
    re.IGNORECASE,
)

# The same where the password has a / ? or # of its own: what stands behind the colon is no port then. A URL
# may have no scheme at the start, in a query and in a field of a header.
_ODD_USERINFO = lazy_pattern(
    r"((?::|(?<![^\s<=\"',;]))//)(?!\[)[^/?#&:\s]{0,256}+:(?!/|[0-9]++(?:[/?#&]|\Z))"
    r"[^/?#&@\s]{0,256}+[/?#][^&@\s]{0,256}+@(?:[^/?#&@\s]{0,256}+@)*+"
    r"|(%((?:25)*+)3A(?:%\3(?:2F)){2})(?!%\3(?:5B))(?:[^%&]|%(?!\3(?:3A|2F|3F|23))){0,256}+"
    r"%\3(?:3A)(?!%\3(?:2F)|[0-9]++(?:%\3(?:2F|3F|23)|&|\Z))"
    r"(?:[^%&]|%(?!\3(?:40|26))){0,256}+%\3(?:40)",
    re.IGNORECASE,
)

# User and password of a URL within a URL that has no scheme, escaped slashes (`\\/\\/`, `%2F/`), or none.
_BARE_USERINFO = lazy_pattern(
    r"((?:[/\\]|%(?:25)*+(?:2F|5C)){2}|[?&=]https?:)(?!%(?:25)*+5B)"
    r"(?:[^/?#&:\s\\%]|%(?!(?:25)*+(?:2F|5C|3A))){0,256}+(?::|%(?:25)*+3A)"
    r"(?!%(?:25)*+2F|[0-9]++%(?:25)*+(?:2F|3F|23))"
    r"(?:[^/?#&@\s\\%]|%(?!(?:25)*+40)){0,256}+(?:@|%(?:25)*+40)"
    r"(?:(?:[^/?#&@\s\\%]|%(?!(?:25)*+40)){0,256}+@"
    r"|(?:[^/?#&@\s\\%]|%(?!(?:25)*+(?:2F|3F|23|40|5C))){0,256}+%(?:25)*+40)*+",
    re.IGNORECASE,
)

# The same where slashes are missing, or separators are percent-encoded in part, or not equally often:
# `http:/user:a/b@`, `http%3A//user%3Aa/b@`. Each stands unescaped before as many _FILL as make up its length.
_ESCAPED = lazy_pattern(r"%(?:25)*+(2F|3A|3F|23|40|5B|5C)", re.IGNORECASE)
_FILL = "\uf8ff"
_UNESCAPED_USERINFO = lazy_pattern(
    rf"(https?:{_FILL}*+(?:/{_FILL}*+)*+|(?<![^\s<=:&?/{_FILL}])(?:/{_FILL}*+){{2}})(?!\[)[^/?#&:@\s]{{0,256}}+:{_FILL}*+"
    rf"(?!/|[0-9]++(?:[/?#&]|\Z))(?:(?:[^&@\s]|&(?![\w.-]{{1,64}}+=)){{0,256}}+@{_FILL}*+)++",
    re.IGNORECASE,
)

# Everything that may be userinfo in what is no URL that can be opened: a password may have an unescaped / ? #
# or \\ in it, and slashes may be missing. Two characters of Unicode are an `@` by compatibility (NFKC).
_SECRET = lazy_pattern(
    r"(\A\s*+(?:https?:|[a-z][a-z0-9+.-]*+:(?=[/\\]{2}))?[/\\]*+).*(?:[@\uff20\ufe6b]|%40)",
    re.IGNORECASE | re.DOTALL,
)

# A port, and an `@` behind it: `http://user:1/secret@host/` is a URL of the host "user". An address is no
# user, and `/@user/feed` is a path. The `@` by compatibility are percent-encoded in a URL that is sent.
_PORT_OR_PASSWORD = lazy_pattern(
    r"\A(https?://(?!localhost:|[0-9.]+:|\[)[^/?#]*:)[0-9]*+[/?#].*(?:(?<!/)@|%EF%BC%A0|%EF%B9%AB)",
    re.IGNORECASE | re.DOTALL,
)

# A password whose `@host` was lost: `http://user:secret`. It is no port.
_NO_PORT = lazy_pattern(
    r"(\A\s*+https?:[/\\]*+[^/?#\\@:\s\[]*+:)(?![0-9]*+(?:[/?#\\\s]|\Z))[^/?#\\]*+", re.IGNORECASE
)

# Userinfo in what is opened as a path, and was meant as a URL: `http ://user:secret@host`, `user:secret@host`
_SECRET_IN_PATH = lazy_pattern(
    r"\A((?>.*?(?:(?:[/\uff0f]|%2f){2}+|https?:[/\\]*+))).*[@\uff20\ufe6b]|\A[^/\\:\s]*+:[^/\\@\s]*+@",
    re.IGNORECASE | re.DOTALL,
)

# In a field of a header, userinfo of a URL without a scheme, and a URL that no client opens as it is written,
# where it has an `@`: without slashes, or with nothing in the place of the port. A password may have a comma.
_BARE_IN_FIELD = lazy_pattern(r"(?<![^\s<=\"',;])//(?:[^/?#<>\"@]*+@)++")
_IN_FIELD = lazy_pattern(r"(?:https?:|(?<![^\s<=\"',;])//)(?:[^\s<>\"',;]|[,;](?=\S))++", re.IGNORECASE)
_ODD_IN_FIELD = lazy_pattern(r"https?:(?!//)[^@]*+@|(?:https?:)?//[^/?#:]*+:[?#][^@]*+@", re.IGNORECASE)

# The characters of a comment in a field (RFC 9110 section 5.6.5) that need no escape.
_CONTACT = lazy_pattern(r"[!-'*-\[\]-~]{1,200}")

# An IPv6 zone that urllib3 does not take for an escape, as it does %1 and %ab.
_ZONE = lazy_pattern(r"%(?![0-9a-f]{2})[a-z][a-z0-9]")

_BARE_PERCENT = lazy_pattern(r"%(?![0-9a-f]{2})", re.IGNORECASE)

# Where a URL without its scheme begins: a name with a top-level domain, perhaps a port, and a slash. Without
# the slash feed.xml is one.
_BARE_HOST = lazy_pattern(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}+)\.){1,9}[a-z]{2,24}+(?::[0-9]{1,5}+)?/", re.IGNORECASE
)

# The header fields that are sent to another origin; any other may be a credential (X-Api-Key).
CARRIED = frozenset(
    (
        "accept",
        "accept-charset",
        "accept-encoding",
        "accept-language",
        "cache-control",
        "connection",
        "from",
        "if-modified-since",
        "if-none-match",
        "pragma",
        "user-agent",
    )
)


class Target(NamedTuple):
    """A URL that may be opened, as it is passed to requests."""

    url: str
    """Without userinfo."""
    origin: tuple[str, str, int]
    """Scheme, host and port."""
    credentials: tuple[str, str] | None
    """User and password of the URL, percent-decoded."""

    def shares_secrets_with(self, other: Target) -> bool:
        """Return True if credentials for one may be sent to the other: same origin, or its upgrade to TLS."""
        host = self.origin[1]
        is_upgrade = (self.origin, other.origin) == (("http", host, 80), ("https", host, 443))
        return is_upgrade or self.origin == other.origin


def target(url: str) -> Target:
    """Check a URL; raise AddressRefused if it may not be opened."""
    url = url.strip(" \t\r\n")
    if len(url) > LONGEST_URL:
        raise _refused(url, f"a URL of more than {LONGEST_URL:,} characters")
    if _LONG_AUTHORITY.match(url):
        raise _refused(url, "more than 2,048 characters before the path")
    if _ODD.search(url):
        raise _refused(url, "white space or a backslash in the host, or a control character")
    try:
        return _read(url)
    except ValueError as error:  # urllib.parse, requests.InvalidURL, UnicodeError
        why = "" if masked(url) != url else f" ({shown(str(error))})"  # it may have a part of the password
    # Raised outside of the `except`: the error of a parser may name the password, and would be the context.
    raise _refused(url, f"not a URL of a host{why}")


def redirected(current: Target, location: str, *, https_to_http: bool) -> Target:
    """Check where a redirect leads. Userinfo in it is dropped: a server must not choose credentials."""
    data = location.encode("latin-1", "replace")  # as it was sent: http.client decodes it as ISO-8859-1
    try:
        location = data.decode("utf-8")
    except UnicodeDecodeError:
        location = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in data)
    location = location.strip(" \t")
    is_odd = _LONG_AUTHORITY.match(location) or _ODD_REDIRECT.match(location)
    try:
        joined = location if is_odd else urljoin(current.url, location)
    except ValueError:
        joined = location  # refused by `target`, too
    try:
        if _NO_HOST.match(location) and _SECRET.match(location):  # as a path, its password would be shown
            raise _refused(location, "not a URL of a host")
        found = target(joined)
    except AddressRefused as error:
        what = f"{shown(without_userinfo(current.url))}: redirects to {error.args[0]}"
        raise AddressRefused(what, url=error.url, advice="only the server can change this") from None
    if current.origin[0] == "https" and found.origin[0] == "http" and not https_to_http:
        url = without_userinfo(current.url)
        raise AddressRefused(
            f"{shown(url)}: redirects from https to http ({shown(unopened(found.url))}), where the "
            "feed can be changed on the way",
            advice="open that URL, or allow it with Limits(https_to_http=True)",
            url=url,
            limit="https_to_http",
        )
    return found._replace(credentials=current.credentials if current.shares_secrets_with(found) else None)


def without_userinfo(url: str) -> str:
    """Remove user and password from a URL that was opened and from URLs within it: no log may have them."""
    if "@" in url or "%" in url:
        url = _USERINFO.sub(r"\1\2\4", _ODD_USERINFO.sub(r"\1\2", url))
        url = _BARE_USERINFO.sub(r"\1", url)
        unescaped = _ESCAPED.sub(lambda one: chr(int(one[1], 16)).ljust(len(one[0]), _FILL), url)
        for found in reversed([*_UNESCAPED_USERINFO.finditer(unescaped)]):
            url = url[: found.end(1)] + url[found.end() :]
    return url


def address_of(response: Any) -> str:
    """Return the URL of a response of any client, without user and password; "" where it has none."""
    try:
        return without_userinfo(str(response.url or ""))
    except (AttributeError, RuntimeError):  # httpx: it was made without a request
        return ""


def masked(url: str) -> str:
    """Remove everything between the scheme and the last `@` of what is no URL that can be opened."""
    return _NO_PORT.sub(r"\1...", without_userinfo(_SECRET.sub(r"\1", url, count=1)))


def names_scheme(url: str) -> bool:
    """Return whether what stands before the first colon is a scheme, and no user: `user:secret@host`."""
    return masked(url).startswith(url[: url.find(":") + 1])


AUTHORIZATION = re.compile(r"(?i)(authorization[\"']?+:\s*+).+")
"""The field of a request that has credentials, also in JSON."""


def hidden(text: str) -> str:
    """Remove the credentials of a request that a server repeats."""
    return AUTHORIZATION.sub(r"\1***", text)


def masked_field(value: str) -> str:
    """Remove user and password from the URLs in a field of a header, also where they have tabs and line ends
    in them: browsers drop these (URL Standard)."""
    joined = re.sub(r"[\t\r\n]", "", value)
    if joined != value and masked_field(joined) != joined:
        value = joined
    value = _BARE_IN_FIELD.sub("//", value)
    value = _IN_FIELD.sub(lambda url: masked(url[0]) if _ODD_IN_FIELD.match(url[0]) else url[0], value)
    return without_userinfo(value)


def masked_path(path: str) -> str:
    """Remove everything between the first two slashes and the last `@` of a path: it may have been a URL."""
    return without_userinfo(_SECRET_IN_PATH.sub(lambda found: found[1] or "", path, count=1))


def unopened(url: str) -> str:
    """Return a URL for the messages before its host answers: what may be a password instead of a port and a
    path is replaced by dots."""
    return _PORT_OR_PASSWORD.sub(r"\1...@", without_userinfo(url))


def as_https(source: str) -> str | None:
    """Return the https URL that a source without a scheme may mean: `example.org/feed.xml`; else None."""
    return f"https://{source}" if _BARE_HOST.match(source) else None


def shown(url: str) -> str:
    """Make a URL, or what a server sent, safe for a message: printable ASCII, at most 200 characters, without
    the credentials of a request that it repeats."""
    plain = hidden(ascii(url)[1:-1])
    return plain if len(plain) <= 200 else plain[:197] + "..."


def user_agent(contact: str | None = None) -> str:
    """Return the User-Agent of this library: "feedcharset/VERSION", or "feedcharset/VERSION (+contact)".

    Servers see who reads their feeds and how to reach them:
    `XmlReader(url, headers={"User-Agent": user_agent("https://my-site.example/crawler")})`.

    Args:
        contact: a URL or an e-mail address: 1 to 200 ASCII characters without spaces and parentheses.

    Raises:
        ValueError: the contact has other characters, or too many.
    """
    from feedcharset import __version__

    if contact is None:
        return f"feedcharset/{__version__}"
    if not isinstance(contact, str):
        raise TypeError(f"contact must be a URL or an e-mail address, a str; not {type(contact).__name__}")
    if not _CONTACT.fullmatch(contact):
        raise ValueError(
            f"contact is {contact!r}; pass a URL or an e-mail address, in ASCII, without spaces and brackets"
        )
    return f"feedcharset/{__version__} (+{contact})"


def _read(url: str) -> Target:
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        named = f"the scheme {shown(scheme)!r}" if names_scheme(url) else "a scheme that is not opened"
        raise _refused(url, named if scheme else "no scheme")
    # The authority ends at the first of `/?#`, the userinfo at its last `@`.
    userinfo, _, authority = parts.netloc.rpartition("@")
    if not authority:
        raise ValueError("no host")  # requests takes one from the path: `http://user@//host/`
    # One % that begins no escape would make urllib3 encode all others a second time.
    bare = urlunsplit((scheme, authority, *(_BARE_PERCENT.sub("%25", part) for part in parts[2:])))
    if _SECRET.match(bare) and urlsplit(bare).netloc.endswith(":"):
        raise _refused(url, "no number of a port; in a password write / as %2F, ? as %3F and # as %23")
    from requests import PreparedRequest
    from urllib3.util import parse_url

    prepared = PreparedRequest()
    prepared.prepare_url(bare, None)
    ready = str(prepared.url)
    if len(ready) > LONGEST_URL:
        raise _refused(url, f"a URL of more than {LONGEST_URL:,} characters as it is sent")
    if urlsplit(bare).port == 0:
        raise _refused(url, "the port 0")
    ours, theirs = urlsplit(ready), parse_url(ready)
    host = (ours.hostname or "").replace("%25", "%")  # RFC 6874 spells a zone's % so
    connected = (theirs.host or "").strip("[]").lower()
    if not host or host != connected or ours.port != theirs.port or theirs.auth or ours.username is not None:
        raise _refused(url, "a host that programs read differently")
    if "%" in host and not _ZONE.search(host):
        raise _refused(url, "an IPv6 zone that urllib3 takes for an escape; give a name, as in %25eth0")
    user, _, password = userinfo.partition(":")
    credentials = (unquote(user), unquote(password)) if userinfo else None
    return Target(ready, (scheme, host, ours.port or _PORTS[scheme]), credentials)


def _refused(url: str, why: str) -> AddressRefused:
    url = masked(url)
    meant = as_https(url)
    advice = "give the http or https URL of the feed as a browser would show it"
    return AddressRefused(
        f"{shown(url)}: {why}", url=url, advice=f"did you mean {shown(meant)}?" if meant else advice
    )
