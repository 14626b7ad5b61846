"""Runs all tests and ends with `N passed, N failed`; what is skipped is named."""

import pathlib
import sys
import unittest


def main():
    folder = str(pathlib.Path(__file__).resolve().parent)
    sys.path.insert(0, folder)
    suite = unittest.defaultTestLoader.discover(folder)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
