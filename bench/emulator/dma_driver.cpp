// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the model of main memory alone, for calibration and for tests. Reads commands, one a line:
//
//   set NAME VALUE          a quantity of machine.toml, such as dma.latency
//   reset                   a fresh controller with the quantities as set
//   stream GETS PUTS BYTES BLOCK GAP TIMES CORES COMPUTE SKEW [same]
//                           each core TIMES times: GETS gets, wait, COMPUTE cycles, PUTS puts,
//                           wait; core i starts i * SKEW cycles late. `same`: at the same
//                           addresses, else each at its own. Prints the cycles,
//                           lines, turnarounds, cycles in which the controller served, and
//                           nanoseconds of this processor.
//   singles TIMES CORES     each core TIMES times a gld or gst. Prints the cycles.
//   cost BYTES BLOCK GAP get|put
//                           prints the controller's cycles for a request at the start of a line
//   submit CYCLE CORE ADDRESS BYTES BLOCK GAP get|put
//   single CYCLE CORE       prints the cycle at which it is done
//   pop CYCLE               prints completions up to CYCLE: ticket, core, cycle, alone, lines
//   next                    prints the cycle before which nothing completes, or -1
//   drain                   pops until nothing is outstanding; as pop, then a line "end BUSY"
#include "DmaController.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>

using namespace weft::emu;

namespace {

std::map<std::string, double> quantities;

double quantity(const std::string &name) {
  const auto found = quantities.find(name);
  if (found == quantities.end())
    throw std::runtime_error("not set: " + name);
  return found->second;
}

DmaParameters parameters() {
  return {
      .lineBytes = quantity("dma.line_bytes"),
      .peakBandwidth = quantity("dma.peak_bandwidth") / quantity("clock.hz"),
      .readLine = quantity("dma.read_line"),
      .readBlockHead = quantity("dma.read_block_head"),
      .recentLines = quantity("dma.recent_lines"),
      .writeLine = quantity("dma.write_line"),
      .writeBlock = quantity("dma.write_block"),
      .writeWhole = quantity("dma.write_whole"),
      .requestGet = quantity("dma.request_get"),
      .requestPut = quantity("dma.request_put"),
      .requestLine = quantity("dma.request_line"),
      .burst = quantity("dma.burst"),
      .issue = quantity("dma.issue"),
      .latency = quantity("dma.latency"),
      .turnaround = quantity("dma.turnaround"),
      .mixing = quantity("dma.mixing"),
      .window = quantity("dma.window"),
      .singleService = quantity("gld.service"),
      .singleLatency = quantity("gld.latency"),
  };
}

// ---- the measured protocol
// -----------------------------------------------------------------------

struct Stream {
  std::uint64_t gets, puts, times, cores, compute, skew;
  std::uint32_t bytes, block, gap;
  bool same; // all cores, and each turn, at the same addresses
};

/// Cores as state machines, beside the controller: in order of (cycle, core).
class StreamRun {
public:
  explicit StreamRun(const Stream &stream)
      : stream_(stream), controller_(::parameters()),
        issue_(static_cast<std::uint64_t>(quantity("dma.issue"))) {}

  std::uint64_t run() {
    for (std::uint64_t i = 0; i < stream_.cores; ++i) {
      ready_.emplace(i * stream_.skew + issueBefore(0), static_cast<int>(i));
    }
    std::uint64_t end = 0;
    for (;;) {
      const auto completes = controller_.nextCompletion();
      if (ready_.empty() && !completes)
        return end;
      if (!ready_.empty() && (!completes || ready_.top().first < *completes)) {
        const auto [cycle, core] = ready_.top();
        ready_.pop();
        step(cycle, core);
        continue;
      }
      while (const auto done = controller_.popCompletion(*completes)) {
        end = std::max(end, done->cycle);
        Core &core = cores_[done->core];
        if (--core.outstanding == 0 && core.waits)
          ready_.emplace(done->cycle, done->core);
      }
    }
  }

  const DmaController &controller() const { return controller_; }

private:
  struct Core {
    std::uint64_t time = 0, step = 0, outstanding = 0;
    bool waits = false;
  };

  /// Steps of a turn: the gets; a wait; the puts; a wait.
  void step(std::uint64_t cycle, int index) {
    Core &core = cores_[index];
    core.waits = false;
    if (core.time == stream_.times)
      return;
    const std::uint64_t puts = stream_.gets + 1, end = puts + stream_.puts;
    if (core.step == stream_.gets) {
      // Between gets and puts: wait, then compute.
      if (core.outstanding != 0) {
        core.waits = true;
        return;
      }
      ++core.step;
      ready_.emplace(cycle + stream_.compute + issueBefore(core.step), index);
      return;
    }
    if (core.step == end) {
      if (core.outstanding != 0) {
        core.waits = true;
        return;
      }
      core.step = 0;
      ++core.time;
      ready_.emplace(cycle + issueBefore(0), index);
      return;
    }
    const bool put = core.step >= puts;
    const std::uint64_t array = put ? stream_.gets + core.step - puts : core.step;
    controller_.submit(cycle, index, shape(index, core.time, array, put));
    ++core.outstanding;
    ++core.step;
    ready_.emplace(cycle + issueBefore(core.step), index);
  }

  /// What the core spends before a step: on giving a request, if the step is one.
  std::uint64_t issueBefore(std::uint64_t step) const {
    return step == stream_.gets || step == stream_.gets + 1 + stream_.puts ? 0 : issue_;
  }

  DmaShape shape(int core, std::uint64_t time, std::uint64_t array, bool put) const {
    const bool strided = stream_.block != 0 && stream_.block < stream_.bytes;
    const std::uint64_t span =
        strided ? std::uint64_t(stream_.bytes / stream_.block) * (stream_.block + stream_.gap)
                : stream_.bytes;
    const std::uint64_t place = stream_.same ? 0 : (core * stream_.times + time) * span;
    return {(array << 40) + place, stream_.bytes, stream_.block, stream_.gap, put};
  }

  Stream stream_;
  DmaController controller_;
  std::uint64_t issue_;
  Core cores_[DmaController::Cores];
  using Ready = std::pair<std::uint64_t, int>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

void stream(std::istream &in) {
  Stream asked{};
  in >> asked.gets >> asked.puts >> asked.bytes >> asked.block >> asked.gap >> asked.times >>
      asked.cores >> asked.compute >> asked.skew;
  if (!in || asked.cores > 64)
    throw std::runtime_error("stream: nine numbers, at most 64 cores");
  std::string word;
  asked.same = in >> word && word == "same";
  StreamRun run(asked);
  const std::clock_t start = std::clock();
  const std::uint64_t cycles = run.run();
  const double host = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const auto totals = run.controller().totals();
  std::printf("%llu %llu %llu %.0f %.0f\n", static_cast<unsigned long long>(cycles),
              static_cast<unsigned long long>(totals.lines),
              static_cast<unsigned long long>(totals.turnarounds), totals.busy, host * 1e9);
}

void singles(std::istream &in) {
  std::uint64_t times = 0, cores = 0;
  in >> times >> cores;
  DmaController controller(::parameters());
  using Ready = std::pair<std::uint64_t, std::uint64_t>; // cycle, core * times + time
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::uint64_t core = 0; core < cores; ++core)
    ready.emplace(0, core * times);
  std::uint64_t end = 0;
  while (!ready.empty()) {
    const auto [cycle, number] = ready.top();
    ready.pop();
    const std::uint64_t done = controller.single(cycle, static_cast<int>(number / times));
    end = std::max(end, done);
    if ((number + 1) % times != 0)
      ready.emplace(done, number + 1);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(end));
}

// ---- one request after the other
// -----------------------------------------------------------------

void print(const DmaController::Completion &done) {
  std::printf("%llu %d %llu %llu %llu\n", static_cast<unsigned long long>(done.ticket), done.core,
              static_cast<unsigned long long>(done.cycle),
              static_cast<unsigned long long>(done.alone),
              static_cast<unsigned long long>(done.lines));
}

void cost(std::istream &in) {
  DmaShape shape;
  std::string direction;
  in >> shape.bytes >> shape.block >> shape.gap >> direction;
  shape.toMemory = direction == "put";
  std::printf("%.12g\n", costOf(shape, ::parameters()).service);
}

void submit(std::istream &in, DmaController &controller) {
  std::uint64_t cycle = 0;
  int core = 0;
  DmaShape shape;
  std::string direction;
  in >> cycle >> core >> shape.memoryAddress >> shape.bytes >> shape.block >> shape.gap >>
      direction;
  shape.toMemory = direction == "put";
  controller.submit(cycle, core, shape);
}

bool serve(const std::string &command, std::istream &in,
           std::unique_ptr<DmaController> &controller) {
  if (command == "reset") {
    controller = std::make_unique<DmaController>(::parameters());
  } else if (command == "stream") {
    stream(in);
  } else if (command == "singles") {
    singles(in);
  } else if (command == "cost") {
    cost(in);
  } else if (!controller) {
    return false;
  } else if (command == "submit") {
    submit(in, *controller);
  } else if (command == "single") {
    std::uint64_t cycle = 0;
    int core = 0;
    in >> cycle >> core;
    std::printf("%llu\n", static_cast<unsigned long long>(controller->single(cycle, core)));
  } else if (command == "pop") {
    std::uint64_t cycle = 0;
    in >> cycle;
    while (const auto done = controller->popCompletion(cycle))
      print(*done);
    std::printf("end %.3f\n", controller->totals().busy);
  } else if (command == "next") {
    const auto next = controller->nextCompletion();
    std::printf("%lld\n", next ? static_cast<long long>(*next) : -1LL);
  } else if (command == "drain") {
    while (const auto next = controller->nextCompletion())
      while (const auto done = controller->popCompletion(*next))
        print(*done);
    std::printf("end %.3f\n", controller->totals().busy);
  } else {
    return false;
  }
  return true;
}

} // namespace

int main() {
  std::unique_ptr<DmaController> controller;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    std::string command;
    in >> command;
    try {
      if (command == "set") {
        std::string name;
        double value = 0;
        in >> name >> value;
        quantities[name] = value;
      } else if (!serve(command, in, controller)) {
        std::printf("error not understood: %s\n", line.c_str());
      }
    } catch (const std::exception &error) {
      std::printf("error %s\n", error.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
