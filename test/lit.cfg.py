# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit suite: every .mlir file below test/, against the tools of the installed weft package.

weft-opt, weft-translate,  the native programs
weft-interp
FileCheck, not, count      of LLVM 22
%target_<name>             a file that defines #target, the machine of that target:
                           cat %target_avx512 %s | weft-opt - --fuse | FileCheck %s

Below test/runtime, .c and .cpp files are programs of the emulator's machine:

%swcc                      weft-swcc: %swcc -slave -c %s -o %t.o
%athread                   a whole program from one file, compiled twice: with SLAVE defined for
                           the CPEs, without it for the MPE. Other words go to both compilations:
                           // RUN: %athread %s -o %t && %run %t | FileCheck %s
%run                       the program with the stack of slave functions in LDM (bsub -b)

    #ifdef SLAVE                       #else
    #include <slave.h>                 #include <athread.h>
    void f(long *out) {                long out[64];
      out[_MYID] = _MYID;              extern void SLAVE_FUN(f)(long *);
    }                                  int main(void) { ... athread_spawn(f, out); ... }
                                       #endif

WEFT_LIT_TOOLS=build/emu/native/bin lit test/runtime takes the tools of the emulator's own build.
"""

import os
import subprocess
import sys
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
native = (os.environ.get("WEFT_LIT_TOOLS") or str(tool_path("weft-opt").parent)).split(os.pathsep)
config.environment["PATH"] = os.pathsep.join((*native, llvm, os.environ["PATH"]))
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"

# With the address sanitizer the machine's own addresses are the sanitizer's, and so are strdup and
# its like.
if lit_config.params.get("sanitize"):
    config.available_features.add("sanitize")

for swcc in (Path(folder, "weft-swcc") for folder in native):
    if not swcc.is_file():
        continue
    helper = Path(config.test_source_root, "runtime", "athread.py")
    config.available_features.add("emulator")
    config.substitutions += [
        ("%swcc", str(swcc)),
        ("%athread", f"{sys.executable} {helper} {swcc}"),
        ("%run", "env WEFT_EMU_LDM_STACK=1"),
    ]

# What the working tree says, not a calibration of the machine at hand.
os.environ["WEFT_NO_OVERLAY"] = "1"
for name in machine.target_names():
    attribute = Path(config.test_exec_root, f"target-{name}.mlir")
    attribute.parent.mkdir(parents=True, exist_ok=True)
    attribute.write_text(f"#target = {machine.load(name).attribute()}\n")
    config.substitutions.append((f"%target_{name}", str(attribute)))
    config.available_features.add(f"target={name}")
