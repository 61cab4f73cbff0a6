"""The judgement by which `repair` converts a file as windows-1252, or not: each step decides a file."""

from __future__ import annotations

import pytest

from feedcharset.validate.file_charset import JudgedFile

DECIDED = [
    # The judgement, the file, and the charset, or words of the refusal.
    ("a label that is never decoded", b'<?xml version="1.0" encoding="UTF-7"?><a>+AOk-</a>', "UTF-7, which"),
    (
        "ISO-2022-JP that is none",
        b'<?xml version="1.0" encoding="ISO-2022-JP"?><a>' + "今日".encode("iso2022_jp")[:-8] + b"</a>",
        "sequences are damaged",
    ),
    (
        "ISO-2022-JP that is none",
        '<?xml version="1.0" encoding="ISO-2022-JP"?><a>\x1b$B été</a>'.encode(),
        "has text in another encoding, UTF-8 perhaps",
    ),
    (
        "words in an East Asian charset",
        "今日は雨が降っているので、家で本を読もうと思います".encode("euc_jp"),
        "EUC-JP",
    ),
    ("UTF-8", "Été à la plage".encode() + b" caf\xe9", "UTF-8"),
    ("UTF-8", b"plain", "UTF-8"),
    (
        "another charset",
        "für Köln;schön\nmöglich;größer\nOberfläche;Schlüssel\n".encode("mac_roman"),
        "macintosh",
    ),
    (
        "the letters fit a page best in which they are no words",
        "la città è più grande, perché la verità è così\n".encode("cp850") * 3,
        "DOS or Mac text",
    ),
    ("another charset", "Погода на завтра: дождь, ветер северный".encode("cp1251"), "windows-1251"),
    ("another charset", "ידיעות מזג האוויר: גשם ורוח".encode("cp1255") * 3 + b"\xd9", "windows-1255"),
    ("another charset", b'<?xml version="1.0" encoding="KOI8-R"?><a>\xe4\xc1</a>', "KOI8-R"),
    (
        "a label that is not known",
        b'<?xml version="1.0" encoding="nope"?><a>caf\xe9</a>',
        "as nope, a charset",
    ),
    (
        "letters of another encoding, be it one of DOS or Mac",
        b"J\x81rgen M\x81ller;K\x94ln\n",
        "IBM852",
    ),
    (
        "one letter of one of them",
        b"J\x81rgen M\x81ller\n",
        "DOS or Mac text",
    ),
    # In Mac it would be Walloon: `Gr\xee\xb7e Stra\xb7e`.
    ("another charset", "Müller Größe Straße schön\n".encode("cp850"), "IBM850"),
    ("a table of letters", b" ".join(bytes([byte]) for byte in range(0xE0, 0x100)), "stand alone"),
    ("western", "Käse aus den Alpen".encode("cp1252"), "windows-1252"),
]


@pytest.mark.parametrize(("name", "data", "answer"), DECIDED)
def test_which_judgement_decides(name: str, data: bytes, answer: str) -> None:
    found = JudgedFile(data, complete=True).judge()
    if isinstance(found, str):
        assert answer in found, name
    else:
        assert found.name == answer, name


WESTERN = {
    "it is western": "'/Ä…' été déjà über Ö… größe".encode("cp1252"),
    "all that it would read otherwise are signs that touch no letter": b"area;5 m\xb3; 12\xbaC\n" * 30,
    "it reads each byte as windows-1252 does": '<?xml version="1.0" encoding="ISO-8859-9"?><a>été</a>'.encode(
        "latin-1"
    ),
}


@pytest.mark.parametrize("reason", WESTERN)
def test_why_another_charset_is_not_the_answer(reason: str) -> None:
    """One reason is enough."""
    found = JudgedFile(WESTERN[reason], complete=True).judge()
    assert getattr(found, "name", found) == "windows-1252"


@pytest.mark.parametrize("label", ["TIS-620", "windows-874", "ISO-8859-11"])
def test_a_word_under_its_true_label_is_no_chinese(label: str) -> None:
    data = f'<?xml version="1.0" encoding="{label}"?><a>เปิดไฟล์</a>'.encode("tis-620")
    charset = JudgedFile(data, complete=True).judge()
    assert not isinstance(charset, str)
    assert charset.name in ("TIS-620", "windows-874")
