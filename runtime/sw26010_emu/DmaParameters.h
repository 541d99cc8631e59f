// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the model of main memory is made of: the numbers of [dma.*] and [gld.*] in machine.toml.
#pragma once

namespace weft::emu {

class Machine;

/// Cycles of the core's clock unless another unit is named. docs/cycle-model.md says what each
/// stands for and how it was found.
struct DmaParameters {
  double lineBytes;     // a line of main memory
  double peakBandwidth; // bytes a cycle that the memory's pins carry: nothing is faster

  double readLine;      // the controller's time for a line of a get
  double readBlockHead; // bytes that a block of a get costs before its own
  double recentLines;   // so many lines back, a block that another core got costs no head
  double writeLine;     // the controller's time for a line's worth of bytes of a put
  double writeBlock;    // its time for opening a block of a put
  double writeWhole;    // bytes of a block from which writeBlock is paid whole
  double requestGet;    // its time for a get of any size
  double requestPut;    // its time for a put of any size
  double requestLine;   // least time between two lines of one request
  double burst;         // service that a core gets before the next one's turn
  double issue;         // time of the core for giving one request
  double latency;       // from a request's last byte served to its reply, and back to the core

  double turnaround; // between reading and writing
  double mixing;     // gets are no longer between puts when the memory rested for so long
  double window;     // after which the other direction has its turn, if it waits

  double singleService; // the controller's time for one gld or gst
  double singleLatency; // of a gld that waits for nobody

  static DmaParameters of(const Machine &machine);
};

} // namespace weft::emu
