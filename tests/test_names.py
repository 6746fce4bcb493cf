from hybandit.names import suggestion


def test_a_near_miss_is_answered_with_the_nearest_name():
    assert suggestion("lin-usb", ["ucb", "lin-ucb", "lin-ts"]) == "; did you mean 'lin-ucb'?"


def test_a_name_like_no_other_is_answered_with_all_in_order():
    assert suggestion("zzz", ["ucb", "lin-ucb"]) == "; there are lin-ucb, ucb"
