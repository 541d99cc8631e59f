# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several emulated core groups: a program of the emulator each, and the network between them.

Every group runs for real, in a process of its own. Where they exchange, each writes what it gives
to a pipe, with the time that it has spent since the exchange before, and reads what it gets from
another one. This process is the network: it moves the bytes, and `network.course` says how long
that takes on the machine. The emulated time of a group stands still meanwhile, so that the whole is
as deterministic as one group is.
"""

from __future__ import annotations

import os
import select
import struct
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft import emu, events
from weft.diagnostics import RunError
from weft.network import Course, Exchange, Network, course

if TYPE_CHECKING:
    import numpy as np

# As the program below numbers them.
KINDS = ("alltoall", "allgather", "alltoall_begin", "alltoall_end")
_HEAD = struct.Struct("=qqd")  # kind, bytes of a block, seconds since the exchange before

# Of the program's main function, for kernels over groups.
C = """
#include <signal.h>

/* As the kernel has it. */
struct weft_groups {
  int group, groups;
  void *context;
  int (*alltoall)(void *context, const void *from, void *to, size_t each);
  int (*allgather)(void *context, const void *from, void *to, size_t each);
  int (*alltoall_begin)(void *context, const void *from, void *to, size_t each);
  int (*alltoall_end)(void *context, const void *from, void *to, size_t each);
};

static struct weft_groups weft_all;
static FILE *weft_up, *weft_down;
static double weft_since;

struct weft_head {
  long kind, each;
  double spent;
};

/* Gives to whoever plays the network, and gets; the clock of this group does not count it. */
static int weft_meet(long kind, const void *from, size_t sent, void *to, size_t taken,
                     size_t each) {
  struct weft_head head = {kind, (long)each, weft_seconds() - weft_since};
  if (fwrite(&head, sizeof head, 1, weft_up) != 1 || fwrite(from, 1, sent, weft_up) != sent ||
      fflush(weft_up) || fread(to, 1, taken, weft_down) != taken)
    return 1;
  weft_since = weft_seconds();
  return 0;
}

static int weft_meet_alltoall(void *context, const void *from, void *to, size_t each) {
  (void)context;
  return weft_meet(0, from, each * weft_all.groups, to, each * weft_all.groups, each);
}

/* The bytes are there at once, and the clock says when they would be. */
static int weft_meet_begin(void *context, const void *from, void *to, size_t each) {
  (void)context;
  return weft_meet(2, from, each * weft_all.groups, to, each * weft_all.groups, each);
}

static int weft_meet_end(void *context, const void *from, void *to, size_t each) {
  (void)context;
  return weft_meet(3, from, 0, to, 0, each);
}

static int weft_meet_allgather(void *context, const void *from, void *to, size_t each) {
  (void)context;
  return weft_meet(1, from, each, to, each * weft_all.groups, each);
}

/* Its words: the number of the group, and the two pipes. */
static int weft_join(int groups, char **words) {
  /* Where another group has ended, writing fails, and so does the exchange. */
  signal(SIGPIPE, SIG_IGN);
  weft_all.group = atoi(words[0]);
  weft_all.groups = groups;
  weft_all.alltoall = weft_meet_alltoall;
  weft_all.allgather = weft_meet_allgather;
  weft_all.alltoall_begin = weft_meet_begin;
  weft_all.alltoall_end = weft_meet_end;
  weft_up = fopen(words[1], "wb");
  weft_down = weft_up ? fopen(words[2], "rb") : NULL;
  return weft_down == NULL;
}
"""


class _Ended(Exception):
    """A group has ended while the others wait for it."""


class _Pipe:
    """One group's two pipes, which never block for longer than the group lives."""

    def __init__(self, folder: Path, group: int, ended: threading.Event) -> None:
        self.up, self.down = folder / f"up-{group}", folder / f"down-{group}"
        for path in (self.up, self.down):
            os.mkfifo(path)
        self._read = os.open(self.up, os.O_RDONLY | os.O_NONBLOCK)
        # Both ends, for there is no reader yet.
        self._write = os.open(self.down, os.O_RDWR | os.O_NONBLOCK)
        self._ended = ended

    def close(self) -> None:
        os.close(self._read)
        os.close(self._write)

    def let_go(self) -> None:
        """Wakes a group that opens a closed pipe only now: it finds nobody at the other end."""
        for path, flags in ((self.up, os.O_RDONLY), (self.down, os.O_RDWR)):
            os.close(os.open(path, flags | os.O_NONBLOCK))

    def _wait(self, file: int, what: int) -> None:
        poll = select.poll()
        poll.register(file, what)
        while not poll.poll(100):
            if self._ended.is_set():
                raise _Ended

    def take(self, size: int) -> bytes | None:
        """So many bytes; None where the group has ended instead."""
        parts: list[bytes] = []
        while size:
            try:
                self._wait(self._read, select.POLLIN)
            except _Ended:
                return None
            part = os.read(self._read, min(size, 1 << 20))
            if not part:
                if self._ended.is_set() or parts:
                    return None
                # Nobody has opened it yet, or closed it just now.
                time.sleep(0.01)
                continue
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def give(self, data: memoryview) -> None:
        while data:
            self._wait(self._write, select.POLLOUT)
            data = data[os.write(self._write, data[: 1 << 16]) :]


def run(
    program: Path,
    index: int,
    groups: int,
    inputs: Sequence[np.ndarray],
    outputs: Sequence[np.ndarray],
    subject: events.Subject = events.NOBODY,
) -> tuple[int, dict[str, Any]]:
    """As `emulated.run`, of arrays with the groups in front; the report is that of group 0, with
    `kernel_seconds` of all groups together and what the network took.

    Of arrays with fewer groups in front only the first groups are run. The others are taken to be
    like them, in what they send and in their time: results are then those of no program, while the
    time is a projection.
    """
    there = len([*inputs, *outputs][0])
    with (
        tempfile.TemporaryDirectory(prefix="weft-run-") as name,
        events.timed("emulation", subject, level=2),
    ):
        folder = Path(name)
        dones: list[emu.Run | BaseException | None] = [None] * there
        ended = [threading.Event() for _ in range(there)]
        pipes = [_Pipe(folder, group, ended[group]) for group in range(there)]

        def turn(group: int) -> None:
            given, made = folder / f"inputs-{group}", folder / f"outputs-{group}"
            try:
                given.write_bytes(b"".join(array[group].tobytes() for array in inputs))
                pipe = pipes[group]
                files = [str(path) for path in (given, made)]
                more = [str(group), str(pipe.up), str(pipe.down)]
                dones[group] = emu.run([program, str(index), *files, *more])
            except BaseException as error:
                dones[group] = error
            ended[group].set()

        threads = [threading.Thread(target=turn, args=(group,)) for group in range(there)]
        for thread in threads:
            thread.start()
        try:
            exchanges = _network(pipes, groups)
        finally:
            for pipe in pipes:
                pipe.close()
            for pipe, thread in zip(pipes, threads, strict=True):
                while thread.is_alive():
                    pipe.let_go()
                    thread.join(0.05)
        statuses, rest = _results(dones, folder, outputs)
    network = Network.of_machine()
    spent = course(network, exchanges, rest, groups)
    beside = network.overlapped_seconds(spent.exchanging, spent.computing)
    first = dones[0]
    assert isinstance(first, emu.Run)
    failed = [status for status in statuses if status != 0]
    status = next((one for one in failed if one > 0), failed[0] if failed else 0)
    report = {
        **first.report,
        "kernel_seconds": spent.seconds,
        "groups": {**_told(exchanges, spent, groups, there), "overlapped_seconds": beside},
    }
    return status, report


def _network(pipes: Sequence[_Pipe], groups: int) -> list[Exchange]:
    """Moves what groups exchange until one of them has ended; those that are not run send what the
    others send."""
    exchanges: list[Exchange] = []
    while True:
        heads: list[tuple[int, int, float]] = []
        sent: list[bytes] = []
        for pipe in pipes:
            head = pipe.take(_HEAD.size)
            if head is None:
                return exchanges
            kind, each, spent = _HEAD.unpack(head)
            blocks = {"allgather": 1, "alltoall_end": 0}.get(KINDS[kind], groups)
            data = pipe.take(each * blocks)
            if data is None:
                return exchanges
            heads.append((kind, each, spent))
            sent.append(data)
        kind, each, _ = heads[0]
        exchanges.append(Exchange(KINDS[kind], each, [spent for _, _, spent in heads]))
        if KINDS[kind] == "alltoall_end":
            continue
        for group, pipe in enumerate(pipes):
            at = 0 if KINDS[kind] == "allgather" else group * each
            got = b"".join(sent[sender % len(sent)][at : at + each] for sender in range(groups))
            try:
                pipe.give(memoryview(got))
            except _Ended:
                return exchanges


def _results(
    dones: Sequence[emu.Run | BaseException | None], folder: Path, outputs: Sequence[np.ndarray]
) -> tuple[list[int], list[float]]:
    """What each group returned, and its seconds after the last exchange; the outputs are filled
    where none failed."""
    statuses, rest = [], []
    for group, done in enumerate(dones):
        if not isinstance(done, emu.Run):
            assert done is not None
            raise done
        if done.status != 0:
            raise RunError(
                f"the emulated core group {group} ended with status {done.status}",
                found=done.errors.decode("utf-8", "replace").strip()[-2000:] or "no message",
            )
        status, seconds = done.output.split()[-2:]
        statuses.append(int(status))
        rest.append(float(seconds))
    if any(statuses):
        return statuses, rest  # after a fault there are no results, and what the caller has stays
    for group in range(len(dones)):
        content, start = (folder / f"outputs-{group}").read_bytes(), 0
        for array in outputs:
            own = array[group : group + 1]
            own.reshape(-1).view("u1")[:] = memoryview(content)[start : start + own.nbytes]
            start += own.nbytes
    return statuses, rest


def _told(exchanges: Sequence[Exchange], spent: Course, groups: int, there: int) -> dict[str, Any]:
    kinds: dict[tuple[str, int], int] = {}
    for one in exchanges:
        if one.kind == "alltoall_end":
            continue
        kinds[one.kind, one.each] = kinds.get((one.kind, one.each), 0) + 1
    return {
        "groups": groups,
        "run": there,
        "computing_seconds": spent.computing,
        "network_seconds": spent.exchanging,
        "network_beside_computing_seconds": spent.beside,
        "waiting_seconds": spent.waiting,
        "exchanges": [
            {"kind": kind, "bytes_each": each, "times": times}
            for (kind, each), times in kinds.items()
        ],
    }


def told(report: Mapping[str, Any]) -> list[str]:
    """Lines for people: what was run, and what is the model's."""
    one = report["groups"]
    computing, network = one["computing_seconds"], one["network_seconds"]
    run = "each" if one["run"] == one["groups"] else f"{one['run']}"
    passed = one["network_beside_computing_seconds"]
    whole = (
        f"{one['groups']} core groups, {run} run: {computing:.6g} s computing, {network:.6g} s in"
        f" the network (modelled), {passed:.6g} s of it beside computing, at most"
        f" {one['waiting_seconds']:.6g} s waiting for other groups"
    )
    sent = [(e["kind"], e["times"], e["bytes_each"]) for e in one["exchanges"]]
    beside = f"  all exchanges beside computing would make it {one['overlapped_seconds']:.6g} s"
    return [
        whole,
        beside,
        *(f"  {kind}: {n} times, messages of {size} bytes" for kind, n, size in sent),
    ]
