# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers that are measured, all of them of networks: 3x3 filters, stride 1, and what else a
network has."""

from __future__ import annotations

from typing import NamedTuple


class Layer(NamedTuple):
    """`pad` is 0 or 1, or half a window, `times` how often the network has it, `groups` one or a
    filter for each channel."""

    network: str
    channels: int
    height: int
    width: int
    filters: int
    images: int
    pad: int = 0
    times: int = 1
    window: int = 3
    stride: int = 1
    groups: int = 1

    @property
    def name(self) -> str:
        shape = f"{self.channels}x{self.height}x{self.width}x{self.filters}"
        return f"{self.network} {shape}{self.special} N={self.images}"

    @property
    def special(self) -> str:
        """` 1x1`, ` 3x3/2 by channel`: filters and stride where they are not 3x3 and 1."""
        if (self.window, self.stride, self.groups) == (3, 1, 1):
            return ""
        half = f"/{self.stride}" if self.stride > 1 else ""
        groups = " by channel" if self.groups > 1 else ""
        return f" {self.window}x{self.window}{half}{groups}"

    @property
    def kernel(self) -> str:
        """What the names of kernels of conv.weft end with."""
        if self.special:
            return self.special.replace(" ", "_").replace("/2", "_half")
        return "_same" if self.pad else ""

    @property
    def suite(self) -> str:
        """What is summed up: a network at the numbers of images that it is run with."""
        return f"{self.network} N={'1' if self.images == 1 else 'many'}"

    @property
    def rows(self) -> int:
        return (self.height + 2 * self.pad - self.window) // self.stride + 1

    @property
    def columns(self) -> int:
        return (self.width + 2 * self.pad - self.window) // self.stride + 1

    @property
    def flops(self) -> float:
        """Additions and multiplications of the direct sum."""
        window = self.window * self.window
        each = 2.0 * self.filters * self.channels * window * self.rows * self.columns / self.groups
        return self.images * each

    @property
    def sizes(self) -> dict[str, int]:
        parts = (self.images, self.channels, self.filters, self.height, self.width)
        sizes = dict(zip("NCKHW", parts, strict=True))
        if self.groups > 1:
            del sizes["K"]
        return sizes


# C, H, W, K, N of realworld.conf of a contest of 2021 in Winograd's convolutions, no padding.
_REALWORLD = (
    (3, 112, 112, 64, 64),
    (32, 112, 112, 64, 64),
    (64, 112, 112, 64, 64),
    (64, 112, 112, 128, 64),
    (128, 112, 112, 128, 64),
    (128, 50, 50, 256, 64),
    (256, 50, 50, 256, 64),
    (256, 50, 50, 512, 64),
    (512, 50, 50, 512, 64),
    (512, 16, 16, 2048, 64),
    (3, 100, 100, 32, 128),
    (32, 100, 100, 64, 128),
    (64, 50, 50, 64, 128),
    (64, 50, 50, 128, 128),
    (128, 20, 26, 96, 128),
    (96, 12, 12, 192, 128),
    (192, 12, 12, 256, 128),
    (256, 8, 8, 512, 128),
)
# C, H = W, K and how often, padding 1.
_VGG16 = (
    (3, 224, 64, 1),
    (64, 224, 64, 1),
    (64, 112, 128, 1),
    (128, 112, 128, 1),
    (128, 56, 256, 1),
    (256, 56, 256, 2),
    (256, 28, 512, 1),
    (512, 28, 512, 2),
    (512, 14, 512, 3),
)
_RESNET50 = ((64, 56, 64, 3), (128, 28, 128, 3), (256, 14, 256, 5), (512, 7, 512, 2))
# What else it has: C, H = W, K, window, stride and how often; a stride of 2 is in the 3x3 filters.
_RESNET50_ELSE = (
    (3, 224, 64, 7, 2, 1),
    (64, 56, 64, 1, 1, 1),
    (64, 56, 256, 1, 1, 4),
    (256, 56, 64, 1, 1, 2),
    (256, 56, 128, 1, 1, 1),
    (128, 56, 128, 3, 2, 1),
    (128, 28, 512, 1, 1, 4),
    (256, 56, 512, 1, 2, 1),
    (512, 28, 128, 1, 1, 3),
    (512, 28, 256, 1, 1, 1),
    (256, 28, 256, 3, 2, 1),
    (256, 14, 1024, 1, 1, 6),
    (512, 28, 1024, 1, 2, 1),
    (1024, 14, 256, 1, 1, 5),
    (1024, 14, 512, 1, 1, 1),
    (512, 14, 512, 3, 2, 1),
    (512, 7, 2048, 1, 1, 3),
    (1024, 14, 2048, 1, 2, 1),
    (2048, 7, 512, 1, 1, 2),
)
# A filter for each channel: C, H = W, stride and how often.
_MOBILENET2 = (
    (32, 112, 1, 1),
    (96, 112, 2, 1),
    (144, 56, 1, 1),
    (144, 56, 2, 1),
    (192, 28, 1, 2),
    (192, 28, 2, 1),
    (384, 14, 1, 4),
    (576, 14, 1, 2),
    (576, 14, 2, 1),
    (960, 7, 1, 3),
)
MANY = 16


def layers() -> list[Layer]:
    found = [Layer("realworld", *sizes[:4], 1) for sizes in _REALWORLD]
    found += [Layer("realworld", *sizes) for sizes in _REALWORLD]
    for network, rows in (("VGG-16", _VGG16), ("ResNet-50", _RESNET50)):
        for images in (1, MANY):
            for c, extent, k, times in rows:
                found.append(Layer(network, c, extent, extent, k, images, 1, times))
    for images in (1, MANY):
        for c, extent, k, window, stride, times in _RESNET50_ELSE:
            found.append(
                Layer(
                    "ResNet-50-else",
                    c,
                    extent,
                    extent,
                    k,
                    images,
                    window // 2,
                    times,
                    window,
                    stride,
                )
            )
    for images in (1, MANY):
        for c, extent, stride, times in _MOBILENET2:
            found.append(
                Layer("MobileNet-V2", c, extent, extent, c, images, 1, times, 3, stride, c)
            )
    return found
