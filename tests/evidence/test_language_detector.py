"""The letters as a detector: one title tells the charset in the languages of the table; western ones stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.each import each

from feedcharset import decode
from feedcharset.evidence.alphabets import LANGUAGES, TAGGED
from feedcharset.evidence.language_detector import (
    JudgedText,
    detect_by_letters,
    detect_dos_or_mac,
    detect_label,
)
from feedcharset.evidence.scripts import SAMPLE_BYTES, SEARCHED
from feedcharset.results import Detected
from feedcharset.validate.western_words import language_of_utf8

TITLES = [
    ("windows-1251", "Russian", "Завтра обещают дождь и сильный ветер"),
    ("KOI8-R", "Russian", "Завтра обещают дождь и сильный ветер"),
    ("ISO-8859-5", "Russian", "Завтра обещают дождь и сильный ветер"),
    ("IBM866", "Russian", "Завтра обещают дождь и сильный ветер"),
    ("windows-1251", "Ukrainian", "Завтра очікується дощ і сильний вітер"),
    ("KOI8-U", "Ukrainian", "Завтра очікується дощ і сильний вітер"),
    ("windows-1251", "Belarusian", "Заўтра чакаецца дождж і моцны вецер"),
    ("windows-1251", "Bulgarian", "Утре се очаква дъжд и силен вятър"),
    ("windows-1251", "Macedonian", "Утре се очекува дожд, кажаа од службата ѓубре ќе биде"),
    ("windows-1251", "Serbian", "Сутра се очекује киша, кажу љубитељи њиховог времена"),
    ("windows-1253", "Greek", "Αύριο αναμένονται βροχές και άνεμοι"),
    ("ISO-8859-7", "Greek", "Έρχονται βροχές. Άνεμοι αύριο στο Αιγαίο, λέει η υπηρεσία"),
    ("windows-1255", "Hebrew", "מחר צפויים גשם ורוחות חזקות"),
    ("windows-1255", "Hebrew", "צה״ל: הכוחות פועלים בצפון יו״ר הכנסת הודיע על הצבעה"),
    ("windows-1255", "Hebrew", "״לא ניכנע לאלימות״, אמר ראש הממשלה"),
    ("windows-1251", "Russian", "Чад и Чехия: Чемпион"),
    ("windows-1256", "Arabic", "من المتوقع هطول الأمطار غدا في المدينة"),
    ("windows-1256", "Persian", "فردا باران مي‌بارد و هوا سرد پيش‌بيني مي‌شود چه"),
    ("windows-874", "Thai", "พรุ่งนี้จะมีฝนตกหนักและลมแรง"),
    ("Shift_JIS", "Japanese", "明日は雨が降り、風が強くなるでしょう"),
    ("EUC-JP", "Japanese", "明日は雨が降り、風が強くなるでしょう"),
    ("EUC-KR", "Korean", "내일은 비가 오고 바람이 강하게 불겠습니다"),
    ("GB18030", "Chinese", "明天有大雨和强风，请市民注意安全"),
    ("Big5", "traditional Chinese", "明天會有大雨和強風，請大家注意安全，這是氣象局說的"),
    ("windows-1250", "Czech", "Zítra má pršet a foukat silný vítr, říkají v Třebíči"),
    ("ISO-8859-2", "Czech", "Zítra by mělo pršet, přišla však i dobrá zpráva, řekl šéf"),
    ("windows-1250", "Slovak", "Zajtra bude pršať a fúkať silný vietor, tvrdí ľudia"),
    ("windows-1250", "Polish", "Jutro będzie padać i powieje silny wiatr, ogłosiła służba"),
    ("ISO-8859-2", "Polish", "Jutro będzie padać i powieje silny wiatr, śnieg też ogłosiła służba"),
    ("windows-1250", "Hungarian", "Holnap esőre és erős szélre kell számítani, fűtött termekről"),
    ("windows-1250", "Romanian", "Mâine va ploua şi va bate vântul în toată ţara, spun meteorologii"),
    ("windows-1250", "Croatian", "Sutra će puhati jak vjetar, a građani čekaju sniženje cijena, kažu"),
    ("windows-1257", "Lithuanian", "Rytoj bus lietaus ir pūs stiprus vėjas, skelbia tarnyba šiandien"),
    ("windows-1257", "Latvian", "Rīt gaidāms lietus un stiprs vējš, ziņo dienests, kā arī sniegs"),
    ("windows-1254", "Turkish", "Yarın yağmur ve şiddetli rüzgâr bekleniyor, ılık hava"),
    ("ISO-8859-3", "Esperanto", "Morgaŭ estos pluvo kaj forta vento, diras la ĉefo pri ĝi kaj aĵoj"),
]

WESTERN = [
    "Demain, il pleuvra et le vent soufflera fort sur l’Hérault, à Nîmes et à Uzès",
    "Morgen gibt es Regen und stürmischen Wind über Süddeutschland, größere Schäden möglich",
    "Mañana habrá lluvia y viento fuerte en España",
    "Amanhã haverá chuva e vento forte, não saia de casa, dizem as autoridades",
    "Domani pioverà e soffierà un vento forte: è l’allerta della città",
    "Morgon blir det regn och hård vind på västkusten",
    "I morgen blir det regn og sterk vind på Sørlandet",
    "I morgen bliver det regn og blæst på øerne",
    "Huomenna sataa ja tuulee voimakkaasti, sää kylmenee",
    "Á morgun verður rigning og hvassviðri víða á landinu",
    "Demà plourà i farà vent fort a Barcelona, diuen a l’àrea",
    "Beidh báisteach agus gaoth láidir ann amárach",
    "Morgen regen en een harde wind, zegt men in België en Oost-Azië",
    "Nesër do të bjerë shi dhe do të fryjë erë",
    "£5 million café opens; “naïve” critics say it’s a cliché",
    "Price cut: 25° outside, 10 € inside, ½ off, © 2009",
]

CODECS = {"windows-874": "cp874", "KOI8-U": "koi8_u", "GB18030": "gb18030", "Shift_JIS": "cp932"}


def found(document: bytes, domain: str = "") -> Detected | None:
    high = next((at for at, byte in enumerate(document) if byte > 0x7F), len(document))
    return detect_by_letters(JudgedText(document[high:], document[:high], document[:high], domain))


@each(("charset", "language", "title"), TITLES, ids=lambda part: part[:14])
def test_one_title_tells_the_charset(charset: str, language: str, title: str) -> None:
    data = f"<title>{title}</title>".encode(CODECS.get(charset, charset))
    answer = found(data)
    assert answer is not None
    assert (answer.label, answer.language) == (charset, language)
    assert answer.detector == "letters"
    assert answer.outside * 10 <= answer.counted
    assert set(answer.letters) <= set(title)
    assert 1 <= len(answer.letters) <= 5


@pytest.mark.parametrize(
    ("charset", "title"),
    [
        ("ISO-8859-2", "Portlet zobrazí zoznam položiek k schváleniu"),
        ("ISO-8859-2", "Nájdená položka, ktorá leží na stole"),
        ("windows-1250", "Najväčší priateľ človeka: hľadá sa učiteľ"),
    ],
)
def test_the_same_byte_is_another_letter_of_the_language(charset: str, title: str) -> None:
    """BE is `ž` of ISO-8859-2 and `ľ` of windows-1250; Slovak writes no `ľ` before e and i."""
    answer = found(f"<title>{title}</title>".encode(charset))
    assert answer is not None
    assert answer.label == charset


@pytest.mark.parametrize(
    ("tag", "charset", "title", "counted", "outside"),
    [
        ("sl", "windows-1250", "V kavarni Café Größe: češnje", 5, 0),
        ("", "windows-1250", "Café Größe: češnje, žemlje, šunka, čebulček, česen", 10, 3),
        ("sl", "windows-1250", "češnje, žemlje, šunka Ľubľana", 6, 2),
    ],
)
def test_names_in_a_language_that_the_document_names(
    tag: str, charset: str, title: str, counted: int, outside: int
) -> None:
    """Letters that windows-1252 has at the same bytes are no evidence against the page."""
    answer = found(f"<language>{tag}</language><title>{title}</title>".encode(charset))
    assert answer is not None
    assert (answer.label, answer.counted, answer.outside) == (charset, counted, outside)


LISTED = "čeština|italština|maďarština|španělština|arménština|kašmírština|estonština|lezgiština"


@each("tag", ["cs", ""])
@each("written", [None, "Это новости о погоде", "Dnešní zprávy: příliš žluťoučký kůň"])
def test_a_list_of_words_that_end_alike(tag: str, written: str | None) -> None:
    """Most letters are `š`, which costs less in Northern Sotho and Croatian; the others are foreign there."""
    text = "".join(f"<title>{one}</title>" for one in LISTED.split("|") * 4).encode("cp1250")
    of_utf8 = language_of_utf8(written.encode()) if written else None
    beginning = f"<language>{tag}</language>".encode()
    answer = detect_by_letters(JudgedText(text, beginning=beginning), written=of_utf8)
    assert answer is not None
    detect_by_letters(JudgedText(text, beginning=beginning), written=of_utf8, clearly=True)
    if tag or (written and "ž" in written):
        assert (answer.label, answer.language) == ("windows-1250", "Czech")


def test_one_byte_is_enough_where_the_language_is_named() -> None:
    title = "<title>Antaŭa temo</title>"
    alone, named = (
        found(title.encode("iso8859-3")),
        found(f"<language>eo</language>{title}".encode("iso8859-3")),
    )
    assert alone is not None
    assert named is not None
    assert (alone.label, named.label) == ("windows-1252", "ISO-8859-3")


@each("title", WESTERN, ids=lambda title: title[:20])
def test_western_titles_stay(title: str) -> None:
    answer = found(f"<title>{title}</title>".encode("cp1252"))
    assert answer is not None
    assert answer.label == "windows-1252"


def test_a_word_is_enough_where_the_language_is_named() -> None:
    word = "Pøedpovìï".encode("cp1252")  # Předpověď in windows-1250
    for tag in (b'<rss xml:lang="cs">', b"<language>cs-CZ</language>", b"<dc:language><![CDATA[cs_CZ]]>"):
        answer = found(tag + b"<title>" + word[:2] + b"</title>")
        assert answer is not None
        assert (answer.label, answer.language) == ("windows-1250", "Czech")
        assert answer.named.startswith("the document names the language cs")
    answer = found(b"<title>" + word[:2] + b"</title>", domain="cz")
    assert answer is not None
    assert (answer.label, answer.named) == ("windows-1250", "the domain is .cz")
    answer = found(b"<title>" + word[:2] + b"</title>")
    assert answer is not None
    assert (answer.label, answer.named) == ("windows-1252", "")


def test_english_is_no_evidence_and_the_next_language_is_read() -> None:
    title = "<title>Příliš</title>".encode("cp1250")
    for opening, named in (
        (b'<rss xml:lang="en-us"><language>cs</language>', "the document names the language cs"),
        (b'<rss xml:lang="en">', "the domain is .cz"),
        (b'<rss xml:lang="tlh"><language>cs</language>', "the document names the language cs"),
        (b'<rss xml:lang="">', "the domain is .cz"),
        (b" " * TAGGED + b"<language>sk</language>", "the domain is .cz"),
    ):
        answer = found(opening + title, domain="cz")
        assert answer is not None
        assert answer.named == named


def test_the_older_tag_of_hebrew_names_it() -> None:
    answer = found(b"<language>iw</language><title>" + "מחר".encode("cp1255") + b"</title>")
    assert answer is not None
    assert (answer.label, answer.named) == ("windows-1255", "the document names the language iw")


def test_the_tag_is_found_behind_the_first_letter() -> None:
    answer = found(b"<title>\xf8</title><language>cs</language>")
    assert answer is not None
    assert answer.language == "Czech"


@pytest.mark.parametrize(
    ("tag", "charset"),
    [
        ("zh-TW", "Big5"),
        ("zh-Hant-HK", "Big5"),
        ("zh", "GB18030"),
        ("sr-Latn-RS", "windows-1250"),
        ("SR", "windows-1251"),
    ],
)
def test_subtags(tag: str, charset: str) -> None:
    titles = {"Big5": "天氣", "GB18030": "天气", "windows-1250": "Šta", "windows-1251": "Шта"}
    answer = found(f'<rss xml:lang="{tag}"><title>{titles[charset]}'.encode(CODECS.get(charset, charset)))
    assert answer is not None
    assert answer.label == charset


def test_text_goes_before_markup_and_markup_before_nothing() -> None:
    russian = "Погода на завтра".encode("cp1251")
    answer = found(b'<a title="\xe9t\xe9 \xe0 \xcaves"><b>' + russian + b"</b></a>")
    assert answer is not None
    assert answer.label == "windows-1251"
    answer = found(b'<outline text="' + russian + b'"/>')
    assert answer is not None
    assert answer.label == "windows-1251"
    answer = found(b"<![CDATA[" + russian + b"]]>")
    assert answer is not None
    assert answer.label == "windows-1251"


@pytest.mark.parametrize(
    "title", ['<outline text="{}" xmlUrl="http://example.org/"/>', "<category term='{}'/>", "<!-- {} -->"]
)
@pytest.mark.parametrize("name", ["Pawel", "Paweł", "Józef"])
def test_titles_in_attributes_count_beside_one_name_as_text(name: str, title: str) -> None:
    # `Paweł` alone is western: the other letters of a list of feeds stand in its attributes
    titles = "".join(map(title.format, ("Gazeta – Wiadomości", "Książki i czytelnicy", "Świat się śmieje")))
    answer = found(f"<opml><ownerName>{name}</ownerName><body>{titles}</body></opml>".encode("cp1250"))
    assert answer is not None
    assert answer.label == "windows-1250"


@pytest.mark.parametrize("quote", ['"', "'"])
@pytest.mark.parametrize(
    ("language", "text", "charset"),
    [("pl", "chiński", "windows-1250"), ("lv", "Kamerūna", "windows-1257"), ("tr", "Bakı", "windows-1254")],
)
def test_other_attributes_are_no_text_in_the_language(
    language: str, text: str, charset: str, quote: str
) -> None:
    list_of_feeds = f"<outline text='{text}' title='{text}' xmlUrl='http://example.org/feeds/news.xml'/>"
    body = f"<opml xml:lang='{language}'>{list_of_feeds}</opml>".replace("'", quote)
    codec = {"windows-1250": "cp1250", "windows-1257": "cp1257", "windows-1254": "cp1254"}[charset]
    assert decode(body.encode(codec)).resolution.encoding == charset


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("frères et c\xbdurs", "ISO-8859-15"),
        ("frères et c\xbdurs \x93", "windows-1252"),
        ("frères : 1\xbd et \xbd kg", "windows-1252"),
    ],
)
def test_a_fraction_within_a_word_is_a_ligature(text: str, label: str) -> None:
    answer = found(b"<title>%b</title>" % text.encode("latin-1"))
    assert answer is not None
    assert answer.label == label


def test_damaged_declarations_and_end_tags_do_not_count_beside_text() -> None:
    russian = "<title>Погода на завтра</title>".encode("cp1251")
    for damaged in (b'<?xml version="%b"?>%b', b'%b</title"="%b>'):
        parts = (b"\xe2\x80\xf4\x90" * 9, russian)
        assert found(damaged % (parts if damaged[1:2] == b"?" else parts[::-1])) == found(russian)


def test_character_references_are_no_letters() -> None:
    answer = found(b"<a>&eacute;&#1078;&nbsp;\xe9</a>")
    assert answer is not None
    assert (answer.counted, answer.letters) == (1, "é")


@pytest.mark.parametrize(
    ("unit", "counted"),
    [
        ("ㅋ", 2),
        ("★☆", 2),
        ("(ㅠ_ㅠ)", 2),
        ("여덟자로된하나말", 2),
        ("아홉자로된하나의말", 40),
        ("</t><t>구독과 좋아요를 부탁드립니다", 1),
    ],
)
def test_what_is_repeated_counts_twice_side_by_side_and_once_as_a_line(unit: str, counted: int) -> None:
    long, short = (f"<t>가나다{unit * times}</t>".encode("euc_kr") for times in (40, counted))
    assert found(long) == found(short)
    assert found(long) != found("<t>가나다</t>".encode("euc_kr")) or unit == "★☆"


@pytest.mark.parametrize("rows", [1, 3, 20, 100, 300])
@each("line", ["12 cm³ ...;4 m²", "12 cm³", "6 in³;2 ft³", "mètre", "très", "naïve", "Ø 12", "{} km²"])
def test_more_rows_of_few_words_are_no_more_evidence(line: str, rows: int) -> None:
    document = "".join(line.format(number) + "\n" for number in range(rows)).encode("cp1252")
    answer = found(b"<rss>%b</rss>" % document)
    assert answer is None or answer.label == "windows-1252"


def test_no_text_and_no_letters() -> None:
    assert found(b"<a>ASCII</a>") is None
    answer = found(b"<a>\xa9 2009</a>")
    assert answer is not None
    assert (answer.label, answer.counted, answer.letters) == ("windows-1252", 0, "")


def test_only_the_first_text_is_judged() -> None:
    line = "<t>{} Příliš žluťoučký kůň úpěl ďábelské ódy</t>"
    czech = "".join(map(line.format, range(SAMPLE_BYTES // 30))).encode("cp1250")
    russian = "<t>Погода на завтра</t>".encode("cp1251")
    assert found(czech + russian * 1000) == found(czech)
    assert found(b"\xe9" + b" " * SEARCHED + russian) == found(b"\xe9" + b" " * SEARCHED)


@given(st.binary(max_size=300), st.binary(max_size=300), st.sampled_from(["", "cz", "jp"]))
def test_any_bytes_have_an_answer(data: bytes, before: bytes, domain: str) -> None:
    answer = detect_by_letters(JudgedText(data, before, before, domain))
    assert (answer is None) is data.isascii()
    if answer is not None:
        assert 0 <= answer.outside <= answer.counted
        assert answer.label in {name for language in LANGUAGES for name in language.charsets.split()}


@pytest.mark.parametrize(
    ("text", "language", "least", "most"),
    [
        ("Předpověď počasí: odpoledne přijde déšť, večer se ochladí", "Czech", 200, 200),
        (
            "Prognoza meteo: după-amiază vin ploi și se răcește",
            "Romanian",
            200,
            200,
        ),
        ("Hava durumu: öğleden sonra yağmur, akşam soğuyacak", "Turkish", 150, 200),
        ("Сегодня дождь, завтра ветер; объявлены новые рейсы", "Russian", 200, 200),
        ("The symphonies of Dvořák were played in the town hall last night", "Czech", 1, 40),
        ("L’été à la forêt, déjà fermée, ça ira", "French", 0, 0),
    ],
)
def test_the_language_of_what_is_utf8(text: str, language: str, least: int, most: int) -> None:
    found = language_of_utf8(b"caf\xe9 <a>" + text.encode() + b"</a>\xe9")
    assert found is not None
    assert found.language.name == language
    assert least <= found.advantage <= most


@each("data", [b"", b"plain", b"caf\xe9", "— “”".encode()])
def test_no_letters_beyond_ascii_are_of_no_language(data: bytes) -> None:
    assert language_of_utf8(data) is None


def test_turkish_without_a_letter_of_its_own_is_no_other_language_of_its_page() -> None:
    """Azerbaijani has ə, which is in no page of one byte; its other letters are Turkish."""
    text = "Şekilde işaretleyin, düğmeyi çevirin ve ışığı açın. " * 20
    written = language_of_utf8(text.encode())
    assert written is not None
    assert written.language.name == "Turkish"
    found = detect_by_letters(JudgedText(text.encode("cp1254")))
    assert found is not None
    assert found[:3] == ("windows-1254", "letters", "Turkish")


def test_the_language_of_what_is_utf8_is_evidence_where_none_is_named() -> None:
    word = "după ploaie".encode("cp1250")
    written = language_of_utf8("Prognoza: după-amiază vin ploi și se răcește".encode())
    alone = detect_by_letters(JudgedText(word))
    assert alone is not None
    assert alone.label == "windows-1252"
    found = detect_by_letters(JudgedText(word), written=written)
    assert found is not None
    assert found[:3] == ("windows-1250", "letters", "Romanian")
    assert found.named == "what is UTF-8 is Romanian"
    named = detect_by_letters(JudgedText(word, beginning=b"<rss xml:lang='pt'>"), written=written)
    assert named is not None
    assert named.label == "windows-1252"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("café olé déjeuner né préféré a l'été", True),  # 82 is ‚ in windows-1252: it ends no word
        ("Köln schön öffnen können möchte hören", True),  # 94 is ”, which stands in no word
        ("Köln", False),  # once it may be a slip
        ("Malmö sjö fö tillgodogjordö", False),  # it stands beside words
    ],
)
def test_marks_of_windows_1252_that_are_letters_in_dos_text(text: str, shown: bool) -> None:
    found = detect_by_letters(JudgedText(text.encode("cp850")), clearly=True)
    assert (found is not None) == shown


HANJA = [
    '美 대통령, 北 미사일 발사에 "심각한 우려"',
    "韓·美·日 정상회담 내달 개최",
    "與野, 예산안 처리 합의",
    "檢, 前 장관 소환 조사",
    "조선(朝鮮) 시대의 궁궐 이야기",
]
HALF_WIDTH = ["北朝鮮、弾道ミサイル発射", "ﾆｭｰｽ速報", "株価暴落", "ﾄﾞﾗｺﾞﾝﾎﾞｰﾙの新作"]
JAMO = [
    "안녕하세요 ㅎㅎ 반갑습니다",
    "영화 보고 왔어요 ㅠㅠ",
    "ㅇㅇ 알겠어 ㄱㄱ",
    "축하해요 ㅊㅋㅊㅋ",
    "ㅋㅋㅋ 오늘 날씨 좋다",
]
FACES = ["なんだこれ(゜Д゜)", "無効なタイトル(゜Д゜)", "今日の記事 ω"]
KANA = ["无效标题の说明文字", "我们の新的一天", "快乐的每一天 ω"]
BOPOMOFO = ["今天ㄅ要去上課", "這是我ㄉ新家喔", "好想睡覺ㄛ大家"]
DIGITS = ["ประชุมปี ๒๕๖๗", "ข่าว ๑๒ มกราคม ๒๕๖๖", "งบ ๑๐๐ ล้าน"]


@pytest.mark.parametrize("language", ["", "<language>{}</language>"])
@pytest.mark.parametrize(
    ("titles", "codec", "tag"),
    [
        (HANJA, "cp949", "ko"),
        (JAMO, "cp949", "ko"),
        (HALF_WIDTH, "cp932", "ja"),
        (HALF_WIDTH, "euc_jp", "ja"),
        (FACES, "cp932", "ja"),
        (FACES, "euc_jp", "ja"),
        (KANA, "gbk", "zh"),
        (BOPOMOFO, "big5", "zh-TW"),
        (DIGITS, "cp874", "th"),
    ],
)
def test_characters_of_another_kind_are_no_foreign_letters(
    titles: list[str], codec: str, tag: str, language: str
) -> None:
    """Hanja and single letters in Korean, katakana of half the width and Cyrillic in Japanese, kana and
    bopomofo in Chinese, digits in Thai."""
    for first in range(len(titles)):
        some = titles[first:] + titles[:first]
        text = f"<rss>{language.format(tag)}{''.join(f'<title>{one}</title>' for one in some)}</rss>"
        assert decode(text.encode(codec)).text == text


@pytest.mark.parametrize(
    "element",
    [
        "<language>sk</language>",
        '<language type="iso">\nsk</language>',
        '<dc:language xmlns:dc="http://purl.org/dc/elements/1.1/">sk</dc:language>',
        "<dcterms:language>sk</dcterms:language>",
    ],
)
def test_the_element_of_the_language_may_have_attributes(element: str) -> None:
    text = f"<rss>{element}<title>Košice</title></rss>"
    assert decode(text.encode("iso8859_2")).text == text


@pytest.mark.parametrize("codec", ["koi8_r", "iso8859_5"])
def test_letters_of_cyrillic_pages_are_no_katakana_of_half_the_width(codec: str) -> None:
    title = "Мост откроют к ноябрю, обещает мэрия. Погода на завтра: дождь, местами гроза и сильный ветер"
    text = f'<?xml version="1.0" encoding="Shift_JIS"?><rss><title>{title}</title></rss>'
    assert decode(text.encode(codec), declaration="keep").text == text


@pytest.mark.parametrize("title", ["ﾆｭｰｽ速報", "ﾄﾞﾗｺﾞﾝﾎﾞｰﾙ", "ﾃﾚﾋﾞ", "ﾏﾝｶﾞ", "ﾊﾟｿｺﾝ ﾊﾟｿｺﾝ ﾊﾟｿｺﾝ"])
def test_katakana_of_half_the_width_in_their_charset(title: str) -> None:
    text = f'<?xml version="1.0" encoding="Shift_JIS"?><rss><title>{title}</title></rss>'
    assert decode(text.encode("cp932"), declaration="keep").text == text


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        ("Σήμερα στην πόλη έγινε συνάντηση των κατοίκων με τους εκπροσώπους της αρχής.", "cp737", "IBM737"),
        ("היום בעיר התקיימה פגישה של תושבים עם נציגי הרשות. דיברו על בתי הספר.", "cp862", "IBM862"),
    ],
)
def test_a_page_of_dos_is_found_where_nothing_else_is(text: str, codec: str, label: str) -> None:
    found = detect_dos_or_mac(JudgedText(text.encode(codec) * 3), None)
    assert found is not None
    assert found.label == label


def test_a_page_of_mac_that_reads_the_same_is_none() -> None:
    """Letters of Slovene are at the same places in ISO-8859-2 and in the Croatian page of Mac."""
    text = "Nameščanje podpisa Povečanje številke strani med prilagajanjem".encode("iso8859-2")
    shown = JudgedText(text)
    found, mac = detect_label("letters", shown), detect_by_letters(shown, clearly=True)
    assert found is not None
    assert mac is not None
    assert (found.label, mac.label) == ("ISO-8859-2", "x-mac-croatian")
    assert detect_dos_or_mac(shown, found) is None
    assert detect_dos_or_mac(shown, None) == mac


UNKNOWN = [
    (
        "mi",
        "windows-1257",
        "Kahāka Tīmene tānga Ōrūpa Pōhipuri Tātā Pāhitō Tamahīta kāpehu Hāna āpiti mokowā pūtu²",
    ),
    ("kam", "ISO-8859-4", "Ĩĩ kwambĩlĩlya Mũthenya Ĩyawĩoo Wtũ Ũmũnthĩ Ĩyakwakya Ũnĩ Kĩsio ĩkumi"),
    (
        "bew",
        "ISO-8859-1",
        "Plorèn Aruba\nWènda\nÈjaan Oksitan Keitalian\nlogat Sotawèntu basa Tanjung Ijo\nPèb\nyd²",
    ),
]


@pytest.mark.parametrize(("tag", "charset", "text"), UNKNOWN)
def test_a_language_that_is_not_in_the_table_keeps_its_label(tag: str, charset: str, text: str) -> None:
    """Only among Latin pages: under the label of another script the letters are evidence as ever."""
    text = f'<?xml version="1.0"?><rss xml:lang="{tag}"><title>{text}</title></rss>'
    content_type = f"application/xml; charset={charset}"
    assert decode(text.encode(charset), content_type).text == text
    other = (
        f'<rss xml:lang="{tag}"><title>Завтра в библиотеке на Садовой читают сказки для детей</title></rss>'
    )
    assert decode(other.encode("cp1251"), content_type).text == other


@pytest.mark.parametrize("tag", ["en", "und", "mul", "en-US"])
def test_a_tag_that_names_no_language_keeps_no_label(tag: str) -> None:
    text = f'<rss xml:lang="{tag}"><title>Příliš žluťoučký kůň úpěl ďábelské ódy, šťastné děti</title></rss>'
    assert decode(text.encode("cp1250"), "application/xml; charset=windows-1252").text == text


@pytest.mark.parametrize("times", [1, 3, 12])
@pytest.mark.parametrize(
    "text",
    [
        "首相が新しい予算を発表しました。",
        "今日はとても暑いですね。",
        "新しいデータベースへの接続に失敗しました",
    ],
)
def test_kana_of_euc_jp_are_no_katakana_of_half_width(text: str, times: int) -> None:
    """Their lead bytes are its comma and middle dot."""
    text = f'<?xml version="1.0" encoding="{{}}"?><rss>{f"<title>{text}</title>" * times}</rss>'
    for label, codec in (("Shift_JIS", "euc_jp"), ("Shift_JIS", "cp932"), ("EUC-JP", "cp932")):
        document = text.format(label)
        decoded = decode(document.encode(codec), declaration="keep")
        assert decoded.text == document


def test_katakana_of_half_width_keep_their_label() -> None:
    text = '<?xml version="1.0" encoding="Shift_JIS"?><rss>{}</rss>'
    for title in ("ｺﾝﾆﾁﾊ､ｾｶｲ｡", "ｱｲｳ･ｶｷｸ･ｻｼｽ", "ﾃﾞｰﾀﾍﾞｰｽ･ｻｰﾊﾞｰ､ﾈｯﾄﾜｰｸ"):
        document = text.format(f"<title>{title}</title>")
        assert decode(document.encode("cp932"), declaration="keep").text == document


BOXES = "┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ c │ d │\n└───┴───┘\n"


@pytest.mark.parametrize("label", ["KOI8-R", "KOI8-U", "IBM866", "IBM437", "IBM850", "IBM852"])
@pytest.mark.parametrize("language", ["", " xml:lang='ru'", " xml:lang='bg'", " xml:lang='de'"])
@pytest.mark.parametrize("tables", [1, 3])
def test_tables_of_lines_are_in_the_labelled_charset(label: str, language: str, tables: int) -> None:
    """Their bytes are letters of other pages, as of IBM866 those of KOI8-R."""
    text = f"<a{language}>{BOXES * tables}</a>"
    body = text.encode(label.replace("IBM", "cp"))
    decoded = decode(body, f"application/xml; charset={label}")
    assert (decoded.text, decoded.resolution.encoding) == (text, label)


@pytest.mark.parametrize("text", ["élément « %s », « %s », « %s »", "« a » été (« b ») : « c »."])
def test_quotation_marks_apart_are_no_letters(text: str) -> None:
    """`ť` and `Ť` of ISO-8859-2 stand in words."""
    for size in (1, 3):
        body = "<rss>" + f"<t>{text}</t>" * size + "</rss>"
        assert decode(body.encode("latin-1")).text == body


@pytest.mark.parametrize("size", [0, 600, 2000])
@pytest.mark.parametrize("content_type", [None, "text/xml; charset=ISO-8859-1"])
def test_english_between_titles_in_katakana_makes_no_page_of_dos(size: int, content_type: str | None) -> None:
    titles = (
        "アフターバーナー・コンプリート|サイバーブロール|ドゥーム|"
        "ゴルフマガジンプレゼンツ 36グレイトホールズ|"
        "カオティクス フィーチャリング ナックルズ|メタルヘッド|モータルコンバットII 究極神拳|"
        "三国志IV|"
        "NBAジャム トーナメントエディション|ステラアサルト|スペースハリアー|"
        "スターウォーズ・アーケード|テンポ|"
        "バーチャファイター|バーチャレーシング デラックス|パラスコード"
    )
    between = ("A plain English text about this game. " * 60)[:size]
    items = (
        f"<item><title>{one}</title><description>{between}</description></item>" for one in titles.split("|")
    )
    text = f"<rss><channel>{''.join(items)}</channel></rss>"
    found = decode(text.encode("cp932"), content_type)
    assert (found.text, found.resolution.encoding) == (text, "Shift_JIS")
