# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine tables, targets/<name>/machine.toml: read and validated. No other place has numbers.

Each quantity is a table {value, unit, source, confidence}. What was measured on the user's own
CPU (`weft tune --calibrate`), and what the user writes by hand, are overlays of the same form in
the XDG data folder, the latter stronger; they replace whole quantities and are part of the digest,
hence of the key of the kernel cache. WEFT_NO_OVERLAY=1 leaves both out.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from weft import cpu
from weft.diagnostics import RunError, close_match

CONFIDENCE = ("specification", "measured", "conservative", "convention")
FIELDS = ("value", "unit", "source", "confidence")


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_power_of_two(value: object) -> bool:
    return isinstance(value, int) and _is_count(value) and value & (value - 1) == 0


def _is_stage_costs(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(row, list)
        and len(row) == 4
        and _is_count(row[0])
        and all(isinstance(cost, int) and cost >= 0 for cost in row[1:])
        for row in value
    )


def _is_wide_pipes(value: object) -> bool:
    kinds = 7  # of operations, dsl/passes/pipes/WideCore.h
    return (
        isinstance(value, list)
        and len(value) == kinds
        and all(
            isinstance(row, list) and len(row) == 3 and all(_is_count(number) for number in row)
            for row in value
        )
    )


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


@dataclass(frozen=True)
class Quantity:
    """What the schema says of one key: how to check it and whether passes see it."""

    expected: str
    accepts: Callable[[object], bool]
    for_passes: bool = True
    optional: bool = False


SCHEMA: dict[str, Quantity] = {
    "vector_bytes": Quantity("a power of two", _is_power_of_two),
    "vector_registers": Quantity("a positive integer", _is_count),
    "fma": Quantity("true or false", _is_flag),
    "masked_lanes": Quantity("true or false", _is_flag, optional=True),
    "packed_truths": Quantity("true or false", _is_flag, optional=True),
    "vector_functions": Quantity("true or false", _is_flag, optional=True),
    "l1d_bytes": Quantity("a positive integer", _is_count),
    "l1d_ways": Quantity("a positive integer", _is_count, optional=True),
    "l2_bytes": Quantity("a positive integer", _is_count),
    "l2_ways": Quantity("a positive integer", _is_count, optional=True),
    "l3_bytes": Quantity("a positive integer", _is_count),
    "l3_kept_bytes": Quantity("a positive integer", _is_count, optional=True),
    "l3_bytes_per_second": Quantity("a positive integer", _is_count, optional=True),
    "strip_filter_bytes_per_second": Quantity("a positive integer", _is_count, optional=True),
    "strip_far_filter_bytes_per_second": Quantity("a positive integer", _is_count, optional=True),
    "strip_tile_bytes_per_second": Quantity("a positive integer", _is_count, optional=True),
    "strip_kept_bytes": Quantity("a positive integer", _is_count, optional=True),
    "line_bytes": Quantity("a power of two", _is_power_of_two),
    "stores_past": Quantity("true or false", _is_flag, optional=True),
    "ahead_bytes": Quantity("a positive integer", _is_count, optional=True),
    "ahead_in_order_bytes": Quantity("a positive integer", _is_count, optional=True),
    "ahead_array_bytes": Quantity("a positive integer", _is_count, optional=True),
    "past_in_place_bytes": Quantity("a positive integer", _is_count, optional=True),
    "results_ask": Quantity("true or false", _is_flag, optional=True),
    "short_line_bytes": Quantity("a positive integer", _is_count, optional=True),
    "twin_table_bytes": Quantity("a positive integer", _is_count, optional=True),
    "column_block_array_bytes": Quantity("a positive integer", _is_count, optional=True),
    "wide_crowded_blocks": Quantity("true or false", _is_flag, optional=True),
    "column_block_bytes": Quantity("a positive integer", _is_count, optional=True),
    "stack_bytes": Quantity("a positive integer", _is_count),
    "max_unroll": Quantity("a positive integer", _is_count),
    "split_products_each": Quantity("a positive integer", _is_count),
    "vector_pipes": Quantity("a positive integer", _is_count),
    "sums_apart": Quantity("true or false", _is_flag, optional=True),
    "wide_window": Quantity("a number of operations", _is_count, optional=True),
    "merged_loads": Quantity("true or false", _is_flag, optional=True),
    "wide_pipes": Quantity(
        "7 rows [cycles, busy, pipes] of integers", _is_wide_pipes, optional=True
    ),
    "reorder_window": Quantity("a positive integer", _is_count, optional=True),
    "clock_hz": Quantity("a positive integer", _is_count),
    "memory_bytes_per_second": Quantity("a positive integer", _is_count),
    "four_step_double_bytes": Quantity("a positive integer", _is_count, optional=True),
    "four_step_single_bytes": Quantity("a positive integer", _is_count, optional=True),
    "four_step_columns_per_row": Quantity("a positive integer", _is_count, optional=True),
    "four_step_uncrowded_points": Quantity("a positive integer", _is_count, optional=True),
    "dft_stage_cycles": Quantity(
        "rows [radix, first, inner, last] of integers", _is_stage_costs, optional=True
    ),
    "dft_single_stage_cycles": Quantity(
        "rows [radix, first, inner, last] of integers", _is_stage_costs, optional=True
    ),
    "dft_column_stage_cycles": Quantity(
        "rows [radix, first, inner, last] of integers", _is_stage_costs, optional=True
    ),
    "dft_line_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_l2_stage_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_pair_stage_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_empty_lane_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "dft_slab_line_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_packing_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_packed_operation_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_packed_array_bytes": Quantity("a positive integer", _is_count, optional=True),
    "dft_double_many_rows_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_crowded_rounds": Quantity("a positive integer", _is_count, optional=True),
    "dft_crowded_turns": Quantity("a positive integer", _is_count, optional=True),
    "dft_crowded_columns_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_crowded_results_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_column_array_bytes": Quantity("a positive integer", _is_count, optional=True),
    "dft_put_round_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_column_row_bytes": Quantity("a positive integer", _is_count, optional=True),
    "dft_crowded_rows_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_packed_edge_vectors": Quantity("a positive integer", _is_count, optional=True),
    "dft_convolution_line_bytes": Quantity("a positive integer", _is_count, optional=True),
    "dft_rader_line_bytes": Quantity("a positive integer", _is_count, optional=True),
    "dft_turning_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_turned_operation_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_turned_point_cycles": Quantity("a positive integer", _is_count, optional=True),
    "dft_turned_double_points": Quantity("a positive integer", _is_count, optional=True),
    "dft_turned_single_points": Quantity("a positive integer", _is_count, optional=True),
    "dft_turned_operations": Quantity("a positive integer", _is_count, optional=True),
    "products_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "tiles_of_five_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "tiles_of_six_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "sums_in_tiles_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "filters_apart_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "cores": Quantity("a positive integer", _is_count, optional=True),
    "mesh_rows": Quantity("a positive integer", _is_count, optional=True),
    "transfer_word_bytes": Quantity("a positive integer", _is_count, optional=True),
    "long_run_bytes": Quantity("a positive integer", _is_count, optional=True),
    "start_cycles": Quantity("a positive integer", _is_count, optional=True),
    "nest_cycles": Quantity("a positive integer", _is_count, optional=True),
    "halo_cycles": Quantity("a positive integer", _is_count, optional=True),
    "halo_message_cycles": Quantity("a positive integer", _is_count, optional=True),
    "collect_cycles": Quantity("a positive integer", _is_count, optional=True),
    "collect_message_cycles": Quantity("a positive integer", _is_count, optional=True),
    "mpe_operation_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "mpe_sum_cycles": Quantity("a positive integer", _is_count, optional=True),
    "mpe_byte_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "part_cycles": Quantity("a positive integer", _is_count, optional=True),
    "own_line_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "reply_cycles": Quantity("a positive integer", _is_count, optional=True),
    "rest_cycles": Quantity("a positive integer", _is_count, optional=True),
    "mixing_cycles": Quantity("a positive integer", _is_count, optional=True),
    "operation_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "function_cycles": Quantity("a positive integer", _is_count, optional=True),
    "crowded_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "open_hundredths": Quantity("a positive integer", _is_count, optional=True),
    "ldm_bytes": Quantity("a positive integer", _is_count, optional=True),
    "ldm_reserved_bytes": Quantity("a positive integer", _is_count, optional=True),
    "float_lanes": Quantity("a positive integer", _is_count, optional=True),
    "cpu_flags": Quantity("an array of strings", _is_strings, for_passes=False),
    "c_flags": Quantity("an array of strings", _is_strings, for_passes=False),
    "gcc_flags": Quantity("an array of strings", _is_strings, optional=True, for_passes=False),
}


PIPELINE = (
    "fp",
    "divide_double",
    "root_double",
    "lane",
    "integer",
    "load_vector",
    "store",
    "control",
)
"""Kinds of instructions of a core group's cores, whose cycles the emulator and the passes share:
rows of `pipeline`, [latency, busy, pipe]."""

ISSUE = (
    "decode_width",
    "issue_queue",
    "branch.taken",
    "branch.mispredicted",
    "icache.line",
    "icache.miss",
)
"""How such a core issues: the entries of `issue`, a line in instructions."""


@dataclass(frozen=True)
class Machine:
    """One target's numbers, validated."""

    name: str
    values: dict[str, Any]
    folder: Path
    digest: str
    pipeline: tuple[tuple[int, int, int], ...] = ()
    code_instructions: int = 0
    issue: tuple[int, ...] = ()
    without: tuple[str, ...] = ()  # passes that are left out

    @property
    def cpu_flags(self) -> tuple[str, ...]:
        """What a CPU must report to run the target's code, as in /proc/cpuinfo."""
        return tuple(self.values["cpu_flags"])

    @property
    def c_flags(self) -> tuple[str, ...]:
        """The C compiler's flags, instruction set included."""
        return tuple(self.values["c_flags"])

    @property
    def gcc_flags(self) -> tuple[str, ...]:
        """What GCC is given beside them: others refuse a flag that they do not know."""
        return tuple(self.values.get("gcc_flags", ()))

    @property
    def is_core_group(self) -> bool:
        """Whether kernels are programs of a management core and compute cores: two C files, run
        by the emulator, not by this CPU."""
        return "cores" in self.values

    def attribute(self) -> str:
        """The dictionary that passes read from the module attribute `weft.target`."""
        entries = [f'name = "{self.name}"']
        for key, quantity in SCHEMA.items():
            if not quantity.for_passes or key not in self.values:
                continue
            value = self.values[key]
            if isinstance(value, bool):
                entries.append(f"{key} = {'true' if value else 'false'}")
            elif isinstance(value, list):
                flat = ", ".join(str(number) for row in value for number in row)
                entries.append(f"{key} = array<i64: {flat}>")
            else:
                entries.append(f"{key} = {value} : i64")
        if self.pipeline:
            flat = ", ".join(str(number) for row in self.pipeline for number in row)
            entries.append(f"pipeline = array<i64: {flat}>")
            entries.append(f"code_instructions = {self.code_instructions} : i64")
            entries.append(f"issue = array<i64: {', '.join(map(str, self.issue))}>")
        return "{" + ", ".join(entries) + "}"


def targets_folder() -> Path:
    """targets/ of the working tree when run from one, so that edits are live; else as installed."""
    package = Path(__file__).resolve().parent
    tree = package.parent.parent / "targets"
    if package.parent.name == "dsl" and (tree / "README.md").exists():
        return tree
    return package / "targets"


def target_names() -> list[str]:
    """Every target that C can be emitted for, sorted."""
    return sorted(path.parent.name for path in targets_folder().glob("*/intrinsics.toml"))


def overlay_file(name: str) -> Path:
    """Where the user's own numbers lie, for every CPU; whether or not there are any."""
    return _overlays(name) / "machine.toml"


def calibration_file(name: str) -> Path:
    """Where the calibration on this model of CPU lies, whether or not it exists."""
    return _overlays(name) / f"{cpu.model()}.toml"


def known_file(name: str) -> Path | None:
    """What comes with Weft for this model of CPU, or for its family, beside the target's table."""
    folder = targets_folder() / name / "cpus"
    model = cpu.model()
    files = (folder / f"{model}.toml", folder / f"{model.rpartition('-')[0]}.toml")
    return next((file for file in files if file.is_file()), None)


def _overlays(name: str) -> Path:
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "weft" / "targets" / name


def overlays_left_out() -> bool:
    """As WEFT_NO_OVERLAY says; RunError where it says neither."""
    asked = os.environ.get("WEFT_NO_OVERLAY", "")
    if asked not in ("", "0", "1"):
        raise RunError("WEFT_NO_OVERLAY is not understood", expected="0 or 1", found=asked)
    return asked == "1"


def overlays(name: str) -> list[Path]:
    """The overlays in force, the stronger one last."""
    if overlays_left_out():
        return []
    own = [file for file in (calibration_file(name), overlay_file(name)) if file.is_file()]
    known = known_file(name)
    return [known, *own] if known else own


def load(name: str) -> Machine:
    """The machine called `name`; RunError where there is none or its table breaks the schema."""
    return _load(
        name, targets_folder(), tuple((file, file.read_bytes()) for file in overlays(name))
    )


def plain(name: str) -> Machine:
    """The target's own table, without overlays."""
    return _load(name, targets_folder(), ())


def as_it_comes(name: str) -> Machine:
    """With what comes with Weft for this CPU, without what was measured or written here."""
    known = None if overlays_left_out() else known_file(name)
    return _load(name, targets_folder(), ((known, known.read_bytes()),) if known else ())


@cache
def _load(name: str, folder: Path, overlays: tuple[tuple[Path, bytes], ...]) -> Machine:
    """With the content of each overlay: a calibration made meanwhile counts at once."""
    table = folder / name / "machine.toml"
    known = sorted(path.parent.name for path in folder.glob("*/intrinsics.toml"))
    if name not in known:
        raise RunError(
            f"no target {name!r}",
            expected="one of " + ", ".join(known),
            found=repr(name),
            help=close_match(name, known) or "targets/README.md says how to add a target",
        )
    values = read_table(table)
    for key, quantity in SCHEMA.items():
        if key not in values and not quantity.optional:
            raise RunError(
                f"{table}: the quantity {key!r} is missing", help="add the table " + f"[{key}]"
            )
    for overlay, _ in overlays:
        values.update(read_table(overlay))
    digest = _digest(table.parent, values)
    document = _document(table)
    pipeline = _pipeline(document)
    code = _code(document["cpe"]) if pipeline else 0
    issue = _issue(document["cpe"]) if pipeline else ()
    return Machine(name, values, table.parent, digest, pipeline, code, issue)


def read_table(path: Path) -> dict[str, Any]:
    """The values of one table, each checked against the schema; keys may be missing."""
    return {key: _checked(path, key, entry) for key, entry in _entries(path).items()}


def units_of(name: str) -> dict[str, str]:
    """By quantity, its unit in the tables that come with Weft, the target's and its CPUs'."""
    folder = targets_folder() / name
    files = [*sorted(folder.glob("cpus/*.toml")), folder / "machine.toml"]
    return {key: str(entry["unit"]) for file in files for key, entry in _entries(file).items()}


def _pipeline(document: dict[str, Any]) -> tuple[tuple[int, int, int], ...]:
    """Nothing for a CPU."""
    kinds = [document.get("cpe", {}).get(kind) for kind in PIPELINE]
    if not all(kinds):
        return ()
    fields = ("latency", "busy", "pipe")
    rows = [tuple(int(kind[field]["value"]) for field in fields) for kind in kinds if kind]
    return tuple((latency, busy, pipe) for latency, busy, pipe in rows)


def _code(core: dict[str, Any]) -> int:
    """Instructions that a core holds."""
    return int(core["icache"]["bytes"]["value"]) // int(core["instruction_bytes"]["value"])


def _issue(core: dict[str, Any]) -> tuple[int, ...]:
    """The entries of ISSUE."""
    instruction = int(core["instruction_bytes"]["value"])
    numbers = {}
    for name in ISSUE:
        entry = core
        for part in name.split("."):
            entry = entry[part]
        numbers[name] = int(entry["value"])
    numbers["icache.line"] //= instruction
    return tuple(numbers.values())


def _entries(path: Path) -> dict[str, Any]:
    return {key: entry for key, entry in _document(path).items() if not _is_group(entry)}


def _document(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return document
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: not a TOML file: {error}") from None


def _is_group(entry: object) -> bool:
    """Quantities of the emulator's stand in groups; the compiler's do not."""
    return isinstance(entry, dict) and all(isinstance(inner, dict) for inner in entry.values())


def _checked(path: Path, key: str, entry: object) -> object:
    quantity = SCHEMA.get(key)
    if quantity is None:
        raise RunError(
            f"{path}: unknown quantity {key!r}",
            expected="one of " + ", ".join(SCHEMA),
            help=close_match(key, SCHEMA),
        )
    if not isinstance(entry, dict) or set(entry) != set(FIELDS):
        found = ", ".join(entry) if isinstance(entry, dict) else type(entry).__name__
        raise RunError(
            f"{path}: {key}: not a quantity",
            expected="a table with " + ", ".join(FIELDS),
            found=found,
        )
    for field in ("unit", "source"):
        if not isinstance(entry[field], str) or not entry[field]:
            raise RunError(f"{path}: {key}.{field}: expected a non-empty string")
    if entry["confidence"] not in CONFIDENCE:
        raise RunError(
            f"{path}: {key}.confidence",
            expected="one of " + ", ".join(CONFIDENCE),
            found=repr(entry["confidence"]),
        )
    if not quantity.accepts(entry["value"]):
        raise RunError(
            f"{path}: {key}.value", expected=quantity.expected, found=repr(entry["value"])
        )
    return entry["value"]


def _digest(folder: Path, values: dict[str, Any]) -> str:
    """Over the values in force and every data file of the target."""
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
    for path in sorted(folder.iterdir()):
        if path.suffix in (".toml", ".h"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
