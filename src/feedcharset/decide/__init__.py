"""Which encoding: the published tables as data, the lenient chain as data, and a small interpreter.

`published_tables` has the rows; `strict_decision` reduces facts to the rows' words and applies them. The
lenient chain (`lenient_chain`) applies the rows first and tests every answer against the principles
(`lenient_principles`, with the numbers of `thresholds`; those of letters stand beside what counts them). No
bytes reach this package but in `resolve`: the counts that a principle needs are made on demand and recorded,
so that a decision can be replayed.
"""
