#include "collect/jvm/code/code_map.h"

#include <stdlib.h>

#include "collect/jvm/code/code_loops.h"
#include "collect/jvm/code/code_path.h"
#include "collect/jvm/code/x86_code.h"
#include "core/memory.h"
#include "core/sorted.h"

enum {
	NOWHERE = -1, /* no instruction */
	FAR = 1 << 30,
	PATH_STEPS_MAX = 40, /* of a path leading to a call */
	PASSES_MAX = 8,      /* passes over the code; more would help only with deeper loop nests */
	TAKEN = 6,           /* cost of a taken branch in instructions; most branches are seldom taken */
};

struct nearest_record {
	int32_t distance; /* instructions on the path */
	int32_t scope;
};

struct step {
	int32_t at;
	int32_t target; /* number of an instruction, or NOWHERE */
	enum x86_kind kind;
	int32_t scope;        /* from debug information; 0: none */
	bool is_in_mute_loop; /* in a loop without debug information */
	int32_t loop;         /* scope of the loop, as far as its operations show it; 0: unknown */
	struct nearest_record ahead, behind;
};

struct flow {
	const struct method_code *code;
	struct step *steps;
	int32_t count;
	size_t cap;
};

/* ---- instructions --------------------------------------------------------------------------------- */

static int32_t code_map_find_step(const struct flow *f, int64_t at)
{
	int32_t low = FIRST_NOT(i, (size_t)f->count, f->steps[i].at < at);

	return low < f->count && f->steps[low].at == at ? low : NOWHERE;
}

static bool code_map_goes_on(const struct step *s)
{
	return s->kind != X86_JUMP && s->kind != X86_END;
}

/* Padding at the end of the code may not decode. */
static bool decode_all(struct flow *f)
{
	enum { REST = 64 };
	const struct method_code *c = f->code;
	struct x86_instruction in;

	for (size_t at = 0; at < c->len; at += in.len) {
		if (!x86_decode(c->bytes + at, c->len - at, &in))
			return f->count && at + REST > c->len;
		f->steps = xgrow(f->steps, &f->cap, (size_t)f->count + 1, sizeof(*f->steps));
		f->steps[f->count++] = (struct step){
			.at = (int32_t)at,
			.kind = in.kind,
			.target = in.distance,
			.ahead = { FAR, 0 },
			.behind = { FAR, 0 },
		};
	}
	return f->count;
}

static void find_targets(struct flow *f)
{
	for (int32_t i = 0; i < f->count; i++) {
		struct step *s = &f->steps[i];
		bool goes_there = i + 1 < f->count && (s->kind == X86_BRANCH || s->kind == X86_JUMP);

		s->target = goes_there ? code_map_find_step(f, (int64_t)f->steps[i + 1].at + s->target) : NOWHERE;
	}
}

/* ---- debug information --------------------------------------------------------------------------------- */

static void tell_calls(struct flow *f)
{
	for (size_t i = 0; i < f->code->told_count; i++) {
		const struct told *t = &f->code->told[i];
		int32_t n = t->scope > 0 ? code_map_find_step(f, t->at) : NOWHERE;

		if (n == NOWHERE)
			continue;
		if (n && f->steps[n - 1].kind == X86_CALL)
			n--;
		f->steps[n].scope = t->scope;
	}
}

/* The scope of the call that code leads to without branching; 0: none. */
static int32_t scope_of_path(const struct flow *f, int32_t n)
{
	for (int i = 0; n >= 0 && n < f->count && i < PATH_STEPS_MAX; i++) {
		const struct step *s = &f->steps[n];

		if (s->kind == X86_CALL || s->scope)
			return s->scope;
		if (s->kind == X86_END || s->kind == X86_BRANCH)
			return 0;
		n = s->kind == X86_JUMP ? s->target : n + 1;
	}
	return 0;
}

static void tell_null_checks(struct flow *f)
{
	for (size_t i = 0; i < f->code->check_count; i++) {
		int32_t n = code_map_find_step(f, f->code->checks[i].at);
		int32_t handler = code_map_find_step(f, f->code->checks[i].handler);

		if (n != NOWHERE && handler != NOWHERE && !f->steps[n].scope)
			f->steps[n].scope = scope_of_path(f, handler);
	}
}

/* Rare code is placed after all frequent code. */
static void tell_branches(struct flow *f)
{
	int32_t *found = xcalloc((size_t)f->count, sizeof(*found));

	for (int32_t i = 0; i < f->count; i++) {
		const struct step *s = &f->steps[i];

		if (s->kind == X86_BRANCH && s->target > i + 1)
			found[i] = scope_of_path(f, s->target);
	}
	for (int32_t i = 0; i < f->count; i++) {
		if (!f->steps[i].scope)
			f->steps[i].scope = found[i];
	}
	free(found);
}

/* ---- nearest ------------------------------------------------------------------------------ */

/* If other, plus this many instructions, is nearer than the nearest known record, take other. */
static bool take_nearer(struct nearest_record *known, const struct nearest_record *other, int32_t more)
{
	if (!other->scope || other->distance + more >= known->distance)
		return false;
	*known = (struct nearest_record){ other->distance + more, other->scope };
	return true;
}

static int32_t way_to_target(const struct step *s)
{
	return s->kind == X86_JUMP ? 1 : TAKEN;
}

static bool look_ahead(struct flow *f)
{
	bool changed = false;

	for (int32_t i = f->count; i-- > 0;) {
		struct step *s = &f->steps[i];

		if (code_map_goes_on(s) && i + 1 < f->count)
			changed |= take_nearer(&s->ahead, &f->steps[i + 1].ahead, 1);
		if (s->target != NOWHERE)
			changed |= take_nearer(&s->ahead, &f->steps[s->target].ahead, way_to_target(s));
	}
	return changed;
}

static bool code_map_look_behind(struct flow *f)
{
	bool changed = false;

	for (int32_t i = 0; i < f->count; i++) {
		const struct step *s = &f->steps[i];

		if (code_map_goes_on(s) && i + 1 < f->count)
			changed |= take_nearer(&f->steps[i + 1].behind, &s->behind, 1);
		if (s->target != NOWHERE)
			changed |= take_nearer(&f->steps[s->target].behind, &s->behind, way_to_target(s));
	}
	return changed;
}

static void look_around(struct flow *f)
{
	for (int32_t i = 0; i < f->count; i++) {
		struct step *s = &f->steps[i];

		if (s->scope)
			s->ahead = s->behind = (struct nearest_record){ 0, s->scope };
	}
	for (int i = 0; i < PASSES_MAX && look_ahead(f); i++)
		;
	for (int i = 0; i < PASSES_MAX && code_map_look_behind(f); i++)
		;
}

static bool decode_step(const struct flow *f, int32_t n, struct x86_instruction *in)
{
	size_t at = (size_t)f->steps[n].at;

	return x86_decode(f->code->bytes + at, f->code->len - at, in);
}

/* Does a loop store vectors and read nothing, like one that clears a new array? */
static bool only_stores(const struct flow *f, int32_t from, int32_t to)
{
	enum { LEA = 0x8d, MOVDQA_TO = 0x7f, MOVUPS_TO = 0x11 };
	struct x86_instruction in;
	size_t stores = 0;

	for (int32_t i = from; i <= to; i++) {
		if (!decode_step(f, i, &in))
			return false;
		if (!in.has_memory || (!in.map && in.opcode == LEA))
			continue;
		if (in.map != 1 || (in.opcode != MOVDQA_TO && in.opcode != MOVUPS_TO))
			return false;
		stores++;
	}
	return stores;
}

/* The compiler moves checks and polls out of fast loops, so that the poll follows the loop, and the code before the
 * loop may belong to any method.  But a loop that clears an array belongs to the code before it, which made the
 * array. */
static void find_mute_loops(struct flow *f)
{
	int32_t told_before = NOWHERE; /* the last instruction so far that has debug information */

	for (int32_t i = 0; i < f->count; i++) {
		const struct step *s = &f->steps[i];
		bool clears;

		if (s->scope)
			told_before = i;
		if (s->target == NOWHERE || s->target > i || told_before >= s->target)
			continue;
		clears = only_stores(f, s->target, i);
		for (int32_t k = i; k >= s->target && !f->steps[k].is_in_mute_loop; k--) {
			f->steps[k].is_in_mute_loop = true;
			if (clears)
				f->steps[k].scope = f->steps[k].behind.scope;
		}
	}
}

static int32_t code_map_choose(const struct step *s)
{
	if (!s->ahead.scope || !s->behind.scope)
		return s->ahead.scope + s->behind.scope;
	return s->is_in_mute_loop || s->ahead.distance <= s->behind.distance ? s->ahead.scope : s->behind.scope;
}

/* ---- what loops do ----------------------------------------------------------------------------------- */

/* Loops without debug information, from their first to their last instruction. */
struct mute_loops {
	struct mute_loop {
		int32_t from, to;
	} * list;
	struct code_loop *loops;
	int32_t *scopes;
	size_t count, cap;
};

/* Adds a loop that contains no other one. */
static void add_mute_loop(struct mute_loops *m, int32_t from, int32_t to)
{
	if (m->count && m->list[m->count - 1].from > from)
		return;
	if (m->count && m->list[m->count - 1].from == from)
		m->count--;
	m->list = xgrow(m->list, &m->cap, m->count + 1, sizeof(*m->list));
	m->list[m->count++] = (struct mute_loop){ from, to };
}

static struct code_loop describe_loop(const struct flow *f, const struct mute_loop *l)
{
	const struct step *first = &f->steps[l->from];
	struct code_loop loop = { .behind = first->behind.scope,
				  .ahead = f->steps[l->to].ahead.scope,
				  .usual = code_map_choose(first) };
	struct x86_instruction in;

	for (int32_t i = l->from; i <= l->to; i++)
		loop.work |= decode_step(f, i, &in) ? work_of_instruction(&in) : 0;
	return loop;
}

static void find_loops(struct flow *f, struct mute_loops *m)
{
	int32_t told_before = NOWHERE;

	for (int32_t i = 0; i < f->count; i++) {
		const struct step *s = &f->steps[i];

		if (s->scope)
			told_before = i;
		if (s->target != NOWHERE && s->target <= i && told_before < s->target)
			add_mute_loop(m, s->target, i);
	}
}

/* Each loop gets the scope that its operations come from, if that can be told. */
static void tell_loops(struct flow *f)
{
	struct mute_loops m = { 0 };

	find_loops(f, &m);
	m.loops = xcalloc(m.count + 1, sizeof(*m.loops));
	m.scopes = xcalloc(m.count + 1, sizeof(*m.scopes));
	for (size_t i = 0; i < m.count; i++)
		m.loops[i] = describe_loop(f, &m.list[i]);
	code_loops_find(f->code, m.loops, m.count, m.scopes);
	for (size_t i = 0; i < m.count; i++) {
		for (int32_t k = m.list[i].from; m.scopes[i] && k <= m.list[i].to; k++) {
			f->steps[k].loop = m.scopes[i];
			f->steps[k].ahead = f->steps[k].behind = (struct nearest_record){ 0, m.scopes[i] };
		}
	}
	free(m.list);
	free(m.loops);
	free(m.scopes);
}

/* ---- what an instruction does ---------------------------------------------------------------------- */

/* Assign an instruction to a method if, among those between two described places, only this method has such an
 * operation. */
static void tell_work(struct flow *f)
{
	int32_t *found = xcalloc((size_t)f->count, sizeof(*found));
	struct code_path path = { 0 };
	struct x86_instruction in;

	for (int32_t i = 0; i < f->count; i++) {
		const struct step *s = &f->steps[i];
		uint32_t work = !s->scope && decode_step(f, i, &in) ? work_of_instruction(&in) : 0;

		if (!work)
			continue;
		if (path.behind != s->behind.scope || path.ahead != s->ahead.scope)
			code_path_find(&path, f->code, s->behind.scope, s->ahead.scope);
		found[i] = code_path_choose(&path, work, code_map_choose(s));
	}
	for (int32_t i = 0; i < f->count; i++) {
		f->steps[i].scope += found[i];
		if (!f->steps[i].scope)
			f->steps[i].scope = f->steps[i].loop;
		f->steps[i].ahead = f->steps[i].behind = (struct nearest_record){ FAR, 0 };
	}
	free(found);
}

/* ---------------------------------------------------------------------------------------------------- */

static void write_map(struct code_map *m, const struct flow *f)
{
	for (int32_t i = 0; i < f->count; i++) {
		int32_t scope = code_map_choose(&f->steps[i]);

		if (m->count && m->list[m->count - 1].scope == scope)
			continue;
		m->list = xgrow(m->list, &m->cap, m->count + 1, sizeof(*m->list));
		m->list[m->count++] = (struct told){ f->steps[i].at, scope };
	}
}

bool code_map_make(struct code_map *m, const struct method_code *code)
{
	struct flow f = { .code = code };
	bool is_whole = decode_all(&f);

	*m = (struct code_map){ 0 };
	if (is_whole) {
		find_targets(&f);
		tell_calls(&f);
		tell_null_checks(&f);
		tell_branches(&f);
		look_around(&f);
		find_mute_loops(&f);
		tell_loops(&f);
		tell_work(&f);
		look_around(&f);
		write_map(m, &f);
	}
	free(f.steps);
	return is_whole;
}

uint32_t code_map_scope(const struct code_map *m, uint32_t at)
{
	size_t low = FIRST_NOT(i, m->count, (uint32_t)m->list[i].at <= at);

	return low ? (uint32_t)m->list[low - 1].scope : 0;
}

const struct inlined_scope *inlined_scope_find(const struct inlined_scope *list, size_t count, int32_t scope)
{
	size_t i = FIRST_NOT(k, count, list[k].scope < scope);

	return scope > 0 && i < count && list[i].scope == scope ? &list[i] : NULL;
}

void code_map_free(struct code_map *m)
{
	free(m->list);
	*m = (struct code_map){ 0 };
}
