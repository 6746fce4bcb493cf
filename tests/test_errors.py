import pickle

import pytest

from hybandit import errors
from hybandit.errors import InvalidInput


def test_invalid_input_names_the_parameter_the_rule_and_the_value():
    error = InvalidInput("alpha", "a number of at least 0", -1)
    assert str(error) == "'alpha' must be a number of at least 0; got -1"


def test_long_values_are_cut_short():
    text = str(InvalidInput("context", "short", "x" * 1000))
    assert len(text) < 120
    assert text.endswith("...")


def test_invalid_input_survives_the_way_between_processes():
    error = pickle.loads(pickle.dumps(InvalidInput("alpha", "a number", "x")))
    assert (error.parameter, error.rule, error.value) == ("alpha", "a number", "x")
    assert str(error) == "'alpha' must be a number; got 'x'"


@pytest.mark.parametrize(
    ("name", "builtin"),
    [("InvalidInput", ValueError), ("UnknownName", LookupError), ("ModelFileError", Exception),
     ("DataFileError", Exception)],
)  # fmt: skip
def test_all_errors_have_one_base_and_the_builtin_kind_one_expects(name, builtin):
    kind = getattr(errors, name)
    assert issubclass(kind, errors.HybanditError)
    assert issubclass(kind, builtin)
