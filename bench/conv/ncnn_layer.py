# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ncnn (pip: ncnn): a network of one layer, its filters prepared, image by image.

By default ncnn chooses among direct sums and F(2), F(4) and F(6); `m` leaves it one of the latter.
From about 32 channels on its F(6) is F(2) in fact, so it is not among `TILES`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

TILES = (2, 4)
NAME = "ncnn"


def convolution(
    steps: tuple[int, int],
    x: np.ndarray,
    g: np.ndarray,
    y: np.ndarray,
    threads: int,
    m: int | None = None,
) -> tuple[Callable[[], None], Callable[[], None]]:
    """What is timed and what fetches the result; `steps` are the border and the stride. ImportError
    without ncnn."""
    import ncnn

    (pad, stride), groups = steps, x.shape[1] // g.shape[1]

    net = ncnn.Net()
    net.opt.num_threads = threads
    net.opt.use_vulkan_compute = False
    for half in ("fp16", "bf16"):
        for kind in ("storage", "packed", "arithmetic"):
            if hasattr(net.opt, f"use_{half}_{kind}"):
                setattr(net.opt, f"use_{half}_{kind}", False)
    if m is not None:
        net.opt.use_sgemm_convolution = False
        for tile in (2, 4, 6):
            setattr(net.opt, f"use_winograd{tile}3_convolution", tile == m)
    k = len(g)
    with tempfile.TemporaryDirectory(prefix="weft-bench-") as folder:
        text, weights = Path(folder) / "layer.param", Path(folder) / "layer.bin"
        text.write_text(
            "7767517\n2 2\nInput in 0 1 in\n"
            f"{'ConvolutionDepthWise' if groups > 1 else 'Convolution'} out 1 1 in out"
            f" 0={k} 1=3 11=3 3={stride} 4={pad} 5=0 6={g.size} 7={groups}\n",
            encoding="ascii",
        )
        # Four zero bytes: numbers as they are.
        weights.write_bytes(bytes(4) + np.ascontiguousarray(g).tobytes())
        if net.load_param(str(text)) != 0 or net.load_model(str(weights)) != 0:
            raise RuntimeError("ncnn does not read the layer")
    images = [ncnn.Mat(image) for image in x]
    results: list[Any] = [None] * len(images)

    def run() -> None:
        for number, image in enumerate(images):
            extractor = net.create_extractor()
            extractor.input("in", image)
            status, results[number] = extractor.extract("out")
            if status != 0:
                raise RuntimeError("ncnn failed")

    def fetch() -> None:
        for number, result in enumerate(results):
            y[number] = np.array(result)

    return run, fetch
