"""Reading: a source of any kind as a stream of text.

`sources` opens what the caller passed, `byte_streams` waits for bytes, `decoded_stream` unpacks and decodes,
`xml_reader` is the text stream that callers see, and `utf8_stream` gives its text as UTF-8. `repair_stream`,
in `utf8_stream`, and `western_detection` read bytes without a decision.
"""
