# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mkdocs cannot do by itself: pages that live beside the code, links between them, our lexers.

Documents are written to be read in the repository too: README.md of a folder stays in that folder
and links point to files. Here those files become pages, and links to other files of the repository
become plain text, because the site does not carry them.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pygments import lexers
from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
# Page of the site -> file of the repository.
ELSEWHERE = {
    "contributing.md": "CONTRIBUTING.md",
    "changes.md": "CHANGELOG.md",
    "targets.md": "targets/README.md",
    **{
        f"examples/{path.parent.name}.md": path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.glob("examples/*/README.md"))
    },
}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
DECISIONS = "<!-- the decisions, in order -->"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Every decision is in the navigation without being listed there."""
    assert config.nav is not None
    for entry in config.nav:
        if "Decisions" in entry:
            entry["Decisions"] = ["decisions/index.md", *_decisions()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for page, source in ELSEWHERE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(text: str, page: Page, **_: Any) -> str:
    here = page.file.src_uri
    if DECISIONS in text:
        titles = [_title(DOCS / name) for name in _decisions()]
        rows = [
            f"- [{title}]({PurePosixPath(name).name})"
            for title, name in zip(titles, _decisions(), strict=True)
        ]
        text = text.replace(DECISIONS, "\n".join(rows))
    source = PurePosixPath(ELSEWHERE.get(here, f"docs/{here}"))
    return outside_of_code(text, lambda line: LINK.sub(lambda m: _link(m, source, here), line))


def outside_of_code(text: str, change: Any) -> str:
    """The text with `change` done to what is neither a code block nor between backticks."""
    lines, fenced = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and "](" in line:
            # A link's own text may hold code: only code with a link inside of it is kept apart.
            pieces = re.split(r"(`[^`]*\]\([^`]*`)", line)
            line = "".join(
                p if p.startswith("`") and p.endswith("`") else change(p) for p in pieces
            )
        lines.append(line)
    return "\n".join(lines)


def _link(match: re.Match[str], source: PurePosixPath, here: str) -> str:
    label, target, anchor = match[1], match[2], match[3] or ""
    if not target or "://" in target or target.startswith("mailto:"):
        return match[0]
    wanted = os.path.normpath(source.parent / target)
    page = _page_of(wanted)
    if page is None:
        # A broken link is left for mkdocs to refuse.
        return label if (ROOT / wanted).exists() else match[0]
    return f"[{label}]({os.path.relpath(page, PurePosixPath(here).parent)}{anchor})"


def _page_of(path: str) -> str | None:
    """The page of the site that shows a file of the repository."""
    for page, source in ELSEWHERE.items():
        if path in (source, str(PurePosixPath(source).parent)) and path != ".":
            return page
    if path == "docs/decisions":
        return "decisions/index.md"
    if path == "README.md":
        return "index.md"
    inside = PurePosixPath(path)
    if inside.parts[:1] == ("docs",) and inside.suffix and (ROOT / path).exists():
        return str(inside.relative_to("docs"))
    return None


def _decisions() -> list[str]:
    return [f"decisions/{path.name}" for path in sorted(DOCS.glob("decisions/[0-9]*.md"))]


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


class WeftLexer(RegexLexer):
    """Colours for ```weft blocks; what is wrong is shown as it is."""

    name = "Weft"
    aliases = ["weft"]  # noqa: RUF012 - pygments' interface
    tokens = {  # noqa: RUF012
        "root": [
            (r"#.*", Comment.Single),
            (r"(kernel|program)(\s+)(\w+)", bygroups(Keyword, Text, Name.Class)),
            (r"\b(schedule|const|carry|case|for|in|on|and|or|not)\b", Keyword),
            (r"\b(f32|f64|c64|c128|i32|i64|bool|size)\b", Keyword.Type),
            (r"\b(pi|none)\b", Keyword.Constant),
            (r"[A-Za-z_]\w*(?=\()", Name.Function),
            (r"[A-Za-z_]\w*", Name),
            (r"0x[0-9a-fA-F_]+|\d[\d_]*\.?\d*(e[+-]?\d+)?j?", Number),
            (r"->|\*\*|//|[<>=!]=|[-+*/%@<>=]", Operator),
            (r"[\[\](){}:,.]", Punctuation),
            (r"\s+", Text),
            (r".", Text),
        ]
    }


class MlirLexer(RegexLexer):
    """Colours for ```mlir blocks."""

    name = "MLIR"
    aliases = ["mlir"]  # noqa: RUF012
    tokens = {  # noqa: RUF012
        "root": [
            (r"//.*", Comment.Single),
            (r'"[^"]*"', String),
            (r"[%@^][\w$.#-]+", Name.Variable),
            (r"[#!][A-Za-z_][\w.$]*", Name.Decorator),
            (
                r"\b(tensor|memref|vector|complex|index|[fiu]\d+|f\d+|dense|affine_map)\b",
                Keyword.Type,
            ),
            (r"\b[a-z_]+\.[a-z_.0-9]+\b", Name.Function),
            (r"-?\d+(\.\d+)?(e[+-]?\d+)?", Number),
            (r"[A-Za-z_]\w*", Name),
            (r"\s+", Text),
            (r".", Text),
        ]
    }


def _register(*classes: type[RegexLexer]) -> None:
    """Makes our lexers known to pygments, which wants them in a module that it can import."""
    module = ModuleType("weft_site_lexers")
    module.__dict__["__all__"] = [lexer.__name__ for lexer in classes]
    sys.modules[module.__name__] = module
    for lexer in classes:
        setattr(module, lexer.__name__, lexer)
        entry = (module.__name__, lexer.name, tuple(lexer.aliases), (), ())
        lexers.LEXERS[lexer.__name__] = entry


_register(WeftLexer, MlirLexer)
