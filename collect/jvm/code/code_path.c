#include "collect/jvm/code/code_path.h"

void code_path_chain(const struct method_code *c, int32_t scope, struct path_chain *to)
{
	const struct inlined_scope *in;

	to->count = 0;
	while (to->count < CHAIN_DEPTH && (in = inlined_scope_find(c->inlined, c->inlined_count, scope))) {
		to->frames[to->count++] = in;
		scope = in->caller;
	}
	for (size_t i = 0; i < to->count / 2; i++) {
		in = to->frames[i];
		to->frames[i] = to->frames[to->count - 1 - i];
		to->frames[to->count - 1 - i] = in;
	}
}

static void code_path_add_piece(struct code_path *p, const struct method_code *c, const struct inlined_scope *in,
				int from, int to);

/* Each silent scope follows the place that calls it. */
static void add_silent(struct code_path *p, const struct method_code *c, uint32_t calls, int from, int to)
{
	for (uint32_t i = calls; i; i = c->inlined[i - 1].calls) {
		if (c->inlined[i - 1].bci >= from && c->inlined[i - 1].bci <= to)
			code_path_add_piece(p, c, &c->inlined[i], 0, CODE_END_BCI);
	}
}

static void code_path_add_piece(struct code_path *p, const struct method_code *c, const struct inlined_scope *in,
				int from, int to)
{
	if (p->count == PATH_PIECES)
		return;
	p->pieces[p->count++] =
		(struct path_piece){ in, from, to, work_of_bytecodes(&c->methods[in->method], from, to) };
	add_silent(p, c, in->calls, from, to);
}

/* Adds the frames, innermost first, up to the first one whose place is in a loop, since all of them are on the path
 * when the loop runs again. */
static void code_path_add_loop(struct code_path *p, const struct method_code *c, const struct path_chain *chain,
			       size_t common)
{
	for (size_t i = common; i-- > 0;) {
		const struct inlined_scope *in = chain->frames[i];

		code_path_add_piece(p, c, in, 0, CODE_END_BCI);
		if (work_loops_around(&c->methods[in->method], in->bci))
			break;
	}
}

/* Adds the path between two places if they are in the same method, or if one was called from the other's place.
 * Returns how many frames are done. */
static size_t code_path_add_common(struct code_path *p, const struct method_code *c, const struct path_chain *behind,
				   const struct path_chain *ahead, size_t common)
{
	const struct inlined_scope *from = common < behind->count ? behind->frames[common] : NULL;
	const struct inlined_scope *to = common < ahead->count ? ahead->frames[common] : NULL;

	if (from && to && from->method == to->method) {
		if (from->bci < to->bci)
			code_path_add_piece(p, c, to, from->bci, to->bci);
		else
			code_path_add_loop(p, c, ahead, common + 1);
		return common + 1;
	}
	if (!from || !to)
		code_path_add_loop(p, c, ahead, common);
	return common;
}

void code_path_find(struct code_path *p, const struct method_code *c, int32_t behind_scope, int32_t ahead_scope)
{
	struct path_chain behind, ahead;
	size_t common = 0;

	*p = (struct code_path){ .behind = behind_scope, .ahead = ahead_scope };
	code_path_chain(c, behind_scope, &behind);
	code_path_chain(c, ahead_scope, &ahead);
	if (!behind.count && !ahead.count && c->inlined_count)
		code_path_add_piece(p, c, &c->inlined[0], 0, CODE_END_BCI); /* the outermost: it comes first */
	while (common < behind.count && common < ahead.count && behind.frames[common] == ahead.frames[common])
		common++;
	common = code_path_add_common(p, c, &behind, &ahead, common);
	for (size_t i = common; i < behind.count; i++)
		code_path_add_piece(p, c, behind.frames[i], behind.frames[i]->bci, CODE_END_BCI);
	for (size_t i = common; i < ahead.count; i++)
		code_path_add_piece(p, c, ahead.frames[i], 0, ahead.frames[i]->bci);
}

int32_t code_path_choose(const struct code_path *p, uint32_t work, int32_t usual)
{
	int32_t scope = 0;
	size_t found = 0;

	for (size_t i = 0; i < p->count; i++) {
		if (!(p->pieces[i].work & work))
			continue;
		if (p->pieces[i].in->scope == usual)
			return usual;
		scope = p->pieces[i].in->scope;
		found++;
	}
	return found == 1 ? scope : 0;
}
