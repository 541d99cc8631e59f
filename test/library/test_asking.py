# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft compile --emit=lib: sets of sizes, refusals, the cache, outputs whole or not at all."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from weft.cli import Exit, main
from weft.cli.library import variants
from weft.diagnostics import RunError
from weft.library import names

TOOL = str(Path(sys.executable).with_name("weft"))
SOURCE = """\
kernel fft[b: size, n: size](x: c128[b, n]) -> (y: c128[b, n]):
    y = dft(x, axis=1)

kernel norm[n: size](x: f64[n]) -> (y: f64):
    y = sum(x[i]**2 for i in 0:n)

kernel n8(x: f64) -> (y: f64):
    y = x
"""
FILES = ["include/X.h", "lib/libX.so", "lib/cmake/X/XConfig.cmake", "lib/pkgconfig/X.pc"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "field.weft"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def run(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [TOOL, "compile", *map(str, words), "--target", "portable", "--emit=lib"]
    return subprocess.run(command, check=False, capture_output=True, text=True, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize(
    ("given", "sets"),
    [
        ([], [{}]),
        (["n=8"], [{"n": 8}]),
        (["n=8,b=2"], [{"n": 8, "b": 2}]),
        (["b=2", "n=8", "n=16"], [{"b": 2, "n": 8}, {"b": 2, "n": 16}]),
        (["n=8", "n=16", "b=2"], [{"b": 2, "n": 8}, {"b": 2, "n": 16}]),
        (["n=8,b=2", "n=16,b=1"], [{"n": 8, "b": 2}, {"n": 16, "b": 1}]),
        (["n=8", "b=2", "n=16", "b=1"], [{"n": 8, "b": 2}, {"n": 16, "b": 1}]),
        (["n=8,b=2", "b=1", "n=4"], [{"n": 8, "b": 2}, {"n": 4, "b": 1}]),
        (["n=8,b=2", "b=1", "b=4"], [{"n": 8, "b": 2}, {"n": 8, "b": 1}, {"n": 8, "b": 4}]),
    ],
)
def test_sets_of_sizes(given: list[str], sets: list[dict[str, int]]) -> None:
    assert variants(given) == sets


def test_every_kernel_at_every_set(file: Path, tmp_path: Path) -> None:
    done = run(f"{file}:norm,fft", "-D", "b=2", "-D", "n=8", "-D", "n=12", "-o", tmp_path / "o")
    assert done.returncode == Exit.OK, done.stderr
    expected = [str(tmp_path / "o" / name.replace("X", "field")) for name in FILES]
    assert done.stdout.splitlines() == expected
    header = (tmp_path / "o" / "include" / "field.h").read_text(encoding="utf-8")
    found = re.findall(r"^int (\w+)\(", header, re.MULTILINE)
    assert found == ["field_norm_n8", "field_norm_n12", "field_fft_b2_n8", "field_fft_b2_n12"]
    # The command makes it again, wherever the source lies.
    command = header.splitlines()[1].removeprefix(" * ")
    assert command == (
        "weft compile field.weft:norm,fft --target=portable --emit=lib --name=field"
        " -D b=2 -D n=8 -D n=12"
    )


def test_the_same_again_comes_from_the_cache(file: Path, tmp_path: Path) -> None:
    words = (f"{file}:norm", "-D", "n=24")
    environment = {"WEFT_VERBOSE": "1", "WEFT_CACHE_DIR": str(tmp_path / "cache")}
    first, second = (
        run(*words, "-o", tmp_path / folder, env={"PATH": "/usr/bin:/bin", **environment})
        for folder in ("one", "two")
    )
    assert ",cc," in first.stderr
    assert ",cc," not in second.stderr
    assert ",cache_hit," in second.stderr
    for name in FILES:
        one, two = (tmp_path / folder / name.replace("X", "field") for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    # Another name is another library.
    assert run(*words, "--name", "other", "-o", tmp_path / "one").returncode == Exit.OK
    assert (tmp_path / "one" / "lib" / "libother.so").exists()
    assert (tmp_path / "one" / "lib" / "libfield.so").exists()


def test_all_files_or_none(file: Path, tmp_path: Path) -> None:
    assert run(f"{file}:norm", "-D", "n=32", "-o", tmp_path / "first").returncode == Exit.OK
    sizes = sorted(path.stat().st_size for path in (tmp_path / "first").rglob("*.*"))
    assert len(sizes) >= len(FILES)
    allowed = (tmp_path / "first" / "lib" / "libfield.so").stat().st_size - 1

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, allowed))

    out = tmp_path / "out"
    done = run(f"{file}:norm", "-D", "n=32", "-o", out, preexec_fn=limited)
    assert done.returncode == Exit.FAULT
    assert "cannot write" in done.stderr
    assert [path for path in out.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["FILE:fft", "-D", "n=8"], "fft needs b: for example --size b=64"),
        (["FILE:fft,norm", "-D", "n=8,b=2,c=3"], "no kernel of the library has a size c"),
        (["FILE:norm", "-D", "n=8,b=2"], "no kernel of the library has a size b"),
        (["FILE:fft,nrom", "-D", "n=8,b=2"], "did you mean 'norm'?"),
        (["FILE:fft,", "-D", "n=8,b=2"], "has no kernel ''"),
        (["FILE", "-D", "n=8"], "which kernel?"),
        (["FILE:norm", "-D", "n=8", "-o", "-"], "standard output takes one text"),
        (["FILE:norm", "-D", "n=8", "--emit", "c,lib"], "lib stands alone"),
        (["FILE:norm", "-D", "n=8", "--name", "m"], "the name 'm' of a library is taken"),
        (["FILE:norm", "-D", "n=8", "--name", "a/b"], "'a/b' cannot be the name of a library"),
        (["FILE:norm", "-D", "n=8", "--name", "new"], "the name 'new' of a library is taken"),
        (["FILE:norm", "-D", "n=0"], "the size 'n' is no extent"),
        (["FILE:norm", "-D", "n=8", "--emit", "c", "--name", "a"], "only a library has one"),
        (["--from", "FILE"], "a stage does not say what its arguments are"),
    ],
)
def test_what_is_refused(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    given = [word.replace("FILE", str(file)) for word in words]
    out = tmp_path / "out"
    place = [] if "-o" in words else ["-o", str(out)]
    emit = [] if "--emit" in words else ["--emit", "lib"]
    status = main(["compile", *given, *emit, *place, "--target", "portable"])
    shown = " ".join(re.sub(r"[│╭╮╰╯─]", " ", capsys.readouterr().err).split())
    assert status in (Exit.USAGE, Exit.FAULT)
    assert told in shown
    assert not out.exists()


def test_two_functions_of_one_name() -> None:
    def notes(name: str, **sizes: int) -> dict[str, object]:
        lists: dict[str, object] = {"inputs": [], "outputs": [], "faults": []}
        return {"name": name, "c_name": name, "sizes": sizes, "scratch_bytes": 0, **lists}

    with pytest.raises(RunError, match="two functions of the library would be called 'fft_n8'"):
        names.functions("fft", [notes("fft", n=8), notes("n8")])
    with pytest.raises(RunError, match="'a_b_message'"):
        names.functions("a", [notes("b"), notes("b_message")])
    found = names.functions("fft", [notes("fft"), notes("fft", n=8), notes("fft2", n=8)])
    assert [function.symbol for function in found] == ["fft_fft", "fft_n8", "fft_fft2_n8"]


@pytest.mark.parametrize(
    ("given", "file", "name"),
    [(None, "a/my-fft.v2.weft", "my_fft_v2"), ("Own", "x.weft", "Own"), (None, "ft.weft", "ft")],
)
def test_name_of_a_library(given: str | None, file: str, name: str) -> None:
    assert names.library_name(given, file) == name
