// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scoreboard.h"

#include <algorithm>

using namespace llvm;

namespace weft::swcc {

namespace {

class Core {
public:
  explicit Core(const CoreState &state) : parameters_(Instructions::get().core()), state_(state) {}

  Issue issue(const Operation &operation, const Operation *next);
  /// The pipes drain and decoding resumes at `cycle`: a callee has run in between.
  void restart(int cycle);
  void resumeDecoding(int cycle);
  int decoding() const { return decoding_; }
  CoreState since(int cycle) const;

private:
  struct Candidate {
    int decode, issue, operands, freePipe;
  };
  Candidate tryPipe(const Operation &operation, unsigned pipe, int decode) const;
  int operandsReady(const Operation &operation) const;

  const CoreParameters &parameters_;
  CoreState state_;
  int decoding_ = 0;
};

bool usesDivider(const Operation &operation) { return operation.opcode->timing->busy > 1; }

int Core::operandsReady(const Operation &operation) const {
  int ready = 0;
  for (const Register use : operation.uses)
    if (use != zeroRegister)
      ready = std::max(ready, state_.ready[use]);
  if (operation.def != noRegister && operation.def != zeroRegister) {
    const int latency = int(operation.opcode->timing->latency);
    ready =
        std::max({ready, state_.read[operation.def], state_.ready[operation.def] - latency + 1});
  }
  if (usesDivider(operation))
    ready = std::max(ready, state_.dividerFree);
  return ready;
}

Core::Candidate Core::tryPipe(const Operation &operation, unsigned pipe, int decode) const {
  const auto &issued = state_.issued[pipe];
  const unsigned depth = std::min(parameters_.issueQueue, CoreState::deepestQueue);
  Candidate candidate;
  candidate.decode = std::max(decode, issued[depth - 1] + 1);
  candidate.freePipe = std::max(candidate.decode, issued[0] + 1);
  candidate.operands = operandsReady(operation);
  candidate.issue = std::max(candidate.freePipe, candidate.operands);
  return candidate;
}

Issue Core::issue(const Operation &operation, const Operation *next) {
  const int decode = state_.decoded < parameters_.decodeWidth ? decoding_ : decoding_ + 1;
  const std::uint8_t pipes = operation.opcode->timing->pipes;
  unsigned pipe = pipes == pipeZero ? 0 : 1;
  Candidate best = tryPipe(operation, pipe, decode);
  if (pipes == eitherPipe) {
    // Steered to pipe 1, but away from an instruction decoded beside it that needs that.
    const Candidate other = tryPipe(operation, 0, decode);
    const bool nextNeedsOne = next && next->opcode->timing->pipes == pipeOne;
    if (other.issue < best.issue || (other.issue == best.issue && nextNeedsOne)) {
      best = other;
      pipe = 0;
    }
  }

  Issue result;
  result.cycle = best.issue;
  result.pipe = pipe;
  result.dataWait = std::max(0, best.issue - best.freePipe);
  result.conflict = best.freePipe > decode && best.operands < best.issue;

  if (best.decode > decoding_ || state_.decoded >= parameters_.decodeWidth) {
    decoding_ = best.decode;
    state_.decoded = 0;
  }
  ++state_.decoded;
  auto &issued = state_.issued[pipe];
  std::copy_backward(issued.begin(), issued.end() - 1, issued.end());
  issued[0] = best.issue;
  for (const Register use : operation.uses)
    state_.read[use] = std::max(state_.read[use], best.issue);
  if (operation.def != noRegister && operation.def != zeroRegister)
    state_.ready[operation.def] = best.issue + int(operation.opcode->timing->latency);
  if (usesDivider(operation))
    state_.dividerFree = best.issue + int(operation.opcode->timing->busy);
  return result;
}

void Core::resumeDecoding(int cycle) {
  decoding_ = cycle;
  state_.decoded = 0;
}

void Core::restart(int cycle) {
  state_ = CoreState();
  for (auto &pipe : state_.issued)
    pipe.fill(cycle - 1);
  state_.ready.fill(cycle);
  state_.read.fill(cycle);
  state_.dividerFree = cycle;
  resumeDecoding(cycle);
}

CoreState Core::since(int cycle) const {
  CoreState state = state_;
  for (int &ready : state.ready)
    ready = std::max(0, ready - cycle);
  for (int &read : state.read)
    read = std::max(0, read - cycle);
  for (auto &pipe : state.issued)
    for (int &issued : pipe)
      issued = std::max(-1, issued - cycle);
  state.dividerFree = std::max(0, state.dividerFree - cycle);
  return state;
}

} // namespace

Run run(ArrayRef<Operation> operations, const CoreState &state, bool taken) {
  const CoreParameters &parameters = Instructions::get().core();
  Core core(state);
  Run result;
  result.issues.reserve(operations.size());
  for (std::size_t index = 0; index < operations.size(); ++index) {
    const Operation &operation = operations[index];
    const Operation *next = index + 1 < operations.size() ? &operations[index + 1] : nullptr;
    result.issues.push_back(core.issue(operation, next));
    const int resume = result.issues.back().cycle + 1;
    if (operation.call)
      core.restart(resume + int(parameters.takenBranch));
    else if (transfersControl(operation))
      // Nothing younger issues before a branch has; a taken one refills the decoder.
      core.resumeDecoding(resume + (taken && !next ? int(parameters.takenBranch) : 0));
  }
  result.cycles = core.decoding();
  result.after = core.since(result.cycles);
  return result;
}

} // namespace weft::swcc
