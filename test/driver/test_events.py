# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The log of WEFT_VERBOSE: one line an event, stable, parseable; silence without it."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from weft import events, pipeline

PROGRAM = """
import weft, numpy as np
source = '''
kernel wave[n: size, m: size](x: c128[n, m]) -> (y: c128[n, m]):
    y = dft(x, axis=1)
'''
k = weft.compile(source, target="portable", n=2, m=8)
for _ in range(2):
    k(np.ones((2, 8), complex))
"""


def log(level: str, cache: Path, **more: str) -> list[dict[str, str]]:
    environment = {**os.environ, "WEFT_CACHE_DIR": str(cache), "WEFT_VERBOSE": level, **more}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True
    )
    assert done.stdout == ""
    rows = list(csv.reader(done.stderr.splitlines()))
    if rows:
        assert rows[0] == ["weft_verbose", "v1", "template", *events.FIELDS]
    assert all(len(row) == 8 or row[2] == "template" for row in rows)
    return [dict(zip(("tool", "version", *events.FIELDS), row, strict=True)) for row in rows[1:]]


def names(rows: list[dict[str, str]]) -> list[str]:
    return [row["event"] for row in rows]


def test_nothing_without_it(tmp_path: Path) -> None:
    assert log("", tmp_path) == log("0", tmp_path) == []


def test_stages_then_a_hit(tmp_path: Path) -> None:
    first = log("1", tmp_path)
    assert names(first) == [
        "info",
        "stage",
        "cache_miss",
        "stage",
        "stage",
        "stage",
        "stage",
        "cc",
        "cc",
        "stage",
        "cache_publish",
        "load",
    ]
    assert [row["detail"] for row in first if row["event"] == "stage"] == [
        "outline",
        "front end",
        "lowering",
        "passes",
        "emission",
        "C compiler",
    ]
    for row in first[5:]:
        assert (row["kernel"], row["target"], row["sizes"]) == ("wave", "portable", "m=8;n=2")
        assert float(row["ms"]) > 0
    assert " -S kernel.c " in next(row["detail"] for row in first if row["event"] == "cc")
    second = log("1", tmp_path)
    assert names(second) == ["info", "cache_hit", "load"]
    assert second[1]["sizes"] == "m=8;n=2"
    published = next(row for row in first if row["event"] == "cache_publish")
    assert second[1]["detail"] == published["detail"]


def test_level_2_has_passes_and_calls(tmp_path: Path) -> None:
    first = log("2", tmp_path)
    passes = [row["detail"] for row in first if row["event"] == "pass"]
    assert passes == [step.flag for step in pipeline.steps("portable")]
    calls = [row for row in first if row["event"] == "call"]
    assert len(calls) == 2
    assert calls[0]["detail"].startswith("threads=")
    assert calls[0]["detail"].endswith(" status=0")


def test_eviction_is_told(tmp_path: Path) -> None:
    log("1", tmp_path)
    for manifest in tmp_path.rglob("manifest.json"):
        os.utime(manifest, (1, 1))
    rows = log("1", tmp_path, WEFT_CACHE_SIZE="1k", WEFT_CC="gcc", CFLAGS="")
    assert "cache_evict" not in names(rows), "a hit publishes nothing"
    for manifest in tmp_path.rglob("manifest.json"):
        os.utime(manifest, (1, 1))
    code = PROGRAM.replace("m=8", "m=4").replace("(2, 8)", "(2, 4)")
    environment = {
        **os.environ,
        "WEFT_CACHE_DIR": str(tmp_path),
        "WEFT_VERBOSE": "1",
        "WEFT_CACHE_SIZE": "1k",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    (line,) = [line for line in done.stderr.splitlines() if ",cache_evict," in line]
    assert "limit=1024" in line


def test_other_value_counts_as_1_and_is_told(tmp_path: Path) -> None:
    rows = log("yes", tmp_path)
    assert rows[1]["event"] == "info"
    assert "WEFT_VERBOSE is 0, 1 or 2" in rows[1]["detail"]
    assert "pass" not in names(rows)


def test_detail_stays_one_line_and_one_field(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "LEVEL", 1)
    events.tell("cc", events.Subject("k"), 'a, "b"\nc', 0.001)
    row = next(csv.reader([capsys.readouterr().err.splitlines()[-1]]))
    assert row == ["weft_verbose", "v1", "cc", "k", "", "", 'a, "b" c', "1.000"]


def test_listener_hears_begin_and_end() -> None:
    heard: list[str] = []

    class Ear:
        def begin(self, name: str, subject: events.Subject, detail: str) -> None:
            heard.append(f"begin {detail}")

        def event(self, event: events.Event) -> None:
            heard.append(f"end {event.detail}")

    with events.listening(Ear()), events.timed("stage", detail="fuse"):
        heard.append("work")
    with events.timed("stage", detail="unheard"):
        pass
    assert heard == ["begin fuse", "work", "end fuse"]
