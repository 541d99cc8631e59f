// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DmaDescriptor.h"

#include "Fault.h"

#include <array>
#include <string>

namespace weft::emu {

namespace {

constexpr std::uint64_t kRow = 8; // CPEs of a row
constexpr std::int64_t kLargestSize = (1 << 24) - 1, kLargestBlock = (1 << 20) - 1;
constexpr std::uint64_t kWord = 4;

std::uint64_t bits(std::uint64_t word, unsigned from, unsigned count) {
  return word >> from & ((1ULL << count) - 1);
}

std::string nameOf(const DmaRequest &request) {
  static constexpr std::array<const char *, 5> modes = {"PE_MODE", "BCAST_MODE", "ROW_MODE",
                                                        "BROW_MODE", "RANK_MODE"};
  static constexpr std::array<const char *, 6> ops = {"put",   "get",         "put_p",
                                                      "get_p", "operation 4", "barrier"};
  std::string text =
      request.op < ops.size() ? ops[request.op] : "operation " + std::to_string(request.op);
  return text + " in " +
         (request.mode < modes.size() ? modes[request.mode]
                                      : "mode " + std::to_string(request.mode));
}

class Checks {
public:
  Checks(const DmaRequest &request, const WeftCore &core) : request_(request), core_(core) {}

  [[noreturn]] void error(std::string what, std::string expected, std::string found,
                          std::string help = {}) const {
    raise(fault("DMAE1", std::move(what), std::move(expected), std::move(found), std::move(help)));
  }
  void warning(std::string what, std::string expected, std::string found,
               std::string help = {}) const {
    warn(fault("DMAE2", std::move(what), std::move(expected), std::move(found), std::move(help)));
  }
  [[noreturn]] void unknown(std::string what, std::string expected, std::string help) const {
    raise(fault("dma-not-documented", std::move(what), std::move(expected), "", std::move(help)));
  }

private:
  const DmaRequest &request_;
  const WeftCore &core_;

  Fault fault(FaultName name, std::string what, std::string expected, std::string found,
              std::string help) const {
    Fault fault;
    fault.name = name;
    fault.core = static_cast<int>(core_.index);
    fault.cycle = core_.now;
    fault.site = core_.site;
    fault.what = nameOf(request_) + ": " + std::move(what);
    fault.expected = std::move(expected);
    fault.found = std::move(found);
    fault.help = std::move(help);
    return fault;
  }
};

} // namespace

DmaRequest decode(std::uint64_t low, std::uint64_t high) {
  DmaRequest request;
  request.size = static_cast<std::int64_t>(bits(low, 0, 24));
  request.block = static_cast<std::int64_t>(bits(low, 32, 20));
  request.op = bits(low, 56, 4);
  request.mode = bits(low, 60, 4);
  request.reply = static_cast<std::uint32_t>(bits(high, 0, 16));
  request.mask = static_cast<unsigned>(bits(high, 24, 8));
  request.gap = static_cast<std::int32_t>(bits(high, 32, 32));
  return request;
}

void checkDescriptor(const DmaRequest &request, const WeftCore &core) {
  const Checks check(request, core);
  if (request.op > 3 && !request.is(DmaOp::Barrier))
    check.error("no such operation", "DMA_PUT, DMA_GET, DMA_PUT_P, DMA_GET_P or DMA_BARRIER",
                std::to_string(request.op), "set it with dma_set_op");
  if (request.is(DmaOp::Barrier))
    return;
  if (request.mode > 4)
    check.error("no such mode", "PE_MODE, BCAST_MODE, ROW_MODE, BROW_MODE or RANK_MODE",
                std::to_string(request.mode), "set it with dma_set_mode");
  if (request.is(DmaMode::Row) || request.is(DmaMode::BroadcastRow))
    check.unknown("how this mode deals bytes over the CPEs is not documented",
                  "PE_MODE, BCAST_MODE or RANK_MODE",
                  "RANK_MODE deals granules of bsize over a row; BCAST_MODE with a mask of one bit "
                  "gives a row the same bytes");
  if (request.isPut() && request.is(DmaMode::Broadcast))
    check.error("a broadcast goes from main memory to LDM only", "PE_MODE or RANK_MODE",
                "BCAST_MODE");
  if (request.size <= 0 || request.size > kLargestSize)
    check.error("size out of range", "1 to " + std::to_string(kLargestSize) + " bytes",
                std::to_string(request.size) + " bytes");
  if (request.block < 0 || request.block > kLargestBlock)
    check.error("bsize out of range", "0 to " + std::to_string(kLargestBlock) + " bytes",
                std::to_string(request.block) + " bytes");
  if (request.gap < 0)
    check.error("a gap between blocks that goes backwards",
                "stepsize (stride) of 0 or more: bytes from the end of a block to the next one",
                std::to_string(request.gap) + " bytes",
                "the gap is not the distance of the blocks' starts: that is bsize + stepsize");
  if (request.reply % kWord != 0)
    check.error("the reply word is not aligned", "an LDM address that is a multiple of 4",
                "LDM offset " + std::to_string(request.reply));
  if (request.is(DmaMode::Rank)) {
    if (request.block == 0)
      check.error("RANK_MODE without bsize",
                  "bsize: the bytes that each CPE of the row has at a time", "0");
    const auto turn = static_cast<std::int64_t>(kRow) * request.block;
    if (request.size % turn != 0)
      check.error("the size is no whole number of turns",
                  "a multiple of 8 * bsize = " + std::to_string(turn) + " bytes",
                  std::to_string(request.size) + " bytes");
    if (request.gap != 0)
      check.unknown("what a stepsize means in this mode is not documented", "stepsize 0",
                    "transfer one contiguous stretch at a time");
  } else {
    if (request.block == 0 && request.gap != 0)
      check.warning("a stride without bsize: the transfer is contiguous",
                    "bsize and stride, or neither",
                    "stride " + std::to_string(request.gap) + ", bsize 0");
    if (request.block != 0 && request.gap != 0 && request.size % request.block != 0)
      check.warning(
          "the last block is shorter than the others", "a size that is a multiple of bsize",
          std::to_string(request.size) + " bytes in blocks of " + std::to_string(request.block));
  }
  if (request.is(DmaMode::Broadcast) && request.mask == 0)
    check.warning("the mask names no row: the bytes go nowhere", "a bit for each row that receives",
                  "mask 0");
  if (request.memory % kWord != 0 || request.ldm % kWord != 0 ||
      request.size % static_cast<std::int64_t>(kWord) != 0)
    check.warning("addresses or size are no multiples of 4", "4-byte words",
                  std::to_string(request.size) + " bytes, LDM offset " +
                      std::to_string(request.ldm) + ", main memory address ending in " +
                      std::to_string(request.memory % kWord),
                  "what the machine makes of them is not documented; here all bytes are moved");
}

} // namespace weft::emu
