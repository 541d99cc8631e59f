// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The DMA engine's functions of slave.h and dma.h.
#include "Clock.h"
#include "Dma.h"
#include "Fault.h"
#include "Ldm.h"

#include <string>
#include <utility>
#include <vector>

using namespace weft::emu;

namespace {

constexpr unsigned kRowMask = 0xff;

/// Offset in the running CPE's LDM; raises if the address is not there.
std::uint32_t ldmOffset(std::uintptr_t address, std::string_view what) {
  const WeftCore &core = *weft_sw_current;
  if (core.index < WEFT_SW_CPES && address - core.ldm < WEFT_SW_LDM_BYTES)
    return static_cast<std::uint32_t>(address - core.ldm);
  Fault fault;
  fault.name = "dma-not-in-ldm";
  fault.core = static_cast<int>(core.index);
  fault.cycle = core.now;
  fault.site = core.site;
  fault.what = std::string(what) + " is not in the CPE's LDM";
  fault.expected = "a __thread_local variable, memory of ldm_malloc, or a local variable with -b";
  if (const int owner = Ldm::owner(address); owner >= 0)
    fault.found = "the LDM of " + describeCore(owner);
  else if (address < WEFT_SW_LDM_BYTES)
    fault.found = "the number " + std::to_string(address) +
                  ": an absolute LDM address, which is nothing that the compiler gave";
  else
    fault.found = "an address of main memory";
  fault.help = "local variables are in main memory unless the program runs with -b (bsub -b, "
               "weft emu run -b)";
  // A null pointer that ldm_malloc gave, or an element of what it did not give.
  if (address < WEFT_SW_LDM_BYTES)
    if (auto parties = Ldm::get().failure(fault.core); !parties.empty()) {
      fault.others = std::move(parties);
      fault.help = "ask get_allocatable_size before, or look whether ldm_malloc gave a block";
    }
  raise(fault);
}

void refuseHost(const char *call) {
  if (weft_sw_current->index != WEFT_SW_MPE)
    return;
  Fault fault;
  fault.name = "dma-on-mpe";
  fault.cycle = weft_sw_current->now;
  fault.site = weft_sw_current->site;
  fault.what = std::string(call) + " on the MPE";
  fault.help = "only CPEs have a DMA engine; the MPE copies with memcpy";
  raise(fault);
}

int transfer(const char *call, DmaOp op, int mode, const void *memory, const void *ldm, int bytes,
             const volatile void *reply, unsigned mask, int stride, int bsize) {
  refuseHost(call);
  DmaRequest request;
  request.op = static_cast<std::uint64_t>(op);
  request.mode = static_cast<std::uint64_t>(static_cast<unsigned>(mode));
  request.size = bytes;
  request.block = bsize;
  request.gap = stride;
  request.mask = mask & kRowMask;
  request.reply =
      ldmOffset(reinterpret_cast<std::uintptr_t>(reply), std::string(call) + "'s reply word");
  request.memory = reinterpret_cast<std::uintptr_t>(memory);
  request.ldm = ldmOffset(reinterpret_cast<std::uintptr_t>(ldm), std::string(call) + "'s LDM side");
  Dma::get().submit(request);
  return 0;
}

} // namespace

extern "C" {

int slave_athread_get(int mode, void *memory, void *ldm, int bytes, void *reply, char mask,
                      int stride, int bsize) {
  return transfer("athread_get", DmaOp::Get, mode, memory, ldm, bytes, reply,
                  static_cast<unsigned char>(mask), stride, bsize);
}

int slave_athread_put(int mode, void *ldm, void *memory, int bytes, void *reply, int stride,
                      int bsize) {
  return transfer("athread_put", DmaOp::Put, mode, memory, ldm, bytes, reply, 0, stride, bsize);
}

/// Physical addresses are those of the program here.
int slave_athread_get_p(int mode, void *memory, void *ldm, int bytes, void *reply, char mask,
                        int stride, int bsize) {
  return transfer("athread_get_p", DmaOp::GetPhysical, mode, memory, ldm, bytes, reply,
                  static_cast<unsigned char>(mask), stride, bsize);
}

int slave_athread_put_p(int mode, void *ldm, void *memory, int bytes, void *reply, int stride,
                        int bsize) {
  return transfer("athread_put_p", DmaOp::PutPhysical, mode, memory, ldm, bytes, reply, 0, stride,
                  bsize);
}

int slave_athread_dma_barrier() {
  refuseHost("athread_dma_barrier");
  Dma::get().barrier();
  return 0;
}

/// As dma.h has them, for programs that do not include it.
void slave_dma_wait(const volatile void *reply, int count) { weft_sw_dma_wait(reply, count); }
void slave_dma_barrier() { slave_athread_dma_barrier(); }
}

void weft_sw_dma(std::uint64_t low, std::uint64_t high, std::uintptr_t memory, std::uintptr_t ldm) {
  refuseHost("dma");
  DmaRequest request = decode(low, high);
  if (!request.is(DmaOp::Barrier)) {
    request.memory = memory;
    request.ldm = ldmOffset(ldm, "the LDM side of dma");
  }
  Dma::get().submit(request);
}

void weft_sw_dma_wait(const volatile void *reply, int count) {
  refuseHost("dma_wait");
  Dma::get().wait(ldmOffset(reinterpret_cast<std::uintptr_t>(reply), "dma_wait's reply word"),
                  static_cast<std::uint32_t>(count));
}

std::uint32_t weft_sw_dma_reply(const volatile void *reply) {
  return ldmOffset(reinterpret_cast<std::uintptr_t>(reply), "the descriptor's reply word");
}
