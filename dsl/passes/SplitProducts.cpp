//===- SplitProducts.cpp - products of complex matrices as real ones -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// The real and the imaginary parts of a matrix, one below the other, times those of another one,
// side by side, are four real products in one:
//
//   [ re a ]                     [ re a * re b   re a * im b ]
//   [ im a ] * [ re b  im b ] =  [ im a * re b   im a * im b ]
//
// from which the complex product is a difference and a sum an element. It is as many
// multiply-adds as the complex product has, and they have panels (arrange-contractions). A factor
// whose imaginary part is zero has half of the rows, or columns.
//
//===-----------------------------------------------------------------------===//

#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/contractions/ComputedFactors.h"
#include "passes/tensors/TensorLayouts.h"

#include "mlir/IR/Matchers.h"

namespace weft {
#define GEN_PASS_DEF_SPLITPRODUCTS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;

namespace {

constexpr Notes notes("split-products");

/// A product of complex matrices, in a sum.
class ComplexProduct {
public:
  /// Nothing where the sum is none, or too small for panels.
  static std::optional<ComplexProduct> of(ReduceOp reduce, const Target &target);
  void split();

private:
  ComplexProduct(MapOp map, ReduceOp reduce, ComputedFactor left, ComputedFactor right,
                 ProductIndices indices)
      : map(map), reduce(reduce), left(std::move(left)), right(std::move(right)),
        indices(std::move(indices)), builder(map) {}

  int64_t count(ArrayRef<unsigned> of) { return countOf(map, reduce, of); }
  SmallVector<int64_t> extents(ArrayRef<unsigned> of) { return extentsOf(map, reduce, of); }
  Type part() { return cast<ComplexType>(reduce.getType()).getElementType(); }
  /// The number of a point among those of some indices, where dimension n is index `order[n]`.
  AffineExpr number(ArrayRef<unsigned> of, ArrayRef<unsigned> order);
  /// [index of the batch.., part and index of its own, term]
  Value partsOf(const ComputedFactor &factor, ArrayRef<unsigned> own);
  /// [index of the batch.., row, column]
  Value realProduct(Value ofLeft, int64_t rows, Value ofRight, int64_t columns);

  MapOp map;
  ReduceOp reduce;
  ComputedFactor left, right;
  ProductIndices indices;
  OpBuilder builder;
};

/// Two of a complex number, one of what was made complex of a real one.
int64_t parts(const ComputedFactor &factor) {
  auto create = factor.value.getDefiningOp<complex::CreateOp>();
  return create && matchPattern(create.getImaginary(), m_AnyZeroFloat()) ? 1 : 2;
}

std::optional<ComplexProduct> ComplexProduct::of(ReduceOp reduce, const Target &target) {
  auto map = dyn_cast<MapOp>(reduce->getParentOp());
  auto product = reduce.yielded().getDefiningOp<complex::MulOp>();
  if (!map || !product || product->getBlock() != reduce.bodyBlock())
    return std::nullopt;
  auto left = ComputedFactor::of(product.getLhs(), map, reduce);
  auto right = ComputedFactor::of(product.getRhs(), map, reduce);
  if (!left || !right || (parts(*left) == 1 && parts(*right) == 1))
    return std::nullopt;
  auto indices = ProductIndices::of(left->indices, right->indices, map, reduce);
  if (!indices || indices->rows.empty() || indices->columns.empty())
    return std::nullopt;
  FailureOr<PanelLimits> limits = PanelLimits::of(target, reduce.getType());
  FailureOr<int64_t> each = target.number("split_products_each");
  if (failed(limits) || failed(each))
    return std::nullopt;
  ComplexProduct found(map, reduce, *left, *right, *indices);
  int64_t batch = found.count(indices->batch), terms = found.count(indices->terms),
          rows = parts(*left) * found.count(indices->rows),
          columns = parts(*right) * found.count(indices->columns);
  int64_t moved = (rows + columns) * terms + rows * columns, products = rows * columns * terms;
  if (*each * moved <= products && hasPanelsEitherWay(batch, rows, columns, terms, *limits))
    return found;
  notes.rejected(reduce.getLoc(), "{0}: its complex products as real ones", spoken(map))
      .because("{0} rows by {1} columns of {2} terms: {3} products for {4} numbers that are moved",
               rows, columns, terms, products, moved);
  return std::nullopt;
}

AffineExpr ComplexProduct::number(ArrayRef<unsigned> of, ArrayRef<unsigned> order) {
  auto places = llvm::map_to_vector(of, [&](unsigned index) {
    return getAffineDimExpr(llvm::find(order, index) - order.begin(), map.getContext());
  });
  return linear(places, extents(of), map.getContext());
}

Value ComplexProduct::partsOf(const ComputedFactor &factor, ArrayRef<unsigned> own) {
  Location loc = factor.value.getLoc();
  int64_t each = count(own);
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> place;
  for (unsigned index : indices.batch)
    if (llvm::is_contained(factor.indices, index)) {
      shape.push_back(count({index}));
      place.push_back(number({index}, factor.indices));
    }
  llvm::append_values(shape, parts(factor) * each, count(indices.terms));
  llvm::append_values(place, number(own, factor.indices), number(indices.terms, factor.indices));
  SmallVector<int64_t> upper = extents(factor.indices), lower(upper.size(), 0);
  auto type = RankedTensorType::get(shape, part());
  auto map = [&](bool isImaginary, Value init) {
    SmallVector<AffineExpr> store(place);
    if (isImaginary)
      store[store.size() - 2] = store[store.size() - 2] + each;
    auto stored = AffineMap::get(upper.size(), 0, store, builder.getContext());
    auto body = [&](OpBuilder &at, ValueRange point) -> Value {
      Value value = factor.cloneAt(at, this->map, reduce, point);
      if (isImaginary)
        return complex::ImOp::create(at, loc, value);
      return complex::ReOp::create(at, loc, value);
    };
    return makeMap(builder, loc, type, lower, upper, stored, body, init).getResult(0);
  };
  if (parts(factor) == 1)
    return map(/*isImaginary=*/false, {});
  Value none = tensor::EmptyOp::create(builder, loc, shape, part());
  return map(/*isImaginary=*/true, map(/*isImaginary=*/false, none));
}

Value ComplexProduct::realProduct(Value ofLeft, int64_t rows, Value ofRight, int64_t columns) {
  Location loc = reduce.getLoc();
  SmallVector<int64_t> shape = extents(indices.batch);
  llvm::append_values(shape, rows, columns);
  auto body = [&](OpBuilder &at, ValueRange point) -> Value {
    auto sum = ReduceOp::create(at, loc, part(), at.getStringAttr("sum"), ArrayRef<int64_t>{0},
                                ArrayRef<int64_t>{count(indices.terms)});
    Block *term = &sum.getBody().emplaceBlock();
    Value k = term->addArgument(at.getIndexType(), loc);
    OpBuilder inner = OpBuilder::atBlockBegin(term);
    auto element = [&](const ComputedFactor &factor, Value tensor, Value own) {
      SmallVector<Value> place;
      for (auto [index, value] : llvm::zip(indices.batch, point))
        if (llvm::is_contained(factor.indices, index))
          place.push_back(value);
      llvm::append_values(place, own, k);
      return tensor::ExtractOp::create(inner, loc, tensor, place).getResult();
    };
    Value ofRow = element(left, ofLeft, point[point.size() - 2]);
    Value ofColumn = element(right, ofRight, point.back());
    YieldOp::create(inner, loc, arith::MulFOp::create(inner, loc, ofRow, ofColumn).getResult());
    return sum.getResult();
  };
  SmallVector<int64_t> lower(shape.size(), 0);
  return makeMap(builder, loc, RankedTensorType::get(shape, part()), lower, shape,
                 builder.getMultiDimIdentityMap(shape.size()), body)
      .getResult(0);
}

void ComplexProduct::split() {
  int64_t rows = count(indices.rows), columns = count(indices.columns);
  notes.decided(reduce.getLoc(), "{0}: its complex products as real ones", spoken(map))
      .because("{0} rows by {1} columns of parts have panels; a complex product has as many "
               "multiply-adds",
               parts(left) * rows, parts(right) * columns);
  Value ofLeft = partsOf(left, indices.rows), ofRight = partsOf(right, indices.columns);
  Value product = realProduct(ofLeft, parts(left) * rows, ofRight, parts(right) * columns);

  Location loc = reduce.getLoc();
  OpBuilder at(reduce);
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, map.rank()));
  auto elementOf = [&](int64_t row, int64_t column) {
    SmallVector<AffineExpr> place;
    for (unsigned index : indices.batch)
      place.push_back(number({index}, order));
    place.push_back(number(indices.rows, order) + row * rows);
    place.push_back(number(indices.columns, order) + column * columns);
    return elementAt(at, loc, product, AffineMap::get(map.rank(), 0, place, at.getContext()),
                     map.bodyBlock()->getArguments());
  };
  Value re = elementOf(0, 0), im = parts(right) == 2 ? elementOf(0, 1) : elementOf(1, 0);
  if (parts(left) == 2 && parts(right) == 2) {
    re = arith::SubFOp::create(at, loc, re, elementOf(1, 1));
    im = arith::AddFOp::create(at, loc, im, elementOf(1, 0));
  }
  Value sum = complex::CreateOp::create(at, loc, cast<ComplexType>(reduce.getType()), re, im);
  reduce.replaceAllUsesWith(sum);
  reduce.erase();
}

struct SplitProducts : public weft::impl::SplitProductsBase<SplitProducts> {
  using SplitProductsBase::SplitProductsBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    SmallVector<ReduceOp> sums;
    getOperation().walk([&](ReduceOp reduce) {
      if (isa<ComplexType>(reduce.getType()))
        sums.push_back(reduce);
    });
    for (ReduceOp reduce : sums)
      if (auto product = ComplexProduct::of(reduce, *target))
        product->split();
  }
};

} // namespace
