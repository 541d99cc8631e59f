/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#error "crts.h is of the SW26010-Pro's compiler; here are athread.h (host) and slave.h (slave)"
