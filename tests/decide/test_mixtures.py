"""Mixtures: UTF-8 pasted into a western document, or the other way round."""

from __future__ import annotations

import tomllib

import pytest
from support.cases import FIXTURES
from support.each import each

from feedcharset import XmlDecoder, check, decode, resolve
from feedcharset.charsets.lookup import by_name
from feedcharset.decide.lenient_chain import replay
from feedcharset.decide.lenient_principles import find_mixture, is_mixture, may_be_mixed, watch_step
from feedcharset.evidence.detector import LOOKAHEAD
from feedcharset.evidence.utf8_sequences import utf8_runs, utf8_words
from feedcharset.evidence.window import Window

LEGACY, UTF8 = "caf\xe9 na\xefve".encode("latin-1"), "Žižkov žluťoučký".encode()


@pytest.mark.parametrize(
    ("charset", "mixed"),
    [
        ("windows-1252", True),
        ("ISO-8859-1", True),
        ("ISO-8859-15", True),
        ("ISO-8859-9", True),
        ("windows-1251", False),
        ("UTF-8", False),
        ("Shift_JIS", False),
    ],
)
def test_which_charsets_may_be_mixed(charset: str, mixed: bool) -> None:
    assert may_be_mixed(by_name(charset)) is mixed


@pytest.mark.parametrize(
    ("data", "found"),
    [(LEGACY + UTF8, True), (LEGACY, False), (UTF8, False), (b"\xc3\xa9", False)],
)
def test_a_mixture_holds_both(data: bytes, found: bool) -> None:
    step = find_mixture(by_name("windows-1252"), Window(data, ends=True))
    assert (step is not None) is found


def test_without_a_window_there_is_no_mixture() -> None:
    assert find_mixture(by_name("windows-1252"), None) is None
    assert find_mixture(by_name("KOI8-R"), Window(LEGACY + UTF8, ends=True)) is None


def test_a_mixture_is_read_sequence_by_sequence() -> None:
    body = b"<?xml version='1.0' encoding='windows-1252'?><a>" + LEGACY + b" " + UTF8 + b"</a>"
    assert is_mixture(resolve(body, complete=True))
    assert "café naïve Žižkov žluťoučký" in decode(body).text
    assert not is_mixture(resolve(body.replace(UTF8, b""), complete=True))


@each("label", ["", " encoding='ISO-8859-1'", " encoding='windows-1252'", " encoding='ISO-8859-15'"])
@each(
    "title",
    [
        "Il file è vuoto",
        "C'è",
        "Isto é só um",
        "É preciso",
        "Le fichier à lire, à imprimer",
        "Å være, å ha",
        "uno (ó) dos",
        "Opna í",
    ],
)
@each("filler", ["", "<i>x</i>" * (LOOKAHEAD // 8)], ids=["in the window", "behind it"])
def test_a_lone_word_in_utf8_is_read_as_utf8(label: str, title: str, filler: str) -> None:
    """A letter that is a word: `Ã¨` between spaces is none by a western page. In pieces, too."""
    legacy = "<b>La città</b>".encode("latin-1")
    body = f"<?xml version='1.0'{label}?><a>".encode() + legacy + filler.encode()
    body += f"<b>{title}</b>".encode() + b"<b>per\xf2</b></a>"
    decoded = decode(body)
    assert decoded.text.endswith(f"<b>{title}</b><b>però</b></a>")
    assert replay(decoded.resolution.facts) == decoded.resolution
    decoder = XmlDecoder()
    end = max(0, len(body) - 90)
    parts = [decoder.decode(body[:end]), *(decoder.decode(body[at : at + 1]) for at in range(end, len(body)))]
    assert "".join([*parts, decoder.decode(b"", True)]) == decoded.text


@each(
    "title",
    [
        "Hvorfor står der Ã¥ i stedet for å på siden?",
        "Ã© ? C’est du UTF-8 lu en ISO-8859-1, à éviter",
        "ï becomes Ã© in MySQL",
        "what is Ã± in MySQL",
        "AMANHÃ\xa0» , « Ã\xa0»",
        "A Ã… E",
        "the letter “Ã” ends",
        "TAMBÉM Ã”",
    ],
)
@each("filler", ["", "<i>x</i>" * (LOOKAHEAD // 8)], ids=["in the window", "behind it"])
def test_examples_of_garbled_letters_stay(title: str, filler: str) -> None:
    body = f"<?xml version='1.0' encoding='windows-1252'?><a><b>caf\xe9</b>{filler}<b>{title}</b></a>"
    assert decode(body.encode("cp1252")).text.endswith(f"<b>{title}</b></a>")


def test_the_step_of_a_document_that_goes_on() -> None:
    step = watch_step(by_name("windows-1252"))
    assert (step.id, step.verdict, step.encoding) == ("behind the window", "nothing", "windows-1252")


LINES = (
    "Englantilainen (Dvorak, vasenkätinen)\nMäärittää, pääseekö käyttäjä tähän sivuston ylläpito-osioon.\n"
    "asiaankuulumaton siirros siirtokäskyn operandin osana\ntoiminto yhdistää symboleja eri segmenteissä\n"
)
FINNISH = (
    (LINES, "sisäinen disassembler-virhe"),
    (LINES * 10, "Näytetään myös tämä syöteasiakirja, tekijöiden lisäpaketti"),
)


def test_finnish_with_utf8_in_it_is_no_estonian() -> None:
    """Its letters are those of Estonian, too, in bytes that windows-1257 and windows-1252 read alike."""
    finnish = (
        "Tänään sää on kylmä ja myrskyinen Jyväskylässä.\nÄlä mene metsään yöllä yksin.\n"
        "Hän sanoi että päätös tehdään myöhemmin.\nPöydällä oli leipää, jäätelöä ja mehua.\n"
    )
    mixed = decode(finnish.encode("cp1252") + "Äiti lähti töihin.\n".encode())
    assert mixed.text == f"{finnish}Äiti lähti töihin.\n"
    assert is_mixture(mixed.resolution)
    for lines, last in FINNISH:
        assert decode(lines.encode("cp1252") + last.encode()).text == lines + last
    estonian = "Üliõpilased õppisid köögis, kuid šokolaad ja žürii jäid tühjaks. " * 3
    honest = decode(f"{estonian}PÄÄ“".encode("cp1257"))
    assert (honest.text, honest.resolution.encoding) == (f"{estonian}PÄÄ“", "windows-1257")


PASTED = "été à la mer, élève, fête, hôtel".encode("cp1252")


@each("label", [None, "text/xml; charset=utf-8"])
@each(
    ("title", "language"),
    [
        ("Tin tức bảng xếp hạng", ""),
        ("Tin tức bảng xếp hạng", "vi"),
        ("Il sindaco è a Roma", "it"),
        ("Vičenca", "sl"),
        ("東京", ""),
        ("강원 news", ""),
        ("Наука", ""),
        ("ลาว", "th"),
        ("a “word”", ""),
    ],
)
def test_items_pasted_into_a_short_document_that_names_utf8(
    title: str, language: str, label: str | None
) -> None:
    """They hold more letters than it has sequences. UTF-8 has to be named."""
    start = f"<rss><language>{language}</language><title>{title}</title>".encode()
    document = b"<?xml version='1.0' encoding='UTF-8'?>%b<title>%b</title></rss>" % (start, PASTED)
    decoded = decode(document, label)
    assert f"<title>{title}</title><title>été à la mer, élève, fête, hôtel</title>" in decoded.text
    assert (decoded.resolution.encoding, decoded.repairs.count) == ("windows-1252", 7)
    assert is_mixture(decoded.resolution)
    assert replay(decoded.resolution.facts) == decoded.resolution


@pytest.mark.parametrize(
    ("codec", "text", "encoding"),
    [
        ("cp1250", "příliš žluťoučký kůň úpěl ďábelské ódy, " * 2, "windows-1250"),
        ("gbk", "今天下雨了，所以我想在家里看书，", "GB18030"),
    ],
)
def test_one_word_in_utf8_under_that_label_makes_no_mixture(codec: str, text: str, encoding: str) -> None:
    """The letters show another charset than windows-1252."""
    document = b"<?xml version='1.0' encoding='UTF-8'?><a>%b <b>caf\xc3\xa9</b></a>" % text.encode(codec)
    assert decode(document).resolution.encoding == encoding


@pytest.mark.parametrize("codec", ["cp1254", "iso8859-9"])
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Seçilen yazıtipinin görüntüsü için gösterilecek metin; şimdi", "alanında"),
        ("dosyayı tutmak için, zorla kaldırmak için kullanın; en küçük genişlik", "kaldırmak"),
    ],
)
def test_one_word_in_utf8_among_turkish_under_that_label(codec: str, text: str, word: str) -> None:
    """Its page may be mixed, as windows-1252 may."""
    parts = text.encode(codec), word.encode()
    decoded = decode(b"<?xml version='1.0' encoding='UTF-8'?><a>%b <b>%b</b></a>" % parts)
    assert f"<a>{text} <b>{word}</b></a>" in decoded.text
    assert decoded.resolution.encoding == "windows-1254"
    assert is_mixture(decoded.resolution)
    assert replay(decoded.resolution.facts) == decoded.resolution


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("è a è b à ức 東京 ลาว “x” я".encode(), 7),
        ("aceggeɛ Geʻez Oʻz Số".encode(), 4),
        ("CAFÉ… MENÜ” CAFÉ›".encode("cp1252"), 0),
        ("SPÓŁKA".encode("iso8859-2"), 0),
        ("Погода".encode("cp1251"), 0),
        ("aÉ aя aเ 𐍈 © я".encode(), 0),
        ("東É ".encode() + b"\xc3\xa9\xe9", 0),
    ],
)
def test_runs_of_bytes_that_are_words_in_utf8(data: bytes, words: int) -> None:
    assert utf8_words(utf8_runs(b" " + data)) == words


NAMES_UTF8 = b"<?xml version='1.0' encoding='UTF-8'?>"


@each("label", [None, "text/xml; charset=utf-8"])
@each(
    ("title", "language", "pasted"),
    [
        ("Priključnica", "hr", "déjà vu"),
        ("Restart aplikace požaduje:", "cs", "déjà vu"),
        ("budú podčiarkovať", "sk", "François Mitterrand à l’Élysée"),
        ("aceggeɛ", "", "l’été"),
        ("Ethiopia (Geʻez)", "", "l’été"),
        ("Số", "", "l’été"),
    ],
)
def test_the_letters_of_another_page_are_judged_without_words_in_utf8(
    title: str, language: str, pasted: str, label: str | None
) -> None:
    """`Ä` and `Ť` of mojibake are no Slovak."""
    texts = language.encode(), title.encode(), pasted.encode("cp1252")
    decoded = decode(NAMES_UTF8 + b"<a><language>%b</language><b>%b</b><c>%b</c></a>" % texts, label)
    assert decoded.text.endswith(f"<b>{title}</b><c>{pasted}</c></a>")
    assert is_mixture(decoded.resolution)
    assert replay(decoded.resolution.facts) == decoded.resolution


@pytest.mark.parametrize(
    ("utf8", "stray"),
    [
        ("un valor válido</b><b>El 5º nivel, el 6º nivel, actúa", b"caf\xe9"),
        ("Tipo de cadena «%s» no válida</b><b>Sobre nº14", b"\xa35"),
        ("koʻrsatish toʻldirish boʻlganda oʻzgarish", b"caf\xe9"),
    ],
)
def test_a_guess_with_undecodable_bytes_does_not_go_before_words_in_utf8_which_is_named(
    utf8: str, stray: bytes
) -> None:
    """They are EUC-JP but for the same byte."""
    decoded = decode(NAMES_UTF8 + b"<a><b>%b</b><c>%b</c></a>" % (utf8.encode(), stray))
    assert f"<b>{utf8}</b>" in decoded.text
    assert (decoded.resolution.encoding, decoded.repairs.count) == ("UTF-8", 1)
    assert replay(decoded.resolution.facts) == decoded.resolution


@pytest.mark.parametrize("content_type", [None, "application/xml; charset=utf-8"])
@pytest.mark.parametrize(
    "text",
    [
        b"<b>\xca\xbbInitia</b><b>Tu\xca\xbba \xca\xc3eni</b><b>lea faka\xca\xbbuasi\xc5\x8d</b>",  # EUC-JP
        b"<b>\xc6\x94eto\xc9\x96o\xc6\x92el\xc9\x94\xc6o Asia nutome</b>",  # Shift_JIS
        b"<b>Tohinima \xca\xbboe \xca\xbbapi mo\xca\xbboni tu\xca\xbba?\xbb</b>",
    ],
)
def test_rare_east_asian_characters_are_no_evidence_against_letters_in_utf8_which_is_named(
    text: bytes, content_type: str | None
) -> None:
    decoded = decode(NAMES_UTF8 + text, content_type)
    assert decoded.resolution.encoding == "UTF-8"
    assert replay(decoded.resolution.facts) == decoded.resolution


@each("declaration", [b"", NAMES_UTF8])
@each(
    ("codec", "language", "text", "encoding"),
    [
        ("cp1251", "ru", "Требуется указать адрес назначения", "windows-1251"),
        ("cp1251", "uk", "Не вдалося видобути елемент за зміщенням", "windows-1251"),
        ("cp1251", "bg", "определен като вграден, но пренебрегнат", "windows-1251"),
        ("cp1253", "el", "Αποτυχία ανάγνωσης GIF", "windows-1253"),
        ("cp1255", "he", "אנדורה לה ולה, חיפוש", "windows-1255"),
        ("cp1256", "ar", "إضافة إذن صفحة جديدة إلى الموقع", "windows-1256"),
        ("cp1250", "pl", "błędne działanie, długi i ciągły strumień", "windows-1250"),
        ("cp1257", "lt", "Pašalinti pasirinktus įrašus, žymės tipas, šiuo metu nėra", "windows-1257"),
    ],
)
def test_a_pasted_quotation_in_utf8_is_no_evidence_of_the_charset(
    codec: str, language: str, text: str, encoding: str, declaration: bytes
) -> None:
    """All but western pages have its bytes as letters: `вЂњ`."""
    texts = language.encode(), text.encode(codec), "“News” – it’s".encode()
    decoded = decode(declaration + b"<a><language>%b</language><b>%b</b><c>%b</c></a>" % texts)
    assert f"<b>{text}</b>" in decoded.text
    assert decoded.resolution.encoding == encoding
    assert replay(decoded.resolution.facts) == decoded.resolution


@pytest.mark.parametrize("declaration", [b"", NAMES_UTF8])
@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1257", "Rytų Java, Vokiečių gestų kalba"),
        ("iso8859-2", "Łączenie się, łącze symboliczne się różni"),
    ],
)
def test_signs_of_two_bytes_beside_a_pasted_one(codec: str, text: str, declaration: bytes) -> None:
    document = declaration + b"<a><b>%b</b><c>%b</c></a>" % (text.encode(codec), "→ »".encode())
    assert f"<b>{text}</b>" in decode(document).text


PAGES_OF = {
    "ru": ("cp1251", "koi8-r", "iso8859-5", "cp866", "mac-cyrillic"),
    "uk": ("cp1251", "koi8-u"),
    "el": ("cp1253", "iso8859-7", "cp737", "mac-greek"),
    "he": ("cp1255", "iso8859-8", "cp862"),
    "ar": ("cp1256", "iso8859-6", "cp720"),
    "th": ("cp874",),
    "cs": ("cp1250", "iso8859-2", "cp852"),
    "tr": ("cp1254", "iso8859-9"),
    "lt": ("cp1257", "iso8859-13"),
    "zh-Hans": ("gb2312", "gb18030"),
    "ja": ("euc_jp", "cp932"),
}
FOUND_BY_LETTERS = ("cp1251", "koi8-r", "koi8-u", "cp1253", "cp1255", "cp1256", "cp874", "iso8859-8")


@each(("language", "codec"), [(one, codec) for one in PAGES_OF for codec in PAGES_OF[one]])
def test_titles_in_utf8_do_not_refute_the_label_of_the_other_text(language: str, codec: str) -> None:
    """They leave bytes that the page lacks, and letters of another language in it. Under UTF-8, and without a
    label, the letters of the other text are judged."""
    feed = tomllib.loads((FIXTURES / "texts" / f"{language}.toml").read_text(encoding="utf-8"))
    others = [f"<c>{item['title']}</c>".encode(codec, "ignore") for item in feed["items"]]
    for at, item in enumerate(feed["items"]):
        text = b"".join(others[:at] + others[at + 1 :])
        pasted = b"<a><language>%b</language>%b" % (language.encode(), item["title"].encode())
        for label in (codec, "utf-8", None) if codec in FOUND_BY_LETTERS else (codec,):
            declaration = b"<?xml version='1.0' encoding='%b'?>" % label.encode() if label else b""
            for content_type in (None, f"text/xml; charset={label}") if label else (None,):
                decoded = decode(b"%b%b%b</a>" % (declaration, pasted, text), content_type)
                assert decoded.text.endswith(f"{text.decode(codec)}</a>")
                assert replay(decoded.resolution.facts) == decoded.resolution


WESTERN_LINES = (
    "Le déjeuner est prêt à midi",
    "Une journée d’été à la mer",
    "Les élèves rentrent à l’école",
    "Noël approche déjà",
)
ENDING_WORDS = (
    *(
        "«\xa0qualité\xa0»",
        "“café…”",
        "”café”—",
        "café’…",
        "»allé…«",
        "café—“bar”",
        "(été…’)",
        "C'est “c'è…”",
        "créé\xa0»",
    ),
    *("«\xa0à\xa0»", "l’idée…” là…” aquí…” elämä…” på…” æblegrø…” também…”", "falló…\xa0»", "«está»\xa0"),
    *("PUBLIÉ…", "TERMINÉ\xa0!", "MENÜ”", "ADIÓ…", "CAFÈ…", "Spaß…”", "groß\xa0»", "Kalmukkië…”", "così…”"),
)
"""In windows-1252 each holds a UTF-8 sequence by chance."""


def _titles(titles: tuple[str, ...], label: str | None) -> str:
    declaration = f"<?xml version='1.0' encoding='{label}'?>" if label else ""
    return declaration + "<rss>" + "".join(f"<title>{title}</title>" for title in titles) + "</rss>"


@each("label", ["UTF-8", None, "windows-1252", "ISO-8859-1"])
@each("word", ENDING_WORDS)
def test_a_word_that_ends_in_a_sequence_makes_no_mixture(word: str, label: str | None) -> None:
    """`qualité »` is no `qualit頻`."""
    text = _titles((*WESTERN_LINES, word), label)
    data = text.encode("cp1252")
    assert not data.decode("utf-8", "ignore").isascii()
    found = decode(data, declaration="keep")
    assert (found.text, is_mixture(found.resolution)) == (text, False)
    assert replay(found.resolution.facts) == found.resolution
    assert "mixed-encodings" not in {finding.code for finding in check(data).findings}


@pytest.mark.parametrize("label", ["UTF-8", None])
def test_many_such_words_beside_fewer_letters_are_no_utf8(label: str | None) -> None:
    text = _titles((*["été, qualité\xa0»"] * 12, *["qualité\xa0»"] * 21), label)
    found = decode(text.encode("cp1252"), declaration="keep")
    assert (found.text, found.resolution.encoding) == (text, "windows-1252")


@each("label", ["UTF-8", None, "windows-1252", "ISO-8859-1"])
@each("word", ENDING_WORDS, every=4)
def test_it_is_read_by_the_page_in_a_mixture(word: str, label: str | None) -> None:
    """In pieces, too, and behind the window; `check` does not count it."""
    text = _titles((*WESTERN_LINES, word, "🎉"), label)
    data = text.replace("🎉", "@").encode("cp1252").replace(b"@", "🎉".encode())
    found = decode(data, declaration="keep")
    assert (found.text, is_mixture(found.resolution)) == (text, True)
    for size in (1, 2, 5):
        for lookahead in (1 << 20, 8):
            decoder = XmlDecoder(declaration="keep", lookahead=lookahead)
            pieces = [decoder.decode(data[at : at + size]) for at in range(0, len(data), size)]
            assert "".join([*pieces, decoder.decode(b"", True)]) == text
    (mixed,) = (finding for finding in check(data).findings if finding.code == "mixed-encodings")
    assert "1 UTF-8 sequence," in mixed.message


JOINED_CHARACTERS = (
    *(
        "Linux系",
        "B2B間の",
        "PC는",
        "webは",
        "TGFβ",
        "DNAβ",
        "Są",
        "Aț",
        "lễ",
        "fooễ",
        "Jazz♪",
        "done…",
        "N°",
        "TV—",
    ),
    *("頻 頻", "東京", "Ж", "מ", "a̧", "é頻", "café", "naïve", "ok🎉", "iPhone™", "5€", "Xʻ"),
)
"""UTF-8 that is no chance."""


@each("word", JOINED_CHARACTERS)
@each("label", ["UTF-8", "windows-1252"])
def test_utf8_that_joins_a_letter_stays_in_a_mixture(word: str, label: str) -> None:
    text = _titles((*WESTERN_LINES, word, "Žižkov žluťoučký 🎉"), label)
    head, tail = text.split(word, 1)
    data = head.encode("cp1252") + (word + tail).encode()
    found = decode(data, declaration="keep")
    assert (found.text, is_mixture(found.resolution)) == (text, True)


FOREIGN_TITLES = {
    "cp1251": "Курс доллара вырос",
    "cp1255": "מזג האוויר בצפון",
    "cp1253": "Ειδήσεις σήμερα από την Αθήνα",
    "cp1256": "أخبار اليوم من العاصمة",
    "cp874": "ข่าวเด่นวันนี้จากกรุงเทพ",
}
UTF8_TITLES = {
    "de": ["Größe, Köln, schön, Müller", "Öl und Tür", "Süden", "Über die Brücke"],
    "fr": ["La forêt d’à côté", "Été très chaud", "Déjà vu", "Où est-il ?"],
    "pl": ["Rząd przyjął ustawę", "Łódź i Kraków", "Święta", "Późną nocą"],
    "ru": ["Мост откроют к ноябрю", "Музей получил письма", "Погода", "Новости дня"],
}


@pytest.mark.parametrize("codec", FOREIGN_TITLES)
@pytest.mark.parametrize("language", UTF8_TITLES)
@pytest.mark.parametrize("place", [0, 1, 4])
@pytest.mark.parametrize("content_type", [None, "text/xml; charset=UTF-8"])
def test_one_text_of_another_script_does_not_change_the_others(
    codec: str, language: str, place: int, content_type: str | None
) -> None:
    """The texts in UTF-8, which is named, are more than those in other bytes."""
    titles = [title.encode() for title in UTF8_TITLES[language]]
    titles.insert(place, FOREIGN_TITLES[codec].encode(codec))
    body = b'<?xml version="1.0" encoding="UTF-8"?><rss>%b</rss>' % b"".join(
        b"<title>%b</title>" % title for title in titles
    )
    text = decode(body, content_type).text
    for title in UTF8_TITLES[language]:
        assert title in text


@pytest.mark.parametrize("codec", FOREIGN_TITLES)
@pytest.mark.parametrize("title", ["“News” – it’s", "Müller in Köln", "Rząd przyjął ustawę"])
def test_one_text_in_utf8_does_not_change_those_of_another_charset(codec: str, title: str) -> None:
    honest = [FOREIGN_TITLES[codec], f"{FOREIGN_TITLES[codec]}: {FOREIGN_TITLES[codec]}"]
    titles = [honest[0].encode(codec), title.encode(), honest[1].encode(codec)]
    body = b'<?xml version="1.0" encoding="UTF-8"?><rss>%b</rss>' % b"".join(
        b"<title>%b</title>" % one for one in titles
    )
    text = decode(body).text
    for one in honest:
        assert one in text


FOREIGN = [
    ("cp1251", "Новости области за неделю и погода на завтра"),
    ("koi8-r", "Новости области за неделю и погода на завтра"),
    ("cp1253", "Αποτυχία ανάγνωσης του αρχείου"),
    ("cp1255", "אנדורה לה ולה, חיפוש"),
    ("cp1256", "الأخبار العاجلة في العالم"),
    ("cp874", "ข่าวริมแม่น้ำวันนี้"),
]


@each(("codec", "foreign"), FOREIGN)
def test_a_foreign_title_among_marks_in_utf8(codec: str, foreign: str) -> None:
    """Typographic marks alone are UTF-8, with a label and without one."""
    own = "<title>It’s the “right” of all</title>\n" * 4
    title = f"<title>{foreign}</title>".encode(codec)
    for head in (b"", NAMES_UTF8, b"\xef\xbb\xbf" + NAMES_UTF8):
        decoded = decode(head + b"<rss>" + own.encode() + title + b"</rss>")
        assert own in decoded.text
        assert decoded.resolution.encoding in ("UTF-8", "windows-1252")  # or a mixture of both
        assert replay(decoded.resolution.facts) == decoded.resolution


@each(("codec", "foreign"), FOREIGN)
def test_a_foreign_title_among_western_ones(codec: str, foreign: str) -> None:
    """More texts are western: the letters of one do not outweigh them."""
    own = "<title>Het gaat over één patiënt</title>\n<title>Geen ideeën meer</title>\n" * 2
    title = f"<title>{foreign}</title>".encode(codec)
    label = b"<?xml version='1.0' encoding='windows-1252'?>"
    for head in (b"<rss>", label + b"<rss>", label + b"<rss><language>nl</language>"):
        decoded = decode(head + own.encode("cp1252") + title + b"</rss>")
        assert (own in decoded.text, decoded.resolution.encoding) == (True, "windows-1252")
        assert replay(decoded.resolution.facts) == decoded.resolution
        only = decode(head + title + b"</rss>")
        assert foreign in only.text


CUT = b"\xf0\x9f\x98"
DECLARED = b"<?xml version='1.0' encoding='UTF-8'?>"
TITLE = b"<item><title>So cool %b</title></item>\n"


@each(
    "body",
    [
        DECLARED + b"<a>So cool " + CUT + b"</a>",
        b"<a>nice " + CUT + b" and so on</a>",
        DECLARED + b"<a>good night \xf0\x9f...</a>",
        DECLARED + b"<a>" + TITLE % CUT * 20 + b"</a>",
        DECLARED + b"<a><t>" + "🎉".encode() + b"</t>" + TITLE % CUT * 20 + b"</a>",
        b"<a>" + b"Plain text. " * 9000 + CUT,
        DECLARED + b"<a>she said \xe2\x80</a>",
        b"<a>" + TITLE % b"\xe2\x80" * 30 + TITLE % b"5 \xe2\x82" + TITLE % b"\xe2\x9d" + b"</a>",
    ],
    ids=lambda body: str(len(body)),
)
def test_ascii_with_marks_and_emoji_that_are_cut_is_utf8(body: bytes) -> None:
    expected = body.decode("utf-8", "replace")
    text, resolution, repairs = decode(body, declaration="keep")
    assert (text, resolution.encoding) == (expected, "UTF-8")
    assert replay(resolution.facts) == resolution
    assert repairs.count == expected.count("\ufffd")
    for size in (1, 7, len(body) - 2):
        decoder = XmlDecoder(declaration="keep")
        parts = [decoder.decode(body[at : at + size]) for at in range(0, len(body), size)]
        assert "".join(parts) + decoder.decode(b"", True) == expected


def test_what_begins_as_emoji_do_is_text_where_a_label_reads_it() -> None:
    body = "<?xml version='1.0' encoding='IBM866'?><a>Словарь: ЁЯШ</a>".encode("cp866")
    assert decode(body).text.endswith("Словарь: ЁЯШ</a>")
