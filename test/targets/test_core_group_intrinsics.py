# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each template of targets/sw26010/intrinsics.toml computes what its `meaning` says, on a CPE.

One emulated program runs both on the same values, special ones among them, and counts the lanes
that differ (any NaN equals any NaN).
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from intrinsic_templates import Case, cases, support
from weft import emu

TARGET = "sw26010"
VALUES = """\
static const double numbers[] = {
    0.0, -0.0, 1.0, -1.0, 2.5, -3.75, 1e300, -1e300, 1e-300, 5e-324, 0.1, -0.7,
    1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 12345.678, -2.0, 3.0, 0.5, 7.0, -11.0, 13.25, 1e16};

static unsigned seed = 1;

static double next_f64(void) {
  seed = seed * 1664525u + 1013904223u;
  if (seed >> 30)
    return ((double)(seed >> 8) - 8388608.0) / 65536.0;
  return numbers[(seed >> 8) % (sizeof numbers / sizeof *numbers)];
}

static float next_f32(void) { return (float)next_f64(); }

static bool next_i1(void) { return next_f64() > 0.0; }

static int same_f64(double a, double b) {
  union { double d; long bits; } x = {a}, y = {b};
  return x.bits == y.bits || (a != a && b != b);
}

static int same_f32(float a, float b) {
  union { float f; int bits; } x = {a}, y = {b};
  return x.bits == y.bits || (a != a && b != b);
}

static int same_i1(bool a, bool b) { return a == b; }
"""


def check(case: Case, variant: int) -> str:
    """A slave function that counts the lanes of one template that are wrong."""
    c_type = {"f64": "double", "f32": "float", "i1": "bool"}
    body, names = "", []
    for letter, operand in zip("abcd", case.operands, strict=False):
        kind = operand.element
        body += f"  {c_type[kind]} x{letter}[4] __attribute__((aligned(32)));\n"
        body += f"    for (int i = 0; i < 4; ++i) x{letter}[i] = next_{kind}();\n"
        names.append(f"x{letter}")
    kind, count = case.result.element, case.result.lanes or 1
    calls = ", ".join([*names, "{out}"])
    number = f"{case.number}_{variant}"
    return f"""static int check{number}(void) {{
  int wrong = 0;
  for (int trial = 0; trial < 60; ++trial) {{
  {body}    {c_type[kind]} one[4] __attribute__((aligned(32))), two[4];
    run{number}({calls.format(out="one")});
    mean{number}({calls.format(out="two")});
    for (int i = 0; i < {count}; ++i) wrong += !same_{kind}(one[i], two[i]);
  }}
  return wrong;
}}
"""


def test_templates_mean_what_they_say(tmp_path: Path) -> None:
    all_cases = cases(TARGET)
    numbers = [(case, variant) for case in all_cases for variant in range(case.variants())]
    text = "#include <slave.h>\n#include <simd.h>\n" + support(TARGET) + VALUES
    text += "".join(case.functions() for case in all_cases)
    text += "".join(check(*one) for one in numbers)
    text += "void checks(int *wrong) {\n  if (athread_get_id(-1) != 0) return;\n"
    text += "".join(
        f"  wrong[{n}] = check{case.number}_{variant}();\n"
        for n, (case, variant) in enumerate(numbers)
    )
    (tmp_path / "slave.c").write_text(text + "}\n")
    (tmp_path / "host.c").write_text(
        "#include <athread.h>\n#include <stdio.h>\nextern void SLAVE_FUN(checks)(int *);\n"
        f"static int wrong[{len(numbers)}];\nint main(void) {{\n  athread_init();\n"
        "  athread_spawn(checks, wrong);\n  athread_join();\n"
        f'  for (int i = 0; i < {len(numbers)}; ++i) if (wrong[i]) printf("%d ", i);\n'
        "  return 0;\n}\n"
    )
    compiler = emu.native_file("bin/weft-swcc")
    for command in (
        [compiler, "-host", "-O2", "-c", "host.c", "-o", "host.o"],
        # Contraction would make the meaning of a product and a sum another one.
        [compiler, "-slave", "-O0", "-ffp-contract=off", "-c", "slave.c", "-o", "slave.o"],
        [compiler, "-hybrid", "host.o", "slave.o", "-lm", "-o", "checks"],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[:3000]
    done_run = emu.run([tmp_path / "checks"], functional=True, ldm_stack=True)
    assert done_run.status == 0, done_run.errors.decode()[:2000]
    wrong = [numbers[int(word)] for word in done_run.output.split()]
    assert not wrong, "\n".join(f"{case.name}, variant {variant}" for case, variant in wrong)
