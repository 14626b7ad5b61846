"""Writes what runtime/bare/runner.c reads, for the counter model: request.py FILE PREPARED WORKSPACE [WORD VALUE | BYTES]"""
import struct
import sys

file, prepared, workspace, *change = sys.argv[1:]
words = [0x444E4B53, 1, 1, 2, int(prepared), int(workspace), 0, 2, 0, 12, 12, 12, 12]
if len(change) == 2:
    words[int(change[0])] = int(change[1], 0)
request = struct.pack("<13I", *words) + struct.pack("<6f", 1, 2, 3, 10, 20, 30)
if len(change) == 1:
    request = request[: int(change[0])]
with open(file, "wb") as out:
    out.write(request)
