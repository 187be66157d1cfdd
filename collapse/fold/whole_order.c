#include "collapse/fold/whole_order.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/crew.h"
#include "core/memory.h"

/* --- lines that are in order already ------------------------------------------------- */

/* Goes over the parts of the input in their order. */
struct part_walk {
	const struct text_parsed *parsed;
	size_t next[CREW_MAX]; /* [shard]: its first part that comes later */
};

/* A part: lines of a shard. */
struct part_lines {
	const struct whole_ref *refs; /* [count] */
	size_t count;
};

/* Returns false after the last part. */
static bool next_part(struct part_walk *walk, struct part_lines *part)
{
	const struct text_stacks *first = NULL;
	size_t shard = 0, start;

	for (size_t i = 0; i < walk->parsed->count; i++) {
		const struct text_stacks *s = &walk->parsed->shards[i];

		if (walk->next[i] < s->part_count &&
		    (!first || s->parts[walk->next[i]].number < first->parts[walk->next[shard]].number)) {
			first = s;
			shard = i;
		}
	}
	if (!first)
		return false;
	start = walk->next[shard] ? first->parts[walk->next[shard] - 1].whole_count : 0;
	*part = (struct part_lines){ first->whole.refs + start, first->parts[walk->next[shard]++].whole_count - start };
	return true;
}

/* Returns false if the lines of one part do not all come after those of the parts before it. */
static bool take_ordered(struct whole_order *o, const struct text_parsed *p)
{
	struct part_walk walk = { .parsed = p };
	struct part_lines part;

	for (size_t i = 0; i < p->count; i++) {
		if (p->shards[i].whole.unordered)
			return false;
	}
	while (next_part(&walk, &part)) {
		int order =
			!part.count || !o->count ? -1 : whole_compare(o->refs[o->count - 1].text, part.refs[0].text);

		if (order > 0)
			return false;
		if (part.count)
			memcpy(o->refs + o->count, part.refs, part.count * sizeof(*part.refs));
		if (!order)
			o->refs[o->count].key = WHOLE_REPEATED;
		o->count += part.count;
	}
	return true;
}

/* --- sorting ------------------------------------------------------------------------- */

/* Multikey quicksort (Bentley and Sedgewick, "Fast algorithms for sorting and searching strings", 1997), by words
 * instead of bytes, which are kept beside the references.  When lines are at their places, keys say what whole_order.h
 * says. */

enum { INSERTED = 10, AHEAD = 12, NESTING_MAX = 64, SHARED_MIN = 8192 };

/* refs[0..count), whose texts are equal up to depth, with the keys of depth. */
struct range {
	struct whole_ref *refs;
	size_t count, depth;
};

/* How many bytes more than depth do all texts have in common? */
static size_t common_to_all(const struct range *r)
{
	size_t more = SIZE_MAX;

	for (size_t i = 1; i < r->count && more; i++) {
		if (i + AHEAD < r->count)
			__builtin_prefetch(r->refs[i + AHEAD].text + r->depth);
		more = whole_common(r->refs[0].text + r->depth, r->refs[i].text + r->depth, more);
	}
	return more;
}

/* Load the keys of depth; of a greater depth if they would all be the same. */
static void load_keys(struct range *r)
{
	uint64_t differ = 0;

	for (size_t i = 0; i < r->count; i++) {
		if (i + AHEAD < r->count)
			__builtin_prefetch(r->refs[i + AHEAD].text + r->depth);
		r->refs[i].key = whole_word(r->refs[i].text + r->depth);
		differ |= r->refs[i].key ^ r->refs[0].key;
	}
	if (differ || !(r->refs[0].key & 0xff))
		return;
	r->depth += common_to_all(r);
	for (size_t i = 0; i < r->count; i++)
		r->refs[i].key = whole_word(r->refs[i].text + r->depth);
}

static void swap(struct whole_ref *a, struct whole_ref *b)
{
	struct whole_ref old = *a;

	*a = *b;
	*b = old;
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}

static uint64_t pivot_of(const struct range *r)
{
	const struct whole_ref *a = r->refs, *m = a + r->count / 2, *z = a + r->count - 1;
	size_t step = r->count / 8;

	if (r->count < 64)
		return middle(a->key, m->key, z->key);
	return middle(middle(a->key, a[step].key, a[2 * step].key),
		      middle(m[-(ptrdiff_t)step].key, m->key, m[step].key),
		      middle(z[-2 * (ptrdiff_t)step].key, z[-(ptrdiff_t)step].key, z->key));
}

/* Sorted lines are at their places: mark those that have the text, and so the key, of the line before. */
static void mark_repeated(const struct range *r)
{
	uint64_t last = 0;

	for (size_t i = 0; i < r->count; i++) {
		uint64_t key = r->refs[i].key;
		bool is_repeated = i && key == last && !whole_compare(r->refs[i - 1].text, r->refs[i].text);

		r->refs[i].key = is_repeated ? WHOLE_REPEATED : 0;
		last = key;
	}
}

/* Part r at a pivot into less, equal and greater; equal has the keys of the next depth, or is empty. */
static void divide(const struct range *r, struct range *less, struct range *equal, struct range *greater)
{
	uint64_t pivot = pivot_of(r);
	size_t below = 0, at = 0, above = r->count; /* < pivot | == | not compared yet | > */

	while (at < above) {
		uint64_t key = r->refs[at].key;

		if (key < pivot)
			swap(&r->refs[below++], &r->refs[at++]);
		else if (key > pivot)
			swap(&r->refs[at], &r->refs[--above]);
		else
			at++;
	}
	*less = (struct range){ r->refs, below, r->depth };
	*greater = (struct range){ r->refs + above, r->count - above, r->depth };
	*equal = (struct range){ r->refs + below, above - below, r->depth + WHOLE_WORD };
	if (!(pivot & 0xff)) { /* their text ends */
		mark_repeated(equal);
		equal->count = 0;
	}
	if (equal->count > 1)
		load_keys(equal);
}

static int by_text(const void *a, const void *b)
{
	return whole_compare(((const struct whole_ref *)a)->text, ((const struct whole_ref *)b)->text);
}

static bool is_before(const struct whole_ref *a, const struct whole_ref *b, size_t depth)
{
	if (a->key != b->key)
		return a->key < b->key;
	return a->key & 0xff && whole_compare(a->text + depth + WHOLE_WORD, b->text + depth + WHOLE_WORD) < 0;
}

static void insert(const struct range *r)
{
	for (size_t i = 1; i < r->count; i++) {
		struct whole_ref ref = r->refs[i];
		size_t to = i;

		for (; to && is_before(&ref, &r->refs[to - 1], r->depth); to--)
			r->refs[to] = r->refs[to - 1];
		r->refs[to] = ref;
	}
	mark_repeated(r);
}

static void sort(const struct range *range, int nesting)
{
	struct range r = *range, less, greater;

	while (r.count > INSERTED) {
		if (nesting > NESTING_MAX) { /* a bad case, perhaps on purpose */
			qsort(r.refs, r.count, sizeof(*r.refs), by_text);
			mark_repeated(&r);
			return;
		}
		divide(&r, &less, &r, &greater);
		sort(&less, nesting + 1);
		sort(&greater, nesting + 1);
	}
	insert(&r);
}

/* --- sorting in several threads ------------------------------------------------------ */

struct sorting {
	struct whole_order *order;
	const struct text_parsed *parsed;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct range *todo; /* [count], a stack */
	size_t count, cap;
	size_t busy;        /* threads that may add more */
	atomic_size_t next; /* shard */
	size_t depth;       /* of the keys of all */
};

/* Wait for a range.  Returns false when all is sorted. */
static bool take_range(struct sorting *s, struct range *range)
{
	bool is_there;

	pthread_mutex_lock(&s->lock);
	while (!s->count && s->busy)
		pthread_cond_wait(&s->changed, &s->lock);
	is_there = s->count > 0;
	if (is_there) {
		*range = s->todo[--s->count];
		s->busy++;
	}
	pthread_mutex_unlock(&s->lock);
	return is_there;
}

static void give_ranges(struct sorting *s, const struct range *ranges, size_t count)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < count; i++) {
		if (ranges[i].count < 2) {
			mark_repeated(&ranges[i]);
			continue;
		}
		s->todo = xgrow(s->todo, &s->cap, s->count + 1, sizeof(*s->todo));
		s->todo[s->count++] = ranges[i];
	}
	s->busy--;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

static void sort_ranges(void *argument, size_t number)
{
	struct sorting *s = argument;
	struct range range, parts[3];

	(void)number;
	while (take_range(s, &range)) {
		if (range.count < SHARED_MIN) {
			sort(&range, 0);
			give_ranges(s, NULL, 0);
		} else {
			divide(&range, &parts[0], &parts[1], &parts[2]);
			give_ranges(s, parts, 3);
		}
	}
}

/* Take over the lines of some shards, with keys of the depth that is common to all. */
static void take_shards(void *argument, size_t number)
{
	struct sorting *s = argument;
	size_t shard;

	(void)number;
	while ((shard = atomic_fetch_add(&s->next, 1)) < s->parsed->count) {
		struct whole_lines *w = &s->parsed->shards[shard].whole;
		struct whole_ref *refs = s->order->refs;

		for (size_t i = 0; i < shard; i++)
			refs += s->parsed->shards[i].whole.count;
		for (size_t i = 0; i < w->count; i++) {
			refs[i] = w->refs[i];
			if (w->depth != s->depth || !w->unordered)
				refs[i].key = whole_word(refs[i].text + s->depth);
		}
		free(w->refs);
		w->refs = NULL;
	}
}

/* How many bytes do all lines have in common? */
static size_t common_depth(const struct text_parsed *p)
{
	size_t depth = SIZE_MAX;
	const char *first = NULL;

	for (size_t i = 0; i < p->count; i++) {
		const struct whole_lines *w = &p->shards[i].whole;

		if (w->count && !first)
			first = w->refs[0].text;
		if (w->unordered && w->count)
			depth = whole_common(first, w->refs[0].text, depth < w->depth ? depth : w->depth);
		for (size_t n = 0; n < w->count && !w->unordered; n++)
			depth = whole_common(first, w->refs[n].text, depth);
	}
	return depth;
}

static void sort_all(struct whole_order *o, const struct text_parsed *p, size_t count)
{
	struct sorting s = { .order = o,
			     .parsed = p,
			     .lock = PTHREAD_MUTEX_INITIALIZER,
			     .changed = PTHREAD_COND_INITIALIZER,
			     .busy = 1,
			     .depth = common_depth(p) };
	struct range all = { o->refs, count, s.depth };

	crew_run(p->count, take_shards, &s);
	give_ranges(&s, &all, 1);
	crew_run(p->count, sort_ranges, &s);
	free(s.todo);
	o->count = count;
}

void whole_order_make(struct whole_order *o, struct text_parsed *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		count += p->shards[i].whole.count;
	*o = (struct whole_order){ .refs = xmalloc((count + 1) * sizeof(*o->refs)),
				   .value_count = p->setup->value_count };
	if (!take_ordered(o, p))
		sort_all(o, p, count);
}

void whole_order_free(struct whole_order *o)
{
	free(o->refs);
	*o = (struct whole_order){ 0 };
}
