"""Charsets: which charset a label names, and how its bytes become characters.

`labels` and `table` are data; `lookup` finds a charset by its label; `decoders` makes the decoder of a
charset, from one module for each family. Nothing here decides, and nothing opens anything.
"""
