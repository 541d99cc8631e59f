// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "System.h"

#include "Fault.h"

#include <dlfcn.h>
#include <string>

namespace weft::emu {

namespace {

template <typename Function> void find(Function &function, const char *name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  if (!function)
    bug("the system's library has no " + std::string(name));
}

SystemsOwn findAll() {
  SystemsOwn all{};
  find(all.threadCreate, "pthread_create");
  find(all.threadJoin, "pthread_join");
  find(all.threadExit, "pthread_exit");
  find(all.semaphoreWait, "sem_wait");
  find(all.conditionInit, "pthread_cond_init");
  find(all.conditionDestroy, "pthread_cond_destroy");
  find(all.barrierInit, "pthread_barrier_init");
  find(all.barrierDestroy, "pthread_barrier_destroy");
  find(all.call, "syscall");
  return all;
}

} // namespace

const SystemsOwn &systemsOwn() {
  static const SystemsOwn all = findAll();
  return all;
}

} // namespace weft::emu
