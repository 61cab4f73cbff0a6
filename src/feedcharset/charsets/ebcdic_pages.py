"""EBCDIC code pages that Python has no codec for, as differences from IBM037.

Made by fixtures/make_ebcdic_pages.py: edit that script, not this file. Bytes in hex, each followed by its
character.
"""

from __future__ import annotations

__all__ = ["EBCDIC_PAGES"]

# fmt: off
EBCDIC_PAGES = {
    "IBM01141": (
        "43{ 4AÄ 4F! 59~ 5AÜ 5F^ 63[ 6Aö 7C§ 9F€ A1ß B0¢ B5@ BA¬ BB| C0ä "
        "CC¦ D0ü DC} E0Ö EC\\ FC]"
    ),
    "IBM01142": (
        "47} 4A# 4F! 5A€ 5BÅ 5F^ 67$ 6Aø 70¦ 7BÆ 7CØ 80@ 9C{ 9E[ 9F] A1ü "
        "B0¢ BA¬ BB| C0æ D0å DC~"
    ),
    "IBM01143": (
        "43{ 47} 4A§ 4F! 51` 5A€ 5BÅ 5F^ 63# 67$ 6Aö 71\\ 79é 7BÄ 7CÖ 9F] "
        "A1ü B0¢ B5[ BA¬ BB| C0ä CC¦ D0å DC~ E0É EC@"
    ),
    "IBM01144": (
        "44{ 48\\ 4A° 4F! 51] 54} 58~ 5Aé 5F^ 6Aò 79ù 7B£ 7C§ 90[ 9F€ A1ì "
        "B0¢ B1# B5@ BA¬ BB| C0à CD¦ D0è DD` E0ç"
    ),
    "IBM01145": "49¦ 4A[ 5A] 69# 6Añ 7BÑ 9F€ A1¨ B0¢ BA^ BB! BD~",
    "IBM01146": "4A$ 5B£ 9F€ A1¯ B0¢ B1[ BA^ BC~",
    "IBM01147": (
        "44@ 48\\ 4A° 4F! 51{ 54} 5A§ 5F^ 6Aù 79µ 7B£ 7Cà 90[ 9F€ A0` A1¨ "
        "B0¢ B1# B5] BA¬ BB| BD~ C0é D0è DD¦ E0ç"
    ),
    "IBM01148": "4A[ 4F! 5A] 5F^ 9F€ B0¢ BA¬ BB|",
    "IBM01149": (
        "4AÞ 4F! 5AÆ 5FÖ 79ð 7CÐ 8C` 8E{ 9C} 9E] 9F€ A1ö AC@ AE[ B0¢ BA¬ "
        "BB| BE\\ C0þ CC~ D0æ E0´ EC^"
    ),
    "IBM277": (
        "47} 4A# 4F! 5A¤ 5BÅ 5F^ 67$ 6Aø 70¦ 7BÆ 7CØ 80@ 9C{ 9E[ 9F] A1ü "
        "B0¢ BA¬ BB| C0æ D0å DC~"
    ),
    "IBM278": (
        "43{ 47} 4A§ 4F! 51` 5A¤ 5BÅ 5F^ 63# 67$ 6Aö 71\\ 79é 7BÄ 7CÖ 9F] "
        "A1ü B0¢ B5[ BA¬ BB| C0ä CC¦ D0å DC~ E0É EC@"
    ),
    "IBM280": (
        "44{ 48\\ 4A° 4F! 51] 54} 58~ 5Aé 5F^ 6Aò 79ù 7B£ 7C§ 90[ A1ì B0¢ "
        "B1# B5@ BA¬ BB| C0à CD¦ D0è DD` E0ç"
    ),
    "IBM284": "49¦ 4A[ 5A] 69# 6Añ 7BÑ A1¨ B0¢ BA^ BB! BD~",
    "IBM285": "4A$ 5B£ A1¯ B0¢ B1[ BA^ BC~",
    "IBM297": (
        "44@ 48\\ 4A° 4F! 51{ 54} 5A§ 5F^ 6Aù 79µ 7B£ 7Cà 90[ A0` A1¨ B0¢ "
        "B1# B5] BA¬ BB| BD~ C0é D0è DD¦ E0ç"
    ),
    "IBM870": (
        "44ţ 46ă 47č 49ć 4A[ 4F! 52ę 54ů 57ľ 58ĺ 5A] 5F^ 64˝ 66Ă 67Č 69Ć "
        "6A| 70ˇ 72Ę 74Ů 77Ľ 78Ĺ 80˘ 8Aś 8Bň 8Cđ 8Eř 8Fş 9Ał 9Bń 9Cš 9E˛ "
        "A0ą AAŚ ABŇ ACĐ AEŘ AFŞ B0˙ B1Ą B2ż B3Ţ B4Ż B6ž B7ź B8Ž B9Ź BAŁ "
        "BBŃ BCŠ CDŕ CFő DAĚ DBű DDť DFě EAď EDŔ EFŐ FAĎ FBŰ FDŤ"
    ),
    "IBM871": (
        "4AÞ 4F! 5AÆ 5FÖ 79ð 7CÐ 8C` 8E{ 9C} 9E] A1ö AC@ AE[ B0¢ BA¬ BB| "
        "BE\\ C0þ CC~ D0æ E0´ EC^"
    ),
    "IBM918": (
        "42، 43؛ 44؟ 45ﺁ 46ﺍ 47ﺎ 48 49ﺏ 4A[ 4F! 51ﺑ 52ﭖ 53ﭘ 54ﺓ 55ﺕ 56ﺗ "
        "57ﭦ 58ﭨ 59ﺙ 5A] 5F^ 62ﺛ 63ﺝ 64ﺟ 65ﭺ 66ﭼ 67ﺡ 68ﺣ 69ﺥ 6A` 70۰ 71۱ "
        "72۲ 73۳ 74۴ 75۵ 76۶ 77۷ 78۸ 79۹ 80ﺧ 8Aﺩ 8Bﮈ 8Cﺫ 8Dﺭ 8Eﮌ 8Fﺯ 90ﮊ "
        "9Aﺱ 9Bﺳ 9Cﺵ 9Dﺷ 9Eﺹ 9Fﺻ A0ﺽ AAﺿ ABﻃ ACﻇ ADﻉ AEﻊ AFﻋ B0ﻌ B1ﻍ B2ﻎ "
        "B3ﻏ B4ﻐ B5ﻑ B6ﻓ B7ﻕ B8ﻗ B9ﮎ BAﻛ BB| BCﮒ BDﮔ BEﻝ BFﻟ CBﻠ CCﻡ CDﻣ "
        "CEﮞ CFﻥ DAﻧ DBﺅ DCﻭ DDﮦ DEﮨ DFﮩ E1ﮪ EAﺀ EBﺉ ECﺊ EDﺋ EEﯼ EFﯽ FAﯾ "
        "FBﮰ FCﮮ FDﹼ FEﹽ"
    ),
}
