/* thread_info: headings of threads in dumps that are not HotSpot's own, but made by Java programs:
 *
 *     "main" prio=5 Id=1 TIMED_WAITING on java.lang.Object@1f2 owned by "dw-20" Id=31    ThreadInfo.toString(), OpenJ9's jstack
 *     "dw-20" daemon prio=5 Id=31 RUNNABLE (in native)                                   ... until JDK 8 without daemon, prio=
 *     "main" - Thread t@1                                                                VisualVM, Spring Boot's threaddump
 *     "main" id=1 in RUNNABLE (running in native)                                        VisualVM's of other machines
 *
 * Frames follow, and in VisualVM's, the state.  Numbers are Java's own, not the kernel's. */
#ifndef COLLAPSE_JVM_THREAD_INFO_H
#define COLLAPSE_JVM_THREAD_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_info {
	const char *name; /* in the line */
	size_t name_len;
	uint64_t id;
	const char *state; /* in the line, up to a blank or the end; NULL: the heading has none */
	size_t state_len;
};

/* Is line[0..len), which begins with '"', such a heading? */
bool thread_info_read(const char *line, size_t len, struct thread_info *info);

#endif
