//===- ResultBoxes.cpp - results by what of their windows is an image ------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/convolutions/ResultBoxes.h"

#include <algorithm>

using namespace mlir;

namespace weft {

/// The results of a dimension by the places of filters that are within the image for them.
static SmallVector<Inside> insideOf(int64_t results, int64_t stride, int64_t pad, int64_t filter,
                                    int64_t image) {
  SmallVector<Inside> all;
  for (int64_t result = 0; result < results; ++result) {
    int64_t from = result * stride - pad;
    int64_t lower = std::clamp<int64_t>(-from, 0, filter);
    int64_t places = std::clamp<int64_t>(image - from, lower, filter) - lower;
    if (all.empty() || all.back().lower != lower || all.back().places != places)
      all.push_back({result, result, lower, places});
    ++all.back().last;
  }
  return all;
}

SmallVector<Box> boxesOf(const ConvSizes &sizes) {
  SmallVector<Box> boxes{{}};
  for (unsigned n = 0; n < sizes.dims(); ++n) {
    SmallVector<Box> longer;
    for (const Box &box : boxes)
      for (Inside one : insideOf(sizes.result[n], sizes.stride[n], sizes.pad[n], sizes.filter[n],
                                 sizes.image[n])) {
        longer.push_back(box);
        longer.back().push_back(one);
      }
    boxes = std::move(longer);
  }
  return boxes;
}

} // namespace weft
