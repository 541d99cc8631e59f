# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft compile and weft run on real sources: exit status, outputs, what is written."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from weft.cli import Exit, main

SOURCE = """\
kernel wave[n: size](x: c128[n]) -> (y: c128[n]):
    y = dft(x, axis=0)

program sums[n: size, steps: size](x: f64[n]) -> (s: f64[steps]):
    case S: n=4, steps=2
    case W: n=8, steps=3
    carry v = x * 1
    for t in 0:steps:
        carry v = v * 2
        s[t] = sum(v)
"""
HOST = """\
import numpy as np
from weft import Verdict

def inputs(case):
    return {"x": np.ones(case.sizes["n"])}

def check(case, outputs):
    wanted = case.sizes["n"] * 2.0 ** np.arange(1, case.sizes["steps"] + 1)
    return Verdict(bool(np.allclose(outputs["s"], wanted)) and case != FAILS, [f"case {case}"])

def report(case, outputs, seconds):
    return f"{len(outputs['s'])} sums"
"""
MODES = ["compiled", "interpret"]


@pytest.fixture
def example(tmp_path: Path) -> Path:
    (tmp_path / "sums.weft").write_text(SOURCE)
    (tmp_path / "host.py").write_text(HOST.replace("FAILS", "'W'"))
    return tmp_path


@pytest.mark.parametrize("mode", MODES)
def test_example_holds(
    example: Path, mode: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    npz = tmp_path / "out.npz"
    words = ["run", str(example), "--class", "S", "--mode", mode, "-o", str(npz)]
    assert main(words) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("sums case S [n=4, steps=2] on ")
    assert lines[1] == "2 sums"
    assert lines[2].startswith("time ")
    assert lines[3:] == ["case S", "holds"]
    with np.load(npz) as saved:
        np.testing.assert_array_equal(saved["s"], [8, 16])


def test_example_that_does_not_hold(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(example), "--case", "W", "--mode", "interpret"]) == Exit.WRONG
    assert capsys.readouterr().out.splitlines()[-2:] == ["case W", "DOES NOT HOLD"]


def test_schedule_through_a_pipe(example: Path, tmp_path: Path) -> None:
    """As of <(...): it was said not to be there. An empty one, /dev/null, says nothing."""
    words = ["run", str(example), "--kernel", "wave", "--size", "n=4", "--mode", "interpret"]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=("schedule wave on portable:\n    unroll 2\n",))
    writer.start()
    assert main([*words, "--schedule", str(pipe)]) == Exit.OK
    writer.join()
    assert main([*words, "--schedule", os.devnull]) == Exit.OK
    assert main([*words, "--schedule", str(tmp_path / "none.weft")]) == Exit.USAGE


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "which one? cases: S, W"),
        (["--case", "s"], "no case 's'; cases: S, W; did you mean 'S'?"),
        (["--case", "other"], "no case 'other'; cases: S, W"),
        (["--kernel", "wav"], "did you mean 'wave'?"),
        (["--kernel", "wave"], "wave needs n: for example --size n=64"),
        (["--kernel", "wave", "--size", "m=2"], "has no size 'm'"),
        (["--case", "S", "--size", "n=0"], "is no extent"),
    ],
)
def test_wrong_request_is_usage(
    example: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(example), "--mode", "interpret", *words]) == Exit.USAGE
    shown = capsys.readouterr().err
    assert told.replace(" ", "") in "".join(c for c in shown if c not in " │\n")


def test_size_changes_a_case(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(example), "--case", "S", "--size", "n=16", "--mode", "interpret"]
    assert main(words) == Exit.OK
    assert "[n=16, steps=2]" in capsys.readouterr().out


@pytest.mark.parametrize("file", ["sums.weft:wave", "sums.weft"])
def test_kernel_without_host_is_compared_with_the_reference(
    example: Path, file: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(example / file), "--kernel", "wave", "--size", "n=8", "--target", target]
    assert main(words) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"wave [n=8] on {target}"
    assert lines[-1] == "holds"
    assert "largest error" in lines[-2]


def test_reference_alone_is_not_called_checked(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(example), "--kernel", "wave", "--size", "n=8", "--mode", "interpret"]
    assert main(words) == Exit.OK
    assert capsys.readouterr().out.splitlines()[-1] == "not checked: this is the reference itself"


def test_input_of_the_wrong_shape_is_a_fault(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host = example / "host.py"
    host.write_text(host.read_text().replace('case.sizes["n"])}', "3)}"))
    assert main(["run", str(example), "--case", "S", "--mode", "interpret"]) == Exit.FAULT
    assert "argument 'x': wrong shape" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["compile", "run"])
def test_wrong_program_is_status_1_and_no_traceback(
    tmp_path: Path, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.weft"
    path.write_text(SOURCE.replace("dft(x", "dft(z"))
    assert main([verb, f"{path}:wave", "--size", "n=8"]) == Exit.WRONG
    shown = capsys.readouterr()
    assert shown.err.startswith(f"{path}:2:13: error[W101]")
    assert "Traceback" not in shown.err
    assert shown.out == ""
    assert [p.name for p in tmp_path.iterdir()] == ["wrong.weft"]


def test_compile_writes_what_is_asked_for(
    example: Path, tmp_path: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["compile", f"{example / 'sums.weft'}:wave", "--size", "n=8", "--target", target]
    assert main([*words, "--emit", "ir,c,asm,so", "-o", str(out)]) == Exit.OK
    names = ["wave.mlir", "wave.c", "wave.s", "wave.so"]
    assert capsys.readouterr().out.split() == [str(out / name) for name in names]
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    assert main([*words, "-o", "-"]) == Exit.OK
    assert capsys.readouterr().out == (out / "wave.c").read_text()


def test_compile_into_a_file_is_told(
    example: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compile", f"{example / 'sums.weft'}:wave", "--size", "n=8", "--target", target]
    file = example / "host.py"
    for options in (["-o", str(file)], ["--dump-dir", str(file)], ["-o", str(file / "below")]):
        assert main([*words, *options]) == Exit.USAGE
        assert f"{file} is a file; a folder is expected" in capsys.readouterr().err
    assert "def check" in file.read_text()


def test_sizes_that_the_host_has_no_results_for_are_not_comparable(
    example: Path, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    host = example / "host.py"
    known = 'if case.sizes["n"] != 4:\n        return Verdict(None, ["no results for n"])\n'
    host.write_text(host.read_text().replace("    wanted =", f"    {known}    wanted ="))
    words = ["run", str(example), "--case", "S", "--size", "n=8", "--target", target]
    assert main(words) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[3:5] == [
        "no results for n",
        "not comparable with case S: compared with the reference evaluation instead",
    ]
    assert lines[-1] == "holds"
    assert main([*words, "--mode", "interpret"]) == Exit.OK
    assert capsys.readouterr().out.splitlines()[-1].startswith("not checked")


@pytest.mark.parametrize("case", [[], ["--case", "S"]])
def test_passes_are_left_out(
    example: Path, case: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = [str(example)] if case else [str(example / "sums.weft"), "--kernel", "wave", "-Dn=64"]
    dump = tmp_path / "dump"
    leaving = ["--without", "vectorize-complex", "--without", "fuse", "--dump-dir", str(dump)]
    assert main(["run", *words, *case, *leaving]) == Exit.OK
    assert "holds" in capsys.readouterr().out
    stages = " ".join(path.name for path in dump.rglob("20-*"))
    assert "lower-to-loops" in stages
    assert "vectorize-complex" not in stages
    assert "fuse" not in stages


@pytest.mark.parametrize(
    ("flag", "told"),
    [("lower-to-loops", "needs the pass 'lower-to-loops'"), ("vector", "has no pass 'vector'")],
)
def test_passes_that_cannot_be_left_out(
    example: Path, flag: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(example / "sums.weft"), "--kernel", "wave", "-Dn=64"]
    assert main([*words, "--without", flag]) == Exit.USAGE
    error = capsys.readouterr().err
    assert told in " ".join(error.split())
    assert "expected" in error
    assert "one of" in error
    assert "Traceback" not in error


@pytest.mark.parametrize("mode", MODES)
def test_names_of_the_calls_own(
    tmp_path: Path, mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sizes are called as arguments of weft.compile, inputs as those of calls."""
    (tmp_path / "k.weft").write_text(
        "kernel k[target: size, mode: size, sizes: size]"
        "(out: f64[target, mode], threads: f64[sizes])"
        " -> (y: f64[target, mode], z: f64[sizes]):\n    y = out * 2\n    z = threads * 3\n"
    )
    words = ["run", str(tmp_path / "k.weft"), "-D", "target=3,mode=2,sizes=4", "--mode", mode]
    assert main(words) == Exit.OK
    assert "[target=3, mode=2, sizes=4]" in capsys.readouterr().out


def test_outputs_called_as_parameters_of_numpy_are_saved(tmp_path: Path) -> None:
    source = tmp_path / "k.weft"
    source.write_text(
        "kernel k[n: size](x: f64[n]) -> (file: f64[n], allow_pickle: f64):\n"
        "    file = 2 * x\n"
        "    allow_pickle = sum(x)\n"
    )
    npz = tmp_path / "k.npz"
    words = ["run", str(source), "-D", "n=8", "--target", "portable", "-o", str(npz)]
    assert main(words) == Exit.OK
    with np.load(npz) as saved:
        assert {name: saved[name].shape for name in saved} == {"file": (8,), "allow_pickle": ()}


def test_compile_takes_a_case_and_a_kernel(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(example / "sums.weft")
    words = ["--target", "portable", "--emit", "ir", "-o", "-"]
    texts = []
    for asked in (
        [file, "--kernel", "sums", "--case", "W"],
        [f"{file}:sums", "-D", "n=8,steps=3"],
        [file, "--case", "S", "-D", "n=8,steps=3"],  # the only program; sizes change the case's
    ):
        assert main(["compile", *asked, *words]) == Exit.OK
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] == texts[2]
    assert "tensor<8xf64>" in texts[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compile", "FILE:sums"], "sums needs n, steps: for example --case S, or --size n=64"),
        (["run", "FILE:sums", "-D", "n=3"], "sums needs steps: for example --case S, or --size"),
        (["explain", "FILE:sums"], "for example --case S, or --size n=64"),
        (["tune", "FILE:sums"], "for example --case S, or --size n=64"),
        (["compile", "FILE:wave"], "wave needs n: for example --size n=64"),
        (["compile", "FILE", "--case", "V"], "no case 'V'; cases: S, W"),
        (["compile", "FILE", "--case", "S", "--emit", "lib"], "a library is asked for as"),
        (["compile", "--from", "FILE", "--kernel", "sums"], "a stage is one kernel at its sizes"),
        (["run", "FILE", "S"], "FILE:S, a case is --case S"),
    ],
)
def test_cases_are_offered(
    example: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    file = str(example / "sums.weft")
    assert main([word.replace("FILE", file) for word in words]) == Exit.USAGE
    assert told in " ".join(capsys.readouterr().err.split())
