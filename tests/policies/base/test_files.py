import contextlib
import gc
import io
import json
import math
import os
import pickle
import resource
import stat
import time
import warnings
import zipfile

import numpy as np
import pytest

import hybandit
from hybandit.errors import ModelFileError
from hybandit.policies import make_policy, policy_names
from hybandit.policies.base import files


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "policy.npz"
    policy = hybandit.LNUCBTA(3, 2, seed=1)
    for number in range(5):
        policy.learn([float(number), 1.0], number % 3, 1.0)
    policy.save(path)
    return path


def rewritten(path, *, drop=(), manifest=None, **arrays):
    """The same file with some arrays, or entries of its manifest, changed."""
    with np.load(path) as file:
        content = dict(file)
    told = {**json.loads(str(content["manifest"])), **(manifest or {})}
    content.update({name.replace("__", "/"): array for name, array in arrays.items()})
    content["manifest"] = np.array(json.dumps(told))
    np.savez(path, **{name: array for name, array in content.items() if name not in drop})
    return path


def refused(path):
    with pytest.raises(ModelFileError) as caught:
        hybandit.load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_the_file_holds_plain_arrays_and_a_manifest(model):
    with np.load(model, allow_pickle=False) as file:
        manifest = json.loads(str(file["manifest"]))
        assert all(file[name].dtype != object for name in file.files)
    assert (manifest["format"], manifest["version"]) == ("hybandit-policy", 1)
    assert (manifest["policy"], manifest["hybandit"]) == ("lnucb-ta", hybandit.__version__)


@pytest.mark.parametrize("name", ["model", "model.npz", "äö üß.v1"])
def test_the_file_has_exactly_the_name_it_was_given_and_usual_permissions(tmp_path, name):
    hybandit.UCB(2).save(tmp_path / name)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert isinstance(hybandit.load(str(tmp_path / name)), hybandit.UCB)
    (tmp_path / "usual").touch()
    usual, ours = (stat.S_IMODE((tmp_path / each).stat().st_mode) for each in ("usual", name))
    assert ours == usual


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    assert "there is no model file" in refused(tmp_path / "nowhere.npz")


class Bomb:
    gone_off = False

    def __reduce__(self):
        return setattr, (Bomb, "gone_off", True)


def saved_arrays(save, *arrays, **named):
    content = io.BytesIO()
    save(content, *arrays, **named)
    return content.getvalue()


def damaged(path):
    """With one byte of its manifest changed."""
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("manifest.npy").header_offset
    content = bytearray(path.read_bytes())
    content[start + 200] ^= 0xFF
    return bytes(content)


def compressed(path):
    with np.load(path) as file:
        return saved_arrays(np.savez_compressed, **dict(file))


FOREIGN = {
    "nothing": lambda path: b"",
    "zeros": lambda path: bytes(100),
    "random": lambda path: np.random.default_rng(0).bytes(5000),
    "arrays": lambda path: saved_arrays(np.savez, weights=np.zeros(3)),
    "an array": lambda path: saved_arrays(np.save, np.zeros(3)),
    "a pickle": lambda path: pickle.dumps(Bomb()),
    "a changed byte": damaged,
    "compressed": compressed,
    **{
        f"the first {share:.0%}": lambda path, share=share: path.read_bytes()[
            : int(share * path.stat().st_size)
        ]
        for share in (0.01, 0.5, 0.99)
    },
}


# NumPy leaves a broken zip file open until the garbage is collected.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_what_is_no_model_is_refused(model, content):
    model.write_bytes(content(model))
    assert "is damaged, or not a model of hybandit" in refused(model)
    assert not Bomb.gone_off
    gc.collect()


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        ({"format": "other"}, "is not a model of hybandit"),
        *[({"version": each}, "is damaged") for each in (None, "1", [1], math.nan, 1.5, True)],
        ({"version": 2}, "has format 2; this hybandit reads up to 1: update it"),
        ({"policy": "lnucb-tb"}, "no policy is called 'lnucb-tb'"),
        ({"generator": {"bit_generator": "Philox"}}, "cannot be loaded"),
        ({"settings": {"n_arms": math.inf}}, "Infinity"),
        *[
            ({"settings": each}, "cannot be loaded")
            for each in ({"n_arms": 0, "n_features": 2}, {"n_arms": 3}, {"speed": 1}, 7, None)
        ],
    ],
)
def test_a_manifest_that_cannot_be_is_refused(model, manifest, told):
    assert told in refused(rewritten(model, manifest=manifest))


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"drop": ["statistics/means"]}, "the array 'means' is missing"),
        ({"statistics__means": np.zeros(7)}, "array 'means' is float64 (7,), where float64 (3,)"),
        ({"statistics__means": np.full(3, np.nan)}, "array 'means' holds NaN"),
        ({"statistics__means": np.array([Bomb()], object)}, "is damaged"),
        ({"statistics__counts": np.array([1.0, -1.0, 2.0])}, "'counts' holds numbers outside 0 to"),
        ({"extra": np.zeros(3)}, "it has an array 'extra' too many"),
        *[
            ({"_live_arms": np.array(live, np.int64)}, "live")
            for live in ([], [0, 1, 3], [-1, 0, 1], [0, 2, 1], [0, 1, 1])
        ],
        *[
            # choose() on such a model would end the process.
            ({"_estimate__local__memory__owners": np.array([0, 1, 2, 0, wrong])}, told)
            for wrong, told in ((-1, "'owners' holds"), (3, "arms beyond"), (10**7, "arms beyond"))
        ],
    ],
)
def test_arrays_that_cannot_be_are_refused_by_name(model, arrays, told):
    assert told in refused(rewritten(model, **arrays))
    assert not Bomb.gone_off


@pytest.mark.parametrize("failing", ["savez", "fsync", "replace"])
def test_a_failing_write_leaves_the_old_file_and_nothing_else(model, monkeypatch, failing):
    before = model.read_bytes()

    def fail(*_, **__):
        raise OSError("no space left on device")

    monkeypatch.setattr(np if failing == "savez" else os, failing, fail)
    with pytest.raises(OSError, match="no space left"):
        hybandit.UCB(2).save(model)
    monkeypatch.undo()
    with pytest.raises(TypeError):
        files.write(model, {"settings": object()}, {})
    assert model.read_bytes() == before
    assert [entry.name for entry in model.parent.iterdir()] == [model.name]
    hybandit.UCB(2).save(model)
    assert isinstance(hybandit.load(model), hybandit.UCB)


def test_a_broken_zip_is_closed_again(model):
    model.write_bytes(model.read_bytes()[:300])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        refused(model)
        gc.collect()
    assert not [entry for entry in caught if entry.category is ResourceWarning]


@pytest.mark.parametrize("step", [29, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_any_changed_byte_gives_a_model_or_a_model_file_error(tmp_path, step):
    path = tmp_path / "m.npz"
    hybandit.UCB(2).save(path)
    content = path.read_bytes()
    for place in range(0, len(content), step):
        for bit in (0x01, 0x80):
            changed = bytearray(content)
            changed[place] ^= bit
            path.write_bytes(changed)
            with contextlib.suppress(ModelFileError):
                hybandit.load(path)
    gc.collect()


@pytest.mark.parametrize("name", policy_names())
def test_a_size_that_the_file_does_not_hold_is_refused_at_once(tmp_path, name):
    path = tmp_path / "model.npz"
    make_policy(name, 3, 2, seed=0).save(path)
    with np.load(path) as file:
        settings = json.loads(str(file["manifest"]))["settings"]
    before, start = peak_memory(), time.process_time()
    for size in {"n_arms", "n_features", "hidden", "networks"} & set(settings):
        # Retired arms take no room, so 10**7 may have been.
        for value in (10**7, 4 * 10**9, 10**30)[size == "n_arms" :]:
            rewritten(path, manifest={"settings": {**settings, size: value}})
            assert "cannot be loaded" in refused(path)
    assert time.process_time() - start < 2.0
    assert peak_memory() - before < 100e6


def test_a_large_array_that_does_not_belong_is_never_read(model):
    """256 MB of zeros, compressed to a thousandth."""
    header = {"descr": "|u1", "fortran_order": False, "shape": (2**28,)}
    with (
        zipfile.ZipFile(model, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("extra.npy", "w", force_zip64=True) as member,
    ):
        np.lib.format.write_array_header_1_0(member, header)
        for _ in range(2**8):
            member.write(bytes(2**20))
    before, start = peak_memory(), time.process_time()
    assert "compressed" in refused(model)
    assert time.process_time() - start < 1.0
    assert peak_memory() - before < 100e6


def test_an_array_that_says_it_is_longer_than_it_is_is_refused(model):
    with zipfile.ZipFile(model) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (4 * 10**9,)}
    )
    content["statistics/means.npy"] = header.getvalue() + bytes(24)
    with zipfile.ZipFile(model, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    before = peak_memory()
    assert "is not as long as it says" in refused(model)
    assert peak_memory() - before < 100e6


@pytest.mark.parametrize(
    "name", ["beta-thompson", "kl-ucb", "enhanced-beta-thompson", "knn-kl-ucb"]
)
def test_rewards_that_learn_would_refuse_are_refused(tmp_path, name):
    path = tmp_path / "model.npz"
    policy = make_policy(name, 3, 2, seed=0)
    policy.learn_many(np.ones((3, 2)), [0, 1, 2], [1.0, 0.5, 0.0])
    kept = [key for key in policy.state() if key.endswith(("means", "/rewards"))]
    for array in kept:
        for value in (-1.0, 1.5):
            policy.save(path)
            changed = {array: np.array([1.0, value, 0.0])}
            assert "numbers outside 0 to 1" in refused(rewritten(path, **changed))
