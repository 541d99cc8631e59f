# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft tune: what it asks for, what it writes, and that this replays."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from weft import cache_folder, machine
from weft.cli import Exit, main, tune
from weft.tuning import calibration
from weft.tuning.judging import Judged
from weft.tuning.measuring import Measured
from weft.tuning.search import Outcome
from weft.tuning.space import Point, Space
from weft.tuning.trials import Trials

PROGRAM = """\
kernel f[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y = dft(x, axis=1)

kernel g(x: f64[8]) -> (y: f64[8]):
    y = x + 1
"""
ASKED = ("--kernel", "f", "-D", "b=8,n=32", "--target", "portable")


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In a folder and with a cache of its own."""
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "f.weft"
    path.write_text(PROGRAM)
    return path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[list[Point]]:
    """No time is measured: 4, 4, 2 is the fastest. The races that were run."""
    races: list[list[Point]] = []

    def race(self: Trials, points: Sequence[Point], reference: Point, final: bool) -> list[Outcome]:
        del reference, final
        races.append(list(points))
        # Of the schedules nothing is compiled, either.
        space: Space = self._build.__self__.space  # type: ignore[attr-defined]
        made = [space.directives(point).get("f", []) for point in points]
        best = ["factor y into 4, 4, 2"]
        return [
            Outcome(point, 0.5 if said == best else 1.1, 1.0)
            for point, said in zip(points, made, strict=True)
        ]

    monkeypatch.setattr(Trials, "race", race)
    return races


def test_the_schedule_replays(
    source: Path, quick: list[list[Point]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", str(source), *ASKED, "-o", "s.weft"]) == Exit.OK
    told = capsys.readouterr()
    assert told.out == "s.weft\n"
    assert " 0.500  factor y into 4, 4, 2\n" in told.err
    assert "(the cost model's choice)" in told.err
    assert "every schedule that was likely has been tried" in told.err
    text = Path("s.weft").read_text()
    assert text.endswith("schedule f on portable:\n    factor y into 4, 4, 2\n")
    assert re.match(
        r"# f \[b=8, n=32\] by weft tune, \d{4}-\d\d-\d\d: 500 ms on 1 thread, 0.500", text
    )
    assert quick[-1], "the best have raced again"

    words = ["compile", f"{source}:f", "-D", "b=8,n=32", "--target", "portable", "-o", "-"]
    assert main([*words, "--schedule", "s.weft"]) == Exit.OK
    with_file = capsys.readouterr().out
    Path("in").mkdir()
    Path("in/f.weft").write_text(PROGRAM + "\n" + text)
    words[1] = "in/f.weft:f"
    assert main(words) == Exit.OK
    assert capsys.readouterr().out == with_file
    assert "factor y into 4, 4, 2" in with_file
    for verb in ("run", "explain"):
        more = [verb, str(source), *ASKED, "--schedule", "s.weft"]
        assert main(more) == Exit.OK
    assert "factor y into 4, 4, 2" in capsys.readouterr().out


def test_without_a_file_the_schedule_is_the_output(
    source: Path, quick: list[list[Point]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", str(source), *ASKED]) == Exit.OK
    assert capsys.readouterr().out.startswith("# f [b=8, n=32] by weft tune")
    assert quick


def test_a_second_search_goes_on_from_the_first(
    source: Path, quick: list[list[Point]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", str(source), *ASKED]) == Exit.OK
    first = len(quick)
    (file,) = (cache_folder.folder() / "tuning").glob("f-*.jsonl")
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert {entry["kernel"] for entry in kept} == {"f"}
    assert {"sizes", "target", "cpu", "compiler", "schedule", "seconds"} <= set(kept[0])
    # Comments and layout are not what the trials are about.
    source.write_text("# more\n" + PROGRAM.replace("y = dft", "y =  dft"))
    capsys.readouterr()
    assert main(["tune", str(source), *ASKED]) == Exit.OK
    told = capsys.readouterr()
    assert len(quick) == first + 1, "only the last race is run again"
    assert "of them known from before" in told.err
    assert "factor y into 4, 4, 2" in told.out
    # Another kernel's are others.
    source.write_text(PROGRAM.replace("dft(x, axis=1)", "idft(x, axis=1)"))
    assert main(["tune", str(source), *ASKED]) == Exit.OK
    assert len(quick) > first + 2


def test_ctrl_c_writes_the_best_so_far(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    races = 0

    def race(self: Trials, points: Sequence[Point], reference: Point, final: bool) -> list[Outcome]:
        nonlocal races
        del self, reference, final
        races += 1
        if races > 1:
            raise KeyboardInterrupt
        return [Outcome(point, 0.9 if n == 1 else 1.2, 1.0) for n, point in enumerate(points)]

    monkeypatch.setattr(Trials, "race", race)
    assert main(["tune", str(source), *ASKED, "-o", "s.weft"]) == Exit.INTERRUPTED
    assert "interrupted: the same command goes on from here" in capsys.readouterr().err
    assert "factor y into" in Path("s.weft").read_text()


def test_measured_on_this_machine(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is made up here: what is fastest is not known, that all have times is."""
    assert main(["tune", str(source), *ASKED, "--budget", "1s", "-o", "s.weft"]) == Exit.OK
    told = capsys.readouterr().err
    assert re.search(r"^[1-9]\d* trials", told, re.MULTILINE)
    (file,) = (cache_folder.folder() / "tuning").glob("f-*.jsonl")
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        assert not entry["error"]
        # Eight lines of 32 points: no less than a nanosecond, and no second.
        assert 1e-9 < entry["seconds"] < 1
        assert 1e-9 < entry["reference_seconds"] < 1
    words = ["run", f"{source}:f", "-D", "b=8,n=32", "--target", "portable"]
    assert main([*words, "--schedule", "s.weft"]) == Exit.OK


def test_all_groups_run(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source.write_text(
        "kernel s[G: groups, n: size](x: f64[n]) -> (y: f64[n]):\n    y = allreduce(x + 1)\n"
    )
    words = ["tune", str(source), "-D", "n=8,G=2", "--target", "portable", "--budget", "1s"]
    assert main([*words, "--threads", "4"]) == Exit.OK
    told = capsys.readouterr()
    assert re.search(r"^# s \[.*\] by weft tune, .* on 2 groups of 2 threads", told.out)
    assert re.search(r"^[1-9]\d* trials", told.err, re.MULTILINE)
    assert ": none" not in told.err


def test_a_kernel_without_transforms_has_its_copies(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tune", str(source), "--kernel", "g", "--target", "portable", "--budget", "1s"]
    assert main([*words, "-o", "s.weft"]) == Exit.OK
    assert "unroll" in capsys.readouterr().err
    words = ["compile", f"{source}:g", "--target", "portable", "-o", "-", "--schedule", "s.weft"]
    assert main(words) == Exit.OK


def test_what_is_not_tuned_is_told(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source.write_text(PROGRAM.replace("axis=1", "axes=[0, 1]"))
    assert main(["tune", str(source), *ASKED, "--budget", "1s"]) == Exit.OK
    told = capsys.readouterr().err
    assert "weft: not tuned: the transform y of f: it has several axes" in told


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "a .weft file is missing"),
        (("none.weft",), "no such file: none.weft"),
        (("f.weft",), "which kernel?"),
        (("f.weft", "--kernel", "q"), "has no kernel 'q'"),
        (("f.weft:f",), "f needs b, n: for example --size b=64 --size n=64"),
        (("f.weft:f", "-D", "b=8"), "f needs n"),
        (("f.weft:f", "-D", "b=8,n=32,m=1"), "f has no size 'm'"),
        (("f.weft:f", "-D", "b=8,n=0"), "is no extent"),
        (("f.weft", *ASKED, "--budget", "0s"), "more than nothing"),
        (("f.weft", *ASKED, "--budget", "-5"), "more than nothing"),
        (("f.weft", *ASKED, "--budget", "nan"), "expected a time such as 30s"),
        (("f.weft", *ASKED, "--budget", "soon"), "'soon': expected a time such as 30s"),
        (("f.weft", *ASKED, "--budget", ""), "expected a time such as 30s"),
        (("f.weft", *ASKED, "--budget", "8d"), "expected a time such as 30s"),
        (("f.weft", *ASKED, "--budget", "99999h"), "at most a week"),
        (("f.weft", *ASKED, "--threads", "0"), "--threads"),
        (("f.weft", *ASKED, "--target", "avx1024"), "no target 'avx1024'"),
        (("f.weft", *ASKED, "-o", "f.weft"), "it would be lost"),
        (("f.weft", *ASKED, "-o", "."), "it is a folder"),
        (("f.weft", *ASKED, "--case", "A"), "no case 'A'"),
        (("f.weft", *ASKED, "--remove"), "goes with --calibrate"),
        (("f.weft", "--calibrate"), "a calibration is of the machine"),
        (("--calibrate", "--budget", "5s"), "a calibration is of the machine"),
        (("--calibrate", "--target", "portable"), "'portable' has nothing to calibrate"),
    ],
)
def test_what_is_asked_wrongly_is_told(
    source: Path, words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", *words]) == Exit.USAGE
    told = capsys.readouterr().err
    assert says in told
    assert "Traceback" not in told
    assert source.read_text() == PROGRAM


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("60s", 60), ("5m", 300), ("1h", 3600), ("0.5s", 0.5)]
)
def test_budgets(text: str, seconds: float) -> None:
    assert tune.seconds_of(text) == seconds


def test_a_schedule_for_a_library_or_a_stage_is_refused(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("s.weft").write_text("schedule f on portable:\n    factor y into 8, 4\n")
    words = ["compile", f"{source}:f", "-D", "b=8,n=32", "--emit=lib", "--schedule", "s.weft"]
    assert main(words) == Exit.USAGE
    assert "have the schedules of their source" in capsys.readouterr().err
    words = ["compile", f"{source}:f", "-D", "b=8,n=32", "--schedule", "none.weft"]
    assert main(words) == Exit.USAGE
    assert "none.weft is not there" in capsys.readouterr().err


def test_calibrate_writes_doctor_shows_remove_forgets(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del source
    plain = machine.plain("avx512")
    before = calibration.costs_of(plain)
    from weft.tuning.samples import Sample, Shape, predicted

    sample = Sample(Shape.of("c128", plain.values), (8, 8))
    one = Measured(sample, 2 * predicted(sample, before))
    values = calibration.values_of(before)
    tables = {calibration.COMES: values, calibration.FITTED: values}
    judged = Judged("c128", 64, ((8, 8), (4, 16)), (1.0, 0.9))
    found = calibration.Calibration(plain, (one,), before, before, tables, (judged,))
    monkeypatch.setattr(calibration, "run", lambda name, told: found)
    words = ["tune", "--calibrate", "--target", "avx512"]
    assert main(words) == Exit.OK
    file = machine.calibration_file("avx512")
    told = capsys.readouterr().out
    assert str(file) in told
    assert "50 % off" in told
    assert "fitted 0.900" in told
    assert machine.overlays("avx512")[-1] == file
    monkeypatch.setattr("weft.toolchain.default_target", lambda: "avx512")
    main(["doctor"])
    (line,) = (s for s in capsys.readouterr().out.splitlines() if s[5:].startswith("tables "))
    assert str(file) in line
    assert main([*words, "--remove"]) == Exit.OK
    assert f"removed {file}" in capsys.readouterr().out
    assert main([*words, "--remove"]) == Exit.OK
    assert "there is no calibration of avx512" in capsys.readouterr().out
    main(["doctor"])
    (line,) = (s for s in capsys.readouterr().out.splitlines() if s[5:].startswith("tables "))
    assert "not calibrated" in line
    # What chooses no better is not written.
    worse = replace(found, judged=(replace(judged, times=(1.0, 1.02)),))
    monkeypatch.setattr(calibration, "run", lambda name, told: worse)
    assert main(words) == Exit.OK
    told = capsys.readouterr().out
    assert "fitted 1.020" in told
    assert "the table that comes with Weft is in force" in told
    assert not file.exists()
