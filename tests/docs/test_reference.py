"""What is made from the code is up to date."""

import pytest

from tools import reference


@pytest.mark.parametrize("page", reference.PAGES)
def test_generated_pages_are_up_to_date(page):
    written = (reference.DOCS / page).read_text()
    assert written == reference.PAGES[page](), "run: python -m tools.reference"
