/* thread_filter: drops samples of threads whose names do not match --threads.
 *
 * Names come from collect/java/thread_names.h, else from the kernel.  Samples of a JVM thread whose name is not known
 * yet are kept, since the thread has just started. */
#ifndef COLLECT_JAVA_THREAD_FILTER_H
#define COLLECT_JAVA_THREAD_FILTER_H

#include <sys/uio.h>

#include "collect/java/thread_names.h"

struct thread_filter;

/* names must outlive the result.  An invalid pattern exits 2. */
struct thread_filter *thread_filter_new(const char *pattern, struct thread_names *names);

/* Returns the whole records in iov[0..count), without the samples of other threads, as one piece that is valid until
 * the next call.  filter: a struct thread_filter.  Records may span two iovecs, but not their first 8 bytes. */
struct iovec thread_filter_records(void *filter, const struct iovec *iov, int count);

void thread_filter_free(struct thread_filter *f);

#endif
