"""Checks a profile of the digits model: its JSON, its trace and its picture."""

import json
import sys
import xml.etree.ElementTree

profile, trace, picture = sys.argv[1:]
found = json.load(open(profile))
operations = found["operations"]
conv = next(operation for operation in operations if operation["lines"] == ["main.sknd:28: nn.conv", "main.sknd:29: nn.relu"])
assert conv["source"] == "main.sknd:28", conv
assert conv["operator"] == "nn.conv", conv
# 8 filters of 3 x 3 at 8 x 8 places, a product and a sum each; what follows in the same loops is a little more.
assert 2 * 9 * 512 <= conv["flops"] <= 2 * 9 * 512 + 8 * 512, conv
# The padded image and the filters at least, the result at most once more.
assert 4 * (64 + 72) <= conv["bytes"] <= 4 * (100 + 72 + 2 * 512 + 100), conv
assert abs(sum(operation["share"] for operation in operations) - 1) < 1e-6
assert all(operation["us"] >= 0 and operation["calls"] == 1 for operation in operations)
assert found["iterations"] == 3 and found["limits"]["gflops"] > 0 and found["limits"]["gops_of_bytes"] > 0 and len(found["limits"]["memory"]) == 3

events = [event for event in json.load(open(trace))["traceEvents"] if event["ph"] == "X"]
assert len(events) == len(operations)
assert all(before["ts"] + before["dur"] <= after["ts"] for before, after in zip(events, events[1:]))

circles = xml.etree.ElementTree.parse(picture).getroot().findall(".//{http://www.w3.org/2000/svg}circle")
known = [operation for operation in operations if operation["gflops"] and operation["bytes"]]
assert len(circles) == len(known) > 3
