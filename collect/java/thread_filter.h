/* thread_filter: samples of threads whose names are not wanted are left out of a recording (--threads).
 *
 * A name is that of collect/java/thread_names.h, or else the kernel's.  Samples of a thread of a JVM whose name is not known
 * yet are kept: it has just started. */
#ifndef COLLECT_JAVA_THREAD_FILTER_H
#define COLLECT_JAVA_THREAD_FILTER_H

#include <sys/uio.h>

#include "collect/java/thread_names.h"

struct thread_filter;

/* names must outlive it.  A wrong pattern is wrong usage. */
struct thread_filter *thread_filter_new(const char *pattern, struct thread_names *names);

/* filter: a struct thread_filter.  The whole records in iov[0..count) without such samples: one piece, valid until
 * the next call.  Records may run from one iovec into the next, their first 8 bytes do not. */
struct iovec thread_filter_records(void *filter, const struct iovec *iov, int count);

void thread_filter_free(struct thread_filter *f);

#endif
