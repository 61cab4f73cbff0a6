"""`python -m feedcharset`."""

from feedcharset.cli import main

if __name__ == "__main__":
    main()
