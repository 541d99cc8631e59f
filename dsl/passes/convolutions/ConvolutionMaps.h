//===- ConvolutionMaps.h - what algorithms of a convolution share ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Images with their border and results, each in its layout, and the maps that read and store them.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONMAPS_H
#define WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONMAPS_H

#include "passes/convolutions/Convolutions.h"

#include "mlir/IR/Builders.h"

namespace weft {

/// Where the indices of a pixel begin in images of so many dimensions, `dims` of them the pixel's.
unsigned firstOfPixel(ConvLayout of, unsigned rank, unsigned dims);

/// What a convolution is replaced by, map by map.
class ConvolutionMaps {
public:
  explicit ConvolutionMaps(ConvOp op);

protected:
  using Indices = llvm::SmallVector<mlir::AffineExpr>;
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;
  using Factors =
      llvm::function_ref<std::pair<mlir::Value, mlir::Value>(mlir::OpBuilder &, mlir::ValueRange)>;

  /// From `lower` to `upper`, in one dimension of a map.
  struct Range {
    int64_t lower, upper;
  };

  /// Images, with or without their border: [n, group, c, pixel], or in a layout with channels
  /// behind pixels.
  struct Images {
    mlir::Value tensor;
    ConvLayout layout;
  };

  /// The first dimensions of a map over results, and what they count.
  struct Lead {
    llvm::SmallVector<Range> ranges;
    Indices logical;                        ///< n, group, filter
    mlir::AffineExpr filter, block, within; ///< of all groups; the last two where there are blocks
  };

  mlir::AffineExpr dim(unsigned n) { return getAffineDimExpr(n, context); }
  /// The first dimensions of images, [n] or [n, group]; of filters none or [group].
  llvm::SmallVector<int64_t> grouped(llvm::ArrayRef<int64_t> before, llvm::ArrayRef<int64_t> after);
  mlir::Value reshaped(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// A map over `ranges` that stores one element a point.
  mlir::Value map(mlir::Location where, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Range> ranges,
                  const Indices &store, Body body, mlir::Value init = {});
  /// The dimensions of a map over all of a shape.
  std::pair<llvm::SmallVector<Range>, Indices> over(llvm::ArrayRef<int64_t> shape);
  mlir::Value zero(mlir::OpBuilder &at);
  mlir::Value sumOfProducts(mlir::OpBuilder &at, llvm::ArrayRef<int64_t> terms, Factors factors);

  /// Which of a tensor's dimensions is the first one of a pixel.
  unsigned firstOfPixel(ConvLayout of, unsigned rank) const;
  /// The images within `extents`, zero around them, in their own layout, in planes, or, of one
  /// group, in blocks.
  Images images(llvm::ArrayRef<int64_t> extents, ConvLayout to);
  /// The element of images at n, group, c, pixel.
  mlir::Value pixel(mlir::OpBuilder &at, const Images &x, llvm::ArrayRef<mlir::AffineExpr> logical,
                    mlir::ValueRange point);
  /// A map's first dimensions over the results, and where it stores them.
  Lead lead();
  llvm::SmallVector<int64_t> resultShape();
  Indices resultPlace(const Lead &lead, llvm::ArrayRef<mlir::AffineExpr> pixel);
  mlir::Value filters();
  /// Images of one group in planes, put in blocks without a border; and results in blocks, put in
  /// planes.
  mlir::Value toBlocks(mlir::Value planes);
  mlir::Value fromBlocks(mlir::Value blocks);
  void finish(mlir::Value result);

  ConvOp op;
  mlir::OpBuilder builder;
  mlir::Location location, inner;
  mlir::MLIRContext *context;
  ConvSizes sizes;
  mlir::Value input; ///< images, of these sizes
  ConvLayout layout, outLayout;
  mlir::Type element;
};

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONMAPS_H
