"""``python -m skriptnd``: the compiler's command line."""

import os
import sys
from typing import NoReturn

from . import executable


def main() -> NoReturn:
    """Becomes the compiler."""
    path = str(executable.find())
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
