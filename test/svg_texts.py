# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words in a picture."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree


def texts_of(svg: Path) -> set[str]:
    """Each text of an SVG file that has its texts as text."""
    texts = ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")
    return {"".join(text.itertext()).strip() for text in texts}
