import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hybandit.atomic import atomic_write

SLOW = """
import sys, time
from pathlib import Path
from hybandit.atomic import atomic_write

with atomic_write(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("begun", flush=True)
    time.sleep(60)
"""


def write(path, content=b"whole"):
    with atomic_write(path) as file:
        file.write(content)


def begun(path):
    """A process in the middle of writing."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "begun\n"
    return process


def test_a_failed_block_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "note.txt"
    write(target, b"old")

    def fail():
        with atomic_write(target) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["note.txt"]


def test_what_killed_processes_left_is_gone_after_the_next_writing(tmp_path):
    target = tmp_path / "note.txt"
    for _ in range(3):
        process = begun(target)
        process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        process.wait()
        process.stdout.close()
    write(target)
    assert os.listdir(tmp_path) == ["note.txt"]


def test_a_file_being_written_by_another_process_is_left_alone(tmp_path):
    target = tmp_path / "note.txt"
    process = begun(target)
    write(target)
    assert len(os.listdir(tmp_path)) == 2
    process.kill()
    process.wait()
    process.stdout.close()


def test_threads_may_write_one_file_at_once(tmp_path):
    target = tmp_path / "note.txt"
    contents = [bytes([65 + number]) * 10_000 for number in range(6)]
    failed = []

    def work(content):
        try:
            for _ in range(30):
                write(target, content)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert target.read_bytes() in contents
    assert os.listdir(tmp_path) == ["note.txt"]


def test_a_symbolic_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "store").mkdir()
    link = tmp_path / "latest.txt"
    link.symlink_to(Path("store") / "note.txt")
    write(link, b"first")
    write(link, b"second")
    assert link.is_symlink()
    assert (tmp_path / "store" / "note.txt").read_bytes() == b"second"
    assert os.listdir(tmp_path / "store") == ["note.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_permissions_follow_the_umask_which_is_never_touched(tmp_path, monkeypatch):
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask is for all threads"))
        write(tmp_path / "note.txt")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert (tmp_path / "note.txt").stat().st_mode & 0o777 == 0o640


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere to write note\.txt"):
        write(tmp_path / "nowhere" / "note.txt")
