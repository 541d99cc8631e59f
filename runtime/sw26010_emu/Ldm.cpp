// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ldm.h"

#include "AddressMap.h"
#include "Clock.h"
#include "Fault.h"
#include "Linked.h"
#include "Memory.h"
#include "Program.h"
#include "Report.h"
#include "Trace.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

namespace weft::emu {

namespace {

// ldm_malloc gives memory that vectors can be kept in.
constexpr std::uint32_t kAlignment = 32;
constexpr std::size_t kPrivateStack = 0x3000000; // of kPrivateStride; the rest is for variables

std::uint32_t roundUp(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes + kAlignment - 1) / kAlignment * kAlignment);
}

std::uintptr_t imageBegin() { return reinterpret_cast<std::uintptr_t>(linked().ldm_begin); }

/// The __thread_local variables, by address.
std::vector<program::Symbol> ldmVariables() {
  std::vector<program::Symbol> found;
  for (const auto &symbol : program::symbols())
    if (!symbol.isFunction && symbol.size && symbol.address >= imageBegin() &&
        symbol.address < reinterpret_cast<std::uintptr_t>(linked().ldm_end))
      found.push_back(symbol);
  return found;
}

[[noreturn]] void raiseOverflow(std::uint64_t bytes) {
  Fault fault{.name = "ldm-overflow",
              .cycle = weft_sw_host.now,
              .site = weft_sw_host.site,
              .what = "the __thread_local variables do not fit in a CPE's local memory",
              .expected = std::to_string(WEFT_SW_LDM_BYTES) + " bytes at most",
              .found = std::to_string(bytes) + " bytes"};
  auto variables = ldmVariables();
  std::ranges::stable_sort(variables, std::greater<>{}, &program::Symbol::size);
  for (const auto &variable : variables)
    fault.others.push_back({std::to_string(variable.size) +
                            (variable.size == 1 ? " byte: " : " bytes: ") + variable.name});
  fault.help = "keep large tables in main memory and get the part that is worked on; variables of "
               "several slave files add up";
  raise(fault);
}

/// An LDM variable's first value is the address of another one: in the image, not yet in `window`.
void relocate(char *window, std::ptrdiff_t offset) {
  char *address;
  std::memcpy(static_cast<void *>(&address), window + offset, sizeof address);
  address = window + (address - linked().ldm_begin);
  std::memcpy(window + offset, static_cast<const void *>(&address), sizeof address);
}

/// The memory of all LDMs, which is mapped twice: as each CPE has its own, and as the MPE sees all.
int ldmMemory() {
  const int memory = memfd_create("ldm", MFD_CLOEXEC);
  if (memory >= 0 && ftruncate(memory, std::size_t{WEFT_SW_CPES} * WEFT_SW_LDM_BYTES) == 0)
    return memory;
  std::fprintf(stderr, "weft emu: error: no memory for LDM: %s\n", std::strerror(errno));
  std::_Exit(70);
}

void mapLdm(int memory, std::uintptr_t address, std::size_t bytes, int core) {
  const void *mapped =
      mmap(reinterpret_cast<void *>(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
           memory, static_cast<off_t>(core) * WEFT_SW_LDM_BYTES);
  if (mapped == reinterpret_cast<void *>(address))
    return;
  std::fprintf(stderr, "weft emu: error: no place for LDM: %s\n", std::strerror(errno));
  std::_Exit(70);
}

std::uintptr_t privateSegment(int core) {
  return kPrivate + kPrivateStride * static_cast<std::size_t>(core);
}

} // namespace

Ldm &Ldm::get() {
  static auto *ldm = new Ldm;
  return *ldm;
}

Ldm::Ldm() {
  static std::uint8_t shadows[WEFT_SW_CPES][WEFT_SW_LDM_BYTES / WEFT_SW_GRANULE];
  constexpr std::size_t kAll = std::size_t{WEFT_SW_CPES} * WEFT_SW_LDM_BYTES;
  if (!reserveLdm())
    mapAt(kLdm, kLdmStride * WEFT_SW_CPES, false);
  mapAt(kLdmIo, kAll, false);
  const int memory = ldmMemory();
  mapLdm(memory, kLdmIo, kAll, 0);
  for (int core = 0; core < WEFT_SW_CPES; ++core) {
    auto &state = Clock::get().core(core);
    mapLdm(memory, base(core), WEFT_SW_LDM_BYTES, core);
    state.ldm = base(core);
    state.shadow = shadows[core];
  }
  close(memory);
  mapAt(kPrivate, kPrivateStride * WEFT_SW_CPES);
}

std::uintptr_t Ldm::base(int core) { return kLdm + kLdmStride * static_cast<std::size_t>(core); }

std::uintptr_t Ldm::seenByMpe(int core, std::size_t offset) {
  return kLdmIo + static_cast<std::size_t>(core) * WEFT_SW_LDM_BYTES + offset;
}

void Ldm::requireNotWindow(std::uintptr_t address, std::uint64_t bytes, std::uint32_t kind) {
  const bool store = (kind & WEFT_SW_STORE) != 0;
  // What the MPE writes there nobody sees written: it may be all of what the CPE goes on to read.
  if (store && address >= seenByMpe(0, 0) && address < seenByMpe(WEFT_SW_CPES, 0)) {
    constexpr std::uintptr_t kMostOfALine = 256;
    const auto offset = static_cast<std::uint32_t>(address % WEFT_SW_LDM_BYTES);
    written(static_cast<int>((address - kLdmIo) / WEFT_SW_LDM_BYTES),
            static_cast<std::uint32_t>(offset / kMostOfALine * kMostOfALine),
            std::max<std::uint64_t>(bytes + offset % kMostOfALine, kMostOfALine));
  }
  if (address < kLdm || address >= kLdm + kLdmStride * WEFT_SW_CPES)
    return;
  Fault fault;
  fault.cycle = Clock::get().now();
  Memory::get().explain(fault, address, bytes, kind, store ? "a store" : "a load");
  raise(fault);
}

int Ldm::owner(std::uintptr_t address) {
  if (address < kLdm || address >= kLdm + kLdmStride * WEFT_SW_CPES ||
      (address - kLdm) % kLdmStride >= WEFT_SW_LDM_BYTES)
    return -1;
  return static_cast<int>((address - kLdm) / kLdmStride);
}

void Ldm::initialise() {
  const auto &image = linked();
  const auto imageBytes = static_cast<std::size_t>(image.ldm_end - image.ldm_begin);
  const auto privateBytes = static_cast<std::size_t>(image.private_end - image.private_begin);
  if (imageBytes > WEFT_SW_LDM_BYTES)
    raiseOverflow(imageBytes);
  if (privateBytes > kPrivateStride - kPrivateStack)
    raise({.name = "private-overflow",
           .what = "the __thread variables do not fit in a CPE's private segment",
           .expected = std::to_string(kPrivateStride - kPrivateStack) + " bytes at most",
           .found = std::to_string(privateBytes) + " bytes"});
  imageEnd_ = roundUp(imageBytes);
  for (int core = 0; core < WEFT_SW_CPES; ++core) {
    auto &state = Clock::get().core(core);
    blocks_[core].clear();
    freed_[core].clear();
    failures_[core] = {};
    watched_[core].clear();
    std::memset(state.shadow, 0, WEFT_SW_LDM_BYTES / WEFT_SW_GRANULE);
    if (!stackInLdm())
      mark(core, imageEnd_, WEFT_SW_LDM_BYTES, kFree, 0);
    auto *window = reinterpret_cast<char *>(base(core));
    std::memset(window, 0, WEFT_SW_LDM_BYTES);
    if (imageBytes)
      std::memcpy(window, image.ldm_begin, imageBytes);
    for (void ***pointer = image.ldm_pointers_begin; pointer != image.ldm_pointers_end; ++pointer)
      relocate(window, reinterpret_cast<const char *>(*pointer) - image.ldm_begin);
    state.private_ = privateSegment(core) + kPrivateStack;
    if (privateBytes)
      std::memcpy(reinterpret_cast<char *>(state.private_), image.private_begin, privateBytes);
    if (const auto *system = image.system) {
      const auto place = [&](const void *variable) {
        return window + (static_cast<const char *>(variable) - image.ldm_begin);
      };
      std::memcpy(place(system->myid), &core, sizeof core);
      *place(system->cgn) = 0;
      *place(system->row) = static_cast<char>(core / 8);
      *place(system->column) = static_cast<char>(core % 8);
      *place(system->pen) = static_cast<char>(core);
    }
    resetStack(core);
  }
}

void Ldm::setStackEnd(int core) {
  if (!stackInLdm())
    return;
  Clock::get().core(core).stack_end = base(core) + heapEnd(core);
}

std::uint32_t Ldm::heapEnd(int core) const {
  const auto &blocks = blocks_[core];
  return blocks.empty() ? imageEnd_
                        : std::prev(blocks.end())->first + std::prev(blocks.end())->second.bytes;
}

void Ldm::mark(int core, std::uint32_t begin, std::uint32_t end, unsigned set, unsigned cleared) {
  std::uint8_t *shadow = Clock::get().core(core).shadow;
  for (std::uint32_t granule = begin / WEFT_SW_GRANULE; granule < end / WEFT_SW_GRANULE; ++granule)
    shadow[granule] = static_cast<std::uint8_t>((shadow[granule] & ~cleared) | set);
}

void Ldm::resetStack(int core) {
  auto &state = Clock::get().core(core);
  if (stackInLdm()) {
    state.stack = state.stack_low = base(core) + WEFT_SW_LDM_BYTES;
    setStackEnd(core);
    return;
  }
  state.stack = state.stack_low = privateSegment(core) + kPrivateStack;
  state.stack_end = privateSegment(core);
}

void Ldm::tellUse(int core) const {
  const std::uint32_t heapEnd = this->heapEnd(core);
  const auto &state = Clock::get().core(core);
  const std::uint64_t top = base(core) + WEFT_SW_LDM_BYTES;
  trace::curve(trace::Curve::LdmUse, core, state.now,
               heapEnd + (stackInLdm() ? top - state.stack : 0));
  if (heapEnd > imageEnd_)
    report::ldmUse(core, "ldm_malloc", heapEnd - imageEnd_);
  if (stackInLdm() && state.stack_low < top)
    report::ldmUse(core, "stack", top - state.stack_low);
}

std::uint32_t Ldm::heapLimit(int core) const {
  if (!stackInLdm())
    return WEFT_SW_LDM_BYTES;
  return static_cast<std::uint32_t>(Clock::get().core(core).stack - base(core)) / kAlignment *
         kAlignment;
}

std::uintptr_t Ldm::allocate(int core, std::uint64_t bytes, const WeftSite *site) {
  const std::uint32_t limit = heapLimit(core);
  const auto fail = [&]() -> std::uintptr_t {
    failures_[core] = {bytes, largestFree(core), Clock::get().now(), site};
    return 0;
  };
  if (bytes > limit)
    return fail();
  const std::uint32_t wanted = std::max(roundUp(bytes), kAlignment);
  auto &blocks = blocks_[core];
  std::uint32_t place = imageEnd_; // the first gap that is large enough
  for (const auto &[offset, block] : blocks) {
    if (offset - place >= wanted)
      break;
    place = offset + block.bytes;
  }
  if (place > limit || limit - place < wanted)
    return fail();
  blocks[place] = {wanted, static_cast<std::uint32_t>(bytes), site};
  // A loop that allocates again and again is not to pay for it each time.
  constexpr unsigned kWatched = 2;
  mark(core, place, place + wanted, watched_[core][site]++ < kWatched ? kUnwritten : 0,
       kFree | kUnwritten);
  std::erase_if(freed_[core], [&](const auto &old) {
    return old.first < place + wanted && place < old.first + old.second.bytes;
  });
  setStackEnd(core);
  tellUse(core);
  return base(core) + place;
}

void Ldm::free(int core, std::uintptr_t address, std::uint64_t bytes, const WeftSite *site) {
  if (!address)
    return;
  const auto refuse = [&](std::string what, std::string found) {
    raise({.name = "ldm-free",
           .core = core,
           .cycle = Clock::get().now(),
           .site = site,
           .what = std::move(what),
           .expected = "an address that this CPE's ldm_malloc returned, and its size",
           .found = std::move(found)});
  };
  auto &blocks = blocks_[core];
  const auto found = blocks.find(static_cast<std::uint32_t>(address - base(core)));
  if (owner(address) != core || found == blocks.end())
    refuse(owner(address) == core &&
                   freed_[core].contains(static_cast<std::uint32_t>(address - base(core)))
               ? "ldm_free of a block that is free already"
               : "ldm_free of what ldm_malloc did not return",
           owner(address) == core ? place(core, static_cast<std::uint32_t>(address - base(core)))
           : owner(address) >= 0  ? "an address in the LDM of " + describeCore(owner(address))
                                  : Memory::historyOf(address).text + ", in main memory");
  // Programs are careless with the size, which the machine's library takes on trust.
  if (roundUp(bytes) != roundUp(found->second.asked))
    warn({.name = "ldm-free-size",
          .core = core,
          .cycle = Clock::get().now(),
          .site = site,
          .what = "ldm_free with another size than ldm_malloc; the whole block is freed",
          .expected = std::to_string(found->second.asked) + " bytes, as allocated",
          .found = std::to_string(bytes) + " bytes",
          .others = {{"allocated", -1, 0, found->second.site}}});
  Block block = found->second;
  block.freed = site;
  const std::uint32_t offset = found->first;
  freed_[core].insert_or_assign(offset, block);
  blocks.erase(found);
  mark(core, offset, offset + block.bytes, kFree, kUnwritten);
  if (stackInLdm()) // the stack may come there
    mark(core, heapEnd(core), WEFT_SW_LDM_BYTES, 0, kFree);
  setStackEnd(core);
  tellUse(core);
}

std::uint64_t Ldm::largestFree(int core) const {
  std::uint32_t largest = 0, place = imageEnd_;
  for (const auto &[offset, block] : blocks_[core]) {
    largest = std::max(largest, offset - place);
    place = offset + block.bytes;
  }
  const std::uint32_t limit = heapLimit(core);
  return limit > place ? std::max(largest, limit - place) : largest;
}

std::string Ldm::place(int core, std::uint32_t offset) const {
  std::string text = "LDM offset " + std::to_string(offset);
  if (offset < imageEnd_)
    for (const auto &variable : ldmVariables())
      if (offset >= variable.address - imageBegin() &&
          offset < variable.address - imageBegin() + variable.size)
        return text + ", byte " + std::to_string(offset - (variable.address - imageBegin())) +
               " of __thread_local " + variable.name;
  for (const auto &[begin, block] : blocks_[core])
    if (offset >= begin && offset < begin + block.bytes)
      return text + ", byte " + std::to_string(offset - begin) + " of ldm_malloc(" +
             std::to_string(block.asked) + ") " + describe(block.site);
  if (stackInLdm() && offset >= Clock::get().core(core).stack - base(core))
    return text + ", on the stack";
  for (const auto &[begin, block] : freed_[core])
    if (offset >= begin && offset < begin + block.bytes)
      return text + ", byte " + std::to_string(offset - begin) + " of ldm_malloc(" +
             std::to_string(block.asked) + ") " + describe(block.site) + ", freed at " +
             describe(block.freed);
  return text + ", not allocated";
}

std::vector<Fault::Party> Ldm::use(int core) const {
  std::vector<Fault::Party> parties;
  const auto add = [&](std::uint64_t bytes, const std::string &whose, const WeftSite *site) {
    if (bytes)
      parties.push_back({std::to_string(bytes) + " bytes: " + whose, -1, 0, site});
  };
  add(imageEnd_, "__thread_local variables", nullptr);
  std::map<std::pair<const WeftSite *, std::uint32_t>, std::uint32_t> blocks;
  for (const auto &[offset, block] : blocks_[core])
    ++blocks[{block.site, block.asked}];
  for (const auto &[which, times] : blocks)
    add(std::uint64_t{times} * which.second,
        (times > 1 ? std::to_string(times) + " times " : "") + "ldm_malloc(" +
            std::to_string(which.second) + ") at",
        which.first);
  if (stackInLdm())
    add(base(core) + WEFT_SW_LDM_BYTES - Clock::get().core(core).stack,
        "stack of the functions that are running", nullptr);
  return parties;
}

std::vector<Fault::Party> Ldm::failure(int core) const {
  if (core < 0 || core >= WEFT_SW_CPES || !failures_[core].asked)
    return {};
  const Failure &failure = failures_[core];
  std::vector<Fault::Party> parties = {{"its ldm_malloc(" + std::to_string(failure.asked) +
                                            ") returned null, for " + std::to_string(failure.free) +
                                            " bytes were free in one piece",
                                        core, failure.cycle, failure.site}};
  for (auto &party : use(core))
    parties.push_back(std::move(party));
  return parties;
}

void Ldm::accessed(int core, std::uint32_t offset, std::uint64_t bytes, std::string_view use,
                   const WeftSite *site) const {
  const auto &state = Clock::get().core(core);
  std::uint32_t at = offset;
  const auto end =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(offset + bytes, WEFT_SW_LDM_BYTES));
  while (at < end && !(state.shadow[at / WEFT_SW_GRANULE] & kFree))
    at = (at / WEFT_SW_GRANULE + 1) * WEFT_SW_GRANULE;
  if (at >= end)
    return;
  static std::set<std::pair<const WeftSite *, const WeftSite *>> told;
  const auto old = std::ranges::find_if(freed_[core], [at](const auto &block) {
    return at >= block.first && at < block.first + block.second.bytes;
  });
  const bool freed = old != freed_[core].end();
  if (!told.emplace(site, freed ? old->second.freed : nullptr).second)
    return;
  Fault fault{.name = freed ? FaultName("ldm-freed") : FaultName("ldm-not-allocated"),
              .core = core,
              .cycle = state.now,
              .site = site,
              .what = std::string(use) +
                      (freed ? " LDM that was freed: " : " LDM where nothing is allocated: ") +
                      std::to_string(bytes) + (bytes == 1 ? " byte at " : " bytes at ") +
                      place(core, offset)};
  if (freed)
    fault.others.push_back({"freed at", -1, 0, old->second.freed});
  else
    fault.help = "an index past the end, or an address that ldm_malloc did not return";
  warn(fault);
}

void Ldm::used(int core, std::uint32_t offset, std::uint64_t bytes, std::string_view use,
               const WeftSite *site) const {
  const auto &state = Clock::get().core(core);
  const auto end =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(offset + bytes, WEFT_SW_LDM_BYTES));
  for (std::uint32_t at = offset; at < end; at = (at / WEFT_SW_GRANULE + 1) * WEFT_SW_GRANULE)
    if (!(state.shadow[at / WEFT_SW_GRANULE] & kUnwritten))
      return;
  written(core, offset, bytes); // once
  const auto after = blocks_[core].upper_bound(offset);
  const WeftSite *allocated =
      after == blocks_[core].begin() ? nullptr : std::prev(after)->second.site;
  static std::set<std::pair<const WeftSite *, const WeftSite *>> told;
  if (!told.emplace(site, allocated).second)
    return;
  warn({.name = "ldm-not-written",
        .core = core,
        .cycle = Clock::get().now(),
        .site = site,
        .what = std::string(use) + " LDM that nothing was written to: " + std::to_string(bytes) +
                (bytes == 1 ? " byte at " : " bytes at ") + place(core, offset),
        .expected = "a store, or a get that is complete, first",
        .found = "what was there before, which the machine does not clear",
        .help = "ldm_malloc gives memory as it is: write it first, or get it from main memory"});
}

void Ldm::written(int core, std::uint32_t offset, std::uint64_t bytes) {
  const auto end =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(offset + bytes, WEFT_SW_LDM_BYTES));
  mark(core, offset, roundUp(end), 0, kUnwritten);
}

} // namespace weft::emu
