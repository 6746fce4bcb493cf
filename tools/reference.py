"""All that follows from the program itself: python -m tools.reference

Writes the lists of policies in both `__init__.py`, the README's table and the golden list of
defaults from the files in `policies/`; docs/cli.md from the command line; docs/reference from
the policies' own declarations and `hybandit.__all__`; and records rounds of new policies. A test
says so when anything is out of date.
"""

from __future__ import annotations

import os
import subprocess
import sys

from tools.policy_lists import LISTS, ROOT

RECORDED = "tests/policies/test_recorded.py"


def main() -> None:
    # Without the lists the package may lack a policy, or import one that is gone.
    for page, written in LISTS.items():
        (ROOT / page).write_text(written())
        print(page)
    from tools.pages import PAGES

    for page, written in PAGES.items():
        (ROOT / page).write_text(written())
        print(page)
    paths = os.pathsep.join(str(ROOT / each) for each in ("src", "tests"))
    environment = {**os.environ, "PYTHONPATH": paths}
    subprocess.run([sys.executable, ROOT / RECORDED, "--new"], env=environment, check=True)
    print(RECORDED.replace("test_recorded.py", "recorded.txt"))


if __name__ == "__main__":
    main()
