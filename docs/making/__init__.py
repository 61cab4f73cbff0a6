"""The pages of the reference that are made from the code; `docs/generate.py` writes them."""

__all__: list[str] = []
