/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What compiled programs and the emulator agree on: the code that weft-swcc generates reads and
 * writes these structures and calls these functions. C and C++. Times are CPE cycles.
 *
 * The pass builds the same layouts in LLVM IR (swcc/AbiTypes.cpp): change both together. */
#ifndef WEFT_SW26010_ABI_H
#define WEFT_SW26010_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Cores of a core group: 64 CPEs, numbered row * 8 + column, and the MPE. */
enum { WEFT_SW_CPES = 64, WEFT_SW_MPE = 64, WEFT_SW_CORES = 65 };
/* Granule of the LDM's shadow: bytes a shadow byte stands for. */
enum { WEFT_SW_GRANULE = 32, WEFT_SW_LDM_BYTES = 65536 };

/* A place in the program's source; one constant a place, made by the pass. */
typedef struct WeftSite {
  const char *function; /* as the programmer wrote it, without slave_ */
  const char *file;
  uint32_t line, column;
} WeftSite;

/* What generated code touches inline. `weft_sw_current` is the running core's; a CPE function loads
 * it once at its entry, because a fiber never changes its core. */
typedef struct WeftCore {
  uint64_t now;         /* virtual time of this core, in cycles */
  uint64_t limit;       /* a loop's back-edge calls weft_sw_preempt when now >= limit */
  uintptr_t ldm;        /* base of its LDM, aligned to 64 KiB */
  uintptr_t stack;      /* stack pointer for arrays and address-taken locals; grows down */
  uintptr_t stack_end;  /* lowest address that the stack may take */
  uint8_t *shadow;      /* a byte a granule of LDM; nonzero: ask the runtime, Ldm.h says why */
  uintptr_t private_;   /* base of this core's copy of the __thread variables */
  const WeftSite *site; /* set before every call that may reach the runtime */
  uint64_t index;       /* 0..63, or 64 for the MPE: which counter of a segment is this core's */
  uintptr_t stack_low;  /* the lowest that `stack` has been: whoever lowers `stack` keeps it */
  uint64_t step;        /* nonzero: weft_sw_fetch is called before each segment is charged */
  uint64_t fetched;     /* the stamp of segments whose instructions are in the cache */
} WeftCore;

extern WeftCore *weft_sw_current;
/* The MPE's own: host code never runs on another core. */
extern WeftCore weft_sw_host;

/* What one execution of a segment costs a source line. A segment is straight-line code charged at
 * once: from a block's start, or an interaction with the machine, to the next one or the block's
 * end. Static: dynamic stalls (DMA, messages, sync, gld) are added by the runtime at sites. */
typedef struct WeftLineCost {
  uint32_t line;
  uint32_t cycles;       /* these add up to the segment's cycles */
  uint16_t pipe0, pipe1; /* instructions issued */
  uint16_t single_issue; /* cycles in which a ready second instruction could not issue */
  uint16_t data_stall;   /* cycles that waited for an operand */
  uint16_t ldm_accesses; /* loads and stores, spills included */
  uint16_t spills;
  uint16_t branch;    /* cycles lost to taken or mispredicted branches */
  uint16_t divisions; /* of flops: divisions and roots, 4 a vector */
  uint32_t flops;     /* by the hardware's rule: vector FMA 8, division and root 4 a vector */
  uint16_t ldm_loads; /* of ldm_accesses */
  uint16_t conditional_branches, unconditional_branches;
  uint16_t jumps; /* to where a register says: calls through pointers, returns */
} WeftLineCost;

/* An instruction of a segment as it was scheduled, for pipeline views. */
typedef struct WeftInstruction {
  const char *text; /* in SW syntax, as --emit=asm prints it */
  uint32_t line;
  uint16_t issue;   /* cycle after the segment's first; as few as the segment's cycles */
  uint16_t latency; /* until its result can be used; 1 if it has none */
  uint16_t pipe;    /* 0 or 1 */
  uint16_t reserved;
  uint32_t reserved_too;
} WeftInstruction;

/* In section `weft_functions`: the SW instructions of a function. The runtime lays them out in the
 * order of the link, as the machine's linker would. */
typedef struct WeftFunction {
  uint64_t bytes;
  uint64_t address; /* among the program's functions; the runtime sets it at the start */
} WeftFunction;

/* What a core did with a segment. */
typedef struct WeftTally {
  uint64_t count; /* how often it ran */
  uint64_t stamp; /* the core's `fetched` when its instructions were last seen in the cache */
} WeftTally;

/* In section `weft_segments`; the linker makes the table of all segments of a program. */
typedef struct WeftSegment {
  const char *function, *file;
  const WeftLineCost *lines;
  uint32_t line_count;
  uint32_t cycles;
  uint32_t code_bytes;             /* 4 an instruction */
  uint32_t kind;                   /* 0 CPE, 1 MPE: cycles of it and its lines in sixteenths */
  const WeftInstruction *schedule; /* in the order of issue; may be null */
  uint64_t instruction_count;
  const WeftFunction *code; /* what it is part of; null: no instructions of the program's own */
  uint64_t code_offset;     /* in bytes from the function's start */
  WeftTally tally[WEFT_SW_CORES];
} WeftSegment;

/* The variables that each CPE finds its number in, as they lie in the image of LDM. */
typedef struct WeftSystemVariables {
  int *myid;
  char *cgn, *row, *column, *pen;
} WeftSystemVariables;

/* What a linked program tells the runtime about itself; filled by start/Program.c, which is linked
 * into every program. The bounds of a section that a program has not are null. */
typedef struct WeftProgram {
  int (*main)(int, char **, char **);
  const WeftSystemVariables *system;
  /* __thread_local: an image of 64 KiB at most. A variable's place in it is its offset in LDM. */
  char *ldm_begin, *ldm_end;
  /* Places in that image that hold the address of an LDM variable's first value. */
  void ***ldm_pointers_begin, ***ldm_pointers_end;
  /* __thread: an image that each CPE has a copy of in its private segment. */
  char *private_begin, *private_end;
  WeftSegment *segments_begin, *segments_end;
  /* The program's slave functions. */
  const char *code_begin, *code_end;
} WeftProgram;

/* Kinds of access, ORed. */
enum { WEFT_SW_LOAD = 1, WEFT_SW_STORE = 2, WEFT_SW_UNALIGNED = 4, WEFT_SW_ATOMIC = 8 };

/* ---- called by generated CPE code ---- */

/* A loop's back-edge found now >= limit. */
void weft_sw_preempt(WeftCore *core, const WeftSite *site);
/* The back-edge of a loop that only waits: volatile loads, no stores, no calls. `cycles` is what a
 * turn costs; the runtime may skip turns to the next event. */
void weft_sw_spin(WeftCore *core, const WeftSite *site, uint64_t cycles);
/* An access that is not plainly to this core's LDM: outside its window, misaligned, or in a granule
 * whose shadow is not 0. The runtime charges gld/gst, or reports; then the access is made. */
void weft_sw_access(WeftCore *core, const void *address, uint64_t bytes, uint32_t kind,
                    const WeftSite *site);
/* The same for a range, as of memcpy and memset. */
void weft_sw_range(WeftCore *core, const void *address, uint64_t bytes, uint32_t kind,
                   const WeftSite *site);
/* Whether [begin, end) lies in this core's LDM where the shadow is 0, and `begin` has none of
 * the bits of `misaligned`: then the accesses of a loop there need no checks of their own. */
int weft_sw_window(const WeftCore *core, uint64_t begin, uint64_t end, uint64_t misaligned);
/* A call through a pointer to what is not among the program's slave functions. The runtime reports
 * it unless it is a function of the slave library. */
void weft_sw_indirect_call(WeftCore *core, const void *target, const WeftSite *site);
/* A frame of `bytes` does not fit above stack_end. Does not return. */
void weft_sw_stack_overflow(WeftCore *core, uint64_t bytes, const WeftSite *site);
/* Inline assembly that used $sp for something else must put it back. */
void weft_sw_stack_returned(uint64_t before, uint64_t after, const WeftSite *site);
/* `segment`, whose stamp is not core->fetched, is about to be charged: its lines come into the
 * instruction cache, and pipeline views look at it. */
void weft_sw_fetch(WeftCore *core, WeftSegment *segment);
/* A loop that charged nothing while it ran is left: each of `count` segments ran so many turns. */
void weft_sw_charge_turns(WeftCore *core, WeftSegment *const *segments, const uint64_t *turns,
                          uint64_t count);

/* ---- called by start/Program.c: runs the program's main as the MPE and returns its result ---- */

int weft_sw_start(const WeftProgram *program, int argc, char **argv, char **envp);

/* ---- called by generated MPE code ---- */

/* Work of host code in sixteenths of a cycle, since weft_sw_host_settle last moved it to
 * weft_sw_host.now: a block of a four-wide core may cost less than a cycle. */
extern uint64_t weft_sw_host_work;
void weft_sw_host_settle(void);
uint64_t weft_sw_host_rtc(void); /* the MPE's cycle counter */
void weft_sw_host_access(const void *address, uint64_t bytes, uint32_t kind);
/* The back-edge of a loop that only waits. */
void weft_sw_host_preempt(const WeftSite *site);
/* Another loop whose end is not known calls weft_sw_host_give_way on its back-edge when
 * weft_sw_host_work >= weft_sw_host_due: what it looks at may be for others to change. */
extern uint64_t weft_sw_host_due;
void weft_sw_host_give_way(const WeftSite *site);

/* ---- called by headers: vectors go by address, 32 bytes in the register's lane format ---- */

void weft_sw_put_row(const void *value, int destination);
void weft_sw_put_column(const void *value, int destination);
void weft_sw_get_row(void *value);
void weft_sw_get_column(void *value);
/* Loads 32 bytes (or 8, splat) at `address`, broadcasts them along row or column and returns them.
 */
void weft_sw_load_row(void *value, const void *address, int splat);
void weft_sw_load_column(void *value, const void *address, int splat);
/* On a word of main memory of 4 or 8 bytes; returns its old value, sign-extended. Operations are
 * the machine's: 0 fetch and add, 4 add, 6 subtract; the last two do not wait for the old value. */
uint64_t weft_sw_atomic(void *address, int bytes, int operation, uint64_t operand);
uint64_t weft_sw_read_csr(int number);
void weft_sw_write_csr(int number, uint64_t value);
/* The floating-point control register. Bits 2 and 60 set: results that are too small become zero.
 */
uint64_t weft_sw_read_fpcr(void);
void weft_sw_write_fpcr(uint64_t value);
/* The carry register CA of 256-bit sums: eight bits, signed; beyond them is a fault. */
int weft_sw_carry(void);
void weft_sw_set_carry(int value);
/* selldw: the word at an LDM offset goes to a lane of the core's hidden 256-bit buffer, and the
 * buffer is read. */
void weft_sw_table_word(unsigned ldm_address, int lane);
void weft_sw_table_result(void *words);
/* The instruction dma: `low` and `high` are the descriptor's 128 bits. */
void weft_sw_dma(uint64_t low, uint64_t high, uintptr_t memory, uintptr_t ldm);
/* Waits until the reply word is `count`. */
void weft_sw_dma_wait(const volatile void *reply, int count);
/* The LDM offset of a reply word; a fault if it is elsewhere. */
uint32_t weft_sw_dma_reply(const volatile void *reply);
void weft_sw_sync_row(int mask);
void weft_sw_sync_column(int mask);

#ifdef __cplusplus
}
#endif

#endif /* WEFT_SW26010_ABI_H */
