# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""%athread of the lit suite: one file compiled for both sides and linked (see lit.cfg.py)."""

import subprocess
import sys
from pathlib import Path


def main(swcc: str, source: str, *words: str) -> int:
    arguments = list(words)
    at = arguments.index("-o")
    output = arguments[at + 1]
    del arguments[at : at + 2]
    linked = [word for word in arguments if word.startswith(("-l", "-L", "-Wl,"))]
    compiled = [word for word in arguments if word not in linked]
    slave, host = f"{output}.slave.o", f"{output}.host.o"
    side_of = "c" if Path(source).suffix == ".cpp" else ""
    for command in (
        # A C++ file has its slave side in C.
        [
            swcc,
            "-slave",
            "-DSLAVE",
            *(["-x", side_of] if side_of else []),
            "-c",
            source,
            "-o",
            slave,
        ],
        [swcc, "-host", "-c", source, "-o", host],
    ):
        status = subprocess.run([*command, *compiled]).returncode
        if status:
            return status
    driver = [swcc, "-hybrid", host, slave, *linked, "-o", output]
    if side_of:
        driver.append("-lstdc++")
    return subprocess.run(driver).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
