//===- StripImages.cpp - what a strip of tiles reads of images ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/StripImages.h"

#include "passes/tensors/LoopOrder.h"
#include "passes/tensors/TensorLayouts.h"

using namespace mlir;

namespace weft {

namespace {

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Whether a map only fills in a constant, or copies elements that lie side by side both where it
/// reads and where it stores them.
bool keepsOrder(MapOp box) {
  auto all = box.bodyBlock()->getOps<tensor::ExtractOp>();
  if (all.empty())
    return isa_and_nonnull<arith::ConstantOp>(box.yielded().front().getDefiningOp());
  auto read = box.yielded().front().getDefiningOp<tensor::ExtractOp>();
  if (!read || !llvm::hasSingleElement(all))
    return false;
  for (unsigned dim = 0; dim < box.rank(); ++dim)
    if (strideAlong(typeOf(box.getResult(0)).getShape(), box.storeMap(0), dim) == 1 &&
        strideAlong(typeOf(read.getTensor()), read.getIndices(),
                    box.bodyBlock()->getArgument(dim)) == 1)
      return true;
  return false;
}

/// The dimension of a box that a dimension of its result is.
unsigned dimOf(MapOp box, unsigned ofImage) {
  MapOp map = box;
  return cast<AffineDimExpr>(map.storeMap(0).getResult(ofImage)).getPosition();
}

} // namespace

std::optional<StripImages> StripImages::of(MapOp maker, ArrayRef<unsigned> dims) {
  StripImages found;
  auto arguments = ValueRange(maker.bodyBlock()->getArguments());
  bool one = true;
  maker.getBody().walk([&](tensor::ExtractOp read) {
    auto index = indicesOver(read, arguments);
    one &= index && (!found.whole || found.whole == read.getTensor());
    found.whole = read.getTensor();
    if (index)
      found.reads.push_back(*index);
  });
  if (!one || !found.whole || !llvm::all_of(found.whole.getUsers(), [&](Operation *user) {
        return isa<tensor::ExtractOp>(user) && maker->isAncestor(user);
      }))
    return std::nullopt;
  // From the last box back to where nothing is filled in yet.
  for (Value value = found.whole; value;) {
    auto box = value.getDefiningOp<MapOp>();
    if (!box || box->getNumResults() != 1 || box.getStores().size() != 1 ||
        box->getBlock() != maker->getBlock() || (value != found.whole && !value.hasOneUse()) ||
        !keepsOrder(box))
      return std::nullopt;
    found.boxes.insert(found.boxes.begin(), box);
    value = box.getInits().empty() ? Value() : box.getInits()[0];
    if (value && value.getDefiningOp<tensor::EmptyOp>())
      break;
  }
  unsigned rank = typeOf(found.whole).getRank();
  for (unsigned dim : dims) {
    std::optional<Cut> cut;
    for (auto &index : found.reads)
      for (unsigned at = 0; at < rank; ++at) {
        if (!index[at].isFunctionOfDim(dim))
          continue;
        auto step = stepAlong(index[at], dim);
        AffineExpr own = getAffineDimExpr(dim, maker.getContext()) * step.value_or(0);
        auto rest =
            dyn_cast<AffineConstantExpr>(simplifyAffineExpr(index[at] - own, maker.rank(), 0));
        if (!step || *step < 1 || !rest || (cut && (cut->ofImage != at || cut->step != *step)))
          return std::nullopt;
        if (!cut)
          cut = Cut{dim, at, *step, rest.getValue(), 1};
        int64_t end = std::max(cut->low + cut->reach, rest.getValue() + 1);
        cut->low = std::min(cut->low, rest.getValue());
        cut->reach = end - cut->low;
      }
    if (!cut || !llvm::all_of(found.boxes, [&](MapOp box) {
          return isa<AffineDimExpr>(box.storeMap(0).getResult(cut->ofImage));
        }))
      return std::nullopt;
    found.cuts.push_back(*cut);
  }
  return found;
}

StripImages::Seen StripImages::seen(unsigned number, int64_t origin, int64_t width) const {
  const Cut &cut = cuts[number];
  int64_t base = origin * cut.step + cut.low, extent = (width - 1) * cut.step + cut.reach;
  return llvm::map_to_vector(boxes, [&](MapOp box) {
    unsigned dim = dimOf(box, cut.ofImage);
    int64_t from = std::max<int64_t>(box.getLower()[dim] - base, 0),
            to = std::min(box.getUpper()[dim] - base, extent);
    return from < to ? std::pair(from, to) : std::pair<int64_t, int64_t>(0, 0);
  });
}

bool StripImages::isUniform(unsigned cut, int64_t extent) const {
  return llvm::all_of(llvm::seq<int64_t>(0, extent),
                      [&](int64_t origin) { return seen(cut, origin, 1) == seen(cut, 0, 1); });
}

double StripImages::overlap(int64_t width) const {
  const Cut &cut = cuts.back();
  return static_cast<double>((width - 1) * cut.step + cut.reach) /
         static_cast<double>(width * cut.step);
}

Value StripImages::make(OpBuilder &builder, ArrayRef<Value> origins, ArrayRef<int64_t> widths,
                        int64_t first) const {
  SmallVector<int64_t> shape(typeOf(whole).getShape());
  SmallVector<Seen> parts;
  for (auto [n, cut] : llvm::enumerate(cuts)) {
    shape[cut.ofImage] = (widths[n] - 1) * cut.step + cut.reach;
    parts.push_back(seen(n, n + 1 == cuts.size() ? first : 0, widths[n]));
  }
  Value made;
  for (size_t number = 0; number < boxes.size(); ++number) {
    MapOp box = boxes[number];
    SmallVector<DimCut> inBox;
    SmallVector<int64_t> lower(box.getLower()), upper(box.getUpper());
    for (auto [n, cut] : llvm::enumerate(cuts)) {
      unsigned dim = dimOf(box, cut.ofImage);
      inBox.push_back({dim, 0, origins[n], cut.step, cut.low});
      std::tie(lower[dim], upper[dim]) = parts[n][number];
    }
    if (llvm::any_of(llvm::zip(lower, upper),
                     [](auto range) { return std::get<0>(range) >= std::get<1>(range); }))
      continue;
    AffineMap store = box.storeMap(0);
    bool isAll = llvm::all_of(llvm::seq<unsigned>(0, shape.size()), [&](unsigned at) {
      auto dim = dyn_cast<AffineDimExpr>(store.getResult(at));
      return dim && lower[dim.getPosition()] == 0 && upper[dim.getPosition()] == shape[at];
    });
    if (!made && !isAll)
      made = tensor::EmptyOp::create(builder, box.getLoc(), shape, typeOf(whole).getElementType());
    MapOp part = cutMap(builder, box, inBox, shape, {store}, made);
    part.setLower(lower);
    part.setUpper(upper);
    made = part.getResult(0);
  }
  return made;
}

void StripImages::readLocally(MapOp part, Value local) const {
  const auto *next = reads.begin();
  auto arguments = ValueRange(part.bodyBlock()->getArguments());
  SmallVector<tensor::ExtractOp> all;
  part.getBody().walk([&](tensor::ExtractOp read) { all.push_back(read); });
  for (tensor::ExtractOp read : all) {
    SmallVector<AffineExpr> index = *next++;
    for (const Cut &cut : cuts)
      index[cut.ofImage] = index[cut.ofImage] - cut.low;
    OpBuilder at(read);
    AffineMap map = AffineMap::get(arguments.size(), 0, index, part.getContext());
    Value element = elementAt(at, read.getLoc(), local, map, arguments);
    read.replaceAllUsesWith(element);
    read.erase();
  }
}

void StripImages::erase() {
  for (MapOp box : llvm::reverse(boxes))
    box.erase();
}

} // namespace weft
