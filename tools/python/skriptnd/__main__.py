"""``python -m skriptnd``: the compiler's command line."""

import os
import sys
from typing import NoReturn

from . import executable


def main() -> NoReturn:
    """Becomes the compiler."""
    path = executable.find()
    try:
        os.execve(path, [str(path), *sys.argv[1:]], executable.environment(path))
    except OSError as error:
        sys.exit(f"error: the compiler {path} did not start: {error.strerror}")


if __name__ == "__main__":
    main()
