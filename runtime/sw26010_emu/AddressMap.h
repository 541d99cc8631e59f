// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where things lie in the process. Fixed, so that no address that a program sees, and no cycle that
// depends on one, changes from run to run: programs are linked at a fixed address too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::emu {

// AddressSanitizer's shadow takes 0x7fff8000 to 0x10007fff8000 of a process, and its allocator
// begins at 0x600000000000: the regions lie between these. LDM stays below the shadow.
#if defined(WEFT_SANITIZE)
constexpr std::uintptr_t kRegions = 0x200000000000;
#else
constexpr std::uintptr_t kRegions = 0x1000000000;
#endif

/// LDM windows: one of 64 KiB a CPE, aligned to 64 KiB, far enough apart that running out of one
/// does not reach the next. Below 2 GiB: programs keep LDM addresses in an `int`, as on the
/// machine.
constexpr std::uintptr_t kLdm = 0x7B000000; // the program has what is below
constexpr std::size_t kLdmStride = 0x100000;

/// Arguments and environment of the program, and then the MPE's stack.
constexpr std::uintptr_t kArguments = kRegions + 0x000000000;
constexpr std::size_t kArgumentsSize = 0x1000000;
constexpr std::uintptr_t kHostStackTop = kRegions + 0x200000000; // grows down
/// Stacks of the threads that the program starts on the MPE, a guard page below each.
constexpr std::uintptr_t kHostThreads = kHostStackTop + 0x10000000;
constexpr std::size_t kHostThreadStride = 0x1000000;
constexpr std::size_t kHostThreadsMost = 200;
/// The private segment of each CPE: its `__thread` variables and, without -b, its stack.
constexpr std::uintptr_t kPrivate = kRegions + 0x300000000;
constexpr std::size_t kPrivateStride = 0x4000000;
/// Native stacks of the CPEs' fibers: no program data.
constexpr std::uintptr_t kFibers = kRegions + 0x400000000;
constexpr std::size_t kFiberStride = 0x400000;
/// Heaps: of the program itself, and of libraries on its behalf.
constexpr std::uintptr_t kProgramHeap = kRegions + 0x1000000000;
constexpr std::uintptr_t kLibraryHeap = kRegions + 0x200000000000; // behind kLdmIoEnd
constexpr std::size_t kLibraryHeapSize = 0x800000000;
/// Memory shared by the core groups of a chip; its address is the machine's own.
constexpr std::uintptr_t kCrossSegment = kRegions + 0x5000000000;
/// Where the machine shows LDM to the MPE: 0x8002000000 | group << 36 | CPE << 16 | offset. The
/// same memory as the windows; AddressSanitizer's shadow lies where the machine has it.
#if defined(WEFT_SANITIZE)
constexpr std::uintptr_t kLdmIo = kRegions + 0x8002000000;
#else
constexpr std::uintptr_t kLdmIo = 0x8002000000;
#endif
constexpr std::uintptr_t kLdmIoEnd = kLdmIo + 0x3FFE000000;

/// Maps [address, address + size) there and nowhere else; ends the run with a message if taken.
/// `accessible` false reserves only.
char *mapAt(std::uintptr_t address, std::size_t size, bool accessible = true);
void makeAccessible(std::uintptr_t address, std::size_t size);
/// Reserves the place of the LDM windows, once; false if it is taken.
bool reserveLdm();

} // namespace weft::emu
