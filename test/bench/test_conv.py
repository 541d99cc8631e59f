# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers of the convolution benchmark convolve, and their times are read rightly."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from weft import module_files, toolchain
from weft.diagnostics import RunError

BENCH = Path(__file__).parents[2] / "bench" / "conv"


@pytest.fixture(scope="module")
def bench() -> Any:
    return module_files.load(BENCH / "bench.py")


@pytest.fixture(scope="module")
def harness(bench: Any, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library: ctypes.CDLL = bench.racing.harness(tmp_path_factory.mktemp("harness"))
    return library


@pytest.fixture(autouse=True)
def short(bench: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("WEFT_BENCH_SECONDS", "0")
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench.racing, "BATCH_SECONDS", 0)
    yield
    bench.problem.cache_clear()
    bench.exact.cache_clear()


def toy(bench: Any, **changed: Any) -> Any:
    return bench.layers.Layer("toy", 32, 14, 12, 32, 3)._replace(**changed)


@pytest.mark.parametrize("pad", [0, 1])
@pytest.mark.parametrize("threads", [1, 2])
def test_all_contestants_convolve(bench: Any, harness: ctypes.CDLL, pad: int, threads: int) -> None:
    entry = bench.measure(toy(bench, pad=pad), toolchain.default_target(), threads, harness)
    assert {"layer_auto", "layer_direct"} <= {name for name, _, _ in entry["seconds"]}
    assert ("layer_blocked", bench.peers.OWN) in {one[:2] for one in entry["seconds"]}
    assert all(seconds > 0 for _, _, seconds in entry["seconds"])
    found = list(bench.layer_records(toy(bench, pad=pad), entry))
    assert found[-1]["peer"] == "Weft direct"


@pytest.mark.parametrize(("window", "stride"), [(1, 1), (1, 2), (3, 2)])
def test_other_windows_and_strides_convolve(
    bench: Any, harness: ctypes.CDLL, window: int, stride: int
) -> None:
    layer = toy(bench, pad=window // 2, window=window, stride=stride)
    entry = bench.measure(layer, toolchain.default_target(), 1, harness)
    assert {"layer_auto", "layer_direct", "layer_fixed", "layer_blocked"} <= {
        name for name, _, _ in entry["seconds"]
    }
    half = "/2" if stride == 2 else ""
    assert layer.name == f"toy 32x14x12x32 {window}x{window}{half} N=3"


@pytest.mark.parametrize("stride", [1, 2])
def test_filters_of_one_channel_convolve(bench: Any, harness: ctypes.CDLL, stride: int) -> None:
    layer = toy(bench, pad=1, stride=stride, groups=32)
    entry = bench.measure(layer, toolchain.default_target(), 1, harness)
    assert {"layer_auto", "layer_direct", "layer_fixed", "layer_blocked"} <= {
        name for name, _, _ in entry["seconds"]
    }
    half = "/2" if stride == 2 else ""
    assert layer.name == f"toy 32x14x12x32 3x3{half} by channel N=3"
    assert layer.flops == 2 * 9 * 3 * 32 * layer.rows * layer.columns


@pytest.mark.parametrize("channels", [3, 48])
def test_blocks_are_results_of_their_own(bench: Any, channels: int) -> None:
    """What `layer_blocked` leaves is compared: it stores where no other contestant does."""
    layer = toy(bench, channels=channels, pad=1)
    x, g = bench.problem(layer)
    compiled, arrays = bench.in_blocks(layer, toolchain.default_target(), x, g)
    assert arrays[-1].shape == (3, 2, 14, 12, 16)
    bench.native_call(compiled, arrays, 1)()
    y = arrays[-1].transpose(0, 1, 4, 2, 3).reshape(3, 32, 14, 12)
    bench.compare(layer, "layer_blocked", y)


@pytest.mark.parametrize(
    ("pad", "stride", "groups"), [(0, 1, 1), (1, 1, 1), (1, 1, 32), (1, 2, 32)]
)
def test_what_is_installed_takes_part(bench: Any, pad: int, stride: int, groups: int) -> None:
    """Each on its own, in each of its ways: a result that was there before is no result."""
    layer = toy(bench, pad=pad, stride=stride, groups=groups)
    x, g = bench.problem(layer)
    y = np.empty((3, 32, layer.rows, layer.columns), np.float32)
    names = set()
    for way in bench.peers.ways((pad, stride), x, g, y, 1):
        y[...] = 0
        way.run()
        way.fetch()
        bench.compare(layer, way.name, y)
        names.add((way.name, way.mode))
    if not names:
        pytest.skip("no peer is installed")
    library = bench.peers.find_onednn()
    if library is not None:
        told = {mode for name, mode in names if name == f"{library.name} direct"}
        assert told == set(bench.peers.MODES)


def test_wrong_results_have_no_rate(
    bench: Any, harness: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ways(_: object, x: np.ndarray, g: np.ndarray, y: np.ndarray, _threads: int) -> Any:
        yield bench.peers.Way("lazy", bench.peers.WHOLE, lambda: None, lambda: None)

    monkeypatch.setattr(bench.peers, "ways", ways)
    with pytest.raises(RunError, match=r"lazy: wrong by 1\.0e\+00"):
        bench.measure(toy(bench), toolchain.default_target(), 1, harness)


def entry(seconds: list[tuple[str, str, float]], threads: int = 1) -> dict[str, Any]:
    return {"threads": threads, "target": "avx512", "peak": 1e12, "seconds": seconds}


def test_each_competes_under_the_same_terms(bench: Any) -> None:
    own, prepared, whole = bench.peers.MODES
    times = [
        ("layer_auto", whole, 4e-6),
        ("layer_direct", whole, 6e-6),
        ("layer_blocked", own, 2.5e-6),
        ("a", own, 2e-6),
        ("a", whole, 5e-6),
        ("b", prepared, 3e-6),
    ]
    layer = toy(bench)
    found = list(bench.layer_records(layer, entry(times)))
    shown = [(one["metric"].split(", ")[2], one["peer"], one["ratio"]) for one in found]
    assert shown == [
        (own, "a", pytest.approx(0.8)),
        (prepared, "b", pytest.approx(0.75)),
        (whole, "a", pytest.approx(1.25)),
        (whole, "Weft direct", pytest.approx(1.5)),
    ]
    assert [one["goal"] for one in found] == [bench.GOAL, None, None, None]
    assert found[0]["met"] is False
    assert found[0]["value"] == pytest.approx(layer.flops / 2.5e-6 * 1e-9)
    assert found[1]["value"] == pytest.approx(layer.flops / 4e-6 * 1e-9)


def test_hopeless_peers_do_not_run_again(bench: Any) -> None:
    class One:
        def __init__(self, name: str, mode: str, best: float) -> None:
            self.name, self.mode, self.best = name, mode, best

    running = [One("layer_auto", "m", 0.1), One("a", "m", 1), One("b", "m", 3), One("c", "n", 3)]
    assert [bench.hopeless(one, running) for one in running[1:]] == [False, True, False]


def test_sums_count_layers_as_often_as_the_network_has_them(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    once, twice = toy(bench), toy(bench, height=26, times=2)
    monkeypatch.setattr(bench.layers, "layers", lambda: [once, twice])
    own = bench.peers.OWN
    times = [[("layer_auto", "own layout", s), ("a", own, p)] for s, p in ((1, 2), (3, 3))]
    entries = [(layer, entry(t)) for layer, t in zip((once, twice), times, strict=True)]
    assert list(bench.sums(entries[:1])) == []
    whole, mean = bench.sums(entries)
    assert whole["value"] == pytest.approx((once.flops + 2 * twice.flops) / 7 * 1e-9)
    assert whole["ratio"] == pytest.approx(8 / 7)
    assert mean["ratio"] == pytest.approx(2 ** (1 / 3))


def test_layers_are_those_of_the_networks(bench: Any) -> None:
    found = bench.layers.layers()
    assert len({layer.name for layer in found}) == len(found)
    total = {
        suite: sum(one.times * one.flops for one in found if one.suite == suite) * 1e-9
        for suite in {one.suite for one in found}
    }
    assert total["realworld N=1"] == pytest.approx(31.999, rel=1e-4)
    assert total["realworld N=many"] == pytest.approx(2123.6, rel=1e-4)
    assert total["VGG-16 N=1"] == pytest.approx(30.69, rel=1e-3)
    # 4.1 billion products in all, published.
    rest = total["ResNet-50-else N=1"] + total["ResNet-50 N=1"]
    assert rest == pytest.approx(2 * 4.09, rel=5e-3)
    assert total["ResNet-50 N=many"] == pytest.approx(16 * total["ResNet-50 N=1"])


def test_table_and_picture_show_each_layer(bench: Any) -> None:
    shown = module_files.load(BENCH / "shown.py")
    own, whole = bench.peers.OWN, bench.peers.WHOLE
    times = [("layer_auto", whole, 1e-6), ("layer_direct", whole, 2e-6), ("a", own, 3e-6)]
    layers = [bench.layers.Layer("net", 8, 9, 9, 8, n) for n in (1, 4)]
    layers.append(bench.layers.Layer("net", 8, 9, 9, 8, 1, window=1))
    records = [one for layer in layers for one in bench.layer_records(layer, entry(times))]
    about = {"cpu": "c", "compiler": "gcc", "date": "today"}
    measured = {**about, "records": records}
    lines = shown.table(measured).splitlines()
    (line,) = (line for line in lines if line.startswith("| net 8x9x9x8 N=1 |"))
    assert [cell.strip() for cell in line.split("|")[4:9]] == ["a", "19", "**3.00**", "", ""]
    assert line.count("|") == lines[lines.index("") + 6].count("|")
    picture = ElementTree.fromstring(shown.picture(measured))
    dots = [e for e in picture.iter() if e.tag.endswith("circle")]
    assert len(dots) == 2 + 2 * len(layers)


def test_library_that_cannot_be_loaded_is_told(
    bench: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "libdnnl.so"
    broken.write_text("no library")
    monkeypatch.setenv("WEFT_BENCH_ONEDNN", str(broken))
    with pytest.raises(RunError, match="oneDNN cannot be used") as caught:
        bench.peers.find_onednn.__wrapped__()
    assert "LD_LIBRARY_PATH" in caught.value.help
