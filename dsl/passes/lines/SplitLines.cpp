//===- SplitLines.cpp - lines shared by the cores of a row ------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Of n = first * second points, the stages before the crossing combine points that lie `second`
// apart, those behind it points that lie `first` apart. So the loop over p of the former and the
// loop over l of the latter are written as two, the inner of which may be shared by the cores of a
// row: then only the crossing moves points between cores. A round is as many lines as the mesh has
// rows, or a few times as many; the arrays between its stages are small enough to stay with the
// cores (insert-exchanges).
//
// Columns, which have their neighbours beside them in memory, are shared by the cores of a column
// of the mesh, so that a row of cores has neighbours of each point: it moves them together, in one
// run, and exchanges what is in it.
//
//===-----------------------------------------------------------------------===//

#include "passes/lines/SplitLines.h"

#include "passes/Notes.h"
#include "passes/lines/FilledLines.h"
#include "passes/lines/LineInputs.h"
#include "passes/lines/LineRounds.h"
#include "passes/loops/Buffers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("tile-for-ldm");

/// Rounds that there are to be before a row takes more than a line at a time: rows of cores compute
/// while others have the memory, but for the first and the last round.
constexpr int64_t fewRounds = 8;

bool isButterfly(const LineChain &chain, const Stage &stage) {
  MapOp map = stage.map;
  if (stage.innerDomain != 2 || stage.innerResult != 1 || map.getStores().size() < 2)
    return false;
  auto [groups, within] = loopsOf(chain, stage);
  auto type = cast<RankedTensorType>(map.getResult(0).getType());
  return isa<ComplexType>(type.getElementType()) &&
         groups * within * static_cast<int64_t>(map.getStores().size()) ==
             type.getDimSize(chain.pre);
}

/// Where the stages are crossed: as early as each core of a row can have as many points as the
/// others, in whole messages, on both sides; the runs that come from memory are longest then.
bool findCrossing(const LineChain &chain, LineSplit &split, int64_t perMessage) {
  int64_t length = split.points * split.sharing();
  for (unsigned crossing = 1; crossing < chain.stages.size(); ++crossing) {
    auto [groups, within] = loopsOf(chain, chain.stages[crossing]);
    split.crossing = crossing;
    split.first = within;
    split.second = length / within;
    // Messages are of neighbouring points, or of the same point of neighbouring columns.
    int64_t parts = split.sharing();
    if (split.first % (split.isColumns ? parts : parts * perMessage) != 0 ||
        split.second % parts != 0)
      continue;
    // The loops of all stages are then multiples of what is shared.
    bool all = true;
    for (auto [number, stage] : llvm::enumerate(chain.stages)) {
      StageLoops loops = loopsOf(chain, stage);
      all &= number < crossing ? loops.groups % split.second == 0 : loops.within % within == 0;
    }
    if (all)
      return true;
  }
  return false;
}

int64_t roundsOf(const LineChain &chain, const LineSplit &split) {
  int64_t rounds = 1;
  for (unsigned line = 0; line < chain.lineDims(); ++line)
    rounds *= chain.extents[line] / (line == split.line   ? split.width()
                                     : line == split.over ? split.widthOver()
                                                          : 1);
  return rounds;
}

/// The line dimension that rounds of contiguous lines go along.
unsigned longestLines(const LineChain &chain, int64_t rows) {
  unsigned best = 0;
  for (unsigned line = 0; line < chain.lineDims(); ++line) {
    bool divides = chain.extents[line] % rows == 0;
    bool divided = chain.extents[best] % rows == 0;
    if (divides || (!divided && chain.extents[line] > chain.extents[best]))
      best = line;
  }
  return best;
}

/// Has the first stage make its columns, where a core has room for its part of these, too, until
/// the round's end: beside what comes in, and beside two parts of stages.
void addMaker(const LineChain &chain, LineSplit &split, int64_t room) {
  // Parts of tables come before several rounds; for a single one they would take turns with it.
  bool areRounds = roundsOf(chain, split) > 1 && chain.extents[split.line] % split.width() == 0;
  split.maker = areRounds ? makerOf(chain) : MapOp();
  if (!split.maker)
    return;
  constexpr int64_t beside = 128; // what comes for one point or column at a time
  Inputs inputs = inputsOf(chain, split);
  MapOp last = chain.last();
  auto type = cast<RankedTensorType>(last.getResult(0).getType());
  int64_t part = split.each * split.points * bytesOf(type) / type.getNumElements();
  int64_t bytes = (inputs.arrays + 2) * part + inputs.tableBytes + beside;
  std::string name = Notes::wanted(last.getLoc()) ? spoken(last) : std::string();
  if (bytes > room) {
    notes.rejected(last, "{0}: its first stage makes what it reads", name)
        .because("a core has {0} bytes, and {1} would be in use until the end of a round", room,
                 bytes);
    split.maker = {};
    return;
  }
  notes.decided(last, "{0}: its first stage makes what it reads", name)
      .because("others read it as well; {0} bytes are in use until the end of a round", bytes);
}

/// Elements of the runs of memory in which columns come.
int64_t runOf(const LineChain &chain, const LineSplit &split) {
  if (!split.over)
    return split.width();
  // Rows of planes lie one behind the other.
  bool areRows = *split.over < chain.pre && chain.post == 1;
  return split.width() * (areRows ? split.points : *split.over < chain.pre ? 1 : split.ofOver);
}

/// Rounds of whole columns, all that lie side by side, for a row of cores: their runs of memory are
/// as long as there are such, or longer, and the stages of a column are a core's own.
bool shareOver(const LineChain &chain, LineSplit &split, const MeshRoom &room, int64_t length,
               int64_t pointBytes) {
  int64_t side = chain.extents[split.line];
  if (side % (split.columns * room.points) != 0)
    return false;
  LineSplit whole = split;
  for (unsigned line = 0; line < chain.lineDims(); ++line)
    if (line != split.line && chain.extents[line] % split.rows == 0)
      whole.over = line; // the last one is the nearest in memory
  if (!whole.over)
    return false;
  whole.points = length;
  whole.each = side / split.columns;
  whole.bytes = std::max<int64_t>(inputsOf(chain, whole).arrays + 1, 2) * length * pointBytes;
  if (whole.each * whole.bytes > room.bytes)
    return false;
  while (2 * whole.each * whole.bytes <= room.bytes &&
         chain.extents[*whole.over] % (2 * whole.widthOver()) == 0 && roundsOf(chain, whole) > 2) {
    whole.each *= 2;
    whole.ofOver *= 2;
  }
  if (runOf(chain, whole) * pointBytes < room.longRun)
    return false;
  split = whole;
  return true;
}

/// The split of a chain's lines; nothing, and `why`, where there is none.
std::optional<LineSplit> splitOf(const LineChain &chain, const MeshRoom &room, std::string &why) {
  auto refuse = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (chain.stages.size() < 2 ||
      !llvm::all_of(chain.stages, [&](const Stage &stage) { return isButterfly(chain, stage); }))
    return refuse("cores share only lines of whole stages of butterflies");
  LineSplit split;
  split.isColumns = chain.post != 0;
  split.rows = room.rows;
  split.columns = room.columns;
  split.line = split.isColumns ? chain.lineDims() - 1 : longestLines(chain, split.rows);
  split.each = split.isColumns ? room.points : 1;
  int64_t lines = chain.extents[split.line], fewest = split.beside() * split.each;
  if (lines < fewest && split.isColumns)
    return refuse(llvm::formatv("{0} columns lie side by side, and {1} cores take {2} at least",
                                lines, split.beside(), fewest));
  if (lines < fewest)
    return refuse(llvm::formatv("there are {0} lines, and {1} rows of cores", lines, fewest));
  auto type = cast<RankedTensorType>(chain.last()->getResult(0).getType());
  int64_t length = type.getDimSize(chain.pre);
  int64_t pointBytes =
      2 * cast<ComplexType>(type.getElementType()).getElementType().getIntOrFloatBitWidth() / 8;
  if (split.isColumns && !room.asked && shareOver(chain, split, room, length, pointBytes))
    return split;
  split.points = length / split.sharing();
  if (length % split.sharing() != 0 || !findCrossing(chain, split, room.points)) {
    if (split.isColumns)
      return refuse(llvm::formatv("its stages have no two factors that {0} cores can share",
                                  split.sharing()));
    if (!fillLines(chain, split, length, room.points, why))
      return std::nullopt;
  }
  // What an exchange gives away, and what it brings. Columns come one array after the other, each
  // in runs first.
  int64_t arrays = split.isColumns ? std::max<int64_t>(inputsOf(chain, split).arrays + 1, 2) : 2;
  split.bytes = arrays * split.points * pointBytes;
  if (split.each * split.bytes > room.bytes)
    return refuse(llvm::formatv("its part with each of {0} cores takes {1} bytes before and "
                                "behind an exchange, and they have {2} for it",
                                split.sharing(), split.each * split.bytes, room.bytes));
  // Rows that have lines of their own compute while others have the memory, where there are many
  // rounds; of columns all cores move long runs together.
  while (2 * split.each * split.bytes <= room.bytes &&
         (split.isColumns || roundsOf(chain, split) >= 2 * fewRounds) &&
         2 * split.each * split.beside() <= chain.extents[split.line] &&
         !(split.isColumns && room.asked && split.each * split.beside() >= *room.asked))
    split.each *= 2;
  return split;
}

/// That of lines among so many cores of a row.
std::optional<LineSplit> splitAmong(const LineChain &chain, const MeshRoom &room, int64_t sharing,
                                    std::string &why) {
  if (sharing < 2 || sharing > room.columns || room.columns % sharing != 0) {
    why = llvm::formatv("{0} cores of a row have no parts of {1}", room.columns, sharing);
    return std::nullopt;
  }
  MeshRoom part = room;
  part.rows = room.rows * room.columns / sharing;
  part.columns = sharing;
  std::optional<LineSplit> split = splitOf(chain, part, why);
  if (split)
    split->isPart = sharing < room.columns;
  return split;
}

/// Points that all cores compute, what lines are filled up with and lines that come twice included.
int64_t pointsOf(const LineChain &chain, const LineSplit &split) {
  int64_t extent = chain.extents[split.line], rest = extent % split.width();
  return (extent - rest + llvm::alignTo(rest, split.rows)) * split.sharing() * split.points;
}

/// Whether fewer cores than a row have what makes them worth while: of whole lines runs that they
/// may move together, one line at a time (512 lines of 3000 points of c64, two at a time by four
/// cores, take 1.12 times as long as four at a time by eight), and room for their parts of tables
/// beside three arrays, as long as rounds go on: two of a stage or an exchange, and one that comes
/// or goes.
bool suitsPart(const LineChain &chain, const LineSplit &split, const MeshRoom &room) {
  return (split.isFilled() || split.second / split.sharing() % room.points == 0) &&
         split.each == 1 && split.bytes / 2 * 3 + inputsOf(chain, split).tableBytes <= room.all;
}

/// The split of a chain's lines among the cores of a row, or of its parts; nothing, and `why`,
/// where there is none. Rows wait for memory, and the more cores have a line, the fewer bytes each
/// has of it: parts of rows are taken only where a sixteenth of all points is saved by them.
std::optional<LineSplit> bestSplit(const LineChain &chain, const MeshRoom &room, std::string &why) {
  if (chain.post != 0)
    return splitOf(chain, room, why);
  if (room.sharing)
    return splitAmong(chain, room, *room.sharing, why);
  std::optional<LineSplit> best = splitAmong(chain, room, room.columns, why);
  for (int64_t sharing = room.columns / 2; best && sharing > 1; sharing /= 2) {
    std::string other;
    std::optional<LineSplit> split = splitAmong(chain, room, sharing, other);
    if (split && 16 * pointsOf(chain, *split) <= 15 * pointsOf(chain, *best) &&
        suitsPart(chain, *split, room))
      best = split;
  }
  return best;
}

/// An error where so many cores of a row cannot share the lines, as the schedule has it.
LogicalResult refuseSharing(const LineChain &chain, const MeshRoom &room, StringRef why) {
  SmallVector<std::string> others;
  for (int64_t sharing = 2; sharing <= room.columns; sharing *= 2)
    if (std::string other; splitAmong(chain, room, sharing, other))
      others.push_back(std::to_string(sharing));
  MapOp last = chain.last();
  return last->emitError()
         << llvm::formatv("schedule: split {0}: cores of a row share the lines of {1}: {2}; "
                          "expected {3}",
                          *room.sharing, spoken(last), why,
                          others.empty() ? "none" : llvm::join(others, " or "))
                .str();
}

void splitLines(LineChain &chain, const LineSplit &split) {
  MapOp last = chain.last();
  OpBuilder builder(last);
  int64_t extent = chain.extents[split.line], width = split.width();
  int64_t whole = extent - extent % width;
  auto build = [&](int64_t from, int64_t to, int64_t lines, ValueRange inits) -> ValueRange {
    BlocksOp blocks = split.isFilled() ? buildFilledRounds(builder, chain, split, from, to, lines,
                                                           inits.empty() ? Value() : inits.front())
                                       : buildRounds(builder, chain, split, from, to, lines, inits);
    return blocks.getResults();
  };
  SmallVector<Value> inits;
  auto type = cast<RankedTensorType>(last.getResult(0).getType());
  for (unsigned n = 0; n < (split.maker ? 2 : 1) && whole < extent; ++n)
    inits.push_back(
        tensor::EmptyOp::create(builder, last.getLoc(), type.getShape(), type.getElementType()));
  ValueRange results = build(0, whole, width, inits);
  if (whole < extent) {
    // What is left of rows is computed with lines that are there already: they come out the same.
    int64_t lines = split.isColumns ? width : split.rows;
    int64_t rest = llvm::alignTo(extent - whole, lines);
    results = build(extent - rest, extent, lines, results);
  }
  last.getResult(0).replaceAllUsesWith(results.front());
  for (const Stage &stage : llvm::reverse(chain.stages)) {
    MapOp map = stage.map;
    map.erase();
  }
  if (MapOp maker = split.maker) {
    maker.getResult(0).replaceAllUsesWith(results.back());
    maker.erase();
  }
}

/// An error where the schedule asks for longer runs than those of so many elements.
LogicalResult checkAsked(const LineChain &chain, const MeshRoom &room, int64_t elements,
                         const std::string &why) {
  if (!room.asked || elements >= *room.asked)
    return success();
  MapOp last = chain.last();
  return last->emitError() << llvm::formatv("schedule: exchange {0}: runs of {1} in main memory "
                                            "have {2} elements at most: {3}; expected 1 to {2}",
                                            *room.asked, spoken(last), elements, why)
                                  .str();
}

/// What keeps a split from longer runs.
std::string longestOf(const LineChain &chain, const LineSplit &split) {
  if (2 * split.each * split.beside() > chain.extents[split.line])
    return llvm::formatv("{0} columns lie side by side", chain.extents[split.line]);
  return llvm::formatv("of more than {0} columns a core has no room for its {1} points before and "
                       "behind an exchange",
                       split.each, split.points);
}

/// Says how lines are shared, and for what `reason`; then does it.
void share(LineChain &chain, LineSplit split, int64_t room, StringRef reason) {
  if (split.isColumns)
    addMaker(chain, split, room);
  MapOp last = chain.last();
  std::string name = Notes::wanted(last.getLoc()) ? spoken(last) : std::string();
  if (split.over) {
    notes
        .decided(last, "{0}: {1} of its columns at a time, whole, by {2} rows of cores", name,
                 split.width() * split.widthOver(), split.rows)
        .because("{0}; a row has all {1} that lie side by side of {2} indices, and moves them "
                 "together; in {3} rounds, {4} columns a core",
                 reason.str(), split.width(), split.ofOver, roundsOf(chain, split), split.each)
        .number("lines", split.each);
    return splitLines(chain, split);
  }
  std::string filled;
  if (split.isFilled())
    filled =
        llvm::formatv("; its {0} rows of {1} are filled up to {2} of {3}, its {1} of {0} to "
                      "{4} of {5}",
                      split.first, split.second, split.filledFirst.rows, split.filledSecond.columns,
                      split.filledSecond.rows, split.filledFirst.columns);
  StringRef lines = split.isColumns ? "columns" : "lines";
  StringRef sharing = split.isColumns ? "column of the mesh"
                      : split.isPart  ? "part of a row"
                                      : "row";
  notes
      .decided(last, "{0}: each of its {1} by the {2} cores of a {3}, {4} at a time", name, lines,
               split.sharing(), sharing, split.beside() * split.each)
      .because("{0}; they exchange their parts of {1} points, of {2} bytes with what they get, "
               "behind stage {3}; in {4} rounds, {5} {6} a {7}{8}",
               reason.str(), split.points, split.bytes, split.crossing, roundsOf(chain, split),
               split.each, lines, split.isColumns ? "core" : "row", filled)
      .number("points", split.points)
      .number("bytes", split.bytes)
      .number("lines", split.each);
  splitLines(chain, split);
}

} // namespace

bool mayShareLines(const LineChain &chain, const MeshRoom &room) {
  std::string why;
  return bestSplit(chain, room, why).has_value();
}

LogicalResult shareLines(LineChain &chain, std::optional<MeshRoom> room, StringRef tooLong) {
  std::string why;
  std::optional<LineSplit> split = room ? bestSplit(chain, *room, why) : std::nullopt;
  if (split && split->isColumns &&
      failed(checkAsked(chain, *room, runOf(chain, *split), longestOf(chain, *split))))
    return failure();
  if (split) {
    share(chain, *split, room->all, tooLong);
    return success();
  }
  if (room && chain.post != 0 && failed(checkAsked(chain, *room, 1, why)))
    return failure();
  if (room && chain.post == 0 && room->sharing)
    return refuseSharing(chain, *room, why);
  MapOp last = chain.last();
  std::string name = Notes::wanted(last.getLoc()) ? spoken(last) : std::string();
  notes.rejected(last, "{0}: its stages ({1}) over blocks of lines", name, chain.stages.size())
      .because("{0}{1}{2}", tooLong.str(), why.empty() ? "" : "; ", why);
  return success();
}

FailureOr<bool> shareForRuns(LineChain &chain, const MeshRoom &room, int64_t alone, bool mayGroup) {
  MapOp last = chain.last();
  auto type = cast<RankedTensorType>(last->getResult(0).getType());
  int64_t bytes = bytesOf(type), cores = room.rows * room.columns;
  int64_t pointBytes = bytes / type.getNumElements();
  int64_t wanted = room.asked ? *room.asked * pointBytes : room.longRun;
  bool isAlone = chain.hasOtherLines() && !mayGroup && room.asked.value_or(1) > 1;
  if (chain.post == 0 || (alone >= wanted && !isAlone))
    return false;
  std::string name = Notes::wanted(last.getLoc()) ? spoken(last) : std::string();
  auto refuse = [&](std::string why) {
    notes
        .rejected(last, "{0}: each of its columns by the {1} cores of a column of the mesh", name,
                  room.rows)
        .because("{0}", why);
    return false;
  };
  if (!room.asked && chain.hasOtherLines() && 2 * bytes <= cores * room.bytes)
    return refuse(llvm::formatv("its {0} bytes may stay with the cores", bytes));
  std::string why;
  std::optional<LineSplit> split = splitOf(chain, room, why);
  int64_t run = split ? runOf(chain, *split) * pointBytes : alone;
  if (split)
    why = longestOf(chain, *split);
  if (isAlone && !split)
    return refuse(why);
  if (failed(checkAsked(chain, room, (isAlone ? run : std::max(run, alone)) / pointBytes, why)))
    return failure();
  if (!split)
    return refuse(why);
  // Shorter ones than are long still pay where blocks would have much shorter ones.
  constexpr int64_t muchShorter = 4;
  if (run < wanted && (room.asked || run < muchShorter * alone))
    return refuse(llvm::formatv("their runs of memory would have {0} bytes, and {1} are long "
                                "(long_run_bytes)",
                                run, wanted));
  share(
      chain, *split, room.all,
      llvm::formatv("blocks of whole columns have runs of {0} bytes, and these of {1}", alone, run)
          .str());
  return true;
}

} // namespace weft
