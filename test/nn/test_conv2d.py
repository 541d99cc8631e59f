# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft.nn.conv2d against windows in NumPy, and what it refuses, by the argument's name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weft
from weft import nn
from weft.diagnostics import RunError
from weft.nn import layers
from weft.remembered import Remembered

RANDOM = np.random.default_rng(3)


def numbers(*shape: int, dtype: str = "float32") -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(dtype)


def by_windows(
    x: np.ndarray, w: np.ndarray, stride: tuple[int, ...], pad: tuple[int, ...], groups: int
) -> np.ndarray:
    dims = len(pad)
    x = np.pad(x.astype(float), [(0, 0), (0, 0), *((border, border) for border in pad)])
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], axis=range(2, 2 + dims))
    windows = windows[(slice(None), slice(None), *(slice(None, None, step) for step in stride))]
    parts = zip(np.split(windows, groups, 1), np.split(w, groups, 0), strict=True)
    inside, pixel = "rst"[:dims], "hij"[:dims]
    sums = f"kc{inside},nc{pixel}{inside}->nk{pixel}"
    return np.concatenate([np.einsum(sums, f, v) for v, f in parts], 1)


def in_layout(x: np.ndarray, layout: str) -> np.ndarray:
    if layout[1] != "c":
        return np.moveaxis(x, 1, -1)
    if layout.endswith("16c"):
        return np.stack(np.split(np.moveaxis(x, 1, -1), x.shape[1] // 16, -1), 1)
    return x


LAYERS = {1: nn.conv1d, 2: nn.conv2d, 3: nn.conv3d}


@settings(max_examples=18, deadline=None)
@given(data=st.data())
def test_any_layer(data: st.DataObject) -> None:
    def among(low: int, high: int) -> int:
        return data.draw(st.integers(low, high))

    dtype, dims = data.draw(st.sampled_from(["float32", "float64"])), among(1, 3)
    groups = among(1, 2)
    stride, pad, window, image = (
        tuple(among(*ends) for ends in both[-dims:])
        for both in (
            [(1, 2), (1, 2), (1, 3)],
            [(0, 1), (0, 2), (0, 1)],
            [(1, 3)] * 3,
            [(3, 6), (3, 9), (3, 20)],
        )
    )
    x = numbers(among(1, 2), groups * among(1, 3), *image, dtype=dtype)
    w = numbers(groups * among(1, 5), x.shape[1] // groups, *window, dtype=dtype)
    exact = by_windows(x, w, stride, pad, groups)
    more: dict[str, Any] = {}
    if data.draw(st.booleans()):
        more["bias"] = numbers(w.shape[0], dtype=dtype)
        exact = exact + more["bias"].reshape(-1, *(1,) * dims)
    if data.draw(st.booleans()):
        more["residual"] = numbers(*exact.shape, dtype=dtype)
        exact = exact + more["residual"]
    if data.draw(st.booleans()):
        more["activation"] = "relu"
        exact = np.maximum(exact, 0)
    found = LAYERS[dims](x, w, stride=stride, padding=pad, groups=groups, **more)
    assert found.dtype == x.dtype
    np.testing.assert_allclose(found, exact, atol=1e-5 if dtype == "float32" else 1e-12)


def test_same_and_valid_borders_and_a_given_result() -> None:
    x, w = numbers(1, 2, 7, 9), numbers(4, 2, 3, 5)
    out = np.empty((1, 4, 7, 9), np.float32)
    assert nn.conv2d(x, w, padding="same", out=out) is out
    np.testing.assert_allclose(out, by_windows(x, w, (1, 1), (1, 2), 1), atol=1e-5)
    assert nn.conv2d(x, w, padding="valid", threads=2).shape == (1, 4, 5, 5)


def test_a_layer_is_compiled_once() -> None:
    x, w = numbers(1, 2, 6, 6), numbers(3, 2, 3, 3)
    nn.conv2d(x, w)
    before = set(layers._kernels)
    nn.conv2d(x + 1, w)
    nn.conv2d(x, w, stride=[1, 1], padding=(0, 0), groups=np.int64(1))
    assert set(layers._kernels) == before
    nn.conv2d(x, w, padding=1)
    nn.conv2d(np.float64(x), np.float64(w))
    assert len(set(layers._kernels)) == len(before) + 2


def test_kernels_of_old_layers_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "_kernels", remembered := Remembered[Any](most=2))
    x, w = numbers(1, 2, 6, 6), numbers(3, 2, 3, 3)
    for padding in (0, 1, 0, 2, 0):
        nn.conv2d(x, w, padding=padding)
    paddings = [key[0].padding for key in remembered if isinstance(key, tuple)]
    assert paddings == [(2, 2), (0, 0)]


@pytest.mark.parametrize("algorithm", ["auto", "direct", "winograd(4)"])
def test_algorithms_agree(algorithm: str) -> None:
    x, w = numbers(1, 32, 30, 30), numbers(32, 32, 3, 3)
    found = nn.conv2d(x, w, algorithm=algorithm, max_error=1e-3 if algorithm == "auto" else None)
    exact = by_windows(x, w, (1, 1), (0, 0), 1)
    assert np.abs(found - exact).max() < 1e-4 * np.abs(exact).max()


@pytest.mark.parametrize("algorithm", ["direct", "winograd(2)", "winograd(4)"])
@pytest.mark.parametrize("shape", [(1, 48, 96, 96, 32), (1, 32, 75, 53, 40), (2, 16, 18, 37, 17)])
def test_what_follows_is_done_on_the_way(shape: tuple[int, ...], algorithm: str) -> None:
    """In strips and at once, of whole tiles and not, in panels: as layers that are not small."""
    x, w = numbers(*shape[:4]), numbers(shape[4], shape[1], 3, 3)
    bias, residual = numbers(shape[4]), numbers(shape[0], shape[4], *shape[2:4])
    more: dict[str, Any] = {"padding": 1, "algorithm": algorithm}
    plain = nn.conv2d(x, w, **more)
    found = nn.conv2d(x, w, bias, residual=residual, activation="relu", **more)
    exact = by_windows(x, w, (1, 1), (1, 1), 1)
    assert np.abs(plain - exact).max() < 1e-4 * np.abs(exact).max()
    np.testing.assert_allclose(
        found, np.maximum(plain + bias[:, None, None] + residual, 0), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize("layout", ["nchw", "nhwc", "nchw16c"])
@pytest.mark.parametrize("out_layout", ["nchw", "nhwc", "nchw16c"])
def test_layouts_with_what_follows(layout: Any, out_layout: Any) -> None:
    x, w, bias = numbers(2, 32, 20, 21), numbers(48, 32, 3, 3), numbers(48)
    exact = by_windows(x, w, (1, 1), (1, 1), 1) + bias[:, None, None]
    residual = numbers(*exact.shape)
    exact = in_layout(np.maximum(exact + residual, 0), out_layout)
    found = nn.conv2d(
        *(in_layout(x, layout), w, bias),
        residual=in_layout(residual, out_layout),
        padding="same",
        activation="relu",
        layout=layout,
        out_layout=out_layout,
    )
    np.testing.assert_allclose(found, exact, atol=1e-3)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(("filters", "window", "stride"), [(208, 3, 2), (150, 5, 1), (256, 3, 1)])
def test_more_filters_than_the_second_cache_holds(
    filters: int, window: int, stride: int, groups: int
) -> None:
    """Panels of filters each go through all lines, and images, before the next one."""
    channels = 256 if window == 3 else 128
    x = numbers(2, channels * groups, 9, 17)
    w = numbers(filters * groups, channels, window, window)
    bias, pad = numbers(filters * groups), window // 2
    exact = by_windows(x, w, (stride, stride), (pad, pad), groups) + bias[:, None, None]
    exact = in_layout(np.maximum(exact, 0), "nhwc")
    how: dict[str, Any] = {"stride": stride, "padding": pad, "groups": groups, "layout": "nhwc"}
    found = nn.conv2d(
        *(in_layout(x, "nhwc"), w, bias), activation="relu", algorithm="direct", **how
    )
    assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize("filters", [1, 2, 3, 5, 12])
@pytest.mark.parametrize(("window", "stride"), [(1, 1), (1, 2), (3, 2)])
def test_few_filters(filters: int, window: int, stride: int, layout: Any) -> None:
    """As the last layers of a segmentation have them: pixels of many channels stay as they lie."""
    x, w = numbers(1, 64, 97, 64), numbers(filters, 64, window, window)
    exact = by_windows(x, w, (stride, stride), (window // 2, window // 2), 1)
    found = nn.conv2d(in_layout(x, layout), w, stride=stride, padding=window // 2, layout=layout)
    assert np.abs(found - in_layout(exact, layout)).max() < 1e-4 * np.abs(exact).max()


@pytest.mark.parametrize("layout", ["nchw", "nhwc", "nchw16c"])
@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(
    ("images", "extent", "window", "stride", "pad"),
    [(1, 7, 7, 1, 0), (3, 5, 5, 1, 0), (1, 3, 3, 2, 1), (2, 4, 3, 1, 0), (1, 1, 1, 1, 0)],
)
def test_few_results(
    images: int, extent: int, window: int, stride: int, pad: int, groups: int, layout: Any
) -> None:
    """Filters as large as the image, or nearly: each is read once, as it lies."""
    x, w = numbers(images, 32 * groups, extent, extent), numbers(48 * groups, 32, window, window)
    bias = numbers(48 * groups)
    exact = by_windows(x, w, (stride, stride), (pad, pad), groups) + bias[:, None, None]
    exact = in_layout(np.maximum(exact, 0), layout)
    how: dict[str, Any] = {"stride": stride, "padding": pad, "groups": groups, "layout": layout}
    found = nn.conv2d(in_layout(x, layout), w, bias, activation="relu", algorithm="direct", **how)
    assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()


def test_an_option_that_there_is_not_is_the_functions() -> None:
    with pytest.raises(TypeError, match=r"conv1d\(\) got .* 'pading'"):
        nn.conv1d(X[0], W[0], pading=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Conv2d\(\) got .* 'pad'"):
        nn.Conv2d(W, pad=1)  # type: ignore[call-arg]


def test_a_network_whose_images_stay_in_blocks() -> None:
    """Three layers, filters prepared: planes come in, blocks go from layer to layer and out."""
    x, ws = numbers(2, 3, 30, 28), [numbers(*s, 3, 3) / 9 for s in ((32, 3), (48, 32), (16, 48))]
    bias = [numbers(len(w)) for w in ws]
    blocks: dict[str, Any] = {"padding": "same", "layout": "nchw16c", "activation": "relu"}
    first = nn.Conv2d(ws[0], bias[0], **{**blocks, "layout": "nchw"}, out_layout="nchw16c")
    second, third = (nn.Conv2d(w, b, **blocks) for w, b in zip(ws[1:], bias[1:], strict=True))
    found = first(x)
    assert found.shape == (2, 2, 30, 28, 16)
    found = third(second(found))
    assert found.shape == (2, 1, 30, 28, 16)
    exact = x.astype(float)
    for w, b in zip(ws, bias, strict=True):
        exact = np.maximum(by_windows(exact, w, (1, 1), (1, 1), 1) + b[:, None, None], 0)
    found = found.transpose(0, 1, 4, 2, 3).reshape(exact.shape)
    assert np.abs(found - exact).max() < 1e-4 * np.abs(exact).max()


X, W = numbers(1, 4, 6, 6), numbers(8, 4, 3, 3)


@pytest.mark.parametrize(
    ("argument", "says", "call"),
    [
        ("x", "four dimensions", lambda: nn.conv2d(X[0], W)),
        ("x", "found: nothing", lambda: nn.conv2d(None, W)),
        ("w", "found: nothing", lambda: nn.conv3d(X[None], None)),
        ("dilation", r"::3, ::3. = w", lambda: nn.conv2d(X, W, dilation=3)),
        ("dilation", r"2\*R - 1", lambda: nn.conv1d(X[0], W[0], dilation=2)),
        ("max_error", "whatever its error", lambda: nn.conv2d(X, W, max_error=float("inf"))),
        ("max_error", "a number", lambda: nn.conv2d(X, W, max_error=True)),
        ("w", "four dimensions", lambda: nn.conv2d(X, 3)),
        ("x", "five dimensions", lambda: nn.conv2d(X, W, layout="nchw16c")),
        ("x", "16 channels side by side", lambda: nn.conv2d(X[None], W, layout="nchw16c")),
        ("w", "in blocks of 16", lambda: nn.conv2d(X, W, out_layout="nchw16c")),
        ("layout", "no such", lambda: nn.conv2d(X, W, layout="chwn")),
        ("layout", "no such", lambda: nn.conv1d(X[:, :, 0], W[:, :, 0], layout="nhwc")),
        ("x", "conv1d takes x with three", lambda: nn.conv1d(X, W[:, :, 0])),
        ("w", "conv3d takes w with five", lambda: nn.conv3d(X[None], W)),
        ("stride", "one whole number\n", lambda: nn.conv1d(X[:, :, 0], W[:, :, 0], stride=[1, 2])),
        ("padding", "or three: of planes", lambda: nn.conv3d(X[None], W[None], padding=[1, 2])),
        ("w", "more planes than", lambda: nn.conv3d(X[:, :, None], W[:, :, None, :].repeat(2, 2))),
        ("out_layout", "no such", lambda: nn.conv2d(X, W, out_layout=4)),  # type: ignore[arg-type]
        ("w", "one type", lambda: nn.conv2d(X, W.astype(float))),
        ("x", "one type", lambda: nn.conv2d(X.astype(int), W)),
        ("w", "do not fit together", lambda: nn.conv2d(X[:, :3], W)),
        ("w", "do not fit together", lambda: nn.conv2d(X, W[:7, :2], groups=2)),
        ("w", "more columns than the image", lambda: nn.conv2d(X[..., :2], W)),
        ("bias", "does not fit", lambda: nn.conv2d(X, W, numbers(7))),
        ("residual", "does not fit", lambda: nn.conv2d(X, W, residual=X)),
        ("stride", "a whole number", lambda: nn.conv2d(X, W, stride=0)),
        ("max_error", "no bound", lambda: nn.conv2d(X, W, max_error=-1)),
        ("algorithm", "no such", lambda: nn.conv2d(X, W, algorithm=4)),  # type: ignore[arg-type]
        ("padding", "one whole number", lambda: nn.conv2d(X, W, padding=[1, 2, 3])),
        ("padding", "needs stride 1", lambda: nn.conv2d(X, W, padding="same", stride=2)),
        ("padding", r"padding=\[2, 2\]", lambda: nn.conv2d(X, W, padding="full")),  # type: ignore[arg-type]
        (
            "groups",
            "a multiple of groups\n   found: 4 channels, groups=3",
            lambda: nn.conv2d(X, W, groups=3),
        ),
        (
            "w",
            "a multiple of groups\n   found: 7 filters",
            lambda: nn.conv2d(X, W[:7, :2], groups=2),
        ),
        (
            "w",
            "filters of 2 channels: the 4 of the images in 2 groups",
            lambda: nn.conv2d(X, W, groups=2),
        ),
        (
            "w",
            r"filters of 3 channels\n   found: w of shape \(8, 4",
            lambda: nn.conv2d(X[:, :3], W),
        ),
        (
            "padding",
            r"two \(height, width\): each of both sides\n.*\n.*np.pad\(x, ...\)",
            lambda: nn.conv2d(X, W, padding=((1, 1), (1, 1))),
        ),
        (
            "padding",
            "one number: of each side",
            lambda: nn.conv1d(X[:, :, 0], W[:, :, 0], padding=((1, 2),)),
        ),
        (
            "padding",
            r"padding=\[1, 1\] gives ceil\(size / stride\) results",
            lambda: nn.conv2d(X, W, padding="same", stride=2),
        ),
        (
            "padding",
            r"np.pad\(x, .*\(0, 0\), \(0, 1\), \(1, 1\)\]\) with padding=0 leaves",
            lambda: nn.conv2d(X, W[:, :, :2], padding="same"),
        ),
        (
            "padding",
            r"np.pad\(x, \[\(0, 0\), \(0, 1\), \(1, 1\), \(0, 0\)\]\)",
            lambda: nn.conv2d(X, W[:, :, :2], padding="same", layout="nhwc"),
        ),
        (
            "residual",
            r"float32 of shape \(1, 8, 4, 4\)\n   found: a scalar \(float32\)\n.*np.full",
            lambda: nn.conv2d(X, W, residual=np.float32(1)),
        ),
        (
            "bias",
            r"shape \(8,\)\n   found: list, .*\n   help: np.asarray\(bias, np.float32\)",
            lambda: nn.conv2d(X, W, [1.0] * 8),
        ),
        ("bias", r"bias.astype\(np.float32\)", lambda: nn.conv2d(X, W, np.ones(8))),
        ("dilation", "zeros between them", lambda: nn.conv2d(X, W, dilation=2)),
        ("dilation", "zeros between them", lambda: nn.Conv2d(W, dilation=[1, 2])),
        ("dilation", "a whole number", lambda: nn.conv2d(X, W, dilation=0)),
        ("groups", "a whole number", lambda: nn.conv2d(X, W, groups=0)),
        ("activation", "no such activation", lambda: nn.conv2d(X, W, activation="tanh")),  # type: ignore[arg-type]
        ("algorithm", "no such algorithm", lambda: nn.conv2d(X, W, algorithm="fft")),
        ("", "conv2d: ", lambda: nn.conv2d(X, W, stride=3, algorithm="winograd(4)")),
        (
            "",
            "conv1d: ",
            lambda: nn.conv1d(X[:, :, 0], W[:, :, 0], stride=3, algorithm="winograd(4)"),
        ),
    ],
)
def test_what_does_not_fit_is_named(argument: str, says: str, call: Any) -> None:
    with pytest.raises(RunError, match=says) as caught:
        call()
    assert caught.value.argument == argument


def test_ways_out_of_same_have_its_size() -> None:
    for rows, step in ((2, 1), (2, 2), (3, 2), (4, 3)):
        w = numbers(8, 4, rows, 3) if rows < 4 else numbers(8, 4, 4, 4)
        with pytest.raises(RunError) as caught:
            nn.conv2d(X, w, padding="same", stride=step)
        padded, given, _ = caught.value.help.partition(" with padding=0")
        x = eval(padded, {"np": np, "x": X}) if given else X
        padding: Any = 0 if given else [1, 1]
        size = -(-6 // step)
        assert nn.conv2d(x, w, padding=padding, stride=step).shape == (1, 8, size, size)


@pytest.mark.parametrize("algorithm", ["auto", "direct", "winograd(4)"])
def test_a_layer_with_filters_of_its_own(algorithm: str) -> None:
    w, bias = numbers(24, 16, 3, 3), numbers(24)
    wanted: dict[str, Any] = {"padding": 1, "activation": "relu", "algorithm": algorithm}
    layer = nn.Conv2d(w, bias, **wanted)
    kept = w.copy(), bias.copy()
    w[:] = 0  # it has a copy
    for shape in ((1, 16, 14, 14), (3, 16, 9, 20), (1, 16, 14, 14)):
        x, residual = numbers(*shape), numbers(shape[0], 24, *shape[2:])
        out = np.empty_like(residual)
        assert layer(x, out=out) is out
        tolerance = {"rtol": 1e-4, "atol": 1e-4}
        np.testing.assert_allclose(out, nn.conv2d(x, *kept, **wanted), **tolerance)
        both = nn.conv2d(x, *kept, residual=residual, **wanted)
        np.testing.assert_allclose(layer(x, residual=residual), both, **tolerance)


@pytest.mark.parametrize(
    ("argument", "says", "call"),
    [
        ("x", "four dimensions", lambda: nn.Conv2d(W)(X[0])),
        ("w", r"four dimensions\n.*\n   found: \(4, 3, 3\)", lambda: nn.Conv2d(W[0])),
        ("w", "four dimensions\n.*\n   found: nothing", lambda: nn.Conv2d(None)),
        ("w", "five dimensions", lambda: nn.Conv3d(W)),
        ("w", r"asarray\(w, np.float32\) makes one", lambda: nn.Conv2d(W.tolist())),
        ("w", r"w.astype\(np.float32\)", lambda: nn.Conv2d(W.astype(int))),
        ("w", "one type", lambda: nn.Conv2d(W)(X.astype(float))),
        ("bias", "does not fit", lambda: nn.Conv2d(W, W[0, 0, 0])),
        ("bias", "found: list, which", lambda: nn.Conv2d(W, [1.0] * 8)),
        ("stride", "whole number", lambda: nn.Conv2d(W, stride=0)),
        ("algorithm", "no such algorithm", lambda: nn.Conv2d(W, algorithm="fast")),
        ("activation", "no such activation", lambda: nn.Conv2d(W, activation="tanh")),  # type: ignore[arg-type]
        ("max_error", "no bound", lambda: nn.Conv2d(W, max_error=0)),
        ("layout", "no such layout", lambda: nn.Conv2d(W, layout="chwn")),
        ("padding", "no such padding", lambda: nn.Conv2d(W, padding="reflect")),  # type: ignore[arg-type]
        ("padding", "needs stride 1", lambda: nn.Conv2d(W, padding="same", stride=2)),
        ("w", "8 filters in 3 groups", lambda: nn.Conv2d(W, groups=3)),
        ("w", "blocks of 16", lambda: nn.Conv2d(W, layout="nchw16c")),
    ],
)
def test_a_layer_refuses_by_name(argument: str, says: str, call: Any) -> None:
    with pytest.raises(RunError, match=says) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("layer", "call", "image", "window", "layouts"),
    [
        (nn.Conv1d, nn.conv1d, (50,), (5,), ("ncw16c", "nwc")),
        (nn.Conv3d, nn.conv3d, (5, 8, 9), (3, 3, 3), ("ndhwc", "ncdhw16c")),
    ],
)
def test_signals_and_volumes_with_what_follows(
    layer: Any, call: Any, image: Any, window: Any, layouts: Any
) -> None:
    x, w, bias = numbers(2, 16, *image), numbers(32, 16, *window), numbers(32)
    exact = by_windows(x, w, (1,) * len(image), tuple(extent // 2 for extent in window), 1)
    exact = exact + bias.reshape(-1, *(1,) * len(image))
    residual = numbers(*exact.shape)
    exact = in_layout(np.maximum(exact + residual, 0), layouts[1])
    options = {
        "padding": "same",
        "activation": "relu",
        "layout": layouts[0],
        "out_layout": layouts[1],
    }
    given, added = in_layout(x, layouts[0]), in_layout(residual, layouts[1])
    found = call(given, w, bias, residual=added, **options)
    np.testing.assert_allclose(found, exact, atol=1e-3)
    prepared = layer(w, bias, **options)(given, residual=added)
    np.testing.assert_allclose(prepared, exact, atol=1e-3)


def test_it_is_public() -> None:
    assert weft.nn is nn


def test_a_layer_shows_what_it_is() -> None:
    w, bias = np.ones((4, 3, 3, 5), np.float32), np.ones(4, np.float32)
    assert repr(nn.Conv2d(w)) == "Conv2d(w: float32[4, 3, 3, 5])"
    layer = nn.Conv2d(w, bias, stride=2, padding=[1, 2], activation="relu", layout="nhwc")
    shown = "stride=(2, 2), padding=(1, 2), activation='relu', layout='nhwc'"
    assert repr(layer) == f"Conv2d(w: float32[4, 3, 3, 5], bias: float32[4], {shown})"
    assert repr(nn.Conv1d(w[:, :, 0], padding="same")) == (
        "Conv1d(w: float32[4, 3, 5], padding='same')"
    )


IMAGE, TAPS = np.ones((1, 3, 8, 8), np.float32), np.ones((4, 3, 3, 3), np.float32)


@pytest.mark.parametrize(
    ("argument", "way_out", "call"),
    [
        ("x", "x[None] is one image", lambda: nn.conv2d(IMAGE[0], TAPS)),
        (
            "x",
            "layout='nchw', out_layout='nchw16c'",
            lambda: nn.conv2d(IMAGE, TAPS, layout="nchw16c"),
        ),
        ("x", "x.astype(np.float32)", lambda: nn.conv2d(IMAGE.astype("f2"), TAPS.astype("f2"))),
        ("x", "x is empty", lambda: nn.conv2d(IMAGE[:0], TAPS)),
        ("w", "w is empty", lambda: nn.Conv2d(TAPS[:, :0])),
        ("w", "a layer is made of its filters", lambda: nn.Conv2d(3, 16)),
        ("layout", "did you mean 'nhwc'", lambda: nn.conv2d(IMAGE, TAPS, layout="NHWC")),
        ("layout", "here it is 'nhwc'", lambda: nn.conv2d(IMAGE, TAPS, layout="channels_last")),
        ("out_layout", "here it is 'ncw'", lambda: nn.Conv1d(TAPS[0], out_layout="channels_first")),
        ("padding", "did you mean 'same'", lambda: nn.conv2d(IMAGE, TAPS, padding="SAME")),
        ("padding", "for sides that differ", lambda: nn.conv2d(IMAGE, TAPS, padding=(1, 1, 0, 0))),
        ("activation", "did you mean 'relu'", lambda: nn.conv2d(IMAGE, TAPS, activation="ReLU")),
        ("activation", "a kernel of your own", lambda: nn.conv2d(IMAGE, TAPS, activation="gelu")),
        ("algorithm", "winograd(4)", lambda: nn.conv2d(IMAGE, TAPS, algorithm="winograd(4, 3)")),
        ("algorithm", "did you mean 'auto'", lambda: nn.conv2d(IMAGE, TAPS, algorithm="Auto")),
        ("bias", "bias=None has none", lambda: nn.Conv2d(TAPS, False)),
        ("bias", "bias.reshape(4)", lambda: nn.Conv2d(TAPS, np.ones((1, 4, 1, 1), np.float32))),
    ],
)
def test_ways_out_of_who_comes_from_elsewhere(argument: str, way_out: str, call: Any) -> None:
    with pytest.raises(RunError) as caught:
        call()
    assert caught.value.argument == argument
    assert way_out in str(caught.value)


def test_options_and_layers_that_there_are_not() -> None:
    with pytest.raises(TypeError, match="argument 'strides': did you mean 'stride'"):
        nn.Conv2d(TAPS, strides=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="channels and sizes follow from the filters w"):
        nn.Conv2d(3, 16, 3)
    with pytest.raises(TypeError, match=r"options by their names$"):
        nn.Conv2d(TAPS, None, 2)
    with pytest.raises(AttributeError, match="'Linear': there are Conv1d"):
        getattr(nn, "Lin" + "ear")


@pytest.mark.parametrize("kept", [False, True])
def test_result_that_does_not_fit_is_told_of_out(kept: bool) -> None:
    x, w = np.zeros((1, 3, 8, 8), np.float32), np.zeros((4, 3, 3, 3), np.float32)
    out = np.zeros((1, 4, 6, 5), np.float32)
    with pytest.raises(RunError, match="out: wrong shape") as caught:
        nn.Conv2d(w)(x, out=out) if kept else nn.conv2d(x, w, out=out)
    assert caught.value.argument == "out"
