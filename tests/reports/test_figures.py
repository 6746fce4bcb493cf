from hybandit.experiments import Run
from hybandit.reports.figures import curves, styles_of


def run(scale):
    at = [1, 5, 10]
    return Run(rounds=10, reward=1.0, regret=1.0, seconds=1.0, at=at,
               rewards=[scale * t for t in at], regrets=[scale * t / 2 for t in at])  # fmt: skip


def test_a_picture_is_a_png_and_the_same_every_time():
    groups = {"one": {"a": [run(1.0), run(2.0)], "b": [run(1.5)]}}
    first, second = (curves("name", "caption", groups, measure="regrets") for _ in range(2))
    assert first.png.startswith(b"\x89PNG")
    assert first == second


def test_other_data_make_another_picture():
    pictures = [
        curves("name", "", {"one": {"a": [run(scale), run(2.0)]}}, measure="rewards")
        for scale in (1.0, 1.5)
    ]
    assert pictures[0].png != pictures[1].png


def test_no_two_lines_look_alike_and_ours_keep_their_colours():
    names = [*map(str, range(20)), "lnucb-ta", "stacked-hybrid"]
    styles = styles_of(names)
    assert len({tuple(style.values()) for style in styles.values()}) == len(names)
    assert styles["lnucb-ta"] == styles_of(["lnucb-ta"])["lnucb-ta"]


def test_runs_of_different_lengths_are_drawn_over_the_rounds_all_played():
    long, short = run(1.0), run(1.0)
    longer = Run(**{**vars(long), "rounds": 20, "at": [1, 10, 20], "rewards": [1.0, 10.0, 20.0]})
    mixed = curves("n", "", {"one": {"a": [short, longer]}}, measure="rewards")
    alike = curves("n", "", {"one": {"a": [short, short]}}, measure="rewards")
    assert mixed.png == alike.png
