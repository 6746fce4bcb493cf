"""What `status` tells of a change of tastes."""

from clocked_loop import ClockedLoop

from hybandit import ItemHybrid

DAY = 86_400.0
OFFER = {"tea": {"hot": True}, "beer": {"hot": False}}


def test_status_tells_the_day_on_which_tastes_changed(tmp_path, monkeypatch):
    ClockedLoop.time = 1_700_000_000.0
    with ClockedLoop(tmp_path / "loop.db", wait=None) as loop:
        for _ in range(5):
            loop.reward(loop.rank({}, OFFER).event, 1.0)
            ClockedLoop.time += DAY
        loop.wait_for()
        assert loop.status().notes == ()
        monkeypatch.setattr(ItemHybrid, "changed", 3)
        (note,) = loop.status().notes
        loop.switch("item-lin-ucb")
        loop.wait_for()
        assert loop.status().notes == ()
    told = "what people choose seems to have changed on 2023-11-16, 3 learned events ago"
    assert note.startswith(told)
