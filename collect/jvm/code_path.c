#include "collect/jvm/code_path.h"

#include <stdlib.h>

#include "core/sorted.h"

enum { DEPTH_MAX = 64, END = 65536 };

/* The frames of a scope, outermost first. */
struct path_chain {
	const struct inlined_scope *frames[DEPTH_MAX];
	size_t count;
};

static int compare_scopes(const void *key, const void *item)
{
	const int32_t *scope = key;
	const struct inlined_scope *in = item;

	return ORDER(*scope, in->scope);
}

static const struct inlined_scope *find_scope(const struct method_code *c, int32_t scope)
{
	return scope > 0 && c->inlined_count
		       ? bsearch(&scope, c->inlined, c->inlined_count, sizeof(*c->inlined), compare_scopes)
		       : NULL;
}

static void find_chain(const struct method_code *c, int32_t scope, struct path_chain *to)
{
	const struct inlined_scope *in;

	to->count = 0;
	while (to->count < DEPTH_MAX && (in = find_scope(c, scope))) {
		to->frames[to->count++] = in;
		scope = in->caller;
	}
	for (size_t i = 0; i < to->count / 2; i++) {
		in = to->frames[i];
		to->frames[i] = to->frames[to->count - 1 - i];
		to->frames[to->count - 1 - i] = in;
	}
}

static void add_piece(struct code_path *p, const struct method_code *c, const struct inlined_scope *in, int from,
		      int to)
{
	uint32_t work = work_of_bytecodes(&c->methods[in->method], from, to);

	if (work && p->count < PATH_PIECES)
		p->pieces[p->count++] = (struct path_piece){ in->scope, work };
}

/* Adds the frames, innermost first, up to the first one with a loop around its place: when the loop runs again, all
 * of them are on the path. */
static void add_loop(struct code_path *p, const struct method_code *c, const struct path_chain *chain, size_t common)
{
	for (size_t i = common; i-- > 0;) {
		const struct inlined_scope *in = chain->frames[i];

		add_piece(p, c, in, 0, END);
		if (work_loops_around(&c->methods[in->method], in->bci))
			break;
	}
}

/* Adds the path between two places if they are in the same method, or if one was called from the other's place.
 * Returns how many frames are done. */
static size_t add_common(struct code_path *p, const struct method_code *c, const struct path_chain *behind,
			 const struct path_chain *ahead, size_t common)
{
	const struct inlined_scope *from = common < behind->count ? behind->frames[common] : NULL;
	const struct inlined_scope *to = common < ahead->count ? ahead->frames[common] : NULL;

	if (from && to && from->method == to->method) {
		if (from->bci < to->bci)
			add_piece(p, c, to, from->bci, to->bci);
		else
			add_loop(p, c, ahead, common + 1);
		return common + 1;
	}
	if (!from || !to)
		add_loop(p, c, ahead, common);
	return common;
}

void code_path_find(struct code_path *p, const struct method_code *c, int32_t behind_scope, int32_t ahead_scope)
{
	struct path_chain behind, ahead;
	size_t common = 0;

	*p = (struct code_path){ .behind = behind_scope, .ahead = ahead_scope };
	find_chain(c, behind_scope, &behind);
	find_chain(c, ahead_scope, &ahead);
	while (common < behind.count && common < ahead.count && behind.frames[common] == ahead.frames[common])
		common++;
	common = add_common(p, c, &behind, &ahead, common);
	for (size_t i = common; i < behind.count; i++)
		add_piece(p, c, behind.frames[i], behind.frames[i]->bci, END);
	for (size_t i = common; i < ahead.count; i++)
		add_piece(p, c, ahead.frames[i], 0, ahead.frames[i]->bci);
}

int32_t code_path_choose(const struct code_path *p, uint32_t work, int32_t usual)
{
	int32_t scope = 0;
	size_t found = 0;

	for (size_t i = 0; i < p->count; i++) {
		if (!(p->pieces[i].work & work))
			continue;
		if (p->pieces[i].scope == usual)
			return usual;
		scope = p->pieces[i].scope;
		found++;
	}
	return found == 1 ? scope : 0;
}
