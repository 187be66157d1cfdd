#include "collapse/output/whole_output.h"

#include <pthread.h>

#include "collapse/fold/text_fold.h"
#include "core/crew.h"

enum { CHUNK_LINES = 2048, AHEAD = 8 };

/* Are lines i - 1 and i the same, of two threads? */
static bool goes_on(const struct whole_order *o, size_t i)
{
	return i < o->count && o->refs[i].key & WHOLE_REPEATED;
}

static void add_stack(struct str *out, const char *text, size_t len)
{
	typedef char lanes __attribute__((vector_size(16)));
	char *to;
	lanes at;

	str_reserve(out, len + WHOLE_SLACK);
	to = out->buf + out->len;
	for (size_t i = 0; i < len; i += sizeof(at)) {
		memcpy(&at, text + i, sizeof(at));
		at ^= (at == WHOLE_SEMICOLON) & (';' ^ WHOLE_SEMICOLON);
		memcpy(to + i, &at, sizeof(at));
	}
	out->len += len;
	out->buf[out->len] = '\0';
}

/* --- filter ------------------------------------------------------------------------- */

uint64_t whole_keep(const struct whole_output *o, fold_filter *filter, const void *argument)
{
	struct whole_order *order = o->order;
	struct str text = { 0 };
	uint64_t kept = 0;

	for (size_t i = 0; i < order->count; i++) {
		if (goes_on(order, i))
			continue;
		str_clear(&text);
		if (filter)
			add_stack(&text, order->refs[i].text, whole_order_line(order, i)->len);
		if (!filter || filter(text.buf, text.len, argument))
			kept++;
		else
			order->refs[i].key |= WHOLE_LEFT_OUT;
	}
	str_free(&text);
	return kept;
}

/* --- writing ------------------------------------------------------------------------ */

struct writing {
	const struct whole_output *what;
	FILE *out;
	pthread_mutex_t lock;
	pthread_cond_t written;
	size_t taken, done; /* chunks */
	uint64_t most;      /* lines with COLUMN_MOST */
};

static void add_values(const struct whole_output *o, const struct text_value *values, struct str *out)
{
	uint64_t all[COLUMNS_MAX];

	if (o->columns->fractions) {
		text_spread(o->columns, values, all);
		columns_add_values(o->columns, all[0], all + 1, ' ', out);
		return;
	}
	for (size_t i = 0; i < o->columns->count; i++) {
		str_addc(out, ' ');
		str_add_u64(out, values[i].whole);
	}
}

/* Append line i, of all threads.  Returns the next one. */
static size_t add_line(const struct whole_output *o, size_t i, struct str *out, uint64_t *most)
{
	const struct whole_order *order = o->order;
	const struct whole_line *line = whole_order_line(order, i);
	struct text_value values[TEXT_VALUES_MAX];
	size_t next = i + 1;

	memcpy(values, line->values, order->value_count * sizeof(*values));
	for (; goes_on(order, next); next++) {
		for (size_t v = 0; v < order->value_count; v++)
			text_value_add(&values[v], &whole_order_line(order, next)->values[v],
				       o->parsed->setup->longest >> v & 1);
	}
	if (order->refs[i].key & WHOLE_LEFT_OUT)
		return next;
	*most += values[0].whole == COLUMN_MOST;
	add_stack(out, order->refs[i].text, line->len);
	add_values(o, values, out);
	str_addc(out, '\n');
	return next;
}

static void prefetch(const struct whole_order *o, size_t i)
{
	if (i + AHEAD >= o->count)
		return;
	for (size_t at = 0; at < 4; at++)
		__builtin_prefetch((const char *)whole_order_line(o, i + AHEAD) + at * 64);
}

/* The lines that begin in a chunk.  Returns how many have COLUMN_MOST. */
static uint64_t make_chunk(const struct whole_output *o, size_t chunk, struct str *out)
{
	uint64_t most = 0;
	size_t i = chunk * CHUNK_LINES, end = i + CHUNK_LINES;

	str_clear(out);
	end = end < o->order->count ? end : o->order->count;
	while (i < end && goes_on(o->order, i))
		i++;
	while (i < end) {
		prefetch(o->order, i);
		i = add_line(o, i, out, &most);
	}
	return most;
}

static void write_chunks(void *argument, size_t number)
{
	struct writing *w = argument;
	size_t count = w->what->order->count / CHUNK_LINES + 1, chunk;
	struct str out = { 0 };
	uint64_t most = 0;

	(void)number;
	for (;;) {
		pthread_mutex_lock(&w->lock);
		chunk = w->taken++;
		pthread_mutex_unlock(&w->lock);
		if (chunk >= count)
			break;
		most += make_chunk(w->what, chunk, &out);
		pthread_mutex_lock(&w->lock);
		while (w->done != chunk)
			pthread_cond_wait(&w->written, &w->lock);
		pthread_mutex_unlock(&w->lock);
		fwrite(str_text(&out), 1, out.len, w->out);
		pthread_mutex_lock(&w->lock);
		w->done++;
		pthread_cond_broadcast(&w->written);
		pthread_mutex_unlock(&w->lock);
	}
	pthread_mutex_lock(&w->lock);
	w->most += most;
	pthread_mutex_unlock(&w->lock);
	str_free(&out);
}

void whole_write(FILE *out, const void *what)
{
	const struct whole_output *o = what;
	struct writing w = {
		.what = o, .out = out, .lock = PTHREAD_MUTEX_INITIALIZER, .written = PTHREAD_COND_INITIALIZER
	};

	fwrite(str_text(o->header), 1, o->header->len, out);
	crew_run(o->jobs, write_chunks, &w);
	columns_tell_most(w.most);
}
