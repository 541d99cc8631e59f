/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Some programs leave out the last argument of athread_get, and the vendor's compiler takes them:
 * the machine then has what the register happened to hold. Here it is 0, with a warning.
 *
 * No system header: a warning at a macro of one would not be shown. */
#ifndef WEFT_SW26010_GET_WITHOUT_BSIZE_H
#define WEFT_SW26010_GET_WITHOUT_BSIZE_H

#define __weft_ninth(a, b, c, d, e, f, g, h, i, ...) i
/* Other numbers of arguments than 7 are the compiler's to judge. */
#define athread_get(...)                                                                           \
  __weft_ninth(__VA_ARGS__, athread_get, __weft_get_without_bsize, athread_get, athread_get,       \
               athread_get, athread_get, athread_get, athread_get, )(__VA_ARGS__)

static __inline__
    __attribute__((unused, always_inline,
                   diagnose_if(1, "athread_get has no bsize: 0 is taken", "warning"))) int
    __weft_get_without_bsize(dma_mode mode, void *src, void *dest, int len, void *reply, char mask,
                             int stride) {
  return athread_get(mode, src, dest, len, reply, mask, stride, 0);
}

#endif /* WEFT_SW26010_GET_WITHOUT_BSIZE_H */
