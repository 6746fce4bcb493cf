"""Every setting of every policy with its default and rule, against a golden file.

After a change that is meant ``PYTHONPATH=src python tests/policies/test_defaults.py`` writes it
anew.
"""

from pathlib import Path

from hybandit.policies import find_policy, policy_names
from hybandit.validation.settings import settings_of

GOLDEN = Path(__file__).parent / "defaults.txt"


def text():
    lines = []
    for name in policy_names():
        policy = find_policy(name)
        if not policy.__module__.startswith("hybandit."):
            # Of another test, or of a plug-in that is installed here.
            continue
        lines.append(f"{name} (results version {policy.results_version})")
        lines += [
            f"  {entry.name} = {entry.default!r}: {entry.metadata['rule'].text}"
            for entry in settings_of(policy)
            if entry.kw_only
        ]
    return "\n".join(lines) + "\n"


def test_defaults_and_rules_are_those_that_were_told():
    assert text() == GOLDEN.read_text()


if __name__ == "__main__":
    GOLDEN.write_text(text())
