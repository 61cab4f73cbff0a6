"""Charsets: which charset a label names, and how its bytes become characters.

`labels` is data: a row for each charset, with its labels. `lookup` finds a charset by its label; `decoders`
makes the decoder of a charset, from one module for each family. Nothing here decides, and nothing opens
anything.
"""
