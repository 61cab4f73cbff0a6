"""What Python's codecs read otherwise than the Encoding Standard.

Made by fixtures/make_codec_differences.py: edit that script, not this file. By the codec that lenient
decoding uses:

- CODEC_REPLACEMENTS: a character of the codec and the one of the standard, in pairs. The codec has the first
  one for no other sequence, so that it can be replaced in decoded text.
- SEQUENCES: sequences whose character the codec also has for another sequence; with the codec's character
  and the one of the standard.
- ADDITIONS: runs of sequences that the codec does not know: the first one in hex, directly followed by the
  characters of this and the following ones.
"""

CODEC_REPLACEMENTS = {
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
    "big5hkscs": (
        "877a㡵𡵓𣚞𦀡㻬 87a1𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹"
        "瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 8e69箸 8e6f簆 8e"
        "7e糎 8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 8f69蒨 8f6e萏 "
        "8fcb覦覩 8ffe起 906d都 907a銹 90dc靜 90f1響 91bf鼖 924"
        "4蔃 92af兙兛兝兞 92c8鍮 92d1瑹 9447浧 94ca禛 95d9邗 9644"
        "靝 96ed瀞 96fc嬨 9b76爁 9b78矗 9b7b纇 9bc6駖 9bde釔 9b"
        "ec惞 9bf6澶 9c42輶 9c53侻 9c62營 9c68鄄 9c6b鷰 9c77菏 "
        "9cbc尐秣 9cd0婧 9d57輋 9d5a筑 9dc4拐 9ea9恢 9eef痹 9ef"
        "d汊 9f60鬮 9f66鼗 9fcb僭 9fd8弌 a063蠏 a077拎 a0d5瑨 a"
        "0df煢 a0e4牐 a3c0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞"
        "␟␡€ c6cf廴 c6d3无 c6d5癶 c6d7隶 c6de〃仝 fa5f倩 fa66偽"
        " fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 fc4"
        "f彘 fc6c悤 fcb9撐 fce2晴 fcf1杞 fdb7沜渝 fdbb港 fdf1煮 "
        "fe52猪 fe6f瑜 feaa瓩 fedd砉"
    ),
    "euc_jp": (
        "ada1①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ adc0㍉㌔㌢㍍㌘㌧㌃"
        "㌶㍑㍗㌍㌦㌣㌫㍊㌻㎜㎝㎞㎎㎏㏄㎡ addf㍻〝〟№㏍℡㊤㊥㊦㊧㊨㈱㈲㈹㍾㍽㍼≒≡∫∮∑√⊥∠"
        "∟⊿∵∩∪ f9a1纊褜鍈銈蓜俉炻昱棈鋹曻彅丨仡仼伀伃伹佖侒侊侚侔俍偀倢俿倞偆偰偂傔僴僘兊兤"
        "冝冾凬刕劜劦勀勛匀匇匤卲厓厲叝﨎咜咊咩哿喆坙坥垬埈埇﨏塚增墲夋奓奛奝奣妤妺孖寀甯寘寬尞岦岺峵"
        "崧嵓﨑嵂嵭嶸嶹巐弡弴彧德 faa1忞恝悅悊惞惕愠惲愑愷愰憘戓抦揵摠撝擎敎昀昕昻昉昮昞昤晥晗晙"
        "晴晳暙暠暲暿曺朎朗杦枻桒柀栁桄棏﨓楨﨔榘槢樰橫橆橳橾櫢櫤毖氿汜沆汯泚洄涇浯涖涬淏淸淲淼渹湜渧"
        "渼溿澈澵濵瀅瀇瀨炅炫焏焄煜煆煇凞燁燾犱 fba1犾猤猪獷玽珉珖珣珒琇珵琦琪琩琮瑢璉璟甁畯皂皜"
        "皞皛皦益睆劯砡硎硤硺礰礼神祥禔福禛竑竧靖竫箞精絈絜綷綠緖繒罇羡羽茁荢荿菇菶葈蒴蕓蕙蕫﨟薰蘒﨡"
        "蠇裵訒訷詹誧誾諟諸諶譓譿賰賴贒赶﨣軏﨤逸遧郞都鄕鄧釚 fca1釗釞釭釮釤釥鈆鈐鈊鈺鉀鈼鉎鉙鉑"
        "鈹鉧銧鉷鉸鋧鋗鋙鋐﨧鋕鋠鋓錥錡鋻﨨錞鋿錝錂鍰鍗鎤鏆鏞鏸鐱鑅鑈閒隆﨩隝隯霳霻靃靍靏靑靕顗顥飯飼"
        "餧館馞驎髙髜魵魲鮏鮱鮻鰀鵰鵫鶴鸙黑 fcf1ⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹ￢￤＇＂"
    ),
    "gb18030": "80€",
}
