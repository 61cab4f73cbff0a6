"""Bytes to text, incrementally: decoding, then the options that change the decoded text.

    bytes → decoder (`errors=`) → `declaration=` → `mojibake=` → `xml_chars=` → text

Each stage gives the same text however its input is cut, and counts its changes in a `RepairLog`.
`XmlDecoder` also decides the encoding; every function that reads documents is built on it.
"""
