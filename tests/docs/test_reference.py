"""What is made from the code is up to date."""

import pytest

from tools.pages import PAGES
from tools.policy_lists import LISTS, ROOT

MADE = {**LISTS, **PAGES}


@pytest.mark.parametrize("page", MADE)
def test_what_is_generated_is_up_to_date(page):
    written = (ROOT / page).read_text()
    assert written == MADE[page](), "run: python -m tools.reference"
