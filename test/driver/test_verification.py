# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--verify-each-numerically: wrong passes are planted, and named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import weft
from weft import artifacts, frontend, verification
from weft.cli import options
from weft.cli.native_tools import tool_path

SOURCE = """\
kernel k[N: size](x: f64[N], y: f64[N]) -> (z: f64[N]):
    z = (x - y) * 0.5
"""

# Runs the command line with a pass put into the pipeline after another one.
PLANTED = """\
import sys
from weft import pipeline
from weft.cli import main
flag, after, *words = sys.argv[1:]
steps = list(pipeline.CPU)
steps.insert(1 + [s.flag for s in steps].index(after), pipeline.Step(flag, "planted by a test"))
pipeline.STEPS.update({target: tuple(steps) for target in pipeline.STEPS})
sys.exit(main(words))
"""


def run(*words: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    bin_folder = Path(sys.executable).parent
    env = {
        **os.environ,
        "WEFT_TEST_PASSES": "1",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
    }
    return subprocess.run(words, capture_output=True, text=True, env=env, cwd=tmp_path, check=False)


def planted(
    flag: str, after: str, tmp_path: Path, *options: str, source: str = SOURCE, size: str = "N=20"
) -> str:
    """What is told where the pass `flag` runs after `after`."""
    (tmp_path / "k.weft").write_text(source)
    done = run(
        *(sys.executable, "-c", PLANTED, flag, after, "compile", "k.weft", "--size", size),
        *("--target=portable", "--verify-each-numerically", "-o", "-", *options),
        tmp_path=tmp_path,
    )
    assert done.returncode == 70, done.stderr
    return done.stderr


@pytest.mark.parametrize("after", ["inline", "simplify-butterflies", "lower-to-loops", "unroll"])
def test_pass_that_swaps_operands_is_named(after: str, tmp_path: Path) -> None:
    told = planted("test-swap-operands", after, tmp_path)
    assert "the pass test-swap-operands changed the result: k.weft:2:5: z[0] is " in told
    assert re.search(
        r"z\[0\] is (\S+), expected \S+ \(20 of 20 elements wrong,"
        r" largest error \S+ at \[\d+\], bound \S+\)",
        told,
    )
    # All before it is right, what comes after it is not asked.
    lines = [line for line in told.splitlines() if line.startswith("verified after")]
    assert lines[0].startswith("verified after lowering: ")
    assert lines[-1].startswith(f"verified after the pass {after}: ")


def test_run_names_the_pass_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "k.weft").write_text(SOURCE)
    done = run(
        *(sys.executable, "-c", PLANTED, "test-swap-operands", "fuse", "run", "k.weft"),
        *("--size", "N=20", "--target=portable", "--verify-each-numerically", "-o", "y.npz"),
        tmp_path=tmp_path,
    )
    assert done.returncode == 70
    assert "the pass test-swap-operands changed the result: k.weft:2:5: z[0] is" in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "y.npz").exists()


def test_scalar_result_has_no_index(tmp_path: Path) -> None:
    source = """\
kernel k[N: size](x: f64[N], y: f64[N]) -> (s: f64):
    s = sum(x[i] - 2 * y[i] for i in 0:N)
"""
    told = planted("test-swap-operands", "fuse", tmp_path, source=source)
    assert re.search(r"k.weft:2:5: s is \S+, expected \S+ \(1 of 1 elements wrong,", told)


def test_reproducer_shows_the_difference_again(tmp_path: Path) -> None:
    told = planted("test-swap-operands", "fuse", tmp_path, "--dump-dir", "dump")
    replay = re.search(r"replay: sh (\S+)", told)
    assert replay is not None
    done = run("sh", replay[1], tmp_path=tmp_path)
    assert done.returncode == 0, done.stderr
    before, after = re.findall(r"z: float64\[20\] = \[(\S+),", done.stdout)
    assert float(before) == pytest.approx(-float(after), rel=1e-12)
    folder = Path(replay[1]).parent
    expected = np.load(folder / "expected-z.npy")
    assert float(before) == pytest.approx(expected[0], rel=1e-12)
    # The dump for the user is written too, up to the pass that is wrong.
    assert (tmp_path / "dump" / "20-11-test-swap-operands.mlir").exists()
    assert (folder / "after.mlir").read_text() == (
        tmp_path / "dump" / "20-11-test-swap-operands.mlir"
    ).read_text()


def test_access_out_of_bounds_is_a_fault_of_the_pass(tmp_path: Path) -> None:
    told = planted("test-shift-loads", "lower-to-loops", tmp_path)
    assert "the pass test-shift-loads changed the result: k.weft:2:10: 'affine.load' op" in told
    assert "the access of x at [20] is outside of the shape [20] in dimension 0" in told


def test_loops_that_are_not_independent_are_found(tmp_path: Path) -> None:
    program = """\
program k[N: size](u: f64[N]) -> (s: f64[N]):
    carry v = u
    for t in 0:N:
        carry v = v * 2
        s[t] = sum(v[i] for i in 0:N)
"""
    told = planted("test-mark-independent", "lower-to-loops", tmp_path, source=program, size="N=3")
    assert "the pass test-mark-independent changed the result" in told
    assert "when independent loops run backwards" in told


GATHERS = """\
kernel k[N: size](x: f64[5, N], i: i32[7], b: f64[6], j: i64[3], v: f64[3], n: i32[4]) -> (
    y: f64[7, N], s: f64[6], z: f64[4, N]):
    y = gather(x, i)
    s = scatter(b, j, v, op=add)
    z = gather(x, n + 3)
"""


@pytest.mark.parametrize("after", ["inline", "lower-to-loops", "vectorize-complex"])
def test_checks_that_are_lost_are_found(after: str, tmp_path: Path) -> None:
    told = planted("test-drop-checks", after, tmp_path, source=GATHERS)
    assert f"after the pass {after}: " in told or "nothing changed" in told
    assert ", 4 wrong indices refused (" in told
    assert "the pass test-drop-checks changed the result: k.weft:" in told
    assert "is outside of the shape" in told


def test_indices_computed_from_integers_are_in_range(capsys: pytest.CaptureFixture[str]) -> None:
    """Integers 0 to 9 would be too large for n + 3."""
    with options.verification_told():
        weft.compile(GATHERS, target="portable", verify_each=True, N=3)
    told = capsys.readouterr().err
    assert told.count("4 wrong indices refused") >= 3
    assert "nothing changed" in told


def test_program_that_always_ends_with_a_fault_must_do_so_after_each_pass(tmp_path: Path) -> None:
    source = """\
kernel k[N: size](x: f64[N], i: i32[4], n: i32[4]) -> (y: f64[4]):
    y = gather(x, n + N)
"""
    weft.compile(source, target="portable", verify_each=True, N=3)
    told = planted("test-drop-checks", "fuse", tmp_path, source=source)
    assert "the pass test-drop-checks changed the result: " in told


def test_test_passes_exist_only_where_asked_for() -> None:
    done = subprocess.run(
        [tool_path("weft-opt"), "--help"], capture_output=True, text=True, check=True
    )
    assert "--fuse" in done.stdout
    assert "--test-swap-operands" not in done.stdout
    assert "--test-break" not in done.stdout


def test_right_kernel_is_compiled(target: str) -> None:
    kernel = weft.compile(SOURCE, target=target, verify_each=True, N=20)
    x, y = np.arange(20.0), np.ones(20)
    assert np.array_equal(kernel(x, y), (x - y) / 2)


def test_sizes_from_the_arguments_are_verified(target: str) -> None:
    kernel = weft.compile(SOURCE, target=target, verify_each=True)
    assert kernel(np.ones(5), np.zeros(5)).tolist() == [0.5] * 5
    assert kernel(np.ones(6), np.zeros(6)).tolist() == [0.5] * 6


def test_too_much_is_refused() -> None:
    with pytest.raises(weft.RunError) as refused:
        weft.compile(SOURCE, target="portable", verify_each=True, N=1 << 20)
    assert "at most 1048576 elements" in str(refused.value)
    assert "3145728 elements" in str(refused.value)
    assert "smaller sizes" in str(refused.value)


def test_too_many_operations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "MAX_STEPS", 50)
    with pytest.raises(weft.RunError, match="more than 50 operations after lowering"):
        weft.compile(SOURCE, target="portable", verify_each=True, N=30)


def inputs_of(source: str, **sizes: int) -> dict[str, np.ndarray]:
    job = frontend.Job(source, "k.weft", "k", sizes)
    (module,) = frontend.instantiate([job], artifacts.Dump(None))
    return verification.random_inputs(module, np.random.default_rng(0))


def test_inputs_have_their_types_and_indices_their_range() -> None:
    source = """\
kernel take(x: f64[5, 3], i: i64[200]) -> (y: f64[200, 3]):
    y = gather(x, i)

kernel k(x: f64[5, 3], i: i64[200], c: c64[4], b: bool[4], n: i32[200]) -> (y: f64[200, 3]):
    y = take(x, i)
"""
    inputs = inputs_of(source)
    assert [str(array.dtype) for array in inputs.values()] == [
        *("float64", "int64", "complex64", "bool", "int32")
    ]
    assert set(inputs["i"].tolist()) == set(range(5))
    assert set(inputs["n"].tolist()) == set(range(10))


def test_bound_grows_where_sums_cancel() -> None:
    """Not the result's size counts, but what roundings on the way do to it."""
    source = """\
kernel k[N: size](x: f32[N]) -> (y: f32):
    y = sum(x[i] * 1000.0 - x[i] * 1000.0 + x[i] * 0.000001 for i in 0:N)
"""
    weft.compile(source, target="portable", verify_each=True, N=200)
