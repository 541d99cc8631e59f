# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures without a library: elements of SVG, and the look that they have in common."""

from __future__ import annotations

from html import escape

# Colours that keep their contrast; the card has its own background, so that it can stand anywhere.
STYLE = """
  .card { fill: #ffffff; stroke: #d0d7de }
  text { font: 14px system-ui, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 17px; font-weight: 600 }
  .case { font-weight: 600 }
  .small { font-size: 12px; fill: #59636e }
  .line { stroke: #d0d7de; stroke-width: 1 }
  .ours { fill: #00897b }
  .peer { fill: #a8b1bb }
  .own { font-weight: 600; fill: #00695c }
  @media (prefers-color-scheme: dark) {
    .card { fill: #161b22; stroke: #30363d }
    text { fill: #e6edf3 }
    .small { fill: #9198a1 }
    .line { stroke: #30363d }
    .ours { fill: #26b3a3 }
    .peer { fill: #5b6570 }
    .own { fill: #4fd0c2 }
  }
"""


def element(name: str, content: str = "", **attributes: object) -> str:
    given = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>"


def words(x: float, y: float, content: str, kind: str = "", **attributes: object) -> str:
    if kind:
        attributes["class"] = kind
    return element("text", escape(content), x=f"{x:.1f}", y=f"{y:.1f}", **attributes)
