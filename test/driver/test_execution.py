# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls from NumPy, on kernels written in C by hand: nothing here needs the compiler."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weft import machine, toolchain
from weft.compiled import Callee, Compiled
from weft.diagnostics import RunError
from weft.execution import Kernel
from weft.scratch import ScratchPool

HEAD = "#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n"


def parameter(name: str, dtype: str, *shape: int) -> dict[str, Any]:
    return {"name": name, "dtype": dtype, "shape": list(shape)}


def callee(
    folder: Path,
    body: str,
    inputs: list[dict[str, Any]],
    outputs: list[dict[str, Any]],
    target: str = "portable",
    **notes: Any,
) -> Compiled:
    source = folder / "kernel.c"
    source.write_text(HEAD + body)
    built = toolchain.compile_c(toolchain.find_compiler(), machine.load(target), source, True)
    kernel = {"name": "k", "c_name": "k", "sizes": {"n": 4}, "inputs": inputs, "outputs": outputs}
    every = {**built, "kernels": [kernel], "command": "weft compile k.weft:k", **notes}
    return Compiled(folder, every, machine.load(target))


def kernel_of(compiled: Callee) -> Kernel:
    return Kernel("k", "portable", [p.name for p in compiled.inputs], compiled=compiled)


# y = x + 2 b, elementwise over 4 doubles; written so that y on top of x goes wrong without care.
SHIFTED = """
size_t k_scratch_bytes(void);
size_t k_scratch_bytes(void) { return 0; }
int k(const double *x, const double *b, double *y, void *scratch);
int k(const double *x, const double *b, double *y, void *scratch) {
  (void)scratch;
  for (int i = 0; i < 4; i++) y[i] = x[3 - i] + 2 * b[i];
  return 0;
}
"""


@pytest.fixture(scope="module")
def shifted(tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    return kernel_of(
        callee(
            tmp_path_factory.mktemp("shifted"),
            SHIFTED,
            [parameter("x", "float64", 4), parameter("b", "float64", 4)],
            [parameter("y", "float64", 4)],
        )
    )


X = np.arange(4.0)
B = np.ones(4)
Y = X[::-1] + 2


def test_positional_and_named(shifted: Kernel) -> None:
    np.testing.assert_array_equal(shifted(X, B), Y)
    np.testing.assert_array_equal(shifted(X, b=B), Y)
    np.testing.assert_array_equal(shifted(b=B, x=X), Y)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda k: k(X), "missing argument 'b'"),
        (lambda k: k(X, B, X), "too many arguments"),
        (lambda k: k(X, B, x=X), "argument 'x' given twice"),
        (lambda k: k(X, bb=B), "no argument 'bb'"),
        (lambda k: k(X, [1.0] * 4), "argument 'b': not a NumPy array"),
        (lambda k: k(X.astype("f4"), B), "expected: float64\n   found: float32"),
        (lambda k: k(X.astype(">f8"), B), "argument 'x': wrong element type"),
        (lambda k: k(X, np.ones(5)), "expected: (4,)\n   found: (5,)"),
        (lambda k: k(X, np.ones((4, 1))), "argument 'b': wrong shape"),
        (lambda k: k(X, B, out=np.empty(4, "f4")), "output 'y': wrong element type"),
        (lambda k: k(X, B, out=[]), "out= does not match the outputs"),
        (lambda k: k(X, B, out={"z": np.empty(4)}), "out= has other names"),
        (lambda k: k(X, B, threads=0), "expected: 1 to 1024"),
        (lambda k: k(X, B, threads=2.0), "threads: not an integer"),
        (lambda k: k(X, B, threads=True), "threads: not an integer"),
    ],
)
def test_wrong_call_is_refused_by_argument(
    shifted: Kernel, call: Callable[[Kernel], Any], told: str
) -> None:
    with pytest.raises(RunError) as caught:
        call(shifted)
    assert told in str(caught.value)


def test_out_forms(shifted: Kernel) -> None:
    for wrap in (lambda y: y, lambda y: [y], lambda y: (y,), lambda y: {"y": y}):
        y = np.zeros(4)
        assert shifted(X, B, out=wrap(y)) is y
        np.testing.assert_array_equal(y, Y)


def test_out_that_is_an_input_gets_the_right_values(shifted: Kernel) -> None:
    x = X.copy()
    assert shifted(x, B, out=x) is x
    np.testing.assert_array_equal(x, Y)
    # Another array object over the same memory is the same input.
    x = X.copy()
    shifted(x, B, out=x.view())
    np.testing.assert_array_equal(x, Y)


def test_out_that_overlaps_a_part_is_refused(shifted: Kernel) -> None:
    memory = np.arange(6.0)
    with pytest.raises(RunError, match="output 'y' overlaps a part of the argument 'b'"):
        shifted(X, memory[:4], out=memory[2:])
    # Neighbours share no memory.
    memory = np.arange(8.0)
    shifted(X, memory[:4], out=memory[4:])
    np.testing.assert_array_equal(memory[4:], X[::-1] + 2 * np.arange(4.0))


def test_read_only(shifted: Kernel) -> None:
    frozen = X.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(shifted(frozen, B), Y)
    with pytest.raises(RunError, match="output 'y': read-only"):
        shifted(X, B, out=frozen)


SEVERAL = """
size_t k_scratch_bytes(void);
size_t k_scratch_bytes(void) { return 0; }
int k(const int32_t *n, const double *z, double *s, double *y, void *scratch);
int k(const int32_t *n, const double *z, double *s, double *y, void *scratch) {
  (void)scratch;
  *s = *n * z[0];
  y[0] = z[0] + 1; y[1] = z[1];
  return *n < 0 ? 5 : 0;
}
"""


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    return kernel_of(
        callee(
            tmp_path_factory.mktemp("several"),
            SEVERAL,
            [parameter("n", "int32"), parameter("z", "complex128")],
            [parameter("s", "float64"), parameter("y", "complex128", 1)],
        )
    )


def test_scalars_and_several_outputs(several: Kernel) -> None:
    s, y = several(3, 2 + 1j)
    assert s == 6.0
    assert isinstance(s, np.float64)
    np.testing.assert_array_equal(y, [3 + 1j])
    assert several(np.int32(3), np.complex128(2))[0] == 6.0
    assert several(np.array(3, "i4"), 2)[0] == 6.0
    place = np.empty(())
    found, _ = several(4, 2, out=(place, np.empty(1, complex)))
    assert found is place
    assert place == 8.0


@pytest.mark.parametrize(
    ("n", "told"),
    [
        (2.5, "argument 'n': cannot be passed"),
        (2**40, "argument 'n': out of range"),
        (2**80, "argument 'n': out of range"),
        (10**400, "found: a longer integer"),
        (np.int64(3), "expected: an int32 number"),
        (np.array(3, "i8"), "wrong element type"),
        ("3", "argument 'n': cannot be passed"),
    ],
)
def test_wrong_scalar_is_refused(several: Kernel, n: Any, told: str) -> None:
    with pytest.raises(RunError) as caught:
        several(n, 1)
    assert told in str(caught.value)


def test_outputs_that_overlap_are_refused(tmp_path: Path) -> None:
    two = kernel_of(
        callee(
            tmp_path,
            SEVERAL,
            [parameter("n", "int32"), parameter("z", "complex128")],
            [parameter("s", "float64", 1), parameter("y", "complex128", 1)],
        )
    )
    memory = np.zeros(2)
    with pytest.raises(RunError, match="output 'y' overlaps output 's'"):
        two(1, 1, out=(memory[:1], memory.view(complex)))


def test_status_of_the_kernel_is_told(several: Kernel) -> None:
    with pytest.raises(RunError, match="status 5"):
        several(-1, 1)


def test_fault_of_the_kernel_names_its_place(tmp_path: Path) -> None:
    several = callee(
        tmp_path,
        SEVERAL,
        [parameter("n", "int32"), parameter("z", "complex128")],
        [parameter("s", "float64"), parameter("y", "complex128", 1)],
        faults=[[4, "k.weft:2:9: not this one", 4], [5, "k.weft:3:9: this one", 8, "n"]],
    )
    with pytest.raises(RunError) as caught:
        kernel_of(several)(-1, 1)
    assert caught.value.message == "k.weft:3:9: this one"
    assert (caught.value.expected, caught.value.found) == ("0 to 7", "n = -1")


PARALLEL = """
#include <omp.h>
#include <stdatomic.h>
#define SCRATCH (%d)
size_t k_scratch_bytes(void);
size_t k_scratch_bytes(void) { return SCRATCH; }
int k(const int64_t *x, int64_t *y, void *scratch);
int k(const int64_t *x, int64_t *y, void *scratch) {
  int threads = 0;
  #pragma omp parallel
  {
    #pragma omp single
    threads = omp_get_num_threads();
  }
  /* Any other call that had this scratch would be seen. */
  volatile int64_t *mine = scratch;
  for (int round = 0; round < 20000; round++) {
    mine[0] = *x;
    mine[SCRATCH / 8 - 1] = *x;
    if (mine[0] != *x || mine[SCRATCH / 8 - 1] != *x) return 1;
  }
  y[0] = threads;
  y[1] = (int64_t)(uintptr_t)scratch;
  return 0;
}
"""


@pytest.fixture(scope="module", params=[64, 4 << 20])
def parallel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kernel:
    return kernel_of(
        callee(
            tmp_path_factory.mktemp("parallel"),
            PARALLEL % request.param,
            [parameter("x", "int64")],
            [parameter("y", "int64", 2)],
        )
    )


def test_threads_of_one_call_only(parallel: Kernel) -> None:
    usual = parallel(0)[0]
    assert parallel(0, threads=1)[0] == 1
    assert parallel(0, threads=3)[0] == 3
    assert parallel(0)[0] == usual


def test_scratch_is_aligned_and_used_again(parallel: Kernel) -> None:
    first = parallel(0)[1]
    assert first % 64 == 0
    assert parallel(0)[1] == first


def test_calls_at_once_have_scratch_of_their_own(parallel: Kernel) -> None:
    failures: list[Exception] = []

    def work(number: int) -> None:
        try:
            for _ in range(20):
                assert parallel(number, threads=1)[0] == 1
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_scratch_beyond_memory_is_told() -> None:
    with (
        pytest.raises(RunError, match="no memory for the kernel's scratch"),
        ScratchPool(1 << 60).lend(),
    ):
        pass


def test_kernel_without_openmp_takes_one_thread(tmp_path: Path) -> None:
    compiled = callee(
        tmp_path,
        SHIFTED,
        [parameter("x", "float64", 4), parameter("b", "float64", 4)],
        [parameter("y", "float64", 4)],
    )
    compiled.report["openmp"] = False
    kernel = kernel_of(compiled)
    np.testing.assert_array_equal(kernel(X, B, threads=1), Y)
    with pytest.raises(RunError, match="compiled without OpenMP"):
        kernel(X, B, threads=2)


def test_kernel_for_another_cpu_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "cpu_flags", lambda: frozenset({"sse2"}))
    compiled = callee(tmp_path, SHIFTED, [], [], target="avx512")
    with pytest.raises(RunError, match="'portable'"):
        compiled.call([], [], None)


def test_lost_shared_object_is_told(tmp_path: Path) -> None:
    compiled = callee(tmp_path, SHIFTED, [], [])
    (tmp_path / "kernel.so").unlink()
    with pytest.raises(RunError, match="compile it again"):
        compiled.call([], [], None)


def test_texts_of_a_kernel(shifted: Kernel) -> None:
    assert shifted.asm["c"].startswith("#include")
    assert ".globl" in shifted.asm["s"]
    assert shifted.asm["so"][:4] == b"\x7fELF"
    assert sorted(shifted.asm) == ["c", "s", "so"]
    with pytest.raises(KeyError):
        shifted.asm["ptx"]
    assert repr(shifted) == "<weft kernel k[n=4] for portable>"
    assert str(shifted) == shifted.asm["c"]
    assert shifted.command == "weft compile k.weft:k"
    assert shifted.sizes == {"n": 4}
    shifted.report["sizes"]["n"] = 5
    assert shifted.report["sizes"] == {"n": 4}, "a report is a copy"


def test_sizes_from_arguments_are_specialised_once_a_shape(shifted: Kernel, tmp_path: Path) -> None:
    asked: list[Any] = []

    def specialise(shapes: Any) -> Callee:
        asked.append(shapes)
        return shifted._compiled()

    lazy = Kernel("k", "portable", ["x", "b"], specialise=specialise, missing_sizes=["n"])
    assert lazy.missing_sizes == ["n"]
    assert repr(lazy) == "<weft kernel k[n=?] for portable>"
    with pytest.raises(RunError, match="has no sizes yet"):
        lazy.asm  # noqa: B018
    for _ in range(2):
        np.testing.assert_array_equal(lazy(X, B), Y)
    assert asked == [((4,), (4,))]
    with pytest.raises(RunError, match="argument 'b': not a NumPy array"):
        lazy(X, "text")
