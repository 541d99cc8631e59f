# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random athread programs, and what they compute.

A program is a list of steps that all CPEs take, in one or more functions that are spawned in turn.
Each step is C for the slave side and the same on NumPy arrays: a row of `ldm` and a row of `memory`
for each CPE, 32-bit words. The steps are free of races by construction, so that neither timing nor
its absence may change a word."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint32]

CPES = 64
#: Words of a CPE: of its LDM that steps work on, of main memory, and those behind them that step
#: `far` writes.
LDM, MEMORY = 1024, 4096
ROWS, COLUMNS = np.arange(CPES) // 8, np.arange(CPES) % 8


@dataclass
class Program:
    slave: str
    host: str
    memory: Words
    counter: int

    def expected(self) -> bytes:
        return self.memory.tobytes() + np.uint32(self.counter).tobytes()


@dataclass
class Machine:
    """What the steps have done until now, and the random numbers of those to come."""

    random: random.Random
    ldm: Words = field(default_factory=lambda: np.zeros((CPES, LDM), np.uint32))
    memory: Words = field(default_factory=lambda: np.zeros((CPES, MEMORY), np.uint32))
    counter: int = 0
    flags: int = 0

    def pieces(self, size: int, count: int, least: int = 1) -> list[tuple[int, int]]:
        """Disjoint stretches of [0, size): begin, words."""
        each = size // count
        found = []
        for piece in range(count):
            words = self.random.randint(least, each)
            found.append((piece * each + self.random.randint(0, each - words), words))
        self.random.shuffle(found)
        return found

    def constant(self) -> int:
        return self.random.choice([1, 3, 5, 0xFFFFFFFF, self.random.getrandbits(32) | 1])


Step = Callable[[Machine], str]


# ---- transfers ----


def _wait(machine: Machine, count: int) -> str:
    return machine.random.choice(
        [
            f"while (reply != {count}) ;",
            f"dma_wait(&reply, {count});",
            f"while (reply < {count}) ;",
            "dma_barrier();",
        ]
    )


def _blocks(machine: Machine, room: int, most: int) -> tuple[int, int, int]:
    """Words of a block, of a gap, and number of blocks that fit in `room` with the gaps between
    them, and in `most` without."""
    if machine.random.random() < 0.4:
        return machine.random.randint(1, min(room, most)), 0, 1
    block = machine.random.choice([1, 2, 3, 4, 8, 17, 32, 64])
    block = min(block, room, most)
    gap = machine.random.choice([0, 1, 5, 8, 31, 64])
    largest = min((room + gap) // (block + gap), most // block)
    return block, gap, machine.random.randint(1, max(1, largest))


def _places(begin: int, block: int, gap: int, count: int) -> npt.NDArray[np.int64]:
    numbers = np.arange(block * count)
    return begin + numbers // block * (block + gap) + numbers % block


def transfers(machine: Machine) -> str:
    """Gets and puts of each CPE for itself, several under way at once."""
    count = machine.random.randint(1, 4)
    lines = ["reply = 0;"]
    arrivals = []
    for (at, most), (begin, room) in zip(
        machine.pieces(LDM, count), machine.pieces(MEMORY, count), strict=True
    ):
        block, gap, blocks = _blocks(machine, room, most)
        size = 4 * block * blocks
        places = _places(begin, block, gap, blocks)
        words = slice(at, at + block * blocks)
        # One block: contiguous, and the words for blocks do not matter.
        shape = f"{4 * gap}, {4 * block}" if blocks > 1 else "0, 0"
        put = machine.random.random() < 0.5
        if machine.random.random() < 0.3:
            op = "DMA_PUT" if put else "DMA_GET"
            lines.append(
                f"{{ dma_desc d = 0; dma_set_op(&d, {op}); dma_set_mode(&d, PE_MODE);"
                f" dma_set_reply(&d, &reply); dma_set_size(&d, {size});"
                + (
                    f" dma_set_bsize(&d, {4 * block}); dma_set_stepsize(&d, {4 * gap});"
                    if blocks > 1
                    else ""
                )
                + f" dma(d, own + {begin}, ldm + {at}); }}"
            )
        elif put:
            lines.append(
                f"athread_put(PE_MODE, ldm + {at}, own + {begin}, {size}, (void *)&reply, {shape});"
            )
        else:
            lines.append(
                f"athread_get(PE_MODE, own + {begin}, ldm + {at}, {size}, (void *)&reply, 0,"
                f" {shape});"
            )
        if put:
            machine.memory[:, places] = machine.ldm[:, words]
        else:
            arrivals.append((words, machine.memory[:, places].copy()))
    for words, values in arrivals:
        machine.ldm[:, words] = values
    return "\n  ".join([*lines, _wait(machine, count)])


def broadcast(machine: Machine) -> str:
    """One CPE fetches for all rows of a mask."""
    giver, owner = machine.random.randrange(CPES), machine.random.randrange(CPES)
    mask = machine.random.randint(1, 255)
    ((at, most),) = machine.pieces(LDM, 1)
    ((begin, room),) = machine.pieces(MEMORY, 1)
    block, gap, blocks = _blocks(machine, room, most)
    shape = f"{4 * gap}, {4 * block}" if blocks > 1 else "0, 0"
    values = machine.memory[owner, _places(begin, block, gap, blocks)]
    machine.ldm[(mask >> ROWS & 1) == 1, at : at + block * blocks] = values
    return f"""athread_syn(ARRAY_SCOPE, 0xffff);
  if (_MYID == {giver}) {{
    reply = 0;
    athread_get(BCAST_MODE, memory + {owner * MEMORY + begin}, ldm + {at}, {4 * block * blocks},
                (void *)&reply, {mask}, {shape});
    while (reply != 1) ;
  }}
  athread_syn(ARRAY_SCOPE, 0xffff);"""


def rank(machine: Machine) -> str:
    """Main memory dealt over the row, by each of its CPEs."""
    granule = machine.random.choice([1, 2, 4, 7, 16])
    turns = machine.random.randint(1, LDM // 8 // granule)
    words = granule * turns  # that each transfer leaves in each CPE
    at = machine.random.randint(0, LDM - 8 * words)
    begin = machine.random.randint(0, MEMORY - 8 * words)
    before = machine.memory[:, begin : begin + 8 * words]
    dealt = before.reshape(CPES, turns, 8, granule)  # by giver, turn, column
    for cpe in range(CPES):
        for column in range(8):
            giver = cpe // 8 * 8 + column
            machine.ldm[cpe, at + column * words : at + (column + 1) * words] = dealt[
                giver, :, cpe % 8
            ].reshape(-1)
    return f"""athread_syn(ROW_SCOPE, 0xff);
  reply = 0;
  athread_get(RANK_MODE, own + {begin}, ldm + {at} + _COL * {words}, {4 * 8 * words},
              (void *)&reply, 0, 0, {4 * granule});
  while (reply != 1) ;
  athread_syn(ROW_SCOPE, 0xff);"""


def neighbour(machine: Machine) -> str:
    """Through main memory: a put, synchronisation, a get of what another has put."""
    words = machine.random.randint(1, LDM // 2)
    give = machine.random.randint(0, LDM // 2 - words)
    take = machine.random.randint(LDM // 2, LDM - words)
    begin = machine.random.randint(0, MEMORY - words)
    step = machine.random.randint(1, CPES - 1)
    machine.memory[:, begin : begin + words] = machine.ldm[:, give : give + words]
    machine.ldm[:, take : take + words] = np.roll(machine.memory, -step, axis=0)[
        :, begin : begin + words
    ]
    return f"""reply = 0;
  athread_put(PE_MODE, ldm + {give}, own + {begin}, {4 * words}, (void *)&reply, 0, 0);
  {_wait(machine, 1)}
  athread_syn(ARRAY_SCOPE, 0xffff);
  reply = 0;
  athread_get(PE_MODE, memory + (_MYID + {step}) % 64 * {MEMORY} + {begin}, ldm + {take},
              {4 * words}, (void *)&reply, 0, 0, 0);
  {_wait(machine, 1)}
  athread_syn(ARRAY_SCOPE, 0xffff);"""


# ---- messages ----


def pairs(machine: Machine) -> str:
    """Each CPE exchanges vectors with one other of its row or column."""
    row = machine.random.random() < 0.5
    other = machine.random.randint(1, 7)
    count = machine.random.randint(1, 12)
    give = 8 * machine.random.randint(0, LDM // 16 - count)
    take = 8 * machine.random.randint(LDM // 16, LDM // 8 - count)
    partner = (
        ROWS * 8 + (COLUMNS ^ other) if row else (ROWS ^ other) * 8 + COLUMNS
    )  # fmt: skip
    machine.ldm[:, take : take + 8 * count] = machine.ldm[partner, give : give + 8 * count]
    put, get, place = ("simd_putr", "simd_getr", "_COL") if row else (
        "simd_putc", "simd_getc", "_ROW")  # fmt: skip
    return f"""athread_syn(ARRAY_SCOPE, 0xffff);
  for (i = 0; i < {count}; i++) {{
    intv8 v;
    simd_load(v, (int *)ldm + {give} + 8 * i);
    {put}(v, {place} ^ {other});
    {get}(v);
    simd_store(v, (int *)ldm + {take} + 8 * i);
  }}
  athread_syn(ARRAY_SCOPE, 0xffff);"""


def messages_to_all(machine: Machine) -> str:
    """One column sends to the rest of its rows, or one row to the rest of its columns; the others
    begin late, so that buffers fill."""
    row = machine.random.random() < 0.5
    sender = machine.random.randrange(8)
    count = machine.random.randint(1, 20)
    give = 8 * machine.random.randint(0, LDM // 8 - count)
    pause = machine.random.choice([0, 0, 40, 200])
    places = slice(give, give + 8 * count)
    source = ROWS * 8 + sender if row else sender * 8 + COLUMNS
    own = (COLUMNS if row else ROWS) == sender
    machine.ldm[:, places] += np.where(own[:, None], 0, machine.ldm[source, places]).astype(
        np.uint32
    )
    put, get, place = ("simd_putr", "simd_getr", "_COL") if row else (
        "simd_putc", "simd_getc", "_ROW")  # fmt: skip
    return f"""athread_syn(ARRAY_SCOPE, 0xffff);
  if ({place} == {sender}) {{
    for (i = 0; i < {count}; i++) {{
      intv8 v;
      simd_load(v, (int *)ldm + {give} + 8 * i);
      {put}(v, 8);
    }}
  }} else {{
    for (i = 0; i < {pause}; i++)
      pause_word = i;
    for (i = 0; i < {count}; i++) {{
      intv8 v, w;
      {get}(v);
      simd_load(w, (int *)ldm + {give} + 8 * i);
      v = simd_vaddw(v, w);
      simd_store(v, (int *)ldm + {give} + 8 * i);
    }}
  }}
  athread_syn(ARRAY_SCOPE, 0xffff);"""


# ---- a CPE for itself ----


def compute(machine: Machine) -> str:
    """A loop over LDM; how often it turns depends on the CPE."""
    (one, words), (other, room) = machine.pieces(LDM, 2)
    words = min(words, room)
    factor, shift = machine.constant(), machine.random.randint(0, 31)
    least = machine.random.randint(0, words)
    for cpe in range(CPES):
        turns = min(words, least + cpe % 7)
        machine.ldm[cpe, one : one + turns] *= np.uint32(factor)
        machine.ldm[cpe, one : one + turns] += machine.ldm[cpe, other : other + turns] >> np.uint32(
            shift
        )
    return f"""for (i = 0; i < {words} && i < {least} + _MYID % 7; i++)
    ldm[{one} + i] = ldm[{one} + i] * {factor}u + (ldm[{other} + i] >> {shift});"""


def chain(machine: Machine) -> str:
    """Each word depends on the one before; branches that the data decide."""
    ((begin, words),) = machine.pieces(LDM, 1, 2)
    factor = machine.constant()
    for place in range(begin + 1, begin + words):
        before, now = machine.ldm[:, place - 1], machine.ldm[:, place]
        machine.ldm[:, place] = np.where(
            before & 1, now ^ (before * np.uint32(factor)), now - before
        )
    return f"""for (i = {begin + 1}; i < {begin + words}; i++)
    if (ldm[i - 1] & 1)
      ldm[i] ^= ldm[i - 1] * {factor}u;
    else
      ldm[i] -= ldm[i - 1];"""


def allocated(machine: Machine) -> str:
    """Blocks of ldm_malloc, freed in another order than they were made."""
    (one, words), (other, most) = machine.pieces(LDM, 2)
    most = min(words, most)
    factor = machine.constant()
    turned = machine.ldm[:, one : one + words][:, ::-1].copy() * np.uint32(factor)
    machine.ldm[:, other : other + most] ^= turned[:, :most]
    return f"""{{
    unsigned *a = (unsigned *)ldm_malloc({4 * words});
    unsigned *b = (unsigned *)ldm_malloc({4 * most});
    for (i = 0; i < {words}; i++)
      a[{words - 1} - i] = ldm[{one} + i] * {factor}u;
    for (i = 0; i < {most}; i++)
      b[i] = a[i];
    ldm_free(a, {4 * words});
    a = (unsigned *)ldm_malloc({4 * most});
    for (i = 0; i < {most}; i++)
      a[i] = ldm[{other} + i] ^ b[i];
    for (i = 0; i < {most}; i++)
      ldm[{other} + i] = a[i];
    ldm_free(b, {4 * most});
    ldm_free(a, {4 * most});
  }}"""


def stack(machine: Machine) -> str:
    """An array of the function itself, as long as the CPE's number says."""
    ((begin, words),) = machine.pieces(LDM, 1, 8)
    least = machine.random.randint(1, 7)
    for cpe in range(CPES):
        length = min(words, least + cpe)
        array = machine.ldm[cpe, begin : begin + length].copy()
        machine.ldm[cpe, begin : begin + length] = np.cumsum(array, dtype=np.uint32)[::-1]
    return f"""{{
    const int length = {least} + _MYID < {words} ? {least} + _MYID : {words};
    unsigned array[length], sum = 0;
    for (i = 0; i < length; i++)
      array[length - 1 - i] = sum += ldm[{begin} + i];
    for (i = 0; i < length; i++)
      ldm[{begin} + i] = array[i];
  }}"""


def far(machine: Machine) -> str:
    """Plain access to main memory."""
    (at, words), (begin, room) = machine.pieces(LDM, 1)[0], machine.pieces(MEMORY, 1)[0]
    step = machine.random.randint(1, 9)
    count = min(words, 40, (room + step - 1) // step)
    places = begin + step * np.arange(count)
    machine.ldm[:, at : at + count] += machine.memory[:, places]
    machine.memory[:, places] = machine.ldm[:, at : at + count] * np.uint32(3)
    return f"""for (i = 0; i < {count}; i++) {{
    ldm[{at} + i] += own[{begin} + {step} * i];
    own[{begin} + {step} * i] = ldm[{at} + i] * 3;
  }}"""


# ---- all together through main memory ----


def atomic(machine: Machine) -> str:
    """A word that all update; only the sum is known."""
    count, amount = machine.random.randint(1, 5), machine.random.randint(1, 1000)
    machine.counter += CPES * count * (amount + 1)
    return f"""for (i = 0; i < {count}; i++) {{
    updt_addw({amount}, &counter);
    faaw(&counter);
  }}"""


def flag(machine: Machine) -> str:
    """One CPE says when; the others look at main memory."""
    machine.flags += 1
    giver = machine.random.randrange(CPES)
    value = machine.random.getrandbits(32)
    place = machine.random.randrange(LDM)
    machine.ldm[:, place] += np.uint32(value)
    return f"""if (_MYID == {giver}) {{
    for (i = 0; i < {machine.random.choice([0, 10, 300])}; i++)
      pause_word = i;
    told = {value}u;
    flags = {machine.flags};
  }} else
    while (flags < {machine.flags}) ;
  ldm[{place}] += told;
  athread_syn(ARRAY_SCOPE, 0xffff);"""


STEPS: tuple[Step, ...] = (
    transfers, transfers, transfers, broadcast, rank, neighbour, pairs, pairs, messages_to_all,
    compute, compute, chain, allocated, stack, far, atomic, flag,
)  # fmt: skip


def program(seed: int, steps: int = 14) -> Program:
    """The same for a seed, always."""
    machine = Machine(random.Random(seed))
    functions, body, spawns = [], "", ""
    begin = np.arange(CPES * MEMORY, dtype=np.uint32) * np.uint32(2654435761)
    machine.memory[:] = begin.reshape(CPES, MEMORY)
    for number in range(machine.random.randint(1, 3)):
        if number:  # what the MPE does between two functions
            place, factor = machine.random.randrange(MEMORY), machine.constant()
            machine.memory[:, place] *= np.uint32(factor)
            spawns += (
                f"  for (i = 0; i < 64; i++)\n    memory[i * {MEMORY} + {place}] *= {factor}u;\n"
            )
        body = "".join(
            f"  /* {step.__name__} */\n  {step(machine)}\n"
            for step in machine.random.choices(STEPS, k=steps)
        )
        functions.append(
            f"void f{number}(void *unused) {{\n  unsigned *own = memory + _MYID * {MEMORY};\n"
            f"  int i;\n  (void)own;\n{body}}}\n"
        )
        spawns += f"  athread_spawn(f{number}, 0);\n  athread_join();\n"
    # All of LDM comes back in the end.
    machine.memory[:, :LDM] = machine.ldm
    last = f"""void last(void *unused) {{
  reply = 0;
  athread_put(PE_MODE, ldm, memory + _MYID * {MEMORY}, {4 * LDM}, (void *)&reply, 0, 0);
  while (reply != 1) ;
}}
"""
    slave = f"""#include <slave.h>
#include <dma.h>
#include <simd.h>
extern unsigned memory[64 * {MEMORY}], told;
extern volatile unsigned flags;
extern int counter;
__thread_local unsigned ldm[{LDM}] __attribute__((aligned(32)));
__thread_local volatile int reply, pause_word;
{"".join(functions)}{last}"""
    declared = "".join(
        f"extern void SLAVE_FUN({name})(void *);\n"
        for name in [*(f"f{number}" for number in range(len(functions))), "last"]
    )
    host = f"""#include <athread.h>
#include <stdio.h>
unsigned memory[64 * {MEMORY}], told;
volatile unsigned flags;
int counter;
{declared}int main(void) {{
  int i;
  for (i = 0; i < 64 * {MEMORY}; i++)
    memory[i] = i * 2654435761u;
  athread_init();
{spawns}  athread_spawn(last, 0);
  athread_join();
  athread_halt();
  fwrite(memory, sizeof memory, 1, stdout);
  fwrite(&counter, sizeof counter, 1, stdout);
  return 0;
}}
"""
    return Program(slave, host, machine.memory, machine.counter)
