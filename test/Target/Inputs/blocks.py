"""Prints a block of code of a page: its language and its number, from 1 on, among those of the language."""

import pathlib
import re
import sys

page, language, number = sys.argv[1:]
blocks = re.findall(rf"^```{language}\n(.*?)^```", pathlib.Path(page).read_text(), re.DOTALL | re.MULTILINE)
print(blocks[int(number) - 1], end="")
