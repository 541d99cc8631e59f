//===- SquareTranspose.cpp - squares turned in registers ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/SquareTranspose.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace weft {

namespace {

SmallVector<int64_t> unpackMask(int64_t lanes, int64_t perUnit, int64_t chunk, bool high) {
  // In each unit of 128 bits, chunks of both operands alternate.
  SmallVector<int64_t> mask;
  for (int64_t unit = 0; unit < lanes; unit += perUnit)
    for (int64_t from = high ? perUnit / 2 : 0, end = from + perUnit / 2; from < end; from += chunk)
      for (int64_t operand = 0; operand < 2; ++operand)
        for (int64_t element = 0; element < chunk; ++element)
          mask.push_back(operand * lanes + unit + from + element);
  return mask;
}

/// The even or the odd units of 128 bits of two operands, one operand after the other.
SmallVector<int64_t> unitMask(int64_t lanes, int64_t perUnit, bool odd) {
  SmallVector<int64_t> mask;
  for (int64_t unit = odd ? perUnit : 0; unit < 2 * lanes; unit += 2 * perUnit)
    for (int64_t element = 0; element < perUnit; ++element)
      mask.push_back(unit + element);
  return mask;
}

/// Transposes a square matrix of one unit a column: out[k] is unit k of all rows.
SmallVector<Value> transposeUnits(OpBuilder &builder, Location where, ArrayRef<Value> rows,
                                  int64_t lanes, int64_t perUnit) {
  if (rows.size() == 1)
    return {rows.front()};
  SmallVector<Value> columns(rows.size());
  for (bool odd : {false, true}) {
    SmallVector<Value> half;
    for (size_t row = 0; row < rows.size(); row += 2)
      half.push_back(vector::ShuffleOp::create(builder, where, rows[row], rows[row + 1],
                                               unitMask(lanes, perUnit, odd)));
    for (auto [index, column] :
         llvm::enumerate(transposeUnits(builder, where, half, lanes, perUnit)))
      columns[2 * index + odd] = column;
  }
  return columns;
}

/// The lower or the upper halves of two operands, one operand after the other.
SmallVector<int64_t> halfMask(int64_t lanes, bool upper) {
  SmallVector<int64_t> mask;
  for (int64_t operand = 0; operand < 2; ++operand)
    for (int64_t element = 0; element < lanes / 2; ++element)
      mask.push_back(operand * lanes + (upper ? lanes / 2 : 0) + element);
  return mask;
}

/// Transposes the elements of `size` reals of each square of units: groups of as many rows as a
/// unit has elements.
SmallVector<Value> transposeInUnits(OpBuilder &builder, Location where, SmallVector<Value> rows,
                                    int64_t lanes, int64_t perUnit, int64_t size) {
  int64_t rowsInUnit = perUnit / size;
  // After the stage of chunk c, rows of a unit are in bit-reversed order of the
  // bits below c; the last stage leaves them natural.
  for (int64_t chunk = 1; chunk < rowsInUnit; chunk *= 2) {
    SmallVector<Value> next(rows.size());
    for (size_t group = 0; group < rows.size(); group += rowsInUnit)
      for (int64_t pair = 0; pair < rowsInUnit / 2; ++pair) {
        // Rows that hold chunks of neighbouring sources.
        int64_t block = pair / chunk * chunk * 2, offset = pair % chunk;
        int64_t first = group + block + offset, second = first + chunk;
        for (bool high : {false, true})
          next[group + block + 2 * offset + high] =
              vector::ShuffleOp::create(builder, where, rows[first], rows[second],
                                        unpackMask(lanes, perUnit, chunk * size, high));
      }
    rows = std::move(next);
  }
  return rows;
}

unsigned laneBits(ArrayRef<Value> rows, const VectorUnit &unit) {
  return unit.laneBits(cast<VectorType>(rows.front().getType()).getElementTypeBitWidth());
}

/// Four rows of four, where a shuffle's lower two lanes are of one operand and its upper two of
/// the other.
SmallVector<Value> transposeByHalves(OpBuilder &builder, Location where, ArrayRef<Value> rows) {
  auto shuffle = [&](Value a, Value b, ArrayRef<int64_t> mask) -> Value {
    return vector::ShuffleOp::create(builder, where, a, b, mask);
  };
  SmallVector<Value> columns;
  for (int64_t half : {0, 2}) {
    SmallVector<int64_t> mask{half, half + 1, half + 4, half + 5};
    Value upper = shuffle(rows[0], rows[1], mask), lower = shuffle(rows[2], rows[3], mask);
    columns.push_back(shuffle(upper, lower, {0, 2, 4, 6}));
    columns.push_back(shuffle(upper, lower, {1, 3, 5, 7}));
  }
  return columns;
}

} // namespace

SmallVector<Value> transposeSquare(OpBuilder &builder, Location where, SmallVector<Value> rows,
                                   const VectorUnit &unit, int64_t size) {
  int64_t lanes = rows.size() * size;
  if (unit.onlyFloats() && lanes == 4 && size == 1)
    return transposeByHalves(builder, where, rows);
  unsigned width = laneBits(rows, unit);
  int64_t perUnit = std::min<int64_t>(128 / width, lanes);
  int64_t rowsInUnit = perUnit / size;
  rows = transposeInUnits(builder, where, std::move(rows), lanes, perUnit, size);
  SmallVector<Value> columns(rows.size());
  for (int64_t offset = 0; offset < rowsInUnit; ++offset) {
    SmallVector<Value> squares;
    for (size_t group = 0; group < rows.size(); group += rowsInUnit)
      squares.push_back(rows[group + offset]);
    for (auto [unit, column] :
         llvm::enumerate(transposeUnits(builder, where, squares, lanes, perUnit)))
      columns[unit * rowsInUnit + offset] = column;
  }
  return columns;
}

SmallVector<Value> transposeLoaded(OpBuilder &builder, Location where, SmallVector<Value> rows,
                                   const VectorUnit &unit, int64_t size) {
  int64_t lanes = rows.size() * size, perUnit = 128 / laneBits(rows, unit);
  if (unit.onlyFloats() || lanes != 4 * perUnit)
    return transposeSquare(builder, where, std::move(rows), unit, size);
  size_t rowsInUnit = perUnit / size;
  SmallVector<Value> halves[2];
  for (size_t group = 0; group < rows.size(); group += 2 * rowsInUnit)
    for (size_t row = group; row < group + rowsInUnit; ++row)
      for (bool upper : {false, true})
        halves[upper].push_back(vector::ShuffleOp::create(
            builder, where, rows[row], rows[row + rowsInUnit], halfMask(lanes, upper)));
  SmallVector<Value> columns;
  for (SmallVector<Value> &half : halves) {
    half = transposeInUnits(builder, where, std::move(half), lanes, perUnit, size);
    for (bool odd : {false, true})
      for (size_t row = 0; row < rowsInUnit; ++row)
        columns.push_back(vector::ShuffleOp::create(
            builder, where, half[row], half[row + rowsInUnit], unitMask(lanes, perUnit, odd)));
  }
  return columns;
}

} // namespace weft
