// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How AddressSanitizer runs programs of the machine, in a build with it.
#if defined(WEFT_SANITIZE)

// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name
extern "C" const char *__asan_default_options() {
  // The program finds the emulator's malloc first, which leaves to the sanitizer's what is not the
  // program's; its `new` is its malloc. Faults of the program are the emulator's to tell. The
  // sanitizer itself calls clock_gettime and sched_yield, which are the emulator's, while it holds
  // its locks: when it gives memory back, and when it looks for leaks.
  return "verify_asan_link_order=0:alloc_dealloc_mismatch=0:"
         "allocator_release_to_os_interval_ms=-1:detect_leaks=0:"
         "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0";
}

#endif
