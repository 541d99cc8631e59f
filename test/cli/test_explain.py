# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft explain: choices in words, operations against known counts, memory and bounds of time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from weft import explanation, machine
from weft.cli import Exit, main

FOLDER = Path(__file__).parent / "explain"
KERNELS = FOLDER / "kernels.weft"
FT = Path(__file__).parents[2] / "examples" / "ft" / "ft.weft"
SHOWN = {
    "fft": ["-D", "b=32", "--target", "avx512"],
    "matmul": ["-D", "n=8,m=8,k=8", "--target", "portable"],
}


@pytest.fixture(autouse=True)
def no_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_NO_OVERLAY", "1")


def told(text: str | Path, kernel: str | None, target: str, **sizes: int) -> dict[str, Any]:
    return explanation.explain(text, kernel, target, sizes)


def of_file(kernel: str, target: str, **sizes: int) -> dict[str, Any]:
    return explanation.explain(KERNELS, kernel, target, sizes)


@pytest.mark.parametrize("kernel", SHOWN)
def test_text(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", str(KERNELS), "--kernel", kernel, *SHOWN[kernel]]
    assert main(words) == Exit.OK
    golden = FOLDER / f"{kernel}.txt"
    shown = capsys.readouterr().out
    again = f"weft {' '.join(words)} > {golden}"
    assert shown == golden.read_text(encoding="utf-8"), (
        f"if that is meant: WEFT_NO_OVERLAY=1 {again}"
    )


def test_a_rule_by_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("W401", "w401"):
        assert main(["explain", word]) == Exit.OK
        assert capsys.readouterr().out == (
            "W401 (Indices): A tensor has at most as many indices as dimensions.\n"
            "docs/rules.md#w401 has a program that breaks it\n"
        )


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", f"{KERNELS}:matmul", "--size", "n=8,m=8,k=8", "--target", "portable"]
    assert main([*words, "--json"]) == Exit.OK
    found = json.loads(capsys.readouterr().out)
    assert found == of_file("matmul", "portable", n=8, m=8, k=8)
    assert found["kernel"] == "matmul"
    assert {note["outcome"] for note in found["notes"]} <= {"decided", "rejected"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([f"{KERNELS}:matmul"], "matmul needs n, m, k: for example --size n=64"),
        ([f"{KERNELS}:matmul", "-D", "n=8"], "matmul needs m, k"),
        ([f"{KERNELS}:matmul", "-D", "q=8"], "no size 'q'"),
        ([str(KERNELS), "--kernel", "matmull"], "did you mean 'matmul'?"),
        (["missing.weft"], "no such file"),
        ([str(FT), "--case", "Q"], "no case 'Q'; cases: S"),
    ],
)
def test_usage(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *words]) == Exit.USAGE
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""


def test_case_of_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", str(FT), "--case", "S", "-D", "niter=2", "--json"]
    assert main(words) == Exit.OK
    found = json.loads(capsys.readouterr().out)
    assert found["sizes"] == {"nx": 64, "ny": 64, "nz": 64, "niter": 2}


# ---- counts, against what is known of the algorithms ---------------------------------------------


def arithmetic(found: dict[str, Any], element: str) -> tuple[int, int]:
    """Additions and multiplications, a fused one as one of each."""
    kinds = found["operations_by_type"][element]
    fused = kinds.get("fma", 0)
    return kinds.get("add", 0) + fused, kinds.get("mul", 0) + fused


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize(("n", "m", "k"), [(8, 8, 8), (24, 48, 56), (7, 5, 3)])
def test_product_of_matrices_has_2nmk_flops(
    name: str, element: str, n: int, m: int, k: int
) -> None:
    text = KERNELS.read_text().replace("f64[n", f"{element}[n").replace("f64[k", f"{element}[k")
    found = told(text, "matmul", name, n=n, m=m, k=k)
    additions, multiplications = arithmetic(found, element)
    assert multiplications == n * m * k
    # A sum may begin with its first product or with zero.
    assert n * m * (k - 1) <= additions <= n * m * k
    assert set(found["operations_by_type"]) == {element}


# Real additions of a butterfly of radix 2 and 4; multiplications have twiddles only.
BUTTERFLY = {2: 4, 4: 16}


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
@pytest.mark.parametrize("radices", [[2], [4], [2, 2], [4, 4], [2, 2, 2], [4, 4, 4], [2] * 6])
def test_transform_has_the_operations_of_its_butterflies(name: str, radices: list[int]) -> None:
    # Rows of 4096 bytes, in wide blocks: in narrow ones the few turns of two stages are straight
    # lines, where products by 1 are gone.
    batch, length = 256, 1
    for radix in radices:
        length *= radix
    text = (
        f"kernel f(x: c128[{length}, {batch}]) -> (y: c128[{length}, {batch}]):\n"
        f"    y = dft(x, axis=0, radices={radices})\n"
    )
    radix, stages = radices[0], len(radices)
    butterflies = batch * length // radix
    twiddles = butterflies * (radix - 1) * (stages - 1)
    found = told(text, None, name)
    assert arithmetic(found, "f64") == (
        butterflies * stages * BUTTERFLY[radix] + 2 * twiddles,
        4 * twiddles,
    )
    assert found["operations"]["flops"] == butterflies * stages * BUTTERFLY[radix] + 6 * twiddles


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
def test_elements_of_other_types_are_counted_apart(name: str) -> None:
    text = (
        "kernel f(x: f32[64], y: f64[64], z: i32[64]) -> (a: f32[64], b: f64[64], c: i32[64]):\n"
        "    a = x + 1\n    b = y * y * y\n    c = z + 1\n"
    )
    by_type = told(text, None, name)["operations_by_type"]
    assert by_type["f32"]["add"] == 64
    assert by_type["f64"]["mul"] == 128
    assert by_type["i32"]["integer"] == 64


# ---- memory --------------------------------------------------------------------------------------


def arrays(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {a["name"]: a for a in found["arrays"] if a["memory"] == "argument"}


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
@pytest.mark.parametrize("n", [1000, 1 << 20])
def test_each_array_of_a_sum_passes_once(name: str, n: int) -> None:
    text = f"kernel f(x: f64[{n}], y: f64[{n}]) -> (z: f64[{n}]):\n    z = x + 2 * y\n"
    found = told(text, None, name)
    of = arrays(found)
    assert [(of[a]["read"], of[a]["written"]) for a in "xyz"] == [
        (8 * n, 0),
        (8 * n, 0),
        (0, 8 * n),
    ]
    assert [(of[a]["loaded"], of[a]["stored"]) for a in "xyz"] == [
        (8 * n, 0),
        (8 * n, 0),
        (0, 8 * n),
    ]
    assert found["passes_over_memory"] == 1
    assert found["flops_per_byte"] == 2 * n / (24 * n)


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
def test_a_stencil_reads_its_input_once_from_memory(name: str) -> None:
    n, m = 2000, 1000
    text = (
        f"kernel f(x: f64[{n}, {m}]) -> (y: f64[{n - 2}, {m - 2}]):\n"
        "    y[i in 0:1998, j in 0:998] = x[i, j+1] + x[i+1, j] + x[i+1, j+2] + x[i+2, j+1]"
        "\n"
    )
    found = arrays(told(text, None, name))
    # The corners are not read.
    assert 0.99 < found["x"]["read"] / (8 * n * m) <= 1
    # The last vector of a row begins earlier and loads some elements again.
    assert 1 <= found["x"]["loaded"] / (4 * 8 * (n - 2) * (m - 2)) < 1.01
    assert found["y"]["written"] == 8 * (n - 2) * (m - 2)


def test_small_data_stays_and_large_data_returns() -> None:
    """Two sums over the same rows: from a cache where it holds them, else from memory again."""
    text = (
        "kernel f[n: size, m: size](x: f64[n, m]) -> (y: f64[n, m]):\n"
        "    s[j] = sum(x[i, j] for i in 0:n)\n    y[i, j] = x[i, j] - s[j]\n"
    )
    cache = machine.load("avx512").values["l3_bytes"]
    small = arrays(told(text, None, "avx512", n=64, m=64))
    large = arrays(told(text, None, "avx512", n=2048, m=1024))
    assert small["x"]["read"] == small["x"]["bytes"] < cache
    assert large["x"]["read"] == 2 * large["x"]["bytes"] > cache


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
def test_steps_of_ft_pass_memory_twice(name: str) -> None:
    """Damping with the transforms of rows and planes; then columns. The checksum is no pass."""
    sizes = {"nz": 128, "ny": 256, "nx": 256, "niter": 5}
    found = told(FT, "ft", name, **sizes)
    passes, field = found["memory_passes"], 16 * 128 * 256 * 256
    assert [one["times"] for one in passes] == [1, 1, 5, 5]
    # u is read and v written, v in place; v damped in place and copied into planes, these in place.
    moved = [(1, 1), (1, 1), (1, 2), (1, 1)]
    for one, (read, written) in zip(passes, moved, strict=True):
        assert read <= one["read"] / field < read + 0.001
        assert one["written"] == written * field


def test_what_stays_in_the_cache_is_no_pass() -> None:
    found = told(FT, "ft", "avx512", nz=32, ny=32, nx=32, niter=3)
    assert found["memory_passes"] == []


# ---- bounds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["portable", "avx2", "avx512"])
def test_bound_is_that_of_the_machine_table(name: str) -> None:
    values = machine.load(name).values
    found = of_file("matmul", name, n=64, m=64, k=64)
    bound = found["bound"]
    lanes = values["vector_bytes"] // 8
    kinds = found["operations_by_type"]["f64"]
    issued = sum(kinds.get(kind, 0) for kind in ("add", "mul", "fma")) // lanes
    cycles = issued / values["vector_pipes"]
    assert bound["arithmetic_seconds"] == pytest.approx(cycles / values["clock_hz"])
    moved = 3 * 8 * 64 * 64
    assert bound["memory_seconds"] == pytest.approx(moved / values["memory_bytes_per_second"])
    assert bound["seconds"] == max(bound["arithmetic_seconds"], bound["memory_seconds"])
    assert bound["by"] == "arithmetic"


# ---- choices -------------------------------------------------------------------------------------


def notes(found: dict[str, Any], by: str, outcome: str) -> list[dict[str, Any]]:
    return [n for n in found["notes"] if (n["pass"], n["outcome"]) == (by, outcome)]


def test_schedule_is_named_with_what_it_did() -> None:
    portable, avx512 = of_file("stages", "portable", b=8), of_file("stages", "avx512", b=8)
    assert portable["schedule"] == {"stages": ["factor a into 4, 4", "unroll 2"]}
    assert avx512["schedule"] == {"stages": ["factor a into 2, 2, 2, 2"]}
    (stages,) = notes(portable, "factor-transform", "decided")
    assert stages["what"].endswith("16 points in stages of radix 4, 4")
    assert "the schedule says so" in stages["why"]
    assert stages["numbers"]["stages"] == 2
    assert {n["numbers"]["copies"] for n in notes(portable, "unroll", "decided")} == {2}


def test_what_a_called_kernels_schedule_says_in_vain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "calls.weft"
    source.write_text(
        "kernel inner(x: c128[64]) -> (y: c128[64]):\n    y = dft(x)\n\n"
        "kernel outer(x: c128[64]) -> (y: c128[64]):\n    y = 2 * inner(x)\n\n"
        "schedule inner on portable:\n    factor y into 4, 16\n    unroll 2\n"
    )
    found = told(source, "outer", "portable")
    assert found["schedule"] == {"inner": ["factor y into 4, 16"]}
    assert found["schedule_idle"] == {"inner": ["unroll 2"]}
    assert main(["explain", f"{source}:outer", "--target", "portable"]) == Exit.OK
    shown = capsys.readouterr().out
    assert "\n  inner: factor y into 4, 16\n" in shown
    assert "\n  inner: unroll 2: does not act within outer\n" in shown


def test_notes_follow_the_passes_and_the_source() -> None:
    from weft import pipeline

    found = of_file("softmax", "avx512", n=64, m=256)
    order = [step.flag for step in pipeline.steps("avx512")]
    places = [(order.index(n["pass"]), n["line"], n["column"]) for n in found["notes"]]
    assert places == sorted(places)
    (refused,) = (n for n in notes(found, "fuse", "rejected") if "computed" in n["why"])
    assert refused["numbers"] == {"found": 64 * 256, "most": 64}
    assert refused["line"] == 11
    assert notes(found, "expand-math", "decided")[0]["what"] == "exp as arithmetic"


def test_dump_holds_the_notes(tmp_path: Path) -> None:
    words = ["compile", f"{KERNELS}:matmul", "-D", "n=8,m=8,k=8", "--target", "portable"]
    assert main([*words, "-o", str(tmp_path), "--dump-dir", str(tmp_path)]) == Exit.OK
    text = (tmp_path / "80-notes.txt").read_text()
    for note in of_file("matmul", "portable", n=8, m=8, k=8)["notes"]:
        assert note["what"] in text
        assert note["why"] in text


def test_algorithm_of_a_convolution_is_told_with_those_that_cost_more() -> None:
    text = (
        "kernel f(x: f32[1, 512, 14, 14], g: f32[512, 512, 3, 3]) -> (y: f32[1, 512, 14, 14]):\n"
        "    y = conv(x, g, pad=1, max_error=1e-3)\n"
    )
    found = told(text, None, "avx512")
    (chosen,) = (n for n in notes(found, "factor-transform", "decided") if " by " in n["what"])
    others = notes(found, "factor-transform", "rejected")
    # Those of 3 by 3, counted as hardly cheaper, have a larger error.
    assert "tiles of 2 by 2" in chosen["what"]
    direct = "'y' by the direct sum, along filters, through blocks of channels"
    assert direct in {n["what"] for n in others}
    least = min(n["numbers"]["cycles"] for n in others)
    assert least < chosen["numbers"]["cycles"] < 1.05 * least
    named = told(text.replace("max_error=1e-3", "algorithm=direct"), None, "avx512")
    (said,) = (n for n in notes(named, "factor-transform", "decided") if " by " in n["what"])
    assert said["what"] == direct
    assert said["why"] == "algorithm= or the schedule says so"
    # 2 flops a product; Winograd's needs fewer.
    assert named["operations"]["flops"] >= 2 * 512 * 512 * 9 * 14 * 14
    assert found["operations"]["flops"] < named["operations"]["flops"] / 2
