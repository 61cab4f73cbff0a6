"""The labels that libxml2 or expat cannot read. Written by fixtures/make_parser_labels.py.

libxml2 is the parser of lxml, PHP, Ruby and xmllint; it was tried as lxml contains it, with GNU libiconv.
expat is the parser of Python's xml package; by itself it knows fewer labels than through Python.
"""

from __future__ import annotations

LIBXML2 = "libxml2 2.14.6"
EXPAT = "expat 2.5.0"

_BOTH_REFUSE = """
037 1026 1125 1140 1250 1251 1252 1253 1254 1255 1256 1257 1258 273 424 437 500 646 775 850 852 855 857 858
860 861 862 863 864 865 866 869 8859 932 936 949 950 big5-tw big5_hkscs big5_tw ccsid00858 ccsid01140
ccsid01141 ccsid01142 ccsid01143 ccsid01144 ccsid01145 ccsid01146 ccsid01147 ccsid01148 ccsid01149 chinese
cp00858 cp01140 cp01141 cp01142 cp01143 cp01144 cp01145 cp01146 cp01147 cp01148 cp01149 cp037 cp1026 cp1047
cp1140 cp273 cp278 cp280 cp284 cp285 cp297 cp424 cp500 cp65001 cp864 cp870 cp871 cp875 cp918 cp950 csbig5hkscs
csgb18030 csgbk csibm00858 csibm01140 csibm01141 csibm01142 csibm01143 csibm01144 csibm01145 csibm01146
csibm01147 csibm01148 csibm01149 csibm037 csibm1026 csibm1047 csibm273 csibm277 csibm278 csibm280 csibm284
csibm285 csibm297 csibm424 csibm500 csibm864 csibm870 csibm871 csibm918 csiso58gb231280 csiso885913
csiso885914 csiso885915 csiso885916 csiso88596e csiso88596i csiso88598e csiso88598i csisolatin9 cskoi8u
csksc56011987 cstis620 csutf8 cswindows1250 cswindows1251 cswindows1252 cswindows1253 cswindows1254
cswindows1255 cswindows1256 cswindows1257 cswindows1258 cswindows31j cswindows874 dos-874 ebcdic-cp-ar2
ebcdic-cp-be ebcdic-cp-ca ebcdic-cp-ch ebcdic-cp-dk ebcdic-cp-es ebcdic-cp-fi ebcdic-cp-fr ebcdic-cp-gb
ebcdic-cp-he ebcdic-cp-is ebcdic-cp-it ebcdic-cp-nl ebcdic-cp-no ebcdic-cp-roece ebcdic-cp-se ebcdic-cp-us
ebcdic-cp-wt ebcdic-cp-yu ebcdic-de-273+euro ebcdic-dk-277+euro ebcdic-es-284+euro ebcdic-fi-278+euro
ebcdic-fr-297+euro ebcdic-gb-285+euro ebcdic-international-500+euro ebcdic-is-871+euro ebcdic-it-280+euro
ebcdic-no-277+euro ebcdic-se-278+euro ebcdic-us-37+euro ebcdic_cp_be ebcdic_cp_ca ebcdic_cp_ch ebcdic_cp_he
ebcdic_cp_nl ebcdic_cp_us ebcdic_cp_wt euc-jis-2004 euc-jis2004 euc_cn euc_jis2004 euc_jis_2004 euc_jp euc_kr
eucgb2312-cn eucgb2312_cn eucjis2004 gb18030-2000 gb18030_2000 gb2312-1980 gb2312-80 gb2312_1980 gb2312_80
gb_2312 gb_2312-80 hkscs ibm-1047 ibm00858 ibm01140 ibm01141 ibm01142 ibm01143 ibm01144 ibm01145 ibm01146
ibm01147 ibm01148 ibm01149 ibm037 ibm039 ibm1006 ibm1026 ibm1047 ibm1140 ibm273 ibm277 ibm278 ibm280 ibm284
ibm285 ibm297 ibm424 ibm500 ibm720 ibm737 ibm856 ibm864 ibm870 ibm871 ibm875 ibm918 iso-8859-6-e iso-8859-6-i
iso-8859-8-e iso-8859-8-i iso-ir-149 iso-ir-58 iso2022-jp iso2022_jp iso2022jp iso88591 iso885910 iso885911
iso885913 iso885914 iso885915 iso88592 iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599
iso_2022_jp iso_646.irv:1991 iso_8859-10:1992 iso_8859-14:1998 iso_8859-16:2001 iso_8859-1:1987
iso_8859-2:1987 iso_8859-3:1988 iso_8859-4:1988 iso_8859-5:1988 iso_8859-6-e iso_8859-6-i iso_8859-6:1987
iso_8859-7:1987 iso_8859-8-e iso_8859-8-i iso_8859-8:1988 iso_8859-9:1989 jisx0213 koi koi8 korean ks-c-5601
ks-c-5601-1987 ks-x-1001 ks_c_5601 ks_c_5601-1987 ks_c_5601-1989 ks_c_5601_1987 ks_x_1001 ksc5601 ksc_5601
ksx1001 logical ms932 ms949 ms950 mskanji pc-multilingual-850+euro s-jis s-jis-2004 s-jisx0213 s_jis
s_jis_2004 s_jisx0213 shift-jis-2004 shift-jisx0213 shift_jis-2004 shift_jis_2004 shift_jisx0213 shiftjis
shiftjis2004 shiftjisx0213 sjis-2004 sjis_2004 sjisx0213 sun_eu_greek u-jis u8 u_jis ujis unicode-1-1-utf-8
unicode11utf8 unicode20utf8 utf utf8-ucs2 utf8-ucs4 utf8_ucs2 utf8_ucs4 visual windows-31j windows-949
windows-950 x-cp1250 x-cp1251 x-cp1252 x-cp1253 x-cp1254 x-cp1255 x-cp1256 x-cp1257 x-cp1258 x-euc-jp x-gbk
x-mac-ce x-mac-croatian x-mac-cyrillic x-mac-greek x-mac-icelandic x-mac-japanese x-mac-korean x-mac-roman
x-mac-romanian x-mac-simp-chinese x-mac-trad-chinese x-mac-turkish x-mac-ukrainian x-sjis x-unicode20utf8
x-x-big5 x_mac_japanese x_mac_korean x_mac_simp_chinese x_mac_trad_chinese
"""
_LIBXML2_REFUSES = """
asmo_708 cp-gr cp-is cp1006 cp1051 cp1125 cp437 cp720 cp737 cp775 cp852 cp855 cp856 cp857 cp858 cp860 cp861
cp863 cp865 cp866u cp869 cp_gr cp_is csibm855 csibm857 csibm858 csibm860 csibm861 csibm863 csibm865 csibm869
cspc775baltic cspc8codepage437 cspcp852 cyrillic_asian ecma_114 ecma_118 hp_roman8 ibm1051 ibm1125 ibm437
ibm775 ibm852 ibm855 ibm857 ibm858 ibm860 ibm861 ibm863 ibm865 ibm869 iso-646.irv-1991 iso-8859-1-1987
iso-8859-10-1992 iso-8859-11-2001 iso-8859-14-1998 iso-8859-16-2001 iso-8859-2-1987 iso-8859-3-1988
iso-8859-4-1988 iso-8859-5-1988 iso-8859-6-1987 iso-8859-7-1987 iso-8859-8-1988 iso-8859-9-1989 iso646_us
iso8859 iso8859_1 iso8859_10 iso8859_11 iso8859_13 iso8859_14 iso8859_15 iso8859_16 iso8859_2 iso8859_3
iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 iso_646.irv_1991 iso_8859_1 iso_8859_10
iso_8859_10_1992 iso_8859_11 iso_8859_11_2001 iso_8859_13 iso_8859_14_1998 iso_8859_16_2001 iso_8859_1_1987
iso_8859_2 iso_8859_2_1987 iso_8859_3 iso_8859_3_1988 iso_8859_4 iso_8859_4_1988 iso_8859_5 iso_8859_5_1988
iso_8859_6 iso_8859_6_1987 iso_8859_7 iso_8859_7_1987 iso_8859_8 iso_8859_8_1988 iso_8859_9 iso_8859_9_1989
iso_celtic iso_ir_100 iso_ir_101 iso_ir_109 iso_ir_110 iso_ir_126 iso_ir_127 iso_ir_138 iso_ir_144 iso_ir_148
iso_ir_157 iso_ir_166 iso_ir_199 iso_ir_226 iso_ir_6 koi8_r koi8_t koi8_u kz1048 kz_1048 l9 latin latin-1
latin9 latin_1 mac-centeuro mac-croatian mac-cyrillic mac-greek mac-iceland mac-latin2 mac-roman mac-romanian
mac-turkish mac_centeuro mac_croatian mac_cyrillic mac_greek mac_iceland mac_latin2 mac_roman mac_romanian
mac_turkish maclatin2 ruscii strk1048_2002 thai tis-620-0 tis-620-2529-0 tis-620-2529-1 tis_620 tis_620_0
tis_620_2529_0 tis_620_2529_1 us_ascii windows_1250 windows_1251 windows_1252 windows_1253 windows_1254
windows_1255 windows_1256 windows_1257 windows_1258
"""
_EXPAT_REFUSES = """
big5 big5-hkscs big5hkscs cn-big5 cp932 cp936 cp949 csbig5 cseuckr cseucpkdfmtjapanese csgb2312 cshproman8
csiso2022jp cskz1048 csmacintosh csshiftjis csucs4 csunicode csutf16 csutf16be csutf16le csutf32 csutf32be
csutf32le euc-cn euc-jp euc-kr euccn eucjp euckr extended_unix_code_packed_format_for_japanese gb18030 gb2312
gbk iso-10646-ucs-2 iso-10646-ucs-4 iso-2022-jp koi8-ru latin-9 mac ms936 ms_kanji shift-jis shift_jis sjis
u16 u32 ucs-2 uhc unicode unicodebigunmarked unicodefeff unicodefffe unicodelittleunmarked utf-32 utf-32be
utf-32le utf16 utf32 utf8 windows-874 windows-936
"""
_WITHOUT = {
    **dict.fromkeys(_BOTH_REFUSE.split(), (LIBXML2, EXPAT)),
    **dict.fromkeys(_LIBXML2_REFUSES.split(), (LIBXML2,)),
    **dict.fromkeys(_EXPAT_REFUSES.split(), (EXPAT,)),
}

OTHERWISE = {
    "KOI8-U": "\u045e\u040e",
    "TIS-620": "\xa0",
    "macintosh": "\u20ac\uf8ff",
    "x-mac-cyrillic": "\u0490\u0491\u20ac",
    "x-mac-greek": "\u20ac\xb7\xad",
    "x-mac-icelandic": "\u20ac\uf8ff",
    "x-mac-turkish": "\uf8ff\uf8a0",
}
"""By charset: the characters, as lenient reading has them, that libxml2 refuses or reads otherwise, although
it knows the label. The ohm sign for Ω is no difference."""


def parsers_without(label: str) -> tuple[str, ...]:
    """The parsers, with their versions, that cannot read a document with this label."""
    return _WITHOUT.get(label.strip().lower(), ())
