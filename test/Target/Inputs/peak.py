"""peak.py COMMAND...: runs it and says how many KiB of memory it had at most."""

import resource
import subprocess
import sys

code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
# At once: others write to the same pipe.
sys.stdout.write(f"peak {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}\n")
sys.exit(code)
