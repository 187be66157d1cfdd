/* script_inline: --inline: a frame in the text of perf script becomes several where functions were inlined, by the debug
 * information of the file that the frame names:
 *
 *     55d4c0001136 main+0x16 (/opt/bin)      /opt/bin has main at 0x1120: the address in the file is 0x1136, and there,
 *                                            twice() is inlined into main():   main;twice_[i]
 *
 * A library can be mapped anywhere, so an address in memory does not tell the offset in the library's file.  A function
 * and an offset in it do, and also show whether the file is another build.  A frame with callees is looked up one byte
 * earlier, inside the call.  Frames that perf script itself found, "(inlined)", stay as they are. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_INLINE_H
#define COLLAPSE_SCRIPT_SCRIPT_INLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/script/script_frame.h"

/* The number of a frame that, until all text is parsed, stands for a place in places; is_return: a call returns to
 * it. */
uint32_t script_pending(struct text_stacks *s, uint32_t place, bool is_return);

/* Replace these frames by the functions at their places, in all shards[0..count), with their lines.  Warn about
 * addresses that could not be looked up, such as all code of the kernel and of JIT compilers. */
void script_inline(struct text_stacks *shards, struct script_lines **lines, size_t count);

#endif
