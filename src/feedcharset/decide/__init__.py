"""Which encoding: the printed tables as data, the lenient chain as data, and a small interpreter.

Facts are first reduced to a closed vocabulary (`vocabulary`); rows over these words decide (`rules`,
`interpreter`); the lenient chain asks the rows first and holds every answer against the principles
(`lenient`, `principles`, `plainly`). No octets come here: the numbers that a principle needs are asked for by
name and recorded, so that a decision can be replayed. `resolving` puts evidence and decision together.
"""
