#include "collect/jvm/silent.h"

#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"

enum {
	INLINED_MAX = 325, /* bytes of a method: FreqInlineSize */
	LEVELS_MAX = 9,    /* MaxInlineLevel was 9 up to JDK 13 */
	SCOPES_ADDED = 512,
	CALLS_LOOKED_UP = 1024,
};

struct silent {
	struct inline_tree *tree;
	const struct callees *callees;
	struct map told; /* (activation, bci) of debug information */
	size_t added, looked_up;
};

static void add_scope(struct silent *s, struct inlined_scope scope)
{
	struct inline_tree *t = s->tree;

	scope.scope = SILENT_SCOPE + (int32_t)s->added++;
	scope.place = (uint32_t)t->count + 1;
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count++] = scope;
}

/* The bytecode that is used for a method as a whole: the beginning of its first loop. */
static int find_middle(const struct bytecodes *b)
{
	struct bytecode_loop loop;

	return bytecode_loops(b, &loop, 1) ? loop.from : 0;
}

static void add_calls(struct silent *s, struct inlined_scope caller, int level);

static void silent_add_call(struct silent *s, const struct inlined_scope *caller, int bci, int level)
{
	struct inlined_scope call = *caller, in = { 0 };
	struct inline_tree *t = s->tree;
	struct method_parts parts;
	struct bytecodes code;
	uint64_t method;

	method = callee_find(s->callees, t->pools[caller->method], &t->methods[caller->method], (size_t)bci, &parts);
	if (!method || parts.code_size > INLINED_MAX || s->added + 2 > SCOPES_ADDED ||
	    !inline_tree_bytecodes(s->callees->metadata, &parts, &code))
		return;
	call.bci = bci;
	add_scope(s, call);
	in.caller = t->list[t->count - 1].scope;
	in.method = inline_tree_add(t, method, parts.pool, code);
	in.activation = ++t->activations;
	in.bci = find_middle(&code);
	add_scope(s, in);
	add_calls(s, t->list[t->count - 1], level + 1);
}

static void add_calls(struct silent *s, struct inlined_scope caller, int level)
{
	size_t size;

	for (size_t at = 0; level < LEVELS_MAX; at += size) {
		struct bytecodes code = s->tree->methods[caller.method];

		size = bytecode_length(&code, at);
		if (!size)
			break;
		if (callee_is_called(&code, at) && !map_get(&s->told, caller.activation, (uint32_t)at) &&
		    s->looked_up++ < CALLS_LOOKED_UP)
			silent_add_call(s, &caller, (int)at, level);
	}
}

void silent_link(struct inlined_scope *list, size_t count)
{
	size_t first = FIRST_NOT(k, count, list[k].scope < SILENT_SCOPE);
	struct map calls = { 0 };

	for (size_t i = count; i > first; i -= 2) {
		struct inlined_scope *call = &list[i - 2];

		call->calls = map_get(&calls, call->activation, 0);
		*map_at(&calls, call->activation, 0) = (uint32_t)(i - 1);
	}
	for (size_t i = 0; i < count; i++) {
		if (i < first || (i - first) % 2)
			list[i].calls = map_get(&calls, list[i].activation, 0);
	}
	map_free(&calls);
}

void silent_add(struct inline_tree *t, const struct callees *c)
{
	struct silent s = { .tree = t, .callees = c };
	size_t count = t->count;
	uint32_t done = 0;

	for (size_t i = 0; i < count; i++)
		*map_at(&s.told, t->list[i].activation, (uint32_t)t->list[i].bci) = 1;
	for (size_t i = 0; i < count; i++) {
		if (t->list[i].activation <= done)
			continue; /* activations are numbered in the order of the list */
		done = t->list[i].activation;
		add_calls(&s, t->list[i], 0);
	}
	map_free(&s.told);
	silent_link(t->list, t->count);
}
