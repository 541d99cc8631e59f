// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A heap at a fixed address: what malloc gives to the program. The same calls give the same
// addresses in every run, and it knows which blocks live, which are freed, and who did either.
//
// Blocks up to 32 KiB come from spans of one size class each; larger ones are runs of pages with an
// inaccessible page behind.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace weft::emu {

class Heap {
public:
  static constexpr std::size_t kSpan = 1 << 20;
  static constexpr std::size_t kSpans = 1 << 16;
  static constexpr std::size_t kSmallRegion = kSpan * kSpans; // 64 GiB of addresses

  struct Block {
    std::uintptr_t address = 0;
    std::uint64_t bytes = 0; // as asked for
    bool live = false;
    const void *allocatedAt = nullptr, *freedAt = nullptr; // code that called
  };

  /// Not before the process's first constructors: malloc is called by the loader already.
  void open(std::uintptr_t base);
  bool isOpen() const { return base_ != 0; }
  void setLimit(std::uint64_t bytes) { limit_ = bytes; }
  bool contains(std::uintptr_t address) const {
    return base_ && address >= base_ && address < base_ + kReserved;
  }

  /// Null if there is no memory. `alignment` is a power of two.
  void *allocate(std::size_t bytes, std::size_t alignment, const void *caller, bool zeroed);
  /// False if no live block begins there.
  bool release(std::uintptr_t address, const void *caller);
  /// What may be used of the live block at `address`; 0 if there is none.
  std::size_t usable(std::uintptr_t address) const;
  /// Gives the live block at `address` another size if it fits where it is.
  bool resize(std::uintptr_t address, std::size_t bytes, const void *caller);
  /// Whether the bytes begin in a live block and are all there, though not all of them its own: the
  /// machine reads such without a word.
  bool runsOver(std::uintptr_t address, std::uint64_t bytes) const;
  /// The block, live or freed, that was given last of those that the address is in, or behind.
  std::optional<Block> blockAt(std::uintptr_t address) const;

private:
  static constexpr std::size_t kReserved = 4 * kSmallRegion;
  static constexpr std::size_t kLargestSmall = 32768;
  static constexpr unsigned kClasses = 8 + 4 * 8; // see sizeOf
  static constexpr std::uint32_t kNone = UINT32_MAX, kLive = 1U << 31;

  /// Of a small block, kept outside it.
  struct Record {
    std::uint32_t bytes; // and kLive
    std::uint32_t next;  // free block of the class, by number: span, place in it
    const void *allocatedAt, *freedAt;
  };
  struct Span {
    Record *records = nullptr;
    std::uint32_t size = 0, used = 0;
  };
  struct Class {
    std::uint32_t free = kNone, span = kNone;
  };
  struct Large {
    std::uint64_t bytes, pages;
    bool live;
    const void *allocatedAt, *freedAt;
  };

  static std::size_t sizeOf(unsigned index);
  static unsigned classOf(std::size_t bytes);
  Record *recordAt(std::uintptr_t address, bool exactly) const;
  void *allocateSmall(unsigned index, std::size_t bytes, const void *caller, bool zeroed);
  void *allocateLarge(std::size_t bytes, std::size_t alignment, const void *caller, bool zeroed);
  std::uintptr_t findRoom(std::size_t bytes, std::size_t alignment, bool &used);

  std::uintptr_t base_ = 0;
  std::uint64_t limit_ = UINT64_MAX, taken_ = 0;
  Span *spans_ = nullptr;
  std::uint32_t spanCount_ = 0;
  Class classes_[kClasses];
  std::map<std::uintptr_t, Large> *large_ = nullptr;       // live and freed, not overlapping
  std::map<std::uintptr_t, std::size_t> *holes_ = nullptr; // between large blocks
  std::uintptr_t top_ = 0;                                 // end of the last
};

/// The heap that an address lies in: the program's or the libraries'; null if in neither.
const Heap *heapOf(std::uintptr_t address);
/// malloc, realloc and free for the runtime on the program's behalf: slave_malloc and its like.
/// `caller` is the program's code that asked, for reports.
void *allocateForProgram(std::size_t bytes, const void *caller);
void *reallocateForProgram(void *block, std::size_t bytes, const void *caller);
void releaseForProgram(void *block, const void *caller);
/// How much the program's heap may grow to.
void limitHeap(std::uint64_t bytes);

} // namespace weft::emu
