import json
from pathlib import Path

import pytest

from stress.mutants import __main__ as command
from stress.mutants.files import MORE, PACKAGES, checked_by, modules, named_files
from stress.mutants.mutations import mutated, mutations, plain
from stress.mutants.sample import Mutant, allotted, digest, sampled
from stress.mutants.workshop import BrokenTests, Workshop, outcomes

SOURCE = '''"""Doc 1."""

def f(a: int = 3, *, b: bool = True) -> int | None:
    """Doc 2."""
    if not a < 5 or b:
        print(a)
        return -a
    return max(a, 2.5) + 1
'''


def changed(source):
    return {(each.kind, each.after) for each in mutations(source)}


def test_every_kind_of_change_is_found_and_no_words_are_changed():
    found = changed(SOURCE)
    assert {kind for kind, _ in found} == {
        "comparison", "boundary", "logic", "dropped not", "condition", "constant", "dropped call",
        "sign", "returned negation", "returned nothing", "arithmetic", "other end",
    }  # fmt: skip
    for wanted in [("boundary", "a <= 5"), ("comparison", "a >= 5"), ("constant", "5.0"),
                   ("constant", "False"), ("other end", "min"), ("sign", "+a"),
                   ("dropped not", "not not a < 5"), ("dropped call", "None")]:  # fmt: skip
        assert wanted in found
    assert not any("Doc" in after for _, after in found)


def test_each_change_is_one_and_the_program_still_one():
    made = [mutated(SOURCE, each.number) for each in mutations(SOURCE)]
    assert len(set(made)) == len(made)
    for source in made:
        pairs = zip(plain(SOURCE).splitlines(), source.splitlines(), strict=True)
        assert sum(one != other for one, other in pairs) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [("x = a - b", "x = a + b"), ("x += 1.0", "x -= 1.0"), ("x = a is None", "x = a is not None"),
     ("x = a ** 2", "x = a * 2"), ("x = a and b", "x = a or b")],
)  # fmt: skip
def test_changes_of_operators(before, after):
    assert after in {mutated(before, each.number) for each in mutations(before)}


def test_a_sample_has_of_each_package_its_share_and_is_drawn_by_its_seed():
    everyone = {
        "a": [Mutant("a", "a.py", each) for each in mutations(SOURCE)],
        "b": [Mutant("b", "b.py", each) for each in mutations("x = 1 + 2")],
    }
    first = sampled(everyone, 10, seed=1)
    assert len({each.key for each in first}) == 10
    shares = allotted({name: len(each) for name, each in everyone.items()}, 10)
    assert sum(each.package == "b" for each in first) == shares["b"] > 0
    assert first == sampled(everyone, 10, seed=1) != sampled(everyone, 10, seed=2)
    assert len(sampled(everyone, 10**6, seed=1)) == sum(map(len, everyone.values()))


def test_every_module_has_tests_and_every_named_file_is_there():
    for paths in modules().values():
        for path in paths:
            assert checked_by(path), path
    known = {f"{package}/{path.stem}" for package, paths in modules().items() for path in paths}
    assert set(MORE) <= known | set(PACKAGES)
    for each in {each for files in MORE.values() for each in files}:
        assert named_files(each), each


@pytest.fixture
def faked(monkeypatch):
    """How many mutants each run has tried; those of odd numbers survive."""
    changes = [Mutant("policies", "p.py", each) for each in mutations(SOURCE)]
    runs = []

    def tried(mutants, root, folder, workers):
        runs.append(len(mutants))
        for mutant in mutants:
            yield mutant, "survived" if mutant.mutation.number % 2 else "killed"

    monkeypatch.setattr(command, "population", lambda root: {"policies": changes})
    monkeypatch.setattr(command, "outcomes", tried)
    return runs


def test_it_goes_on_where_it_was_stopped(faked, tmp_path, capsys):
    store = tmp_path / "store.jsonl"
    asked = ["--sample", "6", "--seed", "1", "--store", str(store)]
    command.main(asked)
    whole = capsys.readouterr().out
    lines = store.read_text().splitlines()
    assert len(lines) == 7
    store.write_text("\n".join(lines[:4]) + "\n")
    command.main(asked)
    assert store.read_text().splitlines() == lines
    again = capsys.readouterr().out
    assert again.splitlines()[0].startswith("1 of 3, 0 min left: ")
    told = whole[whole.index("    policies") :]
    assert again.endswith(told)
    command.main(asked)
    assert faked == [6, 3]
    killed = sum(json.loads(line)["outcome"] == "killed" for line in lines[1:])
    assert f"all: {killed} of 6 killed" in told
    assert told.count("p.py:") == 6 - killed


def test_a_store_of_another_sample_is_refused(faked, tmp_path):
    store = tmp_path / "store.jsonl"
    command.main(["--sample", "2", "--seed", "1", "--store", str(store)])
    with pytest.raises(SystemExit, match="has another seed"):
        command.main(["--sample", "2", "--seed", "2", "--store", str(store)])
    for wrong in (["--sample", "0"], ["--workers", "0"]):
        with pytest.raises(SystemExit):
            command.main(["--seed", "2", "--store", str(store), *wrong])


@pytest.mark.parametrize("changed", ["src/hybandit/reports/sums.py", "tests/reports/test_sums.py"])
def test_outcomes_of_other_sources_or_other_tests_are_refused(faked, tmp_path, changed):
    tree, store = tmp_path / "tree", tmp_path / "store.jsonl"
    small_tree(tree, "assert add(1, 2) == 3")
    asked = ["--sample", "2", "--seed", "1", "--store", str(store)]
    command.main(asked, tree)
    before = digest(tree)
    (tree / "tests/__pycache__").mkdir()
    (tree / "tests/__pycache__/test_sums.pyc").touch()
    assert digest(tree) == before
    with (tree / changed).open("a") as file:
        file.write("# more\n")
    with pytest.raises(SystemExit, match="has another source"):
        command.main(asked, tree)


def small_tree(folder, test, name="sums"):
    """A package of one module with its test."""
    path = Path(f"src/hybandit/reports/{name}.py")
    module = folder / path
    module.parent.mkdir(parents=True, exist_ok=True)
    for package in (module.parent, module.parents[1]):
        (package / "__init__.py").touch()
    module.write_text("def add(a, b):\n    return a + b\n")
    tests = folder / f"tests/reports/test_{name}.py"
    tests.parent.mkdir(parents=True, exist_ok=True)
    tests.write_text(f"from hybandit.reports.{name} import add\n\ndef test_add():\n    {test}\n")
    (folder / "pyproject.toml").write_text("")
    return [Mutant("reports", path.as_posix(), each) for each in mutations(module.read_text())]


@pytest.mark.parametrize(
    ("test", "outcomes"),
    [("assert add(1, 2) == 3", {"killed"}), ("assert add(0, 0) == 0", {"survived"})],
)
def test_faults_that_a_test_finds_are_killed_and_the_copy_made_whole(tmp_path, test, outcomes):
    mutants = small_tree(tmp_path / "tree", test)[:2]
    workshop = Workshop(tmp_path / "tree", tmp_path / "copy", {})
    assert {workshop.outcome(each) for each in mutants} == outcomes
    copied = tmp_path / "copy" / mutants[0].module
    assert copied.read_text() == plain((tmp_path / "tree" / mutants[0].module).read_text())


def test_tests_that_fail_without_a_fault_are_told(tmp_path):
    mutants = small_tree(tmp_path / "tree", "assert add(1, 2) == 4")
    with pytest.raises(BrokenTests, match=r"test_sums\.py fails without any change"):
        list(outcomes(mutants, tmp_path / "tree", tmp_path / "copies", workers=1))


def test_two_workers_do_not_disturb_each_other(tmp_path):
    mutants = small_tree(tmp_path / "tree", "assert add(1, 2) == 3")[:1]
    mutants += small_tree(tmp_path / "tree", "assert add(0, 0) == 0", name="zeros")[:1]
    found = list(outcomes(mutants, tmp_path / "tree", tmp_path / "copies", workers=2))
    assert sorted(mutant.key for mutant, _ in found) == sorted(each.key for each in mutants)
    for mutant, outcome in found:
        assert outcome == ("killed" if "sums" in mutant.module else "survived")
    assert len(list((tmp_path / "copies").iterdir())) == 2
