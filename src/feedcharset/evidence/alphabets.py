"""Languages: the legacy charsets that they are written in, and how frequent their letters are.

One row a language. `language_detector` judges documents by them.

Where the rows come from: the charsets are the HTML Standard's defaults by language ("determining the
character encoding"), with the other charsets that the language was written in behind them. The letters, their
share and the bits of a to z were counted in translated interface texts (message catalogues of GNOME, Django
and iso-codes, as Debian and PyPI have them), and corrected by the alphabets; of Chinese, Japanese and Korean
the most frequent characters of running text go first. Tatar, Kyrgyz and the like are there as windows-1251
writes them, without the letters that it lacks. The domains are those of countries (ISO 3166) in which one
language of the table prevails. To add a language: count a few thousand sentences, put the letters in order,
and run benchmarks/measure_letters.py on texts that were not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from feedcharset.charsets import lazy_pattern
from feedcharset.charsets.lookup import by_name
from feedcharset.charsets.single_byte import byte_table


class Language(NamedTuple):
    """One language, or a few that are written alike."""

    name: str
    """In English."""
    tags: str
    """Language tags (BCP 47) whose first parts name it, with spaces between."""
    charsets: str
    """Its legacy charsets, by their IANA names; the first is the most usual."""
    beyond: int
    """Latin alphabets: of 100 letters, so many are beyond ASCII; 0: another alphabet."""
    letters: str
    """Its letters beyond ASCII, lower case, the most frequent first; "" for East Asian languages."""
    bits: str = ""
    """Of each letter a to z, -log2 of its frequency, 2 to 9; "": the language is not told apart by them."""
    domains: str = ""
    """Top-level domains under which it is the language to expect."""
    seldom: int = 0
    """What it costs, in tenths of a bit, that few documents are in this language."""


class WrittenIn(NamedTuple):
    """The language in which text in UTF-8 is written."""

    language: Language
    advantage: int
    """What the text costs less in it than in any language of windows-1252."""


_TRADITIONAL = (
    "的在是有個時為中不一用要以作會這人定到法可上行下事所動無能來使開過自工出於發分者將已生地子"
    "前文此成部日大新位後表重正方本理同沒如與對和加當關或入了面名回進他通全從其內經件郵它資應示"
    "檔立列料選代還美設並夾顯案原只式取錄存除間字啟目外多您否得視器洲小果儲訊標連尋移信頁預備刪"
    "網檢格項頭搜至性置我最送提們建期寄些擇覽主國號窗稱說編傳就址也忘你絡曆密而次載那著請結服之"
    "程值年覆知複相里錯道該給電然體家被種鍵碼製任輯換麼去誤學議更都帳垃現圾確亞起看線天欄空伺好"
    "按簽指樣組型心她收斯但因找想效實縮軍端容意力含度模記長把非數機十平接民閉始第公封附證改情色"
    "處明未遠永三訂包又消點清元業步群兩高由讀匯問很圖憑單物手瀏查"
)

# fmt: off
LANGUAGES: tuple[Language, ...] = (
    Language("Russian", "ru", "windows-1251 KOI8-R ISO-8859-5 IBM866 x-mac-cyrillic IBM855", 0,
             "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "", "ru su xn--p1ai"),
    Language("Tatar", "tt ba", "windows-1251 KOI8-R", 0,
             "аеирынлктусмдгпйбвзшчхяьэюжцёфъщ", "", seldom=40),
    Language("Kyrgyz", "ky kk tg sah cv os uz-Cyrl tk-Cyrl az-Cyrl", "windows-1251 KOI8-R", 0,
             "аеиуртнклбыосдзмгпчшйжөяэвюхцүьфщъё", "", "kg kz tj", seldom=40),
    Language("Ukrainian", "uk", "windows-1251 KOI8-U ISO-8859-5 x-mac-cyrillic IBM866 IBM855", 0,
             "оанитіревслкдмупязьбгйчхжїцшющєфґ", "", "ua", seldom=10),
    Language("Belarusian", "be", "windows-1251 KOI8-U ISO-8859-5 IBM866", 0,
             "аніеырстлкоўядзьпмвцубгчхйжшюэфёґ", "", "by", seldom=20),
    Language("Bulgarian", "bg", "windows-1251 KOI8-R ISO-8859-5 x-mac-cyrillic IBM866 IBM855", 0,
             "аоиетнрсвлдпкмзбъяугчцйжхшщфюь", "", "bg", seldom=10),
    Language("Macedonian", "mk", "windows-1251 ISO-8859-5 x-mac-cyrillic IBM855", 0,
             "аоиетнрсвлдкпмузјбгцчшжњхфќѓљџѕ", "", "mk", seldom=20),
    Language("Serbian", "sr", "windows-1251 ISO-8859-5 IBM855", 0,
             "аоиенртсјвлкмдупгзбчшцњљжћђхфџ", "", "rs", seldom=10),
    Language("Mongolian", "mn", "windows-1251", 0,
             "анэрголхидтсубчмйцжзвяшкыьеёюпъфєї", "", "mn", seldom=20),
    Language("Greek", "el", "windows-1253 ISO-8859-7", 0,
             "αοιετνσρπκμλςίυόάήδγέηώωχθύφβξζψϊϋΐΰ", "", "gr cy"),
    Language("Hebrew", "he iw", "windows-1255 ISO-8859-8", 0,
             "יוהלארתמשבנםדעחקפכןסטגזצךףץ", "", "il"),
    Language("Yiddish", "yi ji", "windows-1255 ISO-8859-8", 0,
             "עאירטלנפדןוקסבײצגמשװזכהױםךףתץח", "", seldom=40),
    Language("Arabic", "ar", "windows-1256 ISO-8859-6", 0,
             "الينمرتوةبدعفسحهقكجأطصشخضثذزغىئءظإآؤ",
             "", "sa eg ae ma dz tn jo lb kw qa iq sy ye ly om bh sd ps"),
    Language("Persian", "fa", "windows-1256", 0,
             "اينردمهتبوشسکكگزفلقعخپچجحآطصغضذثظژئءؤأ", "", "ir"),
    Language("Urdu", "ur", "windows-1256", 0,
             "اکيرنےوہمسلتپبجدگچںعحقشھفئٹصزآخطضغظثڑءذژؤڈى", "", "pk"),
    Language("Thai", "th", "windows-874", 0,
             "านรอกเงมลยวดทสตะปำบหคแจพชขใไโผซธณถศฟษญฎฐฉฝฤภฮฆฬฏฑฌฃฅๅ่้ิีัู็์ืุึๆ๊๋ฯฺ", "", "th"),
    Language("Czech", "cs", "windows-1250 ISO-8859-2", 14,
             "íáéěýřžčšůúťóňď", "45653885565454359544559956", "cz"),
    Language("Slovak", "sk", "windows-1250 ISO-8859-2", 12,
             "áíéčýžšúťľóňôďäŕĺ", "35653886465554359444559955", "sk"),
    Language("Polish", "pl", "windows-1250 ISO-8859-2", 7,
             "łąęóśżćźń", "36554767355554459444594954", "pl"),
    Language("Hungarian", "hu", "windows-1250 ISO-8859-2", 13,
             "áéóöőíüúű", "45753756564454469444659964", "hu"),
    Language("Romanian", "ro", "windows-1250 ISO-8859-2 ISO-8859-16", 7,
             "ăîâşţ", "37453668399454459454469997", "ro md"),
    Language("Croatian", "hr sl bs sr-Latn", "windows-1250 ISO-8859-2", 5,
             "čšžćđ", "36753978345554459444559996", "hr si ba"),
    Language("Sorbian", "hsb dsb", "windows-1250 ISO-8859-2", 13,
             "ěšłćžčóźřńśŕ", "36653885445554459545594955", seldom=20),
    Language("Lithuanian", "lt", "windows-1257 ISO-8859-13 ISO-8859-4", 9,
             "ėšųžįąūčę", "36854869364554459434469969", "lt"),
    Language("Latvian", "lv", "windows-1257 ISO-8859-13 ISO-8859-4", 11,
             "āīēšūņļģžčķ", "36754869355554559434459996", "lv"),
    Language("Estonian", "et", "windows-1257 ISO-8859-13 windows-1252 ISO-8859-15 ISO-8859-4", 5,
             "äõüöžš", "37953866365454569544459999", "ee"),
    Language("Turkish", "tr az", "windows-1254", 12,
             "ışğçüöâîû", "35653767395454579455579956", "tr az"),
    Language("Kurdish", "ku kmr", "windows-1254 windows-1252", 13,
             "êîşûç", "35753865464564659465666857", seldom=30),
    Language("Crimean Tatar", "crh tt-Latn", "windows-1254", 12,
             "ışüçğöñâä", "36653777395454676444579956", seldom=40),
    Language("Turkmen", "tk", "windows-1250 windows-1252", 12,
             "ýçşňöüäž", "35954756485454669455697946", "tm"),
    Language("Vietnamese", "vi", "windows-1258", 28,
             "đươăâêôáàéíúóùẹ̀́̀̉̃", "45466943495553658663579759", "vn"),
    Language("Maltese", "mt", "ISO-8859-3", 6,
             "ħżċġàùèòìé", "36854658345564569455576999", "mt", seldom=20),
    Language("Esperanto", "eo", "ISO-8859-3", 4,
             "ĉĝŝŭĵĥ", "36753767455454359444559998", seldom=20),
    Language("Welsh", "cy", "windows-1252 ISO-8859-14", 3,
             "âêîôûáéëïöŵŷẃỳ", "46534555499464479455594949", seldom=20),
    Language("Japanese", "ja", "Shift_JIS EUC-JP", 0,
             "のをにしすでるたまてはいがかさこりれとなんあくせうきらーンルどイストフだアッメみリクジドタ"
             "ダカ表セ示プレォウァラ定ティキロブコ選択ュデ動用先信シグマ開存ム名サ新除一バ作保も中パ送削"
             "へっエょ行ち時ゃ前べビ使え日そ更よペめ連",
             "", "jp"),
    Language("Chinese", "zh-CN zh-SG zh-Hans zh", "GB18030 Big5", 0,
             "的在是中为时一到个有不人用要地发可会出以和下定法所无过动了这作行上日开于使文将自能本如部来"
             "已此当前信大新正事分表同间任对全后重面子回加名者从件务或工入制成其位主想美小关方打生进果并"
             "提多系理通目而保建被没更它问头现认内与体应数设最式天看接我他口只们知国些外说斯就机也你期话"
             "那得格着之年指题里道息次然示家选种显您经么去夹列学置都书取邮标起复存还代洲好原电除样图心该"
             "她器程但否特因删备平实军意力化义安编长把签则十放送民址第公索处择记情明性览三又视命点确业收"
             "非空两页高请由项很搜条忘物手窗导录像战向移查历政太联相见字利密什错二等产辑号己区序身线许西"
             "月改合完据启码至受消老吗给世克网做度类单计门载帐常先海教栏儿",
             "", "cn"),
    Language("traditional Chinese", "zh-TW zh-HK zh-MO zh-Hant", "Big5 GB18030", 0,
             _TRADITIONAL, "", "tw hk"),
    Language("Cantonese", "yue zh-yue", "Big5 GB18030", 0,
             "嘅咗係喺佢呢唔啲睇畀搵冇嗰嚟嘢哋噉吓啱咩喇啦嘥攞唞諗嗌嘈咪喎囉嘞響揀埋戶緊版"
             + _TRADITIONAL, seldom=20),
    Language("Korean", "ko", "EUC-KR", 0,
             "다이에지기을는하로사시가한의를리니일서어자정아인보수스은고으ㅋ대도있장ㅠㅎ그제부전오해할면모여주"
             "들만소동상나미메습했구치우라용합요파트계표없비록마작더목음선성게신폴업안택드원경중위크데않"
             "바내터저연새색때션문실적프검복력설름개행항카버창달열간까볼삭입루처본십것편집과거추화겠호래"
             "단국운락패학확속람디공근무식글류세읽른조재결필웹유ㅜㅇㄷㅅㄱㅊㄴㅡㅈㅁㅂ",
             "", "kr"),
    Language("French", "fr", "windows-1252", 5,
             "éèàêçôîûâùœëïüÿæ", "47553677479454457444469887", "fr"),
    Language("German", "de", "windows-1252", 3,
             "üäößéàèç", "46553655486553579444576986", "de at"),
    Language("Spanish", "es", "windows-1252", 3,
             "óáíéñúü", "36443767489454368444569988", "es ar mx cl co pe ve uy"),
    Language("Portuguese", "pt", "windows-1252", 5,
             "ãçáéíêóõúâàôü", "37543666489554357444569898", "pt br"),
    Language("Italian", "it", "windows-1252", 2,
             "èàùòéìîí", "37553757399454358444568997", "it"),
    Language("Catalan", "ca", "windows-1252", 4,
             "óàéèíúçòïüáñ", "36453767489454457444469879", "cat"),
    Language("Galician", "gl ast", "windows-1252", 4,
             "óáéíúñüï", "36443767499554357444569798"),
    Language("Dutch", "nl fy", "windows-1252", 2,
             "ëéïöüèêâûúóáô", "46642756466554469444556987", "nl"),
    Language("Swedish", "sv", "windows-1252", 6,
             "äöåéüàá", "36743657475454569443669979", "se"),
    Language("Finnish", "fi", "windows-1252", 6,
             "äöåéšž", "39974986364454469543459969", "fi"),
    Language("Danish", "da", "windows-1252", 4,
             "æåøéöüäá", "46843647475454579444559979", "dk"),
    Language("Norwegian", "nb no nn", "windows-1252", 4,
             "åøæéòóôäöü", "46943657465454469444569979", "no"),
    Language("Icelandic", "is", "windows-1252", 12,
             "áðíþóöúæéý", "37954556374454679444459969", "is"),
    Language("Faroese", "fo", "windows-1252", 13,
             "áíðóøúæý", "36945668484444569345569969", "fo", seldom=20),
    Language("Irish", "ga gd", "windows-1252", 6,
             "áéíóúàìòèù", "36454653399454479444599999", "ie"),
    Language("Basque", "eu", "windows-1252", 1,
             "ñçü", "35953856384564479454499894", seldom=10),
    Language("Albanian", "sq", "windows-1252", 8,
             "ëçéâ", "47853664445544557444469977", "al"),
    Language("Afrikaans", "af", "windows-1252", 3,
             "ëêéôïîöûáúíó", "46942757475554469444565979", seldom=10),
    Language("Northern Sotho", "nso", "windows-1252", 3,
             "šêô", "35963745575455369644795969", seldom=40),
    Language("Luxembourgish", "lb", "windows-1252", 4,
             "éäëüöêèîôß", "46453654486554569434567997", "lu", seldom=20),
    Language("Breton", "br", "windows-1252", 4,
             "ñùéêôüàè", "36653755475453469454568995", seldom=20),
    Language("Occitan", "oc", "windows-1252", 4,
             "èòéàçóíáïúü", "37443677499454457444579997", seldom=20),
    Language("Walloon", "wa", "windows-1252", 7,
             "åéêèôîûçâ", "47443675467454459444567967", seldom=20),
    Language("Friulian", "fur", "windows-1252", 6,
             "âûçîôêèàìòù", "47553667379454459444569997", seldom=60),
    Language("Haitian Creole", "ht", "windows-1252", 4,
             "èòà", "36653765364454379459549649", "ht", seldom=20),
    Language("English and Indonesian", "id ms tl en sw la eo-x", "windows-1252", 1,
             "éñïèáóüöçäíúøåôêàæ", "25844755374553659544488969", "id my ph uk us au nz"),
    Language("western names", "x-any", "windows-1252", 4,
             "=áéíóúàèìòùâêîôûäëïöüãõñçåæøýšž"),
)
# fmt: on

COMMA_BELOW = {"ş": "ș", "Ş": "Ș", "ţ": "ț", "Ţ": "Ț"}
"""Romanian letters that have a comma below in ISO-8859-16, and a cedilla in the older pages."""

BY_TAG = {tag.lower(): language for language in LANGUAGES for tag in language.tags.split()}
"""The languages by their tags, in lower case."""

BY_DOMAIN = {domain: language for language in LANGUAGES for domain in language.domains.split()}
"""The languages by their domains."""

TAGGED = 4096
"""Bytes of the document in which its language is searched. Feeds name it before their first item."""

LANGUAGE_TAG = lazy_pattern(
    rb"lang(?:(?<=xml:lang)[ \t\r\n]*+=[ \t\r\n]*+[\"']"
    rb"|(?:(?<=<lang)|(?<=<dc:lang)|(?<=<dcterms:lang))uage(?:[ \t\r\n][^<>]*+)?+>"
    rb"[ \t\r\n]*+(?:<!\[CDATA\[)?+)"
    rb"([A-Za-z]{2,3}+(?:[-_][A-Za-z0-9]{2,8}+)*+)"
)
"""Where a document names its language: xml:lang, `<language>`, `dc:language`."""


def names_unknown_language(beginning: bytes) -> bool:
    """Return True where the first language that the document names, English aside, is none of the table."""
    tags = (match[1].decode("ascii").lower()[:3].rstrip("-_") for match in LANGUAGE_TAG.finditer(beginning))
    first = next((tag for tag in tags if tag != "en"), "und")
    return first not in BY_TAG and first not in ("und", "mul", "zxx", "mis")


# Costs, in tenths of a bit, tried on texts by benchmarks/measure_letters.py.
CAPITAL_COST = 5
"""A capital costs so much more than its small letter."""
FIRST_CAPITAL = 22
"""A capital that does not follow another one costs so much more: in a wrong charset they stand anywhere."""
ALL_CAPITALS = 100
"""What the capitals of a text in another script than Latin cost at most where it has no small letter."""
OUTSIDE_COST = 110
"""A letter outside the alphabet: more than its rarest letter."""
OUTSIDE_WESTERN = 85
"""Also one of NAMES_OF_OTHERS: foreign names are frequent. And any letter of windows-1252."""
NAMES_OF_OTHERS = frozenset("ŠŽŤšžť")
"""Letters of Slavic names in Hungarian and Romanian text (`Miloš`): rather than `ą`, `©` and `®`, which
another central European page has there."""
MARK_COST = 40
"""A quotation mark, a dash."""
POINT_COST, POINT_APART = 30, 50
"""A point of a letter (Hebrew, Arabic); what it costs more in a text without MANY_POINTS."""
MANY_POINTS = 8
"""Points, at least, of a text that has them, each behind a letter, and two for three letters (`مُحَمَّدٍ`). Text
in another script has some at the beginning of words."""
DIGIT_COST = 80
"""A digit beyond ASCII."""
SIGN_COST = 130
"""Another sign."""
CURRENCY_COST = 160
"""`¤`, which hardly a text has: it is `€` of ISO-8859-7. Not in windows-1252: there its place decides."""
UNDECODABLE = 220
"""Also a C1 control, and a character for private use."""
COMMON_IDEOGRAPH = 125
"""A character of a national standard's first level (some 4,000) that is not among the most frequent ones."""
RARE_IDEOGRAPH = 170
"""A character of its other levels."""
HALF_WIDTH_COST = 105
"""Katakana of half the width, one byte in Shift_JIS."""
BAD_JOINT = 90
"""A capital after a small letter, two scripts in one word, a sign within one."""
TWO_ACCENTS = 40
"""Two letters beyond ASCII side by side in windows-1252, of which other scripts are full."""
A_TO_Z_AVERAGE = 45
"""A letter a to z where the language has no frequencies of its own."""

DOS_AND_MAC = {
    "windows-1250": "IBM852 x-mac-ce x-mac-croatian x-mac-romanian",
    "windows-1251": "IBM1125",
    "windows-1252": "IBM850 IBM860 IBM861 macintosh x-mac-icelandic",
    "windows-1253": "IBM737 IBM869 x-mac-greek",
    "windows-1255": "IBM862",
    "windows-1256": "IBM720",
    "windows-1254": "IBM857 x-mac-turkish",
    "windows-1257": "IBM775 x-mac-ce",
}
"""The pages of DOS and Mac in which the languages of a Windows page were written, but the frequent ones."""

OF_ONE_LANGUAGE = {
    "IBM860": "Portuguese",
    "IBM861": "Icelandic",
    "IBM1125": "Ukrainian",
    "x-mac-icelandic": "Icelandic",
}
"""Of these, pages that no other language was written in. (Belarusian has a letter that IBM1125 lacks.)"""

UNNAMED = frozenset(" ".join(DOS_AND_MAC.values()).split())
"""These pages."""

UNUSUAL_SHARE = 20
"""One in so many bytes beyond ASCII is none of western text, where these pages are asked for."""
NUL_SHARE = 1000
"""One byte in so many, and one more, may be a NUL where these pages are asked for: UTF-16 is full of them."""
DOS_LETTERS = 40
"""Letters of another script by which one is read."""
DOS_LESS, CLEARLY_DOS = 150, 400
"""How much less Latin text costs in one than in windows-1252, and where one letter in three is foreign."""
DOS_IN_ROW = 3
"""Latin letters of which one pair stands side by side, at most."""
OTHERWISE_SHARE = 2
"""One in so many bytes is read otherwise than in the page that fits best without these."""

SELDOM_COST = {
    "ISO-8859-2": 20,
    "ISO-8859-3": 40,
    "ISO-8859-4": 100,
    "ISO-8859-5": 40,
    "ISO-8859-7": 20,
    "ISO-8859-8": 20,
    "ISO-8859-13": 20,
    "ISO-8859-14": 40,
    "ISO-8859-15": 40,
    "ISO-8859-16": 40,
    "IBM855": 100,
    "IBM866": 60,
    "IBM1125": 140,
    "KOI8-R": 25,
    "KOI8-U": 25,
    "x-mac-cyrillic": 100,
}
"""What is added to the cost in charsets of few documents, or that differ little from a frequent one."""

_USUAL_SIGNS = frozenset("‘’“”„–—…«»¡¿°·€£©®ªº\u00a0")
"""Of what most western texts have, what is no letter."""


class PageLetters(NamedTuple):
    """What is no letter of languages of Latin letters: for each language a number (`bits_of`)."""

    own: list[int]
    """Of the languages whose letters are all in a page."""
    others: list[int]
    """Of each of the others, in its Windows and ISO pages."""
    here: list[int]
    """Of each language, read in the page: Danish in windows-1257 is not of it, and has its letters there."""
    signs: bytes
    """The usual signs, which are in none of these."""


def bits_of(data: bytes) -> int:
    """Return a number with a bit for each distinct byte."""
    return sum(map((1).__lshift__, frozenset(data)))


@cache
def page_letters(page: str) -> PageLetters:
    known = byte_table(page, True)
    own, here, others = list[int](), list[int](), list[int]()
    signs = bytes(byte for byte, char in enumerate(known) if char in _USUAL_SIGNS)
    has = {*known, *(letter for letter, below in COMMA_BELOW.items() if below in known)}
    for row in LANGUAGES:
        letters = {*row.letters, *row.letters.upper()}
        letters |= {COMMA_BELOW[letter] for letter in letters & COMMA_BELOW.keys()}
        if not row.beyond or "=" in letters:  # another script, or several languages
            continue
        names = [name for name in row.charsets.split() if name.startswith(("windows-", "ISO-"))]
        tables = (byte_table(by_name(name).superset, True) for name in (page, *names))
        in_page, *in_others = (
            bits_of(bytes(byte for byte, char in enumerate(one) if char not in letters and byte not in signs))
            for one in tables
        )
        here.append(in_page)
        if has.issuperset(row.letters):
            own.append(in_page)
        else:
            others += in_others
    return PageLetters(own, others, here, signs)


LETTERS_LOOKED_AT = 128
"""Bytes beyond ASCII that show which letters a text has: most languages have a dozen."""


def is_of_no_language(sample: bytes, page: str) -> bool:
    """Return True where each Latin language lacks two of the characters of a text, at least, as a Latin page
    reads them. From C0 on a small letter and its capital are one."""
    letters = bits_of(sample.translate(None, bytes(range(0x80)))[:LETTERS_LOOKED_AT])
    for no_letters in page_letters(page).here:
        outside = letters & no_letters
        if (outside & _SMALL_LETTERS | (outside & ~_SMALL_LETTERS) << 0x20).bit_count() < 2:
            return False
    return True


OUTSIDE_SHARE = 10
"""One character in so many may be of another language."""


def is_of_a_language(sample: bytes, page: str) -> bool:
    """Return True where a Latin language has all of the characters of a text, as a Latin page reads them, but
    one in OUTSIDE_SHARE."""
    known = page_letters(page)
    times = Counter(sample.translate(None, bytes(range(0x80)) + known.signs))
    return any(
        OUTSIDE_SHARE * sum(number for byte, number in times.items() if outside >> byte & 1) <= times.total()
        for outside in known.here
    )


_SMALL_LETTERS = 0xFFFFFFFF << 0xE0


USUAL_WESTERN = (
    bytes(range(0x80))
    + """
àáâäåæçèéêëíîïñóôöøùúûüßœÀÁÂÄÅÆÇÈÉÊËÍÎÏÑÓÔÖØÙÚÛÜŒ‘’“”„–—…«»¡¿°·€£ªº\u00a0""".encode("cp1252")
)
"""What most western texts have; 1 KB of another language has other bytes, too."""

LETTERS_OF_OTHERS = b"\x9a\x9e\x9f\xb1\xb3\xb6\xb9\xbc\xbe\xf0\xfd\xfe"
"""Frequent letters of central, Turkish and Baltic pages, and hardly any of western ones."""

TURKISH_LETTERS = b"\xf0\xfd\xfe"
"""`ğ`, `ı` and `ş` of windows-1254."""

USUAL_TURKISH = USUAL_WESTERN + TURKISH_LETTERS + b"\xd0\xdd\xde"

VIETNAMESE_LETTERS = b"\xd2\xf2\xf5\xfd"
"""Two marks of tones, `ơ` and `ư`: western pages have `Òòõý` there, and hardly a text has two of these."""

ROMANIAN_S = lazy_pattern(rb"\xba[a-z]")
"""`ş` within a word. Western pages have `º` there, which ends one: Portuguese has `nº` beside `ã`."""

ROMANIAN_A = lazy_pattern(rb"\xe3(?:[bcdfghjklmnpqrtvxz\xba\xfe]|s[a-z])")
"""`ă` before a consonant. Portuguese has `ã` before o and e, and at the end of words; of 5,312 messages with
it two have it elsewhere, misspelt."""

PORTUGUESE_A = lazy_pattern(rb"\xe3[eo]|\xf5")
"""One of which is in most texts with `ã`; without them it is `ă`, rather."""

HANJA_SHARE = 2
"""One letter in so many, at most, may be a hanja in Korean (`北 미사일`): with none 255 of 300 such headlines
were misread, with these 4."""
ALPHABETS_SHARE = 2
"""One in so many, at most, may be Greek or Cyrillic (`Лебединое озеро`): every other byte is the same."""
OTHERS_SHARE = 4
"""One in so many may be none in Chinese and Japanese (`の`, `(゜Д゜)`): GBK reads kana of EUC-JP as kana."""

POWER_OF_WORD = lazy_pattern(
    rb"[\xb2\xb3\xb9](?:(?<=[A-Zb-df-hj-np-tv-z][\xb2\xb3])(?![A-Za-z\x80-\xff])"
    rb"|(?<![A-Za-z\x80-\xff]\xb9)(?<=\xb9)(?=[A-Za-z]))"
)
"""`fot³`, `¹only`: Polish `ł` mostly ends words behind a vowel (`był`), and none begins with `ą`."""
FIRST_I = lazy_pattern(rb"\xb6(?<![\x80-\xff].)(?=[\xe0-\xff])")
"""`І` that begins a word in capitals, in KOI8-U: where most words begin so, it is `Ά` of ISO-8859-7."""
NO_DANISH = "ĥĤĵżġŭŝħ".encode("iso8859-3")
"""Letters of Esperanto and Maltese. Without one of these `ĝ` and `ĉ` are Danish `ø` and `æ`."""
_WESTERN_WORD = (
    rb"\xa3(?=[0-9])|\xe0(?<![A-Za-z\x80-\xff].)(?![A-Za-z\x80-\xff])|\xe8(?<![A-Za-z\x80-\xff].)(?= [a-z])"
)
"""French `à`, Italian `è` and prices in `£`: `ŕ`, `č` (`č.` is an abbreviation) and `Ł` of central Europe."""
IN_NO_WORD = {
    # Slovak has no `ľ` before e and i: in ISO-8859-2 it is `ž`. There `©koda` and `®ilina` are `Š` and `Ž`.
    "windows-1250": lazy_pattern(
        rb"\xbe[ei\xed]|[\xa9\xae](?<![A-Za-z\x80-\xff].)(?=[a-z\xe0-\xff][a-z])|" + _WESTERN_WORD
    ),
    # `ź` before a vowel is `Ľ` of windows-1250, and `ľ` of no word is `µ`.
    "ISO-8859-2": lazy_pattern(
        rb"\xbc[aeiouy\xe1\xe9\xed\xf3\xfa]|\xb5(?<![A-Za-z\x80-\xff].)(?=[A-Zb-df-hj-np-tv-z])|"
        + _WESTERN_WORD
    ),
    # `1º`, `Nº`
    "ISO-8859-4": lazy_pattern(rb"[\xaa\xba](?<=[0-9N].)(?![A-Za-z\x80-\xff])"),
    # A closing mark before a word is `µ`.
    "ISO-8859-16": lazy_pattern(rb"\xb5(?<![A-Za-z\x80-\xff!.?].)(?=[A-Za-z])"),
    # `·` behind another letter than `l`: `Stra·e` is German of DOS.
    "macintosh": lazy_pattern(rb"[A-KM-Za-km-z]\xe1(?=[A-Za-z])"),
    # Marks of tones behind consonants, or at the start of a word.
    "windows-1258": lazy_pattern(rb"[B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z ][\xcc\xd2\xde\xec\xf2]"),
    # `ð` at the start of a word, or behind `t`, is Estonian `š`; `£uk`, `©unka`, `®ena` are `Ł`, `Š`, `Ž` of
    # ISO-8859-2: prices and years have digits behind the sign. `þ` that ends a word, or stands before a
    # consonant, is `ş` or `ž`; so is one in a word with `ç` or `ü`; `ðý` is `ğı`.
    "windows-1252": lazy_pattern(
        rb"[\xd0\xf0](?:(?<=t.)|(?<![A-Za-z\x80-\xff].))(?=[a-z\xe0-\xff])|[\xa3\xa9\xae][a-z]{2}"
        rb"|[a-z\xdf-\xfe]\xfe(?![aeioujrvy\x80-\xff])|\xf0\xfd"
        rb"|[\xc7\xdc\xe7\xfc][a-z\xe0-\xff]{0,8}[\xf0\xfe]|[\xf0\xfe][a-z\xe0-\xff]{0,8}[\xe7\xfc]"
    ),
}
"""By page, what no text has in it, but text of another page that is read in it."""
DOUBLED = b"\xe4\xe4", b"\xf6\xf6"
"""`ää` and `öö` of Finnish and Estonian: beside no other letters beyond ASCII are two of them western."""
COUNTED_AT = {
    "Estonian": lazy_pattern(
        rb"(?<![A-Za-z\x80-\xff])[\xd0\xf0]|[tT]\xf0|[aeioudAEIOUD][\xde\xfe](?![bj\x80-\xff])"
    )
}
"""Where letters of a language count under a western label: Estonian `š` and `ž` where Icelandic names have no
`ð` and `þ`."""
SIGN_ALONE = lazy_pattern(  # with no letter behind it: `³`, Italian `è`
    rb"%b%b*+(?![A-Za-z\x83\x8a\x8c\x8e\x9a\x9c\x9e\x9f\xb5\xc0-\xd6\xd8-\xf6\xf8-\xff])"
    % ((rb"[\x80\x82\x84-\x89\x8b\x91-\x99\x9b\xa0-\xb4\xb6-\xbf\xd7\xe0\xe8\xec\xf2\xf7\xf9]",) * 2)
)
_ROMANCE = "àèìòùïÀÈÌÒÙÏ".encode("cp1252")
"""Slovak has `ľ`, `ť`, too. Catalan with Slavic names (`Miloš`) has these, and Haitian Creole."""
_ICELANDIC = "áðéíóöúýþæÁÐÉÍÓÖÚÝÞÆ".encode("cp1252")
OF_ICELANDIC = 12
"""Letters `ğ`, `ı` and `ş` that count in any case beside others than Icelandic ones. Fewer may be of names in
German, in which are `ð`, `ý` and `þ` (`Alþýðublaðið`), unless they stand where Icelandic has none."""


def may_be_western_letters(costs: Mapping[str, int], found: bytes, sample: bytes) -> bool:
    """Return True where letters of Slovak may be Romance ones, and those of Turkish Icelandic.

    Args:
        costs: by the letters of the language.
        found: those of them that the label reads otherwise, as bytes.
        sample: the text.
    """
    if "ľ" in costs and not found.translate(None, _ROMANCE):
        return True
    others = sample.translate(None, bytes(range(0x80)) + _ICELANDIC)
    few = len(found) < OF_ICELANDIC or not others
    return "ğ" in costs and few and not IN_NO_WORD["windows-1252"].search(sample)


_TEXT_CLASSES = bytes(
    0x7C
    if byte in b"\r\n"
    else 0x20
    if byte in b"?!"
    else 0x61
    if bytes((byte,)).isalpha()
    else byte
    if byte < 0x80
    else b"xh"[byte > 0xBF]
    for byte in range(0x100)
)
"""Ends of lines, letters of ASCII, and bytes 80-BF and C0-FF. `?` and `!` are free for marks."""


_NO_KIND = bytes(set(range(0x100)) - set(b"|?!"))


def western_prevails(text: bytes) -> bool:
    """Return True where more texts, between tags and line ends, have letters one by one in words of a to z
    than rows of letters, as another script has: some titles of another feed outweigh all by their letters."""
    text = text.translate(_TEXT_CLASSES)
    if b"ah" not in text and b"ha" not in text:
        return False
    pieces = b"|".join([piece.rpartition(b">")[2] for piece in text.split(b"<")])
    marked = pieces.replace(b"ah", b"a?h").replace(b"ha", b"h?a").replace(b"x", b"h").replace(b"hhh", b"!")
    kinds = b"|" + marked.translate(None, _NO_KIND)
    rows = kinds.translate(None, b"?").count(b"|!")
    return kinds.count(b"|?") + kinds.count(b"|!") - rows > rows


_SUM = lazy_pattern(rb"(?<![A-Za-z\x80-\xff])[aeiouyxvqAEIOUYXVQ]\xb1[A-Za-z](?![A-Za-z\x80-\xff])")


def sums(text: bytes) -> int:
    """Count `a±b`: `ą`, which is ± in windows-1250, stands behind a consonant (`sąd`)."""
    return len(_SUM.findall(text)) if b"\xb1" in text else 0
