# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weft tune --calibrate: this CPU's own numbers for the cost model, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from weft.cli.failure import asked_for
from weft.cli.tuning_progress import calibrating

if TYPE_CHECKING:
    from weft.tuning.calibration import Calibration


def run(target: str | None, remove: bool) -> None:
    """Measures and writes the overlay; or removes it."""
    from weft import machine, toolchain
    from weft.tuning import calibration

    name = target or toolchain.default_target()
    if remove:
        file = calibration.remove(name)
        told = f"removed {file}" if file else f"there is no calibration of {name} for this CPU"
        typer.echo(told)
        return
    with asked_for():
        made = _measured(name)
    before, after = (100 * made.error(costs) for costs in (made.before, made.after))
    typer.echo(
        f"{name}: {len(made.measured)} transforms measured; the table that comes with Weft is"
        f" {before:.0f} % off on average, the fitted one {after:.0f} %"
    )
    others = {n: ratio for n, ratio in made.compared().items() if n != calibration.COMES}
    typer.echo(
        f"{len(made.judged)} other batches of lines, times of what tables choose beside that of the"
        f" one that comes with Weft: {', '.join(f'{n} {r:.3f}' for n, r in others.items())}"
    )
    file = calibration.write(made)
    if file is None:
        typer.echo("none is faster: the table that comes with Weft is in force")
        return
    typer.echo(str(file))
    if machine.overlays_left_out():
        typer.echo("WEFT_NO_OVERLAY=1 is set: it is not used", err=True)


def _measured(name: str) -> Calibration:
    from weft import machine
    from weft.tuning import calibration

    calibration.require(machine.plain(name))
    with calibrating(name) as told:
        return calibration.run(name, told)
