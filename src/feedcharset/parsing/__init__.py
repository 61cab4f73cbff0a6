"""Parsing with lxml: `parse` and `iterparse`, safe for documents from untrusted sources.

parsers          `parse`: a document as lxml's tree; `iterparse`: a document element by element; a reader's
                 text as the UTF-8 that lxml gets
document_start   finds the document behind what stands before it
markup_repair    repairs markup on the way to lxml; uses held_text (the open elements, where they end, tags
                 that are lost), tag_syntax (tags outside of the grammar, names) and references (references
                 and entities)
libxml2          the options, limits and errors of lxml's parsers; `NoDocument`
recovery_log     what was repaired: `XmlReader.recovered`, and the line of the log
"""
