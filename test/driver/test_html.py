# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a notebook shows: escaped, well formed, and nothing from outside."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import weft
from weft import html
from weft.diagnostics import CompilerBug, RunError, WeftError

SOURCE = """
# <script>alert("1 & 2")</script>
kernel less[n: size](x: f64[n]) -> (y: bool[n]):
    y = x < 2.5e-1
"""


class Page(HTMLParser):
    """Text and tags; fails where tags do not nest."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""
        self.coloured: dict[str, str] = {}
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= {"style", "open"}
        self.open.append(tag)
        self.seen.append(tag)
        self.colour = dict(attrs).get("style") or ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open[-1:] == ["span"]:
            self.coloured[data] = self.colour.removeprefix("color:")


def test_kernel() -> None:
    kernel = weft.compile(SOURCE, target="portable", n=3)
    page = Page(kernel._repr_html_())
    assert set(page.seen) == {"div", "details", "summary", "pre", "span"}
    assert page.seen.count("details") == 3
    assert SOURCE in page.text
    assert kernel.asm["c"] in page.text
    assert '"compiler"' in page.text
    assert page.coloured["kernel"] == html.COLOURS["keyword"]
    assert page.coloured["f64"] == html.COLOURS["type"]
    assert page.coloured["2.5e-1"] == html.COLOURS["number"]


def test_kernel_without_sizes_or_c() -> None:
    assert Page(weft.compile(SOURCE, target="portable")._repr_html_()).seen.count("details") == 1
    kernel = weft.compile(SOURCE, mode="interpret", n=3)
    assert Page(kernel._repr_html_()).seen.count("details") == 2
    assert str(kernel) == SOURCE


def source_error() -> WeftError:
    with pytest.raises(WeftError) as info:
        weft.compile("kernel k(x: f64[2]) -> (y: f64[2]):\n    y = x < <b>\n")
    return info.value


@pytest.mark.parametrize(
    "error",
    [source_error(), RunError("a < b", expected="&", found="<i>"), CompilerBug("<", stage="x")],
    ids=lambda error: type(error).__name__,
)
def test_error(error: WeftError) -> None:
    page = Page(error._repr_html_())
    assert page.text == error.render()
    assert set(page.seen) == {"pre", "span"}
    assert html.COLOURS["rule"] in page.coloured.values()
    assert error._render_traceback_() == error.render().splitlines()


def test_long_text_is_cut() -> None:
    page = Page(html.plain("<" * 300_000))
    assert page.text.endswith("… 100000 more characters")
