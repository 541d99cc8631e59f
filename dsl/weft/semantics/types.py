# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types and tensor types of checked programs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import prod


class Kind(Enum):
    """What sort of number: a literal has a kind but no precision yet. Ordered by promotion."""

    BOOL = 0
    INT = 1
    REAL = 2
    COMPLEX = 3


@dataclass(frozen=True)
class _Facts:
    kind: Kind
    bytes: int
    numpy: str
    mlir: str


class Element(Enum):
    """An element type. The value is its name in the language."""

    F32 = "f32"
    F64 = "f64"
    C64 = "c64"
    C128 = "c128"
    I32 = "i32"
    I64 = "i64"
    BOOL = "bool"

    @property
    def kind(self) -> Kind:
        return _FACTS[self].kind

    @property
    def bytes(self) -> int:
        return _FACTS[self].bytes

    @property
    def numpy(self) -> str:
        """Name of the NumPy dtype."""
        return _FACTS[self].numpy

    @property
    def mlir(self) -> str:
        """Spelling of the MLIR type."""
        return _FACTS[self].mlir

    @property
    def is_complex(self) -> bool:
        return self.kind is Kind.COMPLEX

    @property
    def is_float(self) -> bool:
        return self.kind is Kind.REAL

    @property
    def is_int(self) -> bool:
        return self.kind is Kind.INT

    @property
    def real(self) -> Element:
        """Type of the real part; a type that is not complex is its own."""
        return {Element.C64: Element.F32, Element.C128: Element.F64}.get(self, self)

    @property
    def complex(self) -> Element:
        """The complex type of the same precision; integers go to c128."""
        if self.is_complex:
            return self
        return Element.C64 if self is Element.F32 else Element.C128

    def __str__(self) -> str:
        return self.value


_FACTS = {
    Element.F32: _Facts(Kind.REAL, 4, "float32", "f32"),
    Element.F64: _Facts(Kind.REAL, 8, "float64", "f64"),
    Element.C64: _Facts(Kind.COMPLEX, 8, "complex64", "complex<f32>"),
    Element.C128: _Facts(Kind.COMPLEX, 16, "complex128", "complex<f64>"),
    Element.I32: _Facts(Kind.INT, 4, "int32", "i32"),
    Element.I64: _Facts(Kind.INT, 8, "int64", "i64"),
    Element.BOOL: _Facts(Kind.BOOL, 1, "bool", "i1"),
}

# What a literal becomes where nothing else says its type.
DEFAULT_ELEMENT = {
    Kind.BOOL: Element.BOOL,
    Kind.INT: Element.I64,
    Kind.REAL: Element.F64,
    Kind.COMPLEX: Element.C128,
}


@dataclass(frozen=True)
class TensorType:
    """Element type and concrete shape. A scalar is a tensor of rank 0, shape `()`."""

    element: Element
    shape: tuple[int, ...] = ()

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def elements(self) -> int:
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.elements * self.element.bytes

    @property
    def mlir(self) -> str:
        dims = "".join(f"{n}x" for n in self.shape)
        return f"tensor<{dims}{self.element.mlir}>"

    def __str__(self) -> str:
        if not self.shape:
            return str(self.element)
        return f"{self.element}[{', '.join(map(str, self.shape))}]"
