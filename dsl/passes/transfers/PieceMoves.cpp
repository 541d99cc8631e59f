//===- PieceMoves.cpp - how what a piece reads and writes moves ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What keeps a piece from the rate of the memory is computing that no transfer hides, and puts
// that gets of other cores come between. There are two ways. Gets come in many parts, so that most
// of the computing is hidden, and puts are slow. Or all cores compute so long behind their last
// get that the memory has rested (`rest_cycles`), meet, and put together: puts are fast, and the
// computing behind the last part stays open. With several pieces one behind the other, cores that
// do not meet fall out of step, so that one computes while another moves.
//
//===-----------------------------------------------------------------------===//

#include "passes/transfers/PieceMoves.h"

#include "passes/Notes.h"
#include "passes/transfers/LdmPlan.h"
#include "passes/transfers/TransferParts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

constexpr Notes notes("insert-transfers");

class MovesOfPiece {
public:
  MovesOfPiece(cpe::CoresOp cores, const FootprintAnalysis &analysis, ArrayRef<Operation *> ops,
               const PieceMachine &machine, bool whole, bool splitsLanes)
      : ops(ops), machine(machine), mesh(*machine.mesh), splitsLanes(splitsLanes) {
    if (ops.size() == 1 && !whole)
      piece = dyn_cast<AffineForOp>(ops.front());
    computing = cyclesOf(ops);
    for (const Footprint &footprint : analysis.footprints()) {
      getBytes += footprint.needsGet ? footprint.bytes() : 0;
      putBytes += footprint.isWritten ? footprint.bytes() : 0;
    }
    countInParts(analysis);
    for (Operation *around = ops.front()->getParentOp(); around != cores;
         around = around->getParentOp()) {
      if (auto loop = dyn_cast<AffineForOp>(around))
        pieces *= tripsOf(loop);
      onMesh |= around->hasAttr(meshMark);
    }
  }

  PieceMoves choose() const;
  /// In the parts, at least two, that leave the fewest cycles open; one where there are none.
  PieceMoves chooseParts() const;

private:
  void countInParts(const FootprintAnalysis &analysis);
  double cyclesOf(ArrayRef<Operation *> ops) const;

  /// Cycles of a piece that transfers do not hide, where gets come between the puts.
  double openAmong(int64_t parts) const {
    double hidden = std::min(computing, double(machine.cores * getBytes) / mesh.bytesPerCycle);
    return hidden / double(parts) + ofParts(parts);
  }
  double ofParts(int64_t parts) const { return parts == 1 ? 0 : double(parts * mesh.partCycles); }
  bool mayComeIn(int64_t parts) const {
    return parts == 1 || (inParts != 0 && tripsOf(piece) % (parts * together) == 0);
  }

  ArrayRef<Operation *> ops;
  const PieceMachine &machine;
  const MeshMachine &mesh;
  bool splitsLanes; ///< loops of lanes may come in parts of whole vectors
  AffineForOp piece;
  double computing = 0;
  int64_t getBytes = 0, putBytes = 0; ///< of a piece
  int64_t inParts = 0;                ///< of the former, those that may come in parts
  int64_t pieces = 1;                 ///< of all cores
  int64_t together = 1;               ///< iterations that stay together: those of a vector
  bool onMesh = false;
};

void MovesOfPiece::countInParts(const FootprintAnalysis &analysis) {
  if (!piece || piece.getNumIterOperands() != 0 || (piece->hasAttr("weft.lane") && !splitsLanes))
    return;
  if (piece->hasAttr("weft.lane"))
    together = mesh.lanes;
  SmallVector<Operation *> inner = opsOf(*piece.getBody());
  FootprintAnalysis one(inner, machine.ldmBytes);
  for (const Footprint &footprint : analysis.footprints())
    if (isReadInTurn(piece, footprint, one))
      inParts += footprint.bytes();
}

/// Cycles of some ops, at least.
double MovesOfPiece::cyclesOf(ArrayRef<Operation *> ops) const {
  double inside = 0;
  int64_t operations = 0, stores = 0;
  for (Operation *op : ops) {
    if (auto loop = dyn_cast<AffineForOp>(op)) {
      inside += cyclesOf(opsOf(*loop.getBody())) * double(tripsOf(loop));
      continue;
    }
    ++operations;
    stores += isa<affine::AffineWriteOpInterface>(op) ? 1 : 0;
  }
  double each = stores >= mesh.registers ? mesh.crowdedCycles : mesh.operationCycles;
  return inside + double(operations) * each / double(mesh.lanes);
}

PieceMoves MovesOfPiece::chooseParts() const {
  int64_t best = 1;
  for (int64_t parts = 2; inParts != 0 && parts <= std::min(cpe::mostParts, tripsOf(piece));
       ++parts)
    if (mayComeIn(parts) && (best == 1 || openAmong(parts) < openAmong(best)))
      best = parts;
  return {best, false};
}

PieceMoves MovesOfPiece::choose() const {
  constexpr double kilobyte = 1024;
  int64_t most = inParts == 0 ? 1 : std::min(cpe::mostParts, tripsOf(piece));
  int64_t among = 1, resting = 0;
  for (int64_t parts = 1; parts <= most; ++parts) {
    if (!mayComeIn(parts))
      continue;
    if (openAmong(parts) < openAmong(among))
      among = parts;
    if (computing / double(parts) >= double(mesh.restCycles))
      resting = parts;
  }
  if (resting == 0 || mesh.restCycles == 0 || onMesh)
    return {among, false};
  // Cores that begin together and get at once stay in step without meeting.
  bool inStep = pieces <= machine.cores;
  bool mayMeet = cpe::allComeByAlike(ops.front(), machine.cores);
  if (inStep && !mayMeet)
    resting = 1;
  if (!inStep && !mayMeet)
    return {among, false};
  double mixing = double(machine.cores * putBytes) / kilobyte * double(mesh.mixingCycles);
  double rounds = double(llvm::divideCeil(pieces, machine.cores));
  double openApart = mesh.openShare * computing / double(resting) + ofParts(resting);
  double openMixed = mixing + openAmong(among) / rounds;
  if (openMixed <= openApart)
    return {among, false};
  bool meet = !inStep || resting > 1;
  notes.decided(ops.front(), meet ? "cores meet before they put" : "cores put in step")
      .because("the memory has rested then: {0} cycles of a piece stay open instead of {1}",
               int64_t(openApart), int64_t(openMixed))
      .number("parts", resting);
  return {resting, meet};
}

} // namespace

PieceMoves PieceMoves::of(cpe::CoresOp cores, const FootprintAnalysis &analysis,
                          ArrayRef<Operation *> ops, const PieceMachine &machine, bool whole,
                          bool inParts) {
  if (!machine.mesh || machine.mesh->partCycles == 0)
    return {};
  MovesOfPiece moves(cores, analysis, ops, machine, whole, inParts);
  if (inParts)
    if (PieceMoves found = moves.chooseParts(); found.parts > 1)
      return found;
  return moves.choose();
}

} // namespace weft
