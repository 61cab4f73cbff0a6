"""Facts about the first bytes, the Content-Type and the look-ahead window. This package decides nothing.

It opens nothing: bytes and header values are passed in, and facts are returned
(`document_head.gather_facts`), as are the counts of a window (`window.Window`).
"""
