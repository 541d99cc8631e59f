# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One text through everything up to C: a diagnostic or C, whatever the text.

python -m fuzz.through 0:100000      seeds of mutated sources (from the folder test/)
python -m fuzz.through --show 4711   the source of a seed
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from fuzz import guarded
from fuzz.kernels import of_seed
from fuzz.mutate import mutated
from semantics.typed_rules import check_module
from weft import artifacts, backend, frontend
from weft import machine as machines
from weft.diagnostics import SourceError
from weft.semantics import checker
from weft.syntax import parser, source

# Passes and emission take longer than all before: one of so many that get there.
FURTHER = 3


def attempt(seed: int) -> str:
    """How far the mutated source of the seed gets. Raises what must not happen."""
    return through(mutated(seed), random.Random(seed))


def through(data: bytes, pick: random.Random) -> str:
    try:
        text = source.decode(data, "t.weft")
        checked = checker.check(parser.parse(text, "t.weft"))
    except SourceError as error:
        _told(error)
        return "refused"
    got = "checked"
    for name, signature in checked.names().items():
        sizes = {size: pick.choice([1, 2, 3, 4, 5, 8]) for size in signature.sizes}
        try:
            module = checker.instantiate(checked, name, sizes)
        except SourceError as error:
            _told(error)
            got = "refused with sizes"
            continue
        check_module(module)
        machine = machines.load(pick.choice(["portable", "avx2", "avx512"]))
        lowered = frontend.lower([module], machine.attribute(), text)
        got = "lowered"
        if pick.randrange(FURTHER) == 0:
            assert emitted(lowered, machine)
            got = "emitted"
    return got


def kernel(seed: int) -> str:
    """The random kernel of the seed through everything up to C, for both targets."""
    program = of_seed(seed)
    checked = checker.check(parser.parse(program.text, "t.weft"))
    module = checker.instantiate(checked, program.kernel, program.sizes)
    check_module(module)
    for target in ("portable", "avx2", "avx512"):
        machine = machines.load(target)
        lowered = frontend.lower([module], machine.attribute(), program.text)
        assert emitted(lowered, machine)
    return "emitted"


def emitted(lowered: str, machine: machines.Machine) -> str:
    """Stages 4 and 5 up to the C."""
    module = backend.run_passes(lowered, machine, artifacts.Dump(None))
    return backend.emit(module, lowered, machine, "fuzz").c


def _told(error: SourceError) -> None:
    for diagnostic in error.diagnostics:
        rendered = diagnostic.render()
        assert diagnostic.message, rendered
        assert "Traceback" not in rendered, rendered
        assert diagnostic.span.line >= 1, rendered
        assert diagnostic.span.column >= 1, rendered
        assert len(rendered) < 8000, len(rendered)


def main(words: list[str]) -> int:
    if words[0] == "--show":
        sys.stdout.buffer.write(mutated(int(words[1])))
        return 0
    tried = kernel if words[0] == "--kernels" else attempt
    first, last = (int(word) for word in words[-1].split(":"))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        verdicts, bad = guarded.run(tried, range(first, last), log, said=True)
    for seed, what in bad:
        print(f"seed {seed}: {what}")
    print(verdicts, f"{len(bad)} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
