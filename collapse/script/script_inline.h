/* script_inline: --inline: a frame in the text of perf script becomes several where functions were inlined, by the debug
 * information of the file that the frame names:
 *
 *     55d4c0001136 main+0x16 (/opt/bin)      /opt/bin has main at 0x1120: the address in the file is 0x1136, and there,
 *                                            twice() is inlined into main():   main;twice_[i]
 *
 * An address in memory does not show where it is in the file of a library, which can be mapped anywhere; a function
 * with its offset does, and shows whether the file is another build.  A frame with callees is looked up one byte
 * before, where the call is.  What perf script has looked up itself, "(inlined)", stays as it is. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_INLINE_H
#define COLLAPSE_SCRIPT_SCRIPT_INLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/script/script_frame.h"

/* The number of a frame that stands for a place in places until all text is parsed; is_return: a call returns there. */
uint32_t script_pending(struct text_stacks *s, uint32_t place, bool is_return);

/* Replace these by the functions at those places, in all shards[0..count) with their lines; warn about addresses that
 * could not be looked up, which include all code of the kernel and of JIT compilers. */
void script_inline(struct text_stacks *shards, struct script_lines **lines, size_t count);

#endif
