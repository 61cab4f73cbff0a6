"""Octets to text, incrementally: decoding, and what may be done to the text afterwards.

    octets → decoder (`errors=`) → `declaration=` → `mojibake=` → `xml_chars=` → text

Each stage gives the same text however its input is cut, and counts what it changes in a `RepairLog`.
`xml_decoder` decides and decodes in one; it is the push form behind everything that reads documents.
"""
