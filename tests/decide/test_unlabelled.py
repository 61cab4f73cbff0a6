"""Legacy text that no label names: the answer of its letters where they are enough, else windows-1252."""

from __future__ import annotations

import tomllib
from typing import Any
from unicodedata import normalize

import pytest
from lxml import etree
from support.cases import FIXTURES, load
from support.each import each

from feedcharset import XmlDecoder, check, decode, parse, resolve
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_chain import replay
from feedcharset.decide.thresholds import enough_letters
from feedcharset.evidence.alphabets import NUL_SHARE, UNNAMED
from feedcharset.results import Detected

CASES = load("unlabelled")
PROSE = tomllib.loads((FIXTURES / "prose.toml").read_text(encoding="utf-8"))


@each("case", CASES, ids=lambda case: case["why"])
def test_the_right_text(case: dict[str, Any]) -> None:
    """In memory, in pieces, and through `parse`; the decision replays."""
    document = case["text"].encode(case["codec"])
    text, resolution, _ = decode(document, case["content_type"], declaration="keep")
    assert (text, resolution.rule) == (case["text"], case["rule"])
    assert replay(resolution.facts) == resolution == resolve(document, case["content_type"], complete=True)
    for size in (1, 7, 4096):
        decoder = XmlDecoder(case["content_type"], declaration="keep")
        parts = [decoder.decode(document[at : at + size]) for at in range(0, len(document), size)]
        assert "".join(parts) + decoder.decode(b"", True) == text
        assert decoder.resolution == resolution
    root = parse(document, content_type=case["content_type"]).getroot()
    assert root.findtext("channel/title") in text


def test_what_the_steps_say() -> None:
    russian, french = CASES[0]["text"].encode(CASES[0]["codec"]), "<a>L’été à Évian</a>".encode("cp1252")
    steps = {step.id: step for step in resolve(russian, complete=True).steps}
    assert steps["L6"].why == "the letters are Russian: а, о, е, т, в"
    steps = {step.id: step for step in resolve(french, complete=True).steps}
    assert (steps["L6"].verdict, steps["L6"].why) == (
        "nothing",
        "the letters (é, É, à) fit windows-1252, which is read by convention",
    )
    assert steps["L7"].why == (
        "no label names the charset of these bytes (0 UTF-8 sequences, 4 damaged runs): windows-1252 by "
        "convention"
    )


def test_a_named_charset_goes_before_a_detector() -> None:
    """A damaged document whose label decodes most of it is not guessed."""
    document = "<?xml version='1.0' encoding='gbk'?><a>天气".encode("gbk") + b"\xff\xff \xff</a>"
    resolution = resolve(document, detector=lambda data: "koi8-r", complete=True)
    assert (resolution.encoding, resolution.rule) == ("GBK", "L7")
    assert [step.why for step in resolution.steps if step.id == "L6"] == [
        "not called: GBK decodes most of the bytes"
    ]
    assert resolution.facts.body.detected is None


WESTERN_TEXTS = [
    "L’été dernier, à la mer, il faisait très chaud. Les élèves étaient déjà rentrés ; le café était fermé.",
    "El niño comió una manzana y después salió a jugar con su compañero en el jardín. ¿Qué pasó después?",
    "A educação não é preparação para a vida; a educação é a própria vida.",
    "café",
]
EAST_ASIAN = ["EUC-JP", "Shift_JIS", "GBK", "GB18030", "Big5", "EUC-KR"]


@pytest.mark.parametrize("label", EAST_ASIAN)
def test_western_letters_go_before_an_east_asian_label_that_decodes_little(label: str) -> None:
    for text in WESTERN_TEXTS:
        opening = f'<?xml version="1.0" encoding="{label}"?><rss><title>'
        document = opening.encode() + text.encode("cp1252") + b"</title></rss>"
        found = decode(document)
        assert text in found.text, text
        assert (found.resolution.encoding, found.resolution.rule) == ("windows-1252", "L7")
        assert f"under {label}, and the letters are " in found.resolution.steps[-1].why
        assert replay(found.resolution.facts).steps == found.resolution.steps


@pytest.mark.parametrize(
    ("label", "text"),
    [
        *((label, "\xa0\xa0\xa0\xa0return;\n") for label in ("Shift_JIS", "EUC-JP")),
        ("Big5", "5 \xb0 C"),
        *((label, "£5 or ") for label in EAST_ASIAN if label not in ("Shift_JIS", "GB18030")),
    ],
)
def test_signs_of_which_none_decodes_are_western(label: str, text: str) -> None:
    """Spaces of libxml2's documentation, labelled shift_jis, were U+FFFD."""
    document = f'<?xml version="1.0" encoding="{label}"?><a>{text * 9}</a>'.encode("cp1252")
    found = decode(document)
    assert text * 9 in found.text
    assert (found.resolution.encoding, found.resolution.rule) == ("windows-1252", "L7")
    assert replay(found.resolution.facts).steps == found.resolution.steps
    words = ("한국" if label == "EUC-KR" else "日本").encode(label) * 99
    assert decode(document.replace(b"<a>", b"<a>" + words)).resolution.encoding == label


def test_what_hardly_decodes_is_no_east_asian_text_that_nothing_names() -> None:
    """English in macintosh: `市` for `és`, and 20 bytes were lost."""
    text = "See the note below. Café “Résumé” don’t. " * 20
    found = decode(f"<rss><title>{text}</title></rss>".encode("mac-roman"))
    assert (found.resolution.encoding, found.resolution.rule) == ("windows-1252", "L7")
    assert replay(found.resolution.facts) == found.resolution
    chinese = "強風吹斷了碼頭的燈桿，也讓三十多艘漁船受損。縣政府宣布，受災戶可以申請補助。".encode("big5")
    for gap in (9, 15, 20):  # damaged, its characters are common ones
        damaged = b"".join(chinese[at : at + gap] + b"\xff" for at in range(0, len(chinese), gap))
        assert decode(b"<rss>" + damaged + b"</rss>").resolution.encoding == "Big5"


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Don’t miss Apple’s “event”", True),
        ("set to “true” — or to “false”…", True),
        ("It’s the season’s biggest game, and we’ve won", True),
        ("No existe a clau «%s»", True),
        ("they’ll, we’re, I’m, he’d", True),
        ("• one • two", False),
        ("a “ b and ’n", False),
    ],
)
@pytest.mark.parametrize("label", ["", ' encoding="UTF-8"', ' encoding="US-ASCII"', ' encoding="x-none"'])
def test_english_of_mac_is_found_by_its_marks(label: str, text: str, is_found: bool) -> None:
    found = decode(f'<?xml version="1.0"{label}?><a>{text} </a>'.encode("mac-roman"))
    assert found.resolution.encoding == ("macintosh" if is_found else "windows-1252")
    assert (text in found.text) == is_found
    assert replay(found.resolution.facts).steps == found.resolution.steps
    if is_found:
        assert (
            found.resolution.steps[-1].why == "quotation marks and apostrophes are where macintosh has them"
        )
    else:
        assert found.resolution.rule == "L7"


HEBREW = (
    "סלובנית סינון כותרת דף_פשוט רישומי_יומן טורקית מספר יציאה צפיה_ב_אשר_נבחרו. כל_התאריכים אנגלית_אוסטרלית"
    " פריזית יש_להזין_שם_מתחם_חוקי. בחירת_תאריך"
)
HEBREW_NEWS = "ראש_הממשלה_נפגש_עם_שר_הביטחון מזג_האוויר:_גשם_צפוי_בסוף_השבוע הבורסה_ננעלה_בעליות_שערים"


@pytest.mark.parametrize("label", ["windows-1253", "ISO-8859-7", "windows-1251"])
@pytest.mark.parametrize("words", [HEBREW, HEBREW + " " + HEBREW_NEWS, HEBREW_NEWS + " " + HEBREW], ids=len)
def test_the_first_titles_in_hebrew_may_have_few_letters_that_are_seldom_in_greek(
    words: str, label: str
) -> None:
    titles = "".join(f"<item><title>{title.replace('_', ' ')}</title></item>" for title in words.split())
    document = f'<?xml version="1.0" encoding="{label}"?><rss>{titles}</rss>'.encode("cp1255")
    assert decode(document).resolution.encoding == "windows-1255"


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        ("mbani në një vend për të mirë që të jetë këtu", "windows-1252"),
        ("një vend për të", "windows-1251"),  # four times the same letter
    ],
)
def test_one_letter_in_many_words_of_a_to_z_is_none_of_another_script(words: str, encoding: str) -> None:
    """`Janë dhënë` of an Albanian feed was `Janл dhлnл`."""
    document = f'<?xml version="1.0" encoding="windows-1251"?><rss><title>{words}</title></rss>'
    assert decode(document.encode("cp1252")).resolution.encoding == encoding


@pytest.mark.parametrize("label", ["", ' encoding="KOI8-R"', ' encoding="UTF-8"'])
def test_belarusian_is_in_no_page_that_lacks_a_letter_of_it(label: str) -> None:
    """Each `ў` was an `і`: IBM866 has no `і`, for which texts have the Latin letter, and IBM1125 no `ў`."""
    text = (
        "Убудаванае значэнне не супадае з бацькоўскiм. Мiльярдаў сэкундаў таму. Дапаўненьне кадоўкi блянку. "
    )
    found = decode(f'<?xml version="1.0"{label}?><rss><title>{text * 3}</title></rss>'.encode("cp866"))
    assert (found.resolution.encoding, text in found.text) == ("IBM866", True)


@pytest.mark.parametrize("word", ["išvykęs", "viršutinė", "šeštadienis", "tęsti"])
def test_words_of_lithuanian_in_a_page_of_dos_are_no_marks_of_mac(word: str) -> None:
    assert decode(f"<a>{word} {word}</a>".encode("cp775")).resolution.encoding != "macintosh"


def test_english_of_mac_is_no_lithuanian_of_dos() -> None:
    """`“resize-with-right-button”` was `ęresize-with-right-buttonė`."""
    text = "Set to “true” to resize with “button” and “none”; it doesn’t act, nor don’t others’ “keys”. " * 20
    found = decode(f'<?xml version="1.0"?><a>{text}</a>'.encode("mac-roman"))
    assert (found.resolution.encoding, text in found.text) == ("macintosh", True)
    text = "“new” music — don’t stop, it’s “great”"  # under a false name of a language it was IBM775
    assert text in decode(f'<a xml:lang="lt">{text}</a>'.encode("mac-roman")).text


OTHER_SCRIPTS = [
    *("windows-1251", "KOI8-R", "ISO-8859-5", "IBM866", "x-mac-cyrillic", "windows-1253", "ISO-8859-7"),
    *("windows-1255", "ISO-8859-8", "windows-874"),
]
"""Single-byte charsets in which no language of windows-1252 is written."""


@pytest.mark.parametrize("label", [*EAST_ASIAN, "Big5-HKSCS", "windows-949"])
@each(
    "text",
    [
        "O código não é válido, nem é possível guardar",
        "Für die Änderung muss der Ordner gewählt werden",
        "spécifier le préfixe de la clé privée",
        "Den første fil kan ikke åbnes",
        "Não é possível ler a tabela, 2º nível",
        "Indien ingesteld op ‘true’, of ‘false’, en ‘none’, zal dit niet werken",
    ],
)
def test_letters_in_words_of_a_to_z_go_before_an_east_asian_label(label: str, text: str) -> None:
    """In the declaration, in the header, in pieces; the decision replays."""
    _is_western_under(label, text)


@pytest.mark.parametrize("label", OTHER_SCRIPTS)
@each(
    "text",
    [
        "O código não é válido, nem é possível guardar",
        "Für die Änderung muss der Ordner gewählt werden, und schöne Grüße",
        "spécifier le préfixe de la clé privée très près de là",
        "Den første fil kan ikke åbnes, og de største måtte gå",
        "El niño pequeño comió una manzana; mañana habrá más",
    ],
)
def test_letters_in_words_of_a_to_z_go_before_the_label_of_another_script(label: str, text: str) -> None:
    _is_western_under(label, text)


@pytest.mark.parametrize("label", [one for one in OTHER_SCRIPTS if one not in ("IBM866", "x-mac-cyrillic")])
@each(
    ("codec", "named", "text"),
    [
        ("cp1250", "", "Formatno določilo za argument ne obstaja; način poravnave in možnosti, angleška"),
        ("iso8859_2", "", "semnează ID-urile utilizatorilor selectaţi cu o semnătură de încredere, nevalidă"),
        ("cp1254", "", "Hayvanlar ve doğa, çalışma ağacında kaldırılan yolları yok say, şimdi çıkılıyor"),
        ("cp1257", "", "Kanadiečių pranešimo nepavyksta išsiųsti, žingsnio padidėjimas, rodoma būsena"),
        ("cp1250", "pl", "Przyjmowanie składników"),
        ("iso8859_2", "hu", "A fókusszal rendelkező cella"),
        ("cp1257", "lv", "Nevar atvērt failu"),
        ("cp1252", "de", "Ereignisse überwachen"),
        ("cp1252", "de", "Kasaï Central, Schlüssel für Datei, Auvergne-Rhône, Binärformat, Präzision"),
        ("cp1252", "it", "La cartella non è più vuota, perché c'è già: così si può riprovare, però giù"),
        ("cp1258", "", "không thể mở tập tin để ghi, số phiên bản và thoát, hiển thị bảng phiên bản"),
    ],
)
def test_other_latin_letters_in_words_do_so_too(label: str, codec: str, named: str, text: str) -> None:
    _is_read_under(label, codec, named, text)


@each(
    ("codec", "named", "text"),
    [
        ("cp1250", "", "Za použití tohoto příkazu můžete změnit přístupová práva"),
        ("cp1254", "", "Hayvanlar ve doğa, çalışma ağacında kaldırılan yolları yok say, şimdi çıkılıyor"),
        ("cp1252", "de", "Änderungen größer, später gelöscht"),
        ("cp1252", "es", "Mañana habrá más"),
        ("iso8859_2", "hu", "A fókusszal rendelkező cella"),
    ],
)
def test_letters_in_words_under_an_arabic_label(codec: str, named: str, text: str) -> None:
    """windows-1256 has the small letters of French, which do not count there."""
    _is_read_under("windows-1256", codec, named, text)


def _with_marks_behind(char: str) -> str:
    marks = "".join(mark for mark in normalize("NFD", char) if mark in "\u0300\u0301\u0303\u0309\u0323")
    letter = "".join(part for part in normalize("NFD", char) if part not in marks)
    return normalize("NFC", letter) + marks


def _is_read_under(label: str, codec: str, named: str, text: str) -> None:
    tag = f"<language>{named}</language>" if named else ""
    if codec == "cp1258":  # it has the marks of tones behind their letters
        text = "".join(map(_with_marks_behind, text))
    document = f"<?xml version='1.0' encoding='{label}'?><rss>{tag}<title>{text}</title></rss>"
    found = decode(document.encode(codec), "text/xml")
    assert text in found.text
    assert replay(found.resolution.facts) == found.resolution


def _is_western_under(label: str, text: str) -> None:
    document = f"<?xml version='1.0'?><rss><title>{text}</title></rss>"
    for declared in (document, document.replace("?>", f" encoding='{label}'?>", 1)):
        content_type = "text/xml" if declared != document else f"text/xml; charset={label}"
        body = declared.encode("cp1252")
        found = decode(body, content_type, declaration="keep")
        assert found.text == declared
        assert replay(found.resolution.facts) == found.resolution
        decoder = XmlDecoder(content_type, declaration="keep")
        parts = [decoder.decode(body[at : at + 5]) for at in range(0, len(body), 5)]
        assert "".join(parts) + decoder.decode(b"", True) == declared


WESTERN_WORDS = {
    "fr": "La rivière était à sec; où êtes-vous? Le problème est réglé dès lundi, près du théâtre "
    "rénové; prêts, très près, déjà",
    "pt": "A reunião não decidiu a questão das eleições; as condições do verão e a posição da região "
    "são vãs, não é só opção, também à mão",
    "da": "Københavnerne kører på cykel og får æbler på gården; når året går på hæld, må de største gå, så "
    "får øerne både færger og håb",
    "sv": "På fjället går snön när våren är här; så får många människor åka tåg från Malmö, då åren går",
    "it": "Perché la città è più bella? Novità: l'università aprirà lunedì; già venerdì sarà giù, però può, "
    "così farà, dirà, andrà, verità",
    "ca": "L'època dels rèptils; això però és veritat, què fa l'àvia? Més enllà del gran país, perquè són "
    "llengües pròpies: caràcters, allò, també",
    "is": "Það var þá að hún sagði þeim frá því; þegar þið voruð heima og þau fóru með það, að þeir höfðu",
}


@pytest.mark.parametrize("label", ["windows-1250", "ISO-8859-2"])
@each("text", list(WESTERN_WORDS.values()))
def test_western_words_go_before_a_central_european_label(label: str, text: str) -> None:
    _is_western_under(label, text)


@pytest.mark.parametrize("label", ["windows-1250", "ISO-8859-2"])
def test_how_many_words_of_windows_1252_go_before_such_a_label(label: str) -> None:
    """Five distinct ones; a letter that stands alone (`à`) is none."""
    alike = "L’été à l’hôtel, le café fermé a été rénové, et la clé réglée: un défilé décidé, le thé préféré"
    words = ["très", "près", "dès", "après", "père"]
    for repeated in (1, 3):
        for number, found in ((4, label), (5, "windows-1252")):
            text = f"{alike} {' '.join(words[:number] * repeated)}".replace("’", "'")
            document = f"<?xml version='1.0' encoding='{label}'?><a>{text}</a>".encode("cp1252")
            assert decode(document).resolution.encoding == found


CENTRAL_NAMES = {
    "Czech": "Dvořák Jiří Kateřina Ondřej Řehoř Tomáš Zdeněk Bedřich Přibyl Štěpán Žižka Černý Růžička Kříž",
    "Polish": "Łódź Gdańsk Poznań Kraśnik Wałęsa Świętochłowice Żory Częstochowa Sławomir Toruń Białystok",
    "Hungarian": "Erdős Győr Petőfi Szőke Fertőd Fűzfő Hűvösvölgy Csűry Gergő Nagykőrös Szerző Kőbánya",
    "Croatian": "Šibenik Čakovec Đurđevac Požega Križevci Knežević Horvatić Kovač Županja Đakovo Šćitarjevo",
    "Romanian": "Iaşi Timişoara Ploieşti Bistriţa Constanţa Făgăraş Băsescu Galaţi Năstase Braşov Hunedoară",
    "Slovak": "Košice Žilina Ľubica Hviezdoslavov Štúr Trenčín Bardejov Ďurica Ťahanovce Prešov Špirková",
}


@pytest.mark.parametrize("label", ["windows-1250", "ISO-8859-2"])
@each("language", list(CENTRAL_NAMES))
def test_names_in_english_are_not_western_under_such_a_label(label: str, language: str) -> None:
    text = "".join(f"<title>A talk with {name} in {name}</title>" for name in CENTRAL_NAMES[language].split())
    document = f"<?xml version='1.0' encoding='{label}'?><rss>{text}</rss>"
    assert decode(document.encode(by_name(label).codec or ""), declaration="keep").text == document


@each(
    ("label", "codec", "text"),
    [
        # Signs and endings in another script, beside words of a to z.
        ("windows-1251", "cp1251", "%liд %liг %liхв %liс"),
        ("windows-1251", "cp1251", "Googleом, Facebookом и Twitterом, а PDFки в Wordе и Excelе"),
        ("KOI8-R", "koi8_r", "iPhoneа, iPadа, iMacа"),
        ("windows-1253", "cp1253", "%liη %liω %liλ %liδ"),
        ("windows-1253", "cp1253", "5 μmol, 3 μsec and 7 μgrams"),
        ("ISO-8859-7", "iso8859_7", "the βcarotene, αtocopherol and μmol of δvalue"),
        ("ISO-8859-7", "iso8859_7", "TNFα and IFNγ in NFκB cells, αhelix, μmol, βsheet"),
        ("windows-1255", "cp1255", "הWindows, בLinux וmacOS: מGoogle לFacebook"),
        ("windows-1256", "cp1256", "Le café est fermé, là où l'été était très près"),
        ("GBK", "gbk", "gssapi, 和sspi"),
        ("GB2312", "gb2312", "Sync iPhone与iPad"),
        ("GB2312", "gb2312", "iPhone与iPad, iMac与iPhone, iPod与iPad, Word与Excel"),
        ("GB2312", "gb2312", "--discard-caches 设置debugdiscardcaches=1"),
        ("Big5", "big5", "Save as jpeg檔"),
        ("Big5", "big5", "iPhone優惠 iPhone優 mp3檔"),
        ("Big5", "big5", "English (猑) names"),
        ("Big5-HKSCS", "big5hkscs", "datos私鑰 rango Filtro"),
        ("Big5-HKSCS", "big5hkscs", "zdání, kázání a psaní"),
        ("Shift_JIS", "cp932", "Windows版 Word資料"),
        ("EUC-KR", "cp949", "PNG로 저장, Excel과 Word"),
    ],
)
def test_characters_in_words_of_a_to_z_keep_their_label(label: str, codec: str, text: str) -> None:
    document = f"<?xml version='1.0' encoding='{label}'?><a>{text}</a>"
    decoded = decode(document.encode(codec), declaration="keep")
    assert (decoded.text, decoded.resolution.encoding) == (document, label)


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<rss>", "Tomáš"),
        ("<rss><language>cs</language>", "Interview: Lukáš, Tomáš"),
        ('<?xml version="1.0" encoding="UTF-8"?><rss><language>sk</language>', "Späť"),
        ("<rss><language>ro</language>", "ARE DREPTUL LA MUNCĂ,"),
        ("<rss><language>ro</language>", "MUNCĂ"),
    ],
)
def test_what_could_be_the_beginning_of_a_character_is_a_letter(head: str, title: str) -> None:
    """`áš` is E1 9A, with which characters of UTF-8 begin: alone in a document that proves nothing."""
    document = f"{head}<title>{title}</title></rss>".encode("cp1250")
    found, resolution, _ = decode(document)
    assert (found.rpartition("<title>")[2], resolution.encoding) == (f"{title}</title></rss>", "windows-1250")
    assert replay(resolution.facts) == resolution


@pytest.mark.parametrize(
    ("title", "label", "header"),
    [("Погода на завтра", "windows-1251", "koi8-r"), ("Мой блог", "koi8-r", "windows-1251")],
)
def test_what_refutes_a_false_header_does_not_refute_the_true_declaration(
    title: str, label: str, header: str
) -> None:
    """However often the title is repeated: its letters are Macedonian, or Persian, at nearly the cost."""
    for times in (10, 20):
        titles = "".join(f"<title>{title} {number}</title>" for number in range(times))
        document = f'<?xml version="1.0" encoding="{label}"?><rss>{titles}</rss>'.encode(label)
        text, resolution, _ = decode(document, f"text/xml; charset={header}")
        assert titles in text
        assert replay(resolution.facts) == resolution


@pytest.mark.parametrize("title", ["Täisekraanrežiim", "Režiim", "šokolaad", "Žanr ja šokolaad"])
def test_letters_count_as_the_page_of_the_answer_reads_them(title: str) -> None:
    """The first KB is cheapest in windows-1252, the other page of Estonian, which has `þ` for `ž`."""
    text, resolution, _ = decode(f"<r><language>et</language><t>{title}</t></r>".encode("cp1257"))
    assert (title in text, resolution.rule) == (True, "L6")
    assert resolution.facts.body.detected is not None
    assert resolution.facts.body.detected.outside == 0
    assert replay(resolution.facts) == resolution


@pytest.mark.parametrize("title", ["Režiim", "Šokolaad", "šokk", "Tšehhi", "garaaž"])
def test_estonian_under_a_western_label(title: str) -> None:
    """`š` and `ž` where Icelandic names have no `ð` and `þ`."""
    titles = f"<language>et</language><t>{title}, öösel ülesanne, jäääär</t>"
    rss = f"<?xml version='1.0' encoding='ISO-8859-1'?><r>{titles}</r>"
    assert title in decode(rss.encode("cp1257")).text


@each(
    ("language", "codec", "title"),
    [
        ("ja", "cp932", "ヘルプコンテンツ"),
        ("ja", "cp932", "行ヘッダー"),
        ("", "cp932", "ョフ"),
        ("", "cp932", "セッション リフレッシュ サポート"),
    ],
)
def test_katakana_is_no_page_of_dos(language: str, codec: str, title: str) -> None:
    tag = f"<language>{language}</language>" if language else ""
    assert title in decode(f"<r>{tag}<t>{title}</t></r>".encode(codec)).text


@pytest.mark.parametrize("label", ["ISO-8859-1", "windows-1252", "US-ASCII"])
@pytest.mark.parametrize("text", ["Le cœur du bœuf, 48 €", "ŒUVRE ET SŒUR", "un œuf"])
def test_signs_within_words_are_letters_of_iso_8859_15(text: str, label: str) -> None:
    head = f"<?xml version='1.0' encoding='{label}'?><r><language>fr</language>"
    assert text in decode(f"{head}{text}</r>".encode("iso8859-15")).text


@pytest.mark.parametrize(
    "text",
    ["1½ kg, ¼ l", "5¾ x 3½", "Mu¨ller, franc¸ais", "“c½ur”", "X ½Y, 2x½a, XL½M", "R½C, A¾X, ½dip"],
)
def test_signs_beside_words_are_signs(text: str) -> None:
    rss = f"<?xml version='1.0' encoding='windows-1252'?><r>{text}</r>"
    assert decode(rss.encode("cp1252"), declaration="keep").text == rss


def test_letters_of_utf_8_within_words_are_no_letters_of_iso_8859_15() -> None:
    """`ý` and `è` end with BD and A8."""
    body = b"<?xml version='1.0' encoding='ISO-8859-1'?><r>no\xebl v\xc3\xbdrobek \xc3\xa8b</r>"
    assert "noël výrobek èb" in decode(body).text


@each(
    ("language", "codec", "title"),
    [
        ("sk", "cp1250", "Upraviť stránku. Nepodarilo sa nájsť vhodný disk."),
        ("ja", "cp932", "リリースグループ名"),
    ],
)
def test_bytes_that_no_western_text_has_and_a_named_language(language: str, codec: str, title: str) -> None:
    """9D is no sign at the end of a word; two leads are enough where the text costs much less."""
    body = f"<rss><language>{language}</language><title>{title}</title></rss>".encode(codec)
    assert title in decode(body, "text/xml; charset=ISO-8859-1").text


OF_MAC = {
    "fr": "Les élèves étaient très fatigués après la fête|Où est le château de la forêt ?|"
    "À l’école, déjà l’été|Le père a prêté son vélo à Zoé|Une tempête a frappé la côte|"
    "Hélène achète des légumes frais|Le maçon a reçu ses pièces détachées|Les frères Lumière à Besançon",
    "de": "Grüße aus München|Schöne Bücher für Mädchen|Äpfel, Öl und Übermut|Straße gesperrt für Züge|"
    "Größere Häuser müssen geprüft werden|Die Bäume blühen früh|Ältere Brüder und Schwestern grüßen",
    "sv": "Nyheter från Göteborg och Malmö|Så åker vi till Åre på påsk|Älgen går över vägen|"
    "Höga räntor för hushållen|Svårt läge på börsen|Många människor söker arbete i höst",
    "pl": "Zażółć gęślą jaźń|Święta są blisko|Późną nocą wyją wilki|Źdźbło trawy rośnie przy ścieżce|"
    "Dziękuję za życzenia|Największa łódź świata",
}


@each(
    ("language", "codec"),
    [("fr", "mac_roman"), ("fr", "cp850"), ("de", "mac_roman"), ("sv", "mac_roman"), ("pl", "mac_latin2")],
)
def test_text_of_mac_and_dos_under_a_western_label(language: str, codec: str) -> None:
    titles = "".join(f"<t>{title}</t>" for title in OF_MAC[language].replace("’", "'").split("|"))
    body = f"<r><language>{language}</language>{titles}</r>".encode(codec)
    assert titles in decode(body, "text/xml; charset=ISO-8859-1").text


def test_letters_of_the_named_language_are_no_page_of_mac() -> None:
    """`á` is `·` in x-mac-croatian, which has fewer of the letters."""
    title = "Dátum a čas poslednej zmeny položky"
    assert "Dátum a čas" in decode(f"<r><language>sk</language>{title}</r>".encode("iso8859_2")).text


@each(
    ("language", "codec", "title"),
    [
        ("ja", "euc_jp", "グループ名"),
        ("ko", "euc_kr", "추가"),
        ("ko", "euc_kr", "코멘트 추가"),
        ("zh-CN", "gbk", "无效的行号"),
        ("zh-TW", "big5", "自動更新"),
    ],
)
def test_words_of_the_named_language_hold_sequences_of_utf_8_by_chance(
    language: str, codec: str, title: str
) -> None:
    for times in (1, 11, 40):
        titles = f"<t>{title}</t>" * times
        found = decode(f"<r><language>{language}</language>{titles}</r>".encode(codec))
        assert titles in found.text
        assert replay(found.resolution.facts) == found.resolution


@each(("codec", "title", "times"), [("euc_jp", "この項目は必須です。", 7), ("cp874", "เส้นทางนำทาง", 2)])
def test_a_repeated_title_makes_chance_sequences_no_more_certain(codec: str, title: str, times: int) -> None:
    titles = f"<t>{title}</t>" * times
    assert decode(f"<r>{titles}</r>".encode(codec)).text == f"<r>{titles}</r>"


@each(
    ("language", "text"),
    [
        ("el", b"\xce\x89\xcf\xce\xbf\xcf\x82"),
        ("th", b"\xe0\xb8\xab\xe0\xb8\xa3\xb8\xb7\xe0\xb8\xad"),
        ("zh", b"\xe6\x98\xe7\xa4\xba \xe9\x80\x89\xe9\xa1\xb9"),
    ],
)
def test_utf_8_of_the_named_language_that_lost_bytes(language: str, text: bytes) -> None:
    """A page of the language decodes all of it, too, but its sequences are of one script."""
    body = f"<r><language>{language}</language><t>".encode() + text + b"</t></r>"
    found = decode(body).resolution
    assert found.encoding == "UTF-8"
    assert replay(found.facts) == found


@each(
    ("codec", "titles"),
    [
        ("cp1257", ["Dabartinė puslapio būsena:", "Nėra darbo eigos"]),
        ("cp1250", ["Pogrešna inačica"]),
        ("cp874", ["ปุ่มกดวิทยุ"]),
    ],
)
def test_a_section_is_no_text(codec: str, titles: list[str]) -> None:
    """`CDATA` was judged as if it were capitals of the title."""
    plain, section = ("".join(form.format(title) for title in titles) for form in ("<t>{}</t>", CDATA))
    assert decode(f"<r>{plain}</r>".encode(codec)).text == f"<r>{plain}</r>"
    assert decode(f"<r>{section}</r>".encode(codec)).text == f"<r>{section}</r>"


CDATA = "<t><![CDATA[{}]]></t>"


NO_WESTERN = [case for case in CASES if case["rule"] == "L6"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("label", ["ISO-8859-1", "windows-1252", "iso-8859-15"])
@each("case", NO_WESTERN, ids=lambda case: case["why"])
def test_a_western_label_over_the_letters_of_another_language(case: dict[str, Any], label: str) -> None:
    """In memory, in pieces, and through `parse`; the decision replays."""
    tag, title = case["why"].split("-")[0], case["text"].split("<title>")[1].split("</title>")[0]
    tag = {"tw": "zh-TW"}.get(tag, tag)
    text = (
        f'<?xml version="1.0" encoding="{label}"?><rss><channel><language>{tag}</language>'
        f"<title>{title}</title></channel></rss>"
    )
    document = text.encode(case["codec"])
    found, resolution, _ = decode(document, declaration="keep")
    assert (found, resolution.rule) == (text, "L6")
    assert "principle 6: the letters are " in resolution.steps[0].why
    assert replay(resolution.facts) == resolution == resolve(document, complete=True)
    for size in (1, 7, 4096):
        decoder = XmlDecoder(declaration="keep")
        parts = [decoder.decode(document[at : at + size]) for at in range(0, len(document), size)]
        assert "".join(parts) + decoder.decode(b"", True) == text
        assert decoder.resolution == resolution
    assert parse(document).findtext("channel/title") == title


TITLES = [
    ("uk", "koi8-u", "Пароль занадто поширений"),  # KOI8-R without the language: the same text
    ("ru", "koi8-r", "Пароль не задан."),
    ("bg", "koi8-r", "Не е дадена недела"),
    ("ru", "cp1251", "У любви нет советчиков."),  # `”` of x-mac-cyrillic
    ("bg", "cp1251", "Път към файл"),  # Greek without it
    ("fa", "cp1256", "محتوا ناشناخته"),  # ISO-8859-6 without it
    ("he", "cp1255", "אפס את סיסמתי"),  # here and below, the bytes are those of western letters
    ("he", "iso8859-8", "תוצאות החיפוש"),
    ("ar", "iso8859-6", "اسم المستخدم"),
    ("mk", "cp1251", "Нова лозинка"),
    ("zh-TW", "gbk", "颱風過後，漁民忙著修補漁網，縣政府宣布受災戶可以申請補助"),  # half is not in GB 2312
]


@each(
    ("language", "title"),
    [("mt", "Olandiż, Medjevali"), ("mt", "Ħong Kong"), ("eo", "Ŝanĝoj"), ("eo", "Malsukcesis skribi ĉapon")],
)
def test_a_seldom_page_of_the_language_that_is_named(language: str, title: str) -> None:
    text = f"<a><language>{language}</language><title>{title}</title></a>"
    assert decode(text.encode("iso8859-3")).text == text
    assert decode(text.partition("<title>")[2].encode("iso8859-3")).resolution.encoding != "ISO-8859-3"


ESTONIAN = [
    "Film „Kevade“ linastub täna",
    "Raamat „Tõde ja õigus“ ilmus",
    "Näitus „Öö linnas“ avati Tartus",
    "Tšehhi režissöör räägib „Päevast“",
]


@each("codec", ["iso8859-13", "cp1257"])
@each("language", ["", "<language>et</language>"])
def test_quotation_marks_of_estonian_are_no_signs_of_another_page(language: str, codec: str) -> None:
    """In ISO-8859-13 they are `¥` and `´` of windows-1252."""
    for titles in (ESTONIAN, *([title] for title in ESTONIAN)):
        text = f"<a>{language}{''.join(map('<t>{}</t>'.format, titles))}</a>"
        assert decode(text.encode(codec)).text == text


@each(("language", "codec", "title"), TITLES, ids=lambda part: part)
def test_one_title_of_the_named_language(language: str, codec: str, title: str) -> None:
    text = f"<a><language>{language}</language><title>{title}</title></a>"
    declaration = "<?xml version='1.0' encoding='ISO-8859-1'?>"
    for document in (text.encode(codec), (declaration + text).encode(codec)):
        decoded = decode(document)
        assert (decoded.text.endswith(text), decoded.resolution.rule) == (True, "L6")
        assert replay(decoded.resolution.facts) == decoded.resolution


@each(
    ("label", "codec", "title"),
    [
        ("GB2312", "big5", "選擇時間及地點"),
        ("GB2312", "cp932", "新しい表示"),
        ("EUC-KR", "gbk", "请选择时间"),
        ("Big5", "gbk", "请选择时间"),
        ("EUC-JP", "euc_kr", "사용자 이름을 입력"),
    ],
)
def test_a_short_title_under_the_label_of_another_east_asian_charset(
    label: str, codec: str, title: str
) -> None:
    text = f"<?xml version='1.0' encoding='{label}'?><a>{title}</a>"
    found = decode(text.encode(codec), declaration="keep")
    assert (found.text, found.resolution.rule) == (text, "L6")
    assert replay(found.resolution.facts) == found.resolution


@each(
    ("label", "codec", "title"),
    [
        ("GBK", "gbk", "呼叫堆疊"),
        ("GBK", "gbk", "コメントの投稿"),
        ("EUC-KR", "euc_kr", "번역 알림"),
        ("GB18030", "gb18030", "ン状態が続いてい"),  # one letter would be foreign in Big5
    ],
)
def test_a_short_title_of_rare_characters_keeps_its_label(label: str, codec: str, title: str) -> None:
    text = f"<?xml version='1.0' encoding='{label}'?><a>{title}</a>"
    assert decode(text.encode(codec)).resolution.encoding == label


def test_a_false_language_does_not_refuse_the_label_of_another_script() -> None:
    """Without it the letters are those of windows-1251."""
    title = "<a><language>he</language><title>Сайтта карарга</title></a>"
    document = ("<?xml version='1.0' encoding='x-mac-cyrillic'?>" + title).encode("mac_cyrillic")
    assert decode(document).resolution.encoding == "x-mac-cyrillic"


def test_a_language_that_the_label_is_not_known_for_refuses_no_page_with_its_letters() -> None:
    """Mongolian is in the table of windows-1251, which reads the first letter as a quotation mark."""
    title = "Суулт сэргээхэд хэрэглэгдэх цонхны цор ганц таних тэмдэг"
    document = f"<?xml version='1.0' encoding='x-mac-cyrillic'?><title>{title}</title>"
    assert decode(document.encode("mac_cyrillic")).resolution.encoding == "x-mac-cyrillic"


@each("title", ["Mât khẩu mới của bạn", "Người dùng đã được thêm"])
@each("label", ["ISO-8859-1", "windows-1252"])
def test_a_vietnamese_title_that_no_language_is_named_for(title: str, label: str) -> None:
    text = f"<?xml version='1.0' encoding='{label}'?><a>{title}</a>"
    found = decode(text.encode("cp1258"), declaration="keep")
    assert (found.text, found.resolution.encoding) == (text, "windows-1258")


HONEST = [
    ("", "PERÒ, però, più; È così"),
    ("", "Jõe ýmir ò"),
    # The language that is named, and a western title: its label stands.
    ("fr", "L’été à Évian"),
    ("ru", "L’été à Évian, la mer était belle et les élèves étaient déjà rentrés"),
    ("lt", "Kunne ikke tilføje loginkortlægning på øen, sagde Jørgen Ærø"),
    ("hu", "João Camões"),
    ("hu", "á é í ó ö ú ü"),
    ("pl", "Der Fußgänger in Köln übt schön für fünf Übungen"),
    ("ja", "NONE (EI MITÄÄN)"),
    ("zh", "LISÄÄ KÄYTTÄJÄ"),
    ("el", "Ágnes, Émile, Óscar"),
    ("tr", "Blåbærgrød på øen"),
    ("", "ÄÖÜäöü ÀÉÈÊ"),
    ("", "……… ———— °°°° ««««"),
    ("", "àâçéèêëîïôûùüÿ"),
    ("", "ÀÂÇÉÈÊËÎÏÔÛÙÜŸ"),
    ("", "¤¤¤¤ £££€€€ m³ CO² ¿Qué? ¯¯¯¯"),
    ("ru", "Kaliber 7,62×39 ±2 mm, 10÷20"),
    ("ru", "††† ‡‡"),
    ("he", "ÉÉÉÉ ÀÉÈÊ ÇÉÀÎ"),
    ("pl", "100 m³ wody, 200 m³ gazu"),
    ("ro", "1ª 2º"),
    ("zh-CN", "ÍÑIGO ÑÍGUEZ"),
    ("zh-CN", "¯¯¯¯"),
]


@each(("tag", "title"), HONEST)
@each("label", ["ISO-8859-1", "windows-1252"])
def test_a_true_western_label_stands(tag: str, title: str, label: str) -> None:
    text = (
        f'<?xml version="1.0" encoding="{label}"?><rss><language>{tag}</language><title>{title}</title></rss>'
    )
    found = decode(text.encode("cp1252"), declaration="keep")
    assert (found.text, found.resolution.encoding) == (text, label)


def test_a_western_label_stands_without_the_letters() -> None:
    document = "<?xml version='1.0' encoding='ISO-8859-1'?><a>Завтра читают сказки для детей</a>".encode(
        "cp1251"
    )
    assert resolve(document, complete=True).encoding == "windows-1251"
    for detector in (None, lambda data: "windows-1251"):
        assert resolve(document, complete=True, detector=detector).encoding == "ISO-8859-1"


@each(
    ("codec", "text"),
    [
        ("gb18030", "今天河边举行灯会，天气"),
        ("shift_jis", "今日は雨が降っているので"),
        ("euc_jp", "今日は雨が降っているので"),
        ("big5", "今天下雨了，所以我想在家裡看書"),
        ("euc_kr", "오늘은 비가 와서 집에서 책을 읽으려고"),
    ],
)
def test_a_few_letters_beside_a_byte_that_their_charset_lacks_refuse_no_label(codec: str, text: str) -> None:
    body = text.encode(codec)
    for inserted, refused in ((b"", True), (b"\xff", False)):
        document = b"<rss><title>" + body[:8] + inserted + body[8:] + b"</title></rss>"
        found = resolve(document, "text/xml; charset=iso-8859-1", complete=True)
        assert (found.encoding != "ISO-8859-1") == refused


@pytest.mark.parametrize("label", EAST_ASIAN)
def test_damaged_text_keeps_its_east_asian_label(label: str) -> None:
    """One byte in twenty is lost: the label still decodes most."""
    text = {"EUC-KR": "오늘은 비가 와서 집에서 책을 읽으려고 합니다. "}.get(
        label, "今日午後市長大雨東京電車人家山水花"
    )
    damaged = bytearray((text * 3).encode(label, "ignore"))
    for place in range(10, len(damaged), 20):
        damaged[place] = 0xFF
    document = f'<?xml version="1.0" encoding="{label}"?><a>'.encode() + damaged + b"</a>"
    assert resolve(document, complete=True).encoding == label


def test_characters_that_are_not_common_are_no_evidence_for_a_damaged_label() -> None:
    """EUC-JP decodes as Shift_JIS, into half-width katakana."""
    text = "今日は雨が降っているので、家で本を読もうと思います。明日は友達と映画を見に行く予定です。"
    document = b"<?xml version='1.0' encoding='Shift_JIS'?><a>" + text.encode("euc-jp") + b"</a>"
    assert (decode(document).resolution.encoding, text in decode(document).text) == ("EUC-JP", True)


@pytest.mark.parametrize(
    ("label", "answer", "why"),
    [
        ("KOI8-R", (10, 1), None),
        ("KOI8-R", (9, 1), "KOI8-R fits best, but 1 of 9 letters would be foreign in Russian"),
        ("GB18030", (1, 0), None),
        ("windows-1250", (0, 0), "windows-1250 fits best, but 0 of 0 letters would be foreign in Russian"),
        (
            "windows-1252",
            (500, 0),
            "the letters (а, я) fit windows-1252, which is read by convention",
        ),
    ],
)
def test_how_many_letters_are_enough(label: str, answer: tuple[int, int], why: str | None) -> None:
    detected = Detected(label, "letters", "Russian", "ая", *answer, "the domain is .ru")
    assert enough_letters(by_name(label), detected) == why


def test_clearly_cheaper_letters_are_enough_with_foreign_names() -> None:
    """Where they cost clearly less than in a western language, one in three may be foreign."""
    found = Detected("windows-1250", "letters", "Polish", "łż", 9, 3, less=71)
    cases = [
        (found, False, None),
        (found._replace(less=70), False, "3 of 9 letters"),
        (found._replace(outside=4), False, "4 of 9 letters"),
        (found, True, "3 of 9 letters"),
        (found._replace(label="windows-874"), False, "3 of 9 letters"),
        (found._replace(label="windows-874", named="the domain is .th"), False, None),
    ]
    for answer, among_utf8, why in cases:
        reason = enough_letters(by_name(answer.label), answer, among_utf8)
        assert reason is None if why is None else why in (reason or ""), answer


WITH_NAMES = [
    ("pl", "cp1250", "Gerhard Schröder z wizytą w Łodzi|Dvořák w filharmonii|Pogoda: burze i śnieg"),
    ("pl", "iso8859-2", "Gerhard Schröder z wizytą w Łodzi|Dvořák w filharmonii|Pogoda: burze i śnieg"),
    ("hr", "cp1250", "Müller i Łukasz u Župi|Vozači čekaju već šest sati|Châtelet: kôd je pročitan"),
    ("lt", "cp1257", "Müller žaidė Šiauliuose|Koncertas: Wałęsa ir Čapek|Kitą savaitę šalčiau, lis ir snigs"),
    ("hu", "cp1250", "Dvořák művei Győrben|Łódź és Škoda: két új gyár épül|Hétvégén is hideg marad"),
    ("tr", "cp1254", "Beyoncé İstanbul'a geliyor|Nestlé fabrika kapatıyor"),
]


@each(("language", "codec", "titles"), WITH_NAMES, ids=lambda part: part)
@each("label", ["", ' encoding="UTF-8"'])
def test_foreign_names_do_not_hide_the_letters(language: str, codec: str, titles: str, label: str) -> None:
    items = "".join(f"<item><title>{title}</title></item>" for title in titles.split("|"))
    document = f"<?xml version='1.0'{label}?><rss><language>{language}</language>{items}</rss>"
    assert items in decode(document.encode(codec)).text


CANTONESE = ["佢哋今日喺香港嘅會議上面傾咗好耐，但係冇結果。", "你哋睇咗呢本書未呀？", "啲人話聽日會落大雨"]


@each("codec", ["big5hkscs", "gbk", "gb18030"])
@each("label", ["", ' encoding="UTF-8"'])
@each("number", [1, 2, 3])
def test_cantonese(codec: str, label: str, number: int) -> None:
    """It has characters that are not common in any standard."""
    items = "".join(f"<item><title>{title}</title></item>" for title in CANTONESE[:number])
    assert items in decode(f"<?xml version='1.0'{label}?><rss>{items}</rss>".encode(codec)).text


CODECS = {
    **dict.fromkeys(("fr", "de", "es", "pt", "sv", "en"), ("cp1252",)),
    "ru": ("cp1251", "koi8-r", "iso8859-5", "cp866"),
    "uk": ("cp1251", "koi8-u"),
    "bg": ("cp1251", "iso8859-5"),
    "el": ("cp1253", "iso8859-7"),
    "he": ("cp1255",),
    "ar": ("cp1256",),
    "th": ("cp874",),
    "ja": ("cp932", "euc_jp"),
    "ko": ("euc_kr",),
    "zh-Hans": ("gb2312", "gb18030"),
    "zh-Hant": ("big5", "gbk", "gb18030"),
    "cs": ("cp1250", "iso8859-2"),
    "pl": ("cp1250", "iso8859-2"),
    "hu": ("cp1250", "iso8859-2"),
    "tr": ("cp1254",),
    "lt": ("cp1257",),
}


@each(("language", "codec"), [(one, codec) for one in CODECS for codec in CODECS[one]])
def test_whole_feeds(language: str, codec: str) -> None:
    """The texts of the fixtures, without any label."""
    feed = tomllib.loads((FIXTURES / "texts" / f"{language}.toml").read_text(encoding="utf-8"))
    text = "".join(f"<item><title>{item['title']}</title>{item['html']}</item>" for item in feed["items"])
    document = text.encode(codec, "xmlcharrefreplace")
    read = decode(document)
    assert read.text == document.decode(codec)
    assert read.resolution.rule == ("L6" if codec != "cp1252" else "L7" if not text.isascii() else "1.0")


@pytest.mark.parametrize("language", ["fr", "de", "es", "pt", "sv", "en"])
def test_short_western_texts_stay(language: str) -> None:
    feed = tomllib.loads((FIXTURES / "texts" / f"{language}.toml").read_text(encoding="utf-8"))
    for item in feed["items"]:
        for text in (item["title"], item["author"], item["html"]):
            document = f"<a>{text}</a>".encode("cp1252", "xmlcharrefreplace")
            assert decode(document).text == document.decode("cp1252")


@pytest.mark.parametrize(
    ("codec", "title"),
    [
        ("cp874", "พยากรณ์อากาศวันนี้"),
        ("euc_jp", "天気予報は晴れ、風は弱い"),
        ("gb2312", "今天天气晴朗，适合出门"),
        ("euc_kr", "오늘의 날씨는 맑습니다"),
    ],
)
def test_sequences_by_chance_are_no_utf8(codec: str, title: str) -> None:
    """Bytes of one charset are never read partly as UTF-8, partly as windows-1252."""
    document = f"<rss><title>{title}</title></rss>".encode(codec)
    text, resolution, _ = decode(document)
    assert (text, resolution.rule) == (document.decode(codec), "L6")
    text, resolution, _ = decode(document, detector=None)
    assert (text, resolution.encoding) == (decode(document, encoding="windows-1252").text, "windows-1252")
    assert replay(resolution.facts) == resolution


def test_sequences_that_are_hardly_letters_are_no_utf8() -> None:
    titles = "<title>เรียล กัมพูชา</title><title>ดูข้อจำกัดต่างๆ</title>"
    document = f"<rss><language>th</language>{titles}</rss>".encode("cp874")
    text, resolution, _ = decode(document)
    assert text == document.decode("cp874")
    assert replay(resolution.facts) == resolution


def test_letters_one_by_one_do_not_show_that_sequences_stand_by_chance() -> None:
    """Only words of another charset do; so no detector is called where UTF-8 of many scripts is mixed."""
    title = "Русский, Ελληνικά, 日本語, 한국어, ไทย, עברית, العربية"
    document = f"<rss><title>{title}".encode() + " café naïve pâté über noël".encode("cp1252") * 5
    text, resolution, _ = decode(document, detector=lambda _: "windows-1251")
    assert (text, resolution.encoding) == (f"<rss><title>{title}" + " café naïve pâté über noël" * 5, "UTF-8")


@pytest.mark.parametrize("word", ["เรียกคืน", "จำนวนการอ้าง", "ดูรังโก", "อูรดู", "ยกเลิก", "ฟัลกอง", "เทาปานกลาง"])
def test_words_with_more_damage_than_lost_bytes_are_no_utf8(word: str) -> None:
    """One to three sequences by chance, beside bytes that no lost byte leaves."""
    document = f"<rss><title>{word}</title></rss>".encode("cp874")
    text, resolution, _ = decode(document)
    assert (text, resolution.encoding, resolution.rule) == (document.decode("cp874"), "windows-874", "L6")
    assert replay(resolution.facts) == resolution
    assert decode(document, detector=lambda _: "TIS-620").resolution.rule == "L6"
    assert decode(document, detector=None).resolution.encoding in ("UTF-8", "windows-1252")
    named = b"<?xml version='1.0' encoding='utf-8'?>" + document
    assert decode(named).resolution.encoding == "UTF-8"


@pytest.mark.parametrize(
    "title",
    [
        b"\xd0\x90\xd1\x81\xd1\xd0",
        b"\xd0\xaf\xd0\xb3\xd0\xfc",
        b"\xd0\xba\xd0\xb0\xd0\xbb?\xb0\xd0\xbd\xd0\xb3\x93\xb0",
    ],
)
def test_titles_in_damaged_utf8_are_of_one_script(title: bytes) -> None:
    assert decode(b"<rss><title>%b</title></rss>" % title).resolution.encoding == "UTF-8"


def test_true_titles_that_lost_a_byte_stay_utf8() -> None:
    for title in ("Ünïcödé", "Приве", "Ελλά", "日本", "ދިވެހި"):
        document = f"<t>{title}</t>".encode()
        high = next(at for at, byte in enumerate(document) if byte > 0x7F)
        resolution = decode(document[: high + 2] + document[high + 3 :] + b"<t>\xe9</t>").resolution
        assert resolution.encoding == "UTF-8"
        assert replay(resolution.facts) == resolution


def test_an_east_asian_label_over_another_charset_is_no_named_answer() -> None:
    text = "<?xml version='1.0' encoding='euc-jp'?><t>明日は雨が降り、風が強くなるでしょう</t>"
    document = text.encode("cp932")
    decoded = decode(document, declaration="keep")
    assert (decoded.text, decoded.resolution.encoding, decoded.resolution.rule) == (text, "Shift_JIS", "L6")
    assert replay(decoded.resolution.facts) == decoded.resolution
    # The same label over its own text, which a few bytes damage, stays.
    document = text.encode("euc_jp")
    for at in (70, 80):
        document = document[:at] + b"\xff" + document[at:]
    assert decode(document).resolution.encoding == "EUC-JP"


RUSSIAN = "Ошибка при сохранении документа, попробуйте повторить позднее"
KOREAN = "이 메시지가 보이는 이유는 이 사이트에서 양식을 보낼 때 쿠키가 필요하기 때문입니다"
THAI = "คุณแน่ใจว่าคุณต้องการจะลบสิ่งนี้หรือไม่ ปล่อยให้ว่างถ้าไม่ต้องการ"


@each("label", ["GB2312", "GB18030", "Big5", "EUC-JP", "EUC-KR"])
@each(("codec", "text"), [("koi8-r", RUSSIAN), ("iso8859-5", RUSSIAN), ("cp949", KOREAN), ("cp874", THAI)])
@each("times", [1, 300])
def test_letters_of_another_charset_under_an_east_asian_label(
    label: str, codec: str, text: str, times: int
) -> None:
    """KOI8-R and Korean decode as GB 2312, into common characters, but not into frequent ones."""
    document = f"<?xml version='1.0' encoding='{label}'?><a>{f'<b>{text}</b>' * times}</a>"
    decoded = decode(document.encode(codec), declaration="keep")
    assert decoded.text == document
    assert replay(decoded.resolution.facts) == decoded.resolution


@each(
    ("label", "codec", "text"),
    [
        ("EUC-JP", "euc_jp", "長生郡睦沢町 山武郡横芝光町 西東京市"),
        ("EUC-JP", "euc_jp", "ｲﾝﾀｰﾈｯﾄﾆｭｰｽﾃﾚﾋﾞﾗｼﾞｵｼﾝﾌﾞﾝ" * 4),
        ("Shift_JIS", "cp932", "ｲﾝﾀｰﾈｯﾄﾆｭｰｽﾃﾚﾋﾞﾗｼﾞｵｼﾝﾌﾞﾝ" * 4),
        ("GB18030", "gb18030", "马鞍山 甘肃省 洪 翁 北马其顿 凌 柴 布隆迪 尼泊尔"),
        ("GB18030", "gb18030", "紐西蘭 惠珍 哲瑋 博文 新北投 梁 巴布亞紐幾內亞 芬蘭 劉"),
        ("Big5", "big5hkscs", "聖赫倫那島、阿森松島及崔斯坦達庫尼亞群島"),
        ("EUC-KR", "cp949", "횡성 훤칠 뷔페 쉼표 젖소 튤립 팥빙수"),
        # Kana have the same bytes in GBK and EUC-JP. Two characters of the first text are none of EUC-JP.
        ("GBK", "gbk", "不十分なパラメータ設定のため、ホットスタンバイを使用できません"),
        ("GB18030", "gb18030", "ソケットのウィンドウ 不正な文の名前: 空ではいけません"),
        (
            "GB2312",
            "gb2312",
            "未知のファイルタイプ, 通常ファイルとして抽出。入力ファイルと出力ファイルが同じです",
        ),
        # Hanja, which Korean uses seldom.
        ("EUC-KR", "euc_kr", "最近編輯 日期/時間 編輯任意頁面 本月 巴斯克語"),
        ("EUC-JP", "euc_jp", "頁面類型 是否需要在自動生成的選單中出現此頁面的"),
    ],
)
def test_lists_of_names_keep_their_east_asian_label(label: str, codec: str, text: str) -> None:
    """They hold few frequent characters, and no more of another charset. So does text in a language that the
    charset is not made for."""
    document = f"<?xml version='1.0' encoding='{label}'?><a>{text}</a>".encode(codec)
    assert decode(document).resolution.encoding == label


def test_more_than_the_beginning_refuses_an_east_asian_label() -> None:
    """The letters of the first KB are Korean; of 4 KB most characters are frequent Chinese ones."""
    korean, chinese = (
        (f"<b>{KOREAN}</b>" * 15).encode("cp949"),
        ("<b>我们在这个地方看到的是中国人</b>" * 200).encode("gbk"),
    )
    document = b"<?xml version='1.0' encoding='GB2312'?><a>" + korean + chinese + b"</a>"
    resolution = decode(document).resolution
    assert (resolution.encoding, resolution.rule) == ("GB2312", "1.2")
    assert replay(resolution.facts) == resolution
    assert decode(document.replace(chinese, b"")).resolution.encoding == "EUC-KR"


KATAKANA = "カリフォルニア|フロリダ|テキサス|オレゴン|ネバダ"
FINNISH = (
    "Lisää rakennus|Hyväksytty|Ylläpito|Säännöt|Näytä lisää|Hyökkäysvoima|Yksikkötyyppi|Tekoäly|Peitä päätös"
)
CZECH = "angličtina|čeština|slovenština|polština|maďarština|italština|španělština|francouzština|portugalština"


@each(
    ("language", "codec", "titles"),
    [
        ("ja", "cp932", KATAKANA + "|薔薇"),  # one rare character among many
        ("", "cp932", KATAKANA + "|薔薇"),
        ("ja", "cp932", "オレジャナ|ドンナイ|屏東"),
        ("cs", "cp1250", CZECH),  # most letters are those of Croatian
        ("cs", "iso8859-2", CZECH),
        ("bg", "cp1251", "Бледолилаво!|Текст|Довиждане!"),  # no Arabic
        ("ru", "cp1251", "Благоевград|Шибенско-Книнска|Прейльский край"),
        ("bg", "cp1251", "Чаморо|Чеченски|Фиджийски"),  # `„аморо` in Mac
        ("bg", "cp1251", "Чокто|Чешки|батакски езици|Татарски"),
        ("bg", "mac_cyrillic", "„Чаморо“ и „чеченски“|Фиджийски език|„Довиждане!“"),
        ("ru", "cp1251", "С новым годом"),  # `— новым годом` in Mac
        ("", "cp1251", "К вопросу о ценах и скидках"),
        ("fi", "mac_roman", FINNISH),  # `LisŠŠ`
        ("", "mac_roman", FINNISH),
        ("pl", "cp1250", "Łotwa|Republika Łotewska"),  # `£otwa`
        ("pl", "cp1250", "Łotwa|Ławka|Łuk"),
        ("cs", "iso8859-2", "Žilina"),  # `®ilina`
        ("hr", "iso8859-2", "Šunka|Škola|Žena"),
        ("en-GB", "cp1252", "Pictures ©photographers, ®eBay and £k|café"),
        ("pl", "iso8859-2", "Republika Łotewska|Republika Libańska"),
        ("en-GB", "cp1252", "It is £5 – or £10|Prices in £, not in €|café"),
        ("eo", "iso8859-3", "La vilaĝo|Neĝo|mesaĝo|ĉiuj aliĝintaj|La reĝo"),  # `vilaøo`
        ("eo", "iso8859-3", "ĉiuj vilaĝoj"),
        ("da", "cp1252", "øl og æbler|søvn|blå himmel"),
    ],
)
def test_lists_in_the_language_that_is_named(language: str, codec: str, titles: str) -> None:
    items = "".join(f"<item><title>{title}</title></item>" for title in titles.split("|"))
    tag = f"<language>{language}</language>" if language else ""
    body = f"<rss><channel>{tag}{items}</channel></rss>"
    text, resolution, _ = decode(body.encode(codec))
    assert text == body
    assert replay(resolution.facts) == resolution


def test_reasons_for_people() -> None:
    """The first line of `explain()`."""
    cases = [
        (b"<a>\xc3\xa9</a>", None, "Read as UTF-8: nothing names another."),
        (
            b"\xef\xbb\xbf<a>\xc3\xa9</a>",
            None,
            "Read as UTF-8: the BOM says UTF-8 and nothing contradicts it.",
        ),
        (
            b"<?xml version='1.0' encoding='Unicode'?><a>\xc3\xa9</a>",
            None,
            "Read as UTF-8 although the declaration names Unicode: the bytes are well-formed UTF-8.",
        ),
        (
            b"<?xml version='1.0' encoding='iso8859-1'?><a>" + "Žižkov, ".encode() * 8 + b"\xff",
            None,
            "Read as UTF-8 although the declaration names ISO-8859-1: "
            "the bytes are UTF-8 (16 sequences, 1 damaged).",
        ),
        (
            b"<?xml version='1.0' encoding='iso8859-1'?><a>" + "Žižkov, ".encode() * 8,
            None,
            "Read as UTF-8 although the declaration names ISO-8859-1: "
            "the bytes are UTF-8 (at least 16 sequences, none damaged).",
        ),
        (
            b"<?xml version='1.0' encoding='iso8859-1'?><a>caf\xe9</a>",
            "application/xml",
            "Read as ISO-8859-1: without a BOM the declaration decides.",
        ),
        (
            "<rss><language>cs</language><title>Šťastná</title></rss>".encode("cp1250"),
            "text/xml",
            "Read as windows-1250: the letters are Czech: á, Š, ť; the document names the language cs.",
        ),
        (
            b"Content-Type: text/xml\r\n\r\n<?xml version='1.0' encoding='koi8-r'?>\xf0\xcf\xc7\xcf\xc4\xc1",
            None,
            "Read as KOI8-R: an XML declaration further down, at byte 26, names it.",
        ),
        (
            b"<?XML VERSION='1.0' ENCODING='KOI8-R'?><a>\xf0\xcf\xc7\xcf\xc4\xc1",
            None,
            "Read as KOI8-R: an XML declaration that is misspelt names it.",
        ),
        (
            f"<?xml version='1.0' encoding='iso-8859-1'?><a>{RUSSIAN}</a>".encode("cp1251"),
            None,
            "Read as windows-1251 although the declaration names ISO-8859-1: "
            "the letters are Russian: о, д, а, м, т; in windows-1251.",
        ),
        (
            f"<?xml version='1.0' encoding='koi8-r'?><a>{RUSSIAN}</a>".encode("koi8-r"),
            "text/xml; charset=iso-8859-1",
            "Read as KOI8-R although the Content-Type names ISO-8859-1: a charset of ISO-8859-1 is often a "
            "server's default, and the declared encoding can be true.",
        ),
        (
            f"<?xml version='1.0' encoding='windows-1251'?><a>{RUSSIAN}</a>".encode(),
            "text/xml; charset=iso-8859-1",
            "Read as UTF-8 although the Content-Type names ISO-8859-1 and the declaration names windows-1251:"
            " the bytes are UTF-8 (at least 16 sequences, none damaged).",
        ),
        (
            b"\xef\xbb\xbf<?xml version='1.0' encoding='windows-1252'?><a>caf\xe9 d\xe9j\xe0</a>",
            "text/xml; charset=windows-1251",
            "Read as windows-1252 although the Content-Type names windows-1251: "
            "the bytes after the UTF-8 BOM are not UTF-8; the declared encoding.",
        ),
        (
            b"\xef\xbb\xbf<a>\xc3\xa9 \xc3\xa9 d\xe9 \xe9</a>",
            "text/xml; charset=us-ascii",
            "Read as UTF-8 although the Content-Type names US-ASCII: "
            "the bytes are UTF-8 (2 sequences, 2 damaged).",
        ),
        (
            b"\xef\xbb\xbf<a>caf\xe9 d\xe9j\xe0 \xe9t\xe9 ann\xe9e</a>",
            "text/xml; charset=windows-1251",
            "Read as UTF-8 although the Content-Type names windows-1251: the BOM is that of UTF-8.",
        ),
        (
            "<?xml version='1.0' encoding='UTF-8'?><a>tức 東京 été ".encode() + 9 * b"caf\xe9 ",
            None,
            "Read as windows-1252 although the declaration names UTF-8: 5 UTF-8 sequences beside 9 runs of "
            "windows-1252 bytes: sequences are read as UTF-8, the rest as windows-1252.",
        ),
    ]
    for document, content_type, first in cases:
        explanation = resolve(document, content_type, complete=True).explain()
        assert explanation.splitlines()[0] == first
        assert "at least 1 damaged run" not in explanation


KOREAN = "오늘은 비가 와서 집에서 책을 읽으려고 합니다. 내일은 친구와 영화를 보러 갈 예정이에요. "
JAPANESE = "今日は雨が降っているので、家で本を読もうと思います。明日は友達と映画を見に行く予定です。"
FULL_WIDTH = "ＮＨＫスペシャルをＶＨＳで見た。"  # a third of its letters
CHINESE = "今天下雨，所以我打算在家看書。明天要和朋友去看電影。"
RUSSIAN = "Сегодня идёт дождь, поэтому я собираюсь читать дома. Завтра мы с другом пойдём в кино. "
HUNGARIAN = "Ma esik, ezért otthon szándékozom olvasni. Találkozunk a moziban és a színházban, ha jó lesz. "
HUNGARIAN_ALONE = "Jövő hétfőn az idő erősen hűvös, esős lesz a hegyekből jövő szélről. "


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("", "euc-kr", "私にスト 雪の華を歌聲で閉じれば" * 10 + KOREAN * 200),
        ("", "euc-jp", (FULL_WIDTH + JAPANESE) * 30),
        ("", "big5", ("Plain words before, with one " + "灣ＯＧＳ. ") * 30 + CHINESE * 100),
        ("", "cp855", RUSSIAN * 10),
        ("ISO-8859-1", "cp855", RUSSIAN * 10),
        ("ISO-8859-1", "euc-kr", "私にスト 雪の華を歌聲で閉じれば" * 10 + KOREAN * 200),
        ("ISO-8859-1", "big5", "一些 " * 3 + "many plain words " * 60 + CHINESE * 100),
        ("ISO-8859-1", "cp1250", "<language>hu</language>" + HUNGARIAN * 20 + HUNGARIAN_ALONE * 5),
    ],
)
def test_the_first_kilobyte_leaves_a_doubt(label: str, codec: str, text: str) -> None:
    """Feeds of other people's collections began so, and were read as windows-1252."""
    declared = f' encoding="{label}"' if label else ""
    document = f'<?xml version="1.0"{declared}?><rss>{text}</rss>'
    assert decode(document.encode(codec), declaration="keep").text == document


def test_western_text_under_the_name_of_another_language_stands_in_a_long_document() -> None:
    text = "Il pleut aujourd'hui, et j'ai décidé de rester à la maison. São Paulo não é a capital. " * 100
    document = f'<?xml version="1.0" encoding="ISO-8859-1"?><rss><language>hu</language>{text}</rss>'
    assert decode(document.encode("cp1252"), declaration="keep").text == document


@pytest.mark.parametrize(
    ("codec", "language", "title"),
    [
        ("koi8-r", "ru", "ПОСЛЕДНИЕ НОВОСТИ РОССИИ И МИРА"),
        ("koi8-r", "", "ПРОГНОЗ ПОГОДЫ НА ЗАВТРА"),  # in windows-1253, final forms stand within words
        ("koi8-r", "", "РОССИЯ И УКРАИНА ДОГОВОРИЛИСЬ"),
        ("koi8-r", "", "КУРС РУБЛЯ ВЫРОС К ДОЛЛАРУ, ГОРОДСКИЕ НОВОСТИ"),
        ("cp1251", "ru", "БАНК РОССИИ ПРЕКРАТИЛ ПОСТАВКИ ЗОЛОТА"),
        ("iso-8859-7", "el", "Η ΟΙΚΟΝΟΜΙΚΗ : ΕΠΙΧΕΙΡΗΣΕΙΣ"),
        ("euc-jp", "ja", "ガンダムのＣＭ（生協の白石さん）"),
    ],
)
def test_titles_in_capitals_and_of_full_width(codec: str, language: str, title: str) -> None:
    """In KOI8-R and windows-1251 the capitals of one are the small letters of the other."""
    document = f"<rss><language>{language}</language><title>{title}</title></rss>"
    assert decode(document.encode(codec)).text == document


@pytest.mark.parametrize("label", ["", "UTF-8"])
@pytest.mark.parametrize("times", [1, 3, 30, 300])
def test_sequences_of_many_scripts_are_no_utf8(label: str, times: int) -> None:
    """EUC-JP makes more UTF-8 sequences than damage, however long it is."""
    document = f'<?xml version="1.0" encoding="{label or "x-unknown"}"?><rss>{JAPANESE * times}</rss>'
    assert decode(document.encode("euc-jp"), declaration="keep").text == document


@each("markup", ["<!-- \xe9 --><a>", "<a b='\xe9'>", "<\xe9>"])
@each("size", [0, 1, 255, 256, 1023, 1024, 1025, 5000, 70000])
def test_the_only_text_beyond_ascii_stands_behind_much_ascii(markup: str, size: int) -> None:
    document = f"{markup}{'x' * size} caf\xe9</a>".encode("cp1252")
    assert decode(document).text == document.decode("cp1252")


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("shift_jis", "Joan Miró"),
        ("gb2312", "Ç"),
        ("shift_jis", "abc àèéìù"),
        ("euc-kr", "Vår"),
        ("big5", "été"),
    ],
)
def test_a_true_western_charset_of_http_stands_before_an_east_asian_declaration(
    label: str, text: str
) -> None:
    """One undecodable place is tolerated under a declaration whose other characters are East Asian text."""
    document = f'<?xml version="1.0" encoding="{label}"?><a>{text}</a>'
    read = decode(document.encode("cp1252"), "text/xml; charset=ISO-8859-1", declaration="keep")
    assert read.text == document


@each("named", [True, False])
@each(
    ("codec", "language", "title"),
    [
        ("cp1255", "he", "החדשות של היום: ראש הממשלה נפגש עם השרים בירושלים פְּנֵי"),
        ("cp1255", "he", "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת הָאָרֶץ"),
        ("cp1256", "ar", "أخبار اليــــوم: اجتمع رئيس الوزراء"),
        ("iso8859-6", "ar", "أخبار اليــــوم: اجتمع رئيس الوزراء"),
        ("cp1256", "ar", "بِسْمِ اللَّهِ الرَّحْمَنِ الرَّحِيمِ الْحَمْدُ لِلَّهِ"),
    ],
)
def test_points_and_tatweel_are_in_words(codec: str, language: str, title: str, named: bool) -> None:
    tag = f"<language>{language}</language>" if named else ""
    document = f"<rss>{tag}<title>{title}</title></rss>"
    assert decode(document.encode(codec)).text == document


@each("first", ["es", "pt", "fr", "de", "sv"])
@each("second", ["es", "pt", "fr", "de", "sv"])
def test_halves_in_utf8_and_in_a_western_page_are_no_east_asian_text(first: str, second: str) -> None:
    """The letters may name EUC-KR; it decodes one character between two bytes that it does not."""
    halves = []
    for language in (first, second):
        prose = tomllib.loads((FIXTURES / "texts" / f"{language}.toml").read_text(encoding="utf-8"))
        texts = [
            prose["title"],
            *(item[name] for item in prose["items"] for name in ("title", "author", "html")),
        ]
        halves.append("".join(f"<p>{text}</p>" for text in texts))
    document = f"<feed>{halves[0]}".encode() + f"{halves[1]}</feed>".encode("cp1252")
    assert decode(document).text == f"<feed>{halves[0]}{halves[1]}</feed>"


LATE = [
    # The charset, the language that is named, text that its pages read alike, and words that they do not.
    ("ISO-8859-7", "", "Τα νέα της ημέρας", "Άνοιγμα, Άλλες"),
    ("windows-1253", "", "Τα νέα της ημέρας", "Άνοιγμα, Άλλες"),
    ("windows-1257", "et", "Täna õhtul külmem", "Tšehhi, žanr"),
    ("windows-1252", "et", "Täna õhtul külmem", "Tšehhi, žanr"),
    ("ISO-8859-15", "et", "Täna õhtul külmem", "Tšehhi, žanr, dušš"),
    ("windows-1252", "", "Säätiedotus tänään yöllä", "Tšekki, Curaçao"),
    ("ISO-8859-13", "lt", "Šiandien žinios iš čia", "„žodis” ir „ežys”"),
    ("ISO-8859-13", "lt", "Šiandien žinios iš čia", "„ ”"),
    ("windows-1257", "lt", "Šiandien žinios iš čia", "„žodis“ ir „ežys“"),
    ("ISO-8859-16", "ro", "Și mâine în țară", "„cuvânt” și „țară”"),
    ("windows-1250", "ro", "Şi mâine în ţară", "„cuvânt” şi „ţară”"),
    ("windows-1250", "ro", "Şi mâine în ţară", "«cuvânt» şi «ţară»"),
]


@each(("charset", "language", "line", "late"), LATE)
def test_the_page_of_a_language_is_that_of_all_its_words(
    charset: str, language: str, line: str, late: str
) -> None:
    """The first KB holds no byte in which the pages differ."""
    titles = [f"{line} {number}" for number in range(99)] + [late]
    items = "".join(f"<item><title>{title}</title></item>\n" for title in titles)
    text = f"<rss><channel><language>{language}</language>\n{items}</channel></rss>"
    found = decode(text.encode(charset))
    assert (found.text, found.resolution.encoding) == (text, charset)
    assert replay(found.resolution.facts) == found.resolution


ASCII_ITEMS = [0, 30, 90, 1500, 20_000]
"""Items of 50 bytes, before those in a language: none, some KB, beyond the samples, 1 MB."""


@pytest.mark.long
@each("gap", ASCII_ITEMS)
@each("label", ["", "utf-8", "iso-8859-1", "windows-1252"])
@each(
    ("charset", "title"),
    [
        ("windows-1251", "Новости области за неделю"),
        ("windows-1253", "Τα νέα της ημέρας"),
        ("windows-1250", "Nový kabel, žluťoučký, příliš dlouhý"),
        ("windows-1252", "Les élèves déjà à l’école"),
    ],
)
def test_a_sign_long_before_the_text_is_no_evidence_of_its_charset(
    gap: int, label: str, charset: str, title: str
) -> None:
    """`©` in the head, and `«` in a comment."""
    named = f' encoding="{label}"' if label else ""
    for head in ("<copyright>© 2024</copyright>", "<!-- « -->"):
        items = ["<item><title>Plain English headline</title></item>\n"] * gap
        items += [f"<item><title>{title} {number}</title></item>\n" for number in range(40)]
        text = "".join([f'<?xml version="1.0"{named}?><rss><channel>', head, *items, "</channel></rss>"])
        assert decode(text.encode(charset), declaration="keep").text == text


@each("gap", [90, 300, 1500])
@each(
    ("language", "codec", "title"),
    [("tr", "cp1254", "Yıl"), ("el", "cp1253", "νέα"), ("uk", "cp1251", "їжа")],
)
def test_the_language_that_stands_in_a_part_without_text_counts(
    gap: int, language: str, codec: str, title: str
) -> None:
    """One word shows no charset by itself."""
    for tag, is_read in (("language", True), ("other", False)):
        head = f"<copyright>© 2024</copyright>{'<x/>' * 400}<{tag}>{language}</{tag}>"
        text = f"<rss>{head}{'<item>Plain</item>' * gap}<title>{title}</title></rss>"
        assert (decode(text.encode(codec)).text == text) is is_read


@each("label", ["", "utf-8"])
@each(
    ("charset", "title"),
    [
        ("windows-1251", "Новости области за неделю: погода, спорт, культура"),
        ("koi8-r", "Новости области за неделю: погода, спорт, культура"),
        ("windows-1253", "Τα νέα της ημέρας: καιρός, αθλητισμός"),
        ("windows-1250", "Nový kabel, žluťoučký, příliš dlouhý"),
        ("cp874", "วันนี้ฝนตกหนักมากในกรุงเทพ"),
        ("Shift_JIS", "今日は雨が降っているので、家で本を読もうと思います。"),
        ("EUC-JP", "今日は雨が降っているので、家で本を読もうと思います。"),
        ("Big5", "今天下雨了，所以我想在家裡看書。"),
        ("EUC-KR", "오늘은 비가 와서 집에서 책을 읽으려고 합니다."),
        ("windows-1252", "Les élèves déjà à l’école, œuvre « été »"),
    ],
)
def test_a_utf8_bom_before_text_that_is_not_utf8_proves_nothing(label: str, charset: str, title: str) -> None:
    """A script that was saved with one writes it before everything. Western text stays damaged UTF-8."""
    named = f' encoding="{label}"' if label else ""
    text = f'<?xml version="1.0"{named}?><rss><channel><title>{title}</title></channel></rss>'
    data = b"\xef\xbb\xbf" + text.encode(charset)
    found = decode(data, declaration="keep")
    assert found.text == text
    assert replay(found.resolution.facts) == found.resolution
    for size in (1, 7):
        decoder = XmlDecoder(declaration="keep")
        pieces = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
        assert "".join([*pieces, decoder.decode(b"", True)]) == text


@pytest.mark.parametrize(
    "text", ["Привет caf\xe9", "日本語のニュース caf\xe9 été", "caf\xe9 😀😀😀", "ok \xe9", "\xe9\xe8"]
)
def test_a_utf8_bom_before_damaged_utf8_or_western_bytes_stays(text: str) -> None:
    data = b"\xef\xbb\xbf<a>" + b"".join(
        char.encode() if char > "\xff" else char.encode("latin-1") for char in text
    )
    assert decode(data).text == f"<a>{text}"
    assert decode(data).resolution.encoding == "UTF-8"


LATIN_9 = {
    "one word": "Nœud",
    "among capitals": "LE BŒUF, les œufs déjà",
    "at the beginning": "Œuvre",
    "a price": "48 €",
    "the euro before a price": "€ 5,90",
    "beside names of other languages": "48 €, Coahuitlán, è",
    "within words": "Tomiš ja Anežka",
    "behind a long text": "L'été à la campagne. " * 80 + "</title><title>Le cœur",
}


@each("kind", LATIN_9)
def test_signs_within_words_and_prices_are_those_of_iso_8859_15(kind: str) -> None:
    text = f"<rss><title>{LATIN_9[kind]}</title></rss>"
    found = decode(text.encode("iso8859-15"))
    assert (found.text, found.resolution.encoding, found.resolution.rule) == (text, "ISO-8859-15", "L6")
    assert replay(found.resolution.facts) == found.resolution


@each(
    "text",
    [
        "1½ Pfund, ½ kg, ½kg, 3¼ und ähnliches",
        "#,##0.00 ¤, é",
        "a¤b¤ été",
        "48 ¤, “été”",
        "¤¤¤ Soldes d’été: 40 ¤¤¤",
        "rock ´n´ roll, ¨olé¨",
    ],
)
def test_signs_that_stand_so_in_windows_1252(text: str) -> None:
    found = decode(f"<rss><title>{text}</title></rss>".encode("cp1252"))
    assert found.text == f"<rss><title>{text}</title></rss>"
    assert found.resolution.encoding == "windows-1252"


def test_iso_8859_15_is_not_found_in_words_of_utf8() -> None:
    """`pøl` is C3 B8: `¸` between two letters of windows-1252."""
    western = b"<title>caf\xe9 na\xefve d\xe9j\xe0</title>\n" * 600
    found = decode(b"<rss>%b<title>%b</title></rss>" % (western, "pøl".encode()))
    assert found.resolution.encoding == "windows-1252"
    found = decode(b"<rss><title>c\xbdur %b</title>%b</rss>" % ("CAFÉ»".encode("cp1252"), western))
    assert found.resolution.encoding == "ISO-8859-15"


@pytest.mark.parametrize("label", ["ISO-8859-1", "windows-1252", "ISO-8859-15", ""])
@each(
    "text",
    [
        "Logroño y La Coruña estrenan tren 30 hm³. El niño que soñó con España ganó el premio 30 hm³",
        "Même forêt, fenêtre: ±3 m³, ¼",
        "Otoño en Cataluña: ± 2, ¼ de litro, ±3 %, 5 m³ ¾",
        "El señor Muñoz cumplió años ¥5 10 km³ ¼ de litro ±3 %",
        "½·x³±µ ½·y³±µ",
        "f(x)=½·x³±µ f(y)=½·y³±µ f(z)=½·z³±µ «Å»",
        "x²+y³=z², x³·y³: ½m·v²±µ",
    ],
)
def test_signs_at_no_word_are_no_letters_of_another_page(label: str, text: str) -> None:
    encoding = f" encoding='{label}'" if label else ""
    body = f"<?xml version='1.0'{encoding}?><rss><title>{text}</title></rss>".encode("cp1252")
    assert (
        text.translate({0xBC: 0x152, 0xBD: 0x153, 0xBE: 0x178} if label == "ISO-8859-15" else {})
        in decode(body).text
    )


@each(
    ("language", "codec", "text"),
    [
        (
            "hr",
            "cp1250",
            "Ako ne možete pronaći prikladan kôdek, isprobajte izvođač",
        ),  # a word of another one
        ("lv", "cp1257", "Iestatījumi Lietotājs sistēmas"),  # its letters are usual western ones
        ("cs", "cp1250", "Předvolby pro jedinečné dialogové okno, předvolbami tečky"),
        ("hu", "cp1250", "A kombinált mező körül rajzolandó árnyék típusa"),  # one letter
        ("pl", "iso8859_2", "Mołdawski"),
    ],
)
def test_few_letters_of_the_language_that_is_named(language: str, codec: str, text: str) -> None:
    document = f"<?xml version='1.0' encoding='ISO-8859-1'?><a xml:lang='{language}'>{text}</a>"
    found = decode(document.encode(codec))
    assert text in found.text
    assert replay(found.resolution.facts) == found.resolution


@each(
    ("language", "text"),
    [
        ("cs", "Bozo, Tiemacèwè"),
        ("pl", "Üksikasjade kõrgus"),
        ("hr", "Printer på pause"),
        ("ro", "Macao særskilt"),
    ],
)
def test_few_letters_under_a_false_language(language: str, text: str) -> None:
    document = f"<?xml version='1.0' encoding='ISO-8859-1'?><a xml:lang='{language}'>{text}</a>"
    assert text in decode(document.encode("cp1252")).text


@each(
    "text",
    [
        "Koszty związane z wynajmem domu, jeśli wynajmujesz dom lub mieszkanie (czynsz). Konto główne",
        "Opóźnienie pieniężnego",
    ],
)
def test_an_east_asian_character_between_small_letters_is_none(text: str) -> None:
    assert decode(f"<a>{text}</a>".encode("iso8859_2")).text == f"<a>{text}</a>"


@each(
    ("label", "language", "codec", "text"),
    [
        (
            "windows-1250",
            "sv",
            "cp1252",
            "kan inte följa slutet på denna fil, käll- och mål-fält är för många",
        ),
        ("ISO-8859-2", "es", "cp1252", "La contraseña del año está en la relación, según él"),
        ("windows-1258", "hu", "cp1250", "könyvtár eltérő fájlrendszeren van, kijelölendő cella"),
    ],
)
def test_few_letters_beside_those_that_both_pages_have(
    label: str, language: str, codec: str, text: str
) -> None:
    _is_read_under(label, codec, language, text)


@pytest.mark.parametrize("label", ["windows-1250", "ISO-8859-2"])
@each(
    ("codec", "text"),
    [
        (
            "cp1254",
            "Hayvanlar ve doğa, çalışma ağacında kaldırılan yolları yok say, şimdi çıkılıyor, değiştir",
        ),
        (
            "cp1252",
            "Não há ligação à mão: a instalação não está concluída, são três opções; então, não há razão",
        ),
        (
            "cp1252",
            "Það er ekki hægt að skrá það, því að þú átt við önnur gögn; aðeins þau sem ráðið á",
        ),
    ],
)
def test_letters_of_no_language_of_the_labels_page(label: str, codec: str, text: str) -> None:
    """Nothing names their language; of few of them the label stands."""
    _is_read_under(label, codec, "", text)
    few = f"<?xml version='1.0' encoding='{label}'?><rss><title>{text[:40]}</title></rss>"
    assert decode(few.encode(codec)).resolution.encoding == label


@each(
    ("label", "text"),
    [
        ("ISO-8859-16", "Rețetă: plăcintă cu brânză și mărar; învățătorii știu că țara întreagă așteaptă"),
        ("windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl António José Müller v Curaçau"),
        ("windows-1257", "Šešios žąsys su šešiais žąsyčiais; Łódź, São Paulo ir Zürich"),
        (
            "windows-1257",
            "Dekoracijos dydžio keitimo rankenėlės dydis|Įterpti emoji|Puudub kirje lõpetaja|%s "
            "atribuutide lugemine ebaõnnestus|Klaida gaunant informaciją apie katalogą „%s“: "
            "%s|Manipuriečių („Eeyek“)|Norint siųsti UNIX signalą į procesus, reikia nustatyti "
            "tapatybę.|Menüükirje külge ühendatud alammenüü, selle puudumisel aga NULL",
        ),
        (
            "ISO-8859-13",
            "Attēlotais buferis München|Izvēlnes joslas bērna pakas virziens Ångström|Atver “%s”. "
            "Łódź|Ietvara platums ap sadaļu iezīmēm Dürer|Iezīme cilnei, kas satur pielāgotas logdaļas.",
        ),
        (
            "ISO-8859-2",
            "Resetează CHEIA la valoarea ei implicită Győr|arhitectură necunoscută Győr|Malteză (Marea "
            "Britanie, cu taste moarte) Curaçao|Pauzat; se refuză sarcinile José|Imagine brută Olympus "
            "ORF|Arată săgeata Beyoncé|Numărul curent de atingeri Thomas Müller",
        ),
    ],
)
def test_letters_of_a_language_of_the_page_with_names_of_others(label: str, text: str) -> None:
    codec = by_name(label).codec or ""
    text = text.encode(codec, "ignore").decode(codec).replace("|", "</title><title>")
    document = f"<?xml version='1.0' encoding='{label}'?><rss><title>{text}</title></rss>"
    found = decode(document.encode(codec), declaration="keep")
    assert (found.text, found.resolution.encoding) == (document, label)


OF_DOS_AND_MAC = (
    (
        "mac_roman",
        "macintosh",
        "Le président à Genève|La forêt près de l’école|Où est le château ?",
    ),
    ("mac_roman", "macintosh", "Größere Schäden drohen nicht|Schöne Grüße aus Köln|Die Straße für alle"),
    (
        "mac_roman",
        "macintosh",
        "Regnet upphör på söndag|Många är upprörda över beslutet|Källor för vårt arkiv",
    ),
    (
        "cp850",
        "IBM850",
        "Le président à Genève|La forêt près de l’école|Où est le château, déjà",
    ),
    (
        "cp850",
        "IBM850",
        "Søndag bliver det tørt på øerne|Regn og blæst på søndag|Børnene får skole",
    ),
    ("cp850", "IBM850", "Tyhjässä säännöllinen lauseke|Pienempää käyttöä tähän|määrä päällä"),
    *(
        (codec, name, "Mensagem de validação|Informação e descrição do número|Autorização da numeração")
        for codec, name in (("mac_roman", "macintosh"), ("cp850", "IBM850"))
    ),
    ("cp852", "IBM852", "Jeśli łatka stosuje się gładko|Łódź i Kraków będą współpracować"),
    ("cp852", "IBM852", "Předpověď počasí: déšť|Vítr zesílí v neděli|Ledňáček říční žije u vody"),
    ("mac_latin2", "x-mac-ce", "Předpověď počasí: déšť|Příští týden: déšť|Vítr zesílí v neděli"),
    ("cp857", "IBM857", "akşam soğuyacak, salı günü güneşli|öğleden sonra yağmur bekleniyor"),
    ("cp775", "IBM775", "Stiprus vėjas pūs šeštadienį|Orų prognozė: po pietų lietus|Žmonės eina į mišką"),
    ("cp737", "IBM737", "Αύριο αναμένονται βροχές και άνεμοι|Ο καιρός σήμερα στην πόλη της Αθήνας"),
    ("cp862", "IBM862", "ראש הממשלה נפגש עם נשיא ארצות הברית|מזג האוויר: גשם בצפון הארץ"),
    ("cp720", "IBM720", "من المتوقع هطول الأمطار غدا في المدينة|أعلنت الحكومة عن خطة جديدة للاقتصاد"),
)


@each("label", ["", "utf-8", "US-ASCII"])
@each(("codec", "name", "titles"), OF_DOS_AND_MAC)
def test_text_of_dos_and_mac_that_nothing_names(codec: str, name: str, titles: str, label: str) -> None:
    """Its letters would be signs and capitals within words."""
    found = "".join(f"<title>{title}</title>" for title in titles.replace("’", "'").split("|"))
    declaration = f"<?xml version='1.0' encoding='{label}'?>" if label else ""
    rss = f"{declaration}<rss>{found}</rss>"
    text, resolution, _ = decode(rss.encode(codec), declaration="keep")
    assert (text, resolution.encoding) == (rss, name)
    assert replay(resolution.facts) == resolution


@each(("codec", "name", "titles"), OF_DOS_AND_MAC)
@each(
    ("nuls", "size", "read"),
    [(1, 0, True), (2, 0, False), (2, NUL_SHARE + 200, True), (3, NUL_SHARE + 200, False)],
)
def test_a_stray_nul_in_text_of_dos_and_mac(
    nuls: int, size: int, read: bool, codec: str, name: str, titles: str
) -> None:
    """UTF-16 without a BOM has more of them."""
    rss = f"<rss>{''.join(f'<title>{title}</title>' for title in titles.replace('’', chr(39)).split('|'))}"
    document = rss.encode(codec) + b"\0" * nuls + b" " * (size - len(rss) - nuls) + b"</rss>"
    assert (decode(document).resolution.encoding == name) is read


WITHIN_WORDS = [
    *(("cp850", language) for language in ("de", "fr", "es", "sv", "fi", "it")),
    *(("mac_roman", language) for language in ("fr", "es", "sv", "da", "pt", "fi")),
    *(("cp852", language) for language in ("cs", "sk", "hu", "hr", "pl")),
    *(
        ("cp437", "es"),
        ("cp860", "pt"),
        ("cp861", "is"),
        ("cp865", "da"),
        ("cp775", "lv"),
        ("mac_latin2", "hu"),
    ),
]


@each("label", ["ISO-8859-1", "windows-1252", "US-ASCII", "UTF-8", ""])
@each(("codec", "language"), WITHIN_WORDS)
def test_signs_within_words_show_a_page_of_dos_or_mac(label: str, codec: str, language: str) -> None:
    """`v¡ce` under a western label is `více` in IBM852."""
    declaration = f"<?xml version='1.0' encoding='{label}'?>" if label else ""
    text = PROSE[language].encode(codec, "replace").decode(codec)
    rss = f"{declaration}<rss><title>{text}</title></rss>"
    found, resolution, _ = decode(rss.encode(codec), declaration="keep")
    assert found == rss
    assert replay(resolution.facts) == resolution


KOREAN = "내일 전국에 비|대통령, 외무장관과 회담|서울 도심에 새 학교 개교|축구 대표팀 승리|주가 지수 상승"
CHINESE = "今天下雨了，所以我想在家里看书|总统会见外交部长|新学校在市中心开学|国家队赢得比赛|股市上涨"
JAPANESE = "今日は雨が降っている|大統領が外相と会談|都心に新しい学校が開校|サッカー代表が勝利|株価が上昇"


@each("label", ["", "UTF-8", "ISO-8859-1"])
@each("other", ["Лебединое озеро", "ΕΛΛΑΔΑ και ΚΥΠΡΟΣ"])
@each(
    ("codec", "titles"),
    [("euc_kr", KOREAN), ("gbk", CHINESE), ("shift_jis", JAPANESE), ("euc_jp", JAPANESE)],
)
def test_a_title_in_another_alphabet_among_east_asian_ones(
    codec: str, titles: str, other: str, label: str
) -> None:
    declaration = f"<?xml version='1.0' encoding='{label}'?>" if label else ""
    items = "".join(f"<item><title>{one}</title></item>" for one in f"{titles}|{other}".split("|"))
    rss = f"{declaration}<rss><channel>{items}</channel></rss>"
    assert decode(rss.encode(codec), declaration="keep").text == rss


CROATIAN = (
    "Vlada je danas donijela nove mjere za građane|Šef policije podnio ostavku zbog optužbi|Nova škola|"
    "Kiša će padati cijeli tjedan|Nogometaši slavili protiv Španjolske|Žena spasila dijete iz požara|"
    "Đaci se vraćaju u školske klupe|Najveći šoping centar otvoren jučer|Tužiteljstvo traži više dokaza|"
    "Cijene goriva opet rastu od ponoći|Još uvijek nema traga nestalim planinarima|Győr, Kôd, 2 × 3"
)


@each("label", ["ISO-8859-1", "windows-1252"])
@each("codec", ["iso8859-2", "cp1250"])
def test_letters_that_a_usual_page_has_too_show_no_page_of_mac(codec: str, label: str) -> None:
    """`čćđšž` are the same bytes in ISO-8859-2 and in x-mac-croatian, `őô×` are not."""
    titles = "".join(f"<title>{title}</title>" for title in CROATIAN.split("|"))
    rss = f"<?xml version='1.0' encoding='{label}'?><rss><language>hr</language>{titles}</rss>"
    assert decode(rss.encode(codec), declaration="keep").text == rss


OF_OTHER_SCRIPTS = {
    "cp737": "Ρυθμίσεις οθόνης και γραφικών|Σύνδεση σε ασύρματο δίκτυο|Αλλαγή του κωδικού πρόσβασης",
    "cp720": "إعدادات الشاشة والرسوميات|الاتصال بشبكة لاسلكية|تغيير كلمة المرور|طباعة المستندات والصور",
    "cp862": "הגדרות המסך והגרפיקה|חיבור לרשת אלחוטית|שינוי סיסמה|הדפסת מסמכים ותמונות|חדשות היום",
    "cp866": "Параметры экрана и графики|Подключение к беспроводной сети|Изменение пароля|Печать",
}


@each("label", ["ISO-8859-1", "windows-1251", "windows-1253", "ISO-8859-2", "KOI8-R", "UTF-8", ""])
@each("codec", OF_OTHER_SCRIPTS)
def test_text_of_dos_in_other_scripts_under_other_labels(label: str, codec: str) -> None:
    declaration = f"<?xml version='1.0' encoding='{label}'?>" if label else ""
    titles = "".join(f"<title>{title}</title>" for title in OF_OTHER_SCRIPTS[codec].split("|"))
    rss = f"{declaration}<rss>{titles}</rss>"
    found, resolution, _ = decode(rss.encode(codec), declaration="keep")
    assert found == rss
    assert replay(resolution.facts) == resolution


@each(
    ("codec", "text"),
    [
        ("cp1252", "L’été – déjà… l’œuvre “complète”|Où… est-ce ?|a…b c•d"),
        ("cp1252", "Þingið í dag|Það er þörf á nýjum lögum|ÍSLAND OG FÆREYJAR"),
        ("cp1252", "MÜNCHEN, GRÖßE, STRAßE|ÀÉÎÕÜ|Caf\x82 au lait"),
        ("iso8859-2", "ni mogoče oživiti|Točka in črka, še žaba|Počasi, čisto počasi, če že"),
        ("iso8859-2", "švedščina baškirska|Širina ali višina slike TIFF je ničelna"),
        ("iso8859-2", "Nameščanje podpisa|Povečanje številke strani med prilagajanjem"),
        ("cp1250", "Łódź, Šárka, Žižkov|„a“…„b“"),
        ("cp866", "КАДИОГО, САНТО-ДОМИНГО|НОВОСТИ ОБЛАСТИ"),
    ],
)
def test_text_of_other_pages_is_of_no_page_of_dos_or_mac(codec: str, text: str) -> None:
    found = "".join(f"<title>{title}</title>" for title in text.split("|"))
    rss = f"<rss>{found}</rss>".encode(codec, "replace")
    assert decode(rss).resolution.encoding not in UNNAMED


ACUTE_FOR_APOSTROPHE = [
    "<a xml:lang='it'>L´accordo con l´Europa è un´altra storia, nell´anno dell´amore</a>",
    "<a>L´acqua dell´Italia è un´altra storia</a>",
    "<a>We´re sure it´s what you´d expect they´ve said</a>",
    "<a>l´été d´un ami c´est l´heure</a>",
    "<a>L´Équipe de France</a>",
    "<rss><title>L´École</title></rss>",
    "<rss><title>l´Ànima</title><title>l´Àfrica</title></rss>",
    "<a>Le máako´ob ma´ tu yojelo´ob ba´ax ku yúuchul te´ela´ k´a´ana´an u beeto´ob</a>",
]


@each("text", ACUTE_FOR_APOSTROPHE)
def test_an_acute_accent_for_an_apostrophe_is_no_letter_or_mark_of_another_page(text: str) -> None:
    """B4 is a mark in ISO-8859-13, Ž in ISO-8859-15, a letter on the Mac."""
    assert decode(text.encode("cp1252")).text == text
    for label in ("ISO-8859-1", "windows-1252"):
        labelled = f'<?xml version="1.0" encoding="{label}"?>{text}'.encode("cp1252")
        assert [found.code for found in check(labelled).findings if found.severity != "info"] == [], label


@each(
    "text", ["El PSOE dice SÍ a la paz", "vince il SÌ", "Eres TÚ", "la letra Ñ", "Trykk NÅ for mer", "Plan Ä"]
)
@each("declaration", ["", "<?xml version='1.0' encoding='UTF-8'?>"])
def test_a_capital_at_the_end_of_a_short_word_is_no_cut_character(text: str, declaration: str) -> None:
    for markup in ("<r><t>{}</t></r>", '<r t="{}"/>'):
        body = f"{declaration}{markup.format(text)}"
        assert decode(body.encode("cp1252"), declaration="keep").text == body, text


@each("codec", ["mac_latin2", "cp1257", "iso8859_13"])
def test_letters_and_marks_at_the_same_byte_are_evidence(codec: str) -> None:
    text = "<a>Vārdu saraksts arī šīs valodas mācīšanai, „dzīve pilsētā“ un ģimenes svētki</a>"
    text = text if codec == "iso8859_13" else text.replace("„", '"').replace("“", '"')
    assert decode(text.encode(codec)).text == text


def test_a_line_of_dos_beside_as_much_utf8_is_no_page_of_the_whole() -> None:
    body = "<a>Ísland er fallegt á sumrin og þar býr fólk</a>".encode() + "<b>það var þá sem hún</b>".encode(
        "cp861"
    )
    assert decode(body).text.startswith("<a>Ísland er fallegt á sumrin og þar býr fólk</a>")


def series(word: str, number: int) -> str:
    """The titles of a series: one word is no more evidence because each item repeats it."""
    return "|".join(f"{word} {one}" for one in range(1, number + 1))


SILESIAN = (
    "pomjyńańo sům půńiżyj.|Prziwrůcůno uostatńo|sprowjańo uprowńyń|Ńic ńy|przestrzyńi ńy przekerowań.|"
    "Użytkowńik je zawarty uod sprowjyń|Schow moje pomjyńańa we artiklach, na kere dowom pozůr"
)
HONEST_TITLES = (
    (
        "windows-1257",
        "da",
        "Ægteskab|velvære, klæder, lægehjælp tilfælde omstændigheder|påny bekræftet på "
        "på værdighed værd på mænd levevilkårene",
    ),
    ("ISO-8859-1", "et", "Mägede õhk|Garður ja Norðurþing"),
    (
        "windows-1257",
        "et",
        "Sørloth ja Ødegaard lõid väravad|Eesti meistrivõistlused lõppesid|Õhtul sajab vihma",
    ),
    (
        "ISO-8859-13",
        "et",
        "Sørloth ja Ødegaard lõid väravad|Eesti meistrivõistlused lõppesid|Õhtul sajab vihma",
    ),
    ("ISO-8859-1", "et", "Põhja-Korea (uþb. 1450)|Eþíópía|milliþjón|alþýða|Þór, Hafþór ja Eyþór"),
    ("ISO-8859-15", "", "pärib õigused, on määratud igale tema grupile.|Neskaupstaður|Garður|Norðurþing"),
    ("ISO-8859-1", "rup", "Limba armãneascã"),
    ("windows-1252", "", "Kapuãma-ita Arãdi"),
    (
        "windows-1257",
        "dsb",
        "estišćina|awaršćina|mohawkšćina|dargwašćina|sukumašćina|nižozemšćina|korsišćina|"
        "dłujkowjacorna ojibwašćina",
    ),
    ("windows-1257", "fr", "Liepāja|Jūrmala|Rēzekne|Dārzciems"),
    (
        "windows-1257",
        "mi",
        "Ōromo|Hāngo|Whirīhiana|Pōhipuri|Minākapao|Mīho|Kiripatīhi|Kirī|Pukenīhi|"
        "Tirīkiti|Enetepēra|Korōtaro|Harāna|Mareiārama|Mārata|Hunanīhi",
    ),
    ("ISO-8859-13", "fr", "heure d’été|heure d’été de l’Uruguay"),
    ("KOI8-U", "ady", "Хэти Іэшэнчъэу, зэхищэнэу, зэхэщэгъэ хасэм хэхьэнэу."),
    ("x-mac-cyrillic", "ady", "Хэти Іэшэнчъэу, зэхищэнэу, зэхэщэгъэ хасэм хэхьэнэу."),
    ("x-mac-cyrillic", "mn", "язлагдуулчих|барсгардуулалцалд|тайлбарлагдагдацгаа"),
    ("ISO-8859-1", "vi", "chúng tôi nhìn thì"),
    ("windows-1252", "", "Café\xa0• Bar"),
    ("ISO-8859-1", "", "Photo André\xa0© AFP"),
    ("windows-1254", "", "Umeå\xa0§ 5"),
    ("windows-1250", "fr", "Tiszavasvári|SĂPTĂMÂNĂ INVALIDĂ.|Pápa|invalidă, să|Vértesszőlős"),
    ("ISO-8859-1", "", "CITTÀ 5M³|È 12M³|3DM³"),
    ("windows-1253", "it", "12μm|12μg|12μs|12Ω"),
    ("windows-949", "", "잘못된 응답"),
    ("windows-1252", "", "Tomáš Šimek|Žižka, Dušan|Miloš Žák|Aleš Šebesta|Lukáš Blažek|Ondrášek, Šárka"),
    ("windows-1258", "vi", "Ky\u0300\xa02"),
    ("windows-1258", "", "Phong bi\u0300»"),
    ("Big5", "", "薩伊扎伊爾"),
    ("GBK", "", "阿鲁巴弗罗林"),
    ("GBK", "", "巴厘|巴尔坎"),
    (
        "windows-1257",
        "",
        "Serializētie|Iestatījums ierakstīts|Iestatījums:|Saīsnes|Rādīt|Rādīt bāzes līnijas (99²)|"
        "Rādīt informāciju °C|Rādīt §60",
    ),
    (
        "ISO-8859-13",
        "",
        "(80²)|°C|Demokrātiskā|Nepālas Federālā Demokrātiskā|Vācijas Federatīvā|Nigērijas Federatīvā|"
        "Somālijas federatīvā ±32",
    ),
    ("ISO-8859-1", "", "fot³|tommer³|tomme³|væskeunser|væskeunse"),
    ("ISO-8859-1", "", "MILES³|MILE³|MI³|YARD³|YD³|ATMOSFÆRE"),
    ("windows-1252", "en", "¹only|²net|³gross"),
    ("ISO-8859-6", "", "فِي جَهَنَّمَ|تُكَلِّمُونِ|هُمُ|سِنِينَ|أَنَّمَا"),
    ("windows-1251", "", series("Тур", 6)),
    ("windows-1251", "", series("слайд", 8)),
    ("windows-1251", "", series("Кръг", 8)),
    ("windows-1251", "bg", series("БРОЙ", 3)),
    ("KOI8-R", "bg", series("ПЕСЕН", 3)),
    ("KOI8-R", "", series("ТЕМА", 10)),
    ("KOI8-R", "", series("ЛЕКЦИЯ", 10)),
    ("KOI8-R", "os", series("УАЦ", 8)),
    ("x-mac-cyrillic", "", series("Выпуск", 10)),
    ("windows-1250", "", series("Miesiąc", 30)),
    ("windows-1251", "ru", "КПРФ|ОПЕК|ФГУП"),
    ("windows-1251", "ru", "ПОСЛЕ ЛЮБОЙ|НЕ"),
    (
        "windows-1251",
        "ru",
        "|".join(["МГУ", "ВОЗ", "СНиП", "АЭС", "ФСС", "ПВО", "ЦСКА", "СНиП", "МРОТ", "КБ"] * 3),
    ),
    (
        "KOI8-R",
        "",
        "|".join(["КГБ", "МАГАТЭ", "СНиП", "НИИ", "ДТП", "СНиП", "БАМ", "СМИ", "ЖКХ", "ФБР"] * 10),
    ),
    ("KOI8-R", "ru", "ДЖЕЙМС ЯНГМЕН"),
    ("KOI8-U", "uk", "ПЕРЕПОВНЕННЯ"),
    ("windows-1250", "", "Wszëtczé jaczé są nônowszą wersją"),  # Kashubian, whose `ą` is `š` of ISO-8859-2
    ("windows-1250", "", SILESIAN),
    ("ISO-8859-2", "", SILESIAN),
    ("windows-1250", "pl", "|".join(["Linux|Dąbrowski"] * 30)),
    ("windows-1250", "", "|".join(["Poľsko"] * 60)),
)


@each(("label", "language", "titles"), HONEST_TITLES)
def test_honest_text_stays_under_its_label(label: str, language: str, titles: str) -> None:
    """Names and languages that a page is not usual for, with its language, another one, or none named."""
    tag = f"<language>{language}</language>" if language else ""
    found = "".join(f"<title>{title}</title>" for title in titles.split("|"))
    rss = f"<?xml version='1.0' encoding='{label}'?><rss>{tag}{found}</rss>"
    codec = by_name(label).codec or ""
    assert decode(rss.encode(codec), declaration="keep").text == rss


@pytest.mark.parametrize("default", [b"utf-8", 5])
def test_a_default_encoding_is_a_label(default: object) -> None:
    with pytest.raises(TypeError, match="default_encoding must be a label, a str, or None"):
        resolve(b"<a/>", default_encoding=default)  # type: ignore[arg-type]


ITEMS = {
    "cp1251": "Новости дня: погода в Москве и области",
    "cp1253": "Χρήση ενός αναδυόμενου μενού για τις επιλογές",
    "cp1250": "Pro změnu hesla domovského adresáře uživatele, žluťoučký kůň",
    "cp874": "วันนี้ฝนตกฉันจะอ่านหนังสือที่บ้าน",
    "gb18030": "我最好还是别再发艺术史的春秋大梦了",
    "cp932": "今日は雨が降っているので、家で本を読もうと思います",
    "cp1252": "Été à la plage, déjà vu, où est le cœur",
    "iso8859-15": "Été à la plage, déjà vu, où est l'été",
}
ENGLISH_TEXTS = (
    "She’d go. ",
    "“Yes,” she said… ",
    "She’d pay £4 – naïve, perhaps, but nobody complains; so the verdict of the jury was short: no. ",
)


@each("codec", ITEMS)
@each("english", ENGLISH_TEXTS)
def test_text_in_english_before_the_letters_is_no_evidence(codec: str, english: str) -> None:
    """Its marks and few letters, of whatever length, say nothing of the items behind it."""
    long = 70_000 if codec not in ("gb18030", "cp932") and "£" not in english else 5000
    for size in (60, 900, 1500, 5000, long):
        before = english * (size // len(english))
        items = "".join(f"<title>{ITEMS[codec]}, {number}</title>" for number in range(5))
        rss = f"<rss><p>{before}</p>{items}</rss>".encode(codec, "ignore")
        text, resolution, _ = decode(rss)
        assert items.encode(codec, "ignore").decode(codec) in text, (size, resolution.encoding)
        assert replay(resolution.facts) == resolution


@each("label", ["ISO-8859-1", "windows-1252"])
def test_katakana_under_a_western_label(label: str) -> None:
    """Most lead bytes are `ƒ`, a sign; but other bytes are no character in windows-1252."""
    titles = "カメリア(CAMELLIA）", "バカラ(Baccarat）", "クシュカ(cushka）", "クレージュ(courreges）"
    rss = f"<rss>{''.join(f'<title>{title}</title>' for title in titles)}</rss>".encode("cp932")
    text, resolution, _ = decode(f"<?xml version='1.0' encoding='{label}'?>".encode() + rss)
    assert all(title in text for title in titles)
    assert replay(resolution.facts) == resolution


NAMING = [
    ("zh-cn", "", "gbk", "激活窗口菜单"),
    ("zh-cn", "", "gbk", "屏幕或窗口闪烁"),
    ("ja", "", "euc_jp", "インターネット接続"),
    ("ko", "", "euc_kr", "터미널에서"),
    ("ru", "", "iso8859_5", "Файлы"),  # `ДРЩЫл` in windows-1251
    ("ru", "", "iso8859_5", "важных"),
    ("", "", "iso8859_7", "Άννα;Άρης;Άλκης;Άγγελος;Άδωνις"),  # `ІММА` in KOI8-U
    ("", "", "cp1252", "grøft;grøftegraver;grøde;grønn;grønnsaker;grøsser;grøt"),  # `grĝft` in ISO-8859-3
    ("", "", "iso8859_3", "manĝaĵo ĉiutage;ĝi estas ĉe ŝi;laŭ digno"),
    ("", "", "koi8-u", "ІВАН ФРАНКО;ІНСТИТУТ ІСТОРІЇ;ІМЕНА"),
    ("", "", "koi8-r", "пружинаМягкогоТела"),  # names as programmers write them
    ("fa", "UTF-8", "cp1256", "مرورگر"),
    ("uk", "UTF-8", "cp1251", "події"),
    ("ru", "UTF-8", "cp1251", "для"),
    ("ja", "UTF-8", "cp932", "この章の適用範囲"),
    ("ko", "UTF-8", "euc_kr", "어떤 디스크 또는 이동시기 미디어에는"),
    *(
        (language, label, codec, f"You can find it in your distribution’s package manager.;{word}")
        for language, codec, word in (
            ("ro", "cp1250", "Instalaţi Sushi"),
            ("lt", "cp1257", "Naujų"),
            ("lv", "cp1257", "Galvenā"),
        )
        for label in ("", "UTF-8")
    ),
    ("es", "", "cp850", "Añadir una impresora;La configuración del sistema;Más información;Cómo buscar"),
]


@each(("language", "label", "codec", "titles"), NAMING)
def test_few_words_of_the_language_that_is_named(language: str, label: str, codec: str, titles: str) -> None:
    """The UTF-8 sequences in them are no letters of it; English with quotation marks is no evidence."""
    items = "".join(f"<item><title>{title}</title></item>" for title in titles.split(";"))
    declaration = f"<?xml version='1.0' encoding='{label}'?>" if label else ""
    body = f"{declaration}<rss><channel><language>{language}</language>{items}</channel></rss>"
    assert decode(body.encode(codec), declaration="keep").text == body


@each("language", ["fa", "zh-cn", "ru", "ja", "el"])
@each("cut", [1, 2, 3])
def test_damaged_utf8_in_the_language_that_is_named(language: str, cut: int) -> None:
    words = {
        "fa": "مرورگر وب",
        "zh-cn": "激活窗口菜单",
        "ru": "для новостей",
        "ja": "この章の適用範囲",
        "el": "Νέα της ημέρας",
    }
    damaged = b"".join(word.encode()[: -cut or None] + b" " for word in words[language].split() * 2)
    body = b"<?xml version='1.0' encoding='UTF-8'?><rss><language>%b</language><t>%b</t></rss>"
    assert decode(body % (language.encode(), damaged)).resolution.encoding == "UTF-8"


@each("label", ["GB2312", "Shift_JIS", "Big5", "EUC-KR", "EUC-JP"])
def test_apostrophes_in_english_words_under_an_east_asian_label(label: str) -> None:
    text = "Today’s news;It’s raining again;The man’s house;Don’t stop me now, I’m here;Let’s go".replace(
        ";", "</t><t>"
    )
    body = f"<?xml version='1.0' encoding='{label}'?><rss><t>{text}</t></rss>"
    assert decode(body.encode("cp1252"), declaration="keep").text == body


@each("label", ["iso-8859-1", "iso-8859-15", "windows-1252"])
@each(
    ("language", "titles"),
    [
        ("vi", "Đã tìm thấy tài liệu"),
        ("vi", "Đã tìm thấy tài liệu;Khoá tài khoản người dùng;Đóng"),
        (
            "",
            "Vis påmindelseslisten;Skift til arbejdsområde 2;Jak se přepnou na jiný jazyk pro uživatelské"
            " rozhraní a text nápovědy.;Po zformátování disku nejsou soubory bezpečně odstraněné",
        ),
    ],
)
def test_letters_that_are_written_as_references_show_that_the_page_has_them_not(
    label: str, language: str, titles: str
) -> None:
    """ElementTree and lxml write `&#345;` where the encoding has no `ř`."""
    root = etree.Element("rss")
    etree.SubElement(root, "language").text = language
    for title in titles.split(";"):
        etree.SubElement(root, "title").text = title
    body = etree.tostring(root, encoding=label, xml_declaration=True)
    assert [title.text for title in parse(body).iter("title")] == titles.split(";")
    # Letters that stand as bytes, too, and one that does not: the label is stale, and a part was pasted.
    stale = b"<?xml version='1.0' encoding='iso-8859-1'?><rss><title>%b</title>&#345;&#314;&#283;</rss>"
    text = "Příliš žluťoučký kůň pěl ďábelské ódy, než se přepnou"
    assert decode(stale % text.encode("cp1250")).resolution.encoding == "windows-1250"


VOCALISED = [
    "رَسُولُ اللَّهِ صَلَّى اللَّهُ عَلَيْهِ وَسَلَّمَ",
    "اللَّهُمَّ صَلِّ عَلَى مُحَمَّدٍ وَعَلَى آلِ مُحَمَّدٍ",
    "قُلْ هُوَ اللَّهُ أَحَدٌ، اللَّهُ الصَّمَدُ، لَمْ يَلِدْ وَلَمْ يُولَدْ",
    "أَوْلَى لَكَ فَأَوْلَى ثُمَّ أَوْلَى لَكَ فَأَوْلَى",
    "فِي الْبَيْتِ ـ إِنْ شَاءَ اللَّهُ ـ غَدًا صَبَاحًا",
]


@each("charset", ["windows-1256", "ISO-8859-6"])
@each("language", ["", " xml:lang='ar'"])
@each("labelled", [True, False])
@each("title", VOCALISED)
def test_arabic_with_points_is_no_greek(charset: str, language: str, labelled: bool, title: str) -> None:
    declaration = f"<?xml version='1.0' encoding='{charset}'?>" if labelled else ""
    text = f"{declaration}<rss{language}><title>{title}</title></rss>"
    found = decode(text.encode(by_name(charset).codec or ""), "application/xml", declaration="keep")
    assert (found.text, found.resolution.encoding) == (text, charset)


@each(
    ("language", "codec", "title"),
    [
        ("zh-CN", "gbk", "朱镕基曾经担任国务院总理,李喆和张珺是他的学生。"),
        ("zh-CN", "gbk", "作家余秀华与赵婷、郎朗、韩喆珺、李婳婳同台"),
        ("zh-TW", "big5", "導演李翊銓與演員陳瑋薇、林玟瑩出席電影首映會"),
        ("ja", "cp932", "俳優の犹崎嵬と蘆屋の蕁麻疹、麒麟と蜻蛉の話題です。"),
        ("ja", "euc_jp", "俳優の犹崎嵬と蘆屋の蕁麻疹、麒麟と蜻蛉の話題です。"),
    ],
)
def test_rare_characters_in_a_title_of_the_language_that_is_named(
    language: str, codec: str, title: str
) -> None:
    """Some of its bytes are UTF-8 by chance."""
    found = decode(f'<rss xml:lang="{language}"><title>{title}</title></rss>'.encode(codec))
    assert f"<title>{title}</title>" in found.text
    assert found.resolution.rule == "L6"


HUNGARIAN = "A magyar és a szlovák miniszterelnök tárgyalása után nőtt az érdeklődés"
ROMANIAN = "Guvernul a anunţat măsuri în Bucureşti"
GREEK = "Νέα μέτρα για την οικονομία ανακοίνωσε η κυβέρνηση"
FINNISH = "Hallitus päätti tänään lisätä määrärahoja kouluille, sanoi ministeri Mäkelä"


@each(
    ("charset", "title", "last"),
    [
        # `©koda`, `Kunią`, `®ilina`; `źubomír`
        *(("ISO-8859-2", HUNGARIAN, name) for name in ("Škoda Octavia", "Milan Kuniš", "Žilina, Trenčín")),
        *(
            ("windows-1250", HUNGARIAN, name)
            for name in ("Ľubomír", "Ľubomír ©", "Ľubomír «x»", "Milan Kuniš")
        ),
        # `”g` of ISO-8859-16, `ľm` of ISO-8859-2
        *(("windows-1250", ROMANIAN, sign) for sign in ("10 µg", "2,5 µm", "µTorrent", "«Da» ®")),
        # `¤` of windows-1253, `΅m` of ISO-8859-7
        *(("ISO-8859-7", GREEK, price) for price in ("αύξηση κατά 5 € στις τιμές", "€ 5", "1.200 €")),
        *(("windows-1253", GREEK, unit) for unit in ("50 µm", "10 µg", "5 € και 50 µm")),
        # `Davķš` of windows-1257
        *(("windows-1252", FINNISH, name) for name in ("Davíð Oddsson", "Guðmundur", "François")),
        ("windows-1257", "Öösel ülesanne, jäääär", "Šokolaad, tšello"),
        # `ŕ`, `č`, `Ł9` of windows-1250, `1ē` of ISO-8859-4
        ("windows-1252", "Le gendre du Prophète, à Médine", "Tchaïkovski à Saint-Pétersbourg"),
        ("windows-1252", "Che cosa è successo", "La città è più bella"),
        ("windows-1252", "Región | España | 40 %", "Año | Nº | 1º, 2º, 3ª"),
    ],
)
@each("language", ["", "<language>en-us</language>"])
@each("times", [1, 20, 60])
def test_one_name_price_or_unit_among_titles(
    charset: str, title: str, last: str, language: str, times: int
) -> None:
    text = f"<rss>{language}{f'<title>{title}</title>' * times}<title>{last}</title></rss>"
    found = decode(text.encode(by_name(charset).codec or ""))
    assert (found.text, found.resolution.encoding) == (text, charset)
    assert replay(found.resolution.facts) == found.resolution


@each(
    ("label", "charset", "text"),
    [
        *(("ISO-8859-1", "ISO-8859-15", f"Café {price}") for price in ("5 €", "€ 5", "€5.00", "1.200,- €")),
        ("windows-1252", "ISO-8859-15", "un café à 5 €"),
        ("windows-1253", "ISO-8859-7", f"{GREEK}: 5 €"),
        # No prices: a pattern of numbers, and a mark.
        ("ISO-8859-1", "ISO-8859-1", "é #,##0.00 ¤"),
        ("ISO-8859-1", "ISO-8859-1", "#,##0.00 ¤"),
        ("ISO-8859-1", "ISO-8859-1", "5 ¤ and ¤ too"),
        ("ISO-8859-1", "ISO-8859-1", "a¤b 5"),
        ("ISO-8859-1", "ISO-8859-1", "¤¤¤ Sale 40 ¤¤¤"),
        ("windows-1253", "windows-1253", f"{GREEK}: #,##0.00 ¤"),
    ],
)
@each("behind", ["", f"{'It rains again. ' * 30}</t><t>"])
def test_a_price_in_euros_under_the_label_of_a_page_that_has_none(
    label: str, charset: str, text: str, behind: str
) -> None:
    body = f"<?xml version='1.0' encoding='{label}'?><rss><t>{behind}{text}</t></rss>"
    found = decode(body.encode(by_name(charset).codec or ""), declaration="keep")
    assert (found.text, found.resolution.encoding) == (body, charset)
    assert replay(found.resolution.facts) == found.resolution


@each("reference", ["Ph&#7841;m", "Nguy&#x1EC5;n", "&#345;", "<a href='?a=&#7841;'/>"])
@each(
    ("charset", "title"),
    [
        ("windows-1250", "Příští týden začne v Brně výstava, řekl starosta města Jiří Dvořák"),
        ("windows-1250", ROMANIAN),
        ("windows-1254", "Başbakan bugün açıkladı: yeni ücretler ve işçiler için değişiklik"),
    ],
)
def test_a_foreign_name_that_is_written_with_a_reference_shows_no_label(
    charset: str, title: str, reference: str
) -> None:
    """The page of the text has not that letter either."""
    titles = f"<t>{title}</t>" * 3
    body = f"<?xml version='1.0' encoding='ISO-8859-1'?><rss>{titles}<t>{reference}</t></rss>"
    found = decode(body.encode(by_name(charset).codec or ""), declaration="keep")
    assert (found.text, found.resolution.encoding) == (body, charset)


@each("charset", ["windows-1250", "ISO-8859-2"])
@each("label", ["", " encoding='UTF-8'"])
def test_polish_with_names_of_other_countries(charset: str, label: str) -> None:
    """Their letters are the same in windows-1252, in which all costs much more."""
    titles = (
        "Łukasz Wójcik, Poznań",
        "José Peña w Krakowie, ul. Świętokrzyska 2".replace("ñ", "&#241;"),
        "Jürgen Größ, Gdańsk, ul. Długa 8",
        "Müller i Żuławski w Łodzi",
        "Françoise Hardy i Björk w radiu",
        "Dvořák w Filharmonii Śląskiej",
    )
    items = "".join(f"<title>{title}</title>" for title in titles)
    body = f"<?xml version='1.0'{label}?><rss><language>en-us</language>{items}</rss>"
    found = decode(body.encode(by_name(charset).codec or ""), declaration="keep")
    assert (found.text, found.resolution.encoding) == (body, charset)
