/* agent_frames: what "jhsdb jstack" and, until JDK 8, "jstack -F" print otherwise than jstack, since they read a process, or its
 * core, from outside (HotSpot's serviceability agent, sun.jvm.hotspot.tools.StackTrace and PStack):
 *
 *     Thread 8530: (state = IN_NATIVE)                                   until JDK 8: the tid, and no name
 *      - com.example.App.read(byte[]) @bci=0, line=3 (Compiled frame)
 *      - com.example.App.main(java.lang.String[]) @bci=1 (Interpreted frame)
 *
 *     ----------------- 21378 -----------------                          with --mixed: a thread, then its heading, if it has one
 *     0x00007f1925416449	* Sl.spin() bci:3 line:2 (Interpreted frame)
 *     0x00007f1925400cc9	<StubRoutines>
 *     0x00007f19366a734f	JavaThread::thread_main_inner() + 0x1af */
#ifndef COLLAPSE_JVM_AGENT_FRAMES_H
#define COLLAPSE_JVM_AGENT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"

/* The frame of such a line, without the blanks before it.  Returns false if it is not one. */
bool agent_frame(struct text_stacks *s, const char *line, size_t len, uint32_t *frame);

/* Is the line one that begins a thread?  *tid is its number, *state the JVM's name of its state; "": it says none. */
bool agent_thread(const char *line, size_t len, uint64_t *tid, const char **state);

#endif
