#include "collect/faults/fault_rests.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static size_t fault_rests_place_of(const struct fault_record *r)
{
	return (size_t)r->cpu * FAULTS_SUMS + fault_sum_kind(r->flags);
}

void fault_rests_keep(struct fault_rests *f, const struct fault_record *r, size_t size)
{
	size_t place = fault_rests_place_of(r);

	f->last = xgrow(f->last, &f->cap, place + 1, sizeof(*f->last));
	while (f->count <= place)
		f->last[f->count++] = (struct str){ 0 };
	str_clear(&f->last[place]);
	str_add(&f->last[place], (const char *)r, size);
}

const struct fault_record *fault_rests_complete(struct fault_rests *f, const struct fault_record *r)
{
	size_t place = fault_rests_place_of(r);
	const struct str *last = place < f->count ? &f->last[place] : NULL;
	struct fault_record head;

	if (!last || !last->len)
		return r;
	memcpy(&head, last->buf, offsetof(struct fault_record, stack));
	if (head.pid != r->pid || head.tid != r->tid)
		return r;
	head.begin_ns = r->begin_ns;
	head.end_ns = r->end_ns;
	head.count = r->count;
	head.ns = r->ns;
	head.longest_ns = r->longest_ns;
	memcpy(head.parts, r->parts, sizeof(head.parts));
	str_clear(&f->made);
	str_add(&f->made, last->buf, last->len);
	memcpy(f->made.buf, &head, offsetof(struct fault_record, stack));
	return (const void *)f->made.buf;
}

void fault_rests_free(struct fault_rests *f)
{
	for (size_t i = 0; i < f->count; i++)
		str_free(&f->last[i]);
	free(f->last);
	str_free(&f->made);
	*f = (struct fault_rests){ 0 };
}
