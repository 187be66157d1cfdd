#include "collapse/output/whole_output.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/crew.h"
#include "collapse/fold/text_fold.h"
#include "core/memory.h"

enum { CHUNK_LINES = 512 };

static void whole_output_add_stack(struct str *out, const char *text, size_t len)
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
	struct str text = { 0 };
	uint64_t kept = 0;

	for (size_t i = 0; i < o->parsed->count; i++) {
		struct whole_lines *w = &o->parsed->shards[i].whole;

		kept += w->count;
		for (size_t n = 0; filter && n < w->count; n++) {
			str_clear(&text);
			whole_output_add_stack(&text, w->refs[n].item,
					       whole_line_of(w->refs[n].item, w->value_count)->len);
			if (filter(text.buf, text.len, argument))
				continue;
			w->refs[n].key = WHOLE_LEFT_OUT;
			kept--;
		}
	}
	str_free(&text);
	return kept;
}

/* --- writing ------------------------------------------------------------------------ */

struct whole_count {
	uint64_t lines; /* that were written, ... */
	uint64_t most;  /* ... of these, with COLUMN_MOST */
};

struct writing {
	const struct whole_output *what;
	FILE *out;
	pthread_mutex_t lock;
	pthread_cond_t written;
	size_t taken, done; /* chunks */
	struct whole_count sums;
};

static void whole_output_add_values(const struct whole_output *o, const struct text_value *values, struct str *out)
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

/* Append a line with the sums of all threads that have it, and count the line.  Returns how many lines it was made
 * of. */
static size_t whole_output_add_line(const struct whole_output *o, const struct whole_next *lines, size_t count,
				    struct str *out, struct whole_count *written)
{
	size_t width = o->order->value_count, n = 1;
	struct text_value values[TEXT_VALUES_MAX];

	memcpy(values, lines->line->values, width * sizeof(*values));
	for (; n < count && lines[n].repeated; n++) {
		for (size_t v = 0; v < width; v++)
			text_value_add(&values[v], &lines[n].line->values[v], o->parsed->setup->longest >> v & 1);
	}
	if (lines->left_out)
		return n;
	written->lines++;
	written->most += values[0].whole == COLUMN_MOST;
	whole_output_add_stack(out, whole_line_text(lines->line, width), lines->line->len);
	whole_output_add_values(o, values, out);
	str_addc(out, '\n');
	return n;
}

static void make_chunk(const struct whole_output *o, const struct whole_next *lines, size_t count, struct str *out,
		       struct whole_count *written)
{
	str_clear(out);
	for (size_t i = 0; i < count;)
		i += whole_output_add_line(o, lines + i, count - i, out, written);
}

/* Chunks are assigned and written in order, but prepared in any order. */
static void write_chunks(void *argument, size_t number)
{
	struct writing *w = argument;
	struct whole_next *lines = xmalloc((CHUNK_LINES + CREW_MAX) * sizeof(*lines));
	size_t chunk, count;
	struct str out = { 0 };
	struct whole_count written = { 0 };

	(void)number;
	for (;;) {
		pthread_mutex_lock(&w->lock);
		chunk = w->taken++;
		count = whole_order_take(w->what->order, lines, CHUNK_LINES);
		pthread_mutex_unlock(&w->lock);
		if (!count)
			break;
		make_chunk(w->what, lines, count, &out, &written);
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
	w->sums.lines += written.lines;
	w->sums.most += written.most;
	pthread_mutex_unlock(&w->lock);
	free(lines);
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
	columns_tell_most(w.sums.most);
	if (o->written)
		*o->written = w.sums.lines;
}
