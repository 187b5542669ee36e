"""Every banner about the disk fits the panel's two lines, in every language."""

from __future__ import annotations

import pytest

from companion.display import table_pictures
from companion.gamekit.contract.picture_faults import recorded_texts
from companion.languages import in_language, translate
from companion.languages.catalogues import available_languages
from companion.panel.canvas import Canvas
from companion.store.store_warnings import WarningKind
from companion.table import backup, loop

BANNERS = [
    *loop.WARNING_BANNERS.values(),
    loop.BUSY_BANNER,
    loop.SAVING_BANNER,
    loop.READING_BANNER,
    backup.FAILURE_BANNER,
]


@pytest.mark.parametrize("language", available_languages())
@pytest.mark.parametrize("banner", BANNERS)
def test_a_banner_fits_its_two_lines(banner: str, language: str) -> None:
    with in_language(language), recorded_texts() as written:
        first, _, second = translate(banner).partition("\n")
        table_pictures.draw_banner(Canvas(), first, second)
    assert [each.text for each in written] == [line for line in (first, second) if line]


def test_every_warning_of_the_store_has_a_banner() -> None:
    assert loop.WARNING_BANNERS.keys() == set(WarningKind)
