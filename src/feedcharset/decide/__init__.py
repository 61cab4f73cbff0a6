"""Which encoding: the published tables as data, the lenient chain as data, and a small interpreter.

Facts are first reduced to a closed vocabulary (`vocabulary`); rows over these words decide (`rules`,
`interpreter`). The lenient chain applies the rows first and tests every answer against the principles
(`lenient_chain`, `principles`, `thresholds`). This package sees no bytes but in `opening` and `resolve`: the
counts that a principle needs are made on demand and recorded, so that a decision can be replayed.
"""
