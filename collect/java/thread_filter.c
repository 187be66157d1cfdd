#include "collect/java/thread_filter.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "collect/recording/records.h"
#include "core/memory.h"
#include "core/regexp.h"

struct thread_filter {
	struct regexp *pattern;
	struct thread_names *names;
	struct str out;
};

struct thread_filter *thread_filter_new(const char *pattern, struct thread_names *names)
{
	struct thread_filter *f = xcalloc(1, sizeof(*f));

	f->pattern = regexp_compile(pattern, "--threads");
	f->names = names;
	return f;
}

static void thread_filter_decide(struct thread_filter *f, struct thread_name *t, const char *name, size_t len)
{
	t->is_decided = true;
	t->is_kept = regexp_match(f->pattern, name, len);
}

/* Does the kernel's name count?  It does if no JVM has another name for the thread, which is known once the JVM's
 * threads were read. */
static bool has_kernel_name(const struct thread_filter *f, const struct thread_name *t)
{
	unsigned reads = thread_names_reads(f->names, t->pid);

	return !t->unread && (reads == UINT_MAX || reads != t->seen);
}

static bool thread_filter_is_kept(struct thread_filter *f, int pid, int tid)
{
	struct thread_name *t;
	struct str comm = { 0 };

	if (!tid)
		return regexp_match(f->pattern, "swapper", strlen("swapper"));
	t = thread_names_find(f->names, pid, tid);
	if (t->is_decided)
		return t->is_kept;
	if (t->name)
		thread_filter_decide(f, t, t->name, strlen(t->name));
	else if (has_kernel_name(f, t) && read_comm(pid, tid, &comm))
		thread_filter_decide(f, t, str_text(&comm), comm.len);
	str_free(&comm);
	return !t->is_decided || t->is_kept;
}

/* A thread was renamed (COMM: pid tid), so decide again. */
static void thread_filter_forget(struct thread_filter *f, const uint8_t *record)
{
	uint32_t fields[2];

	memcpy(fields, record + sizeof(struct perf_event_header), sizeof(fields));
	if (fields[1])
		thread_names_find(f->names, (int)fields[0], (int)fields[1])->is_decided = false;
}

static void thread_filter_take(struct thread_filter *f, const uint8_t *record, const struct perf_event_header *header)
{
	struct recording_sample sample;

	if (header->type == PERF_RECORD_COMM && header->size >= sizeof(*header) + 8)
		thread_filter_forget(f, record);
	if (header->type == PERF_RECORD_SAMPLE && header->size >= sizeof(*header) + sizeof(sample)) {
		memcpy(&sample, record + sizeof(*header), sizeof(sample));
		if ((int)sample.pid >= 0 &&
		    !thread_filter_is_kept(f, (int)sample.pid, (int)sample.tid)) /* else of no thread */
			return;
	}
	str_add(&f->out, (const char *)record, header->size);
}

struct iovec thread_filter_records(void *filter, const struct iovec *iov, int count)
{
	struct thread_filter *f = filter;
	struct perf_event_header header;
	size_t at = 0;

	str_clear(&f->out);
	for (; count > 0; at -= iov->iov_len, count--, iov++) {
		while (at < iov->iov_len) {
			const uint8_t *record = (const uint8_t *)iov->iov_base + at;

			memcpy(&header, record, sizeof(header));
			if (header.size < sizeof(header))
				return (struct iovec){ f->out.buf, f->out.len }; /* the record is malformed */
			if (at + header.size > iov->iov_len)
				record = records_join(iov, at, header.size);
			thread_filter_take(f, record, &header);
			at += header.size;
		}
	}
	return (struct iovec){ f->out.buf, f->out.len };
}

void thread_filter_free(struct thread_filter *f)
{
	if (!f)
		return;
	regexp_free(f->pattern);
	str_free(&f->out);
	free(f);
}
