"""Validation: findings for publishers, and what each kind of consumer reads.

`document_check` has `check`. `text_blocks` reads the document as text, `reading_comparison` with a decoder
for each consumer. `text_findings`, `well_formedness`, `mojibake_findings` and `document_findings` make the
findings, `finding_catalogue` describes them, `fixes` says what to do. `western_words` judges bytes that are
not UTF-8, `file_charset` a whole file before it is converted. `parser_labels`: the labels that parsers know.
"""
