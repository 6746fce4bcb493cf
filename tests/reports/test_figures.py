import io

import matplotlib.image
import matplotlib.text
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex
from PIL import Image

from hybandit.reports.figures import COLOURS, LIGHT, draw, drawn, shown, styles_of
from hybandit.reports.line_ends import GAP, spread_out
from hybandit.reports.section import Bars, Boxes, Line, Lines, Points
from hybandit.reports.spread import Spread


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
    assert first == second
    with Image.open(io.BytesIO(first.png)) as picture:
        assert (picture.format, picture.mode) == ("PNG", "P"), "a palette keeps files small"


def test_no_two_lines_look_alike_and_ours_keep_their_colours():
    own = [line("lnucb-ta", "lnucb-ta"), line("stacked-hybrid", "stacked-hybrid")]
    many = [line(str(number)) for number in range(20)] + own
    styles = styles_of(many)
    assert len({tuple(style.values()) for style in styles.values()}) == len(many)
    assert styles["lnucb-ta"] == styles_of(own[:1])["lnucb-ta"]
    assert styles["stacked-hybrid"] == styles_of(own[1:])["stacked-hybrid"]


def test_people_s_text_is_drawn_as_it_is(monkeypatch):
    name = r"a$b$c $\frac$ \alpha $x$ $"

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
    assert {axis.get_ylabel() for axis in axes_of(data)} == {f"{data.y_label}, log scale"}
    assert {axis.get_ylabel() for axis in axes_of(near)} == {near.y_label}
    assert axes_of(near)[0].get_ylim()[0] == 0.0


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


def test_a_name_is_joined_to_the_end_of_its_own_line_in_its_colour():
    data = lines(line("a", "lnucb-ta"), line("b", scale=3.0), line("c", "stacked-hybrid", 2.0))
    (axis,) = axes_of(data)
    names = {text.get_text(): text for text in axis.texts}
    to_share = axis.transData + axis.transAxes.inverted()
    for label, drawn_line in zip("abc", axis.lines, strict=True):
        assert drawn_line.get_ydata()[-1] == {"a": 10.0, "b": 30.0, "c": 20.0}[label]
        assert names[label].xy == pytest.approx(to_share.transform(drawn_line.get_xydata()[-1]))
        assert to_hex(names[label].arrow_patch.get_edgecolor()) == drawn_line.get_color().lower()
    colours = [each.get_color() for each in axis.lines]
    assert (colours[0], colours[2]) == (COLOURS[1], COLOURS[0])


def test_a_band_is_one_sd_to_either_side_in_its_line_s_colour():
    (axis,) = axes_of(lines(line("a"), line("b", scale=2.0, sd=[0.1, 0.2, 0.3])))
    (band,) = axis.collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices.round(6).tolist()}
    assert {(1, 1.9), (1, 2.1), (5, 9.8), (5, 10.2), (10, 19.7), (10, 20.3)} <= corners
    assert to_hex(band.get_facecolor()[0]) == axis.lines[1].get_color().lower()


def test_panels_have_their_titles_and_what_is_left_over_is_not_shown():
    panels = {name: [line(name)] for name in ("one", "two", "three")}
    axes = axes_of(Lines("n", "c", panels, "round", "regret"))
    assert [axis.get_title() for axis in axes] == ["one", "two", "three", ""]
    assert [axis.get_visible() for axis in axes] == [True, True, True, False]
    assert [axis.texts[0].get_text() for axis in axes[:3]] == ["one", "two", "three"]
    assert {(axis.get_xlabel(), axis.get_ylabel()) for axis in axes[:3]} == {("round", "regret")}


def test_large_numbers_have_commas_on_every_axis():
    axis = shown(lines(Line("a", "ucb", [0, 2_000_000], [0.0, 2.0])))
    axis.figure.canvas.draw()
    across, up = ([tick.get_text() for tick in ticks]
                  for ticks in (axis.get_xticklabels(), axis.get_yticklabels()))  # fmt: skip
    assert "1,000,000" in across
    assert "1.00" in up or "1.0" in up
    pyplot.close(axis.figure)


def ends_of(container):
    """Low and high end of each error bar."""
    (bars,) = container.lines[2]
    return [(low, high) for (_, low), (_, high) in bars.get_segments()]


def test_bars_are_means_with_one_sd_to_either_side():
    spreads = [("0.1", Spread(3.0, 1.0, 4)), ("0.5", Spread(7.0, 0.5, 4))]
    panels = {"one": spreads, "two": spreads[:1], "three": [], "four": []}
    axes = axes_of(Bars("n", "c", panels, "clicks", 800, "alpha"))
    assert [bar.get_height() for bar in axes[0].patches] == [3.0, 7.0]
    errors, _ = axes[0].containers
    assert ends_of(errors) == [(2.0, 4.0), (6.5, 7.5)]
    assert [tick.get_text() for tick in axes[0].get_xticklabels()] == ["0.1", "0.5"]
    assert [axis.get_ylim() for axis in axes[:4]] == [(0, 800)] * 4
    assert [axis.get_ylabel() for axis in axes] == ["clicks", "", "", "clicks", "", ""]
    assert [axis.get_xlabel() for axis in axes[:4]] == ["alpha"] * 4
    assert [axis.get_title() for axis in axes[:4]] == list(panels)
    assert [axis.get_visible() for axis in axes] == [True] * 4 + [False] * 2


def test_boxes_show_quartiles_and_the_whole_range_under_their_names():
    values = {"a b": [1.0, 2.0, 3.0, 4.0, 100.0], "c": [5.0, 6.0, 7.0]}
    (axis,) = axes_of(Boxes("n", "c", {"one": values}, "reward", "model"))
    first, second = (patch.get_path().vertices[:, 1] for patch in axis.patches)
    assert (first.min(), first.max()) == (2.0, 4.0)
    assert (second.min(), second.max()) == (5.5, 6.5)
    heights = {tuple(each.get_ydata()) for each in axis.lines}
    assert {(3.0, 3.0), (6.0, 6.0), (4.0, 100.0), (2.0, 1.0)} <= heights
    assert [tick.get_text() for tick in axis.get_xticklabels()] == ["a\nb", "c"]
    colours = [to_hex(patch.get_facecolor()) for patch in axis.patches]
    assert colours == [colour.lower() for colour in COLOURS[:2]]


def test_points_stand_at_their_ticks_and_the_legend_has_their_colours():
    series = {
        "a": [Spread(0.5, 0.1, 2), None, Spread(0.75, 0.25, 2)],
        "b": [None, Spread(0.25, 0.125, 2), None],
    }
    data = Points("n", "c", ["k 1", "k 2", "k 3"], series, "reward", 1.0, "k")
    (axis,) = axes_of(data)
    first, second = axis.containers
    assert first.lines[0].get_xydata().tolist() == [[-0.05, 0.5], [1.95, 0.75]]
    assert second.lines[0].get_xydata().tolist() == [[1.05, 0.25]]
    np.testing.assert_allclose(ends_of(first), [(0.4, 0.6), (0.5, 1.0)])
    assert ends_of(second) == [(0.125, 0.375)]
    assert [tick.get_text() for tick in axis.get_xticklabels()] == ["k 1", "k 2", "k 3"]
    assert axis.get_ylim() == (0.0, 1.0)
    legend = axis.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b"]
    colours = [to_hex(handle.get_edgecolor()[0]).upper() for handle in legend.legend_handles]
    assert colours == [each.lines[0].get_color() for each in axis.containers] == [*COLOURS[:2]]


@pytest.mark.parametrize(("kind", "paper"), [("png", "#ffffff"), ("dark", "#16181c")])
def test_a_picture_has_the_paper_of_its_page_and_ink_that_can_be_read_on_it(kind, paper):
    pixels = matplotlib.image.imread(io.BytesIO(getattr(draw(FIGURES["bars"]), kind)))
    assert to_hex(pixels[0, 0]) == paper
    assert np.abs(pixels[..., :3] - pixels[0, 0, :3]).max() > 0.7


def test_a_low_line_does_not_stretch_a_log_axis():
    low = Line("low", "ucb", [1, 10], [1e-9, 1.0])
    (axis,) = axes_of(lines(low, line("high", scale=10.0)))
    assert axis.get_yscale() == "log"
    assert axis.get_ylim()[0] == pytest.approx(0.1)


def test_values_below_zero_are_shown():
    (axis,) = axes_of(lines(Line("a", "ucb", [1, 2], [-5.0, 1.0])))
    assert axis.get_ylim()[0] < -5.0


def test_a_picture_is_twice_as_sharp_as_it_is_wide_on_the_page():
    picture = draw(FIGURES["points"])
    assert picture.width == 830
    assert matplotlib.image.imread(io.BytesIO(picture.png)).shape[1] == 2 * 830
