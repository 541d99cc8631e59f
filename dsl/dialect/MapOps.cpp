//===- MapOps.cpp - rules of map, reduce and blocks -------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/Weft.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

static mlir::ParseResult parseKeyword(mlir::OpAsmParser &parser, mlir::StringAttr &attribute) {
  std::string word;
  if (parser.parseKeywordOrString(&word))
    return mlir::failure();
  attribute = parser.getBuilder().getStringAttr(word);
  return mlir::success();
}

static void printKeyword(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::StringAttr word) {
  printer.printKeywordOrString(word);
}

#define GET_OP_CLASSES
#include "dialect/WeftOps.cpp.inc"

using namespace mlir;
using namespace weft;

namespace {

LogicalResult checkBox(Operation *op, llvm::StringRef rule, ArrayRef<int64_t> lower,
                       ArrayRef<int64_t> upper) {
  if (lower.size() != upper.size())
    return op->emitOpError() << "[" << rule << "] lower has " << lower.size()
                             << " bounds, upper has " << upper.size();
  for (auto [low, high] : llvm::zip(lower, upper))
    if (low >= high)
      return op->emitOpError() << "[" << rule << "] empty range " << low << " to " << high;
  return success();
}

LogicalResult checkBodyIndices(Operation *op, llvm::StringRef rule, Block &body, size_t rank) {
  if (body.getNumArguments() == rank &&
      llvm::all_of(body.getArgumentTypes(), [](Type type) { return type.isIndex(); }))
    return success();
  return op->emitOpError() << "[" << rule << "] the body takes " << body.getNumArguments()
                           << " arguments: expected " << rank << " of type index";
}

LogicalResult checkInits(Operation *op, llvm::StringRef rule, ValueRange inits,
                         ResultRange results) {
  if (inits.empty() || llvm::equal(inits.getTypes(), results.getTypes()))
    return success();
  return op->emitOpError() << "[" << rule << "] inits and results differ in number or type";
}

/// Smallest and largest value of `expr` over the box; nothing where the
/// expression is not monotone in its operands' ranges.
std::optional<std::pair<int64_t, int64_t>> rangeOf(AffineExpr expr, ArrayRef<int64_t> lower,
                                                   ArrayRef<int64_t> upper) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return std::pair{lower[dim.getPosition()], upper[dim.getPosition()] - 1};
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::pair{constant.getValue(), constant.getValue()};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  auto left = rangeOf(binary.getLHS(), lower, upper);
  auto right = rangeOf(binary.getRHS(), lower, upper);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return std::pair{left->first + right->first, left->second + right->second};
  if (right->first != right->second)
    return std::nullopt;
  int64_t constant = right->first;
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return std::pair{std::min(left->first * constant, left->second * constant),
                     std::max(left->first * constant, left->second * constant)};
  case AffineExprKind::Mod:
    return std::pair{int64_t(0), constant - 1};
  case AffineExprKind::FloorDiv:
    return std::pair{llvm::divideFloorSigned(left->first, constant),
                     llvm::divideFloorSigned(left->second, constant)};
  default:
    return std::nullopt;
  }
}

} // namespace

//===-----------------------------------------------------------------------===//
// map
//===-----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  if (failed(checkBox(*this, "D701", getLower(), getUpper())) ||
      failed(checkInits(*this, "D705", getInits(), getResults())))
    return failure();
  if (getInto() && getInto()->size() != getStores().size())
    return emitOpError("[D703] ") << getStores().size() << " stores but " << getInto()->size()
                                  << " numbers in `into`";
  SmallVector<int64_t> stored(getNumResults(), 0);
  int64_t points = 1;
  for (auto [low, high] : llvm::zip(getLower(), getUpper()))
    points *= high - low;
  for (unsigned n = 0; n < getStores().size(); ++n) {
    int64_t result = target(n);
    if (result < 0 || result >= getNumResults())
      return emitOpError("[D703] store ")
             << n << " goes to result " << result << " of " << getNumResults();
    AffineMap map = storeMap(n);
    auto type = cast<RankedTensorType>(getResult(result).getType());
    if (map.getNumDims() != rank() || map.getNumSymbols() != 0 ||
        map.getNumResults() != type.getRank())
      return emitOpError("[D704] store map ")
             << n << " is " << AffineMapAttr::get(map) << ": expected " << rank() << " indices to "
             << type.getRank();
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto range = rangeOf(expr, getLower(), getUpper());
      if (range && (range->first < 0 || range->second >= type.getDimSize(dim)))
        return emitOpError("[D706] store map ")
               << n << " reaches " << range->first << " to " << range->second << " in dimension "
               << dim << " of extent " << type.getDimSize(dim);
    }
    stored[result] += points;
  }
  if (getInits().empty())
    for (auto [count, result] : llvm::zip(stored, getResults())) {
      int64_t elements = cast<RankedTensorType>(result.getType()).getNumElements();
      if (count != elements)
        return emitOpError("[D707] ") << count << " elements are stored of " << elements
                                      << ": expected each once, or an init";
    }
  return success();
}

LogicalResult MapOp::verifyRegions() {
  if (failed(checkBodyIndices(*this, "D702", *bodyBlock(), rank())))
    return failure();
  if (yielded().size() != getStores().size())
    return emitOpError("[D703] ") << yielded().size() << " values are yielded for "
                                  << getStores().size() << " stores";
  for (auto [n, value] : llvm::enumerate(yielded())) {
    Type element = cast<RankedTensorType>(getResult(target(n)).getType()).getElementType();
    if (value.getType() != element)
      return emitOpError("[D703] value ")
             << n << " is of type " << value.getType() << ": expected " << element;
  }
  return success();
}

//===-----------------------------------------------------------------------===//
// reduce
//===-----------------------------------------------------------------------===//

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  std::string kind;
  Builder &builder = parser.getBuilder();
  auto bounds = [&](llvm::StringRef name) -> ParseResult {
    SmallVector<int64_t> values;
    if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&]() {
          return parser.parseInteger(values.emplace_back());
        }))
      return failure();
    state.addAttribute(name, builder.getDenseI64ArrayAttr(values));
    return success();
  };
  Type type;
  if (parser.parseKeywordOrString(&kind) || bounds("lower") || parser.parseKeyword("to") ||
      bounds("upper") || parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*state.addRegion()) || parser.parseColonType(type))
    return failure();
  state.addAttribute("kind", builder.getStringAttr(kind));
  state.addTypes(type);
  return success();
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << " " << getKind() << " [" << getLower() << "] to [" << getUpper() << "]";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"kind", "lower", "upper"});
  printer << " ";
  printer.printRegion(getBody());
  printer << " : " << getType();
}

LogicalResult ReduceOp::verify() {
  if (failed(checkBox(*this, "D801", getLower(), getUpper())))
    return failure();
  llvm::StringRef kind = getKind();
  if (kind != "sum" && kind != "prod" && kind != "max" && kind != "min")
    return emitOpError("[D804] kind '") << kind << "': expected sum, prod, max or min";
  if (isa<ComplexType>(getType()) && (kind == "max" || kind == "min"))
    return emitOpError("[D804] ") << kind << " of complex numbers: they have no order";
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  if (failed(checkBodyIndices(*this, "D802", *bodyBlock(), rank())))
    return failure();
  OperandRange values = bodyBlock()->getTerminator()->getOperands();
  if (values.size() != 1 || values.front().getType() != getType())
    return emitOpError("[D803] the body must yield one value of type ") << getType();
  return success();
}

//===-----------------------------------------------------------------------===//
// blocks
//===-----------------------------------------------------------------------===//

LogicalResult BlocksOp::verify() {
  if (failed(checkBox(*this, "D901", getLower(), getUpper())) ||
      failed(checkInits(*this, "D905", getInits(), getResults())))
    return failure();
  if (getSteps().size() != getLower().size())
    return emitOpError("[D901] ") << getSteps().size() << " steps for " << getLower().size()
                                  << " dimensions";
  for (auto [low, high, step] : llvm::zip(getLower(), getUpper(), getSteps()))
    if (step < 1 || (high - low) % step != 0)
      return emitOpError("[D901] step ") << step << " does not divide " << low << " to " << high;
  return success();
}

LogicalResult BlocksOp::verifyRegions() {
  if (failed(checkBodyIndices(*this, "D902", *bodyBlock(), rank())))
    return failure();
  if (yielded().size() != getNumResults() || getPlaces().size() != getNumResults())
    return emitOpError("[D903] ") << yielded().size() << " values and " << getPlaces().size()
                                  << " places for " << getNumResults() << " results";
  for (auto [n, value] : llvm::enumerate(yielded())) {
    auto local = dyn_cast<RankedTensorType>(value.getType());
    auto result = cast<RankedTensorType>(getResult(n).getType());
    if (!local || local.getElementType() != result.getElementType())
      return emitOpError("[D903] value ") << n << " is " << value.getType()
                                          << ": expected a tensor of " << result.getElementType();
    AffineMap map = place(n);
    if (map.getNumDims() != rank() + local.getRank() || map.getNumSymbols() != 0 ||
        map.getNumResults() != result.getRank())
      return emitOpError("[D904] place ")
             << n << " is " << AffineMapAttr::get(map) << ": expected " << rank() + local.getRank()
             << " indices to " << result.getRank();
  }
  return success();
}
