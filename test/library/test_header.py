# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The header in C and C++, found by pkg-config and by CMake, also after the folder has moved."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from weft.cli import main
from weft.cli.failure import Exit

# Names that C, C++ or their headers have for themselves.
SOURCE = """\
kernel template[n: size](new: c128[n], I: f32[n], scratch: i32[n], errno: bool[n], weft_x: c64[n]) \
        -> (this: c128[n], new_: f32, more: i32[n], weft_y: c64[n]):
    this = new * 2
    new_ = sum(where(errno[i], I[i], 0) for i in 0:n)
    more = scratch + 1
    weft_y = weft_x * 1j

kernel cbrt(x: f64) -> (y: f64):
    y = exp(x)
"""
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-Wshadow", "-Wundef"]
IN_C = ["-Wstrict-prototypes", "-Wmissing-prototypes", "-Wc++-compat"]
IN_CXX = ["-Wold-style-cast", "-Wnon-virtual-dtor", "-Wsign-conversion"]
COMPILERS = [
    *(("gcc", std) for std in ("c99", "c11", "gnu17")),
    *(("g++", std) for std in ("c++11", "c++20", "gnu++17")),
    *(("clang-22", std) for std in ("c99", "c11", "c23")),
    *(("clang++-22", std) for std in ("c++11", "c++20")),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two libraries in one folder."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "odd-names.weft").write_text(SOURCE, encoding="utf-8")
    words = ["compile", f"{folder / 'odd-names.weft'}:template,cbrt", "-D", "n=4"]
    for more in ([], ["--name", "second"]):
        done = main(
            [*words, "--target", "portable", "--emit=lib", "-o", str(folder / "out"), *more]
        )
        assert done == Exit.OK
    return folder / "out"


@pytest.mark.parametrize(("compiler", "std"), COMPILERS)
def test_compiles_without_warnings(made: Path, tmp_path: Path, compiler: str, std: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    in_cxx = "++" in compiler
    # First of all, after headers that define macros, twice, and beside another library's.
    text = (
        '#include "odd_names.h"\n#include "second.h"\n#include "odd_names.h"\n'
        "int (*used)(const double *WEFT_RESTRICT, double *WEFT_RESTRICT, void *WEFT_RESTRICT);\n"
    )
    after = "#include <cstdio>\n#include <cerrno>\n" if in_cxx else "#include <complex.h>\n"
    flags = [f"-std={std}", *WARNINGS, *(IN_CXX if in_cxx else IN_C), f"-I{made / 'include'}"]
    for number, source in enumerate((text, after + text)):
        path = tmp_path / f"{number}.{'cpp' if in_cxx else 'c'}"
        path.write_text(source, encoding="utf-8")
        done = subprocess.run(
            [compiler, *flags, "-fsyntax-only", str(path)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""


# Arguments as the source has them: qualifiers are part of the type that a pointer must have.
TYPES = """\
#include "odd_names.h"
int (*const function)(const weft_c128 *, const float *, const int32_t *, const bool *,
                      const weft_c64 *, weft_c128 *, float *, int32_t *, weft_c64 *,
                      void *) = odd_names_template_n4;
int (*const exponential)(const double *, double *, void *) = odd_names_cbrt;
"""


@pytest.mark.parametrize(("compiler", "std"), [("gcc", "c99"), ("g++", "c++11")])
def test_types_are_those_of_the_kernel(made: Path, tmp_path: Path, compiler: str, std: str) -> None:
    path = tmp_path / ("t.cpp" if "++" in compiler else "t.c")
    flags = [f"-std={std}", "-Werror", f"-I{made / 'include'}", "-fsyntax-only"]
    for text, accepted in (
        (TYPES, True),
        (TYPES.replace("weft_c128 *, float", "void *, float"), 0),
    ):
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([compiler, *flags, str(path)], capture_output=True, text=True)
        assert (done.returncode == 0) == bool(accepted), done.stderr


PROGRAM = """\
#include "odd_names.h"
#include <cmath>
#include <complex>
#include <vector>

int main() {
  std::vector<std::complex<double>> x(4, {1, 2}), y(4);
  std::vector<std::complex<float>> single(4, {0, 1}), turned(4);
  const float factors[4] = {1, 2, 3, 4};
  const std::int32_t numbers[4] = {1, 2, 3, 4};
  std::int32_t more[4];
  const bool flags[4] = {true, true, true, false};
  float total = 0;
  auto call = [&](const std::int32_t *added) {
    return odd_names_template_n4(x.data(), factors, added, flags, single.data(), y.data(), &total,
                                 more, turned.data(), nullptr);
  };
  int status = call(numbers);
  if (status != 0 || total != 6 || y[3] != std::complex<double>(2, 4) || more[3] != 5 ||
      turned[3] != std::complex<float>(-1, 0))
    return 1;
  status = call(nullptr);
  if (WEFT_REFUSAL(status) != WEFT_NULL || WEFT_ARGUMENT(status) != 3)
    return 2;
  double one = 1, result = 0;
  if (odd_names_cbrt(&one, &result, nullptr) != 0 || std::fabs(result - std::exp(1.0)) > 1e-15)
    return 3;
  return 0;
}
"""


@pytest.fixture
def moved(made: Path, tmp_path: Path) -> Path:
    place = tmp_path / "a folder" / "of others"
    shutil.copytree(made, place)
    return place


def run(words: list[str], **environment: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("compiler", ["g++", "clang++-22"])
def test_cxx_program_by_pkg_config(moved: Path, tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    # A path of pkg-config's is taken apart at spaces by the shell: a link without them.
    link = tmp_path / "link"
    link.symlink_to(moved)
    search = {"PKG_CONFIG_PATH": str(link / "lib" / "pkgconfig")}
    flags = run(["pkg-config", "--cflags", "--libs", "odd_names"], **search).split()
    (tmp_path / "main.cpp").write_text(PROGRAM, encoding="utf-8")
    program = str(tmp_path / "main")
    run(
        [
            compiler,
            "-std=c++11",
            "-Wall",
            "-Wextra",
            "-Werror",
            f"{program}.cpp",
            *flags,
            "-o",
            program,
        ]
    )
    run([program], LD_LIBRARY_PATH=str(link / "lib"))
    assert run(["pkg-config", "--variable=libdir", "odd_names"], **search).strip().endswith("/lib")


CMAKE = """\
cmake_minimum_required(VERSION 3.16)
project(use CXX)
find_package(odd_names CONFIG REQUIRED)
find_package(odd_names CONFIG REQUIRED)
find_package(second CONFIG REQUIRED)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE odd_names::odd_names second::second)
set_target_properties(main PROPERTIES CXX_STANDARD 11 CXX_EXTENSIONS OFF)
"""


def test_cxx_program_by_cmake(moved: Path, tmp_path: Path) -> None:
    source, build = tmp_path / "source", tmp_path / "build"
    source.mkdir()
    (source / "main.cpp").write_text(PROGRAM, encoding="utf-8")
    (source / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
    run(["cmake", "-S", str(source), "-B", str(build), f"-DCMAKE_PREFIX_PATH={moved}"])
    run(["cmake", "--build", str(build)])
    run([str(build / "main")])


@pytest.mark.parametrize(
    "line",
    [
        " *   new__     in   c128 [4], strides 1, 64 bytes",
        " *   I_        in   f32 [4], strides 1, 16 bytes",
        " *   new_      out  f32, one element",
    ],
)
def test_arguments_are_described(made: Path, line: str) -> None:
    text = (made / "include" / "odd_names.h").read_text(encoding="utf-8")
    assert line in text.splitlines()
    assert text.splitlines()[3].startswith(" * Target portable: runs on any CPU.")
