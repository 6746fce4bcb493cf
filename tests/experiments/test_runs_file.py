import csv
import gzip
import io

from made_up import findings

from hybandit.experiments.experiment import Effort
from hybandit.experiments.runs_file import write_runs

THREE = Effort(runs=3)


def read(path):
    return list(csv.DictReader(io.StringIO(gzip.decompress(path.read_bytes()).decode())))


def test_every_run_has_a_line_from_which_its_cell_can_be_checked(tmp_path):
    experiment, found = findings("drift", lambda cell, seed: 100.0 + seed)
    lines = read(write_runs([experiment], THREE, found.results, tmp_path))
    assert len(lines) == len(experiment.tasks(THREE))
    first = lines[0]
    assert (first["experiment"], first["row"], first["column"]) == (
        "drift",
        "LinUCB, alpha 0.1",
        "linear",
    )
    rewards = [
        float(line["reward"])
        for line in lines
        if (line["row"], line["column"]) == ("LinUCB, alpha 0.1", "linear")
    ]
    assert rewards == [100.0, 101.0, 102.0]
    assert first["policy"] == "lin-ucb:alpha=0.1"
    assert first["environment"].startswith("synthetic {")
    assert float(first["regret"]) == 900.0


def test_unfinished_runs_have_no_line_and_the_bytes_are_the_same(tmp_path):
    experiment, found = findings("drift", lambda cell, seed: 100.0)
    results = dict(list(found.results.items())[:3])
    first = write_runs([experiment], THREE, results, tmp_path / "a").read_bytes()
    again = write_runs([experiment], THREE, results, tmp_path / "b").read_bytes()
    assert first == again
    assert len(read(tmp_path / "a" / "runs.csv.gz")) == 3
