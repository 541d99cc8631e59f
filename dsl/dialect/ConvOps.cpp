//===- ConvOps.cpp - rules of convolutions and their transforms --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "dialect/ConvLayout.h"
#include "dialect/Weft.h"

using namespace mlir;
using namespace weft;

namespace {

Type realElement(RankedTensorType type) {
  auto complexType = dyn_cast<ComplexType>(type.getElementType());
  return complexType ? complexType.getElementType() : type.getElementType();
}

LogicalResult checkTransform(ConvOp op, unsigned number, Attribute entry,
                             RankedTensorType filters) {
  auto fault = [&]() { return op.emitOpError("[D1107] transform ") << number << ": "; };
  auto fields = dyn_cast<DictionaryAttr>(entry);
  auto m = fields ? fields.getAs<IntegerAttr>("m") : IntegerAttr();
  auto r = fields ? fields.getAs<IntegerAttr>("r") : IntegerAttr();
  if (!m || !r || m.getInt() < 1 || r.getInt() < 1)
    return fault() << "expected a dictionary with positive integers m and r";
  ArrayRef<int64_t> window = filters.getShape().drop_front(2);
  auto fits = [&](int64_t extent) { return extent == r.getInt() || extent == 1; };
  if (!llvm::all_of(window, fits) || !llvm::is_contained(window, r.getInt())) {
    auto told = fault() << "r is " << r.getInt() << ", the filters are ";
    llvm::interleave(window, [&](int64_t extent) { told << extent; }, [&] { told << "x"; });
    return told;
  }
  // The stride is one along all of these: D1106.
  int64_t step = op.getStride()[llvm::find(window, r.getInt()) - window.begin()];
  int64_t n = step * (m.getInt() - 1) + r.getInt();
  struct Table {
    StringRef name;
    int64_t rows, columns;
  };
  for (Table table : {Table{"AT", m.getInt(), n}, Table{"G", n, r.getInt()}, Table{"BT", n, n}}) {
    auto expected = RankedTensorType::get({table.rows, table.columns}, realElement(filters));
    auto value = fields.getAs<ElementsAttr>(table.name);
    if (!value || value.getType() != expected)
      return fault() << "expected a table " << table.name << " of type " << expected;
  }
  return success();
}

} // namespace

LogicalResult WinogradTransformOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  int64_t axis = getAxis();
  if (axis < 0 || axis >= input.getRank())
    return emitOpError("[D1001] axis ")
           << axis << " is outside of the input: expected 0 to " << input.getRank() - 1;
  auto matrix = dyn_cast<RankedTensorType>(getMatrix().getType());
  if (!matrix || matrix.getRank() != 2 || matrix.getDimSize(1) != input.getDimSize(axis) ||
      matrix.getElementType() != realElement(input))
    return emitOpError("[D1002] expected a matrix of ")
           << realElement(input) << " with " << input.getDimSize(axis) << " columns, found "
           << getMatrix().getType();
  SmallVector<int64_t> shape(input.getShape());
  shape[axis] = matrix.getDimSize(0);
  auto expected = RankedTensorType::get(shape, input.getElementType());
  if (result != expected)
    return emitOpError("[D1003] expected the result ") << expected << ", found " << result;
  return success();
}

LogicalResult ConvOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  auto filters = cast<RankedTensorType>(getFilters().getType());
  auto result = cast<RankedTensorType>(getResult().getType());
  unsigned dims = filters.getRank() < 3 ? 0 : filters.getRank() - 2;
  if (dims < 1 || dims > mostPixelDims)
    return emitOpError("[D1101] expected filters with 3 to ")
           << mostPixelDims + 2 << " dimensions, found " << filters;
  auto layout = convLayoutNamed(getLayout(), dims),
       outLayout = convLayoutNamed(getOutLayout(), dims);
  if (!layout || !outLayout)
    return emitOpError("[D1108] expected layouts such as nchw, nhwc or nchw16c, here with ")
           << dims << " of the letters d, h, w, found \"" << getLayout() << "\" and \""
           << getOutLayout() << "\"";
  auto image = extentsOf(*layout, dims, input.getShape());
  if (!image || !extentsOf(*outLayout, dims, result.getShape()) ||
      input.getElementType() != filters.getElementType() ||
      input.getElementType() != result.getElementType())
    return emitOpError("[D1101] expected ")
           << dims + 2 << " dimensions, or " << dims + 3 << " with blocks of " << channelBlock
           << " channels, and one element type, found " << input << ", " << filters << " and "
           << result;
  ArrayRef<int64_t> pad = getPad(), stride = getStride();
  auto below = [](ArrayRef<int64_t> numbers, int64_t least) {
    return llvm::any_of(numbers, [&](int64_t number) { return number < least; });
  };
  if (pad.size() != dims || stride.size() != dims || below(pad, 0) || below(stride, 1))
    return emitOpError("[D1102] expected ")
           << dims << " pads not below 0 and as many positive strides, found [" << pad << "] and ["
           << stride << "]";
  int64_t channels = (*image)[1], groups = getGroups();
  if (groups < 1 || channels % groups != 0 || filters.getDimSize(0) % groups != 0 ||
      filters.getDimSize(1) != channels / groups)
    return emitOpError("[D1103] ")
           << groups << " groups of " << channels << " channels and " << filters.getDimSize(0)
           << " filters of " << filters.getDimSize(1)
           << " channels: groups must divide both and a filter see channels/groups";
  SmallVector<int64_t> extents{(*image)[0], filters.getDimSize(0)};
  for (unsigned axis = 0; axis < dims; ++axis) {
    int64_t room = (*image)[axis + 2] + 2 * pad[axis] - filters.getDimSize(axis + 2);
    extents.push_back(room < 0 ? 0 : room / stride[axis] + 1);
  }
  auto kept = shapeIn(*outLayout, extents);
  if (!kept || *kept != result.getShape() || below(ArrayRef(extents).drop_front(2), 1)) {
    auto told = emitOpError("[D1104] expected a result of ");
    llvm::interleave(extents, [&](int64_t extent) { told << extent; }, [&] { told << "x"; });
    return told << " in " << getOutLayout() << ", found " << result;
  }
  StringRef algorithm = getAlgorithm();
  size_t transforms = getTransforms() ? getTransforms()->size() : 0;
  if ((algorithm != "direct" && algorithm != "winograd" && algorithm != "auto") ||
      (algorithm == "winograd" && transforms != 1))
    return emitOpError("[D1105] algorithm is \"")
           << algorithm << "\" with " << transforms
           << " transforms: expected direct, winograd (with one) or auto";
  if (transforms) {
    // Along dimensions of longer filters one stride, along others none.
    ArrayRef<int64_t> window = filters.getShape().drop_front(2);
    int64_t longest = *llvm::max_element(window);
    int64_t step = stride[llvm::find(window, longest) - window.begin()];
    for (auto [own, extent] : llvm::zip(stride, window))
      if (own != (extent == longest ? step : 1))
        return emitOpError("[D1106] transforms need one stride along all dimensions in which "
                           "filters have more than one element, and 1 along others, found [")
               << stride << "]";
  }
  for (unsigned number = 0; number < transforms; ++number)
    if (failed(checkTransform(*this, number, (*getTransforms())[number], filters)))
      return failure();
  return success();
}
