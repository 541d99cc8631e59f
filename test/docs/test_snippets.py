# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every code block of the documents holds: a page is run from top to bottom in a folder of its own.

* `weft`: checked, and each kernel compiled, its sizes 8 where the page says nothing else. A block
  with `title="f.weft"` is also a file of the folder, for the commands below it.
* `python`: executed, all blocks of a page in one namespace; with `>>>`, as a doctest.
* `console`: each `$ command` is executed, and what it prints is compared. `sh`: executed.
* `text`, `mlir`, `c` and others are shown only.

`...` stands for anything. A comment above a block, which readers of the page do not see, says more:

    <!-- snippet not-run: REASON -->     shown only
    <!-- snippet varies: REASON -->      executed, but what it prints is not compared
    <!-- snippet mask: REGEX -->         what matches is not compared
    <!-- snippet status: N -->           the exit status of a console block's last command
    <!-- snippet sizes: n=16 m=4 -->     of a weft block
    <!-- snippet target: portable -->    it is compiled for that, not for this CPU's best
    <!-- snippet expect: 2:9 W101 -->    the program is wrong, there, by this rule
    <!-- snippet message: -->            a text block with what Weft says to the program above it
    <!-- snippet output: -->             a text block with what the python block above it prints
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import weft
from weft import driver

ROOT = Path(__file__).resolve().parent.parent.parent
GENERATED = {"rules.md", "dialect.md", "passes.md"}
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in ROOT.glob("docs/**/*.md") if page.name not in GENERATED),
    *sorted(ROOT.glob("examples/*/README.md")),
    *sorted(ROOT.glob("bench/**/*.md")),
]
KEYS = {"not-run", "varies", "mask", "status", "sizes", "target", "expect", "message", "output"}
DEFAULT_SIZE = 8
SECONDS = 60
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass
class Block:
    """A fenced block, with what the comments above it say."""

    place: str
    language: str
    title: str
    text: str
    said: dict[str, list[str]] = field(default_factory=dict)

    def one(self, key: str) -> str:
        return self.said.get(key, [""])[0]


def blocks_of(text: str, name: str) -> list[Block]:
    found: list[Block] = []
    said: dict[str, list[str]] = {}
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if comment := re.fullmatch(r"\s*<!-- snippet ([a-z-]+): ?(.*?) ?-->", line):
            assert comment[1] in KEYS, f"{name}:{number}: no {comment[1]!r} among {sorted(KEYS)}"
            said.setdefault(comment[1], []).append(comment[2])
        elif fence := re.fullmatch(r"(\s*)```(\w*)(.*)", line):
            title = re.search(r'title="([^"]*)"', fence[3])
            body = []
            for _, inner in lines:
                if inner.strip() == "```":
                    break
                body.append(inner.removeprefix(fence[1]))
            place = f"{name}:{number}"
            content = "\n".join(body) + "\n"
            found.append(Block(place, fence[2], title[1] if title else "", content, said))
            said = {}
        elif line.strip():
            assert not said, f"{name}:{number}: a block was to follow the comment above"
    return found


def same(wanted: str, got: str, block: Block) -> None:
    """`got` is what the page shows, but for masks, `...` and white space."""
    if block.said.get("varies"):
        return
    for mask in block.said.get("mask", []):
        wanted, got = re.sub(mask, "_", wanted), re.sub(mask, "_", got)
    if not doctest.OutputChecker().check_output(wanted, got, SAME):
        pytest.fail(f"{block.place}: the page shows\n{wanted}\nand this came\n{got}", pytrace=False)


class PageRun:
    """One page from top to bottom."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__page__"}
        self.printed = ""
        self.message = ""
        for shared in ("examples", "bench"):
            (folder / shared).symlink_to(ROOT / shared)
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "COLUMNS": "100",
            "NO_COLOR": "1",
        }

    def run(self, block: Block) -> None:
        if block.title and block.language in ("weft", "python", "c", "mlir"):
            (self.folder / block.title).write_text(block.text, encoding="utf-8")
        if "not-run" in block.said:
            assert block.one("not-run"), f"{block.place}: a reason is wanted"
            return
        runner = getattr(self, f"_{block.language}", None)
        if runner is not None:
            runner(block)

    def _weft(self, block: Block) -> None:
        path = block.title or "<source>"
        expected = re.findall(r"(\d+):(\d+) (W\d{3})", block.one("expect"))
        sizes = {k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", block.one("sizes"))}
        try:
            requests = []
            for name in re.findall(r"^(?:kernel|program) (\w+)", block.text, re.MULTILINE):
                missing = driver.outline(block.text, name).missing
                chosen = {size: sizes.get(size, DEFAULT_SIZE) for size in missing}
                requests.append((block.text, name, chosen))
            weft.compile_many(requests, block.one("target") or None)
        except weft.SourceError as error:
            self.message = error.render().replace("<source>", path)
            found = [(str(d.span.line), str(d.span.column), d.rule) for d in error.diagnostics]
            if found != expected:
                pytest.fail(f"{block.place}: {self.message}", pytrace=False)
        else:
            assert not expected, f"{block.place}: nothing is wrong with it"

    def _python(self, block: Block) -> None:
        captured = io.StringIO()
        with contextlib.chdir(self.folder) if sys.version_info >= (3, 11) else _moved(self.folder):
            if block.text.lstrip().startswith(">>>"):
                self._doctest(block)
                return
            with contextlib.redirect_stdout(captured):
                try:
                    exec(compile(block.text, block.place, "exec"), self.names)
                except Exception:
                    pytest.fail(f"{block.place}: {traceback.format_exc()}", pytrace=False)
        self.printed = captured.getvalue()

    def _doctest(self, block: Block) -> None:
        examples = doctest.DocTestParser().get_examples(block.text)
        test = doctest.DocTest(examples, self.names, block.place, block.place, 0, block.text)
        told: list[str] = []
        runner = doctest.DocTestRunner(optionflags=SAME)
        runner.run(test, out=told.append, clear_globs=False)
        self.names = test.globs
        if runner.failures:
            pytest.fail(f"{block.place}: {''.join(told)}", pytrace=False)

    def _console(self, block: Block) -> None:
        pieces = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
        assert pieces, f"{block.place}: no line begins with '$ '"
        for number, piece in enumerate(pieces, 1):
            command, _, shown = piece.partition("\n")
            last = number == len(pieces)
            got = self._shell(block, command, int(block.one("status") or 0) if last else 0)
            same(shown, got, block)

    def _sh(self, block: Block) -> None:
        self._shell(block, "set -e\n" + block.text, 0)

    def _shell(self, block: Block, command: str, status: int) -> str:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if done.returncode != status:
            told = f"{command}\nexit status {done.returncode}, not {status}\n"
            told += done.stdout + done.stderr
            pytest.fail(f"{block.place}: {told}", pytrace=False)
        # Standard error of a command that succeeds is progress: it depends on how long that takes,
        # and so does the progress before an error.
        told = re.sub(r"^weft: .* \.\.\.\n", "", done.stderr, flags=re.MULTILINE)
        return done.stdout + (told if status else "")

    def _text(self, block: Block) -> None:
        if "message" in block.said:
            same(block.text, self.message + "\n", block)
        if "output" in block.said:
            same(block.text, self.printed, block)


@contextlib.contextmanager
def _moved(folder: Path) -> Any:
    """contextlib.chdir of Python 3.11."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run_page(text: str, name: str, folder: Path) -> PageRun:
    running = PageRun(folder)
    for block in blocks_of(text, name):
        running.run(block)
    return running


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page: Path, tmp_path: Path) -> None:
    run_page(page.read_text(encoding="utf-8"), str(page.relative_to(ROOT)), tmp_path)


GOOD = """\
```weft title="f.weft"
kernel f[n: size](x: f64[n]) -> (y: f64[n]):
    y = x + 1
```
"""
BROKEN = {
    "a name that is not there": GOOD.replace("x + 1", "z + 1"),
    "an error that does not come": f"<!-- snippet expect: 2:9 W101 -->\n{GOOD}",
    "an error elsewhere": "<!-- snippet expect: 2:5 W101 -->\n" + GOOD.replace("x +", "z +"),
    "another value": "```python\n>>> 1 + 1\n3\n```\n",
    "an exception": "```python\nassert False\n```\n",
    "a name of another page": "```python\n>>> f\n```\n",
    "another output": "```console\n$ echo one\ntwo\n```\n",
    "a command that fails": "```console\n$ weft compile missing.weft\n...\n```\n",
    "a command that should fail": "<!-- snippet status: 2 -->\n```console\n$ true\n```\n",
    "another line printed": (
        "```python\nprint(1)\n```\n\n<!-- snippet output: -->\n```text\n2\n```\n"
    ),
    "another message": (
        "<!-- snippet expect: 2:9 W101 -->\n"
        + GOOD.replace("x + 1", "z + 1")
        + "\n<!-- snippet message: -->\n```text\nf.weft:2:9: error[W102]\n```\n"
    ),
    "a word that means nothing": f"<!-- snippet sises: n=4 -->\n{GOOD}",
    "a comment above no block": "<!-- snippet sizes: n=4 -->\nWords.\n",
    "no reason": "<!-- snippet not-run: -->\n```python\n1\n```\n",
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_snippet_is_found(what: str, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception), match=r"page\.md:"):
        run_page(BROKEN[what], "page.md", tmp_path)


def test_a_good_page_holds(tmp_path: Path) -> None:
    page = GOOD + (
        "\n```console\n$ weft run f.weft --size n=4\n...\nholds\n$ test -e f.weft\n```\n"
        '\n```python\nimport weft\n\nf = weft.compile("f.weft", n=2)\n```\n'
        "\n```python\n>>> import numpy as np\n>>> f(np.zeros(2))\narray([1., 1.])\n```\n"
    )
    running = run_page(page, "page.md", tmp_path)
    assert running.names["f"].sizes == {"n": 2}
