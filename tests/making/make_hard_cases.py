# ruff: noqa: E501 - sentences
"""Make tests/data/hard_cases.jsonl: documents, honest and trapped, in every script.

    python tests/making/make_hard_cases.py > tests/data/hard_cases.jsonl

They were composed before any result was looked at; those that are not read rightly are "open", with the reason.
Each row is like one of field_reports.jsonl; `point` is the matter that it is about, `kind` is "honest" (the
labels are true, or nothing names a charset) or "trap" (a label is false, or bytes are damaged). EBCDIC is
encoded by the program iconv (glibc); `--without-iconv` leaves those rows out.
"""

from __future__ import annotations

import json
import subprocess
import sys

ROWS: list[dict[str, object]] = []

OPEN = {
    "window-copyright-ko": "two sequences in a row prove nothing",
    "cut-lt-z": "Å is a word, and no letter beyond windows-1252 stands near it",
    "cut-pasted-menu": "DC 94 is a well-formed sequence",
}
"""What is not reached, and why."""


def row(point, kind, ident, what, content_type, *body):
    ROWS.append(
        {
            "id": f"{point}-{ident}",
            "point": point,
            "kind": kind,
            "what": what,
            "content_type": content_type,
            "body": [list(piece) for piece in body],
            "judge": "open" if f"{point}-{ident}" in OPEN else "text",
            "note": f"open: {OPEN[f'{point}-{ident}']}" if f"{point}-{ident}" in OPEN else "",
        }
    )


def head(label=None, version="1.0"):
    named = f' encoding="{label}"' if label else ""
    return f'<?xml version="{version}"{named}?>\n<rss version="2.0"><channel><title>'


TAIL = "</title></channel></rss>\n"


def feed(point, kind, ident, what, content_type, label, text, codec):
    row(point, kind, ident, what, content_type, (head(label) + text + TAIL, codec))


T = {
    "ru": "Завтра в библиотеке на Садовой читают сказки для детей и взрослых",
    "uk": "Щовечора біля річки співають жаби, а вдосвіта їх змінюють солов’ї",
    "bg": "Първият сняг затвори прохода, но пътниците чакат спокойно в хижата",
    "sr": "Ђаци су ђаволски добро научили песму, а учитељ вођњака није ни видео",
    "mk": "Ѓорѓи го чува ќебето од баба Ќира во старото куќарче крај Вардар",
    "el": "Η βροχή σταμάτησε και τα παιδιά βγήκαν ξανά στην πλατεία του χωριού",
    "he": "מחר בבוקר תיפתח התערוכה החדשה במוזיאון העירוני ליד הנמל",
    "ar": "افتتحت المدرسة الجديدة أبوابها صباح اليوم أمام تلاميذ القرية",
    "fa": "کتابخانه شهر از فردا برای همه کودکان رایگان است",
    "th": "พรุ่งนี้เช้าตลาดน้ำจะเปิดให้นักท่องเที่ยวเข้าชมโดยไม่เสียค่าใช้จ่าย",
    "ja": "明日の朝、駅前の広場で野菜の市場が開かれます",
    "ko": "내일 아침 역 앞 광장에서 채소 시장이 열립니다",
    "zh": "明天早上车站前的广场将举办蔬菜市场，欢迎大家参加",
    "tw": "明天早上車站前的廣場將舉辦蔬菜市場，歡迎大家參加",
    "cs": "Šedý vrabec přiletěl na střechu a zpíval až do večeře",
    "sk": "Na lúke pri Ďumbieri kvitnú šafrany a tŕnie už žltne",
    "pl": "Późną jesienią żurawie odlatują znad jezior, a mgła gęstnieje",
    "hu": "Őszi szőlőhegyen űzött víg játékok, körtefából készült sípok",
    "hr": "Šišmiši lete iznad Žumberka, a đaci čekaju u ćošku",
    "sl": "Škofja Loka vabi na žegnanje, čebelarji pa na čaj",
    "ro": "Îngheţata de vişine s-a terminat înainte de prânz în piaţă",
    "lt": "Ąžuolų giraitėje prie Šventosios žydi žibuoklės ir čiulba paukščiai",
    "lv": "Ķiršu ziedi ūdenī peld, bet bērni šūpojas zem ābelēm",
    "et": "Žürii sõitis öösel üle jõe, et näha õitsvaid õunapuid",
    "tr": "Göğün altında ağır ağır yürüyen şişman kedi çarşıya indi",
    "fr": "Après la pluie, les élèves ont planté des chênes près du collège",
    "de": "Über den Dächern läuten früh die Glocken, und Bäckerinnen öffnen",
    "es": "La niña soñó que volaba sobre el río; ¿quién le creerá mañana?",
    "pt": "Amanhã há pão quente e maçãs no mercado da Conceição",
    "it": "Perché la città è così silenziosa? Più giù c’è già il caffè",
    "sv": "På ängen står åtta får och önskar sig grönare gräs",
    "da": "Færgen sejler først på lørdag, fordi søen står højt",
    "is": "Þórður á Ísafirði veiðir þorsk og ýsu þegar veðrið er gott",
    "fi": "Pöllö istuu männyssä ja tähyää yön pimeää järveä",
    "vi": "Sáng mai chợ nổi mở cửa đón khách, trẻ em được vào miễn phí",
    "hi": "कल सुबह नदी किनारे सब्ज़ी का बाज़ार लगेगा",
    "ka": "ხვალ დილით ქალაქის ბაღში წიგნების ბაზარი გაიმართება",
    "hy": "Վաղը առավոտյան գրադարանի բակում գրքերի տոնավաճառ է",
    "eo": "Ĉiuj ĝardenoj floras, ĵus pasis la aŭtobuso",
}

ASCII = "<item><title>Nothing but letters of the alphabet here, a long archive of plain news</title></item>\n"
LONG = 1_049_000 // len(ASCII) + 1


# -- 1: one stray byte, a megabyte of ASCII, then UTF-8 -------------------------------------------------


def window():
    later = {
        "cs": "Žižkov",
        "ru": "Новый мост",
        "el": "Νέα γέφυρα",
        "he": "גשר חדש",
        "ar": "جسر جديد",
        "th": "สะพานใหม่",
        "ja": "新しい橋",
        "ko": "새 다리",
        "zh": "新的桥梁",
        "fr": "L’été à la plage",
        "emoji": "Party 🎉 tonight",
        "hi": "नया पुल",
    }
    labels = ["UTF-8", None, "ISO-8859-1", "windows-1252", "ISO-8859-15"]
    for at, (name, text) in enumerate(later.items()):
        label = labels[at % len(labels)]
        row(
            "window",
            "trap",
            f"copyright-{name}",
            f"one byte A9, a megabyte of ASCII, then {name} in UTF-8",
            None,
            (head(label), "ascii"),
            ("A9", "hex", "©"),
            (" 2012</title>\n", "ascii"),
            (ASCII, "ascii", ASCII, LONG),
            (f"<item><title>{text}</title></item></channel></rss>\n", "utf-8"),
        )
    for label, header in (
        (None, "text/xml"),
        ("UTF-8", "application/rss+xml; charset=ISO-8859-1"),
        ("ISO-8859-1", "text/xml; charset=utf-8"),
        ("US-ASCII", None),
    ):
        row(
            "window",
            "trap",
            f"name-{label}-{'http' if header else 'file'}",
            "one é of windows-1252, a megabyte of ASCII, then Russian in UTF-8",
            header,
            (head(label) + "Caf", "ascii"),
            ("E9", "hex", "é"),
            (" Central</title>\n", "ascii"),
            (ASCII, "ascii", ASCII, LONG),
            (f"<item><title>{T['ru']}</title></item></channel></rss>\n", "utf-8"),
        )
    for name, label in (
        ("fr", "windows-1252"),
        ("de", "ISO-8859-1"),
        ("es", None),
        ("sv", "ISO-8859-15"),
        ("pt", "iso-8859-1"),
    ):
        row(
            "window",
            "trap",
            f"archive-{name}",
            "a western archive to whose end items in UTF-8 were added",
            "text/xml" if label else None,
            (head(label) + T[name] + "</title>\n", "cp1252"),
            (ASCII, "ascii", ASCII, LONG),
            (f"<item><title>{T[name]} – {T['cs']}</title></item></channel></rss>\n", "utf-8"),
        )
        row(
            "window",
            "honest",
            f"honest-archive-{name}",
            "a western archive, western to its end",
            "text/xml" if label else None,
            (head(label) + T[name] + "</title>\n", "cp1252"),
            (ASCII, "ascii", ASCII, LONG),
            (
                f"<item><title>{T[name].upper().replace('ß', 'SS')}»</title></item></channel></rss>\n",
                "cp1252",
            ),
        )
    for name, label, codec in (
        ("ru", "windows-1251", "cp1251"),
        ("pl", "ISO-8859-2", "iso8859-2"),
        ("el", "windows-1253", "cp1253"),
        ("ja", "Shift_JIS", "cp932"),
    ):
        row(
            "window",
            "honest",
            f"honest-archive-{name}",
            f"an archive in {label}, the same to its end",
            None,
            (head(label) + T[name] + "</title>\n", codec),
            (ASCII, "ascii", ASCII, LONG),
            (f"<item><title>{T[name]}</title></item></channel></rss>\n", codec),
        )


# -- 2: one stray byte under charset=ISO-8859-1 ---------------------------------------------------------


def stray():
    for name, label, codec, byte, read in (
        ("ru", "windows-1251", "cp1251", "98", "\x98"),
        ("uk", "windows-1251", "cp1251", "98", "\x98"),
        ("bg", "windows-1251", "cp1251", "98", "\x98"),
        ("el", "windows-1253", "cp1253", "FF", "\ufffd"),
        ("he", "windows-1255", "cp1255", "FF", "\ufffd"),
        ("th", "windows-874", "cp874", "FF", "\ufffd"),
        ("th", "TIS-620", "cp874", "FC", "\ufffd"),
        ("el", "windows-1253", "cp1253", "D2", "\ufffd"),
        ("he", "windows-1255", "cp1255", "D9", "\ufffd"),
        ("lt", "windows-1257", "cp1257", "A1", "\ufffd"),
        ("cs", "windows-1250", "cp1250", "81", "\x81"),
        ("pl", "windows-1250", "cp1250", "98", "\x98"),
    ):
        for header in ("text/xml; charset=ISO-8859-1", "application/rss+xml; charset=us-ascii"):
            row(
                "stray",
                "trap",
                f"{name}-{label}-{byte}-{header[-4:]}",
                f"a true {label}, one byte {byte}, and a server's default",
                header,
                (head(label) + T[name] + " ", codec),
                (byte, "hex", read),
                (". " + T[name] + TAIL, codec),
            )
    for name, label, codec in (
        ("pl", "ISO-8859-2", "iso8859-2"),
        ("ru", "ISO-8859-5", "iso8859-5"),
        ("ar", "ISO-8859-6", "iso8859-6"),
        ("el", "ISO-8859-7", "iso8859-7"),
        ("he", "ISO-8859-8", "iso8859-8"),
        ("lt", "ISO-8859-13", "iso8859-13"),
    ):
        row(
            "stray",
            "trap",
            f"quotes-{label}",
            f"a true {label} with quotation marks of Windows, 93 and 94",
            "text/xml; charset=ISO-8859-1",
            (head(label) + T[name] + " ", codec),
            ("93", "hex", "“"),
            (T[name], codec),
            ("94", "hex", "”"),
            (TAIL, codec),
        )
    row(
        "stray",
        "honest",
        "fr-quotes",
        "ISO-8859-1 everywhere, with quotation marks of Windows",
        "text/xml; charset=ISO-8859-1",
        (head("ISO-8859-1") + "“" + T["fr"] + "”" + TAIL, "cp1252"),
    )
    row(
        "stray",
        "honest",
        "fr-declared-utf8",
        "a true ISO-8859-1 from HTTP, UTF-8 is declared",
        "text/xml; charset=ISO-8859-1",
        (head("UTF-8") + T["fr"] + TAIL, "cp1252"),
    )
    row(
        "stray",
        "honest",
        "ru-koi8",
        "a true KOI8-R under a server's default",
        "text/xml; charset=ISO-8859-1",
        (head("KOI8-R") + T["ru"] + TAIL, "koi8-r"),
    )
    row(
        "stray",
        "honest",
        "de-declared-1253",
        "true ISO-8859-1; the template declares windows-1253, which has holes all over",
        "text/xml; charset=ISO-8859-1",
        (head("windows-1253"), "ascii"),
        ("D2 AA FF 2E " * 30, "hex", "Òªÿ." * 30),
        (TAIL, "ascii"),
    )


# -- 3: western charset from HTTP over a declaration that proves itself --------------------------------


def western():
    cjk = (
        ("ko", "EUC-KR", "euc_kr"),
        ("ja", "Shift_JIS", "cp932"),
        ("zh", "GBK", "gbk"),
        ("tw", "Big5", "big5"),
        ("zh", "gb2312", "gb2312"),
        ("ja", "EUC-JP", "euc_jp"),
        ("zh", "GB18030", "gb18030"),
    )
    charsets = ("windows-1252", "ISO-8859-15", "ISO-8859-9", "windows-1250", "windows-1254")
    for at, charset in enumerate(charsets):
        for name, label, codec in cjk[at % 2 :: 1 if at < 2 else 2]:
            feed(
                "western",
                "trap",
                f"{charset}-{label}",
                f"charset={charset} over a true {label}",
                f"text/xml; charset={charset}",
                label,
                T[name],
                codec,
            )
    for name, label, charset in (
        ("fr", "GBK", "windows-1252"),
        ("de", "Big5", "windows-1252"),
        ("pt", "EUC-KR", "ISO-8859-15"),
        ("es", "Shift_JIS", "windows-1252"),
        ("sv", "gb2312", "ISO-8859-9"),
        ("it", "GB18030", "windows-1252"),
        ("da", "EUC-JP", "ISO-8859-15"),
        ("fi", "GBK", "ISO-8859-15"),
        ("pl", "GBK", "windows-1250"),
    ):
        codec = "cp1250" if charset == "windows-1250" else "cp1252" if "1252" in charset else charset.lower()
        feed(
            "western",
            "honest",
            f"{name}-{charset}-{label}",
            f"a true {charset}; a template declares {label}",
            f"text/xml; charset={charset}",
            label,
            T[name].replace("’", "'"),
            codec,
        )
    for name, label, codec, charset in (
        ("sr", "windows-1251", "cp1251", "ISO-8859-15"),
        ("sr", "windows-1251", "cp1251", "windows-1252"),
        ("mk", "windows-1251", "cp1251", "windows-1252"),
        ("th", "ISO-2022-JP", "", ""),
    ):
        if codec:
            feed(
                "western",
                "trap",
                f"{charset}-{name}-{label}",
                f"charset={charset} gives C1 controls, the declared {label} none"
                + ("; its words are Serbian" if charset == "ISO-8859-15" else ""),
                f"text/xml; charset={charset}",
                label,
                T[name],
                codec,
            )


# -- 4: windows-125x under ISO-8859-x -------------------------------------------------------------------


def pages():
    for name, text, label, codec in (
        ("sl", "Škofja Loka", "ISO-8859-2", "cp1250"),
        ("sl2", T["sl"], "iso-8859-2", "cp1250"),
        ("hr", T["hr"].replace("ž", "z").replace("Ž", "Z"), "ISO-8859-2", "cp1250"),
        ("cs", "„Šance“ pro každého", "ISO-8859-2", "cp1250"),
        ("sk", "Ďakujem – šťastnú cestu…", "ISO-8859-2", "cp1250"),
        ("pl", "Śląsk: „Świt”", "ISO-8859-2", "cp1250"),
        ("hu", "„Őszi szél”", "ISO-8859-2", "cp1250"),
        ("el", "“Καλημέρα” – νέα", "ISO-8859-7", "cp1253"),
        ("he", "„שלום” – חדשות", "ISO-8859-8", "cp1255"),
        ("lt", "Vilnius – „Žalgiris“", "ISO-8859-13", "cp1257"),
        ("et", "Tartu – Žürii ja Šokolaad…", "ISO-8859-15", "cp1252"),
        ("tr", "“Şimdi” – çarşı…", "ISO-8859-9", "cp1254"),
        ("fr", "Œuvre à 5 €…", "ISO-8859-1", "cp1252"),
    ):
        letters = [char for char in text if char.isalpha() and 0x80 <= char.encode(codec)[0] < 0xA0]
        by_label = {"ISO-8859-1": "cp1252", "ISO-8859-9": "cp1254"}.get(label, label)
        pieces = [(head(label), "ascii")]
        # Where the page and the label disagree beyond 80-9F, a letter in 80-9F shows the page; else the label decides.
        for char in text:
            byte = char.encode(codec)
            pieces.append(
                (
                    byte.hex().upper(),
                    "hex",
                    char if byte[0] < 0xA0 else byte.decode(codec if letters else by_label),
                )
            )
        pieces.append((TAIL, "ascii"))
        row("pages", "trap", name, f"{codec} under {label}", None, *pieces)
    for name, label in (
        ("pl", "ISO-8859-2"),
        ("ru", "ISO-8859-5"),
        ("el", "ISO-8859-7"),
        ("tr", "ISO-8859-9"),
        ("lv", "ISO-8859-4"),
        ("eo", "ISO-8859-3"),
        ("lt", "ISO-8859-13"),
        ("et", "ISO-8859-15"),
        ("ar", "ISO-8859-6"),
        ("he", "ISO-8859-8"),
    ):
        feed("pages", "honest", f"{name}-{label}", f"a true {label}", "text/xml", label, T[name], label)


# -- 5: decomposed letters, capitals that open a word, lone signs ---------------------------------------


def short_utf8():
    for name, text in (
        ("beyonce", "Beyonce\u0301"),
        ("pere", "Le pe\u0300re Noe\u0308l"),
        ("zurich", "Zu\u0308rich"),
        ("espana", "Espan\u0303a"),
        ("dvorak", "Dvor\u030ca\u0301k"),
        ("saopaulo", "Sa\u0303o Paulo"),
        ("malmo", "Malmo\u0308"),
        ("krakow", "Krako\u0301w"),
        ("angstrom", "A\u030angstro\u0308m"),
        ("viet", "Nguye\u0302\u0303n"),
    ):
        for label in ("windows-1252", "ISO-8859-2", "windows-1257")[
            : 3 if name in ("beyonce", "dvorak") else 1
        ]:
            feed(
                "decomposed",
                "trap",
                f"{name}-{label}",
                f"decomposed letters in UTF-8 under {label}",
                None,
                label,
                text,
                "utf-8",
            )
    feed(
        "decomposed",
        "trap",
        "http",
        "decomposed letters under charset=ISO-8859-1",
        "text/xml; charset=ISO-8859-1",
        None,
        "Beyonce\u0301",
        "utf-8",
    )
    feed(
        "decomposed",
        "trap",
        "1250",
        "decomposed letters under windows-1250",
        None,
        "windows-1250",
        "Citroe\u0308n",
        "utf-8",
    )
    feed(
        "decomposed",
        "trap",
        "latin9",
        "decomposed letters under ISO-8859-15",
        None,
        "ISO-8859-15",
        "Malmo\u0308",
        "utf-8",
    )
    for name, text, label in (
        ("lunedi", "LUNEDÌ»", "windows-1252"),
        ("giovedi", "GIOVEDÌ… VENERDÌ”", "windows-1252"),
        ("cosi", "COSÌ™ FAN TUTTE", "ISO-8859-1"),
        ("mezzodi", "MEZZODÌ° 12", "windows-1252"),
        ("vrste", "„VĚ“ je zkratka", "windows-1250"),
        ("kuna", "NA DNĚ”", "windows-1250"),
        ("gia", "lunedÌ 3 marzo", "ISO-8859-15"),
    ):
        codec = {"ISO-8859-1": "cp1252"}.get(label, label)
        feed(
            "decomposed",
            "honest",
            name,
            f"true {label}; bytes that could be a combining mark",
            None,
            label,
            text,
            codec,
        )
    for text in (
        "Šali",
        "Žito",
        "Čáp",
        "Řím",
        "Říčany",
        "Środa",
        "Świt",
        "Łódź",
        "Ādaži",
        "Ēdole",
        "Šiauliai",
    ):
        for label in ("windows-1250", "ISO-8859-2", "windows-1257", "ISO-8859-13")[hash_of(text) % 2 :: 2]:
            feed(
                "capital",
                "trap",
                f"{text}-{label}",
                f"one word with a capital, in UTF-8 under {label}",
                "text/xml",
                label,
                text,
                "utf-8",
            )
    for name, text, label in (
        ("astia", "Ăştia", "windows-1250"),
        ("astia2", "Ăştia vin", "ISO-8859-2"),
        ("uzas", "Úžas", "windows-1250"),
        ("ulava", "Úľava", "windows-1250"),
        ("ustav", "Úšti", "windows-1250"),
        ("izanga", "Įžanga", "ISO-8859-4"),
        ("issil", "Įšilęs", "ISO-8859-4"),
        ("ositko", "Óśmy dzień", "windows-1250"),
        ("ozga", "Óżar", "ISO-8859-2"),
        ("usuw", "Łąka", "windows-1250"),
        ("azuol", "Ąžuolas", "windows-1257"),
        ("sirdis", "Šķiedra", "windows-1257"),
        ("skoda", "Škoda", "windows-1250"),
        ("zizek", "Žižek", "ISO-8859-2"),
        ("cap", "Čáp", "windows-1250"),
        ("rim", "Řím", "ISO-8859-2"),
    ):
        feed("capital", "honest", name, f"one word, truly {label}", "text/xml", label, text, label)
    for name, text, label in (
        ("degree-1250", "21 °C", "windows-1250"),
        ("degree-latin2", "21 °C", "ISO-8859-2"),
        ("degree-1251", "Reykjavik: 21 °C", "windows-1251"),
        ("arrow-1252", "Home → Blog", "windows-1252"),
        ("arrow-1250", "Home → Blog", "windows-1250"),
        ("arrow-1251", "Home → Blog", "windows-1251"),
        ("arrow-koi8", "Home → Blog", "KOI8-R"),
        ("arrow-1253", "Home → Blog", "windows-1253"),
        ("numero-1251", "№ 5", "windows-1251"),
        ("numero-koi8", "№ 5", "KOI8-R"),
        ("uber-1251", "Über uns", "windows-1251"),
        ("uber-1253", "Über uns", "windows-1253"),
        ("carte-gbk", "à la carte", "GBK"),
        ("carte-big5", "à la carte", "Big5"),
        ("carte-sjis", "à la carte", "Shift_JIS"),
        ("carte-euckr", "Menu à la carte", "EUC-KR"),
        ("eclair-1255", "Éclair", "windows-1255"),
        ("eclair-1251", "Éclair", "windows-1251"),
        ("degree-1257", "21 °C", "windows-1257"),
        ("degree-874", "21 °C", "windows-874"),
        ("degree-1256", "21 °C", "windows-1256"),
        ("copyright-1254", "© 2020", "windows-1254"),
        ("pound-1250", "£5 million", "windows-1250"),
        ("check-1251", "✓ done", "windows-1251"),
        ("resume-1257", "Résumé", "windows-1257"),
        ("strasse-1253", "Hauptstraße", "windows-1253"),
    ):
        feed(
            "sign",
            "trap",
            name,
            f"one sign or western word in UTF-8 under {label}",
            "text/xml",
            label,
            text,
            "utf-8",
        )
    for name, text, label, codec in (
        ("degree-1250", "21 °C", "windows-1250", "cp1250"),
        ("degree-1251", "21 °C", "windows-1251", "cp1251"),
        ("numero-1251", "№ 5", "windows-1251", "cp1251"),
        ("v-1251", "В°", "windows-1251", "cp1251"),
        ("t-1251", "Т° воды", "windows-1251", "cp1251"),
        ("t2-1251", "Т° 21", "windows-1251", "cp1251"),
        ("beta-1253", "Β° Λυκείου", "windows-1253", "cp1253"),
        ("beta2-1253", "Α° και Β°", "windows-1253", "cp1253"),
        ("guillemets-1251", "«В»", "windows-1251", "cp1251"),
        ("v-koi8", "кв. 7, дом Б", "KOI8-R", "koi8-r"),
        ("trade-1251", "Группа В™", "windows-1251", "cp1251"),
        ("liantong", "联通", "GBK", "gbk"),
        ("wuguo", "芜湖", "GB2312", "gb2312"),
        ("hangul-short", "각", "EUC-KR", "euc_kr"),
        ("halfkana", "ﾃﾂｱ", "Shift_JIS", "cp932"),
        ("yo-874", "ย° 2", "windows-874", "cp874"),
        ("name-1251", "Ромашка", "windows-1251", "cp1251"),
        ("one-he", "ב”", "windows-1255", "cp1255"),
        ("one-ar", "آ°", "windows-1256", "cp1256"),
        ("sad-866", "сад", "IBM866", "cp866"),
    ):
        if name == "yo-874":
            continue
        feed(
            "sign",
            "honest",
            f"honest-{name}",
            f"a short title, truly {label}",
            "text/xml",
            label,
            text,
            codec,
        )


def hash_of(text):
    return sum(map(ord, text))


# -- 6: CESU-8 -------------------------------------------------------------------------------------------


def cesu(text):
    """CESU-8 in hex: characters beyond U+FFFF as two surrogates, each as three bytes."""
    units = text.encode("utf-16-be")
    pairs = (units[at : at + 2] for at in range(0, len(units), 2))
    return (
        b"".join(chr(int.from_bytes(pair, "big")).encode("utf-8", "surrogatepass") for pair in pairs)
        .hex(" ")
        .upper()
    )


def cesu8():
    for name, text, label, header in (
        ("only", "😎", "UTF-8", None),
        ("two", "😎🎉", "UTF-8", "text/xml; charset=utf-8"),
        ("no-label", "Party 🎉", None, None),
        ("ru", T["ru"] + " 🌉", "UTF-8", "application/rss+xml"),
        ("ja", "𠮷野家 " + T["ja"], "UTF-8", None),
        ("http-latin1", T["fr"] + " 🍷", "UTF-8", "text/xml; charset=ISO-8859-1"),
        ("named", "Bravo 👏 " + T["es"], "CESU-8", None),
        ("zh", "𠀀𠀁 " + T["zh"], "utf-8", "text/xml"),
        ("stale", "Salut 🙂 " + T["fr"], "ISO-8859-1", None),
        ("many", "🎈" * 30, "UTF-8", None),
        ("family", "👨\u200d👩\u200d👧 family", "UTF-8", "text/xml"),
    ):
        row(
            "cesu8",
            "trap",
            name,
            "emoji as two surrogates of three bytes each (CESU-8)",
            header,
            (head(label), "ascii"),
            (cesu(text), "hex", text),
            (TAIL, "ascii"),
        )
    row(
        "cesu8",
        "trap",
        "lone-high",
        "a lone surrogate is no character, the pair beside it is one",
        None,
        (head("UTF-8"), "ascii"),
        (cesu("é😎"), "hex", "é😎"),
        (" ", "ascii"),
        ("ED A0 BD", "hex", "í\u00a0½"),
        (TAIL, "ascii"),
    )
    row(
        "cesu8",
        "honest",
        "utf8",
        "emoji as UTF-8 has them",
        None,
        (head("UTF-8") + "😎 und " + T["de"] + TAIL, "utf-8"),
    )
    row(
        "cesu8",
        "honest",
        "1252",
        "windows-1252 in which the six bytes stand for characters",
        None,
        (head("windows-1252") + "caf", "ascii"),
        ("E9", "hex", "é"),
        (" \u2013 ", "cp1252"),
        (TAIL, "ascii"),
    )


# -- 7: UTF-8 cut by bytes --------------------------------------------------------------------------------


def cut():
    for name, text, char, keep, after in (
        ("fr-e", "La forêt est fermée à caf", "é", 1, "</title>"),
        ("fr-dots", "L’été est arriv", "é", 1, "..."),
        ("fr-space", "La plage a ferm", "é", 1, " [more]"),
        ("es-n", "El ni", "ñ", 1, "...</title>"),
        ("de-u", "Die Kinder spielen f", "ü", 1, "…"),
        ("de-ss", "Die Hauptstra", "ß", 1, "..."),
        ("cs-c", "Vesel", "ý", 1, "..."),
        ("cs-word", "Rychl", "č", 1, "..."),
        ("pl-l", "Wieczorem by", "ł", 1, "..."),
        ("ru-mid", T["ru"][:20], "и", 1, "..."),
        ("ru-word", "Новости дня: ", "м", 1, "..."),
        ("el-mid", T["el"][:21], "α", 1, "..."),
        ("he-mid", T["he"][:20], "ש", 1, "..."),
        ("ar-mid", T["ar"][:18], "م", 1, "..."),
        ("hy-mid", T["hy"][:18], "ա", 1, "..."),
        ("th-1", T["th"][:15], "ก", 1, "..."),
        ("th-2", T["th"][:15], "ก", 2, "..."),
        ("hi-1", T["hi"][:9], "क", 1, "..."),
        ("hi-2", T["hi"][:9], "क", 2, "</title>"),
        ("ka-2", T["ka"][:10], "ა", 2, "..."),
        ("ja-1", T["ja"][:8], "の", 1, "..."),
        ("ja-2", T["ja"][:8], "の", 2, "</title>"),
        ("zh-2", T["zh"][:9], "国", 2, "..."),
        ("ko-1", T["ko"][:5], "한", 1, "..."),
        ("ko-2", T["ko"][:5], "한", 2, "..."),
        ("quote-1", "He said it", "’", 1, "..."),
        ("quote-2", "She said it", "’", 2, "..."),
        ("dash-2", "Paris ", "–", 2, "..."),
        ("emoji-1", T["fr"], "🎉", 1, "..."),
        ("emoji-2", "Party ", "🎉", 2, "..."),
        ("emoji-3", "Party ", "🎉", 3, "</title>"),
        ("vi-2", "Chợ n", "ổ", 2, "..."),
        ("euro-2", "5 ", "€", 2, "..."),
        ("lt-z", "Vilniuje ", "ž", 1, "..."),
        ("tr-s", "Ankara’da yağmur ve ya", "ş", 1, "..."),
    ):
        whole = "" if len(text) > 30 or not text.isascii() else "Déjà vu: "
        row(
            "cut",
            "trap",
            name,
            f"an excerpt cut by bytes, {keep} of {len(char.encode())} are left",
            "application/rss+xml; charset=UTF-8",
            (head("UTF-8") + whole + text, "utf-8"),
            (char.encode()[:keep].hex(" ").upper(), "hex", "\ufffd"),
            ((after if after.endswith("</title>") else after + "</title>") + "</channel></rss>\n", "utf-8"),
        )
    row(
        "cut",
        "trap",
        "nolabel-ru",
        "no label at all, cut by bytes",
        None,
        (head(None) + T["ru"][:30], "utf-8"),
        ("D0", "hex", "\ufffd"),
        ("..." + TAIL, "ascii"),
    )
    row(
        "cut",
        "trap",
        "short",
        "a title of one letter, and an excerpt cut by bytes",
        "text/xml",
        (head("UTF-8") + "Été</title><description>La rosée du matin, d", "utf-8"),
        ("C3", "hex", "\ufffd"),
        ("...</description></channel></rss>", "ascii"),
    )
    row(
        "cut",
        "trap",
        "only",
        "nothing but one cut character",
        "text/xml; charset=utf-8",
        (head("UTF-8") + "Un d", "utf-8"),
        ("C3", "hex", "\ufffd"),
        ("..." + TAIL, "ascii"),
    )
    for name, before, pasted, after in (
        ("cafe", "Le ", "café", " des élèves"),
        ("quote", "Le ", "“café”", " d’été"),
        ("guillemets", "Élise dit ", "« café »", " à tous"),
        ("resume", "Mañana: ", "résumé»", " más"),
        ("irma", "A ", "IRMÃ", " está"),
        ("menu", "Größe: ", "MENÜ”", " für Gäste"),
        ("nee", "Zoë ", "née", " Müller"),
    ):
        row(
            "cut",
            "trap",
            f"pasted-{name}",
            "one word pasted from windows-1252 stays a word",
            "text/xml; charset=utf-8",
            (head("UTF-8") + T["fr"] + " " + before, "utf-8"),
            (pasted.encode("cp1252").hex(" ").upper(), "hex", pasted),
            (after + TAIL, "utf-8"),
        )


# -- 8: rows of character tables ----------------------------------------------------------------------------


def tables():
    def line(codec, lead, first=0xA1, last=0xFE):
        text = ""
        for trail in range(first, last + 1):
            try:
                text += bytes((lead, trail)).decode(codec)
            except UnicodeDecodeError:
                continue
        return text

    for label, codec, leads in (
        ("gb2312", "gb2312", (0xB0, 0xC4, 0xD0, 0xE1)),
        ("GBK", "gbk", (0xC3, 0xE5)),
        ("GB18030", "gb18030", (0xB5, 0xE8)),
        ("EUC-JP", "euc_jp", (0xB0, 0xC6, 0xE2)),
        ("EUC-KR", "euc_kr", (0xB0, 0xC3, 0xE0)),
        ("Big5", "big5", (0xA4, 0xC2)),
        ("Shift_JIS", "shift_jis", (0x88, 0xE2)),
    ):
        for lead in leads:
            feed(
                "table",
                "honest",
                f"{label}-{lead:X}",
                f"a row of the character table of {label}",
                None,
                label,
                line(codec, lead, 0x40 if codec in ("big5", "shift_jis") else 0xA1),
                codec,
            )
    for label, codec in (("gb2312", "gb2312"), ("EUC-KR", "euc_kr"), ("EUC-JP", "euc_jp")):
        text = "\n".join(line(codec, lead) for lead in range(0xB0, 0xC8))
        feed(
            "table",
            "honest",
            f"{label}-all",
            f"24 rows of the character table of {label}",
            "text/xml",
            label,
            text,
            codec,
        )
    for label in ("gb2312", "EUC-KR", "Big5"):
        feed(
            "table",
            "trap",
            f"{label}-utf8",
            f"a row of a table in UTF-8 under {label}",
            None,
            label,
            line("gb2312", 0xB5),
            "utf-8",
        )


# -- 9: a true UTF-16 label, a document that does not begin with "<" --------------------------------------


def utf16():
    for name, text, codec, header in (
        ("zwsp", "\u200b" + head(None) + "Zero" + TAIL, "utf-16-le", "text/xml; charset=utf-16le"),
        ("zwsp-be", "\u200b" + head(None) + "Zero" + TAIL, "utf-16-be", "text/xml; charset=UTF-16BE"),
        (
            "notice",
            "Notice: undefined index in /var/www/rss.php\n" + head(None) + T["fr"] + TAIL,
            "utf-16-le",
            "application/rss+xml; charset=UTF-16LE",
        ),
        (
            "letter",
            "x" + head("utf-16") + T["de"] + TAIL,
            "utf-16-be",
            "application/rss+xml; charset=utf-16be",
        ),
        (
            "ru",
            "Ошибка\n<rss><channel><title>" + T["ru"] + "</title></channel></rss>",
            "utf-16-le",
            "text/xml; charset=UTF-16LE",
        ),
        (
            "utf32",
            "\u200b<rss><channel><title>Thirty-two</title></channel></rss>",
            "utf-32-le",
            "text/xml; charset=utf-32le",
        ),
    ):
        row(
            "utf16",
            "trap",
            name,
            f"a true {codec} label, the document does not begin with <",
            header,
            (text, codec),
        )
    row(
        "utf16",
        "honest",
        "not",
        "charset=UTF-16LE over ASCII-compatible bytes",
        "text/xml; charset=utf-16le",
        (head("UTF-8") + T["cs"] + TAIL, "utf-8"),
    )
    row(
        "utf16",
        "honest",
        "plain",
        "a true UTF-16LE",
        "text/xml; charset=utf-16le",
        (head("UTF-16") + T["ru"] + TAIL, "utf-16-le"),
    )


# -- 10: labels ------------------------------------------------------------------------------------------------


def labels():
    for label, name, codec in (
        ("cp20866", "ru", "koi8-r"),
        ("cp21866", "uk", "koi8-u"),
        ("cp28592", "pl", "iso8859-2"),
        ("cp28595", "ru", "iso8859-5"),
        ("cp28597", "el", "iso8859-7"),
        ("cp28599", "tr", "iso8859-9"),
        ("cp28605", "fr", "cp1252"),
        ("cp54936", "zh", "gb18030"),
        ("DOS-862", "he", "cp862"),
        ("DOS-720", "ar", "cp720"),
        ("x-windows-50221", "ja", "iso2022_jp"),
        ("x-mswin-936", "zh", "gbk"),
        ("CL8MSWIN1251", "ru", "cp1251"),
        ("EE8MSWIN1250", "cs", "cp1250"),
        ("WE8ISO8859P15", "es", "iso8859-15"),
        ("cp1251_general_ci", "bg", "cp1251"),
        ("latin2_czech_cs", "cs", "iso8859-2"),
        ("MS-CYRL", "ru", "cp1251"),
        ("CP1252//TRANSLIT", "de", "cp1252"),
        ("shift_jis_2004", "ja", "shift_jis_2004"),
        ("ISO-8559-2", "hu", "iso8859-2"),
        ("cyrillic (Windows-1251)", "ru", "cp1251"),
        ("UTF8MB3", "ja", "utf-8"),
        ("MS-GREEK", "el", "cp1253"),
        ("MS-EE", "sk", "cp1250"),
    ):
        feed(
            "label",
            "trap",
            label.split(" ")[0].replace("/", "-"),
            f"declared as {label}",
            None,
            label,
            T[name].replace("’", "'") if codec != "utf-8" else T[name],
            codec,
        )
    row(
        "label",
        "trap",
        "typographic",
        "typographic quotes in a declaration of windows-1251",
        None,
        ('<?xml version="1.0" encoding=“windows-1251”?>\n<rss><channel><title>' + T["ru"] + TAIL, "cp1251"),
    )
    row(
        "label",
        "trap",
        "ucs2le",
        "charset=UCS-2LE",
        "text/xml; charset=UCS-2LE",
        ("<rss><channel><title>" + T["ru"] + TAIL, "utf-16-le"),
    )
    for label, codec in (("not-a-charset", "utf-8"), ("none", "utf-8")):
        feed("label", "honest", label, f"declared as {label}, it is UTF-8", None, label, T["pl"], codec)


# -- 11: EBCDIC ---------------------------------------------------------------------------------------------------


def ebcdic():
    for page, name in (
        ("IBM277", "da"),
        ("IBM278", "sv"),
        ("IBM280", "it"),
        ("IBM284", "es"),
        ("IBM297", "fr"),
        ("IBM870", "cs"),
        ("IBM871", "is"),
        ("IBM1140", "pt"),
        ("IBM1141", "de"),
        ("IBM1142", "da"),
        ("IBM1145", "es"),
        ("IBM1147", "fr"),
        ("IBM1148", "de"),
        ("IBM1149", "is"),
    ):
        text = head(page) + T[name].replace("’", "'") + TAIL
        # glibc's IBM871 exchanges þ and Þ (RFC 1345); IBM's, and its own IBM1149, do not.
        target = "IBM1149" if page == "IBM871" else page
        encoded = subprocess.run(
            ["iconv", "-f", "UTF-8", "-t", target], input=text.encode(), stdout=subprocess.PIPE, check=True
        ).stdout
        row("ebcdic", "honest", page, f"a true {page}", None, (encoded.hex(" ").upper(), "hex", text))
    text = head("IBM1026") + T["tr"] + TAIL
    row("ebcdic", "honest", "IBM1026", "a true IBM1026, whose quotation mark is FC", None, (text, "cp1026"))


# -- 12: mixtures -----------------------------------------------------------------------------------------------------


def mixtures():
    for name, label in (
        ("fr", "ISO-8859-15"),
        ("tr", "ISO-8859-9"),
        ("de", "ISO-8859-15"),
        ("fr", "windows-1252"),
        ("es", "ISO-8859-1"),
        ("pt", "windows-1254"),
        ("fi", None),
    ):
        codec = "cp1254" if name == "tr" or label == "windows-1254" else "cp1252"
        row(
            "mixture",
            "trap",
            f"{name}-{label}",
            f"items in UTF-8 pasted into {label or 'no label'}",
            None,
            (head(label) + T[name] + "</title><item><title>", codec),
            (T[name], "utf-8"),
            ("</title></item></channel></rss>\n", "ascii"),
        )
    for name, text, label in (
        ("example", "Pourquoi « Ã© » apparaît à la place de « é »", "windows-1252"),
        ("example2", "Warum steht da Ã¤ statt ä? Die Lösung für Ihre Blogbeiträge", "ISO-8859-1"),
        ("example3", "Por qué aparece Ã± en lugar de ñ en mi página, ¿alguien lo sabe?", "windows-1252"),
        ("example4", "L’encodage : â€™ au lieu de ’, problème réglé", "windows-1252"),
        ("example5", "Hvorfor står der Ã¥ i stedet for å på siden?", "ISO-8859-15"),
        ("example6", "Ã© ? C’est du UTF-8 lu en ISO-8859-1, à éviter", None),
    ):
        feed(
            "mixture",
            "honest",
            name,
            "a post about mojibake, with an example in it",
            "text/xml",
            label,
            text,
            "iso8859-15" if label == "ISO-8859-15" else "cp1252",
        )


# -- 16: legacy text that nothing names ----------------------------------------------------------------------------


def unlabelled():
    more = {
        "ru": "Жители города обсуждают новый маршрут автобуса. Первые рейсы начнутся в понедельник утром, сообщили в управе.",
        "uk": "Мешканці міста обговорюють новий маршрут автобуса. Перші рейси почнуться в понеділок уранці.",
        "bg": "Жителите на града обсъждат новия маршрут на автобуса. Първите курсове започват в понеделник сутринта.",
        "el": "Οι κάτοικοι της πόλης συζητούν τη νέα διαδρομή του λεωφορείου. Τα πρώτα δρομολόγια αρχίζουν τη Δευτέρα.",
        "he": "תושבי העיר דנים במסלול החדש של האוטובוס. הנסיעות הראשונות יתחילו ביום שני בבוקר, נמסר מהעירייה.",
        "ar": "يناقش سكان المدينة المسار الجديد للحافلة. تبدأ الرحلات الأولى صباح يوم الاثنين بحسب البلدية.",
        "th": "ชาวเมืองกำลังพูดคุยเรื่องเส้นทางรถเมล์สายใหม่ เที่ยวแรกจะเริ่มในเช้าวันจันทร์",
        "ja": "市民は新しいバスの路線について話し合っています。最初の便は月曜日の朝に始まります。",
        "ko": "시민들은 새로운 버스 노선에 대해 이야기하고 있습니다. 첫 차는 월요일 아침에 출발합니다.",
        "zh": "市民正在讨论新的公交路线。首班车将于星期一早上发车，市政府表示欢迎大家乘坐。",
        "tw": "市民正在討論新的公車路線。首班車將於星期一早上發車，市政府表示歡迎大家搭乘。",
        "cs": "Obyvatelé města řeší novou trasu autobusu. První spoje vyjedou v pondělí ráno, řekl mluvčí radnice. Změny potěší především žáky.",
        "pl": "Mieszkańcy dyskutują o nowej trasie autobusu. Pierwsze kursy ruszą w poniedziałek rano, powiedział rzecznik urzędu. Zmiany ucieszą uczniów.",
        "hu": "A város lakói az új buszútvonalról vitáznak. Az első járatok hétfő reggel indulnak, közölte a szóvivő. Örülnek a diákok is.",
        "tr": "Şehir sakinleri yeni otobüs güzergâhını tartışıyor. İlk seferler pazartesi sabahı başlayacak, öğrenciler için iyi haber.",
        "lt": "Miesto gyventojai svarsto naują autobuso maršrutą. Pirmieji reisai prasidės pirmadienį rytą, džiaugsis mokiniai, sakė seniūnas.",
    }
    for name, codecs in (
        ("ru", ("cp1251", "koi8-r", "iso8859-5", "cp866")),
        ("uk", ("cp1251", "koi8-u")),
        ("bg", ("cp1251",)),
        ("el", ("cp1253", "iso8859-7")),
        ("he", ("cp1255", "iso8859-8")),
        ("ar", ("cp1256",)),
        ("th", ("cp874",)),
        ("ja", ("cp932", "euc_jp")),
        ("ko", ("euc_kr",)),
        ("zh", ("gb2312",)),
        ("tw", ("big5",)),
        ("cs", ("cp1250", "iso8859-2")),
        ("pl", ("cp1250", "iso8859-2")),
        ("hu", ("cp1250",)),
        ("tr", ("cp1254",)),
        ("lt", ("cp1257",)),
    ):
        for at, codec in enumerate(codecs):
            label, header = (
                (None, None),
                ("UTF-8", "text/xml"),
                (None, "application/rss+xml; charset=utf-8"),
            )[(hash_of(name) + at) % 3]
            text = f"{T[name]}. {more[name]}".replace("’", "'") + (
                f" {T[name]}. {more[name]}" if name in ("cs", "pl", "hu", "lt", "tr") else ""
            )
            feed(
                "unlabelled",
                "trap",
                f"{name}-{codec}",
                f"{codec}, and nothing names it",
                header,
                label,
                text,
                codec,
            )
    for at, (name, text) in enumerate(
        (
            ("cafe", "Café"),
            ("naive", "A naïve question"),
            ("curly", "It’s “quoted” – really…"),
            ("euro", "Only 5 €"),
            ("copyright", "© 2009 ACME"),
            ("nbsp", "10\u00a0000 km"),
            ("degrees", "21 °C"),
            ("fr", T["fr"]),
            ("de", T["de"]),
            ("es", T["es"]),
            ("pt", T["pt"]),
            ("it", T["it"]),
            ("sv", T["sv"]),
            ("da", T["da"]),
            ("is", T["is"]),
            ("fi", T["fi"]),
            ("angebot", "Übergrößen für Männer"),
            ("reunion", "Île de la Réunion: été"),
            ("bullets", "• one • two • three"),
            ("dashes", "2001–2009 — an overview"),
            ("trade", "Widgets™ and Gadgets®"),
            ("pounds", "£5 or £6, ½ price"),
            ("jalapeno", "Jalapeño piñata"),
            ("smorgasbord", "Smörgåsbord"),
            ("oeuvre", "Œuvres complètes"),
            ("caps", "À LA CARTE: PÂTÉ, CRÈME BRÛLÉE"),
            ("quotes2", "‘single’ and “double”"),
            ("rondon", "São João del-Rei"),
            ("kobenhavn", "København Ø"),
            ("garcia", "García Márquez"),
        )
    ):
        label, header = ((None, None), ("UTF-8", "text/xml"), (None, "text/xml; charset=utf-8"))[at % 3]
        feed(
            "unlabelled",
            "honest",
            f"western-{name}",
            "western text that nothing names",
            header,
            label,
            text,
            "cp1252",
        )


# -- neighbours of everything: true labels, every script; long UTF-8 under stale labels ----------------------------


def neighbours():
    for name, label, codec in (
        ("ru", "windows-1251", ""),
        ("ru", "KOI8-R", ""),
        ("uk", "KOI8-U", ""),
        ("bg", "ISO-8859-5", ""),
        ("sr", "windows-1251", ""),
        ("mk", "ISO-8859-5", ""),
        ("ru", "x-mac-cyrillic", "mac_cyrillic"),
        ("ru", "IBM866", "cp866"),
        ("el", "windows-1253", ""),
        ("he", "windows-1255", ""),
        ("ar", "windows-1256", ""),
        ("fa", "UTF-8", ""),
        ("th", "windows-874", "cp874"),
        ("ja", "Shift_JIS", "cp932"),
        ("ja", "EUC-JP", ""),
        ("ja", "ISO-2022-JP", ""),
        ("ko", "EUC-KR", ""),
        ("zh", "GB2312", ""),
        ("zh", "GB18030", ""),
        ("tw", "Big5", ""),
        ("cs", "windows-1250", ""),
        ("hr", "windows-1250", ""),
        ("sl", "ISO-8859-2", ""),
        ("sk", "ISO-8859-2", ""),
        ("ro", "windows-1250", ""),
        ("lv", "windows-1257", ""),
        ("et", "windows-1257", ""),
        ("tr", "windows-1254", ""),
        ("vi", "UTF-8", ""),
        ("hi", "UTF-8", ""),
        ("ka", "UTF-8", ""),
        ("hy", "UTF-8", ""),
        ("is", "windows-1252", ""),
        ("fr", "macintosh", "mac_roman"),
    ):
        for header in ("text/xml", f"application/rss+xml; charset={label}")[: 1 if label == "UTF-8" else 2][
            hash_of(name) % 2 if label != "UTF-8" else 0 :
        ][:1]:
            text = T[name].replace("ţ", "t") if name == "ro" else T[name].replace("’", "'")
            feed("true", "honest", f"{name}-{label}", f"a true {label}", header, label, text, codec or label)
    for name, label in (
        ("ru", "windows-1251"),
        ("ru", "KOI8-R"),
        ("uk", "ISO-8859-1"),
        ("el", "windows-1253"),
        ("he", "windows-1255"),
        ("ar", "windows-1256"),
        ("fa", "windows-1256"),
        ("th", "windows-874"),
        ("ja", "Shift_JIS"),
        ("ja", "EUC-JP"),
        ("ko", "EUC-KR"),
        ("zh", "GB2312"),
        ("tw", "Big5"),
        ("cs", "windows-1250"),
        ("pl", "ISO-8859-2"),
        ("hu", "ISO-8859-2"),
        ("lt", "windows-1257"),
        ("lv", "ISO-8859-13"),
        ("tr", "ISO-8859-9"),
        ("fr", "ISO-8859-1"),
        ("de", "windows-1252"),
        ("is", "ISO-8859-15"),
        ("vi", "windows-1258"),
        ("hi", "ISO-8859-1"),
        ("ka", "windows-1251"),
        ("hy", "ISO-8859-1"),
        ("eo", "ISO-8859-3"),
        ("ro", "windows-1250"),
    ):
        header = ("text/xml", f"text/xml; charset={label}")[hash_of(name + label) % 2]
        feed(
            "stale",
            "trap",
            f"{name}-{label}",
            f"UTF-8 under a stale {label}",
            header,
            label,
            T[name],
            "utf-8",
        )


# -- words that show which of two labels is true ----------------------------------------------------------------


def western_words():
    for kind, name, charset, label, codec, text in (
        (
            "trap",
            "ru",
            "windows-1252",
            "windows-1251",
            "windows-1251",
            "Мост откроют к ноябрю, обещает мэрия",
        ),
        ("trap", "ru", "ISO-8859-15", "KOI8-R", "KOI8-R", "Мост откроют к ноябрю, обещает мэрия"),
        ("trap", "ru", "ISO-8859-9", "IBM866", "cp866", "Мост откроют к ноябрю, обещает мэрия"),
        (
            "trap",
            "bg",
            "windows-1250",
            "ISO-8859-5",
            "ISO-8859-5",
            "Ски пистата отваря с десет дни закъснение",
        ),
        (
            "trap",
            "uk",
            "windows-1252",
            "KOI8-U",
            "KOI8-U",
            "Ґрунтову дорогу до Маківки нарешті заасфальтують",
        ),
        (
            "trap",
            "el",
            "ISO-8859-15",
            "windows-1253",
            "windows-1253",
            "Άνοιξε το παλιό ελαιοτριβείο – τώρα ως μουσείο",
        ),
        ("trap", "el", "ISO-8859-9", "ISO-8859-7", "ISO-8859-7", "Απαγορευτικό απόπλου λόγω ισχυρών ανέμων"),
        (
            "trap",
            "he",
            "windows-1250",
            "windows-1255",
            "windows-1255",
            "הרכבל החדש יוצא לדרך: שבוע ראשון חינם",
        ),
        ("trap", "he", "windows-1252", "ISO-8859-8", "ISO-8859-8", "הרכבל החדש יוצא לדרך: שבוע ראשון חינם"),
        (
            "trap",
            "ar",
            "ISO-8859-15",
            "windows-1256",
            "windows-1256",
            "افتتاح المكتبة العامة بعد ترميم دام عامين",
        ),
        ("trap", "ar", "ISO-8859-9", "ISO-8859-6", "ISO-8859-6", "افتتاح المكتبة العامة بعد ترميم دام عامين"),
        ("trap", "th", "windows-1250", "windows-874", "cp874", "ตลาดน้ำเปิดใหม่ คนแน่นตั้งแต่เช้า"),
        (
            "honest",
            "fr",
            "windows-1252",
            "windows-1251",
            "windows-1252",
            "À Noël, le marché de l’église s’étend jusqu’à la grève | Sécheresse : l’île limite l’arrosage dès août | Portrait : la dernière voilière du port | Brèves : bac, école, boulangerie",
        ),
        (
            "honest",
            "pt",
            "ISO-8859-15",
            "KOI8-R",
            "ISO-8859-15",
            "Câmara aprova ligação de elétrico à estação | Pão de ló: a receita que ninguém revela | Exposição mostra fotografias do último farol | Opinião: três razões para não fechar a escola",
        ),
        (
            "honest",
            "sv",
            "windows-1252",
            "windows-1253",
            "windows-1252",
            "Färjan till Möja går tätare i sommar | Älg simmade två mil – blev kändis | Bröd i vedugn: så gör du | Insändare: Låt sjömärket stå!",
        ),
        (
            "honest",
            "de",
            "ISO-8859-15",
            "windows-1255",
            "ISO-8859-15",
            "Straßenfest: Bühne, Brezen und 28 Grad | Müllabfuhr ändert die Tage | Das alte Gaswerk wird Künstlerhaus | Leserbrief: Tempo 30 genügt!",
        ),
        (
            "honest",
            "es",
            "windows-1252",
            "windows-1256",
            "windows-1252",
            "¿Quién paga el puente? El alcalde responde | La cigüeña vuelve al campanario | Receta: migas al estilo de la abuela Concepción | El equipo juvenil asciende por penaltis",
        ),
        (
            "honest",
            "tr",
            "windows-1254",
            "windows-874",
            "windows-1254",
            "İskele yeniden açıldı, vapur ücretsiz | Zeytin hasadı erken başladı, fiyatlar yükseldi | Müzede gece: çocuklar heykellerle uyuyacak | Okur mektubu: sokağımızdaki çınar",
        ),
        (
            "honest",
            "pl",
            "windows-1250",
            "ISO-8859-5",
            "windows-1250",
            "Spółdzielnia odnowi wiatrak z XVIII wieku | Śnieg sparaliżował drogę do Gdańska | Podróże z biblioteką: książka w każdym plecaku | Listy: gdzie się podział ostatni bocian?",
        ),
        (
            "honest",
            "hu",
            "windows-1250",
            "IBM866",
            "windows-1250",
            "Újra jár a kisvasút – hétvégén ingyen | Árvíztűrő tükörfúrógép: jubileum a könyvtárban | Őszi gombaszezon: mire figyeljünk? | Olvasói levél: kié a forrás vize?",
        ),
    ):
        if kind == "trap":
            ident, what = f"{charset}-{name}-{label}", f"charset={charset} over a true {label}, by its words"
        else:
            ident, what = f"{name}-{charset}-{label}", f"a true {charset}; a template declares {label}"
        feed("western", kind, f"words-{ident}", what, f"text/xml; charset={charset}", label, text, codec)


for make in (
    window,
    stray,
    western,
    western_words,
    pages,
    short_utf8,
    cesu8,
    cut,
    tables,
    utf16,
    labels,
    ebcdic,
    mixtures,
    unlabelled,
    neighbours,
):
    if make is not ebcdic or "--without-iconv" not in sys.argv:
        make()
assert len({one["id"] for one in ROWS}) == len(ROWS), [
    i for i in [o["id"] for o in ROWS] if [o["id"] for o in ROWS].count(i) > 1
]
for one in ROWS:
    for piece in one["body"]:
        if piece[1] != "hex":
            piece[0].encode(piece[1])
    print(json.dumps(one, ensure_ascii=False))
