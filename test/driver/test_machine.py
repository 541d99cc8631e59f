# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machine tables: what is accepted, what is refused and how it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomllib

from weft import machine
from weft.diagnostics import RunError

ENTRY = '[{key}]\nvalue = {value}\nunit = "u"\nsource = "s"\nconfidence = "measured"\n'


@pytest.mark.parametrize("name", machine.target_names())
def test_shipped_tables_are_valid(name: str) -> None:
    values = machine.load(name).values
    needed = {key for key, quantity in machine.SCHEMA.items() if not quantity.optional}
    assert needed <= set(values) <= set(machine.SCHEMA)


def test_attribute_has_the_keys_that_passes_read() -> None:
    text = machine.load("avx512").attribute()
    assert text.startswith('{name = "avx512", vector_bytes = 64 : i64')
    assert "fma = true" in text
    assert "c_flags" not in text
    assert "fma = false" in machine.load("portable").attribute()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ENTRY.format(key="vector_byte", value=64), "unknown quantity 'vector_byte'"),
        (ENTRY.format(key="vector_bytes", value=48), "expected: a power of two"),
        (ENTRY.format(key="vector_bytes", value='"64"'), "vector_bytes.value"),
        (ENTRY.format(key="vector_registers", value="true"), "expected: a positive integer"),
        (ENTRY.format(key="fma", value=1), "expected: true or false"),
        ("vector_bytes = 64\n", "vector_bytes: not a quantity"),
        ("[l2_bytes]\nvalue = 1\n", "expected: a table with value, unit, source, confidence"),
        (ENTRY.format(key="l2_bytes", value=1).replace("measured", "sure"), "l2_bytes.confidence"),
        (ENTRY.format(key="l2_bytes", value=1).replace('"s"', '""'), "l2_bytes.source"),
        ("[l2_bytes\n", "not a TOML file"),
    ],
)
def test_wrong_table_is_refused_by_file_and_key(tmp_path: Path, text: str, told: str) -> None:
    table = tmp_path / "machine.toml"
    table.write_text(text)
    with pytest.raises(RunError) as caught:
        machine.read_table(table)
    assert str(table) in str(caught.value)
    assert told in str(caught.value)


def test_unknown_target_names_a_near_one() -> None:
    with pytest.raises(RunError, match="did you mean 'avx512'"):
        machine.load("avx521")


def test_overlay_replaces_one_quantity_and_changes_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    plain = machine.load("portable")
    overlay = machine.overlay_file("portable")
    overlay.parent.mkdir(parents=True)
    overlay.write_text(ENTRY.format(key="l2_bytes", value=2097152))
    calibrated = machine.load("portable")
    assert calibrated.values == {**plain.values, "l2_bytes": 2097152}
    assert calibrated.digest != plain.digest
    monkeypatch.setenv("WEFT_NO_OVERLAY", "1")
    assert machine.load("portable").digest == plain.digest


def test_a_known_family_of_cpus_has_numbers_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    monkeypatch.setattr("weft.cpu.model", lambda: "AuthenticAMD-25-17")
    plain = machine.plain("avx512").values
    known = machine.load("avx512").values
    assert machine.known_file("avx512") in machine.overlays("avx512")
    assert {key for key in known if known[key] != plain.get(key)} == {
        "ahead_array_bytes",
        "dft_column_stage_cycles",
        "dft_crowded_columns_cycles",
        "dft_crowded_results_cycles",
        "dft_crowded_rows_cycles",
        "dft_crowded_turns",
        "dft_packed_array_bytes",
        "dft_packed_operation_cycles",
        "dft_packing_cycles",
        "dft_slab_line_cycles",
        "dft_turned_operation_cycles",
        "dft_turned_point_cycles",
        "l3_bytes_per_second",
        "merged_loads",
        "products_hundredths",
        "sums_apart",
        "tiles_of_five_hundredths",
        "tiles_of_six_hundredths",
        "wide_pipes",
    }
    own = machine.calibration_file("avx512")
    own.parent.mkdir(parents=True)
    own.write_text(ENTRY.format(key="products_hundredths", value=150))
    assert machine.load("avx512").values["products_hundredths"] == 150  # the stronger one
    monkeypatch.setenv("WEFT_NO_OVERLAY", "1")
    assert machine.load("avx512").values == plain


def test_numbers_of_cpus_are_quantities_that_the_target_has_otherwise() -> None:
    files = sorted(machine.targets_folder().glob("*/cpus/*.toml"))
    assert files
    for file in files:
        plain = machine.plain(file.parent.parent.name).values
        own = machine.read_table(file)
        assert own
        # What the target leaves out is one way of having it otherwise: nothing was measured there.
        assert all(plain.get(key) != value for key, value in own.items()), file


def test_a_model_comes_before_its_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "avx512" / "cpus"
    folder.mkdir(parents=True)
    monkeypatch.setattr(machine, "targets_folder", lambda: tmp_path)
    monkeypatch.setattr("weft.cpu.model", lambda: "Some-1-2")
    assert machine.known_file("avx512") is None
    (folder / "Some-1.toml").touch()
    assert machine.known_file("avx512") == folder / "Some-1.toml"
    (folder / "Some-1-2.toml").touch()
    assert machine.known_file("avx512") == folder / "Some-1-2.toml"


def test_changed_overlay_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("WEFT_NO_OVERLAY", raising=False)
    overlay = machine.overlay_file("portable")
    overlay.parent.mkdir(parents=True)
    for value in (4096, 8192):
        overlay.write_text(ENTRY.format(key="l1d_bytes", value=value))
        assert machine.load("portable").values["l1d_bytes"] == value


def test_passes_are_told_of_a_core_s_pipes() -> None:
    """By the numbers that the emulator charges."""
    group = machine.load("sw26010")
    assert len(group.pipeline) == len(machine.PIPELINE)
    float_row = group.pipeline[machine.PIPELINE.index("fp")]
    assert float_row == (7, 1, 0)
    flat = ", ".join(str(number) for row in group.pipeline for number in row)
    assert f"pipeline = array<i64: {flat}>" in group.attribute()
    assert "code_instructions = 4096 : i64" in group.attribute()
    assert "pipeline" not in machine.load("avx512").attribute()


def test_passes_count_with_the_start_that_the_emulator_has() -> None:
    """They see flat quantities only: those that say the same as the emulator's are equal to it."""
    file = machine.targets_folder() / "sw26010" / "machine.toml"
    table = tomllib.loads(file.read_text())
    seen = machine.load("sw26010").values
    spawn = table["spawn"]
    assert seen["start_cycles"] == spawn["start"]["value"] + spawn["join"]["value"]
    assert seen["function_cycles"] == table["cpe"]["library"]["elementary"]["value"]
    assert seen["mpe_sum_cycles"] == table["mpe"]["float_latency"]["value"]


def test_overlays_are_left_out_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_NO_OVERLAY", "0")
    assert not machine.overlays_left_out()
    monkeypatch.setenv("WEFT_NO_OVERLAY", "true")
    with pytest.raises(RunError, match="WEFT_NO_OVERLAY is not understood"):
        machine.load("portable")
