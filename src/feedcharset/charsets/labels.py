"""The closed table of charsets and their labels: what is decoded, by which codec, and what is refused.

One row for each charset, with its labels below it. The columns:

- the name: the IANA preferred MIME name where there is one, else the name of the Encoding Standard or IBM's;
- the family;
- the strict codec, one of Python's standard library; `-`: generic UTF-16 and UTF-32, which have no byte
  order, and charsets that only this library decodes;
- the row that lenient decoding uses instead; `=`: itself;
- the kind of code page (`Charset.page`);
- the Windows page whose bytes 80-9F lenient decoding reads: C1 controls are not written, and documents with
  these labels are mostly written on Windows;
- `holes`: a single-byte charset in which bytes are undecodable also in lenient decoding.

`refused:` stands before the reason why a charset is known by name and never decoded. ISO-8859-11 is an IANA
alias of TIS-620; its codec also knows A0, the no-break space. UCS-4-2143 and UCS-4-3412 are byte orders of
XML 1.0 Appendix F.1 that no label names.

The labels, in lower case, by source; the name of a row is a label without being listed. Strict lookup knows:

- IANA: the Character Sets registry;
- named: labels that the Encoding Standard assigns to a superset and that here name the charset itself, as
  IANA's names of the same charsets do; and Java's name of IBM1047;
- the labels of the Encoding Standard, which are not here: the package webencodings has them all;
- Python: `encodings.aliases` of Python 3.11 to 3.14, also known with hyphens. `utf_8` and similar labels are
  left out on purpose: they are misspellings of registered names, for lenient reading.

Lenient lookup knows these besides. `-`, `_`, `.`, `:`, `;`, spaces and a leading `x` do not count, so
`x-windows-874` stands here as `windows874`. Where two sources disagree, the earlier one counts.

- seen: labels in feeds, the misspelt ones among them;
- .NET: the code page numbers and the names of Encoding.GetEncodings() (learn.microsoft.com, "Encoding class",
  list of encodings). A number is a label with "cp" before it and without;
- Java: java.nio.charset of OpenJDK 21, "Supported Encodings", with the historical names of java.io;
- Oracle: Oracle Database Globalization Support Guide 19c, appendix A, "Character sets";
- iconv: GNU libiconv 1.17 and glibc 2.36, `iconv -l`. What follows `//` (TRANSLIT, IGNORE) does not count;
- MySQL: 8.0 Reference Manual, "Supported character sets". Only for collations: `cp1251_general_ci` begins
  with the name of its character set and ends with `_ci`, `_cs` or `_bin`. MySQL's latin1 is windows-1252.
"""

from __future__ import annotations

from functools import cache

CHARSET_TABLE = """
UTF-8           UTF-8        utf_8          =             -         -             -
    IANA: csutf8 Python: cp65001 u8 utf utf8_ucs2 utf8_ucs4 seen: utf8mb3 utf8mb4 utf8bom utf8sig utf8nobom
    utf8n unicodeutf8 uft8 cesu8 .NET: 65001 Java: utf8 Oracle: al32utf8 al24utffss MySQL: utf8 utf8mb3
    utf8mb4
UTF-16          UTF-16       -              =             -         -             -
    IANA: csutf16 iso-10646-ucs-2 csunicode Python: u16 utf16 seen: utf16bom unicodebig Java: unicode
    MySQL: ucs2 utf16
UTF-16BE        UTF-16       utf_16_be      =             -         -             -
    IANA: csutf16be Python: unicodebigunmarked .NET: cp1201 1201 unicodefffe Java: unicodebigunmarked
    Oracle: al16utf16 iconv: ucs2be
UTF-16LE        UTF-16       utf_16_le      =             -         -             -
    IANA: csutf16le Python: unicodelittleunmarked seen: unicodelittle .NET: cp1200 1200
    Java: unicodelittleunmarked utf16lebom Oracle: al16utf16le iconv: ucs2le MySQL: utf16le
UTF-32          UTF-32       -              =             -         -             -
    IANA: csutf32 iso-10646-ucs-4 csucs4 Python: u32 utf32 seen: ucs4 MySQL: utf32
UTF-32BE        UTF-32       utf_32_be      =             -         -             -
    IANA: csutf32be .NET: cp12001 12001 Java: utf32bebom iconv: ucs4be
UTF-32LE        UTF-32       utf_32_le      =             -         -             -
    IANA: csutf32le .NET: cp12000 12000 Java: utf32lebom iconv: ucs4le
UCS-4-2143      UCS-4        -              =             -         -             -
UCS-4-3412      UCS-4        -              =             -         -             -
US-ASCII        US-ASCII     ascii          windows-1252  western   -             -
    IANA: iso-ir-6 ansi_x3.4-1968 ansi_x3.4-1986 iso_646.irv:1991 iso646-us us ibm367 cp367 csascii
    named: ascii Python: 646 iso646_us iso_646.irv_1991 iso_ir_6 us_ascii seen: ascii7 .NET: cp20127 20127
    Oracle: us7ascii MySQL: ascii
ISO-8859-1      single       latin_1        windows-1252  western   -             -
    IANA: iso_8859-1:1987 iso-ir-100 iso_8859-1 latin1 l1 ibm819 cp819 csisolatin1 named: iso8859-1 iso88591
    Python: 8859 iso8859 iso8859_1 iso_8859_1 iso_8859_1_1987 iso_ir_100 latin latin_1 seen: 88591 819
    isolatin1 iso85591 .NET: cp28591 28591 Java: 88591 Oracle: we8iso8859p1
ISO-8859-2      single       iso8859_2      =             central   windows-1250  -
    IANA: iso_8859-2:1987 iso-ir-101 iso_8859-2 latin2 l2 csisolatin2 Python: iso8859_2 iso_8859_2
    iso_8859_2_1987 iso_ir_101 seen: 88592 isolatin2 ibm912 cp912 iso85592 .NET: cp28592 28592
    Oracle: ee8iso8859p2 MySQL: latin2
ISO-8859-3      single       iso8859_3      =             central   windows-1254  holes
    IANA: iso_8859-3:1988 iso-ir-109 iso_8859-3 latin3 l3 csisolatin3 Python: iso8859_3 iso_8859_3
    iso_8859_3_1988 iso_ir_109 seen: 88593 isolatin3 iso85593 .NET: cp28593 28593 Oracle: se8iso8859p3
ISO-8859-4      single       iso8859_4      =             central   windows-1257  -
    IANA: iso_8859-4:1988 iso-ir-110 iso_8859-4 latin4 l4 csisolatin4 Python: iso8859_4 iso_8859_4
    iso_8859_4_1988 iso_ir_110 seen: 88594 isolatin4 ibm914 cp914 iso85594 .NET: cp28594 28594
    Oracle: nee8iso8859p4
ISO-8859-5      single       iso8859_5      =             cyrillic  windows-1251  -
    IANA: iso_8859-5:1988 iso-ir-144 iso_8859-5 cyrillic csisolatincyrillic Python: iso8859_5 iso_8859_5
    iso_8859_5_1988 iso_ir_144 seen: 88595 ibm915 cp915 iso85595 .NET: cp28595 28595 Oracle: cl8iso8859p5
ISO-8859-6      single       iso8859_6      =             arabic    windows-1256  holes
    IANA: iso_8859-6:1987 iso-ir-127 iso_8859-6 ecma-114 asmo-708 arabic csisolatinarabic iso_8859-6-e
    iso-8859-6-e csiso88596e iso_8859-6-i iso-8859-6-i csiso88596i Python: asmo_708 ecma_114 iso8859_6
    iso_8859_6 iso_8859_6_1987 iso_ir_127 seen: 88596 iso85596 .NET: cp28596 28596 Oracle: ar8iso8859p6
ISO-8859-7      single       iso8859_7      =             greek     windows-1253  holes
    IANA: iso_8859-7:1987 iso-ir-126 iso_8859-7 elot_928 ecma-118 greek greek8 csisolatingreek
    Python: ecma_118 iso8859_7 iso_8859_7 iso_8859_7_1987 iso_ir_126 seen: 88597 ibm813 cp813 iso85597
    .NET: cp28597 28597 Oracle: el8iso8859p7 MySQL: greek
ISO-8859-8      single       iso8859_8      =             hebrew    windows-1255  holes
    IANA: iso_8859-8:1988 iso-ir-138 iso_8859-8 hebrew csisolatinhebrew iso_8859-8-e iso-8859-8-e
    csiso88598e iso_8859-8-i iso-8859-8-i csiso88598i Python: iso8859_8 iso_8859_8 iso_8859_8_1988
    iso_ir_138 seen: 88598 iso85598 .NET: cp28598 28598 cp38598 38598 Oracle: iw8iso8859p8 MySQL: hebrew
ISO-8859-9      single       iso8859_9      windows-1254  western   -             -
    IANA: iso_8859-9:1989 iso-ir-148 iso_8859-9 latin5 l5 csisolatin5 named: iso8859-9 iso88599
    Python: iso8859_9 iso_8859_9 iso_8859_9_1989 iso_ir_148 seen: 88599 isolatin5 ibm920 cp920 iso85599
    .NET: cp28599 28599 Oracle: we8iso8859p9 MySQL: latin5
ISO-8859-10     single       iso8859_10     =             central   windows-1252  -
    IANA: iso-ir-157 l6 iso_8859-10:1992 csisolatin6 latin6 Python: iso8859_10 iso_8859_10 iso_8859_10_1992
    iso_ir_157 .NET: cp28600 28600 Oracle: ne8iso8859p10
TIS-620         single       iso8859_11     windows-874   thai      -             holes
    IANA: cstis620 iso-8859-11 named: iso8859-11 iso885911 Python: iso8859_11 iso_8859_11 iso_8859_11_2001
    iso_ir_166 thai tis620 tis_620 tis_620_0 tis_620_2529_0 tis_620_2529_1 .NET: cp28601 28601
    Oracle: th8tisascii MySQL: tis620
ISO-8859-13     single       iso8859_13     =             central   windows-1257  -
    IANA: csiso885913 Python: iso8859_13 iso_8859_13 l7 latin7 .NET: cp28603 28603 Java: 885913 iso885913
    Oracle: blt8iso8859p13 MySQL: latin7
ISO-8859-14     single       iso8859_14     =             central   windows-1252  -
    IANA: iso-ir-199 iso_8859-14:1998 iso_8859-14 latin8 iso-celtic l8 csiso885914 Python: iso8859_14
    iso_8859_14_1998 iso_celtic iso_ir_199 .NET: cp28604 28604 Oracle: cel8iso8859p14
ISO-8859-15     single       iso8859_15     =             western   windows-1252  -
    IANA: iso_8859-15 latin-9 csiso885915 Python: iso8859_15 latin9 seen: 885915 isolatin9 latin0
    csisolatin0 ibm923 cp923 iso855915 .NET: cp28605 28605 Oracle: we8iso8859p15
ISO-8859-16     single       iso8859_16     =             central   windows-1250  -
    IANA: iso-ir-226 iso_8859-16:2001 iso_8859-16 latin10 l10 csiso885916 Python: iso8859_16
    iso_8859_16_2001 iso_ir_226 .NET: cp28606 28606
windows-874     single       cp874          =             thai      -             holes
    IANA: cswindows874 Python: cp874 seen: win874 ms874 ibm874 874 Java: windows874
windows-1250    single       cp1250         =             central   -             -
    IANA: cswindows1250 Python: 1250 windows_1250 seen: win1250 window1250 ms1250 ansi1250 cp5346
    Oracle: ee8mswin1250 iconv: msee MySQL: cp1250
windows-1251    single       cp1251         =             cyrillic  -             -
    IANA: cswindows1251 Python: 1251 windows_1251 seen: win1251 window1251 ms1251 ansi1251 cp5347
    windowscp1251 Oracle: cl8mswin1251 iconv: mscyrl MySQL: cp1251
windows-1252    single       cp1252         =             western   -             -
    IANA: cswindows1252 Python: 1252 windows_1252 seen: win1252 window1252 ms1252 ansi1252 cp5348
    windowscp1252 ibm1252 Oracle: we8mswin1252 iconv: msansi MySQL: latin1
windows-1253    single       cp1253         =             greek     -             holes
    IANA: cswindows1253 Python: 1253 windows_1253 seen: win1253 window1253 ms1253 ansi1253 cp5349
    Oracle: el8mswin1253 iconv: msgreek
windows-1254    single       cp1254         =             western   -             -
    IANA: cswindows1254 Python: 1254 windows_1254 seen: win1254 window1254 ms1254 ansi1254 cp5350
    Oracle: tr8mswin1254 iconv: msturk
windows-1255    single       cp1255         =             hebrew    -             holes
    IANA: cswindows1255 Python: 1255 windows_1255 seen: win1255 window1255 ms1255 ansi1255
    Oracle: iw8mswin1255 iconv: mshebr
windows-1256    single       cp1256         =             arabic    -             -
    IANA: cswindows1256 Python: 1256 windows_1256 seen: win1256 window1256 ms1256 ansi1256
    Oracle: ar8mswin1256 iconv: msarab MySQL: cp1256
windows-1257    single       cp1257         =             central   -             holes
    IANA: cswindows1257 Python: 1257 windows_1257 seen: win1257 window1257 ms1257 ansi1257 cp5353
    Oracle: blt8mswin1257 iconv: winbaltrim MySQL: cp1257
windows-1258    single       cp1258         =             latin     -             -
    IANA: cswindows1258 Python: 1258 windows_1258 seen: win1258 window1258 ms1258 ansi1258
    Oracle: vn8mswin1258
KOI8-R          single       koi8_r         =             cyrillic  -             -
    IANA: cskoi8r .NET: cp20866 20866 Oracle: cl8koi8r MySQL: koi8r
KOI8-U          single       koi8_u         =             cyrillic  -             -
    IANA: cskoi8u Python: koi8_u .NET: cp21866 21866 Oracle: cl8koi8u MySQL: koi8u
KOI8-T          single       koi8_t         =             cyrillic  -             holes
    Python: koi8_t
PTCP154         single       ptcp154        =             cyrillic  -             -
    IANA: csptcp154 pt154 cp154 cyrillic-asian Python: cyrillic_asian
KZ-1048         single       kz1048         =             cyrillic  -             holes
    IANA: strk1048-2002 rk1048 cskz1048 Python: kz1048 kz_1048 strk1048_2002
macintosh       single       mac_roman      =             western   -             -
    IANA: mac csmacintosh Python: mac_roman macroman .NET: cp10000 10000 Oracle: we8macroman8
    MySQL: macroman
x-mac-cyrillic  single       mac_cyrillic   =             cyrillic  -             -
    Python: mac_cyrillic maccyrillic .NET: cp10007 10007 cp10017 10017 macukrainian Java: macukraine
    Oracle: cl8maccyrillic iconv: macukraine
x-mac-greek     single       mac_greek      =             greek     -             -
    Python: mac_greek macgreek .NET: cp10006 10006 Oracle: el8macgreek
x-mac-turkish   single       mac_turkish    =             latin     -             -
    Python: mac_turkish macturkish .NET: cp10081 10081 Java: macturkish Oracle: tr8macturkish
x-mac-icelandic single       mac_iceland    =             latin     -             -
    Python: mac_iceland maciceland seen: macicelandic .NET: cp10079 10079 Java: maciceland
    Oracle: is8macicelandic
x-mac-ce        single       mac_latin2     =             latin     -             -
    Python: mac_centeuro mac_latin2 maccentraleurope maclatin2 seen: macce maccentraleurroman
    .NET: cp10029 10029 Java: maccentraleurope Oracle: ee8macce MySQL: macce
x-mac-croatian  single       mac_croatian   =             latin     -             -
    Python: mac_croatian .NET: cp10082 10082 Java: maccroatian Oracle: ee8maccroatian
x-mac-romanian  single       mac_romanian   =             latin     -             -
    Python: mac_romanian .NET: cp10010 10010 Java: macromania
hp-roman8       single       hp_roman8      =             latin     -             holes
    IANA: roman8 r8 cshproman8 Python: cp1051 hp_roman8 ibm1051 seen: hp8 Oracle: we8roman8 MySQL: hp8
IBM437          single       cp437          =             latin     -             -
    IANA: cp437 437 cspc8codepage437 Oracle: us8pc437
IBM720          single       cp720          =             arabic    -             -
    Python: cp720 .NET: dos720
IBM737          single       cp737          =             greek     -             -
    Python: cp737 Oracle: el8pc737
IBM775          single       cp775          =             latin     -             -
    IANA: cp775 cspc775baltic Python: 775 Oracle: blt8pc775
IBM850          single       cp850          =             latin     -             -
    IANA: cp850 850 cspc850multilingual Oracle: we8pc850 MySQL: cp850
IBM852          single       cp852          =             latin     -             -
    IANA: cp852 852 cspcp852 Oracle: ee8pc852 MySQL: cp852
IBM855          single       cp855          =             cyrillic  -             -
    IANA: cp855 855 csibm855 Oracle: ru8pc855
IBM856          single       cp856          =             hebrew    -             holes
    Python: cp856
IBM857          single       cp857          =             latin     -             holes
    IANA: cp857 857 csibm857 Oracle: tr8pc857
IBM00858        single       cp858          =             latin     -             -
    IANA: ccsid00858 cp00858 pc-multilingual-850+euro csibm00858 Python: 858 cp858 csibm858 ibm858
    Oracle: we8pc858
IBM860          single       cp860          =             latin     -             -
    IANA: cp860 860 csibm860 Oracle: we8pc860
IBM861          single       cp861          =             latin     -             -
    IANA: cp861 861 cp-is csibm861 Python: cp_is Oracle: is8pc861
IBM862          single       cp862          =             hebrew    -             -
    IANA: cp862 862 cspc862latinhebrew .NET: dos862 Oracle: iw8pc1507
IBM863          single       cp863          =             latin     -             -
    IANA: cp863 863 csibm863 Oracle: cdn8pc863
IBM864          single       cp864          =             arabic    -             holes
    IANA: cp864 csibm864 Python: 864
IBM865          single       cp865          =             latin     -             -
    IANA: cp865 865 csibm865 Oracle: n8pc865
IBM866          single       cp866          =             cyrillic  -             -
    IANA: cp866 866 csibm866 Oracle: ru8pc866 MySQL: cp866 seen: win866
IBM869          single       cp869          =             greek     -             holes
    IANA: cp869 869 cp-gr csibm869 Python: cp_gr Oracle: el8pc869
IBM1006         single       cp1006         =             arabic    -             -
    Python: cp1006
IBM1125         single       cp1125         =             cyrillic  -             -
    Python: 1125 cp1125 cp866u ruscii Java: ibm1124
GB2312          CJK          gb2312         GB18030       cjk       -             -
    IANA: csgb2312 Python: euc_cn euccn eucgb2312_cn gb2312_1980 gb2312_80 x_mac_simp_chinese .NET: cp10008
    10008 macchinesesimp cp20936 20936 cp51936 51936 Java: ibm1383 Oracle: zhs16cgb231280 iconv: cngb euccn
    MySQL: gb2312
GBK             CJK          gbk            GB18030       cjk       -             -
    IANA: cp936 ms936 windows-936 csgbk Python: 936 Java: mswin936 Oracle: zhs16gbk MySQL: gbk
GB18030         CJK          gb18030        =             cjk       -             -
    IANA: csgb18030 Python: gb18030_2000 seen: gb180302005 gb180302022 .NET: cp54936 54936 windows54936
    Oracle: zhs32gb18030 MySQL: gb18030
Big5            CJK          big5           Big5-HKSCS    cjk       -             -
    IANA: csbig5 Python: big5_tw x_mac_trad_chinese seen: big5eten .NET: cp10002 10002 macchinesetrad
    Java: big5solaris Oracle: zht16big5 iconv: bigfive cnbig5 MySQL: big5
Big5-HKSCS      CJK          big5hkscs      =             cjk       -             -
    IANA: csbig5hkscs Python: big5_hkscs big5hkscs hkscs seen: big5hk ms950hkscs big5hkscs1999 big5hkscs2001
    big5hkscs2004 big5hkscs2008 Java: big5hkscs2001 Oracle: zht16hkscs zht16hkscs31
windows-950     CJK          cp950          =             cjk       -             -
    Python: 950 cp950 ms950 Java: windows950 mswin950 ibm950 cp950 Oracle: zht16mswin950
Shift_JIS       CJK          shift_jis      Windows-31J   cjk       -             -
    IANA: ms_kanji csshiftjis Python: s_jis shiftjis x_mac_japanese .NET: cp10001 10001 macjapanese
Windows-31J     CJK          cp932          =             cjk       -             -
    IANA: cswindows31j named: ms932 Python: 932 cp932 mskanji seen: windows932 ibm943 cp943 cp943c sjiswin
    sjisopen shiftjisms Java: ms9320213 ibm942 ibm942c ibm943c pck Oracle: ja16sjis ja16sjistilde
    MySQL: cp932 sjis
Shift_JIS-2004  CJK          shift_jis_2004 =             cjk       -             -
    Python: shift_jis_2004 shiftjis2004 sjis_2004 s_jis_2004 shift_jisx0213 shiftjisx0213 sjisx0213
    s_jisx0213 seen: shiftjisx02132004 sjisx02132004 Java: sjis0213 iconv: shiftjisx0213 shiftjis2004
    sjis2004 sjisx0213
EUC-JP          CJK          euc_jp         =             cjk       -             -
    IANA: extended_unix_code_packed_format_for_japanese cseucpkdfmtjapanese Python: euc_jp eucjp u_jis ujis
    seen: eucjpms eucjpwin eucjpopen cp51932 xeuc .NET: cp20932 20932 51932 Java: eucjplinux eucjpopen
    ibm33722 Oracle: ja16euc ja16euctilde MySQL: ujis eucjpms
EUC-JIS-2004    CJK          euc_jis_2004   =             cjk       -             -
    Python: euc_jis2004 euc_jis_2004 eucjis2004 jisx0213 iconv: eucjisx0213
EUC-KR          CJK          euc_kr         windows-949   cjk       -             -
    IANA: cseuckr Python: euc_kr euckr ks_c_5601 ks_c_5601_1987 ks_x_1001 ksx1001 x_mac_korean seen: cp51949
    .NET: cp10003 10003 mackorean cp20949 20949 51949 Java: ibm970 Oracle: ko16ksc5601 MySQL: euckr
windows-949     CJK          cp949          =             cjk       -             -
    Python: 949 cp949 ms949 uhc Java: windows949 mswin949 ibm949 ibm949c cp949c Oracle: ko16mswin949
ISO-2022-JP     ISO-2022-JP  iso2022_jp     =             cjk       -             -
    IANA: csiso2022jp Python: iso2022_jp iso2022jp iso_2022_jp seen: iso2022jpms cp50220 cp50221 jis
    jisencoding csjisencoding .NET: 50220 50221 cp50222 50222 Java: windows50220 windows50221
    windowsiso2022jp
IBM037          EBCDIC       cp037          =             -         -             -
    IANA: cp037 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl csibm037 Python: 037 ebcdic_cp_ca
    ebcdic_cp_nl ebcdic_cp_us ebcdic_cp_wt ibm039 Oracle: we8ebcdic37 we8ebcdic37c
IBM273          EBCDIC       cp273          =             -         -             -
    IANA: cp273 csibm273 Python: 273 .NET: cp20273 20273 Oracle: d8ebcdic273
IBM277          EBCDIC       -              =             -         -             -
    IANA: ebcdic-cp-dk ebcdic-cp-no csibm277 .NET: cp20277 20277 Java: cp277 277 Oracle: dk8ebcdic277
IBM278          EBCDIC       -              =             -         -             -
    IANA: cp278 ebcdic-cp-fi ebcdic-cp-se csibm278 .NET: cp20278 20278 Java: 278 Oracle: s8ebcdic278
IBM280          EBCDIC       -              =             -         -             -
    IANA: cp280 ebcdic-cp-it csibm280 .NET: cp20280 20280 Java: 280 Oracle: i8ebcdic280
IBM284          EBCDIC       -              =             -         -             -
    IANA: cp284 ebcdic-cp-es csibm284 .NET: cp20284 20284 Java: 284 Oracle: we8ebcdic284
IBM285          EBCDIC       -              =             -         -             -
    IANA: cp285 ebcdic-cp-gb csibm285 .NET: cp20285 20285 Java: 285 Oracle: we8ebcdic285
IBM297          EBCDIC       -              =             -         -             -
    IANA: cp297 ebcdic-cp-fr csibm297 .NET: cp20297 20297 Java: 297 Oracle: f8ebcdic297
IBM424          EBCDIC       cp424          =             -         -             holes
    IANA: cp424 ebcdic-cp-he csibm424 Python: 424 ebcdic_cp_he .NET: cp20424 20424 Oracle: iw8ebcdic424
IBM500          EBCDIC       cp500          =             -         -             -
    IANA: cp500 ebcdic-cp-be ebcdic-cp-ch csibm500 Python: 500 ebcdic_cp_be ebcdic_cp_ch
    Oracle: we8ebcdic500 we8ebcdic500c
IBM870          EBCDIC       -              =             -         -             -
    IANA: cp870 ebcdic-cp-roece ebcdic-cp-yu csibm870 Java: 870 Oracle: ee8ebcdic870
IBM871          EBCDIC       -              =             -         -             -
    IANA: cp871 ebcdic-cp-is csibm871 .NET: cp20871 20871 Java: 871 Oracle: we8ebcdic871
IBM875          EBCDIC       cp875          =             -         -             -
    Python: cp875 Oracle: el8ebcdic875
IBM918          EBCDIC       -              =             -         -             -
    IANA: cp918 ebcdic-cp-ar2 csibm918 Java: 918
IBM1026         EBCDIC       cp1026         =             -         -             -
    IANA: cp1026 csibm1026 Python: 1026 Oracle: tr8ebcdic1026
IBM1047         EBCDIC       -              =             -         -             -
    IANA: ibm-1047 csibm1047 named: cp1047 seen: 1047 .NET: ibm01047 cp01047 Oracle: we8ebcdic1047
IBM01140        EBCDIC       cp1140         =             -         -             -
    IANA: ccsid01140 cp01140 ebcdic-us-37+euro csibm01140 Python: 1140 cp1140 ibm1140 Oracle: we8ebcdic1140
    we8ebcdic1140c
IBM01141        EBCDIC       -              =             -         -             -
    IANA: ccsid01141 cp01141 ebcdic-de-273+euro csibm01141 Java: cp1141 1141 ibm1141 Oracle: d8ebcdic1141
IBM01142        EBCDIC       -              =             -         -             -
    IANA: ccsid01142 cp01142 ebcdic-dk-277+euro ebcdic-no-277+euro csibm01142 Java: cp1142 1142 ibm1142
    Oracle: dk8ebcdic1142
IBM01143        EBCDIC       -              =             -         -             -
    IANA: ccsid01143 cp01143 ebcdic-fi-278+euro ebcdic-se-278+euro csibm01143 Java: cp1143 1143 ibm1143
    Oracle: s8ebcdic1143
IBM01144        EBCDIC       -              =             -         -             -
    IANA: ccsid01144 cp01144 ebcdic-it-280+euro csibm01144 Java: cp1144 1144 ibm1144 Oracle: i8ebcdic1144
IBM01145        EBCDIC       -              =             -         -             -
    IANA: ccsid01145 cp01145 ebcdic-es-284+euro csibm01145 Java: cp1145 1145 ibm1145 Oracle: we8ebcdic1145
IBM01146        EBCDIC       -              =             -         -             -
    IANA: ccsid01146 cp01146 ebcdic-gb-285+euro csibm01146 Java: cp1146 1146 ibm1146 Oracle: we8ebcdic1146
IBM01147        EBCDIC       -              =             -         -             -
    IANA: ccsid01147 cp01147 ebcdic-fr-297+euro csibm01147 Java: cp1147 1147 ibm1147 Oracle: f8ebcdic1147
IBM01148        EBCDIC       -              =             -         -             -
    IANA: ccsid01148 cp01148 ebcdic-international-500+euro csibm01148 Java: cp1148 1148 ibm1148
    Oracle: we8ebcdic1148 we8ebcdic1148c
IBM01149        EBCDIC       -              =             -         -             -
    IANA: ccsid01149 cp01149 ebcdic-is-871+euro csibm01149 Java: cp1149 1149 ibm1149
ISO-2022-KR     refused: Python's decoder of it is not safe with hostile input, and browsers do not decode it
    IANA: csiso2022kr named: iso-2022-kr Python: iso2022_kr iso2022kr iso_2022_kr
ISO-2022-CN     refused: neither Python nor a browser decodes it
    IANA: csiso2022cn
ISO-2022-CN-EXT refused: neither Python nor a browser decodes it
    IANA: csiso2022cnext
ISO-2022-JP-1   refused: Python's decoder of it is not safe with hostile input, and browsers do not decode it
    Python: iso2022_jp_1 iso2022jp_1 iso_2022_jp_1
ISO-2022-JP-2   refused: Python's decoder of it is not safe with hostile input, and browsers do not decode it
    IANA: csiso2022jp2 Python: iso2022_jp_2 iso2022jp_2 iso_2022_jp_2
ISO-2022-JP-3   refused: Python's decoder of it is not safe with hostile input, and browsers do not decode it
    Python: iso2022_jp_3 iso2022jp_3 iso_2022_jp_3
ISO-2022-JP-2004 refused: Python's decoder of it is not safe with hostile input, and browsers do not decode it
    Python: iso2022_jp_2004 iso2022jp_2004 iso_2022_jp_2004
ISO-2022-JP-EXT refused: Python's decoder of it is not safe with hostile input, and browsers do not decode it
    Python: iso2022_jp_ext iso2022jp_ext iso_2022_jp_ext
HZ-GB-2312      refused: Python's decoder of it is not safe with hostile input, and browsers do not decode it
    named: hz-gb-2312 Python: hz hz_gb hz_gb_2312 hzgb
UTF-7           refused: it can write markup without < and &, and lone surrogates
    IANA: csutf7 utf-7-imap csutf7imap unicode-1-1-utf-7 csunicode11utf7 Python: u7 unicode_1_1_utf_7 utf7
    utf_7
Johab           refused: a lead byte takes the < after it as part of a damaged character
    Python: cp1361 ms1361
x-mac-arabic    refused: it has a second < and & among its non-ASCII bytes
    Python: mac_arabic
x-mac-farsi     refused: it has a second < and & among its non-ASCII bytes
    Python: mac_farsi
x-user-defined  refused: it maps bytes to private-use characters without a meaning in a feed
replacement     refused: it is the name for encodings that browsers refuse to decode
unicode_escape  refused: it can write markup as escape sequences
raw_unicode_escape refused: it can write markup as escape sequences
idna            refused: it is for host names, and decoding takes quadratic time
punycode        refused: it is for host names, and decoding takes quadratic time
zlib            refused: it is a transformation in Python's list of codecs, not a charset
    Python: zip zlib_codec
bz2             refused: it is a transformation in Python's list of codecs, not a charset
    Python: bz2_codec
base64          refused: it is a transformation in Python's list of codecs, not a charset
    Python: base64_codec base_64
hex             refused: it is a transformation in Python's list of codecs, not a charset
    Python: hex_codec
quopri          refused: it is a transformation in Python's list of codecs, not a charset
    Python: quopri_codec quoted_printable quotedprintable
uu              refused: it is a transformation in Python's list of codecs, not a charset
    Python: uu_codec
rot13           refused: it is a transformation in Python's list of codecs, not a charset
    Python: rot_13
"""


@cache
def labels_by_source() -> dict[str, dict[str, list[str]]]:
    """Return the labels of each source ("IANA", "named", "Python", "seen", ...), by the name of the row."""
    sources: dict[str, dict[str, list[str]]] = {}
    name = source = ""
    for line in CHARSET_TABLE.splitlines():
        words = line.split()
        if not line.startswith(" "):
            name = words[0] if words else ""
            continue
        for word in words:
            if word.endswith(":"):
                source = word[:-1]
            else:
                sources.setdefault(source, {}).setdefault(name, []).append(word)
    return sources
