# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit suite: every .mlir file below test/, against the tools of the installed weft package.

weft-opt, weft-translate,  the native programs
weft-interp
FileCheck, not, count      of LLVM 22
%target_<name>             a file that defines #target, the machine of that target:
                           cat %target_avx512 %s | weft-opt - --fuse | FileCheck %s
"""

import os
import subprocess
from pathlib import Path

import lit.formats

from weft import machine
from weft.cli.native_tools import tool_path

config.name = "weft"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = str(Path(__file__).parent)
config.test_exec_root = str(Path(__file__).parent.parent / "build" / "lit")

llvm = subprocess.run(
    ["llvm-config-22", "--bindir"], check=True, capture_output=True, text=True
).stdout.strip()
# Other binaries than the installed ones: make sanitize.
native = os.environ.get("WEFT_LIT_TOOLS") or str(tool_path("weft-opt").parent)
config.environment["PATH"] = os.pathsep.join((native, llvm, os.environ["PATH"]))
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"

# What the working tree says, not a calibration of the machine at hand.
os.environ["WEFT_NO_OVERLAY"] = "1"
for name in machine.target_names():
    attribute = Path(config.test_exec_root, f"target-{name}.mlir")
    attribute.parent.mkdir(parents=True, exist_ok=True)
    attribute.write_text(f"#target = {machine.load(name).attribute()}\n")
    config.substitutions.append((f"%target_{name}", str(attribute)))
    config.available_features.add(f"target={name}")
