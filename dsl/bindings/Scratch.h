//===- Scratch.h - memory that calls of kernels work in -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_BINDINGS_SCRATCH_H
#define WEFT_BINDINGS_SCRATCH_H

#include <cstddef>
#include <mutex>
#include <vector>

namespace weft {

/// Blocks of one size, aligned, in huge pages where large. Each call has one to itself; those given
/// back are used again, and live as long as the pool.
class ScratchPool {
public:
  explicit ScratchPool(std::size_t size) : size(size) {}
  ScratchPool(const ScratchPool &) = delete;
  ScratchPool &operator=(const ScratchPool &) = delete;
  ~ScratchPool();

  std::size_t bytes() const { return size; }
  /// A block that nobody else uses; null for a kernel without scratch. Throws std::bad_alloc.
  void *take();
  void give(void *block);

private:
  /// What the system gave, whose start need not be aligned.
  struct Mapped {
    void *start;
    std::size_t length;
  };

  std::size_t size;
  std::mutex lock;
  std::vector<void *> free;
  std::vector<Mapped> mapped;
};

/// A block for as long as this lives.
class Lent {
public:
  explicit Lent(ScratchPool &pool) : pool(pool), block(pool.take()) {}
  Lent(const Lent &) = delete;
  Lent &operator=(const Lent &) = delete;
  ~Lent() { pool.give(block); }

  void *address() const { return block; }

private:
  ScratchPool &pool;
  void *block;
};

} // namespace weft

#endif // WEFT_BINDINGS_SCRATCH_H
