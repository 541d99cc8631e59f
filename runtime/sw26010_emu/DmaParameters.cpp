// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DmaParameters.h"

#include "Machine.h"

namespace weft::emu {

DmaParameters DmaParameters::of(const Machine &machine) {
  const double hertz = machine.number("clock.hz");
  return {
      .lineBytes = machine.number("dma.line_bytes"),
      .peakBandwidth = machine.number("dma.peak_bandwidth") / hertz,
      .readLine = machine.number("dma.read_line"),
      .readBlockHead = machine.number("dma.read_block_head"),
      .recentLines = machine.number("dma.recent_lines"),
      .writeLine = machine.number("dma.write_line"),
      .writeBlock = machine.number("dma.write_block"),
      .writeWhole = machine.number("dma.write_whole"),
      .requestGet = machine.number("dma.request_get"),
      .requestPut = machine.number("dma.request_put"),
      .requestLine = machine.number("dma.request_line"),
      .burst = machine.number("dma.burst"),
      .issue = machine.number("dma.issue"),
      .latency = machine.number("dma.latency"),
      .turnaround = machine.number("dma.turnaround"),
      .mixing = machine.number("dma.mixing"),
      .window = machine.number("dma.window"),
      .singleService = machine.number("gld.service"),
      .singleLatency = machine.number("gld.latency"),
  };
}

} // namespace weft::emu
