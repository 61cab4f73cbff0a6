"""What Python's codecs read otherwise than the Encoding Standard.

Made by fixtures/make_codec_differences.py: edit that script, not this file. By the codec that lenient
decoding uses:

- REPLACEMENTS: a character of the codec and the one of the standard, in pairs. The codec has the first one
  for no other sequence, so that it can be replaced in decoded text.
- SEQUENCES: sequences whose character the codec also has for another sequence; with the codec's character
  and the one of the standard.
- ADDITIONS: runs of sequences that the codec does not know: the first one, and the characters of this and
  the following ones.
"""

from __future__ import annotations

__all__ = ["ADDITIONS", "REPLACEMENTS", "SEQUENCES"]

REPLACEMENTS = {
    "big5hkscs": "¢￠£￡¥￥•‧‾¯∼～☉⊙♁⊕､﹑",
    "euc_jp": "¢￠£￡¬￢‖∥−－〜～",
    "gb18030": (
        "\ue5e5\u3000\ue78d︐\ue78e︒\ue78f︑\ue790︓\ue791︔\ue792︕\ue793︖\ue794︗\ue795︘"
        "\ue796︙\ue7c7ḿ\ue81e龴\ue826龵\ue82b龶\ue82c龷\ue832龸\ue843龹\ue854龺\ue864龻"
    ),
}

SEQUENCES = {
    "big5hkscs": {
        "a241": "／∕",
        "a242": "＼﹨",
    },
    "euc_jp": {
        "8fa2b7": "~～",
    },
    "gb18030": {
        "8135f437": "ḿ\ue7c7",
    },
}

ADDITIONS = {
    "big5hkscs": {
        "877a": "㡵𡵓𣚞𦀡㻬",
        "87a1": (
            "𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿"
            "拁灮鿋"
        ),
        "8e69": "箸",
        "8e6f": "簆",
        "8e7e": "糎",
        "8eab": "緒",
        "8eb4": "縝",
        "8ecd": "者",
        "8ed0": "耨",
        "8f57": "菁",
        "8f69": "蒨",
        "8f6e": "萏",
        "8fcb": "覦覩",
        "8ffe": "起",
        "906d": "都",
        "907a": "銹",
        "90dc": "靜",
        "90f1": "響",
        "91bf": "鼖",
        "9244": "蔃",
        "92af": "兙兛兝兞",
        "92c8": "鍮",
        "92d1": "瑹",
        "9447": "浧",
        "94ca": "禛",
        "95d9": "邗",
        "9644": "靝",
        "96ed": "瀞",
        "96fc": "嬨",
        "9b76": "爁",
        "9b78": "矗",
        "9b7b": "纇",
        "9bc6": "駖",
        "9bde": "釔",
        "9bec": "惞",
        "9bf6": "澶",
        "9c42": "輶",
        "9c53": "侻",
        "9c62": "營",
        "9c68": "鄄",
        "9c6b": "鷰",
        "9c77": "菏",
        "9cbc": "尐秣",
        "9cd0": "婧",
        "9d57": "輋",
        "9d5a": "筑",
        "9dc4": "拐",
        "9ea9": "恢",
        "9eef": "痹",
        "9efd": "汊",
        "9f60": "鬮",
        "9f66": "鼗",
        "9fcb": "僭",
        "9fd8": "弌",
        "a063": "蠏",
        "a077": "拎",
        "a0d5": "瑨",
        "a0df": "煢",
        "a0e4": "牐",
        "a3c0": "␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€",
        "c6cf": "廴",
        "c6d3": "无",
        "c6d5": "癶",
        "c6d7": "隶",
        "c6de": "〃仝",
        "fa5f": "倩",
        "fa66": "偽",
        "fabd": "包",
        "fac5": "卄",
        "fad5": "卿",
        "fb48": "嘅",
        "fbb8": "婷",
        "fbf3": "幵",
        "fbf9": "廐",
        "fc4f": "彘",
        "fc6c": "悤",
        "fcb9": "撐",
        "fce2": "晴",
        "fcf1": "杞",
        "fdb7": "沜渝",
        "fdbb": "港",
        "fdf1": "煮",
        "fe52": "猪",
        "fe6f": "瑜",
        "feaa": "瓩",
        "fedd": "砉",
    },
    "euc_jp": {
        "ada1": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ",
        "adc0": "㍉㌔㌢㍍㌘㌧㌃㌶㍑㍗㌍㌦㌣㌫㍊㌻㎜㎝㎞㎎㎏㏄㎡",
        "addf": "㍻〝〟№㏍℡㊤㊥㊦㊧㊨㈱㈲㈹㍾㍽㍼≒≡∫∮∑√⊥∠∟⊿∵∩∪",
        "f9a1": (
            "纊褜鍈銈蓜俉炻昱棈鋹曻彅丨仡仼伀伃伹佖侒侊侚侔俍偀倢俿倞偆偰偂傔僴僘兊兤冝冾凬刕劜劦勀勛匀匇匤卲厓厲叝﨎咜咊咩哿喆坙坥垬"
            "埈埇﨏塚增墲夋奓奛奝奣妤妺孖寀甯寘寬尞岦岺峵崧嵓﨑嵂嵭嶸嶹巐弡弴彧德"
        ),
        "faa1": (
            "忞恝悅悊惞惕愠惲愑愷愰憘戓抦揵摠撝擎敎昀昕昻昉昮昞昤晥晗晙晴晳暙暠暲暿曺朎朗杦枻桒柀栁桄棏﨓楨﨔榘槢樰橫橆橳橾櫢櫤毖氿汜"
            "沆汯泚洄涇浯涖涬淏淸淲淼渹湜渧渼溿澈澵濵瀅瀇瀨炅炫焏焄煜煆煇凞燁燾犱"
        ),
        "fba1": (
            "犾猤猪獷玽珉珖珣珒琇珵琦琪琩琮瑢璉璟甁畯皂皜皞皛皦益睆劯砡硎硤硺礰礼神祥禔福禛竑竧靖竫箞精絈絜綷綠緖繒罇羡羽茁荢荿菇菶葈"
            "蒴蕓蕙蕫﨟薰蘒﨡蠇裵訒訷詹誧誾諟諸諶譓譿賰賴贒赶﨣軏﨤逸遧郞都鄕鄧釚"
        ),
        "fca1": (
            "釗釞釭釮釤釥鈆鈐鈊鈺鉀鈼鉎鉙鉑鈹鉧銧鉷鉸鋧鋗鋙鋐﨧鋕鋠鋓錥錡鋻﨨錞鋿錝錂鍰鍗鎤鏆鏞鏸鐱鑅鑈閒隆﨩隝隯霳霻靃靍靏靑靕顗顥飯"
            "飼餧館馞驎髙髜魵魲鮏鮱鮻鰀鵰鵫鶴鸙黑"
        ),
        "fcf1": "ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹ￢￤＇＂",
    },
    "gb18030": {
        "80": "€",
    },
}
