// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"

#include "AddressMap.h"
#include "Clock.h"
#include "Group.h"
#include "Heap.h"
#include "Ldm.h"
#include "Linked.h"
#include "Machine.h"
#include "Program.h"
#include "Symbolizer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <link.h>
#include <map>
#include <sys/uio.h>
#include <unistd.h>

namespace weft::emu {

namespace {

bool runs = false;

// What C programs add to a null pointer by fields and indices; on the machine an LDM address.
constexpr std::uintptr_t kNullEnd = 0x10000;
// Below, it is a null pointer with a field's offset rather than an address of LDM.
constexpr std::uintptr_t kPage = 4096;

std::string bytesOf(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

bool inImage(std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(linked().ldm_begin) &&
         address < reinterpret_cast<std::uintptr_t>(linked().ldm_end);
}

std::uint64_t memoryBytes() {
  static const auto bytes = static_cast<std::uint64_t>(Machine::get().number("memory.bytes"));
  return bytes;
}

bool isLibraryHeap(std::uintptr_t address) {
  return address >= kLibraryHeap && address < kLibraryHeap + kLibraryHeapSize;
}

/// By such an address the MPE reaches a CPE's LDM on the machine: group, CPE, offset.
bool isLdmIo(std::uintptr_t address) {
  constexpr std::uintptr_t kGroup = 0x1000000000;
  return address >= kLdmIo && address < kLdmIoEnd &&
         (address - kLdmIo) % kGroup < WEFT_SW_CPES * std::uintptr_t{WEFT_SW_LDM_BYTES};
}

/// Behind where all of a core group's memory would end if the program had taken it, or so far
/// behind a block.
bool isBeyondMemory(std::uintptr_t address) {
  if (isLdmIo(address) || isLibraryHeap(address) || address < kProgramHeap)
    return false;
  if (const Heap *heap = heapOf(address)) {
    const auto block = heap->blockAt(address);
    return address - (block ? block->address : kProgramHeap) >= memoryBytes();
  }
  return true;
}

/// The symbol that the address is in, or behind.
const program::Symbol *symbolBefore(std::uintptr_t address) {
  const auto &symbols = program::symbols();
  auto after = std::ranges::upper_bound(symbols, address, {}, &program::Symbol::address);
  return after == symbols.begin() ? nullptr : &*std::prev(after);
}

/// Where the call before a return address stands in the program, as its debug information has it.
std::string placeOfCode(const void *address) {
  // The instruction before the return address: the call.
  const auto call = reinterpret_cast<std::uintptr_t>(address) - 1;
  const std::string text = symbolized({call});
  const auto name = text.find('\n');
  const auto place = name == std::string::npos ? name : text.find('\n', name + 1);
  if (place != std::string::npos && text[0] != '?')
    return "at " + text.substr(name + 1, place - name - 1) + ", in " + text.substr(0, name);
  const auto function = program::functionAt(reinterpret_cast<const void *>(call));
  return function.empty() ? "in a library" : "in " + std::string(function);
}

} // namespace

bool programRuns() { return runs; }
void setProgramRuns(bool now) { runs = now; }

Memory &Memory::get() {
  static auto *memory = new Memory;
  return *memory;
}

Memory::Memory() {
  dl_iterate_phdr(
      [](dl_phdr_info *object, std::size_t, void *ranges) {
        for (int index = 0; index < object->dlpi_phnum; ++index) {
          const auto &header = object->dlpi_phdr[index];
          const std::uintptr_t begin = object->dlpi_addr + header.p_vaddr;
          if (header.p_type == PT_LOAD)
            static_cast<std::vector<Range> *>(ranges)->push_back(
                {begin, begin + header.p_memsz, (header.p_flags & PF_W) != 0});
        }
        return 0;
      },
      &fixed_);
  fixed_.push_back({kArguments, kArguments + kArgumentsSize});
  const auto host = Clock::get().stackOf(WEFT_SW_MPE);
  fixed_.push_back(
      {reinterpret_cast<std::uintptr_t>(host.low), reinterpret_cast<std::uintptr_t>(host.high)});
  fixed_.push_back({kPrivate, kPrivate + kPrivateStride * WEFT_SW_CPES});
}

bool Memory::findMapped(std::uintptr_t address) {
  if (address < kNullEnd || isLdmIo(address) ||
      (address >= kLdm && address < kLdm + kLdmStride * WEFT_SW_CPES) ||
      (address >= kFibers && address < kFibers + kFiberStride * WEFT_SW_CPES))
    return false;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    // begin-end mode ..., in hexadecimal
    char *rest = nullptr;
    const std::uintptr_t begin = std::strtoul(line.c_str(), &rest, 16);
    const std::uintptr_t end = *rest == '-' ? std::strtoul(rest + 1, &rest, 16) : 0;
    if (address < begin || address >= end || *rest != ' ' || rest[1] != 'r')
      continue;
    const char *mode = rest + 1;
    mapped_.push_back({begin, end, mode[1] == 'w'});
    return true;
  }
  return false;
}

const Memory::Range *Memory::rangeOf(std::uintptr_t address) const {
  for (const auto *ranges : {&fixed_, &mapped_})
    for (const auto &range : *ranges)
      if (address >= range.begin && address < range.end)
        return &range;
  return nullptr;
}

bool Memory::allowed(std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind) {
  if (const Heap *heap = heapOf(address)) {
    const auto block = heap->blockAt(address);
    return block && block->live && address + bytes <= block->address + block->bytes;
  }
  const Range *range = rangeOf(address);
  if (!range && findMapped(address))
    range = rangeOf(address);
  if (!range || address + bytes > range->end || (kind & WEFT_SW_STORE && !range->writable) ||
      inImage(address))
    return false;
  last_ = *range;
  // The image of LDM is in a segment, but is no main memory.
  if (linked().ldm_end > linked().ldm_begin && inImage(last_.end - 1))
    last_.end = reinterpret_cast<std::uintptr_t>(linked().ldm_begin);
  const auto image = reinterpret_cast<std::uintptr_t>(linked().ldm_begin);
  if (image >= last_.begin && image < last_.end)
    last_ = {};
  return true;
}

void Memory::require(int core, std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind,
                     std::string_view what, const WeftSite *site) {
  if (address >= last_.begin && address + bytes <= last_.end &&
      (last_.writable || !(kind & WEFT_SW_STORE)))
    return;
  if (allowed(address, std::max<std::uint64_t>(bytes, 1), kind))
    return;
  Fault fault;
  fault.core = core;
  fault.cycle = Clock::get().core(core).now;
  fault.site = site;
  explain(fault, address, bytes, kind, what);
  // Programs fetch a little more than they use: a defect that the machine passes over.
  const Heap *heap = heapOf(address);
  if (!(kind & WEFT_SW_STORE) && heap && heap->runsOver(address, bytes)) {
    fault.name = "read-past-end";
    fault.help = "it ran on with what lies behind the block";
    return warn(fault);
  }
  raise(fault);
}

bool Memory::requireForGet(int core, std::uintptr_t address, std::uint64_t bytes,
                           const WeftSite *site) {
  constexpr std::string_view what = "the source of a get";
  if (allowed(address, std::max<std::uint64_t>(bytes, 1), WEFT_SW_LOAD))
    return false;
  const Heap *heap = heapOf(address);
  const auto block = heap ? heap->blockAt(address) : std::nullopt;
  Fault fault;
  fault.core = core;
  fault.cycle = Clock::get().core(core).now;
  fault.site = site;
  explain(fault, address, bytes, WEFT_SW_LOAD, what);
  if (!block || !block->live || fault.name != "out-of-bounds") {
    require(core, address, bytes, WEFT_SW_LOAD, what, site);
    return false;
  }
  fault.name = "read-past-end";
  fault.help = "it ran on with what lies behind the block";
  warn(fault);
  // Pages of a block that it runs over by little are there.
  return !heap->runsOver(address, bytes);
}

void Memory::copyAnyway(void *to, std::uintptr_t from, std::uint64_t bytes) {
  auto *into = static_cast<char *>(to);
  while (bytes) {
    const std::uint64_t part = std::min<std::uint64_t>(bytes, kPage - from % kPage);
    const iovec local = {into, part}, remote = {reinterpret_cast<void *>(from), part};
    if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != static_cast<ssize_t>(part))
      std::memset(into, 0, part);
    into += part;
    from += part;
    bytes -= part;
  }
}

void Memory::explain(Fault &fault, std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind,
                     std::string_view what) const {
  const int core = fault.core;
  fault.found = hexadecimal(address);
  fault.expected = "main memory: variables of the program, blocks from malloc, the MPE's stack";
  // Of what the processor caught, the size is not known.
  const std::string use = std::string(what) + (bytes ? " of " + bytesOf(bytes) : "");
  if (address < kNullEnd) {
    fault.name = "null-access";
    fault.what = use + " at a null pointer";
    fault.found += address ? ", that is null and " + bytesOf(address) : "";
    fault.help = "pass an address; absolute LDM addresses are not supported";
    if (address < kPage) {
      fault.help = "";
      fault.others = Ldm::get().failure(core);
      if (const auto *site = core == WEFT_SW_MPE ? nullptr : Group::get().spawnOf(core))
        fault.others.push_back({"its function was spawned at", -1, 0, site});
    }
  } else if (const int owner = Ldm::owner(address); owner >= 0) {
    const auto offset = static_cast<std::uint32_t>(address - Ldm::base(owner));
    const bool own = owner == core;
    fault.name = own ? FaultName("memory-is-ldm") : FaultName("other-ldm");
    fault.what =
        use + (own                   ? " that must be in main memory and is in LDM"
               : core == WEFT_SW_MPE ? " by the MPE at the address that a CPE has of its LDM"
                                     : " in the LDM of another CPE");
    fault.found = describeCore(owner) + "'s " + Ldm::get().place(owner, offset);
    fault.help =
        own ? "copy it to main memory first"
        : core == WEFT_SW_MPE
            ? "the MPE reaches a variable of LDM by h2ldm(variable, CPE, 0); have the CPE put "
              "the rest in main memory"
            : "a CPE reaches only its own LDM: send it with register communication";
  } else if (address >= kLdm && address < kLdm + kLdmStride * WEFT_SW_CPES) {
    // Beyond the own LDM rather than far behind that of the CPE before.
    const auto before = static_cast<int>((address - kLdm) / kLdmStride);
    const int whose = core == WEFT_SW_MPE ? before : core;
    const std::uintptr_t begin = Ldm::base(whose);
    fault.name = "ldm-out-of-bounds";
    fault.what = use + " outside LDM";
    fault.expected = "an offset from 0 to " + std::to_string(WEFT_SW_LDM_BYTES - bytes);
    fault.found =
        (address < begin ? bytesOf(begin - address) + " before the begin"
                         : bytesOf(address - begin - WEFT_SW_LDM_BYTES) + " after the end") +
        " of the LDM of " + describeCore(whose);
    fault.help = "an index is negative or too large";
  } else if (isBeyondMemory(address) && !rangeOf(address)) {
    fault.name = "MABC";
    fault.what = use + " beyond the end of main memory";
    fault.expected =
        "less than the " + std::to_string(memoryBytes() >> 30) + " GB that a core group has";
    if (heapOf(address))
      fault.found = historyOf(address).text;
    fault.help = "an index that is too large, or that overflowed where it was computed";
  } else if (isLdmIo(address)) {
    fault.name = "ldm-io-address";
    fault.what = use + " at an address by which the MPE reaches LDM" +
                 (core == WEFT_SW_MPE ? ", of another core group" : "");
    fault.help = core == WEFT_SW_MPE ? "there is one core group, 0"
                                     : "a CPE has the variable under its own address";
  } else if (inImage(address)) {
    fault.name = "ldm-variable-on-host";
    fault.what = use + " at the address that host code has of a __thread_local variable";
    fault.found = historyOf(address).text;
    fault.help = "such a variable is in each CPE's LDM: only slave code has its address";
  } else if (heapOf(address)) {
    const auto history = historyOf(address);
    fault.name = history.freed ? FaultName("freed-memory") : FaultName("out-of-bounds");
    fault.what =
        use + (history.freed ? " in memory that was freed" : " outside of what was allocated");
    fault.expected = "memory inside one block that is allocated";
    fault.found = history.text;
  } else if (const Range *range = rangeOf(address); range && address + bytes > range->end) {
    fault.name = "out-of-bounds";
    fault.what = use + " that goes past the end of a region of memory";
    fault.found = historyOf(address).text;
    fault.expected = "at most " + bytesOf(range->end - address);
  } else if (range && kind & WEFT_SW_STORE) {
    fault.name = "read-only";
    fault.what = use + " to memory that may only be read";
    fault.found = historyOf(address).text;
    fault.help = "a const variable, or a string in the program's text, cannot be changed";
  } else {
    fault.name = "no-memory";
    fault.what = use + " where no memory is";
    fault.help = "the pointer was not set, or was overwritten, or cut to 32 bits";
  }
}

Memory::History Memory::historyOf(std::uintptr_t address) {
  if (const Heap *heap = heapOf(address)) {
    const auto block = heap->blockAt(address);
    if (!block)
      return {false, hexadecimal(address) + ", in the heap, never allocated"};
    const std::uint64_t offset = address - block->address;
    std::string text = offset < block->bytes ? "byte " + std::to_string(offset) + " of"
                                             : bytesOf(offset - block->bytes) + " after the end of";
    text +=
        " a block of " + bytesOf(block->bytes) + ", allocated " + describeCode(block->allocatedAt);
    if (!block->live)
      text += ", freed " + describeCode(block->freedAt);
    return {!block->live, text};
  }
  const program::Symbol *symbol = symbolBefore(address);
  if (!symbol || !symbol->size || address - symbol->address >= symbol->size + kNullEnd)
    return {false, hexadecimal(address)};
  const std::uint64_t offset = address - symbol->address;
  const std::string place = offset < symbol->size
                                ? "byte " + std::to_string(offset) + " of "
                                : bytesOf(offset - symbol->size) + " after the end of ";
  return {false, place + symbol->name + ", which has " + bytesOf(symbol->size)};
}

std::string Memory::describeCode(const void *address) {
  if (!address)
    return "at an unknown place";
  // Another program is asked, and a hazard comes back as often as the code that has it runs.
  static auto *known = new std::map<const void *, std::string>;
  const auto [place, isNew] = known->try_emplace(address);
  if (isNew)
    place->second = placeOfCode(address);
  return place->second;
}

} // namespace weft::emu
