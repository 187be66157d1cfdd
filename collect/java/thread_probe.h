/* thread_probe: reports the names of Java threads that start while we collect, by the probe hotspot:thread__start.
 * Every HotSpot JVM has this probe compiled in; it needs no flag, and costs nothing until attached.  Threads that
 * started earlier are read by collect/jvm/threads.h; attach first, then read.
 *
 * Nothing stays behind: the kernel removes the probes when we close them or end. */
#ifndef COLLECT_JAVA_THREAD_PROBE_H
#define COLLECT_JAVA_THREAD_PROBE_H

#include <stdbool.h>
#include <stddef.h>

struct thread_probe;

/* Thread tid of process pid (as numbered in our /proc) has started with this name: UTF-8, without a final NUL;
 * truncated if very long. */
typedef void thread_probe_take(void *self, int pid, int tid, const char *name, size_t len);

/* Returns NULL silently if BPF is not in this build or not permitted. */
struct thread_probe *thread_probe_open(thread_probe_take *take, void *self);

/* Probe all processes that map the file libjvm, which this path opens (struct runtime_file).  Each file is attached only
 * once, whatever its path.  Takes some 30 ms per file.  Returns false if the file has no such probe. */
bool thread_probe_attach(struct thread_probe *p, const char *libjvm);

/* Pass all reports to take(). */
void thread_probe_drain(struct thread_probe *p);

/* Number of names lost so far because the buffer was full. */
unsigned long long thread_probe_lost(const struct thread_probe *p);

/* Detach.  Like all of these functions, accepts NULL. */
void thread_probe_close(struct thread_probe *p);

#endif
