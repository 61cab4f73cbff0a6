"""The closed table of charsets: what may be decoded, by which codec, and what is refused and why.

One row a charset: name | family | strict codec | lenient superset | kind of code page. The name is the
IANA preferred MIME name where there is one. The codec is the name of a codec of Python's standard library
(`-` where there is none: no byte order, or a decoder of our own); the superset is the name of the row in
whose place lenient reading takes it (`=`: itself). Which kinds of page there are, is said in charsets.py.
"""

from __future__ import annotations

__all__ = ["REFUSED", "ROWS"]

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
macintosh         single       mac_roman     =             western
x-mac-cyrillic    single       mac_cyrillic  =             cyrillic
GB2312            CJK          gb2312        GB18030       cjk
GBK               CJK          gbk           GB18030       cjk
GB18030           CJK          gb18030       =             cjk
Big5              CJK          big5          Big5-HKSCS    cjk
Big5-HKSCS        CJK          big5hkscs     =             cjk
Shift_JIS         CJK          shift_jis     windows-31J   cjk
windows-31J       CJK          cp932         =             cjk
EUC-JP            CJK          euc_jp        EUC-JIS-2004  cjk
EUC-JIS-2004      CJK          euc_jis_2004  =             cjk
EUC-KR            CJK          euc_kr        windows-949   cjk
windows-949       CJK          cp949         =             cjk
ISO-2022-JP       ISO-2022-JP  iso2022_jp    =             cjk
IBM037            EBCDIC       cp037         =             -
IBM273            EBCDIC       cp273         =             -
IBM424            EBCDIC       cp424         =             -
IBM500            EBCDIC       cp500         =             -
cp875             EBCDIC       cp875         =             -
IBM1026           EBCDIC       cp1026        =             -
IBM01140          EBCDIC       cp1140        =             -
IBM1047           EBCDIC       -             =             -
"""

REFUSED = {
    "ISO-2022-KR": "Python's decoder of it is not safe, and no browser decodes it",
    "HZ-GB-2312": "Python's decoder of it is not safe, and no browser decodes it",
    "UTF-7": "it hides markup from whoever reads it as ASCII (RFC 2152)",
    "Johab": "its lead octets swallow a following <",
}
