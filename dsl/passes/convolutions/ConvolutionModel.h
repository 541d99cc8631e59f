//===- ConvolutionModel.h - cycles of a convolution's algorithms -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What ConvolutionCosts.cpp counts for a core by itself and ConvolutionMeshCosts.cpp for the cores
// of a mesh together.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONMODEL_H
#define WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONMODEL_H

#include "passes/contractions/Contraction.h"
#include "passes/convolutions/ConvolutionCosts.h"
#include "passes/panels/PanelPlan.h"
#include "passes/tensors/FixedInputs.h"

namespace weft {

/// How many times what is counted sums in tiles take where a target does not say it, in hundredths:
/// 1.0 to 1.25 times as much was measured for tiles of 2 to 6 (3 channels of 100 to 224 pixels by
/// 32 and 64 filters, one image, on a Zen 4 by vectors of 32 and of 64 bytes).
inline constexpr int64_t writtenOut = 120;

/// How many times what is counted vectors of every second pixel take, or of pixels farther apart:
/// they are picked from several. 32 channels of 64 by 64 pixels by 12 filters of 3 by 3 took 248 us
/// so, and 90 along rows that were brought together.
inline constexpr double stridden = 3.5;

/// How many times what is counted things take on this CPU, cycles for a byte of filters'
/// transforms that are not made a panel at a time and leave the second cache, and bytes a cycle of
/// what the last cache keeps from call to call, as far as that is known.
struct MeasuredCosts {
  double products = 1, tilesOfFive = 1, tilesOfSix = 1, filtersApart = 0, sumsInTiles = 1;
  std::optional<double> lastCacheBytesPerCycle;
  int64_t keptBytes = 0;

  static MeasuredCosts of(const Target &target) {
    auto hundredths = [&](llvm::StringRef name) {
      return double(target.numberIfAny(name).value_or(100)) / 100;
    };
    MeasuredCosts found;
    found.products = hundredths("products_hundredths");
    found.tilesOfFive = hundredths("tiles_of_five_hundredths");
    found.tilesOfSix = hundredths("tiles_of_six_hundredths");
    found.filtersApart = double(target.numberIfAny("filters_apart_hundredths").value_or(0)) / 100;
    found.sumsInTiles =
        double(target.numberIfAny("sums_in_tiles_hundredths").value_or(writtenOut)) / 100;
    auto rate = target.numberIfAny("l3_bytes_per_second"), clock = target.numberIfAny("clock_hz");
    if (rate && clock)
      found.lastCacheBytesPerCycle = double(*rate) / double(*clock);
    found.keptBytes = target.numberIfAny("l3_kept_bytes").value_or(0);
    return found;
  }
};

/// What the algorithms of one convolution cost on one machine.
class ConvolutionModel {
public:
  ConvolutionModel(ConvOp op, PanelLimits limits, const Target &target);

  ConvChoice direct() const;
  /// Of a filter for each channel.
  ConvChoice byChannels() const;
  double winograd(mlir::DictionaryAttr transform) const;
  /// The same with its sums in the transform of the results; nothing where that cannot be.
  std::optional<double> winogradInTiles(mlir::DictionaryAttr transform) const;
  double winogradOfPanels(mlir::DictionaryAttr transform) const;
  int64_t pointsOf(mlir::DictionaryAttr transform) const; ///< of a tile

private:
  /// The same of planes, through blocks of channels; nothing where channels do not fill blocks.
  std::optional<ConvChoice> byTurnedChannels() const;
  /// Real numbers of an element.
  double parts() const { return isComplex ? 2 : 1; }
  /// `batch` products of matrices, whose columns pass by from beyond the second cache, so many
  /// bytes a cycle, or do not.
  double products(double batch, int64_t rows, int64_t columns, int64_t terms,
                  std::optional<double> streams) const;
  /// Those of tiles and filters, a strip of tiles at a time, as arrange-contractions cuts them.
  /// Nothing where strips are not counted, or are no matter: filters that are made a panel at a
  /// time, tiles that stay in the second cache.
  std::optional<double> productsInStrips(mlir::DictionaryAttr transform) const;
  /// Lines by a matrix, a pass for each of so many dimensions: over squares, (in + out) of them a
  /// square. So many elements of each, `far`, come from memory or go there, the others stay in the
  /// second cache; all come and go where it is not given.
  double transforms(double squares, mlir::ElementsAttr matrix, unsigned dims, double lanes,
                    std::optional<double> far = {}) const;
  /// Of elements that lie in planes, where lanes lie along channels: each square touches so many,
  /// and has so many pixels of its own.
  double turns(double squares, ConvLayout lies, double touched, double pixels) const;
  /// Lanes of transforms along so many channels, filters or tiles.
  double lanesAlong(int64_t channels) const;
  /// Of a transform of a square.
  static double operationsOf(mlir::ElementsAttr matrix, unsigned dims);
  double winogradOnMesh(mlir::DictionaryAttr transform) const;
  /// Of the filters' transforms, or of reading those that were made before.
  double ofFilters(mlir::DictionaryAttr transform, double lanes) const;
  int64_t filterBytes(int64_t points) const; ///< of filters that are transformed
  double rateOf(double filterBytes) const;   ///< bytes a cycle of filters beyond the second cache
  /// Bytes a cycle at which fixed filters' transforms pass by from beyond the second cache while
  /// they are multiplied; nothing where they do not.
  std::optional<double> filterStream(int64_t points) const;
  unsigned dimsOf(mlir::DictionaryAttr transform) const; ///< that are transformed
  int64_t tilesOf(mlir::DictionaryAttr transform) const; ///< of an image
  std::optional<double> tilesWithCores(mlir::DictionaryAttr transform, int64_t points) const;
  double copyOfImages(int64_t pixels) const;
  double copyOfResults(int64_t pixels) const;
  double ofTiles(int64_t m, int64_t r, int64_t points, unsigned dims) const;

  /// The direct sum where the cores of a mesh share it; nothing where they do not.
  std::optional<ConvChoice> directOnMesh() const;

  std::optional<MeshMachine> mesh;
  ConvSizes sizes;
  PanelLimits limits;
  MeasuredCosts measured;
  ConvLayout layout, outLayout;
  bool hasFixedFilters;
  int64_t called;     ///< bytes of all that the kernel takes and gives
  int64_t otherBytes; ///< the same but the filters, which are counted by their transforms: in a
                      ///< network, those of all other layers
  bool isComplex;
};

} // namespace weft

#endif // WEFT_PASSES_CONVOLUTIONS_CONVOLUTIONMODEL_H
