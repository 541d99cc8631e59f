//===- Scratch.cpp - memory that calls of kernels work in -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "bindings/Scratch.h"

#include <cstdint>
#include <new>
#include <sys/mman.h>

using namespace weft;

namespace {
constexpr std::size_t smallAlignment = 64;
constexpr std::size_t hugePage = std::size_t(2) << 20;
} // namespace

ScratchPool::~ScratchPool() {
  for (const Mapped &one : mapped)
    munmap(one.start, one.length);
}

void *ScratchPool::take() {
  if (size == 0)
    return nullptr;
  std::lock_guard<std::mutex> guard(lock);
  if (!free.empty()) {
    void *block = free.back();
    free.pop_back();
    return block;
  }
  const std::size_t alignment = size >= hugePage ? hugePage : smallAlignment;
  if (size > SIZE_MAX - alignment)
    throw std::bad_alloc();
  // Room for both lists first: nothing that was mapped is lost.
  mapped.reserve(mapped.size() + 1);
  free.reserve(mapped.size() + 1);
  const std::size_t length = size + alignment;
  void *start = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED)
    throw std::bad_alloc();
  mapped.push_back({start, length});
#ifdef MADV_HUGEPAGE
  // Only a hint: a kernel without huge pages is slower, not wrong.
  if (alignment == hugePage)
    (void)madvise(start, length, MADV_HUGEPAGE);
#endif
  const std::size_t past = reinterpret_cast<std::uintptr_t>(start) % alignment;
  return static_cast<char *>(start) + (past == 0 ? 0 : alignment - past);
}

void ScratchPool::give(void *block) {
  if (block == nullptr)
    return;
  std::lock_guard<std::mutex> guard(lock);
  free.push_back(block);
}
