# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The network between core groups: how long an exchange takes, by the numbers of `machine.toml`.

A node has a few groups, which share its way into the network. An exchange begins when the last
group has come to it. Each group then sends a message to each of the others and gets one from each:
what leaves a node goes through its share, both directions at once; messages follow one another,
each with its latency. Between groups of one node messages are taken to be as slow as beyond it:
what the memory that they share would give is not published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft import emu
from weft.diagnostics import RunError


@dataclass(frozen=True)
class Network:
    """The numbers in force."""

    node_bytes_per_second: float
    groups_per_node: int
    message_seconds: float
    contention: float

    @staticmethod
    def of_machine() -> Network:
        known = {one.name: one.value for one in emu.parameters()}
        names = [
            f"network.{name}"
            for name in ("node_bytes_per_second", "groups_per_node", "message_seconds")
        ]
        wanted = [*names, "network.contention"]
        missing = [name for name in wanted if name not in known]
        if missing:
            raise RunError(
                f"{emu.machine_file()}: the quantity {missing[0]!r} is missing",
                help="groups exchange through a network: the table needs a section [network]",
            )
        bandwidth, groups, latency, contention = (known[name] for name in wanted)
        return Network(float(bandwidth), int(groups), float(latency), float(contention))

    def exchange_seconds(self, each: int, groups: int) -> float:
        """Of a message of `each` bytes from every group to every other one."""
        messages = groups - 1
        sharing = min(groups, self.groups_per_node)
        return messages * (self.message_seconds + each * sharing / self.node_bytes_per_second)

    def overlapped_seconds(self, network: float, computing: float) -> float:
        """Of an exchange beside computing that does not depend on it: both move the same memory, so
        that each second of computing slows the exchange by a part of itself."""
        together = min(network, computing)
        return max(network, computing) + self.contention * together


@dataclass(frozen=True)
class Exchange:
    """One meeting of the groups: by its kind, the bytes of a message, and when each group came."""

    kind: str
    each: int
    spent: Sequence[float]
    """Seconds of each group since the meeting before."""


@dataclass(frozen=True)
class Course:
    """How a run of all groups went, on one clock."""

    seconds: float
    computing: float
    """Of the group that computed longest, all phases together."""
    exchanging: float
    """Of all exchanges."""
    beside: float
    """Of it what passed while the groups computed."""
    waiting: float
    """For the last group to come, of the group that waited longest."""


def course(
    network: Network, exchanges: Sequence[Exchange], rest: Sequence[float], groups: int
) -> Course:
    """From what each group spent before each exchange and after the last one (`rest`).

    Where fewer groups were run than there are, the others take as long as those. What is begun
    goes on from when the last group has begun it, and after what was begun before.
    """
    clocks = [0.0] * len(rest)
    computed, waited = [0.0] * len(rest), [0.0] * len(rest)
    exchanging = beside = 0.0
    under_way: list[tuple[float, float, list[float]]] = []  # begin, duration, computed by then
    for one in exchanges:
        arrivals = [clock + spent for clock, spent in zip(clocks, one.spent, strict=True)]
        last = max(arrivals)
        computed = [sum(pair) for pair in zip(computed, one.spent, strict=True)]
        if one.kind == "alltoall_end":
            begin, taken, before = under_way.pop(0)
            meanwhile = max(now - then for now, then in zip(computed, before, strict=True))
            done = begin + network.overlapped_seconds(taken, meanwhile)
            clocks = [max(arrival, done) for arrival in arrivals]
            beside += taken - min(taken, max(0.0, done - last))
            if under_way:
                following, lasting, by_then = under_way[0]
                under_way[0] = (max(following, done), lasting, by_then)
            continue
        taken = network.exchange_seconds(one.each, groups)
        exchanging += taken
        if one.kind == "alltoall_begin":
            under_way.append((last, taken, computed))
            clocks = arrivals
            continue
        waited = [w + last - arrival for w, arrival in zip(waited, arrivals, strict=True)]
        clocks = [last + taken] * len(clocks)
    ends = [clock + spent for clock, spent in zip(clocks, rest, strict=True)]
    computed = [sum(pair) for pair in zip(computed, rest, strict=True)]
    return Course(max(ends), max(computed), exchanging, beside, max(waited))
