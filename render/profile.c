#include "render/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/folded.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/lines.h"
#include "core/memory.h"
#include "render/sample.h"

enum { REPORTED_MAX = 5, SHOWN_MAX = 60, FIRST_SLOTS = 1024 };

/* The frames of the line before: most lines begin as their predecessor does,
 * and what is common need not be looked up again. */
struct reader {
	struct profile *profile;
	const struct profile_filter *filter;
	char *stack;             /* a copy of the last stack */
	size_t stack_len, stack_cap;
	struct reader_frame {
		size_t end;      /* of the frame in stack: at a ';' or at stack_len */
		uint32_t node;
	} *frames;               /* [depth] */
	size_t depth, frames_cap;
};

/* ---- trie ----------------------------------------------------------------- */

static size_t first_slot(const struct profile *p, uint32_t parent, uint32_t name)
{
	return hash_mix((uint64_t)parent << 32 | name, 0) & (p->slot_count - 1);
}

static void grow_slots(struct profile *p)
{
	size_t mask;

	free(p->slots);
	p->slot_count = p->slot_count ? p->slot_count * 2 : FIRST_SLOTS;
	p->slots = xcalloc(p->slot_count, sizeof(*p->slots));
	mask = p->slot_count - 1;
	for (size_t n = 1; n < p->count; n++) {
		size_t i = first_slot(p, p->nodes[n].parent, p->nodes[n].name);

		while (p->slots[i])
			i = (i + 1) & mask;
		p->slots[i] = (uint32_t)n;
	}
}

static void ensure_root(struct profile *p)
{
	if (p->count)
		return;
	p->nodes = xgrow(p->nodes, &p->cap, FIRST_SLOTS, sizeof(*p->nodes));
	p->nodes[p->count++] = (struct profile_node){ 0, intern_add(&p->names, "all", 3), 0 };
}

/* The child of parent that is called name, new if it is not there yet. */
static uint32_t child_of(struct profile *p, uint32_t parent, uint32_t name)
{
	size_t mask, i;

	if (p->count * 2 >= p->slot_count)
		grow_slots(p);
	mask = p->slot_count - 1;
	for (i = first_slot(p, parent, name); p->slots[i]; i = (i + 1) & mask) {
		const struct profile_node *n = &p->nodes[p->slots[i]];

		if (n->parent == parent && n->name == name)
			return p->slots[i];
	}
	if (p->count >= UINT32_MAX)
		die("more than 4 billion different stacks");
	p->nodes = xgrow(p->nodes, &p->cap, p->count + 1, sizeof(*p->nodes));
	p->nodes[p->count] = (struct profile_node){ parent, name, 0 };
	p->slots[i] = (uint32_t)p->count;
	return (uint32_t)p->count++;
}

/* ---- stacks --------------------------------------------------------------- */

static size_t common_len(const char *a, const char *b, size_t len)
{
	size_t i = 0;
	uint64_t x, y;

	for (; i + 8 <= len; i += 8) {
		memcpy(&x, a + i, 8);
		memcpy(&y, b + i, 8);
		if (x != y)
			break;
	}
	while (i < len && a[i] == b[i])
		i++;
	return i;
}

/* How many of the last stack's frames are whole and the same in stack[0..len). */
static size_t shared_depth(const struct reader *r, const char *stack, size_t len)
{
	size_t shorter = len < r->stack_len ? len : r->stack_len;
	size_t common = shorter ? common_len(r->stack, stack, shorter) : 0;
	size_t depth = r->depth;

	while (depth) {
		size_t end = r->frames[depth - 1].end;

		if (end < common || (end == common && (end == len || stack[end] == ';')))
			break;
		depth--;
	}
	return depth;
}

static void remember(struct reader *r, const char *stack, size_t len)
{
	r->stack = xgrow(r->stack, &r->stack_cap, len + 1, 1);
	memcpy(r->stack, stack, len);
	r->stack_len = len;
}

static void push_frame(struct reader *r, size_t end, uint32_t node)
{
	r->frames = xgrow(r->frames, &r->frames_cap, r->depth + 1, sizeof(*r->frames));
	r->frames[r->depth++] = (struct reader_frame){ end, node };
}

/* The node where stack[0..len), root first, ends. */
static uint32_t walk(struct reader *r, const char *stack, size_t len)
{
	struct profile *p = r->profile;
	uint32_t node = 0;
	size_t at = 0;

	r->depth = shared_depth(r, stack, len);
	if (r->depth) {
		node = r->frames[r->depth - 1].node;
		at = r->frames[r->depth - 1].end + 1;
	}
	remember(r, stack, len);
	while (at < len) {
		const char *semicolon = memchr(stack + at, ';', len - at);
		size_t end = semicolon ? (size_t)(semicolon - stack) : len;

		node = child_of(p, node, intern_add(&p->names, stack + at, end - at));
		push_frame(r, end, node);
		at = end + 1;
	}
	return node;
}

/* The same from the leaf. */
static uint32_t walk_reversed(struct profile *p, const char *stack, size_t len)
{
	uint32_t node = 0;

	while (len) {
		const char *semicolon = memrchr(stack, ';', len);
		size_t start = semicolon ? (size_t)(semicolon - stack) + 1 : 0;

		node = child_of(p, node, intern_add(&p->names, stack + start, len - start));
		len = start ? start - 1 : 0;
	}
	return node;
}

/* ---- values --------------------------------------------------------------- */

/* Count in finer units from here on.  Returns false when the total would overflow. */
static bool refine_units(struct profile *p, unsigned decimals)
{
	unsigned places = decimals - p->decimals;

	if (decimal_shift(p->total, places) == UINT64_MAX)
		return false;
	for (size_t n = 0; n < p->count; n++)
		p->nodes[n].self = decimal_shift(p->nodes[n].self, places);
	p->total = decimal_shift(p->total, places);
	p->decimals = decimals;
	return true;
}

/* Returns NULL, or why the sample cannot be added. */
static const char *add_sample(struct reader *r, const struct sample *s)
{
	struct profile *p = r->profile;
	uint64_t value, total;
	uint32_t node;

	if (s->decimals > p->decimals && !refine_units(p, s->decimals))
		return "the sum of all values would be too large";
	value = decimal_shift(s->value, p->decimals - s->decimals);
	if (value == UINT64_MAX || __builtin_add_overflow(p->total, value, &total))
		return "the sum of all values would be too large";
	p->two_values |= s->two_values;
	if (!value)
		return NULL;
	p->total = total;
	node = r->filter->reverse ? walk_reversed(p, s->stack, s->stack_len)
				  : walk(r, s->stack, s->stack_len);
	p->nodes[node].self += value;
	return NULL;
}

/* ---- lines ---------------------------------------------------------------- */

static bool any_matches(struct regexp *const *res, size_t count, const char *line, size_t len)
{
	for (size_t i = 0; i < count; i++) {
		if (regexp_match(res[i], line, len))
			return true;
	}
	return false;
}

static bool is_wanted(const struct profile_filter *f, const char *line, size_t len)
{
	if (f->include_count && !any_matches(f->include, f->include_count, line, len))
		return false;
	return !any_matches(f->exclude, f->exclude_count, line, len);
}

/* "# text" and a lone "#" are comments. */
static bool is_comment(const char *line, size_t len)
{
	return line[0] == '#' && (len == 1 || line[1] == ' ');
}

static const char *take_line(struct reader *r, const char *line, size_t len)
{
	struct profile *p = r->profile;
	struct sample sample;
	const char *wrong;

	if (!len)
		return NULL;
	if (is_comment(line, len)) {
		source_read(&p->source, line, len);
		if (r->filter->split)
			dimension_read(r->filter->split, line, len);
		return NULL;
	}
	p->lines++;
	if (!is_wanted(r->filter, line, len)) {
		p->filtered_lines++;
		return NULL;
	}
	wrong = sample_parse(&sample, line, len);
	if (!wrong && r->filter->split)
		sample.stack = dimension_move(r->filter->split, sample.stack, &sample.stack_len,
					      r->filter->reverse);
	return wrong ? wrong : add_sample(r, &sample);
}

int profile_read(struct profile *p, const char *path, const struct profile_filter *filter)
{
	struct reader r = { .profile = p, .filter = filter };
	struct lines in;
	const char *wrong;
	size_t len;
	char *line;
	int status;

	if (lines_open(&in, path) < 0)
		return -1;
	ensure_root(p);
	if (filter->split)
		dimension_begin(filter->split);
	while (lines_next(&in, &line, &len)) {
		if (in.number == 1 && len >= 8 && !memcmp(line, "PERFILE2", 8)) {
			status = error("%s: is a recording: pyrograph collapse %s | pyrograph render flame",
				       in.path, path);
			goto out;
		}
		wrong = take_line(&r, line, len);
		if (wrong && ++p->bad_lines <= REPORTED_MAX)
			error("%s:%" PRIu64 ": %s: \"%.*s%s\"", in.path, in.number, wrong,
			      len > SHOWN_MAX ? SHOWN_MAX : (int)len, line,
			      len > SHOWN_MAX ? "..." : "");
	}
	status = in.failed ? -1 : 0;
out:
	lines_close(&in);
	free(r.stack);
	free(r.frames);
	return status;
}

void profile_close(struct profile *p)
{
	free(p->slots);
	p->slots = NULL;
	p->slot_count = 0;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	intern_free(&p->names);
	source_free(&p->source);
	free(p->nodes);
	free(p->slots);
	*p = (struct profile){0};
}
