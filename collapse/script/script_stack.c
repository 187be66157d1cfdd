#include "collapse/script/script_stack.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/names.h"
#include "collapse/script/script_header.h"
#include "collapse/script/script_inline.h"
#include "core/format/folded.h"
#include "core/memory.h"

enum { SEEN_BITS = 17 }; /* at most 8 MB for each thread */

enum { DEPTH_MAX = 127 }; /* as deep as the kernel walks, unless sysctl kernel.perf_event_max_stack is changed */

/* --- one line after the other ----------------------------------------------------------- */

/* A stack while it is read. */
struct stack_reading {
	const char *last_address; /* the address in the line before, if nothing is mapped there */
	size_t last_len;
	size_t depth; /* frames that the kernel walked */
	bool wrong;   /* a line could not be read */
	bool inlined; /* the line before is an inlined function, so perf has already looked up this address */
	bool kernel;  /* the line before is of the kernel */
	bool tabbed;  /* frames begin with a tab, as in perf's own text */
};

/* A frame pointer that points to itself leads to the same address again and again; only one such frame is kept, as in
 * recordings. */
static bool script_stack_is_repeated(struct stack_reading *r, const struct script_line *frame, const char *line,
				     size_t len)
{
	bool same = frame->nowhere && r->last_address && r->last_len == len && !memcmp(r->last_address, line, len);

	r->last_address = frame->nowhere ? line : NULL;
	r->last_len = len;
	return same;
}

static void script_stack_add_line(struct script_stacks *k, struct text_stacks *s, struct stack_reading *r,
				  const struct script_line *frame, const char *line, size_t len)
{
	bool is_return = r->depth && (frame->kernel || !r->kernel), known = r->inlined;

	r->depth += !frame->inlined;
	r->inlined = frame->inlined;
	r->kernel = frame->kernel;
	if (script_stack_is_repeated(r, frame, line, len))
		return;
	if (frame->place && !known) {
		k->frames = xgrow(k->frames, &k->cap, k->count + 1, sizeof(*k->frames));
		k->frames[k->count++] = script_pending(s, frame->place - 1, is_return);
		return;
	}
	k->frames = xgrow(k->frames, &k->cap, k->count + frame->count, sizeof(*k->frames));
	for (uint32_t i = frame->count; i-- > 0;)
		k->frames[k->count++] = k->lines.frames[frame->start + i];
}

/* Make a stack of the frames, in reversed order. */
static uint32_t script_stack_finish(struct script_stacks *k, struct text_stacks *s, const struct stack_reading *r)
{
	if (r->depth >= DEPTH_MAX) {
		k->frames = xgrow(k->frames, &k->cap, k->count + 1, sizeof(*k->frames));
		k->frames[k->count++] =
			text_frame(s, TEXT_PLAIN, FOLDED_TRUNCATED_FRAME, strlen(FOLDED_TRUNCATED_FRAME));
	}
	return text_stack_leaf_first(s, k->frames, k->count);
}

static const char *line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline : end;
}

static size_t without_return(const char *line, const char *end)
{
	return (size_t)(end - line) - (end > line && end[-1] == '\r');
}

/* Does the next sample begin here, although no blank line ended the last one? */
static bool script_stack_is_header(const struct text_stacks *s, const char *line, size_t len)
{
	struct script_header h;

	if (*line == '\t' || (*line != ' ' && script_is_frame(line, len) && line[len - 1] == ')'))
		return false;
	if (script_is_output(line, len))
		return false;
	if (*line != ' ')
		return true;
	if (!(s->setup->fields & SCRIPT_HAS_TIME) && script_is_frame(line, len))
		return false;
	return script_header_read(line, len, s->setup->fields, &h);
}

/* Find the stack's line that begins at *at and ends before end, and move *at behind it.  Returns false if the stack has
 * no more lines. */
static bool script_stack_next_line(struct script_stacks *k, const struct text_stacks *s, const char **at,
				   const char *end, struct script_line_ahead *line)
{
	const char *stop, *next;
	size_t len;

	if (*at >= end)
		return false;
	stop = line_end(*at, end);
	next = stop < end ? stop + 1 : end;
	len = without_return(*at, stop);
	if (!len || script_stack_is_header(s, *at, len))
		return false;
	if (s->setup->style->lines && next < end) {
		const char *source_end = line_end(next, end);

		if (script_is_srcline(next, without_return(next, source_end))) {
			len = without_return(*at, source_end);
			next = source_end < end ? source_end + 1 : end;
		}
	}
	script_line_look(&k->lines, s, *at, len, line);
	*at = next;
	return true;
}

/* Read lines up to end, a blank line or the end of the part.  The next line is always prefetched while one is read.
 * Returns the text after the stack. */
static const char *script_stack_read_lines(struct script_stacks *k, struct text_stacks *s, const char *at,
					   const char *end, struct stack_reading *r)
{
	const char *part_end = s->part->text + s->part->len;
	struct script_line_ahead line, next = { 0 };
	bool more = script_stack_next_line(k, s, &at, end, &next);

	while (more) {
		const struct script_line *frame;

		line = next;
		more = script_stack_next_line(k, s, &at, end, &next);
		frame = script_line_read(&k->lines, s, &line);
		r->tabbed |= *line.text == '\t';
		if (r->tabbed && *line.text == ' ') /* what -F +phys_addr has after the stack */
			continue;
		if (frame) {
			script_stack_add_line(k, s, r, frame, line.text, line.len);
		} else if (*line.text == '\t') { /* others are source lines, registers, branches */
			text_wrong(s, line.text, "no address");
			r->wrong = true;
		}
	}
	return at < part_end ? at : part_end;
}

/* --- whole stacks ------------------------------------------------------------------------- */

bool script_stack_look(struct script_stacks *k, const struct text_stacks *s, const char *at, struct script_ahead *ahead)
{
	if (k->unparted || s->setup->fields & SCRIPT_HAS_RETURNS)
		return false;
	ahead->at = at;
	ahead->end = blank_line_find(at, s->part->text + s->part->len, &ahead->hash);
	script_cache_look(&k->seen, ahead->hash.b);
	return true;
}

const char *script_stack_ahead(struct script_stacks *k, struct text_stacks *s, const struct script_ahead *ahead,
			       uint32_t *stack)
{
	uint32_t seen = script_cache_find(&k->seen, ahead->hash.b, (uint32_t)ahead->hash.a);
	struct stack_reading r = { 0 };
	const char *next;

	if (seen) {
		*stack = seen - 1;
		return ahead->end;
	}
	k->count = 0;
	next = script_stack_read_lines(k, s, ahead->at, ahead->end, &r);
	*stack = script_stack_finish(k, s, &r);
	k->unparted = next < ahead->end;
	if (next == ahead->end && !r.wrong)
		script_cache_add(&k->seen, SEEN_BITS, ahead->hash.b, (uint32_t)ahead->hash.a, *stack);
	return next;
}

const char *script_stack_read(struct script_stacks *k, struct text_stacks *s, const char *at, uint32_t *stack)
{
	struct script_ahead ahead;
	struct stack_reading r = { 0 };
	const char *next;

	if (script_stack_look(k, s, at, &ahead))
		return script_stack_ahead(k, s, &ahead, stack);
	k->count = 0;
	next = script_stack_read_lines(k, s, at, s->part->text + s->part->len, &r);
	*stack = script_stack_finish(k, s, &r);
	return next;
}

uint32_t script_stack_of_one(struct script_stacks *k, struct text_stacks *s, const char *frame, size_t len)
{
	const struct script_line *line;
	struct script_line_ahead ahead;
	struct stack_reading r = { 0 };

	k->count = 0;
	script_line_look(&k->lines, s, frame, len, &ahead);
	line = script_line_read(&k->lines, s, &ahead);
	if (line)
		script_stack_add_line(k, s, &r, line, frame, len);
	return script_stack_finish(k, s, &r);
}

void script_stacks_free(struct script_stacks *k)
{
	script_lines_free(&k->lines);
	script_cache_free(&k->seen);
	free(k->frames);
	*k = (struct script_stacks){ 0 };
}
