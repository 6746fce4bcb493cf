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


def test_a_policy_comes_back_as_it_was(model):
    policy = hybandit.load(model)
    assert repr(policy) == repr(hybandit.LNUCBTA(3, 2, seed=1))
    assert policy.statistics.counts.tolist() == [2.0, 2.0, 1.0]


def test_the_file_holds_plain_arrays_and_a_manifest(model):
    with np.load(model, allow_pickle=False) as file:
        manifest = json.loads(str(file["manifest"]))
        assert all(file[name].dtype != object for name in file.files)
    assert manifest["format"] == "hybandit-policy"
    assert manifest["version"] == 1
    assert manifest["policy"] == "lnucb-ta"
    assert manifest["hybandit"] == hybandit.__version__


@pytest.mark.parametrize("name", ["model", "model.bin", "model.npz", "äö üß.v1"])
def test_the_file_has_exactly_the_name_it_was_given(tmp_path, name):
    hybandit.UCB(2).save(tmp_path / name)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert isinstance(hybandit.load(str(tmp_path / name)), hybandit.UCB)


def test_settings_given_as_numpy_numbers_are_saved(tmp_path):
    policy = hybandit.LinUCB(np.int64(2), 2, alpha=np.float32(0.5), seed=np.int64(3))
    policy.save(tmp_path / "model")
    again = hybandit.load(tmp_path / "model")
    assert (again.n_arms, again.alpha, again.seed) == (2, 0.5, 3)


def test_arms_added_and_retired_are_remembered(tmp_path):
    policy = hybandit.LinUCB(2, 2, seed=0)
    policy.add_arm()
    policy.retire_arm(0)
    policy.save(tmp_path / "model")
    again = hybandit.load(tmp_path / "model")
    assert again.n_arms == 3
    assert again.active.tolist() == [False, True, True]


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    assert "there is no model file" in refused(tmp_path / "nowhere.npz")


@pytest.mark.parametrize("content", [b"", b"\x00" * 100, b"{}"])
def test_other_bytes_are_refused(tmp_path, content):
    path = tmp_path / "model"
    path.write_bytes(content)
    assert "is damaged, or not a model of hybandit" in refused(path)


def test_random_bytes_are_refused(tmp_path):
    path = tmp_path / "model"
    path.write_bytes(np.random.default_rng(0).bytes(5000))
    assert "is damaged, or not a model of hybandit" in refused(path)


# NumPy leaves a broken zip file open until the garbage is collected.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_truncated_file_is_refused(model, share):
    content = model.read_bytes()
    model.write_bytes(content[: int(share * len(content))])
    assert "is damaged, or not a model of hybandit" in refused(model)
    gc.collect()


def test_a_damaged_byte_is_noticed(model):
    content = bytearray(model.read_bytes())
    with zipfile.ZipFile(model) as archive:
        start = archive.getinfo("manifest.npy").header_offset
    content[start + 200] ^= 0xFF
    model.write_bytes(content)
    assert "is damaged, or not a model of hybandit" in refused(model)


def test_arrays_of_somebody_else_are_refused(tmp_path):
    path = tmp_path / "model.npz"
    np.savez(path, weights=np.zeros(3))
    assert "is damaged, or not a model of hybandit" in refused(path)
    np.save(tmp_path / "array.npy", np.zeros(3))
    assert "is damaged, or not a model of hybandit" in refused(tmp_path / "array.npy")


def test_a_manifest_of_another_format_is_refused(model):
    assert "is not a model of hybandit" in refused(rewritten(model, manifest={"format": "other"}))


@pytest.mark.parametrize("version", [None, "one", [1]])
def test_a_manifest_without_a_version_is_refused(model, version):
    assert "is damaged" in refused(rewritten(model, manifest={"version": version}))


def test_a_newer_file_asks_for_an_update(model):
    message = refused(rewritten(model, manifest={"version": 2}))
    assert "has format 2; this hybandit reads up to 1: update it" in message


def test_an_unknown_policy_in_the_manifest_is_named(model):
    assert "no policy is called 'lnucb-tb'" in refused(
        rewritten(model, manifest={"policy": "lnucb-tb"})
    )


@pytest.mark.parametrize(
    "settings", [{"n_arms": 0, "n_features": 2}, {"n_arms": 3}, {"speed": 1}, 7, None]
)
def test_settings_that_break_a_rule_are_refused(model, settings):
    assert "cannot be loaded" in refused(rewritten(model, manifest={"settings": settings}))


def test_a_foreign_generator_is_refused(model):
    state = np.random.Generator(np.random.Philox(1)).bit_generator.state["bit_generator"]
    assert "cannot be loaded" in refused(
        rewritten(model, manifest={"generator": {"bit_generator": state}})
    )


def test_a_missing_array_is_named(model):
    assert "the array 'means' is missing" in refused(rewritten(model, drop=["statistics/means"]))


def test_an_array_of_the_wrong_shape_is_named_with_both_shapes(model):
    message = refused(rewritten(model, statistics__means=np.zeros(7)))
    assert "array 'means' is float64 (7,)" in message
    assert "float64 (3,) is needed" in message


def test_an_array_with_nan_is_refused(model):
    message = refused(rewritten(model, statistics__means=np.full(3, np.nan)))
    assert "array 'means' holds NaN" in message


class Bomb:
    gone_off = False

    def __reduce__(self):
        return setattr, (Bomb, "gone_off", True)


def test_pickled_objects_are_never_loaded(model):
    rewritten(model, statistics__means=np.array([Bomb()], dtype=object))
    assert "is damaged, or not a model of hybandit" in refused(model)
    assert not Bomb.gone_off


def test_a_bare_pickle_is_never_loaded(tmp_path):
    path = tmp_path / "model.npz"
    path.write_bytes(pickle.dumps(Bomb()))
    assert "is damaged, or not a model of hybandit" in refused(path)
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
    assert model.read_bytes() == before
    assert [entry.name for entry in model.parent.iterdir()] == [model.name]


def test_a_setting_that_json_cannot_hold_leaves_the_old_file(model):
    before = model.read_bytes()
    with pytest.raises(TypeError):
        files.write(model, {"settings": object()}, {})
    assert model.read_bytes() == before
    assert len(list(model.parent.iterdir())) == 1


def test_saving_over_a_file_replaces_it(model):
    hybandit.UCB(2).save(model)
    assert isinstance(hybandit.load(model), hybandit.UCB)


def test_a_saved_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "usual").touch()
    hybandit.UCB(2).save(tmp_path / "model")
    usual, ours = (stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("usual", "model"))
    assert ours == usual


def test_owners_beyond_the_arms_are_refused(tmp_path):
    path = tmp_path / "m.npz"
    policy = hybandit.LNUCBTA(2, 2, seed=0)
    policy.learn([1.0, 2.0], 1, 1.0)
    policy.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    key = next(name for name in arrays if name.endswith("owners"))
    for wrong in (-1, 2, 10**7):
        np.savez(path, **{**arrays, key: np.array([wrong])})
        with pytest.raises(ModelFileError):  # choose() on such a model ends the process
            hybandit.load(path)


def test_a_broken_zip_is_closed_again(tmp_path):
    path = tmp_path / "m.npz"
    hybandit.UCB(2).save(path)
    path.write_bytes(path.read_bytes()[:300])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(ModelFileError):
            hybandit.load(path)
        gc.collect()
    assert not [entry for entry in caught if entry.category is ResourceWarning]


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
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


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_damaged_compressed_model_is_refused(tmp_path):
    path = tmp_path / "m.npz"
    hybandit.LinUCB(2, 40).save(path)
    with np.load(path) as file:
        np.savez_compressed(path, **dict(file))
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("manifest.npy").header_offset
    content = bytearray(path.read_bytes())
    content[start + 60 : start + 80] = b"\xff" * 20
    path.write_bytes(content)
    with pytest.raises(ModelFileError):
        hybandit.load(path)
    gc.collect()


def settings_of(path):
    with np.load(path) as file:
        return json.loads(str(file["manifest"]))["settings"]


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("name", policy_names())
def test_a_size_that_the_file_does_not_hold_is_refused_at_once(tmp_path, name):
    path = tmp_path / "model.npz"
    make_policy(name, 3, 2, seed=0).save(path)
    settings = settings_of(path)
    before, start = peak_memory(), time.process_time()
    for size in {"n_arms", "n_features", "hidden", "networks"} & set(settings):
        # Retired arms take no room, so 10**7 may have been.
        for value in (10**7, 4 * 10**9, 10**30)[size == "n_arms" :]:
            rewritten(path, manifest={"settings": {**settings, size: value}})
            assert "cannot be loaded" in refused(path)
    assert time.process_time() - start < 2.0
    assert peak_memory() - before < 100e6


@pytest.mark.parametrize("version", [math.inf, -math.inf, math.nan, 1.5, True, "1"])
def test_a_version_that_is_no_whole_number_is_refused(model, version):
    assert "is damaged" in refused(rewritten(model, manifest={"version": version}))


def test_a_setting_of_infinity_is_refused(model):
    assert "Infinity" in refused(rewritten(model, manifest={"settings": {"n_arms": math.inf}}))


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


def test_an_array_too_many_is_named(model):
    assert "it has an array 'extra' too many" in refused(rewritten(model, extra=np.zeros(3)))


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


def test_counts_below_zero_are_refused(model):
    message = refused(rewritten(model, statistics__counts=np.array([1.0, -1.0, 2.0])))
    assert "array 'counts' holds numbers outside 0 to " in message


def test_a_file_without_an_arm_to_play_is_refused(model):
    for live in (np.zeros(0, np.int64), [0, 1, 3], [-1, 0, 1], [0, 2, 1], [0, 1, 1]):
        assert "live" in refused(rewritten(model, _live_arms=np.array(live)))


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
