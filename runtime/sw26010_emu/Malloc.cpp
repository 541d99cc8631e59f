// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc and its family, in place of the C library's, for the whole process. Who calls decides:
// the program gets memory of its own heap; the system's libraries, on its behalf, of a second one;
// the emulator itself, and whoever comes before the program, the C library's, whose addresses vary.
#include "AddressMap.h"
#include "Clock.h"
#include "Fault.h"
#include "Heap.h"
#include "Memory.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <malloc.h>
#include <new>
#include <sys/mman.h>

namespace weft::emu {

namespace {

Heap programHeap, libraryHeap;

} // namespace

const Heap *heapOf(std::uintptr_t address) {
  if (programHeap.contains(address))
    return &programHeap;
  return libraryHeap.contains(address) ? &libraryHeap : nullptr;
}

void limitHeap(std::uint64_t bytes) { programHeap.setLimit(bytes); }

} // namespace weft::emu

// Below all that the process does, before AddressSanitizer has begun: CMake leaves this file
// uninstrumented. What is the emulator's own comes from the sanitizer's malloc then.
#if defined(WEFT_SANITIZE)
#define __libc_malloc __interceptor_malloc
#define __libc_calloc __interceptor_calloc
#define __libc_realloc __interceptor_realloc
#define __libc_memalign __interceptor_memalign
#define __libc_free __interceptor_free
#endif

extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);
}

namespace weft::emu {

namespace {

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool has(const void *address) const {
    return reinterpret_cast<std::uintptr_t>(address) - begin < end - begin;
  }
};

Range programCode, ownCode;

/// The heaps are changed by one thread at a time; threads are rare, and none waits long.
class Lock {
public:
  Lock() {
    while (busy_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Lock() { busy_.clear(std::memory_order_release); }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;

private:
  static inline std::atomic_flag busy_{};
};

int addObject(dl_phdr_info *object, std::size_t, void *first) {
  Range range{UINTPTR_MAX, 0};
  for (int index = 0; index < object->dlpi_phnum; ++index) {
    const auto &header = object->dlpi_phdr[index];
    if (header.p_type != PT_LOAD)
      continue;
    const std::uintptr_t begin = object->dlpi_addr + header.p_vaddr;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + header.p_memsz);
  }
  if (*static_cast<bool *>(first)) // the program comes first
    programCode = range;
  else if (range.has(reinterpret_cast<const void *>(&addObject)))
    ownCode = range;
  *static_cast<bool *>(first) = false;
  return 0;
}

} // namespace

// The system begins the C library's heap anywhere in the first GB behind the program's data, which
// may be where LDM belongs. Once the place is reserved that heap goes elsewhere.
bool reserveLdm() {
  static const bool reserved = [] {
    constexpr std::size_t size = kLdmStride * WEFT_SW_CPES;
    void *const place = reinterpret_cast<void *>(kLdm);
    return mmap(place, size, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == place;
  }();
  return reserved;
}

namespace {

// Before the program's own constructors, for these allocate.
__attribute__((constructor)) void openHeaps() {
  bool first = true;
  dl_iterate_phdr(addObject, &first);
  programHeap.open(kProgramHeap);
  libraryHeap.open(kLibraryHeap);
}

/// The heap for what `caller` allocates; null for the C library's own.
Heap *heapFor(const void *caller) {
  if (!libraryHeap.isOpen())
    reserveLdm(); // before the first byte of the C library's heap
  if (programCode.has(caller))
    return programHeap.isOpen() ? &programHeap : nullptr;
  return libraryHeap.isOpen() && !ownCode.has(caller) && programRuns() ? &libraryHeap : nullptr;
}

Heap *heapOfBlock(const void *block) {
  return const_cast<Heap *>(heapOf(reinterpret_cast<std::uintptr_t>(block)));
}

void *outOfMemory() {
  errno = ENOMEM;
  return nullptr;
}

void *allocate(std::size_t bytes, std::size_t alignment, const void *caller) {
  Heap *heap = heapFor(caller);
  if (!heap)
    return alignment <= alignof(std::max_align_t) ? __libc_malloc(bytes)
                                                  : __libc_memalign(alignment, bytes);
  const Lock lock;
  void *block = heap->allocate(bytes, alignment, caller, false);
  return block ? block : outOfMemory();
}

/// The C library takes the next power of two.
void *allocateAligned(std::size_t alignment, std::size_t bytes, const void *caller) {
  if (alignment > SIZE_MAX / 2 + 1) {
    errno = EINVAL;
    return nullptr;
  }
  return allocate(bytes, std::bit_ceil(alignment), caller);
}

[[noreturn]] void refuseFree(const char *call, const void *block, const void *caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const Memory::History history = Memory::get().historyOf(address);
  raise({.name = history.freed ? FaultName("double-free") : FaultName("bad-free"),
         .core = Clock::get().running(),
         .cycle = weft_sw_current->now,
         .site = weft_sw_current->site,
         .what = std::string(call) + (history.freed ? " of a block that is free already"
                                                    : " of an address that malloc did not return"),
         .found = history.text,
         .help = "called " + Memory::describeCode(caller)});
}

void release(void *block, const void *caller) {
  if (!block)
    return;
  Heap *heap = heapOfBlock(block);
  if (!heap)
    return __libc_free(block);
  bool known = false;
  {
    const Lock lock;
    known = heap->release(reinterpret_cast<std::uintptr_t>(block), caller);
  }
  if (!known)
    refuseFree("free", block, caller);
}

void *reallocate(void *block, std::size_t bytes, const void *caller) {
  if (!block)
    return allocate(bytes, 1, caller);
  Heap *heap = heapOfBlock(block);
  if (!heap)
    return __libc_realloc(block, bytes);
  if (!bytes) {
    release(block, caller);
    return nullptr;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  void *moved = nullptr;
  {
    const Lock lock;
    const auto known = heap->blockAt(address);
    if (known && known->live && known->address == address) {
      if (heap->resize(address, bytes, caller))
        return block;
      moved = heap->allocate(bytes, 1, caller, false);
      if (!moved)
        return outOfMemory();
      std::memcpy(moved, block, std::min<std::size_t>(known->bytes, bytes));
      heap->release(address, caller);
    }
  }
  if (!moved)
    refuseFree("realloc", block, caller);
  return moved;
}

void *allocateOrThrow(std::size_t bytes, std::size_t alignment, const void *caller) {
  for (;;) {
    if (void *block = allocate(bytes ? bytes : 1, alignment, caller))
      return block;
    const std::new_handler handler = std::get_new_handler();
    if (!handler)
      throw std::bad_alloc();
    handler();
  }
}

} // namespace

void *allocateForProgram(std::size_t bytes, const void *caller) {
  const Lock lock;
  return programHeap.allocate(bytes, 1, caller, false);
}

void *reallocateForProgram(void *block, std::size_t bytes, const void *caller) {
  return block ? reallocate(block, bytes, caller) : allocateForProgram(bytes, caller);
}

void releaseForProgram(void *block, const void *caller) { release(block, caller); }

} // namespace weft::emu

using namespace weft::emu;

#define CALLER __builtin_return_address(0)

extern "C" {

void *malloc(std::size_t bytes) { return allocate(bytes, 1, CALLER); }

void free(void *block) { release(block, CALLER); }

void *calloc(std::size_t count, std::size_t bytes) {
  const void *caller = CALLER;
  Heap *heap = heapFor(caller);
  if (!heap)
    return __libc_calloc(count, bytes);
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total))
    return outOfMemory();
  const Lock lock;
  void *block = heap->allocate(total, 1, caller, true);
  return block ? block : outOfMemory();
}

void *realloc(void *block, std::size_t bytes) { return reallocate(block, bytes, CALLER); }

void *reallocarray(void *block, std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, bytes, &total))
    return outOfMemory();
  return reallocate(block, total, CALLER);
}

void *memalign(std::size_t alignment, std::size_t bytes) {
  return allocateAligned(alignment, bytes, CALLER);
}

void *aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return allocateAligned(alignment, bytes, CALLER);
}

int posix_memalign(void **result, std::size_t alignment, std::size_t bytes) {
  if (alignment < sizeof(void *) || !std::has_single_bit(alignment))
    return EINVAL;
  const int before = errno;
  void *block = allocate(bytes, alignment, CALLER);
  errno = before;
  if (!block)
    return ENOMEM;
  *result = block;
  return 0;
}

void *valloc(std::size_t bytes) { return allocate(bytes, 4096, CALLER); }
void *pvalloc(std::size_t bytes) { return allocate((bytes + 4095) / 4096 * 4096, 4096, CALLER); }

std::size_t malloc_usable_size(void *block) {
  if (!block)
    return 0;
  if (const Heap *heap = heapOfBlock(block))
    return heap->usable(reinterpret_cast<std::uintptr_t>(block));
  // The C library's, which no program has a pointer to: what a block holds at least.
  return 0;
}

} // extern "C"

// The C++ library's call malloc from within it, which would take the program for a library.

void *operator new(std::size_t bytes) { return allocateOrThrow(bytes, 1, CALLER); }
void *operator new[](std::size_t bytes) { return allocateOrThrow(bytes, 1, CALLER); }
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  return allocate(bytes ? bytes : 1, 1, CALLER);
}
void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept {
  return allocate(bytes ? bytes : 1, 1, CALLER);
}
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocateOrThrow(bytes, static_cast<std::size_t>(alignment), CALLER);
}
void *operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocateOrThrow(bytes, static_cast<std::size_t>(alignment), CALLER);
}
void operator delete(void *block) noexcept { release(block, CALLER); }
void operator delete[](void *block) noexcept { release(block, CALLER); }
void operator delete(void *block, std::size_t) noexcept { release(block, CALLER); }
void operator delete[](void *block, std::size_t) noexcept { release(block, CALLER); }
void operator delete(void *block, std::align_val_t) noexcept { release(block, CALLER); }
void operator delete[](void *block, std::align_val_t) noexcept { release(block, CALLER); }
void operator delete(void *block, std::size_t, std::align_val_t) noexcept {
  release(block, CALLER);
}
void operator delete[](void *block, std::size_t, std::align_val_t) noexcept {
  release(block, CALLER);
}
