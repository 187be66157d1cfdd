#include "render/timeline/timeline_code.h"

#include <stdlib.h>
#include <string.h>

#include "core/markup.h"
#include "core/memory.h"
#include "render/encoding/digits.h"

enum { LINE_BYTES = 4000, FLAG_STACK = 1, FLAG_MORE = 2, FLAG_BEFORE = 4, FLAG_BITS = 3 };

/* *end: the end of the previous span; *stack: its stack.  Both are updated. */
static void timeline_code_add_span(const struct timeline *t, const struct timeline_span *s, uint64_t *end,
				   uint32_t *stack, struct str *out)
{
	struct timeline_values v = timeline_values_of(t, s);
	bool before = s->start_ns < *end;
	uint64_t gap = before ? *end - s->start_ns : s->start_ns - *end;
	unsigned flags = (s->stack != *stack ? FLAG_STACK : 0) | (s->more != TIMELINE_PLAIN ? FLAG_MORE : 0) |
			 (before ? FLAG_BEFORE : 0);
	char *at;

	str_reserve(out, 6 * NUMBER_BYTES);
	at = digits_put(out->buf + out->len, gap << FLAG_BITS | flags);
	if (flags & FLAG_STACK)
		at = digits_put(at, t->rank[s->stack]);
	at = digits_put(at, s->time_ns);
	if (flags & FLAG_MORE) {
		at = digits_put(at, v.count);
		at = digits_put(at, v.longest);
		at = digits_put(at, v.migrations);
	}
	*at = '\0';
	out->len = (size_t)(at - out->buf);
	*end = s->start_ns + s->time_ns;
	*stack = s->stack;
}

void timeline_encode(const struct timeline *t, struct str *out)
{
	size_t line_end = out->len + LINE_BYTES;
	uint32_t stack = 0;

	while (stack < t->texts.count && t->rank[stack])
		stack++;
	str_reserve(out, t->span_count * TIMELINE_SPAN_BYTES);
	for (size_t r = 0; r < t->row_count; r++) {
		const struct timeline_row *row = &t->rows[r];
		uint64_t end = t->in.start_ns;

		for (size_t i = row->first; i < row->first + row->count; i++) {
			timeline_code_add_span(t, &t->spans[i], &end, &stack, out);
			if (out->len >= line_end) {
				str_addc(out, '\n');
				line_end = out->len + LINE_BYTES;
			}
		}
	}
}

/* Does a stack differ from another one only in its trace? */
static bool has_root_of(const struct timeline *t, uint32_t i, uint32_t other)
{
	const struct timeline_stack *a = &t->stacks[i], *b = &t->stacks[other];

	return a->trace != UINT32_MAX && a->row == b->row && a->kind == b->kind && a->root_len == b->root_len &&
	       !memcmp(intern_text(&t->texts, i), intern_text(&t->texts, other), a->root_len);
}

void timeline_encode_stacks(const struct timeline *t, struct str *out)
{
	uint32_t *sorted = xcalloc(t->texts.count + 1, sizeof(*sorted));
	size_t count = 0;

	for (uint32_t i = 0; i < t->texts.count; i++) {
		if (t->rank[i] != UINT32_MAX)
			sorted[t->rank[i]] = i;
		count += t->rank[i] != UINT32_MAX;
	}
	for (size_t k = 0; k < count; k++) {
		uint32_t i = sorted[k];

		if (k && has_root_of(t, i, sorted[k - 1])) {
			str_addc(out, '/');
			str_add_u64(out, t->trace_rank[t->stacks[i].trace]);
			str_addc(out, '\n');
			continue;
		}

		str_add_u64(out, t->stacks[i].row);
		str_addc(out, ' ');
		str_add_u64(out, t->stacks[i].kind);
		if (t->stacks[i].trace != UINT32_MAX) {
			str_addc(out, '/');
			str_add_u64(out, t->trace_rank[t->stacks[i].trace]);
		}
		str_addc(out, ' ');
		xml_add(out, intern_text(&t->texts, i), t->stacks[i].root_len);
		str_addc(out, '\n');
	}
	free(sorted);
}

/* The number of frames in the common beginning of two traces, and their length with the semicolon after them. */
static size_t shared_frames(const char *a, const char *b, size_t *bytes)
{
	size_t frames = 0, i = 0;

	*bytes = 0;
	for (;; i++) {
		bool a_ends = !a[i] || a[i] == ';', b_ends = !b[i] || b[i] == ';';

		if (a_ends && b_ends) {
			frames++;
			*bytes = i + (b[i] == ';');
		}
		if (a[i] != b[i] || !a[i])
			return frames;
	}
}

void timeline_encode_traces(const struct timeline *t, struct str *out)
{
	uint32_t *sorted = xcalloc(t->traces.count + 1, sizeof(*sorted));
	const char *before = NULL;
	size_t count = 0;

	for (uint32_t i = 0; i < t->traces.count; i++) {
		if (t->trace_rank[i] != UINT32_MAX)
			sorted[t->trace_rank[i]] = i;
		count += t->trace_rank[i] != UINT32_MAX;
	}
	for (size_t k = 0; k < count; k++) {
		const char *text = intern_text(&t->traces, sorted[k]);
		size_t bytes = 0, shared = before ? shared_frames(before, text, &bytes) : 0;

		str_add_u64(out, shared);
		str_addc(out, ' ');
		xml_add(out, text + bytes, intern_len(&t->traces, sorted[k]) - bytes);
		str_addc(out, '\n');
		before = text;
	}
	free(sorted);
}

void timeline_encode_samples(const struct timeline *t, struct str *out)
{
	size_t line_end = out->len + LINE_BYTES;

	for (size_t r = 0; r < t->row_count; r++) {
		const struct timeline_row *row = &t->rows[r];
		uint64_t before = t->in.start_ns;

		for (size_t i = row->first_sample; i < row->first_sample + row->sample_count; i++) {
			char *at;

			str_reserve(out, 2 * NUMBER_BYTES + 2);
			at = digits_put(out->buf + out->len, t->samples[i].ns - before);
			at = digits_put(at, t->rank[t->samples[i].stack]);
			*at = '\0';
			out->len = (size_t)(at - out->buf);
			before = t->samples[i].ns;
			if (out->len >= line_end) {
				str_addc(out, '\n');
				line_end = out->len + LINE_BYTES;
			}
		}
	}
}
