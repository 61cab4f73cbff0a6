"""The closed table of charsets: which are decoded, by which codec, and which are refused and why.

One row for each charset: name, family, strict codec, lenient superset, kind of code page. The name is the
IANA preferred MIME name where there is one, else the name of the Encoding Standard or IBM's. The codec is
one of Python's standard library (`-`: generic UTF-16 and UTF-32, which have no byte order, and charsets that
only this library decodes). The superset is the row that lenient decoding uses instead (`=`: itself). The
kinds of code page are explained at `Charset.page`.

ISO-8859-11 is an IANA alias of TIS-620; its codec also knows A0, the no-break space. UCS-4-2143 and
UCS-4-3412 are byte orders of XML 1.0 Appendix F.1 that no label names.
"""

from __future__ import annotations

__all__ = ["REFUSED", "ROWS", "WINDOWS_PAGES", "WITH_UNDEFINED_BYTES"]

ROWS = """
UTF-8             UTF-8        utf_8         =             -
UTF-16            UTF-16       -             =             -
UTF-16BE          UTF-16       utf_16_be     =             -
UTF-16LE          UTF-16       utf_16_le     =             -
UTF-32            UTF-32       -             =             -
UTF-32BE          UTF-32       utf_32_be     =             -
UTF-32LE          UTF-32       utf_32_le     =             -
UCS-4-2143        UCS-4        -             =             -
UCS-4-3412        UCS-4        -             =             -
US-ASCII          US-ASCII     ascii         windows-1252  western
ISO-8859-1        single       latin_1       windows-1252  western
ISO-8859-2        single       iso8859_2     =             central
ISO-8859-3        single       iso8859_3     =             central
ISO-8859-4        single       iso8859_4     =             central
ISO-8859-5        single       iso8859_5     =             cyrillic
ISO-8859-6        single       iso8859_6     =             arabic
ISO-8859-7        single       iso8859_7     =             greek
ISO-8859-8        single       iso8859_8     =             hebrew
ISO-8859-9        single       iso8859_9     windows-1254  western
ISO-8859-10       single       iso8859_10    =             central
TIS-620           single       iso8859_11    windows-874   thai
ISO-8859-13       single       iso8859_13    =             central
ISO-8859-14       single       iso8859_14    =             central
ISO-8859-15       single       iso8859_15    =             western
ISO-8859-16       single       iso8859_16    =             central
windows-874       single       cp874         =             thai
windows-1250      single       cp1250        =             central
windows-1251      single       cp1251        =             cyrillic
windows-1252      single       cp1252        =             western
windows-1253      single       cp1253        =             greek
windows-1254      single       cp1254        =             western
windows-1255      single       cp1255        =             hebrew
windows-1256      single       cp1256        =             arabic
windows-1257      single       cp1257        =             central
windows-1258      single       cp1258        =             latin
KOI8-R            single       koi8_r        =             cyrillic
KOI8-U            single       koi8_u        =             cyrillic
KOI8-T            single       koi8_t        =             cyrillic
PTCP154           single       ptcp154       =             cyrillic
KZ-1048           single       kz1048        =             cyrillic
macintosh         single       mac_roman     =             western
x-mac-cyrillic    single       mac_cyrillic  =             cyrillic
x-mac-greek       single       mac_greek     =             greek
x-mac-turkish     single       mac_turkish   =             latin
x-mac-icelandic   single       mac_iceland   =             latin
x-mac-ce          single       mac_latin2    =             latin
x-mac-croatian    single       mac_croatian  =             latin
x-mac-romanian    single       mac_romanian  =             latin
hp-roman8         single       hp_roman8     =             latin
IBM437            single       cp437         =             latin
IBM720            single       cp720         =             arabic
IBM737            single       cp737         =             greek
IBM775            single       cp775         =             latin
IBM850            single       cp850         =             latin
IBM852            single       cp852         =             latin
IBM855            single       cp855         =             cyrillic
IBM856            single       cp856         =             hebrew
IBM857            single       cp857         =             latin
IBM00858          single       cp858         =             latin
IBM860            single       cp860         =             latin
IBM861            single       cp861         =             latin
IBM862            single       cp862         =             hebrew
IBM863            single       cp863         =             latin
IBM864            single       cp864         =             arabic
IBM865            single       cp865         =             latin
IBM866            single       cp866         =             cyrillic
IBM869            single       cp869         =             greek
IBM1006           single       cp1006        =             arabic
IBM1125           single       cp1125        =             cyrillic
GB2312            CJK          gb2312        GB18030       cjk
GBK               CJK          gbk           GB18030       cjk
GB18030           CJK          gb18030       =             cjk
Big5              CJK          big5          Big5-HKSCS    cjk
Big5-HKSCS        CJK          big5hkscs     =             cjk
windows-950       CJK          cp950         =             cjk
Shift_JIS         CJK          shift_jis     Windows-31J   cjk
Windows-31J       CJK          cp932         =             cjk
Shift_JIS-2004    CJK          shift_jis_2004 =            cjk
EUC-JP            CJK          euc_jp        =             cjk
EUC-JIS-2004      CJK          euc_jis_2004  =             cjk
EUC-KR            CJK          euc_kr        windows-949   cjk
windows-949       CJK          cp949         =             cjk
ISO-2022-JP       ISO-2022-JP  iso2022_jp    =             cjk
IBM037            EBCDIC       cp037         =             -
IBM273            EBCDIC       cp273         =             -
IBM277            EBCDIC       -             =             -
IBM278            EBCDIC       -             =             -
IBM280            EBCDIC       -             =             -
IBM284            EBCDIC       -             =             -
IBM285            EBCDIC       -             =             -
IBM297            EBCDIC       -             =             -
IBM424            EBCDIC       cp424         =             -
IBM500            EBCDIC       cp500         =             -
IBM870            EBCDIC       -             =             -
IBM871            EBCDIC       -             =             -
IBM875            EBCDIC       cp875         =             -
IBM918            EBCDIC       -             =             -
IBM1026           EBCDIC       cp1026        =             -
IBM1047           EBCDIC       -             =             -
IBM01140          EBCDIC       cp1140        =             -
IBM01141          EBCDIC       -             =             -
IBM01142          EBCDIC       -             =             -
IBM01143          EBCDIC       -             =             -
IBM01144          EBCDIC       -             =             -
IBM01145          EBCDIC       -             =             -
IBM01146          EBCDIC       -             =             -
IBM01147          EBCDIC       -             =             -
IBM01148          EBCDIC       -             =             -
IBM01149          EBCDIC       -             =             -
"""

# Lenient decoding reads the bytes 80-9F of an ISO-8859 page as the Windows page of the same script has
# them: C1 controls are not written, and documents with these labels are mostly written on Windows.
# ISO-8859-1, -9 and -11 are not here: their superset is a Windows page.
WINDOWS_PAGES = {
    "ISO-8859-2": "windows-1250",
    "ISO-8859-3": "windows-1254",
    "ISO-8859-4": "windows-1257",
    "ISO-8859-5": "windows-1251",
    "ISO-8859-6": "windows-1256",
    "ISO-8859-7": "windows-1253",
    "ISO-8859-8": "windows-1255",
    "ISO-8859-10": "windows-1252",
    "ISO-8859-13": "windows-1257",
    "ISO-8859-14": "windows-1252",
    "ISO-8859-15": "windows-1252",
    "ISO-8859-16": "windows-1250",
}

# Single-byte charsets in which a byte is undecodable also in lenient decoding. The others decode every byte.
WITH_UNDEFINED_BYTES = """
ISO-8859-3 ISO-8859-6 ISO-8859-7 ISO-8859-8 TIS-620 windows-874 windows-1253 windows-1255 windows-1257
KOI8-T KZ-1048 hp-roman8 IBM856 IBM857 IBM864 IBM869 IBM424
"""

_UNSAFE = "Python's decoder of it is not safe with hostile input, and browsers do not decode it"
_NO_CHARSET = "it is a transformation in Python's list of codecs, not a charset"

REFUSED = {
    "ISO-2022-KR": _UNSAFE,
    "ISO-2022-CN": "neither Python nor a browser decodes it",
    "ISO-2022-CN-EXT": "neither Python nor a browser decodes it",
    "ISO-2022-JP-1": _UNSAFE,
    "ISO-2022-JP-2": _UNSAFE,
    "ISO-2022-JP-3": _UNSAFE,
    "ISO-2022-JP-2004": _UNSAFE,
    "ISO-2022-JP-EXT": _UNSAFE,
    "HZ-GB-2312": _UNSAFE,
    "UTF-7": "it can write markup without < and &, and lone surrogates",
    "Johab": "a lead byte takes the < after it as part of a damaged character",
    "x-mac-arabic": "it has a second < and & among its non-ASCII bytes",
    "x-mac-farsi": "it has a second < and & among its non-ASCII bytes",
    "x-user-defined": "it maps bytes to private-use characters without a meaning in a feed",
    "replacement": "it is the name for encodings that browsers refuse to decode",
    "unicode_escape": "it can write markup as escape sequences",
    "raw_unicode_escape": "it can write markup as escape sequences",
    "idna": "it is for host names, and decoding takes quadratic time",
    "punycode": "it is for host names, and decoding takes quadratic time",
    "zlib": _NO_CHARSET,
    "bz2": _NO_CHARSET,
    "base64": _NO_CHARSET,
    "hex": _NO_CHARSET,
    "quopri": _NO_CHARSET,
    "uu": _NO_CHARSET,
    "rot13": _NO_CHARSET,
}
