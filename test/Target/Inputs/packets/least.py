"""least.py ELEMENTS MOST < LINE: whether what `bench --backend hexagon` counted is at most so many packets for each element."""
import json
import sys

elements, most = int(sys.argv[1]), float(sys.argv[2])
each = json.loads(sys.stdin.read())["packets"] / elements
print(f"{each:.5f} packets, at most {most}")
sys.exit(each > most)
