# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What notebooks show of kernels and errors: escaped HTML that needs nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

# Readable on light and on dark: a notebook's theme is not known, so the block brings its own.
COLOURS = {
    "keyword": "#cf222e",
    "type": "#8250df",
    "builtin": "#0550ae",
    "number": "#953800",
    "comment": "#57606a",
    "string": "#0a3069",
    "rule": "#cf222e",
    "place": "#0550ae",
    "mark": "#cf222e",
    "label": "#57606a",
}
BLOCK = (
    "font:12px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:#1f2328;"
    "background:#f6f8fa;border:1px solid #d0d7de;border-radius:6px;padding:8px 12px;margin:4px 0;"
    "overflow:auto;max-height:420px;white-space:pre;text-align:left"
)
HEAD = "font:600 13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;margin:4px 0"
SUMMARY = "cursor:pointer;font:12px system-ui,sans-serif"
# A page with megabytes of tables helps nobody and stops the browser.
LONGEST = 200_000

_NUMBER = r"(?P<number>\b(?:0x[0-9a-fA-F]+|\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?)[jfuUlL]*\b)"
_WEFT = re.compile(
    r"(?P<comment>#[^\n]*)"
    r"|(?P<keyword>\b(?:kernel|program|schedule|const|carry|case|for|in|and|or|not|on)\b)"
    r"|(?P<type>\b(?:f32|f64|c64|c128|i32|i64|bool|size)\b)"
    r"|(?P<builtin>\b[A-Za-z_]\w*(?=\())|" + _NUMBER
)
_C = re.compile(
    r"(?P<comment>/\*.*?\*/|//[^\n]*)"
    r"|(?P<string>\"(?:\\\\.|[^\"\\\n])*\")"
    r"|(?P<keyword>^[ \t]*\#[ \t]*\w+|\b(?:for|if|else|while|do|return|static|const|inline|extern"
    r"|struct|typedef|restrict|sizeof|switch|case|break|continue|goto|_Alignas)\b)"
    r"|(?P<type>\b(?:void|int|long|short|char|float|double|unsigned|signed|size_t|_Bool"
    r"|u?int\d+_t|__m\d+[di]?)\b)"
    r"|(?P<builtin>\b[A-Za-z_]\w*(?=\())|" + _NUMBER,
    re.DOTALL | re.MULTILINE,
)
_ERROR = re.compile(
    r"^(?P<place>\S[^\n]*?:\d+:\d+(?=: ))|(?P<rule>\b(?:error|internal error)\b(?:\[\w+\])?)"
    r"|(?P<mark>(?<=\| )[ ]*\^+$)|^(?P<label>   (?:expected|found|help|note|reproducer):)",
    re.MULTILINE,
)


def weft(text: str) -> str:
    """A source, with colours."""
    return _block(text, _WEFT)


def c(text: str) -> str:
    """C, with colours."""
    return _block(text, _C)


def plain(text: str) -> str:
    return _block(text, None)


def error(rendered: str) -> str:
    """What the terminal shows of an error."""
    return _block(rendered, _ERROR)


def document(title: str, parts: Sequence[tuple[str, str, bool]]) -> str:
    """A heading and folded parts: name, HTML, whether it is open."""
    folded = "".join(
        f"<details{' open' if is_open else ''}>"
        f'<summary style="{SUMMARY}">{escape(name)}</summary>{body}</details>'
        for name, body, is_open in parts
    )
    return f'<div><div style="{HEAD}">{escape(title)}</div>{folded}</div>'


def _block(text: str, words: re.Pattern[str] | None) -> str:
    shown = text[:LONGEST]
    body = _coloured(shown, words) if words else escape(shown)
    if len(text) > LONGEST:
        body += f"\n… {len(text) - LONGEST} more characters"
    return f'<pre style="{BLOCK}">{body}</pre>'


def _coloured(text: str, words: re.Pattern[str]) -> str:
    out, done = [], 0
    for match in words.finditer(text):
        out.append(escape(text[done : match.start()]))
        colour = COLOURS[match.lastgroup or "label"]
        out.append(f'<span style="color:{colour}">{escape(match.group())}</span>')
        done = match.end()
    out.append(escape(text[done:]))
    return "".join(out)
