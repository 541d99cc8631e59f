// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Heap.h"

#include "AddressMap.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <sys/mman.h>

namespace weft::emu {

namespace {

constexpr std::size_t kPage = 4096;
// Behind a large block.
constexpr std::size_t kGuard = kPage;
// Freed blocks from here on give their memory back to the system.
constexpr std::size_t kReturned = 1 << 20;

std::size_t roundUp(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

void *mapAnywhere(std::size_t bytes) {
  void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

} // namespace

void Heap::open(std::uintptr_t base) {
  mapAt(base, kReserved, false);
  spans_ = static_cast<Span *>(mapAnywhere(kSpans * sizeof(Span)));
  large_ = new std::map<std::uintptr_t, Large>;
  holes_ = new std::map<std::uintptr_t, std::size_t>;
  top_ = base + kSmallRegion;
  base_ = base;
}

// ---- size classes: 16, 32, ... 128, then four to each doubling ----

std::size_t Heap::sizeOf(unsigned index) {
  if (index < 8)
    return (std::size_t{index} + 1) * 16;
  const unsigned quarter = (index - 8) % 4, doubling = (index - 8) / 4;
  return (std::size_t{128} << doubling) / 4 * (5 + quarter);
}

unsigned Heap::classOf(std::size_t bytes) {
  if (bytes <= 128)
    return bytes ? static_cast<unsigned>((bytes - 1) / 16) : 0;
  const auto doubling = static_cast<unsigned>(std::bit_width((bytes - 1) / 128)) - 1;
  // NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): of 129 bytes and more, so no less than 0
  const std::size_t step = (std::size_t{128} << doubling) / 4;
  return 8 + 4 * doubling + static_cast<unsigned>((bytes - 1) / step - 4);
}

// ---- small blocks ----

Heap::Record *Heap::recordAt(std::uintptr_t address, bool exactly) const {
  const std::size_t index = (address - base_) / kSpan;
  if (index >= spanCount_)
    return nullptr;
  const Span &span = spans_[index];
  const std::size_t place = (address - base_) % kSpan;
  if (place / span.size >= span.used || (exactly && place % span.size))
    return nullptr;
  return span.records + place / span.size;
}

void *Heap::allocateSmall(unsigned index, std::size_t bytes, const void *caller, bool zeroed) {
  Class &own = classes_[index];
  const std::size_t size = sizeOf(index);
  const auto asked = static_cast<std::uint32_t>(bytes) | kLive;
  if (own.free != kNone) {
    const std::uint32_t number = own.free;
    const Span &span = spans_[number >> 16];
    Record &record = span.records[number & 0xFFFF];
    own.free = record.next;
    record = {asked, kNone, caller, nullptr};
    void *block =
        reinterpret_cast<void *>(base_ + (number >> 16) * kSpan + (number & 0xFFFF) * size);
    if (zeroed)
      std::memset(block, 0, bytes);
    return block;
  }
  const auto capacity = static_cast<std::uint32_t>(kSpan / size);
  if (own.span == kNone || spans_[own.span].used == capacity) {
    if (spanCount_ == kSpans || taken_ + kSpan > limit_)
      return nullptr;
    auto *records = static_cast<Record *>(mapAnywhere(capacity * sizeof(Record)));
    if (!records || mprotect(reinterpret_cast<void *>(base_ + spanCount_ * kSpan), kSpan,
                             PROT_READ | PROT_WRITE) != 0)
      return nullptr;
    taken_ += kSpan;
    own.span = spanCount_++;
    spans_[own.span] = {records, static_cast<std::uint32_t>(size), 0};
  }
  Span &span = spans_[own.span];
  const std::uint32_t place = span.used++;
  span.records[place] = {asked, kNone, caller, nullptr};
  return reinterpret_cast<void *>(base_ + own.span * kSpan + place * size); // zero as mapped
}

// ---- large blocks ----

/// First fit, so that the heap stays compact. `used`: the room had a block before.
std::uintptr_t Heap::findRoom(std::size_t bytes, std::size_t alignment, bool &used) {
  used = true;
  for (auto hole = holes_->begin(); hole != holes_->end(); ++hole) {
    const auto [start, length] = *hole;
    const std::uintptr_t place = roundUp(start, alignment);
    if (place + bytes > start + length)
      continue;
    holes_->erase(hole);
    if (place > start)
      (*holes_)[start] = place - start;
    if (place + bytes < start + length)
      (*holes_)[place + bytes] = start + length - place - bytes;
    return place;
  }
  used = false;
  const std::uintptr_t place = roundUp(top_, alignment);
  if (place > base_ + kReserved || bytes > base_ + kReserved - place)
    return 0;
  if (place > top_)
    (*holes_)[top_] = place - top_;
  top_ = place + bytes;
  return place;
}

void *Heap::allocateLarge(std::size_t bytes, std::size_t alignment, const void *caller,
                          bool zeroed) {
  if (bytes > kReserved)
    return nullptr;
  const std::size_t pages = std::max(roundUp(bytes, kPage), kPage);
  if (taken_ + pages > limit_)
    return nullptr;
  bool used = false;
  const std::uintptr_t place = findRoom(pages + kGuard, std::max(alignment, kPage), used);
  if (!place)
    return nullptr;
  void *block = reinterpret_cast<void *>(place);
  const auto before = large_->find(place);
  const bool asBefore =
      before != large_->end() && before->second.pages == pages && pages < kReturned;
  if (!asBefore && mprotect(block, pages, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  if (used && !asBefore)
    mprotect(static_cast<char *>(block) + pages, kGuard, PROT_NONE);
  // What was freed there is forgotten.
  auto old = large_->lower_bound(place);
  if (old != large_->begin() && std::prev(old)->first + std::prev(old)->second.pages > place)
    --old;
  while (old != large_->end() && old->first < place + pages + kGuard)
    old = large_->erase(old);
  if (used && zeroed)
    std::memset(block, 0, bytes);
  taken_ += pages;
  (*large_)[place] = {bytes, pages, true, caller, nullptr};
  return block;
}

// ---- both ----

void *Heap::allocate(std::size_t bytes, std::size_t alignment, const void *caller, bool zeroed) {
  if (bytes <= kLargestSmall && alignment <= kPage) {
    unsigned index = classOf(std::max(bytes, alignment > 16 ? alignment : 1));
    while (index < kClasses && sizeOf(index) % alignment && alignment > 16)
      ++index;
    if (index < kClasses)
      return allocateSmall(index, bytes, caller, zeroed);
  }
  return allocateLarge(bytes, alignment, caller, zeroed);
}

bool Heap::release(std::uintptr_t address, const void *caller) {
  if (address < base_ + kSmallRegion) {
    Record *record = recordAt(address, true);
    if (!record || !(record->bytes & kLive))
      return false;
    const auto span = static_cast<std::uint32_t>((address - base_) / kSpan);
    Class &own = classes_[classOf(spans_[span].size)];
    record->bytes &= ~kLive;
    record->freedAt = caller;
    record->next = own.free;
    own.free = span << 16 | static_cast<std::uint32_t>(record - spans_[span].records);
    return true;
  }
  const auto found = large_->find(address);
  if (found == large_->end() || !found->second.live)
    return false;
  Large &block = found->second;
  block.live = false;
  block.freedAt = caller;
  taken_ -= block.pages;
  // The pages go back to the system; who touches them now is told so. Smaller ones will soon be
  // wanted again.
  if (block.pages >= kReturned &&
      mmap(reinterpret_cast<void *>(address), block.pages, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    mprotect(reinterpret_cast<void *>(address), block.pages, PROT_NONE); // kept, but not to touch
  std::uintptr_t begin = address, end = address + block.pages + kGuard;
  auto next = holes_->lower_bound(begin);
  if (next != holes_->end() && next->first == end) {
    end += next->second;
    next = holes_->erase(next);
  }
  if (next != holes_->begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      begin = before->first;
      holes_->erase(before);
    }
  }
  (*holes_)[begin] = end - begin;
  return true;
}

std::size_t Heap::usable(std::uintptr_t address) const {
  const auto block = blockAt(address);
  return block && block->live && block->address == address ? block->bytes : 0;
}

bool Heap::resize(std::uintptr_t address, std::size_t bytes, const void *caller) {
  if (address < base_ + kSmallRegion) {
    Record *record = recordAt(address, true);
    const std::size_t size = spans_[(address - base_) / kSpan].size;
    // A block that shrinks to less than half its class moves, so that the rest is not lost.
    if (bytes > size || bytes * 2 < size)
      return false;
    record->bytes = static_cast<std::uint32_t>(bytes) | kLive;
    record->allocatedAt = caller;
    return true;
  }
  Large &block = large_->at(address);
  if (bytes > block.pages || bytes * 2 < block.pages)
    return false;
  block.bytes = bytes;
  block.allocatedAt = caller;
  return true;
}

bool Heap::runsOver(std::uintptr_t address, std::uint64_t bytes) const {
  const auto block = blockAt(address);
  if (!block || !block->live || address >= block->address + block->bytes)
    return false;
  const std::uintptr_t last = address + bytes - 1;
  if (address < base_ + kSmallRegion)
    return (address - base_) / kSpan == (last - base_) / kSpan;
  return last < block->address + large_->at(block->address).pages;
}

std::optional<Heap::Block> Heap::blockAt(std::uintptr_t address) const {
  if (address < base_ + kSmallRegion) {
    const Record *record = recordAt(address, false);
    if (!record)
      return std::nullopt;
    const std::size_t size = spans_[(address - base_) / kSpan].size;
    const std::uintptr_t start = address - (address - base_) % kSpan % size;
    return Block{start, record->bytes & ~kLive, (record->bytes & kLive) != 0, record->allocatedAt,
                 record->freedAt};
  }
  const auto after = large_->upper_bound(address);
  if (after == large_->begin())
    return std::nullopt;
  const auto &[start, block] = *std::prev(after);
  return Block{start, block.bytes, block.live, block.allocatedAt, block.freedAt};
}

} // namespace weft::emu
