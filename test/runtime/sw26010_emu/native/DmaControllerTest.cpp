// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory controller by itself: what goes in comes out, once and in order; lines and blocks as
// counted one by one; what a change of direction costs. Whole programs are measured by
// test_dma_model.py.
#include "DmaController.h"
#include "Machine.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <map>
#include <random>
#include <stdexcept>
#include <tuple>
#include <vector>

using namespace weft::emu;

namespace {

const DmaParameters &parameters() {
  static const DmaParameters those = DmaParameters::of(Machine::get());
  return those;
}

DmaShape anyShape(std::mt19937 &random) {
  DmaShape shape;
  shape.memoryAddress = 0x100000 + random() % 4096;
  shape.bytes = 1 + random() % 6000;
  if (random() % 2) {
    shape.block = 1 + random() % shape.bytes;
    shape.gap = random() % 700;
  }
  shape.toMemory = random() % 2;
  return shape;
}

/// Takes all that is outstanding, asking as the machine does: at the cycle that was named.
std::vector<DmaController::Completion> drain(DmaController &controller) {
  std::vector<DmaController::Completion> all;
  while (const auto next = controller.nextCompletion())
    while (const auto done = controller.popCompletion(*next)) {
      CHECK(done->cycle == *next);
      all.push_back(*done);
    }
  return all;
}

std::uint64_t alone(const DmaShape &shape) {
  DmaController controller(parameters());
  controller.submit(1000, 3, shape);
  const auto all = drain(controller);
  REQUIRE(all.size() == 1);
  CHECK(all[0].waited() == 0);
  return all[0].cycle - 1000;
}

} // namespace

TEST_CASE("dma: lines and blocks are those that one counts block by block") {
  std::mt19937 random(7);
  for (int turn = 0; turn < 3000; ++turn) {
    const DmaShape shape = anyShape(random);
    const auto line = static_cast<std::uint64_t>(parameters().lineBytes);
    const bool whole = shape.block == 0 || shape.block >= shape.bytes || shape.gap == 0;
    std::uint64_t lines = 0, blocks = 0, address = shape.memoryAddress;
    for (std::uint64_t left = shape.bytes; left > 0;) {
      const std::uint64_t block = whole ? left : std::min<std::uint64_t>(left, shape.block);
      lines += (address + block - 1) / line - address / line + 1;
      ++blocks;
      left -= block;
      address += block + shape.gap;
    }
    CAPTURE(shape.memoryAddress);
    CAPTURE(shape.bytes);
    CAPTURE(shape.block);
    CAPTURE(shape.gap);
    const DmaCost cost = costOf(shape, parameters());
    REQUIRE(cost.lines == lines);
    REQUIRE(cost.blocks == blocks);
    // Nothing is faster than the memory's pins.
    REQUIRE(cost.service >= shape.bytes / parameters().peakBandwidth - 1e-6);
    REQUIRE(cost.undisturbed >= shape.bytes / parameters().peakBandwidth - 1e-6);
  }
}

TEST_CASE("dma: all requests complete once, in order, with as many bytes as were asked for") {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    DmaController controller(parameters());
    struct Given {
      std::uint64_t cycle;
      int core;
      bool toMemory;
    };
    std::map<std::uint64_t, Given> given;
    std::uint64_t read = 0, written = 0, now = 1000, last = 0;
    std::map<std::pair<int, bool>, std::uint64_t> lastOf;
    std::size_t completed = 0;
    const auto take = [&](const DmaController::Completion &done) {
      REQUIRE(given.count(done.ticket) == 1);
      const Given request = given[done.ticket];
      given.erase(done.ticket);
      ++completed;
      REQUIRE(done.core == request.core);
      REQUIRE(done.submitted == request.cycle);
      REQUIRE(done.cycle >= done.submitted + static_cast<std::uint64_t>(parameters().latency));
      REQUIRE(done.cycle >= last); // in the order of time
      last = done.cycle;
      // Each core's gets are served in their order, and its puts.
      auto &before = lastOf[{request.core, request.toMemory}];
      REQUIRE(done.ticket > before);
      before = done.ticket;
    };
    for (int turn = 0; turn < 4000; ++turn) {
      now += random() % 400;
      for (auto next = controller.nextCompletion(); next && *next < now;
           next = controller.nextCompletion()) {
        const std::uint64_t asked = *next;
        while (const auto done = controller.popCompletion(asked)) {
          REQUIRE(done->cycle == asked); // none earlier was passed over
          take(*done);
        }
      }
      if (random() % 10 == 0) {
        REQUIRE(controller.single(now, 5) >= now + 1);
        continue;
      }
      const DmaShape shape = anyShape(random);
      const int core = static_cast<int>(random() % 65);
      given[controller.submit(now, core, shape)] = {now, core, shape.toMemory};
      (shape.toMemory ? written : read) += shape.bytes;
    }
    for (const auto &done : drain(controller))
      take(done);
    CHECK(given.empty());
    CHECK(controller.totals().requests == completed);
    CHECK(controller.totals().bytesRead == read);
    CHECK(controller.totals().bytesWritten == written);
    // It served no longer than there was time, and all of it in time for the pins.
    CHECK(controller.totals().busy <= static_cast<double>(last - 1000));
    CHECK(controller.totals().busy >=
          static_cast<double>(read + written) / parameters().peakBandwidth);
  }
}

TEST_CASE("dma: nothing completes before the cycle that is named") {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    DmaController controller(parameters());
    std::uint64_t now = 1000;
    int exact = 0, asked = 0;
    for (int turn = 0; turn < 3000; ++turn) {
      // Cores in step, cores apart, and pauses.
      now += random() % 3 ? random() % 3 : random() % (seed * 1000);
      while (controller.popCompletion(now))
        ;
      const int together = random() % 20 ? 1 : 16;
      for (int core = 0; core < together; ++core)
        controller.submit(now, static_cast<int>(random() % 64), anyShape(random));
      DmaController ahead = controller;
      const auto first = ahead.popCompletion(now + 100'000'000);
      REQUIRE(first);
      const auto named = controller.nextCompletion();
      REQUIRE(named);
      REQUIRE(*named <= first->cycle);
      exact += *named == first->cycle;
      ++asked;
    }
    // Each time that it is early costs a look at nothing.
    CHECK(exact * 2 > asked);
  }
}

TEST_CASE("dma: requests of one cycle take the same times, whoever is called first") {
  std::mt19937 random(11);
  std::vector<std::pair<int, DmaShape>> requests;
  for (int core = 0; core < 64; ++core) {
    requests.emplace_back(core, anyShape(random));
    // Of cores that take the same lines at one cycle the first pays for opening them.
    requests.back().second.memoryAddress += static_cast<std::uint64_t>(core) << 26U;
  }
  const auto times = [&] {
    DmaController controller(parameters());
    for (const auto &[core, shape] : requests)
      controller.submit(5000, core, shape);
    std::vector<std::uint64_t> cycles(64);
    for (const auto &done : drain(controller))
      cycles[static_cast<unsigned>(done.core)] = done.cycle;
    return cycles;
  };
  const auto first = times();
  std::ranges::shuffle(requests, random);
  CHECK(times() == first);
}

TEST_CASE("dma: a change between gets and puts costs the turnaround, and only then") {
  const DmaShape get{.memoryAddress = 0x1000, .bytes = 1024};
  DmaShape put = get;
  put.toMemory = true;
  struct Run {
    std::uint64_t end, turnarounds;
  };
  const auto both = [](const DmaParameters &with, const DmaShape &one, const DmaShape &other) {
    DmaController controller(with);
    controller.submit(1000, 0, one);
    controller.submit(1000, 1, other);
    const auto all = drain(controller);
    REQUIRE(all.size() == 2);
    return Run{all.back().cycle - 1000, controller.totals().turnarounds};
  };
  DmaParameters without = parameters();
  without.turnaround = 0;
  const auto gets = both(parameters(), get, get), mixed = both(parameters(), get, put);
  CHECK(gets.turnarounds == 0);
  CHECK(gets.end == both(without, get, get).end);
  CHECK(mixed.turnarounds == 1);
  CHECK(static_cast<double>(mixed.end - both(without, get, put).end) ==
        doctest::Approx(parameters().turnaround).epsilon(1 / parameters().turnaround));
  // While nobody asked, the change was over.
  DmaController controller(parameters());
  controller.submit(1000, 0, get);
  drain(controller);
  controller.submit(1000000, 0, put);
  CHECK(drain(controller).back().cycle - 1000000 == alone(put));
}

TEST_CASE("dma: a request that has the memory to itself takes its own time") {
  std::mt19937 random(5);
  for (int turn = 0; turn < 300; ++turn) {
    const DmaShape shape = anyShape(random);
    const DmaCost cost = costOf(shape, parameters());
    // A put is not among gets then.
    const double service = shape.toMemory ? cost.undisturbed : cost.service;
    const double first = std::max(service, cost.delivery) + parameters().latency;
    // A put as the first of all begins with a change of direction.
    const double most = first + (shape.toMemory ? parameters().turnaround : 0) + 1;
    const auto taken = static_cast<double>(alone(shape));
    CHECK(taken >= std::floor(first));
    CHECK(taken <= std::ceil(most));
  }
}

TEST_CASE("dma: parameters that no memory has are refused") {
  DmaParameters fast = parameters();
  fast.readLine = fast.lineBytes / fast.peakBandwidth / 2;
  CHECK_THROWS_AS(DmaController{fast}, std::invalid_argument);
  DmaParameters prompt = parameters();
  prompt.latency = 0.5;
  CHECK_THROWS_AS(DmaController{prompt}, std::invalid_argument);
}
