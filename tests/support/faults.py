"""What a server can do to a client: the scripts that `FaultyServer` plays, as a table."""

from __future__ import annotations

import gzip
import itertools
import zlib

from support.faulty_server import Close, Drip, Endless, Reset, Script, Send, Silence, Step

__all__ = ["FEED", "GZIPPED", "SCRIPTS", "UTF_16"]

FEED = "<?xml version='1.0' encoding='UTF-8'?><rss><title>Žluťoučký kůň, Café</title></rss>".encode()

UTF_16 = "<?xml version='1.0'?><a>é</a>".encode("utf-16")
GZIPPED = gzip.compress(FEED, mtime=0)
_ZEROS = gzip.compress(b" " * (8 << 20), mtime=0)
_RAW_DEFLATED = zlib.compress(FEED)[2:-4]
_CRLF = b"\r\n"


def _head(*fields: str, status: str = "200 OK", version: str = "HTTP/1.1") -> bytes:
    """A response's header, of the fields given and no others."""
    return "\r\n".join([f"{version} {status}", *fields, "", ""]).encode("latin-1")


def _whole(body: bytes, *fields: str, status: str = "200 OK") -> Script:
    """A body with its right length."""
    return Script((Send(_head(*fields, f"Content-Length: {len(body)}", status=status) + body),))


def _ending(*parts: bytes) -> Script:
    """These octets, then the end of the stream."""
    return Script((Send(b"".join(parts)), Close()))


def _chunk(octets: bytes, extension: bytes = b"") -> bytes:
    return b"%x%s\r\n%s\r\n" % (len(octets), extension, octets)


def _redirect(location: str, *more: Step, status: str = "302 Found") -> Script:
    return Script((Send(_head(f"Location: {location}", "Content-Length: 0", status=status)), *more))


_XML = "Content-Type: application/xml"
_CHUNKED = "Transfer-Encoding: chunked"

SIZE_LINES = (
    *(b"%x\r\n", b"%x\n", b"%x \r\n", b"%x\t\n", b" %x\r\n", b"%x\r\r\n", b"0000%x\r\n"),
    *(b"%x;\r\n", b"%x;\n", b"%x;a=b\r\n", b'%x ;a="\r"\r\n'),
)
"""Lines before a chunk that http.client reads, too."""
_LENGTH = f"Content-Length: {len(FEED)}"
_GZIP = "Content-Encoding: gzip"


def _chunked(*chunks: bytes, fields: tuple[str, ...] = (_XML, _CHUNKED)) -> Script:
    """A body in these chunks."""
    return Script((Send(_head(*fields) + b"".join(map(_chunk, chunks)) + b"0\r\n\r\n"),))


SCRIPTS: dict[str, Script] = {
    # Right.
    "honest": _whole(FEED, _XML),
    "honest-chunked": _chunked(FEED[:20], FEED[20:]),
    "chunked-with-extensions-and-trailers": Script(
        (Send(_head(_XML, _CHUNKED) + _chunk(FEED, b";a=b") + b"0;c\r\nX-Sum: 1\r\n\r\n"),)
    ),
    "http-1.0-close-delimited": _ending(_head(_XML, version="HTTP/1.0"), FEED),
    "http-1.1-close-delimited": _ending(_head(_XML, "Connection: close"), FEED),
    "slow-but-honest": Script((Drip(_head(_XML, _LENGTH) + FEED, 0.01, 12),)),
    "interim-100-first": Script((Send(_head(status="100 Continue") + _head(_XML, _LENGTH) + FEED),)),
    "interim-103-first": Script(
        (Send(_head("Link: </a>", status="103 Early Hints") * 3 + _head(_XML, _LENGTH) + FEED),)
    ),
    "utf-16": _whole(UTF_16, "Content-Type: text/xml; charset=utf-16"),
    "partial-content": _whole(FEED, _XML, status="206 Partial Content"),
    # Nobody, nothing, and the reset at every stage.
    "close-at-accept": Script((Close(),), at_accept=True),
    "close-after-request": Script((Close(),)),
    "reset-at-accept": Script((Reset(),), at_accept=True),
    "reset-after-request": Script((Reset(),)),
    "reset-in-status-line": Script((Send(b"HTTP/1.1 20"), Silence(0.05), Reset())),
    "reset-in-header": Script((Send(b"HTTP/1.1 200 OK\r\nContent-Ty"), Silence(0.05), Reset())),
    "reset-after-header": Script((Send(_head(_XML, _LENGTH)), Silence(0.05), Reset())),
    "reset-in-body": Script((Send(_head(_XML, _LENGTH) + FEED[:30]), Silence(0.05), Reset())),
    "reset-in-chunk-size": Script((Send(_head(_CHUNKED) + _chunk(FEED[:30]) + b"1"), Silence(0.05), Reset())),
    "reset-in-chunk": Script((Send(_head(_CHUNKED) + b"40\r\n" + FEED[:30]), Silence(0.05), Reset())),
    "reset-in-gzip": Script((Send(_head(_GZIP) + GZIPPED[:40]), Silence(0.05), Reset())),
    "silent-at-accept": Script((Silence(),), at_accept=True),
    "silent-in-header": Script((Send(b"HTTP/1.1 200 OK\r\nContent-Ty"), Silence())),
    "silent-in-body": Script((Send(_head(_XML, _LENGTH) + FEED[:30]), Silence())),
    # Dripping: no wait is ever long, and no end comes.
    "dripping-status-line": Script((Endless(b"H", 0.02),)),
    "dripping-header": Script((Send(b"HTTP/1.1 200 OK\r\nX: "), Endless(b"a", 0.02))),
    "dripping-body": Script((Send(_head("Content-Length: 100000")), Endless(b"a", 0.02))),
    "dripping-chunks": Script((Send(_head(_CHUNKED)), Endless(_chunk(b"a"), 0.02))),
    "dripping-chunk-size": Script((Send(_head(_CHUNKED) + _chunk(b"ab") + b"1;"), Endless(b"x", 0.02))),
    "dripping-trailer": Script((Send(_head(_CHUNKED) + _chunk(b"ab") + b"0\r\n"), Endless(b"x", 0.02))),
    "dripping-gzip": Script((Send(_head(_GZIP)), Drip(GZIPPED + GZIPPED, 0.02))),
    "dripping-interim": Script((Endless(_head(status="103 Early Hints"), 0.02),)),
    # Endless.
    "endless-body": Script((Send(_head(_XML)), Endless(b"<a/>" * 4096))),
    "endless-chunked": Script((Send(_head(_CHUNKED)), Endless(_chunk(b"<a/>" * 4096)))),
    "endless-chunk-extensions": Script((Send(_head(_CHUNKED)), Endless(_chunk(b"a", b";" + b"x" * 30000)))),
    "endless-trailers": Script((Send(_head(_CHUNKED) + b"0\r\n"), Endless(b"X: " + b"x" * 30000 + _CRLF))),
    "endless-interim": Script((Endless(_head("X: " + "x" * 4096, status="100 Continue")),)),
    "endless-header-line": Script((Send(b"HTTP/1.1 200 OK\r\nX: "), Endless(b"a" * 4096))),
    "header-without-end": Script((Send(b"HTTP/1.1 200 OK\r\n"), Endless(b"X: y\r\n" * 64))),
    "huge-header": Script((Send(_head("X: " + "a" * 1_000_000, _LENGTH) + FEED),)),
    "huge-status-line": Script((Send(_head(_LENGTH, status="200 " + "O" * 100_000) + FEED),)),
    "200-header-fields": Script((Send(_head(*["X: y"] * 200, _LENGTH) + FEED),)),
    "endless-gzip": Script((Send(_head(_GZIP)), Endless(_ZEROS))),
    # The body's length, and lies about it.
    "length-too-long": _ending(_head(_XML, "Content-Length: 1000"), FEED),
    "length-too-short": _ending(_head(_XML, "Content-Length: 30"), FEED),
    "length-negative": _ending(_head(_XML, "Content-Length: -5"), FEED),
    "length-with-plus": _ending(_head(_XML, "Content-Length: +30"), FEED),
    "length-with-underscore": _ending(_head(_XML, "Content-Length: 3_0"), FEED),
    "length-no-number": _ending(_head(_XML, "Content-Length: many"), FEED),
    "length-twice": _ending(_head(_XML, _LENGTH, _LENGTH), FEED),
    "length-list": _ending(_head(_XML, f"{_LENGTH} ,\t{len(FEED)}"), FEED, b"more"),
    "length-list-empty-elements": _ending(_head(_XML, f"Content-Length: , {len(FEED)}, ,"), FEED[:30]),
    "length-list-no-number": _ending(_head(_XML, f"{_LENGTH}, many"), FEED[:30]),
    "length-list-zeros": _ending(_head(_XML, f"Content-Length: {len(FEED):05000}, {len(FEED)}"), FEED[:30]),
    "length-empty-and-right": _ending(_head(_XML, "Content-Length:", _LENGTH), FEED[:30]),
    "length-right-and-empty": _ending(_head(_XML, _LENGTH, "Content-Length:"), FEED[:30]),
    "length-list-different": _ending(_head(_XML, f"{_LENGTH}, 7"), FEED),
    "length-twice-different": _ending(_head(_XML, _LENGTH, "Content-Length: 7"), FEED),
    "length-thrice-no-number": _ending(_head(_XML, "Content-Length: 7", _LENGTH, "Content-Length: x"), FEED),
    "length-list-different-no-number": _ending(_head(_XML, f"{_LENGTH}, 7, x"), FEED),
    "length-of-a-terabyte": Script((Send(_head("Content-Length: 1099511627776")), Endless(b" " * 4096))),
    "length-of-5000-digits": Script((Send(_head("Content-Length: " + "9" * 5000)), Endless(b" " * 4096))),
    "length-of-5000-zeros": _ending(_head("Content-Length: " + "0" * 5000 + str(len(FEED))), FEED[:30]),
    "length-and-chunked": _ending(_head(_XML, "Content-Length: 7", _CHUNKED), _chunk(FEED), b"0\r\n\r\n"),
    # Chunks.
    "chunk-size-no-hex": _ending(_head(_CHUNKED), _chunk(FEED[:30]), b"size\r\n", FEED),
    "chunk-size-negative": _ending(_head(_CHUNKED), _chunk(FEED[:30]), b"-5\r\n", FEED),
    "chunk-size-signed": _ending(_head(_CHUNKED), b"+%x\r\n" % len(FEED), FEED, b"\r\n0\r\n\r\n"),
    "chunk-size-prefixed": _ending(_head(_CHUNKED), b"0x%x\r\n" % len(FEED), FEED, b"\r\n0\r\n\r\n"),
    "chunk-size-underscore": _ending(_head(_CHUNKED), b"0_%x\r\n" % len(FEED), FEED, b"\r\n0\r\n\r\n"),
    "chunks-of-one-byte": _ending(
        _head(_XML, _CHUNKED), *(_chunk(FEED[at : at + 1]) for at in range(len(FEED))), b"0\r\n\r\n"
    ),
    "chunk-sizes-of-all-spellings": _ending(
        _head(_XML, _CHUNKED),
        *(
            size % 1 + FEED[at : at + 1] + b"\r\n"
            for at, size in zip(range(len(FEED)), itertools.cycle(SIZE_LINES), strict=False)
        ),
        b"0\r\n\r\n",
    ),
    "chunk-size-huge": _ending(_head(_CHUNKED), b"ffffffffffffffffffffffff\r\n", FEED),
    "chunk-size-minus-0": _ending(_head(_CHUNKED), _chunk(FEED[:30]), b"-0\r\n1\r\n<"),
    "chunk-size-minus-huge": _ending(_head(_CHUNKED), b"-7fffffffffffffff\r\n", FEED),
    "chunk-size-empty": _ending(_head(_CHUNKED), b"\r\n", FEED),
    "chunk-size-line-too-long": Script((Send(_head(_CHUNKED) + b"1;" + b"x" * 70_000), Silence())),
    "chunk-without-end": _ending(_head(_CHUNKED), b"5\r\nabcdefgh\r\n0\r\n\r\n"),
    "chunk-with-another-end": _ending(_head(_CHUNKED), b"%x\r\n" % len(FEED), FEED, b"XX0\r\n\r\n"),
    "chunked-cut-between": _ending(_head(_CHUNKED), _chunk(FEED[:30])),
    "chunked-cut-within": _ending(_head(_CHUNKED), b"40\r\n", FEED[:30]),
    "chunked-cut-in-size": _ending(_head(_CHUNKED), _chunk(FEED[:30]), b"00"),
    "chunked-cut-in-extension": _ending(_head(_CHUNKED), _chunk(FEED[:30]), b"0;x"),
    "chunked-without-last-line": _ending(_head(_CHUNKED), _chunk(FEED), b"0\r\n"),
    "chunked-in-capitals": _chunked(FEED, fields=("TRANSFER-ENCODING: CHUNKED",)),
    "chunked-and-white-space": _chunked(FEED, fields=("Transfer-Encoding: chunked \t",)),
    "chunked-folded": _chunked(FEED, fields=("Transfer-Encoding:\r\n chunked",)),
    "chunked-and-white-space-cut": _ending(_head("Transfer-Encoding: chunked "), _chunk(FEED[:30])),
    "chunked-twice": _chunked(FEED, fields=(_CHUNKED, "Transfer-Encoding: Chunked")),
    "chunked-twice-in-a-line": _chunked(FEED, fields=(f"{_CHUNKED} ,\tchunked",)),
    "chunked-within": _chunked(
        _chunk(FEED) + b"0\r\n\r\n", fields=("Transfer-Encoding: chunked, chunked", _GZIP)
    ),
    "chunked-within-cut": _chunked(
        *(b"%c" % octet for octet in _chunk(FEED, b";a")), fields=(_CHUNKED, "Transfer-Encoding: Chunked")
    ),
    "chunked-within-of-nothing": _chunked(b"0\r\n\r\n", fields=(_CHUNKED, _CHUNKED)),
    "chunked-and-identity": _chunked(
        FEED, fields=("Transfer-Encoding: identity, chunked", "Content-Length: 7")
    ),
    "chunked-and-identity-cut": _ending(_head("Transfer-Encoding: identity, chunked"), _chunk(FEED)),
    "transfer-encoding-unknown": _ending(_head(_XML, "Transfer-Encoding: none, chunked"), _chunk(FEED)),
    "transfer-encoding-gzip": _chunked(GZIPPED, fields=("Transfer-Encoding: gzip, chunked",)),
    # No HTTP.
    "garbage-status-line": _ending(b"SSH-2.0-OpenSSH_9.6\r\n"),
    "garbage-octets": _ending(bytes(range(256)) * 16),
    "no-header": _ending(FEED),
    "version-9.9": _ending(_head(_LENGTH, version="HTTP/9.9"), FEED),
    "status-no-number": _ending(_head(_LENGTH, status="abc OK"), FEED),
    **{
        f"status-{name}": _ending(_head(_LENGTH, status=status, version=version), FEED)
        for name, version, status in (
            *(("signed", "HTTP/1.1", "+200 OK"), ("negative", "HTTP/1.1", "-200 OK")),
            *(("underscores", "HTTP/1.1", "2_0_0 OK"), ("behind-no-space", "HTTP/1.1200", "OK")),
            *(("leading-zero", "HTTP/1.1", "0200 OK"), ("letters-behind", "HTTP/1.1", "200OK")),
            ("without-phrase", "HTTP/1.1", "200"),
        )
    },
    "header-line-without-colon": _ending(_head(_LENGTH, "nonsense", _XML), FEED),
    "header-line-without-colon-folded": _ending(_head(_XML, "nonsense\r\n and more", _LENGTH), FEED[:30]),
    "header-space-before-colon": _ending(_head(_XML, _LENGTH.replace(":", " :")), FEED[:30]),
    "header-cr-cr-lf": _ending(_head(_XML, _LENGTH).replace(_CRLF, b"\r\r\n"), FEED[:30]),
    "header-bare-cr": _ending(_head(_XML, "X: a\rnonsense", "X: a\r\r\r b", _LENGTH), FEED[:30]),
    "header-bare-cr-folded": _ending(_head(_XML, "X: a\r\n b\r\rc\r", _GZIP), GZIPPED[:-12]),
    "header-cut": _ending(_head(_XML, _LENGTH)[:-2]),
    "header-cut-in-a-line": _ending(_head(_XML, _LENGTH)[:-5]),
    "header-not-ascii": _ending(_head(_XML, "X-Title: Café", _LENGTH), FEED),
    "header-with-nul": _ending(_head(_XML, "X: a\x00b", _LENGTH), FEED),
    "header-bare-lf": _ending(_head(_XML, _LENGTH).replace(_CRLF, b"\n"), FEED),
    # Redirects.
    "redirect-circle": _redirect("{base}"),
    "redirect-chain": _redirect("{base}/{hop}"),
    "redirect-slow-chain": Script((Silence(0.12), *_redirect("{base}/{hop}", status="307 Temporary").steps)),
    "redirect-endless-body": Script(
        (Send(_head("Location: {base}/{hop}", status="301 Moved Permanently")), Endless(b" " * 4096))
    ),
    "redirect-to-file": _redirect("file:///etc/passwd"),
    "redirect-to-ftp": _redirect("ftp://127.0.0.1/feed", status="308 Permanent Redirect"),
    "redirect-to-data": _redirect("data:text/xml,<a/>"),
    "redirect-to-nowhere": _redirect("https://"),
    "redirect-to-backslash": _redirect("http://127.0.0.1\\@example.org/"),
    "redirect-to-a-bad-port": _redirect("http://127.0.0.1:123456/"),
    "redirect-to-a-closed-port": _redirect("http://127.0.0.1:9/"),
    "redirect-twice": _redirect("{base}/1\r\nLocation: {base}/2"),
    "redirect-repeated": _redirect("file:///etc/passwd\r\nLocation: file:///etc/passwd"),
    "redirect-without-location": _whole(b"see elsewhere", status="302 Found"),
    # Content codings.
    "gzip": _whole(GZIPPED, _XML, _GZIP),
    "gzip-x": _whole(GZIPPED, _XML, "Content-Encoding: X-GZIP"),
    "gzip-chunked": _chunked(*(bytes([octet]) for octet in GZIPPED), fields=(_GZIP, _CHUNKED)),
    "gzip-of-nothing": _whole(gzip.compress(b"", mtime=0), _GZIP),
    "gzip-without-octets": _whole(b"", _GZIP),
    "gzip-bomb": _whole(_ZEROS, _XML, _GZIP),
    "gzip-nested": _ending(_head(_XML, "Content-Encoding: gzip, gzip"), gzip.compress(GZIPPED, mtime=0)),
    "gzip-within": _whole(gzip.compress(GZIPPED, mtime=0), _XML, _GZIP),
    "gzip-truncated": _ending(_head(_XML, _GZIP), GZIPPED[:-12]),
    "gzip-without-trailer": _whole(GZIPPED[:-8], _XML, _GZIP),
    "gzip-of-one-octet": _whole(GZIPPED[:1], _XML, _GZIP),
    "gzip-then-garbage": _whole(GZIPPED + b"\0" * 600, _XML, _GZIP),
    "gzip-then-one-octet": _whole(GZIPPED + b"\n", _XML, _GZIP),
    "gzip-then-garbage-cut": _ending(_head(_XML, _GZIP, "Content-Length: 9999"), GZIPPED + b"junk"),
    "gzip-unlabelled-then-garbage-cut": _ending(_head(_XML, "Content-Length: 9999"), GZIPPED + b"junk"),
    "deflate-then-garbage-cut": _ending(
        _head(_XML, "Content-Encoding: deflate", _CHUNKED), _chunk(zlib.compress(FEED) + b"junk")
    ),
    "gzip-two-members": _whole(gzip.compress(FEED[:20]) + gzip.compress(FEED[20:]), _XML, _GZIP),
    "gzip-wrong-checksum": _whole(GZIPPED[:-8] + b"\0\0\0\0" + GZIPPED[-4:], _XML, _GZIP),
    "gzip-that-is-not": _whole(b"BZh91AY&SY" + FEED, _XML, _GZIP),
    "gzip-not-applied": _whole(FEED, _XML, _GZIP),
    "deflate-not-applied": _whole(FEED, _XML, "Content-Encoding: deflate"),
    "br-not-applied": _whole(FEED, _XML, "Content-Encoding: br"),
    "deflate": _whole(zlib.compress(FEED), _XML, "Content-Encoding: deflate"),
    "deflate-raw": _whole(_RAW_DEFLATED, _XML, "Content-Encoding: deflate"),
    "deflate-truncated": _whole(zlib.compress(FEED)[:-10], _XML, "Content-Encoding: deflate"),
    "deflate-then-garbage": _whole(zlib.compress(FEED) + b"more", _XML, "Content-Encoding: deflate"),
    "coding-identity": _whole(FEED, _XML, "Content-Encoding: identity"),
    "br-that-is-not": _whole(b"\x8b" + FEED, _XML, "Content-Encoding: br"),
    "coding-unknown": _whole(b"dictionary\0" + FEED, _XML, "Content-Encoding: sdch"),
    "coding-of-no-name": _whole(b"\x1f\x9d\x90\x03\x04", _XML, "Content-Encoding: foo"),
    "coding-below-gzip": _whole(gzip.compress(bytes(range(256))), _XML, "Content-Encoding: foo, gzip"),
    "coding-not-applied": _whole(FEED, _XML, "Content-Encoding: aws-chunked"),
    # Statuses.
    "empty": _whole(b"", _XML),
    "empty-close-delimited": _ending(_head(_XML)),
    "no-content": _ending(_head(status="204 No Content")),
    "no-content-with-a-body": _ending(_head(_LENGTH, status="204 No Content"), FEED),
    "no-content-chunked": Script((Send(_head(_CHUNKED, status="204 No Content")), Silence())),
    "no-content-chunked-odd": Script((Send(_head(f"{_CHUNKED} ", status="204 No")), Silence())),
    "no-content-in-sdch": _ending(_head("Content-Encoding: sdch", status="204 No Content")),
    "no-content-framed": _ending(_head("Transfer-Encoding: foo", status="204 No Content")),
    "empty-in-sdch": _whole(b"", _XML, "Content-Encoding: sdch"),
    "not-modified-chunked": Script((Send(_head(_CHUNKED, status="304 Not Modified")), Silence())),
    "switching-protocols-chunked": Script((Send(_head(_CHUNKED, status="101 Switching")), Silence())),
    "not-modified": _ending(_head('ETag: "7"', status="304 Not Modified")),
    "switching-protocols": _ending(_head("Upgrade: h2c", status="101 Switching Protocols")),
    "not-found": _whole("<h1>Ärger</h1>".encode() + b"." * 900, status="404 Not Found"),
    "not-found-latin-1": _whole("<h1>Ärger</h1>".encode("latin-1"), status="404 Not Found"),
    "server-error": _whole(b"", status="500 Internal Server Error"),
    "server-error-in-gzip": _whole(GZIPPED, _GZIP, status="503 Service Unavailable"),
    "server-error-nested": _whole(b"?", "Content-Encoding: gzip, gzip", status="503 Service Unavailable"),
    "server-error-cut-off": _ending(_head("Content-Length: 900", status="502 Bad Gateway"), b"no answer"),
    "server-error-dripping": Script((Send(_head(_LENGTH, status="500 Oops")), Endless(b"e", 0.02))),
    "status-999": _whole(b"go away", status="999 Request Denied"),
    # Content-Type.
    "content-type-twice": _whole(FEED, "Content-Type: text/xml", "Content-Type: text/html; charset=koi8-r"),
    "content-type-none": _whole(FEED),
    "content-type-empty": _whole(FEED, "Content-Type:"),
    "content-type-odd": _whole(FEED, "CONTENT-TYPE:  Text/XML ;Charset = 'utf-8' "),
    "content-type-folded": _whole(FEED, "Content-Type: text/xml;\r\n charset=utf-8"),
    "content-type-not-ascii": _whole(FEED, "Content-Type: text/xml; charset=ünïcode"),
}  # fmt: skip
