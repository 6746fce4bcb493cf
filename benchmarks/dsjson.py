"""A log that Vowpal Wabbit's own policy made, read and evaluated by it and by hybandit.

    python -m benchmarks.dsjson [--events 20000] [--venvs FOLDER]

In an environment of its own, `vw` decides, learns and logs, and then reads its log again: how many
events it counts, and its IPS estimate of the policy that always takes the first action. hybandit
must find the same.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.peers.venvs import PEERS, python_of

SCRIPT = Path(__file__).parent / "anchors" / "dsjson_log.py"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--venvs", type=Path, default=Path.home() / ".cache" / "hybandit-peers")
    options = parser.parse_args()
    python = python_of("vowpalwabbit", options.venvs, PEERS["vowpalwabbit"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "old.dsjson"
        command = [str(python), str(SCRIPT), str(path), str(options.events)]
        theirs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        ours = evaluated(path)
    print(f"events: vw {theirs['events']:,}, hybandit {ours['events']:,}")
    print(f"IPS of the first action: vw {theirs['ips']:.6f}, hybandit {ours['ips']:.6f}")
    if theirs["events"] != ours["events"] or abs(theirs["ips"] - ours["ips"]) > 1e-4:
        sys.exit("they differ")


def evaluated(path: Path) -> dict[str, float]:
    from hybandit.evaluation import Always, StreamedItemLog, evaluate
    from hybandit.evaluation.progressive import FIRST

    log = StreamedItemLog(path)
    print(log.counted())
    value = evaluate(Always(FIRST), log, by=["ips"]).estimates[0].value
    return {"events": len(log), "ips": value}


if __name__ == "__main__":
    main()
