#include "collect/sampling/walker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/kernel_defects.h"
#include "collect/recording/records.h"
#include "collect/sampling/stack_walk.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/progress.h"
#include "core/start.h"

enum { SPARE_LIMIT = 64 << 20 };

/* Records that were taken together. */
struct batch {
	struct batch *next;
	struct str in, out;
	walker_taker *take; /* gets the samples back; NULL: they go to the recording */
	void *self;
};

struct queue {
	struct batch *first, *last;
};

struct walker {
	struct stack_walk walk; /* used by the thread */
	size_t limit;
	bool failed;        /* the recording cannot be written */
	struct queue spare; /* batches whose memory is reused, as getting new pages is slow */
	size_t spare_bytes;
	pthread_t thread;
	pthread_mutex_t walking; /* protects walk from walker_frame_name() */

	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t came, went;
	struct queue waiting, done;
	size_t waiting_bytes; /* bytes in waiting, and in the batch that is being walked */
	bool ending;
};

static void walker_push(struct queue *q, struct batch *b)
{
	b->next = NULL;
	if (q->last)
		q->last->next = b;
	else
		q->first = b;
	q->last = b;
}

static struct batch *walker_pop(struct queue *q)
{
	struct batch *b = q->first;

	if (!b)
		return NULL;
	q->first = b->next;
	if (!q->first)
		q->last = NULL;
	return b;
}

static size_t batch_memory(const struct batch *b)
{
	return b->in.cap + b->out.cap;
}

static void walker_batch_free(struct batch *b)
{
	if (!b)
		return;
	str_free(&b->in);
	str_free(&b->out);
	free(b);
}

/* ---- the thread --------------------------------------------------------------------- */

static void *walk_all(void *argument)
{
	struct walker *w = argument;
	struct batch *b;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		b = walker_pop(&w->waiting);
		if (!b && w->ending)
			break;
		if (!b) {
			pthread_cond_wait(&w->came, &w->lock);
			continue;
		}
		pthread_mutex_unlock(&w->lock);
		pthread_mutex_lock(&w->walking);
		stack_walk_learn(&w->walk, (const uint8_t *)b->in.buf, b->in.len);
		stack_walk_records(&w->walk, (const uint8_t *)b->in.buf, b->in.len, &b->out);
		pthread_mutex_unlock(&w->walking);
		pthread_mutex_lock(&w->lock);
		walker_push(&w->done, b);
		w->waiting_bytes -= b->in.len;
		pthread_cond_signal(&w->went);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

struct walker *walker_start(const struct events *events, const struct str *known, size_t limit)
{
	struct walker *w = xcalloc(1, sizeof(*w));
	int err;

	w->limit = limit;
	stack_walk_init(&w->walk, events);
	stack_walk_learn(&w->walk, (const uint8_t *)str_text(known), known->len);
	if (!events->no_java)
		stack_walk_open(&w->walk);
	pthread_mutex_init(&w->lock, NULL);
	pthread_mutex_init(&w->walking, NULL);
	pthread_cond_init(&w->came, NULL);
	pthread_cond_init(&w->went, NULL);
	err = pthread_create(&w->thread, NULL, walk_all, w);
	if (!err)
		return w;
	error("cannot start a thread: %s", start_failure(err));
	stack_walk_free(&w->walk);
	free(w);
	return NULL;
}

/* ---- the ring reader ---------------------------------------------------------------- */

static struct batch *new_batch(struct walker *w)
{
	struct batch *b = walker_pop(&w->spare);

	if (!b)
		return xcalloc(1, sizeof(*b));
	w->spare_bytes -= batch_memory(b);
	str_clear(&b->in);
	str_clear(&b->out);
	return b;
}

/* Records may span two iovecs, but not their first 8 bytes. */
static void copy_records(const struct stack_walk *w, const struct iovec *iov, int count, struct str *out)
{
	struct perf_event_header header;
	size_t at = 0;

	for (; count > 0; at -= iov->iov_len, count--, iov++) {
		while (at < iov->iov_len) {
			const uint8_t *record = (const uint8_t *)iov->iov_base + at;

			memcpy(&header, record, sizeof(header));
			if (header.size < sizeof(header))
				return; /* the record is malformed */
			if (at + header.size > iov->iov_len)
				record = records_join(iov, at, header.size);
			stack_walk_shorten(w, record, header.size, out);
			at += header.size;
		}
	}
}

/* Removes the samples from text.  Returns their number. */
static uint64_t drop_samples(struct str *text)
{
	struct records all = { (const uint8_t *)text->buf, text->len, 0 };
	struct perf_event_header header;
	const uint8_t *record;
	uint64_t dropped = 0;

	text->len = 0;
	while ((record = records_next(&all, &header))) {
		if (header.type == PERF_RECORD_SAMPLE) {
			dropped++;
			continue;
		}
		memmove(text->buf + text->len, record, header.size);
		text->len += header.size;
	}
	return dropped;
}

static size_t bytes_that_wait(struct walker *w)
{
	size_t bytes;

	pthread_mutex_lock(&w->lock);
	bytes = w->waiting_bytes;
	pthread_mutex_unlock(&w->lock);
	return bytes;
}

bool walker_is_behind(struct walker *w, size_t more)
{
	return bytes_that_wait(w) + more >= w->limit;
}

void walker_take(struct walker *w, const struct iovec *iov, int count, struct recording *r)
{
	walker_take_back(w, iov, count, r, NULL, NULL);
}

void walker_take_back(struct walker *w, const struct iovec *iov, int count, struct recording *r, walker_taker *take,
		      void *self)
{
	struct batch *b;

	if (w->failed) { /* after a failure, this only counts them */
		recording_append(r, iov, count);
		return;
	}
	b = new_batch(w);
	b->take = take;
	b->self = self;
	copy_records(&w->walk, iov, count, &b->in);
	if (bytes_that_wait(w) >= w->limit)
		r->tally.losses[LOSS_unwinding_late] += drop_samples(&b->in);
	pthread_mutex_lock(&w->lock);
	walker_push(&w->waiting, b);
	w->waiting_bytes += b->in.len;
	pthread_cond_signal(&w->came);
	pthread_mutex_unlock(&w->lock);
}

static void recycle(struct walker *w, struct batch *b)
{
	if (w->spare_bytes + batch_memory(b) > SPARE_LIMIT) {
		walker_batch_free(b);
		return;
	}
	walker_push(&w->spare, b);
	w->spare_bytes += batch_memory(b);
}

/* Give the samples of b back, and remove them. */
static void give_back(struct batch *b)
{
	struct records all = { (const uint8_t *)b->out.buf, b->out.len, 0 };
	struct perf_event_header header;
	const uint8_t *record;

	b->out.len = 0;
	while ((record = records_next(&all, &header))) {
		if (header.type == PERF_RECORD_SAMPLE && b->take(b->self, record, header.size))
			continue;
		memmove(b->out.buf + b->out.len, record, header.size);
		b->out.len += header.size;
	}
}

int walker_deliver(struct walker *w, struct recording *r)
{
	struct queue done;
	struct batch *b;

	pthread_mutex_lock(&w->lock);
	done = w->done;
	w->done = (struct queue){ 0 };
	pthread_mutex_unlock(&w->lock);
	while ((b = walker_pop(&done))) {
		struct iovec records;

		if (b->take)
			give_back(b);
		records = (struct iovec){ b->out.buf, b->out.len };
		if (b->out.len && recording_append(r, &records, 1))
			w->failed = true;
		recycle(w, b);
	}
	return w->failed ? -1 : 0;
}

int walker_finish(struct walker *w, struct recording *r)
{
	size_t all = bytes_that_wait(w), left = all;

	while (left) {
		progress("unwinding: %s of %s left", size_text(left).text, size_text(all).text);
		pthread_mutex_lock(&w->lock);
		while (!w->done.first && w->waiting_bytes)
			pthread_cond_wait(&w->went, &w->lock);
		left = w->waiting_bytes;
		pthread_mutex_unlock(&w->lock);
		walker_deliver(w, r);
	}
	return walker_deliver(w, r);
}

bool walker_frame_name(struct walker *w, int pid, uint64_t address, struct str *to)
{
	const char *name;

	pthread_mutex_lock(&w->walking);
	name = java_stacks_name(w->walk.java, pid, address);
	if (!name)
		name = python_stacks_name(w->walk.python, pid, address);
	if (name)
		str_puts(to, name);
	pthread_mutex_unlock(&w->walking);
	return name != NULL;
}

void walker_renew(struct walker *w, const struct str *known)
{
	pthread_mutex_lock(&w->walking);
	stack_walk_renew(&w->walk, (const uint8_t *)str_text(known), known->len);
	pthread_mutex_unlock(&w->walking);
}

void walker_forget(struct walker *w, const struct living *living)
{
	pthread_mutex_lock(&w->walking);
	java_stacks_forget(w->walk.java, living);
	python_stacks_forget(w->walk.python, living);
	pthread_mutex_unlock(&w->walking);
}

void walker_give_names(struct walker *w, struct jit_files *files, struct tally *tally)
{
	java_stacks_give_names(w->walk.java, files);
	java_stacks_complain(w->walk.java);
	python_stacks_give_names(w->walk.python, files);
	python_stacks_complain(w->walk.python, kernel_defect(RISK_USER_READS));
	tally->losses[LOSS_java_frames_unread] = java_stacks_unread(w->walk.java);
	tally->losses[LOSS_python_frames_unread] = python_stacks_unread(w->walk.python);
}

static void queue_free(struct queue *q)
{
	struct batch *b;

	while ((b = walker_pop(q)))
		walker_batch_free(b);
}

void walker_free(struct walker *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	queue_free(&w->waiting);
	w->ending = true;
	pthread_cond_signal(&w->came);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	queue_free(&w->done);
	queue_free(&w->spare);
	pthread_cond_destroy(&w->came);
	pthread_cond_destroy(&w->went);
	pthread_mutex_destroy(&w->lock);
	pthread_mutex_destroy(&w->walking);
	stack_walk_free(&w->walk);
	free(w);
}
