"""Counts the instructions of the innermost loop of x86 assembly that has most fused products and sums.

Usage: hot.py LEAST MOST < FILE.s
Fails where the loop has fewer such instructions than LEAST, or more than MOST instructions in all for each of them.
"""

import re
import sys

FUSED = re.compile(r"vfn?m(add|sub)")


def loops(lines):
    """The instructions from a label to the jump back to it, where no other label stands between."""
    label, block = None, []
    for line in (line.split("#")[0].strip() for line in lines):
        named = re.match(r"(\.\w+):", line)
        if named:
            label, block = named[1], []
        elif line and not line.startswith("."):
            block.append(line)
            if line.startswith("j") and line.split()[-1] == label:
                yield list(block)


least, most = int(sys.argv[1]), float(sys.argv[2])
counts = [(sum(bool(FUSED.match(line)) for line in block), len(block)) for block in loops(sys.stdin)]
fused, all_of_them = max(counts, default=(0, 0))
print(f"{fused} of {all_of_them} instructions are fused products and sums")
if fused < least or all_of_them > most * fused:
    sys.exit(f"expected at least {least}, and at most {most} instructions for each")
