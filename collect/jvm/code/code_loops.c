#include "collect/jvm/code/code_loops.h"

#include <stdlib.h>
#include <string.h>

#include "collect/jvm/code/code_path.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { MADE_MAX = 128, LOOPS_OF_METHOD = 16 };

/* Scores for work that both loops do, for work that only one of them does, and for loops in and out of the order of the
 * bytecodes, since the compiler may begin an outer loop in the middle. */
enum {
	BOTH = 8,
	ONLY_MACHINE = -6,
	ONLY_BYTECODES = -4,
	BOTH_ADD = 2,
	USUAL = 2,
	NEXT = 1,
	BACK = -4,
	NEVER = -1000000,
};

/* A loop in bytecodes on the path between two places. */
struct loop_source {
	const struct inlined_scope *in;
	uint32_t work;
	bool is_behind; /* it comes after the first place */
	struct path_chain chain;
	int32_t from;
};

/* ---- loops in bytecodes ----------------------------------------------------------------------- */

/* Orders two places: in the first frame that differs, the earlier one comes first. */
static int compare_places(const struct path_chain *a, int32_t a_bci, const struct path_chain *b, int32_t b_bci)
{
	size_t count = a->count < b->count ? a->count : b->count;

	for (size_t i = 0; i < count; i++) {
		int32_t one = i + 1 == a->count ? a_bci : a->frames[i]->bci;
		int32_t other = i + 1 == b->count ? b_bci : b->frames[i]->bci;

		if (one != other)
			return ORDER(one, other);
	}
	return ORDER(a->count, b->count);
}

static int compare_sources(const void *a, const void *b)
{
	const struct loop_source *one = a, *other = b;

	if (one->is_behind != other->is_behind)
		return other->is_behind - one->is_behind;
	return compare_places(&one->chain, one->from, &other->chain, other->from);
}

/* The work of silent methods that are called in a range, added to *work.  Returns false if one of them has a loop, so
 * that the range is not an innermost loop. */
static bool add_called(const struct method_code *c, uint32_t calls, int from, int to, uint32_t *work)
{
	struct bytecode_loop loop;

	for (uint32_t i = calls; i; i = c->inlined[i - 1].calls) {
		const struct inlined_scope *call = &c->inlined[i - 1], *in = &c->inlined[i];

		if (call->bci < from || call->bci > to)
			continue;
		if (bytecode_loops(&c->methods[in->method], &loop, 1) ||
		    !add_called(c, in->calls, 0, CODE_END_BCI, work))
			return false;
		*work |= work_of_bytecodes(&c->methods[in->method], 0, CODE_END_BCI);
	}
	return true;
}

/* A method that contains both places is on the path in several pieces. */
static bool code_loops_is_there(const struct loop_source *list, uint32_t count, const struct inlined_scope *in,
				int32_t from)
{
	for (uint32_t i = 0; i < count; i++) {
		if (list[i].in->activation == in->activation && list[i].from == from)
			return true;
	}
	return false;
}

static uint32_t add_sources(const struct method_code *c, const struct path_piece *piece,
			    const struct path_chain *behind, struct loop_source *to, uint32_t count)
{
	const struct bytecodes *b = &c->methods[piece->in->method];
	struct bytecode_loop loops[LOOPS_OF_METHOD];
	size_t there = bytecode_loops(b, loops, LOOPS_OF_METHOD);

	for (size_t i = 0; i < there && count < MADE_MAX; i++) {
		struct loop_source *s = &to[count];

		if (loops[i].to < piece->from || loops[i].from > piece->to ||
		    code_loops_is_there(to, count, piece->in, loops[i].from))
			continue;
		*s = (struct loop_source){ .in = piece->in,
					   .from = loops[i].from,
					   .work = work_of_bytecodes(b, loops[i].from, loops[i].to) };
		if (!add_called(c, piece->in->calls, loops[i].from, loops[i].to, &s->work))
			continue;
		code_path_chain(c, piece->in->scope, &s->chain);
		s->is_behind = behind->count &&
			       compare_places(behind, behind->frames[behind->count - 1]->bci, &s->chain, s->from) <= 0;
		count++;
	}
	return count;
}

static uint32_t code_loops_find_sources(const struct method_code *c, int32_t behind_scope, int32_t ahead_scope,
					struct loop_source *to)
{
	struct path_chain behind;
	struct code_path path;
	uint32_t count = 0;

	code_path_chain(c, behind_scope, &behind);
	code_path_find(&path, c, behind_scope, ahead_scope);
	for (size_t i = 0; i < path.count; i++)
		count = add_sources(c, &path.pieces[i], &behind, to, count);
	qsort(to, count, sizeof(*to), compare_sources);
	return count;
}

/* ---- which is made of which ------------------------------------------------------------------------- */

static int score(const struct method_code *c, const struct code_loop *loop, const struct loop_source *source)
{
	const struct inlined_scope *usual = inlined_scope_find(c->inlined, c->inlined_count, loop->usual);
	uint32_t machine = loop->work & ~(uint32_t)WORK_ADD, bytes = source->work & ~(uint32_t)WORK_ADD;
	int sum = BOTH * __builtin_popcount(machine & bytes) + ONLY_MACHINE * __builtin_popcount(machine & ~bytes) +
		  ONLY_BYTECODES * __builtin_popcount(bytes & ~machine);

	if (usual && usual->activation == source->in->activation)
		sum += USUAL;
	return sum + ((loop->work & source->work & WORK_ADD) ? BOTH_ADD : 0);
}

/* The best score of the loops so far, with this source for the last one. */
struct loop_choice {
	int best;
	uint32_t last; /* the last source that was given to the loops before this one */
	bool is_made;  /* is this loop made of the source? */
};

/* The score to add if the loop before has another source; source 0 is no source. */
static int step_from(uint32_t last, uint32_t source)
{
	return last < source ? NEXT : last > source ? BACK : 0;
}

static struct loop_choice choose_source(const struct loop_choice *before, uint32_t source, uint32_t count, int made)
{
	struct loop_choice choice = { before[source].best, source, false };

	for (uint32_t last = 0; source && last < count; last++) {
		int best = before[last].best + made + step_from(last, source);

		if (best > choice.best)
			choice = (struct loop_choice){ best, last, true };
	}
	return choice;
}

/* Source 0 is none; the others follow. */
static void code_loops_match(const struct method_code *c, const struct code_loop *loops, size_t count,
			     const struct loop_source *sources, uint32_t source_count, int32_t *scopes)
{
	uint32_t width = source_count + 1, at = 0;
	struct loop_choice *choices = xcalloc((count + 1) * width, sizeof(*choices)), *last = choices + count * width;

	for (uint32_t s = 1; s < width; s++)
		choices[s].best = NEVER;
	for (size_t l = 0; l < count; l++) {
		for (uint32_t s = 0; s < width; s++)
			choices[(l + 1) * width + s] = choose_source(choices + l * width, s, width,
								     s ? score(c, &loops[l], &sources[s - 1]) : 0);
	}
	for (uint32_t s = 0; s < width; s++) {
		if (last[s].best > last[at].best)
			at = s;
	}
	for (size_t l = count; l-- > 0;) {
		const struct loop_choice *choice = &choices[(l + 1) * width + at];

		if (choice->is_made)
			scopes[l] = sources[at - 1].in->scope;
		at = choice->last;
	}
	free(choices);
}

void code_loops_find(const struct method_code *c, const struct code_loop *loops, size_t count, int32_t *scopes)
{
	struct loop_source *sources = xcalloc(MADE_MAX, sizeof(*sources));
	size_t next;

	memset(scopes, 0, count * sizeof(*scopes));
	for (size_t i = 0; i < count; i = next) {
		uint32_t found;

		next = i + 1;
		while (next < count && loops[next].behind == loops[i].behind && loops[next].ahead == loops[i].ahead)
			next++;
		found = code_loops_find_sources(c, loops[i].behind, loops[i].ahead, sources);
		if (found)
			code_loops_match(c, loops + i, next - i, sources, found, scopes + i);
	}
	free(sources);
}
