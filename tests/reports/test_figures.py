import matplotlib.text
import pytest

from hybandit.experiments.section import Bars, Boxes, Line, Lines, Points
from hybandit.experiments.spread import Spread
from hybandit.reports.figures import DARK, LIGHT, draw, drawn, styles_of
from hybandit.reports.line_ends import GAP, spread_out


def line(label, policy="ucb", scale=1.0, sd=None):
    return Line(label, policy, [1, 5, 10], [scale, 5 * scale, 10 * scale], sd)


def lines(*each, **options):
    return Lines("name", "caption", {"one": each}, "round", "regret", **options)


FIGURES = {
    "lines": lines(line("a", sd=[0.1, 0.2, 0.3]), line("b")),
    "logarithmic": lines(line("a"), logarithmic=True, level=("bound", 20.0)),
    "marked": lines(line("a"), marked=True),
    "bars": Bars("n", "c", {"one": [("0.1", Spread(3.0, 1.0, 2))], "two": []}, "clicks", 800),
    "boxes": Boxes("n", "c", {"one": {"a": [1.0, 2.0], "b": []}}, "reward"),
    "points": Points(
        "n", "c", ["k 1", "k 2"], {"a": [Spread(0.5, 0.1, 2), None]}, "reward", 1.0, "k"
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_a_picture_is_a_png_and_the_same_every_time(name):
    first, second = (draw(FIGURES[name]) for _ in range(2))
    assert first.png.startswith(b"\x89PNG")
    assert first == second


def test_other_data_make_another_picture():
    assert draw(lines(line("a"))).png != draw(lines(line("a", scale=1.5))).png


def test_no_two_lines_look_alike_and_ours_keep_their_colours():
    own = [line("lnucb-ta", "lnucb-ta"), line("stacked-hybrid", "stacked-hybrid")]
    many = [line(str(number)) for number in range(20)] + own
    styles = styles_of(many)
    assert len({tuple(style.values()) for style in styles.values()}) == len(many)
    assert styles["lnucb-ta"] == styles_of(own[:1])["lnucb-ta"]
    assert styles["stacked-hybrid"] == styles_of(own[1:])["stacked-hybrid"]


def test_a_second_line_of_our_policy_has_another_colour():
    styles = styles_of([line("plain", "lnucb-ta"), line("forget", "lnucb-ta")])
    assert styles["plain"] != styles["forget"]
    assert styles["plain"] == styles_of([line("only", "lnucb-ta")])["only"]


@pytest.mark.parametrize("name", [r"a$b$c", r"$\frac$", r"\alpha $x$ $", "$"])
def test_people_s_text_is_drawn_as_it_is(name, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("read as a formula")

    monkeypatch.setattr("matplotlib.mathtext.MathTextParser.parse", refuse)
    seen = []
    drawn = matplotlib.text.Text.draw
    monkeypatch.setattr(
        matplotlib.text.Text,
        "draw",
        lambda self, *args, **kwargs: (seen.append(self.get_text()), drawn(self, *args, **kwargs)),
    )
    data = Lines(name, name, {name: [line(name)]}, name, name, logarithmic=True, level=(name, 3.0))
    draw(data)
    assert name in seen
    assert "10" in seen
    draw(Bars("n", "c", {name: [(name, Spread(3.0, 1.0, 2))]}, name, 800))
    draw(Boxes("n", "c", {name: {name: [1.0, 2.0]}}, name))
    draw(Points("n", "c", [name], {name: [Spread(0.5, 0.1, 2)]}, name, 1.0, name))


def test_what_is_no_figure_is_refused():
    with pytest.raises(TypeError, match="no picture is known of str"):
        draw("text")


def axes_of(data, theme=LIGHT):
    return drawn(data, theme).axes


def test_lines_that_end_decades_apart_are_on_a_log_axis_in_every_panel():
    panels = {"near": [line("a"), line("b", scale=2.0)], "far": [line("a"), line("b", scale=20.0)]}
    data = Lines("n", "c", panels, "round", "regret")
    assert [axis.get_yscale() for axis in axes_of(data)] == ["log", "log"]
    near = Lines("n", "c", {"near": panels["near"]}, "round", "regret")
    assert [axis.get_yscale() for axis in axes_of(near)] == ["linear"]
    assert axes_of(near)[0].get_ylim()[0] == 0.0


@pytest.mark.parametrize("name", FIGURES)
def test_axes_say_what_they_show(name):
    axes = [axis for axis in axes_of(FIGURES[name]) if axis.get_visible()]
    assert all(axis.get_xlabel() for axis in axes)
    assert axes[0].get_ylabel()


def test_every_line_has_its_name_at_its_end_once():
    data = lines(line("a"), line("a", scale=1.1), line("b", scale=3.0), level=("bound", 20.0))
    (axis,) = axes_of(data)
    names = {text.get_text(): text.get_position() for text in axis.texts}
    assert sorted(names) == ["a", "b", "bound"]
    assert axis.get_legend() is None
    assert all(x > 1.0 for x, _ in names.values())
    assert names["a"][1] < names["bound"][1] < names["b"][1]


def test_names_do_not_lie_upon_each_other():
    heights = [0.5, 0.5, 0.51, 0.98, 0.99, 1.0, 0.0]
    placed = spread_out(heights)
    gaps = [b - a for a, b in zip(sorted(placed), sorted(placed)[1:], strict=False)]
    assert min(gaps) >= GAP - 1e-9
    assert max(placed) <= 1.0
    assert [sorted(heights).index(each) for each in heights[3:]] == [
        sorted(placed).index(each) for each in placed[3:]
    ]


def test_dark_pictures_are_dark_and_otherwise_the_same():
    data = lines(line("a"), line("b"))
    light, dark = (drawn(data, theme) for theme in (LIGHT, DARK))
    assert draw(data).png != draw(data).dark
    for one, other in zip(light.axes[0].lines, dark.axes[0].lines, strict=True):
        assert one.get_color() == other.get_color()
        assert one.get_xydata().tolist() == other.get_xydata().tolist()
