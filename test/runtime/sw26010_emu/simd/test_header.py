# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""simd.h as programs of all ages include it, what it prints, and what it refuses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from . import building

#: The style of public programs: splats, scalars times vectors, casts, elements by pointer.
PROGRAM = """
#include <simd.h>
#include <stdio.h>
doublev4 global_array[4];
static doublev4 twice(doublev4 a, floatv4 b) { return a + a; }
double program(double *p, float *q, int n) {
  doublev4 y = 0, z = 1.0, w = -60.0, t[4];
  floatv4 f = n;
  intv8 masked = 0xf, length = n - 1;
  int256 none = 0;
  doublev4 *all = global_array;
  simd_load(y, p + 4 * n);
  simd_loade(z, p);
  simd_load(f, q);
  w = p[1] * y + z * 2;
  w = simd_vmad(w, 2.0, y);
  w = simd_vshff((doublev4)(p[0]), w, 0x4e);
  t[0] = twice(w, f);
  t[0] = simd_vseleq(w, 0.0, t[0]);
  all[1] = 0.0;
  masked = (intv8)n + simd_vsllw(length, 2);
  simd_store(t[0], p);
  return ((double *)&w)[2] + ((int *)&masked)[1] + simd_vextf3(w) + ((long *)&none)[0];
}
"""


@pytest.mark.parametrize("side", ["host", "slave"])
@pytest.mark.parametrize("standard", ["gnu89", "gnu99", "c99", "gnu11", "gnu17", "gnu23"])
def test_c(tmp_path: Path, standard: str, side: str) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    options = ["-D__sw_slave__"] if side == "slave" else []
    options += ["-Wno-unused-parameter", f"-std={standard}", "-O1"]
    done = building.clang([*building.FLAGS, *options, "-c", str(source), "-o", "/dev/null"])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("standard", ["gnu++98", "gnu++11", "c++17", "gnu++20"])
def test_host_cpp(tmp_path: Path, standard: str) -> None:
    source = tmp_path / "program.cpp"
    source.write_text(PROGRAM)
    options = ["-Wno-unused-parameter", f"-std={standard}", "-O1"]
    done = building.clang(
        [*building.FLAGS, *options, "-c", str(source), "-o", "/dev/null"], "clang++-22"
    )
    assert done.returncode == 0, done.stderr


def test_host_code_needs_no_emulator(tmp_path: Path) -> None:
    """Host code that includes simd.h links without the runtime."""
    source = tmp_path / "program.c"
    source.write_text(PROGRAM + "int main(void) { return 0; }")
    executable = tmp_path / "program"
    done = building.clang(
        [*building.FLAGS, "-Wno-unused-parameter", str(source), "-o", str(executable)]
    )
    assert done.returncode == 0, done.stderr


def test_names_of_programs_stay_free(tmp_path: Path) -> None:
    """What public programs define for themselves the header does not."""
    source = tmp_path / "program.c"
    source.write_text(
        """
#include <simd.h>
#define simd_vselne(a, b, c) simd_vseleq(a, c, b)
#define simd_bcastf(x) simd_vshff((doublev4)(x), (doublev4)(x), 0)
#define vmatch(r, a, b) r = 0
doublev4 simd_vexpd(doublev4 in) { return simd_vselne(in, in, 1.0); }
doublev4 simd_vsumd(doublev4 vaddd, doublev4 vmad) { return simd_bcastf(1.0) + vaddd + vmad; }
int putr(void) { return 1; }
"""
    )
    done = building.clang([*building.FLAGS, "-c", str(source), "-o", "/dev/null"])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("side", "statement", "message"),
    [
        ("host", "simd_putr(d, 8);", "simd_putr is an instruction of the CPEs"),
        ("host", "simd_getc(f);", "simd_getc is an instruction of the CPEs"),
        ("host", "simd_loader(w, &d);", "simd_loader is an instruction of the CPEs"),
        ("slave", "simd_loadr(f, &f);", "simd_loadr of a floatv4"),
        ("slave", "simd_loadec(f, &f);", "simd_loadec of a floatv4"),
        ("slave", "w = simd_vcpyw(f);", "simd_vcpyw of a floatv4: its low word is not documented"),
        ("slave", "l = simd_vshff(l, l, 0);", "no matching function for call to 'simd_vshff'"),
        ("slave", "d = simd_vmad(d, d, f);", "incompatible type"),
        ("slave", "d = simd_vseleq(d, d, f);", "no matching function for call to 'simd_vseleq'"),
        ("slave", "w = simd_vcmplew(w, d);", "no matching function for call to 'simd_vcmplew'"),
        ("slave", "d = f;", "incompatible type"),
    ],
)
def test_refused(tmp_path: Path, side: str, statement: str, message: str) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <simd.h>\nvoid f(doublev4 d, floatv4 f, intv8 w, int256 l) {\n"
        f"  {statement}\n}}\n"
    )
    options = ["-D__sw_slave__"] if side == "slave" else []
    flags = [flag for flag in building.FLAGS if flag != "-Werror"]
    done = building.clang([*flags, *options, "-w", "-c", str(source), "-o", "/dev/null"])
    assert done.returncode != 0
    assert message in done.stderr
    assert "program.c:3:" in done.stderr


def test_print(tmp_path: Path) -> None:
    """Highest lane first; 256-bit lanes in hexadecimal."""
    source = tmp_path / "program.c"
    source.write_text(
        """
#include <simd.h>
#include <stdio.h>
int main(void) {
  simd_print_doublev4(simd_set_doublev4(1.0, 2.0, 3.0, 4.5));
  simd_print_floatv4(simd_set_floatv4(1.0f, 2.0f, 3.0f, -4.0f));
  simd_print_intv8(simd_set_intv8(1, 2, 3, 4, 5, 6, 7, -8));
  simd_print_uintv8(simd_set_uintv8(1, 2, 3, 4, 5, 6, 7, 4294967288U));
  simd_print_int256(simd_set_int256(1, 2, 3, -1));
  simd_print_uint256(simd_set_uint256(1, 2, 3, 16));
  simd_fprint_doublev4(stderr, simd_set_doublev4(1.0, 2.0, 3.0, 4.5));
  simd_fprint_floatv4(stderr, simd_set_floatv4(1.0f, 2.0f, 3.0f, -4.0f));
  simd_fprint_intv8(stderr, simd_set_intv8(1, 2, 3, 4, 5, 6, 7, -8));
  simd_fprint_uintv8(stderr, simd_set_uintv8(1, 2, 3, 4, 5, 6, 7, 4294967288U));
  simd_fprint_int256(stderr, simd_set_int256(1, 2, 3, -1));
  simd_fprint_uint256(stderr, simd_set_uint256(1, 2, 3, 16));
  return 0;
}
"""
    )
    executable = tmp_path / "program"
    done = building.clang([*building.FLAGS, str(source), "-o", str(executable)])
    assert done.returncode == 0, done.stderr
    printed = subprocess.run([executable], capture_output=True, text=True, check=True)
    expected = """\
[4.500000, 3.000000, 2.000000, 1.000000]
[-4.000000, 3.000000, 2.000000, 1.000000]
[-8, 7, 6, 5, 4, 3, 2, 1]
[4294967288, 7, 6, 5, 4, 3, 2, 1]
[0xffffffffffffffff, 0x3, 0x2, 0x1]
[0x10, 0x3, 0x2, 0x1]
"""
    assert printed.stdout == expected
    assert printed.stderr == expected
