# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/faults.md from the emulator's list of faults and the programs of the lit suite that show
them; --check compares only.

The message in the table is what a program's CHECK line expects, which lit compares with what the
emulator says: neither can grow old without a failing test.
"""

from __future__ import annotations

import difflib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "runtime" / "sw26010_emu" / "Faults.def"
PROGRAMS = ROOT / "test" / "runtime" / "sw26010_emu"
PAGE = ROOT / "docs" / "faults.md"

# Slave code alone has these calls: whoever writes them in host code is refused when compiling or
# linking. The runtime looks all the same, for calls that no compiler has seen.
REFUSED_BEFORE = {"mesh-on-mpe", "sync-on-mpe", "dma-on-mpe"}
# Of the surroundings, not of programs.
BY_SETTING = {"mesh-depth": "`WEFT_EMU_MESH_SEND_DEPTH`, or the table of the machine"}

HEAD = """\
<!-- Generated from runtime/sw26010_emu/Faults.def and test/runtime by .ci/generated_faults.py. -->

# Faults and hazards

What the emulator finds in a program. A fault ends the run with status 3, as the machine would stop
or hang. A hazard is a race, or a defect that the machine passes over: it is told once a pair of
places, and the run goes on; `--strict` makes it a fault. Both tell core, cycle, source line, the
calls that led there, what was expected and found, and the other party:

```
weft emu: hazard [ldm-under-dma]: LDM is read before the get that fills it is complete: 8 bytes ...
  CPE 9 (row 1, column 1), cycle 1972639, read_before_get.c:19:12, in f
  expected: the reply of the transfer first
  the get was given by: CPE 9 (row 1, column 1), cycle 1972574, read_before_get.c:17:3, in f
  help: wait for the transfer's reply word before using the buffer
```

Each has a program below `test/runtime/sw26010_emu` that is wrong in this way. Where a message
depends on the program, the table has an ellipsis.

"""
TAIL = """
## What is not found

- Reads of variables on a CPE's stack before anything was written there. The compiler warns of many
  (`-Wuninitialized`); `ldm-not-written` is about memory of `ldm_malloc`, its first two blocks from
  each call, and what is read as a whole before any of its 32 bytes were written.
- A CPE that reads what another CPE is going to broadcast, before the transfer is given: the old
  bytes are as good as any. It is told from when the transfer is given until it is complete, but
  not to a loop that began before.
- A race through plain variables in main memory between CPEs, or between a CPE and the MPE.
- LDM behind the MPE's back: host functions of libraries (`fwrite` and its like) that are given a
  CPE's pointer. What is compiled, `memcpy` included, is told.
- An MPE that waits for ever in a loop with other work, while CPEs look at main memory that it could
  write, or where CPEs are free that it could start. Ctrl-C tells where everybody stands.
"""
MESSAGE = re.compile(
    r"\s*//\s*[A-Z0-9_-]+:\s*(?:(fault|hazard) )?\[([A-Za-z0-9-]+)\](?::\s*(.*))?$"
)


@dataclass
class Known:
    name: str
    kind: str
    meaning: str
    section: str
    shown: list[tuple[Path, str]] = field(default_factory=list)


def known() -> dict[str, Known]:
    found, section = {}, ""
    text = LIST.read_text(encoding="utf-8")
    entry = re.compile(r'^// ---- (.*) ----$|^WEFT_(FAULT|HAZARD)\("([^"]*)",\s*"([^"]*)"\)$', re.M)
    for match in entry.finditer(text):
        if match[1]:
            section = match[1]
        else:
            found[match[3]] = Known(match[3], match[2].lower(), match[4], section)
    if len(found) != len(re.findall(r"^WEFT_", text, re.M)):
        raise SystemExit(f"{LIST}: an entry that cannot be read")
    return found


def shorten(pattern: str) -> str:
    """A message as FileCheck expects it, for people: what varies is an ellipsis."""
    text = re.sub(r"\{\{.*?\}\}|\[\[.*?\]\]", "…", pattern).strip()
    # A place belongs to the program; what stands before it is the message.
    return re.sub(r"…[a-z0-9_]+\.c:….*$", "…", text)


def collect(found: dict[str, Known]) -> None:
    for program in sorted(PROGRAMS.rglob("*.c*")):
        for line in program.read_text(encoding="utf-8").splitlines():
            match = MESSAGE.match(line)
            if not match:
                continue
            if match[2] not in found:
                raise SystemExit(f"{program}: [{match[2]}] is no name of {LIST.name}")
            if match[3]:
                found[match[2]].shown.append((program, shorten(match[3])))
    for one in found.values():
        # Those of the folder of faults first, and of each program the first message.
        one.shown.sort(key=lambda shown: shown[0].parent.name != "faults")
        first: dict[Path, str] = {}
        for program, message in one.shown:
            first.setdefault(program, message)
        one.shown = list(first.items())


def rows(one: Known) -> str:
    if one.shown:
        programs, messages = [], []
        for program, message in one.shown:
            programs.append(f"`{program.relative_to(PROGRAMS)}`")
            if message not in messages:
                messages.append(message)
        shown, said = ", ".join(programs), "<br>".join(cell(message) for message in messages[:3])
    elif one.name in REFUSED_BEFORE:
        shown, said = "", "refused when compiling or linking"
    else:
        shown, said = "", BY_SETTING[one.name]
    return f"| `{one.name}` | {one.kind} | {cell(one.meaning)} | {said} | {shown} |"


def cell(text: str) -> str:
    escaped = text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")
    return escaped.replace("__", "\\_\\_")


def page() -> str:
    found = known()
    collect(found)
    missing = [
        one.name
        for one in found.values()
        if not one.shown and one.name not in REFUSED_BEFORE and one.name not in BY_SETTING
    ]
    if missing:
        raise SystemExit(f"no program of {PROGRAMS} expects the message of: {', '.join(missing)}")
    lines = [HEAD.rstrip("\n"), ""]
    for section in dict.fromkeys(one.section for one in found.values()):
        lines += [
            f"## {section[0].upper()}{section[1:]}",
            "",
            "| name | kind | the program | first line, after the name | shown by |",
            "|---|---|---|---|---|",
            *(rows(one) for one in found.values() if one.section == section),
            "",
        ]
    return "\n".join(lines).rstrip() + "\n" + TAIL


def main() -> int:
    fresh = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(fresh, encoding="utf-8")
        return 0
    committed = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if committed == fresh:
        return 0
    difference = difflib.unified_diff(
        committed.splitlines(), fresh.splitlines(), "docs/faults.md", "generated", lineterm="", n=0
    )
    print("\n".join(list(difference)[:40]))
    print("docs/faults.md is older than the emulator's faults: .ci/generated_faults.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
