#include "collect/io/io_sums.h"

#include <stdlib.h>

#include "core/memory.h"

static void free_stacks(struct io_stacks *s)
{
	intern_free(&s->hashes);
	for (size_t i = 0; i < s->count; i++)
		str_free(&s->records[i]);
	free(s->records);
	*s = (struct io_stacks){ 0 };
}

void io_sums_keep(struct io_sums *s, const struct io_record *r, size_t size)
{
	struct io_stacks *now = &s->stacks[0];
	uint32_t number = intern_add(&now->hashes, (const char *)&r->request.hash, sizeof(r->request.hash));

	now->records = xgrow(now->records, &now->cap, now->hashes.count, sizeof(*now->records));
	if (number == now->count)
		now->records[now->count++] = (struct str){ 0 };
	str_clear(&now->records[number]);
	str_add(&now->records[number], (const char *)r, size);
}

const struct io_record *io_sums_stack(const struct io_sums *s, uint64_t hash)
{
	for (int i = 0; i < 2; i++) {
		const struct io_stacks *stacks = &s->stacks[i];
		uint32_t number = intern_find(&stacks->hashes, (const char *)&hash, sizeof(hash));

		if (number != UINT32_MAX)
			return (const void *)stacks->records[number].buf;
	}
	return NULL;
}

static struct io_sum *io_sums_of(struct io_sums *s, const struct io_sum_key *key)
{
	uint32_t number = intern_add(&s->keys, (const char *)key, sizeof(*key));

	s->list = xgrow(s->list, &s->cap, s->keys.count, sizeof(*s->list));
	if (number == s->count)
		s->list[s->count++] = (struct io_sum){ .key = *key };
	return &s->list[number];
}

void io_sums_add_total(struct io_sums *s, const struct io_total *t, uint32_t file)
{
	const struct io_request *r = &t->first;
	const struct io_sum_key key = {
		.hash = r->hash,
		.bytes = r->bytes,
		.pid = r->pid,
		.tid = r->tid,
		.operation = r->operation,
		.device = r->device,
		.dirtier_pid = r->dirtier_pid,
		.dirtier_tid = r->dirtier_tid,
		.file = file + 1,
		.failed = r->flags & IO_FAILED,
	};
	struct io_sum *sum = io_sums_of(s, &key);

	sum->count += t->count;
	sum->queue_ns += t->queue_ns;
	sum->device_ns += t->device_ns;
	if (t->longest_ns > sum->longest_ns)
		sum->longest_ns = t->longest_ns;
	if (!sum->begin_ns || t->begin_ns < sum->begin_ns)
		sum->begin_ns = t->begin_ns;
}

void io_sums_add(struct io_sums *s, const struct io_request *r, uint32_t file)
{
	const struct io_total one = {
		.first = *r,
		.count = 1,
		.queue_ns = r->queue_ns,
		.device_ns = r->device_ns,
		.longest_ns = r->queue_ns + r->device_ns,
		.begin_ns = r->begin_ns,
	};

	io_sums_add_total(s, &one, file);
}

void io_sums_flush(struct io_sums *s, void (*take)(const struct io_sum *sum, const struct io_record *stack))
{
	for (size_t i = 0; i < s->count; i++)
		take(&s->list[i], io_sums_stack(s, s->list[i].key.hash));
	intern_free(&s->keys);
	s->count = 0;
}

void io_sums_next_generation(struct io_sums *s)
{
	free_stacks(&s->stacks[1]);
	s->stacks[1] = s->stacks[0];
	s->stacks[0] = (struct io_stacks){ 0 };
}

void io_sums_free(struct io_sums *s)
{
	free_stacks(&s->stacks[0]);
	free_stacks(&s->stacks[1]);
	intern_free(&s->keys);
	free(s->list);
	*s = (struct io_sums){ 0 };
}
