# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every vector operation means, lane by lane: written from the machine's handbook with NumPy,
and nothing of it shared with the headers under test.

Operands are arrays of shape (vectors, lanes); a letter names a type, see `TYPES`.
"""

from __future__ import annotations

import numpy as np

from .meanings import (
    TYPES,
    Array,
    Meaning,
    Operation,
    bits,
    compared,
    counted,
    each,
    extracted,
    fused,
    inserted,
    saturated,
    selected,
    shuffled,
    sign_copied,
    signed,
    truth,
    words_shuffled,
)


def _floats(kind: str) -> list[Operation]:
    table: list[Operation] = []
    suffix = kind
    mark = "" if kind == "d" else "__s"

    def add(name: str, operands: str, meaning: Meaning, mark: str | None = None) -> None:
        arguments = ", ".join("abc"[: len(operands)])
        instruction = "" if mark is None else f"{name}{mark}"
        table.append(
            Operation(
                f"simd_{name}({arguments})",
                operands,
                kind,
                meaning,
                instruction,
                moves=name.startswith(("vsel", "vcpy")),
            )
        )

    add(f"vadd{suffix}", kind * 2, np.add)
    add(f"vsub{suffix}", kind * 2, np.subtract)
    add(f"vmul{suffix}", kind * 2, np.multiply)
    add(f"vdiv{suffix}", kind * 2, np.divide)
    add(f"vsqrt{suffix}", kind, np.sqrt)
    add(f"vma{suffix}", kind * 3, fused(1, 1))
    add(f"vms{suffix}", kind * 3, fused(1, -1))
    add(f"vnma{suffix}", kind * 3, fused(-1, 1))
    add(f"vnms{suffix}", kind * 3, fused(-1, -1))
    add("vfcmpeq", kind * 2, compared(np.equal), mark)
    add("vfcmple", kind * 2, compared(np.less_equal), mark)
    add("vfcmplt", kind * 2, compared(np.less), mark)
    add("vfcmpun", kind * 2, compared(lambda a, b: np.isnan(a) | np.isnan(b)), mark)
    add("vseleq", kind * 3, selected(lambda a: a == 0), mark)
    add("vsellt", kind * 3, selected(lambda a: a < 0), mark)
    add("vselle", kind * 3, selected(lambda a: a <= 0), mark)
    add("vcpys", kind * 2, sign_copied(invert=False, with_exponent=False), mark)
    add("vcpysn", kind * 2, sign_copied(invert=True, with_exponent=False), mark)
    add("vcpyse", kind * 2, sign_copied(invert=False, with_exponent=True), mark)
    for call in ("a + b", "a - b", "a * b", "a / b"):
        plain = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[call[2]]
        table.append(Operation(call, kind * 2, kind, plain))
    scalar = kind.upper()
    for lane in range(4):
        table += [
            Operation(
                f"simd_vextf{lane}(a)",
                kind,
                scalar,
                extracted(lane),
                f"vextf{mark}",
                moves=True,
            ),
            Operation(
                f"simd_vinsf{lane}(a, b)",
                kind * 2,
                kind,
                inserted(lane),
                f"vinsf{mark}",
                moves=True,
            ),
            Operation(
                f"simd_vinsf{lane}(a, b)",
                scalar + kind,
                kind,
                inserted(lane),
                f"vinsf{mark}",
                moves=True,
            ),
        ]
    for source in (kind, scalar):
        table.append(
            Operation(
                "simd_vcpyf(a)",
                source,
                kind,
                lambda a: np.repeat(a[:, :1], 4, axis=1),
                f"vcpyf{mark}",
                moves=True,
            )
        )
    for mask in (0x00, 0x4E, 0x78, 0xB1, 0xE4, 0xFF):
        table.append(
            Operation(
                f"simd_vshff(a, b, {mask})",
                kind * 2,
                kind,
                shuffled(mask),
                f"vshff{mark}",
                moves=True,
            )
        )
    return table


def _words(kind: str) -> list[Operation]:
    table: list[Operation] = []
    two = kind * 2

    def add(
        name: str,
        operands: str,
        meaning: Meaning,
        marked: bool = True,
        call: str = "",
        instruction: str = "",
    ) -> None:
        arguments = ", ".join("abc"[: len(operands)])
        table.append(
            Operation(
                call or f"simd_{name}({arguments})",
                operands,
                kind,
                meaning,
                (instruction or name) if marked else "",
            )
        )

    def as_is(values: Array) -> Array:
        return values.astype(TYPES[kind][1])

    add("vaddw", two, np.add, marked=False)
    add("vsubw", two, np.subtract, marked=False)
    add("vandw", two, np.bitwise_and, marked=False)
    add("vbicw", two, lambda a, b: a & ~b, marked=False)
    add("vbisw", two, np.bitwise_or, marked=False)
    add("vornotw", two, lambda a, b: a | ~b, marked=False)
    add("vxorw", two, np.bitwise_xor, marked=False)
    add("veqvw", two, lambda a, b: ~(a ^ b), marked=False)
    add("", kind, lambda a: a + a.dtype.type(7), marked=False, call="simd_vaddw(a, 7)")
    add("", two, np.add, marked=False, call="a + b")
    add("", two, np.bitwise_xor, marked=False, call="a ^ b")
    for count in (0, 1, 13, 31, 32, 45):
        low = count & 31
        add(
            "",
            kind,
            lambda a, n=low: (bits(a) << np.uint32(n)).view(a.dtype),
            call=f"simd_vsllw(a, {count})",
            instruction="vsllw",
        )
        add(
            "",
            kind,
            lambda a, n=low: (bits(a) >> np.uint32(n)).view(a.dtype),
            call=f"simd_vsrlw(a, {count})",
            instruction="vsrlw",
        )
        add(
            "",
            kind,
            lambda a, n=low: (signed(a) >> np.int32(n)).view(a.dtype),
            call=f"simd_vsraw(a, {count})",
            instruction="vsraw",
        )
        add(
            "",
            kind,
            lambda a, n=low: (
                (
                    (bits(a).astype(np.uint64) << np.uint64(n))
                    | (bits(a).astype(np.uint64) >> np.uint64(32 - n))
                )
                .astype(np.uint32)
                .view(a.dtype)
            ),
            call=f"simd_vrolw(a, {count})",
            instruction="vrolw",
        )
    add("", kind, lambda a: np.right_shift(a, a.dtype.type(5)), marked=False, call="a >> 5")
    add("vcmpeqw", two, lambda a, b: as_is(a == b))
    add("vcmplew", two, lambda a, b: as_is(signed(a) <= signed(b)))
    add("vcmpltw", two, lambda a, b: as_is(signed(a) < signed(b)))
    add("vcmpulew", two, lambda a, b: as_is(bits(a) <= bits(b)))
    add("vcmpultw", two, lambda a, b: as_is(bits(a) < bits(b)))
    add("vseleqw", kind * 3, selected(lambda a: a == 0))
    add("vsellew", kind * 3, selected(lambda a: signed(a) <= 0))
    add("vselltw", kind * 3, selected(lambda a: signed(a) < 0))
    add("vsellbcw", kind * 3, selected(lambda a: (a & 1) == 0))
    for letter, width in (("w", 4), ("h", 2), ("b", 1)):
        add(f"vucadd{letter}", two, saturated(width, subtract=False))
        add(f"vucsub{letter}", two, saturated(width, subtract=True))
    for number in range(16):
        add(
            "",
            two,
            lambda a, b, n=number: truth(n, a, b),
            call=f"simd_vlog2x({number}, a, b)",
            instruction="vlog2x",
        )
    for number in (0x00, 0x1D, 0x30, 0x3C, 0x96, 0xC0, 0xC3, 0xE8, 0xF3, 0xFC, 0xFF):
        add(
            "",
            kind * 3,
            lambda a, b, c, n=number: truth(n, a, b, c),
            call=f"simd_vlog({number}, a, b, c)",
            instruction="vlog",
        )
    for lane in range(8):
        table += [
            Operation(f"simd_vextw{lane}(a)", kind, kind.upper(), extracted(lane), "vextw"),
            Operation(f"simd_vinsw{lane}(a, b)", two, kind, inserted(lane), "vinsw"),
            Operation(
                f"simd_vinsw{lane}(a, b)", kind.upper() + kind, kind, inserted(lane), "vinsw"
            ),
        ]
    add("vcpyw", kind, lambda a: np.repeat(a[:, :1], 8, axis=1))
    for mask in (0x00000000, 0x12345670, 0x67452301, 0x76543210, 0x7FFFFFFF, 0x0F1E2D3C):
        add("", two, words_shuffled(mask), call=f"simd_vshff(a, b, {mask})", instruction="vshfw")
    table.append(
        Operation(
            "simd_vcpyw(a)",
            "d",
            "w",
            lambda a: np.repeat(a.view(np.int32)[:, :1], 8, axis=1),
            "vcpyw",
        )
    )
    return table


def _wide() -> list[Operation]:
    table: list[Operation] = []
    whole = (1 << 256) - 1
    for kind in "lq":
        two = kind * 2
        table += [
            Operation("simd_vaddl(a, b)", two, kind, np.add),
            Operation("simd_vsubl(a, b)", two, kind, np.subtract),
            Operation("simd_ctpopow(a)", kind, "W", counted(lambda a: a.bit_count()), "ctpopow"),
            Operation(
                "simd_ctlzow(a)", kind, "W", counted(lambda a: 256 - a.bit_length()), "ctlzow"
            ),
            Operation(
                "simd_umulqa(a, b)",
                two,
                kind,
                each(lambda a, b: (a % (1 << 128)) * (b % (1 << 128))),
                "umulqa",
            ),
        ]
        for count in (0, 1, 31, 32, 63, 64, 65, 128, 200, 255, 256, 257):
            low = count & 255
            table += [
                Operation(
                    f"simd_sllow(a, {count})",
                    kind,
                    kind,
                    each(lambda a, n=low: a << n & whole),
                    "sllow",
                ),
                Operation(
                    f"simd_srlow(a, {count})", kind, kind, each(lambda a, n=low: a >> n), "srlow"
                ),
            ]
    return table


def _conversions() -> list[Operation]:
    """What casts become."""
    table = [
        Operation("__weft_cast_doublev4(a)", "s", "d", lambda a: a.astype(np.float64)),
        Operation("__weft_cast_floatv4(a)", "d", "s", lambda a: a.astype(np.float32)),
        Operation("__weft_cast_doublev4(a)", "d", "d", lambda a: a, moves=True),
        Operation("__weft_cast_floatv4(a)", "s", "s", lambda a: a, moves=True),
    ]
    for scalar in "DSWU":
        for kind in "ds":
            element = TYPES[kind][1]
            table.append(
                Operation(
                    f"__weft_cast_{TYPES[kind][0]}(a)",
                    scalar,
                    kind,
                    lambda a, e=element: np.repeat(a.astype(e), 4, axis=1),
                )
            )
    for kind in "wulq":
        table.append(
            Operation(
                "__weft_cast_doublev4(a)", kind, "d", lambda a: a.view(np.float64), moves=True
            )
        )
    return table


OPERATIONS: list[Operation] = [
    *_floats("d"),
    *_floats("s"),
    *_words("w"),
    *_words("u"),
    *_wide(),
    *_conversions(),
]
