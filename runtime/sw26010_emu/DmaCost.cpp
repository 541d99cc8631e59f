// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DmaCost.h"

#include <algorithm>
#include <cmath>

namespace weft::emu {

namespace {

struct Blocks {
  std::uint64_t lines = 0;  // touched, summed over blocks
  std::uint64_t shared = 0; // blocks that begin in the line in which the one before ended
};

/// Counts `count` blocks one by one from `first` on.
Blocks countBlocks(std::uint64_t address, std::uint64_t block, std::uint64_t pitch,
                   std::uint64_t line, std::uint64_t first, std::uint64_t count) {
  Blocks found;
  for (std::uint64_t i = first; i < first + count; ++i) {
    const std::uint64_t begin = address + i * pitch, last = begin + block - 1;
    found.lines += last / line - begin / line + 1;
    if (i > 0 && (begin - pitch + block - 1) / line == begin / line)
      ++found.shared;
  }
  return found;
}

/// The same in constant time: places within a line repeat, after `line` blocks at the latest.
Blocks countAll(std::uint64_t address, std::uint64_t block, std::uint64_t pitch, std::uint64_t line,
                std::uint64_t count) {
  std::uint64_t period = 1;
  while (period * pitch % line != 0)
    ++period;
  if (count <= 2 * period)
    return countBlocks(address, block, pitch, line, 0, count);
  // The first block has none before it, so that the period is taken from the second on.
  const Blocks one = countBlocks(address, block, pitch, line, 1, period);
  const std::uint64_t periods = (count - 1) / period, rest = (count - 1) % period;
  const Blocks first = countBlocks(address, block, pitch, line, 0, 1);
  const Blocks tail = countBlocks(address, block, pitch, line, 1, rest);
  return {first.lines + periods * one.lines + tail.lines, periods * one.shared + tail.shared};
}

bool isContiguous(const DmaShape &shape) {
  return shape.block == 0 || shape.block >= shape.bytes || shape.gap == 0;
}

/// A block of a strided get takes lines of its length and a head, wherever it begins: measurements
/// show no difference between places.
double slotsOf(std::uint64_t block, const DmaParameters &parameters) {
  return std::ceil((parameters.readBlockHead + static_cast<double>(block)) / parameters.lineBytes);
}

} // namespace

DmaCost costOf(const DmaShape &shape, const DmaParameters &parameters) {
  DmaCost cost;
  cost.service = shape.toMemory ? parameters.requestPut : parameters.requestGet;
  cost.undisturbed = std::min(parameters.requestGet, cost.service);
  if (shape.bytes == 0)
    return cost;
  const bool contiguous = isContiguous(shape);
  const std::uint64_t block = contiguous ? shape.bytes : shape.block;
  const std::uint64_t pitch = block + (contiguous ? 0 : shape.gap);
  const auto line = static_cast<std::uint64_t>(parameters.lineBytes);
  const std::uint64_t whole = shape.bytes / block, rest = shape.bytes % block;

  Blocks blocks = countAll(shape.memoryAddress, block, pitch, line, whole);
  if (rest != 0)
    blocks.lines += countBlocks(shape.memoryAddress + whole * pitch, rest, 0, line, 0, 1).lines;
  cost.blocks = whole + (rest != 0);
  cost.lines = blocks.lines;

  const auto slots = [&](std::uint64_t bytes) { return slotsOf(bytes, parameters); };
  // A contiguous get takes the lines that it touches.
  const double readSlots =
      contiguous ? static_cast<double>(blocks.lines)
                 : static_cast<double>(whole) * slots(block) + (rest != 0 ? slots(rest) : 0.0);
  cost.delivery = parameters.requestLine * readSlots;
  if (!shape.toMemory) {
    cost.service += parameters.readLine * readSlots;
    cost.undisturbed = cost.service;
    return cost;
  }
  // Between gets, a block of a put pays for its bytes and for being opened; a small one for part of
  // that, unless the block before it still holds its line.
  const auto opening = [&](std::uint64_t bytes) {
    return parameters.writeBlock *
           std::min(1.0, static_cast<double>(bytes) / parameters.writeWhole);
  };
  const auto shared = static_cast<double>(blocks.shared);
  cost.service += parameters.writeLine * static_cast<double>(shape.bytes) / parameters.lineBytes;
  cost.service += (static_cast<double>(whole) - shared) * opening(block);
  cost.service += shared * parameters.writeBlock + (rest != 0 ? opening(rest) : 0.0);
  // Between puts, its lines cost what those of a get do.
  cost.undisturbed += parameters.readLine * readSlots;
  cost.undisturbed = std::min(cost.undisturbed, cost.service);
  return cost;
}

DmaCost costAmong(const DmaShape &shape, int core, const DmaParameters &parameters,
                  DmaRecentLines &recent) {
  DmaCost cost = costOf(shape, parameters);
  // Blocks that take one line anyway have nothing to save, and need not be looked at one by one.
  if (shape.toMemory || isContiguous(shape) || slotsOf(shape.block, parameters) < 2)
    return cost;
  const auto line = static_cast<std::uint64_t>(parameters.lineBytes);
  const std::uint64_t pitch = std::uint64_t{shape.block} + shape.gap;
  double saved = 0;
  std::uint64_t begin = shape.memoryAddress;
  for (std::uint64_t left = shape.bytes; left != 0; begin += pitch) {
    const std::uint64_t bytes = std::min<std::uint64_t>(left, shape.block);
    const std::uint64_t first = begin / line, last = (begin + bytes - 1) / line;
    left -= bytes;
    if (recent.take(first, last, core))
      saved += std::max(slotsOf(bytes, parameters) - static_cast<double>(last - first + 1), 0.0);
  }
  cost.service -= saved * parameters.readLine;
  cost.undisturbed = cost.service;
  cost.delivery -= saved * parameters.requestLine;
  return cost;
}

} // namespace weft::emu
