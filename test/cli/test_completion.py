# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Tab offers, by the ways that bash, zsh and fish ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = str(Path(sys.executable).with_name("weft"))
SOURCE = """\
kernel wave[n: size](x: c128[n]) -> (y: c128[n]):
    y = dft(x, axis=0)

kernel four_step[R: size, C: size](x: c128[R, C]) -> (y: c128[C, R]):
    y = transpose(

program sums[n: size, steps: size](x: f64[n]) -> (s: f64[steps]):
    case S: n=4, steps=2
    case W: n=8, steps=3
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "k.weft").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(shell: str, **environment: str) -> list[str]:
    done = subprocess.run(
        [TOOL],
        env={**os.environ, "_WEFT_COMPLETE": f"complete_{shell}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


def bash(*words: str) -> list[str]:
    line = "\n".join(("weft", *words))
    return asked("bash", COMP_WORDS=line, COMP_CWORD=str(len(words)))


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["comp"], ["compile"]),
        (["cache", ""], ["ls", "clear"]),
        # As bash takes the words apart.
        (["compile", "k.weft"], ["k.weft", "k.weft:wave", "k.weft:four_step", "k.weft:sums"]),
        (["compile", "k.weft", ":"], ["wave", "four_step", "sums"]),
        (["compile", "k.weft", ":", "fo"], ["four_step"]),
        (["compile", "k.weft:fo"], ["four_step"]),
        (["compile", "k.weft", ":", "four_step", "--size", ""], ["R=", "C="]),
        (["compile", "k.weft", ":", "four_step", "--size", "C"], ["C="]),
        (["compile", "k.weft", "--size", "R", "=", "3", "--size", "C"], ["C="]),
        (["run", "k.weft", "--kernel", "w"], ["wave"]),
        (["run", "k.weft", "--kernel", "sums", "--size", ""], ["n=", "steps="]),
        (["explain", "k.weft", "--kernel", "four_step", "-D", ""], ["R=", "C="]),
        (["run", ".", "--case", ""], ["S", "W"]),
        (["run", "k.weft", "--target", "=", "av"], ["avx2", "avx512"]),
        (["run", "k.weft", "--target", "po"], ["portable"]),
        (["compile", "k.weft", "--emit", "c,a"], ["c,asm"]),
        (["compile", "k.weft", "--print-ir-after", "fu"], ["fuse"]),
        (["compile", "gone.weft", ":", "x"], []),
    ],
)
def test_bash(here: Path, words: list[str], offered: list[str]) -> None:
    assert bash(*words) == offered


def test_zsh_and_fish(here: Path) -> None:
    line = "weft compile k.weft:four_step --size "
    assert '"R="' in "".join(asked("zsh", _TYPER_COMPLETE_ARGS=line))
    fish = asked("fish", _TYPER_COMPLETE_ARGS=line, _TYPER_COMPLETE_FISH_ACTION="get-args")
    assert fish == ["R=", "C="]
    assert r"k.weft\\:wave" in "".join(asked("zsh", _TYPER_COMPLETE_ARGS="weft compile k.weft:w"))


def test_bash_itself(here: Path) -> None:
    """The script that is installed, in a shell."""
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    script = (
        f'PATH="{Path(TOOL).parent}:$PATH"\n'
        'eval "$(weft --show-completion bash)"\n'
        "COMP_WORDS=(weft compile k.weft : fo); COMP_CWORD=4\n"
        "_weft_completion weft\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script], check=True, capture_output=True, text=True
    )
    assert done.stdout == "four_step\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_installed(here: Path, shell: str) -> None:
    environment = {**os.environ, "HOME": str(here)}
    done = subprocess.run(
        [TOOL, "--install-completion", shell], env=environment, check=True, capture_output=True
    )
    assert done.stdout.startswith(f"{shell} completion installed".encode())
    assert any("weft" in path.name for path in here.rglob("*") if path.is_file())


def test_completion_of_no_shell_is_refused(here: Path) -> None:
    words = [TOOL, "--show-completion", "basch"]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "'basch' is not one of 'bash', 'zsh', 'fish'" in done.stderr
