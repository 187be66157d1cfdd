#include "collapse/perfdata/deferred.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "core/memory.h"

enum { HEADER_BYTES = sizeof(struct perf_event_header), ENTRIES_AT = HEADER_BYTES + 16 };

struct key {
	uint64_t cookie;
	int64_t tid; /* -1: the records have none */
};

static struct key deferred_key_of(uint64_t cookie, int32_t tid)
{
	return (struct key){ cookie, tid };
}

/* u64 cookie, u64 count, entries[count], then the fields at the end of every record */
bool deferred_add(struct deferred *f, const struct perfdata *d, const struct record *r)
{
	struct key key;
	uint32_t number;

	if (r->size < ENTRIES_AT || load_u64(r->bytes + HEADER_BYTES + 8) > (r->size - ENTRIES_AT) / 8u)
		return false;
	key = deferred_key_of(load_u64(r->bytes + HEADER_BYTES), record_tid(d, r, -1));
	number = intern_add(&f->keys, (const char *)&key, sizeof(key));
	f->chains = xgrow(f->chains, &f->cap, number + 1, sizeof(*f->chains));
	f->chains[number] = r->bytes + HEADER_BYTES + 8;
	return true;
}

const uint8_t *deferred_find(const struct deferred *f, const struct recorded_sample *s, uint64_t *count)
{
	struct key key = deferred_key_of(s->cookie, s->event->layout.tid_from_end < 0 ? -1 : s->tid);
	uint32_t number = intern_find(&f->keys, (const char *)&key, sizeof(key));

	if (number == UINT32_MAX)
		return NULL;
	*count = load_u64(f->chains[number]);
	return f->chains[number] + 8;
}

void deferred_free(struct deferred *f)
{
	if (!f)
		return;
	intern_free(&f->keys);
	free(f->chains);
	*f = (struct deferred){ 0 };
}
