# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft opt takes what Weft writes: dumps of any stage, reproducers, pipelines; exit statuses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import weft
from weft import backend, machine, pipeline
from weft.artifacts import Dump
from weft.cli.native_tools import tool_path
from weft.diagnostics import CompilerBug

SOURCE = """\
kernel k[N: size](x: c64[N, 12]) -> (y: c64[N, 12]):
    y = dft(x, axis=1) * exp(0.5)
"""


def opt(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [str(tool_path("weft-opt")), *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


def test_pipeline_goes_on_from_every_dump(target: str, tmp_path: Path) -> None:
    weft.compile(SOURCE, target=target, dump_dir=tmp_path, N=5)
    flags = [step.flag for step in pipeline.steps(target)]
    dumps = sorted(tmp_path.glob("[12]0-*.mlir"))
    assert len(dumps) == len(flags) + 1
    last = opt("--print-debuginfo", "--print-local-scope", str(dumps[-1])).stdout
    assert last.startswith("module")
    for done, dump in enumerate(dumps):
        rest = ",".join(flags[done:])
        found = opt(
            f"--pass-pipeline=builtin.module({rest})",
            *("--print-debuginfo", "--print-local-scope"),
            str(dump),
        )
        assert found.returncode == 0, (dump.name, found.stderr)
        assert found.stdout == last, dump.name


def test_reproducer_of_a_fault_is_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    chosen = machine.load("portable")
    # Nothing lowers this op: a fault of some pass, were it the compiler that made it.
    ir = (
        f"module attributes {{weft.target = {chosen.attribute()}}} {{\n"
        "func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> attributes {weft.entry} {\n"
        "  %y = tensor.cast %x : tensor<4xf64> to tensor<?xf64>\n"
        "  %z = tensor.cast %y : tensor<?xf64> to tensor<4xf64>\n"
        "  %w = tensor.extract_slice %z[0] [4] [1] : tensor<4xf64> to tensor<4xf64>\n"
        "  %v = tensor.concat dim(0) %w : (tensor<4xf64>) -> tensor<4xf64>\n"
        "  %g = tensor.generate {\n^bb0(%i: index):\n  %a = tensor.extract %v[%i] : tensor<4xf64>\n"
        "  tensor.yield %a : f64\n} : tensor<4xf64>\n"
        "  return %g : tensor<4xf64>\n}\n}\n"
    )
    with pytest.raises(CompilerBug) as bug:
        backend.run_passes(ir, chosen, Dump(None))
    folder = Path(bug.value.reproducer)
    assert (folder / "10-weft.mlir").read_text().startswith(ir)
    replayed = opt("10-weft.mlir", cwd=folder)
    assert replayed.returncode == 1
    first = (folder / "message.txt").read_text().splitlines()[0]
    assert first.split("error: ")[-1] in replayed.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--no-such-pass"], "there is no option or pass 'no-such-pass'"),
        (["--pass-pipeline=builtin.module(no-such-pass)"], "there is no pass 'no-such-pass'"),
        (["--pass-pipeline=builtin.module(unroll{x=1})"], "weft-opt: no such option x"),
        (["--unroll=x=1"], "weft-opt: no such option x"),
        (["--print-ir-after=unrol"], "Cannot find option named 'unrol'"),
        (["a.mlir", "b.mlir"], "Too many positional arguments"),
    ],
)
def test_wrong_words_are_usage(words: list[str], told: str) -> None:
    done = opt(*words)
    assert done.returncode == 2
    assert told in done.stderr


def test_exit_status() -> None:
    missing = opt("no/such/file.mlir")
    assert missing.returncode == 2
    assert "no such file: no/such/file.mlir" in missing.stderr
    for words in (["-h"], ["--help"]):
        helped = opt(*words)
        assert helped.returncode == 0
        assert "print-ir-after-all" in helped.stdout
        assert "--fuse" in helped.stdout
        # Options of LLVM's back ends are none of this tool's.
        assert "--x86" not in helped.stdout
