//===- ReshapedMaps.cpp - elementwise work over another shape ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/ReshapedMaps.h"

#include "passes/tensors/TensorLayouts.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

namespace {

/// Dimensions `from` to `to` of one shape that are dimensions of another one, as long together.
struct Group {
  unsigned from, to, ofOther, toOther;

  bool isPlain() const { return to == from + 1 && toOther == ofOther + 1; }
};

/// The shortest groups of dimensions of `shape`, in their order; `other` has as many elements.
SmallVector<Group> groupsOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> other) {
  SmallVector<Group> groups;
  unsigned n = 0, m = 0;
  while (n < shape.size() && m < other.size()) {
    Group group{n, n + 1, m, m + 1};
    int64_t here = shape[n], there = other[m];
    while (here != there)
      if (here < there)
        here *= shape[group.to++];
      else
        there *= other[group.toOther++];
    groups.push_back(group);
    n = group.to;
    m = group.toOther;
  }
  // Dimensions of one element.
  if (!groups.empty()) {
    groups.back().to = shape.size();
    groups.back().toOther = other.size();
  }
  return groups;
}

/// What the indices of a read are, from one on, of those of a map over a group's dimensions.
enum class Along { None, Part, All };

Along readsAlong(tensor::ExtractOp read, unsigned first, const Group &group, MapOp map) {
  OperandRange indices = read.getIndices();
  ArrayRef<int64_t> shape = read.getTensor().getType().getShape();
  for (unsigned n = group.from; n < group.to; ++n) {
    unsigned at = first + n - group.from;
    bool isNext = at < indices.size() && indices[at] == map.bodyBlock()->getArgument(n) &&
                  shape[at] == map.getUpper()[n];
    if (!isNext)
      return n == group.from ? Along::None : Along::Part;
  }
  return Along::All;
}

class OverShapeBefore {
public:
  OverShapeBefore(ReshapeOp reshape, tensor::ExtractOp read, MapOp map)
      : reshape(reshape), own(read), map(map),
        before(cast<RankedTensorType>(reshape.getInput().getType()).getShape()),
        groups(groupsOf(cast<RankedTensorType>(reshape.getType()).getShape(), before)) {}

  MapOp run();

private:
  /// A read of another tensor: its shape, and its indices, as they are then.
  struct Read {
    SmallVector<int64_t> shape;
    SmallVector<std::pair<Value, unsigned>> indices; ///< a value, or none and a dimension before
  };
  std::optional<Read> readBefore(tensor::ExtractOp read);
  bool find();

  ReshapeOp reshape;
  tensor::ExtractOp own;
  MapOp map;
  ArrayRef<int64_t> before;
  SmallVector<Group> groups;
  llvm::DenseMap<Operation *, Read> reads;
};

std::optional<OverShapeBefore::Read> OverShapeBefore::readBefore(tensor::ExtractOp read) {
  Read found;
  ArrayRef<int64_t> shape = read.getTensor().getType().getShape();
  for (unsigned n = 0; n < shape.size();) {
    const Group *moving = nullptr;
    for (const Group &group : groups) {
      if (group.isPlain())
        continue;
      Along here = readsAlong(read, n, group, map);
      if (here == Along::Part)
        return std::nullopt;
      if (here == Along::All)
        moving = &group;
    }
    if (!moving) {
      found.shape.push_back(shape[n]);
      found.indices.push_back({read.getIndices()[n++], 0});
      continue;
    }
    for (unsigned dim = moving->ofOther; dim < moving->toOther; ++dim) {
      found.shape.push_back(before[dim]);
      found.indices.push_back({Value(), dim});
    }
    n += moving->to - moving->from;
  }
  return found;
}

/// Whether indices that become others are read at, as whole groups, and nothing else.
bool OverShapeBefore::find() {
  for (tensor::ExtractOp read : map.bodyBlock()->getOps<tensor::ExtractOp>())
    if (read != own) {
      std::optional<Read> found = readBefore(read);
      if (!found)
        return false;
      reads[read] = *found;
    }
  llvm::DenseSet<Value> others;
  for (const Group &group : groups)
    if (!group.isPlain())
      for (unsigned dim = group.from; dim < group.to; ++dim)
        others.insert(map.bodyBlock()->getArgument(dim));
  for (auto &[op, read] : reads)
    for (auto [index, dim] : read.indices)
      if (index && others.contains(index))
        return false;
  return llvm::all_of(others, [&](Value index) {
    return llvm::all_of(index.getUsers(),
                        [&](Operation *user) { return user == own || reads.contains(user); });
  });
}

MapOp OverShapeBefore::run() {
  // Of a scalar, there are none.
  if (groups.empty() || !find())
    return {};
  OpBuilder builder(map);
  Location loc = map.getLoc();
  Type element = cast<RankedTensorType>(map.getResult(0).getType()).getElementType();
  auto flat =
      MapOp::create(builder, loc, TypeRange{RankedTensorType::get(before, element)},
                    SmallVector<int64_t>(before.size(), 0), before, ValueRange{},
                    builder.getAffineMapArrayAttr(
                        {AffineMap::getMultiDimIdentityMap(before.size(), map.getContext())}),
                    nullptr);
  for (NamedAttribute attribute : map->getDiscardableAttrs())
    flat->setAttr(attribute.getName(), attribute.getValue());
  Block *body = &flat.getBody().emplaceBlock();
  IRMapping mapping;
  for (size_t dim = 0; dim < before.size(); ++dim)
    body->addArgument(builder.getIndexType(), loc);
  for (const Group &group : groups)
    if (group.isPlain())
      mapping.map(map.bodyBlock()->getArgument(group.from), body->getArgument(group.ofOther));
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  for (Operation &op : *map.bodyBlock()) {
    auto read = dyn_cast<tensor::ExtractOp>(op);
    if (!read) {
      inner.clone(op, mapping);
      continue;
    }
    Value tensor = reshape.getInput();
    SmallVector<Value> indices(body->getArguments().begin(), body->getArguments().end());
    if (read != own) {
      const Read &found = reads.at(read);
      builder.setInsertionPoint(flat);
      tensor = reshaped(builder, read.getLoc(), read.getTensor(), found.shape);
      indices = llvm::map_to_vector(found.indices, [&](auto index) -> Value {
        return index.first ? mapping.lookupOrDefault(index.first) : body->getArgument(index.second);
      });
    }
    mapping.map(read.getResult(),
                tensor::ExtractOp::create(inner, read.getLoc(), tensor, indices).getResult());
  }
  builder.setInsertionPointAfter(flat);
  map.getResult(0).replaceAllUsesWith(reshaped(builder, loc, flat.getResult(0), map.getUpper()));
  map.erase();
  reshape.erase();
  return flat;
}

} // namespace

MapOp overShapeBefore(ReshapeOp reshape, tensor::ExtractOp read, MapOp map) {
  return OverShapeBefore(reshape, read, map).run();
}

} // namespace weft
