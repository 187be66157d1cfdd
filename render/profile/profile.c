#include "render/profile/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/lines.h"
#include "core/memory.h"
#include "core/str.h"
#include "render/profile/stack_edit.h"
#include "render/profile/foreign.h"
#include "render/profile/idle.h"
#include "render/profile/line.h"
#include "render/profile/sample.h"

struct reader {
	struct profile *profile;
	const struct profile_filter *filter;
	const struct lines *in;
	struct profile_path path;
	struct str reversed; /* the stack from its leaf */
	struct str marked;   /* the stack with annotated wakers */
	struct str plain;    /* the stack without process numbers */
	struct root_places roots;
	bool idle;           /* the line's stack is */
	char *event;         /* of the last header (LAYERING_EVENT) */
	const char *first;   /* the frame that was taken off the line's stack, */
	size_t first_len;    /* the layer's name; NULL: no frame was */
	struct str *headers; /* gets headers in place of the profile, or NULL */
	size_t columns;      /* number of columns in the last header; 0: it names none, or those of a differential */
	bool looked;         /* at the lines of this header: ... */
	bool two;            /* all lines of the block have two values, as in a differential */
	uint64_t time_ns;    /* of the last timed line */
};

/* ---- values --------------------------------------------------------------- */

bool profile_refine(struct profile *p, unsigned decimals)
{
	unsigned places = decimals - p->decimals;

	if (decimal_shift(p->total, places) == UINT64_MAX)
		return false;
	for (size_t i = 0; i < p->stack_count; i++)
		p->stacks[i].self = decimal_shift(p->stacks[i].self, places);
	for (size_t i = 0; i < p->event_count; i++)
		p->events[i].value = decimal_shift(p->events[i].value, places);
	for (size_t i = 1; i < p->value_count; i++) /* the first one has no value */
		p->values[i].value = decimal_shift(p->values[i].value, places);
	for (size_t i = 0; i < p->layer_count; i++)
		p->layers[i].total = decimal_shift(p->layers[i].total, places);
	p->total = decimal_shift(p->total, places);
	p->decimals = decimals;
	return true;
}

/* "a;b;c" as "c;b;a". */
static void reverse_stack(struct str *out, const char *stack, size_t len)
{
	str_clear(out);
	for (;;) {
		const char *semicolon = memrchr(stack, ';', len);
		size_t start = semicolon ? (size_t)(semicolon - stack) + 1 : 0;

		str_add(out, stack + start, len - start);
		if (!semicolon)
			return;
		str_addc(out, ';');
		len = start - 1;
	}
}

static uint32_t profile_read_stack(struct reader *r, const struct sample_line *s)
{
	uint32_t stack;

	if (r->filter->reverse) {
		reverse_stack(&r->reversed, s->stack, s->stack_len);
		stack = profile_stack_of(r->profile, &r->path, r->reversed.buf, r->reversed.len);
	} else {
		stack = profile_stack_of(r->profile, &r->path, s->stack, s->stack_len);
	}
	r->profile->stacks[stack].idle |= r->idle;
	return stack;
}

static void profile_add_event(struct reader *r, const struct sample_line *s, uint32_t stack)
{
	struct profile *p = r->profile;

	if (s->timed)
		r->time_ns = s->time_ns;
	p->events = xgrow(p->events, &p->events_cap, p->event_count + 1, sizeof(*p->events));
	p->events[p->event_count++] = (struct profile_event){ r->time_ns, s->value, stack };
}

static bool starts_with_frame(const struct sample_line *s, const char *name)
{
	size_t len = strlen(name);

	return s->stack_len >= len && !memcmp(s->stack, name, len) && (s->stack_len == len || s->stack[len] == ';');
}

/* Take the first frame off the stack if it is the layer's name. */
static void take_first_frame(struct reader *r, struct sample_line *s)
{
	const char *semicolon = memchr(s->stack, ';', s->stack_len);
	enum layering layering = r->filter->layering;

	r->first = NULL;
	if (layering != LAYERING_FIRST_FRAME &&
	    (layering != LAYERING_EVENT || (r->event[0] && !strchr(r->event, ',') && !starts_with_frame(s, r->event))))
		return;
	r->first = s->stack;
	r->first_len = semicolon ? (size_t)(semicolon - s->stack) : s->stack_len;
	s->stack += r->first_len + !!semicolon;
	s->stack_len -= r->first_len + !!semicolon;
}

static void profile_note_time(struct profile *p, uint64_t time_ns)
{
	bool first = !p->layer_count;

	p->first_ns = first || time_ns < p->first_ns ? time_ns : p->first_ns;
	p->last_ns = first || time_ns > p->last_ns ? time_ns : p->last_ns;
}

/* The layer of the sample's value (of the last one, if there are two).  Returns NULL, or what is wrong. */
static const char *find_layer(struct reader *r, const struct sample_line *s, uint32_t *layer)
{
	const struct profile_filter *f = r->filter;

	*layer = f->layer;
	switch (f->layering) {
	case LAYERING_TIME:
		if (!s->timed)
			return "no time before the stack";
		profile_note_time(r->profile, s->time_ns);
		*layer = profile_layer_at(r->profile, s->time_ns, f->start_ns, f->step_ns);
		r->profile->times_apart |= *layer == UINT32_MAX;
		return *layer == UINT32_MAX ? "the time is too far away from the others" : NULL;
	case LAYERING_FIRST_FRAME:
	case LAYERING_EVENT:
		*layer = r->first ? profile_layer_called(r->profile, r->first, r->first_len)
				  : profile_layer_called(r->profile, r->event, strlen(r->event));
		break;
	case LAYERING_COLUMNS: *layer = 1; break;
	default: break;
	}
	return *layer == UINT32_MAX ? "more than 4096 different events" : NULL;
}

static bool to_units(const struct profile *p, unsigned decimals, uint64_t *value)
{
	*value = decimal_shift(*value, p->decimals - decimals);
	return *value != UINT64_MAX;
}

/* Add the values, which are in p's units, and whose sum was checked before. */
static const char *profile_add_values(struct reader *r, struct sample_line *s)
{
	struct profile *p = r->profile;
	const char *wrong;
	uint32_t layer, stack;

	p->timed |= s->timed;
	if (r->filter->layering == LAYERING_COLUMNS && s->two_values && !p->layer_count)
		profile_begin_columns(p);
	if (!p->layer_count && (r->filter->layering == LAYERING_NONE || r->filter->layering == LAYERING_COLUMNS)) {
		if (!s->value)
			return NULL;
		stack = profile_read_stack(r, s);
		p->stacks[stack].self += s->value;
		if (r->filter->chart)
			profile_add_event(r, s, stack);
		return NULL;
	}
	wrong = find_layer(r, s, &layer);
	if (wrong || !(s->value || s->before))
		return wrong;
	stack = profile_read_stack(r, s);
	if (s->value)
		profile_add_value(p, stack, layer, s->value);
	if (s->before)
		profile_add_value(p, stack, 0, s->before);
	return NULL;
}

/* Returns NULL, or why the sample cannot be added. */
static const char *profile_add_sample(struct reader *r, struct sample_line *s)
{
	static const char too_large[] = "the sum of all values would be too large";
	struct profile *p = r->profile;
	const char *wrong;
	uint64_t total;

	if (r->filter->layering != LAYERING_COLUMNS)
		s->before = 0;
	if (s->decimals > p->decimals && !profile_refine(p, s->decimals))
		return too_large;
	if (!to_units(p, s->decimals, &s->value) || !to_units(p, s->decimals, &s->before) ||
	    __builtin_add_overflow(p->total, s->value, &total) || __builtin_add_overflow(total, s->before, &total))
		return too_large;
	wrong = profile_add_values(r, s);
	if (wrong)
		return wrong;
	p->two_value_lines += s->two_values;
	p->total = total;
	return NULL;
}

/* ---- lines ---------------------------------------------------------------- */

/* Do lines depend on their header's root=? */
static bool needs_roots(const struct profile_filter *f)
{
	return f->idle || f->unnumber;
}

static void read_comment(struct reader *r, const char *line, size_t len)
{
	struct folded_source header = { 0 };
	const char *event, *columns;

	if (r->headers) {
		str_add(r->headers, line, len);
		str_addc(r->headers, '\n');
	}
	if (!source_read(&header, line, len))
		return;
	root_places_read(&r->roots, &header);
	columns = source_get(&header, FOLDED_COLUMNS);
	r->columns = line_columns(columns);
	r->looked = r->two = columns && !strcmp(columns, FOLDED_COMPARED);
	if (r->headers) {
		source_free(&header);
		return;
	}
	source_read(&r->profile->source, line, len);
	event = source_get(&header, FOLDED_EVENT);
	if (r->filter->layering == LAYERING_EVENT) {
		free(r->event);
		r->event = xstrdup(event ? event : "");
	}
	source_free(&header);
}

/* In a line with several columns, the first one is the weight. */
static const char *profile_parse_line(const struct reader *r, struct sample_line *s, const char *line, size_t len)
{
	struct sample_column columns[SAMPLE_COLUMNS_MAX];

	if (r->columns)
		return sample_parse_columns(s, line, len, r->columns, columns);
	return r->two ? sample_parse(s, line, len) : sample_parse_one(s, line, len);
}

/* Change the stack as the options demand.  Returns false if it is to be left out.  The frames that name the layer or
 * the split are taken off before --base cuts the stack; but --base may name them, too. */
static bool shape_stack(struct reader *r, struct sample_line *s)
{
	const struct profile_filter *f = r->filter;
	struct dimension *split = f->split;

	r->idle = f->idle &&
		  (idle_cpu(&r->roots, s->stack, s->stack_len) || idle_wait(&r->roots, s->stack, s->stack_len));
	if (f->unnumber)
		root_places_unnumber(&r->roots, &r->plain, &s->stack, &s->stack_len);
	if (split)
		s->stack = dimension_take(split, s->stack, &s->stack_len);
	take_first_frame(r, s);
	if (!base_cut(f->base, &s->stack, &s->stack_len) &&
	    !(split && base_is(f->base, split->frame, split->frame_len)) &&
	    !(r->first && base_is(f->base, r->first, r->first_len)))
		return false;
	if (split)
		s->stack = dimension_put(split, s->stack, &s->stack_len, f->reverse);
	if (f->wakers)
		waker_mark(&r->marked, &s->stack, &s->stack_len);
	return true;
}

static const char *profile_take_line(struct reader *r, const char *line, size_t len)
{
	struct profile *p = r->profile;
	struct sample_line sample;
	const char *wrong;

	if (line_is_blank(line, len))
		return NULL;
	if (line_is_comment(line, len)) {
		if (r->filter->split)
			dimension_read(r->filter->split, line, len);
		read_comment(r, line, len);
		return NULL;
	}
	if (!r->looked && !r->columns)
		r->two = line_two_values(line, lines_ahead(r->in, line));
	r->looked = true;
	p->lines++;
	if (!line_passes(&r->filter->lines, line, len)) {
		p->filtered_lines++;
		return NULL;
	}
	wrong = profile_parse_line(r, &sample, line, len);
	if (wrong)
		return wrong;
	if (!shape_stack(r, &sample)) {
		p->filtered_lines++;
		return NULL;
	}
	return profile_add_sample(r, &sample);
}

static void reader_free(struct reader *r)
{
	free(r->event);
	str_free(&r->reversed);
	str_free(&r->marked);
	str_free(&r->plain);
	profile_path_free(&r->path);
}

int profile_read_part(struct profile *p, const char *path, const struct profile_filter *filter, uint64_t start,
		      uint64_t length, struct str *headers, atomic_bool *stop)
{
	struct profile_filter plain = { .reverse = filter->reverse,
					.base = filter->base,
					.wakers = filter->wakers,
					.idle = filter->idle,
					.unnumber = filter->unnumber };
	struct lines in;
	struct reader r = { .profile = p, .filter = &plain, .in = &in, .headers = headers, .roots = filter->roots };
	bool good = true;
	size_t len;
	char *line;

	if (lines_open_part(&in, path, start, length) < 0)
		return -1;
	profile_ensure_root(p);
	while (good && lines_next(&in, &line, &len)) {
		if (in.number == 1 && !start)
			line_skip_mark(&line, &len);
		good = !profile_take_line(&r, line, len) && !*stop && !r.columns && !r.two &&
		       (!needs_roots(&plain) || root_places_equal(&r.roots, &filter->roots));
	}
	good &= !in.failed;
	lines_close(&in);
	reader_free(&r);
	return good ? 0 : -1;
}

/* A stack's net sum is known only after all lines, and would be wrong without this line. */
static int refuse_negative(const struct lines *in, const char *path)
{
	return error("%s:%" PRIu64
		     ": %s: pyrograph collapse %s | pyrograph render flame draws net sums, or a differential",
		     in->path, in->number, sample_negative, path);
}

int profile_read(struct profile *p, const char *path, const struct profile_filter *filter)
{
	struct lines in;
	struct reader r = { .profile = p, .filter = filter, .in = &in };
	struct str advice = { 0 };
	const char *wrong;
	size_t len;
	char *line;
	int status;

	if (profile_read_parallel(p, path, filter))
		return 0;
	if (lines_open(&in, path) < 0)
		return -1;
	profile_ensure_root(p);
	root_places_read(&r.roots, &(struct folded_source){ 0 });
	r.event = xstrdup("");
	if (filter->layering == LAYERING_FILE)
		profile_need_layers(p, filter->layer + 1, path);
	if (filter->split)
		dimension_begin(filter->split);
	while (lines_next(&in, &line, &len)) {
		if (in.number == 1)
			line_skip_mark(&line, &len);
		if (in.number == 1 && foreign_is(&advice, line, lines_ahead(&in, line), path, "", "flame")) {
			status = error("%s: %s", in.path, advice.buf);
			goto out;
		}
		wrong = profile_take_line(&r, line, len);
		if (wrong == sample_negative) {
			status = refuse_negative(&in, path);
			goto out;
		}
		if (wrong && ++p->bad_lines <= MESSAGES_MAX && !p->times_apart)
			line_report(&in, wrong, 0, line, len);
		if (p->two_value_lines && !p->two_values_path) {
			p->two_values_path = path;
			p->two_values_number = in.number;
		}
	}
	status = in.failed ? -1 : 0;
out:
	lines_close(&in);
	reader_free(&r);
	str_free(&advice);
	return status;
}

void profile_close(struct profile *p)
{
	free(p->slots);
	p->slots = NULL;
	p->slot_count = 0;
}

void profile_drop_stacks(struct profile *p)
{
	free(p->nodes);
	free(p->stacks);
	free(p->values);
	free(p->first_value);
	p->nodes = p->first_value = NULL;
	p->stacks = NULL;
	p->values = NULL;
	p->count = p->cap = p->stack_count = p->stacks_cap = p->value_count = p->values_cap = p->first_count = 0;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	profile_close(p);
	profile_drop_stacks(p);
	intern_free(&p->names);
	source_free(&p->source);
	free(p->events);
	for (size_t i = 0; i < p->layer_count; i++)
		free(p->layers[i].name);
	free(p->layers);
	*p = (struct profile){ 0 };
}
