"""Reading: a source of any kind as a stream of text.

`sources` opens what the caller passed, `gzip_stream` unpacks it, `decoded_stream` decodes it piece by piece,
`xml_reader` is the text stream that callers see, and `utf8_stream` gives its text as UTF-8.
"""
