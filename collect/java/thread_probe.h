/* thread_probe: Java threads that start while we collect tell their names by the probe
 * hotspot:thread__start, which every HotSpot JVM has compiled in: no flag is needed, and it costs
 * nothing until it is attached.  Threads that started before are read by collect/jvm/threads.h: attach
 * first, then read.
 *
 * Nothing stays behind: the kernel removes the probes when we close them, or end. */
#ifndef COLLECT_JAVA_THREAD_PROBE_H
#define COLLECT_JAVA_THREAD_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct thread_probe;

/* Thread tid of process pid, as /proc here calls them, has started, and has this name: UTF-8, not
 * ended by a NUL; cut if it is very long. */
typedef void thread_probe_take(void *self, int pid, int tid, const char *name, size_t len);

/* Returns NULL, and nothing is said, where that cannot be had: no BPF in this build or for us. */
struct thread_probe *thread_probe_open(thread_probe_take *take, void *self);

/* Look at all processes that have mapped the file libjvm, which is opened by this path (struct libjvm).
 * The same file is attached only once, whatever its path.  Takes some 30 ms for a file.  Returns false if
 * it has no such probe. */
bool thread_probe_attach(struct thread_probe *p, const char *libjvm);

/* Give all that came to take(). */
void thread_probe_drain(struct thread_probe *p);

/* Names that found no room, so far. */
unsigned long long thread_probe_lost(const struct thread_probe *p);

/* Detach.  NULL is accepted, as it is by all of these. */
void thread_probe_close(struct thread_probe *p);

#endif
