/* The trie of a profile: from a stack's text to its number. */
#include "render/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/load_ahead.h"
#include "core/memory.h"

/* ENDS: the name in the table of a stack that ends within another one. */
enum { FIRST_COUNT = 1024, ENDS = PROFILE_HEAD - 1 };

/* ---- what hangs below a node ---------------------------------------------- */

/* A slot holds everything that a search needs, so that no other memory is accessed.  A slot whose stack is 0 is free,
 * since the root's stack is never in the table.  Nodes that follow their parent in the same stack are not in the table,
 * either, as profile_child() finds them without it.  The table is made for the first stack that is looked up; sorted
 * lines need none. */
struct profile_slot {
	uint32_t parent, name;
	uint32_t stack, first; /* of its nodes */
};

static uint64_t hash_of(uint32_t parent, uint32_t name)
{
	return hash_mix((uint64_t)parent << 32 | name, 0);
}

static uint32_t profile_trie_key_name(const struct profile *p, uint32_t stack)
{
	uint32_t first = p->stacks[stack].first;

	return first < profile_stack_end(p, stack) ? profile_name(p, first) : (uint32_t)ENDS;
}

static void put_slot(struct profile *p, uint32_t name, uint32_t stack)
{
	uint32_t parent = p->stacks[stack].parent;
	size_t mask = p->slot_count - 1, i = hash_of(parent, name) & mask;

	while (p->slots[i].stack)
		i = (i + 1) & mask;
	p->slots[i] = (struct profile_slot){ parent, name, stack, p->stacks[stack].first };
}

static void profile_trie_grow_slots(struct profile *p)
{
	free(p->slots);
	p->slot_count = p->slot_count ? p->slot_count * 2 : FIRST_COUNT;
	while (p->stack_count * 2 >= p->slot_count)
		p->slot_count *= 2;
	p->slots = xcalloc(p->slot_count, sizeof(*p->slots));
	for (uint32_t s = 1; s < p->stack_count; s++)
		put_slot(p, profile_trie_key_name(p, s), s);
}

/* The slot of the stack that hangs below parent and begins with name; a free slot if there is no such stack. */
static const struct profile_slot *find_stack(struct profile *p, uint32_t parent, uint32_t name)
{
	uint64_t hash = hash_of(parent, name);
	size_t i;

	if (!p->slot_count)
		profile_trie_grow_slots(p);
	for (i = hash & (p->slot_count - 1); p->slots[i].stack; i = (i + 1) & (p->slot_count - 1)) {
		if (p->slots[i].parent == parent && p->slots[i].name == name)
			break;
	}
	return &p->slots[i];
}

/* ---- nodes ---------------------------------------------------------------- */

void profile_add_node(struct profile *p, uint32_t name)
{
	bool head = p->count == p->stacks[p->stack_count - 1].first;

	if (p->count == p->cap) {
		if (p->count >= ENDS) /* so there cannot be more names either */
			die("more than 2 billion different frames");
		p->nodes = xgrow(p->nodes, &p->cap, p->count + FIRST_COUNT, sizeof(*p->nodes));
	}
	p->nodes[p->count++] = head ? name | PROFILE_HEAD : name;
}

uint32_t profile_begin_stack(struct profile *p, uint32_t parent, uint32_t in)
{
	if (p->stack_count >= UINT32_MAX)
		die("more than 4 billion different stacks");
	p->stacks = xgrow(p->stacks, &p->stacks_cap, p->stack_count + 1, sizeof(*p->stacks));
	p->stacks[p->stack_count] = (struct profile_stack){ .first = (uint32_t)p->count, .parent = parent, .in = in };
	return (uint32_t)p->stack_count++;
}

uint32_t profile_hang(struct profile *p, uint32_t parent, uint32_t in, uint32_t name)
{
	uint32_t stack;

	if (p->slot_count && p->stack_count * 2 >= p->slot_count)
		profile_trie_grow_slots(p);
	stack = profile_begin_stack(p, parent, in);
	if (p->slot_count)
		put_slot(p, name, stack);
	return stack;
}

void profile_ensure_root(struct profile *p)
{
	if (p->count)
		return;
	intern_add(&p->names, "all", 3);
	intern_append(&p->names, "...", 3);
	profile_begin_stack(p, 0, 0);
	profile_add_node(p, PROFILE_ROOT_NAME);
}

/* Is node + 1 a child of node?  It is, unless it begins another stack. */
static bool profile_trie_goes_on(const struct profile *p, uint32_t node)
{
	return node + 1 < p->count && !(p->nodes[node + 1] & PROFILE_HEAD);
}

uint32_t profile_child(struct profile *p, uint32_t node, uint32_t *in, uint32_t name)
{
	const struct profile_slot *slot;

	if (p->slot_count) /* both are far away in memory */
		load_ahead(&p->slots[hash_of(node, name) & (p->slot_count - 1)], 1);
	if (profile_trie_goes_on(p, node) && profile_name(p, node + 1) == name)
		return node + 1;
	slot = find_stack(p, node, name);
	if (!slot->stack)
		return 0;
	*in = slot->stack;
	return slot->first;
}

uint32_t profile_ending(struct profile *p, uint32_t node, uint32_t in)
{
	uint32_t found;

	if (!profile_trie_goes_on(p, node)) /* its stack ended here when it was added */
		return in;
	found = find_stack(p, node, ENDS)->stack;
	return found ? found : profile_hang(p, node, in, ENDS);
}

/* ---- stacks --------------------------------------------------------------- */

/* How many bytes a and b have in common, compared 32 at a time where possible. */
static size_t common_len(const char *a, const char *b, size_t len)
{
	size_t i = 0;

	for (; i + 32 <= len; i += 32) {
		uint64_t x[4], y[4];

		memcpy(x, a + i, 32);
		memcpy(y, b + i, 32);
		if ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]))
			break;
	}
	while (i < len && a[i] == b[i])
		i++;
	return i;
}

/* Sorted lines have siblings in one of two orders: that of frames, where "a" comes before "a.b", or that of bytes,
 * where "a.b;" comes before "a;". */
enum { BY_FRAMES = 1, BY_BYTES = 2 };

/* In which orders does text come after the previous stack?  Both share their first `common` bytes; then text has
 * another frame. */
static uint8_t rises(const struct profile_path *path, const char *text, size_t len, size_t common)
{
	int old = common < path->len ? (unsigned char)path->text[common] : ';';
	int new = common < len ? (unsigned char)text[common] : ';';

	if (old == new) /* the stack before ends there */
		return BY_FRAMES | BY_BYTES;
	return (new > old ? BY_BYTES : 0) | (old == ';' || (new != ';' && new > old) ? BY_FRAMES : 0);
}

/* Drop the frames of the path that the new stack lacks; the first `common` bytes of both are the same. */
static void pop_frames(struct profile_path *path, const char *text, size_t len, size_t common)
{
	if (!len) /* an empty stack has no frame */
		path->depth = 0;
	while (path->depth) {
		size_t end = path->frames[path->depth - 1].end;

		if (end < common || (end == common && (end == len || text[end] == ';')))
			break;
		path->depth--;
	}
}

/* Make text the path's stack, keeping the frames that it shares with the previous stack.  Returns whether its first
 * other frame is certainly new. */
static bool profile_trie_follow(struct profile_path *path, const char *text, size_t len)
{
	size_t shorter = len < path->len ? len : path->len;
	size_t common = shorter ? common_len(path->text, text, shorter) : 0;
	uint8_t *rising;

	pop_frames(path, text, len, common);
	rising = path->depth ? &path->frames[path->depth - 1].rising : &path->rising;
	if (len && !(path->depth && path->frames[path->depth - 1].end == len))
		*rising &= rises(path, text, len, common);
	else if (path->len > len)
		*rising = 0; /* the next node may already have this child, from the previous stack */
	path->text = xgrow(path->text, &path->cap, len + 1, 1);
	if (len)
		memcpy(path->text + common, text + common, len - common);
	path->len = len;
	return *rising;
}

static void push_frame(struct profile_path *path, size_t end, uint32_t node, uint32_t stack, uint8_t rising)
{
	path->frames = xgrow(path->frames, &path->frames_cap, path->depth + 1, sizeof(*path->frames));
	path->frames[path->depth++] = (struct path_frame){ end, node, stack, rising };
}

/* Take the name of the frame at *at, and move *at to its end. */
static uint32_t profile_trie_take_name(struct profile *p, const struct profile_path *path, size_t *at)
{
	const char *frame = path->text + *at;
	const char *semicolon = memchr(frame, ';', path->len - *at);
	size_t len = semicolon ? (size_t)(semicolon - frame) : path->len - *at;

	*at += len;
	return intern_add(&p->names, frame, len);
}

/* Add the frames from at on, which are new; the first one is called name. */
static uint32_t profile_trie_add_stack(struct profile *p, struct profile_path *path, uint32_t parent, uint32_t in,
				       uint32_t name, size_t at)
{
	uint32_t stack = profile_hang(p, parent, in, name);

	for (;;) {
		profile_add_node(p, name);
		push_frame(path, at, (uint32_t)p->count - 1, stack, BY_FRAMES | BY_BYTES);
		if (++at >= path->len)
			return stack;
		name = profile_trie_take_name(p, path, &at);
	}
}

uint32_t profile_stack_of(struct profile *p, struct profile_path *path, const char *text, size_t len)
{
	uint32_t node = 0, stack = 0, name, child;
	size_t at = 0;
	bool new;

	if (!path->begun)
		path->rising = p->stack_count == 1 ? BY_FRAMES | BY_BYTES : 0;
	path->begun = true;
	new = profile_trie_follow(path, text, len);
	if (path->depth) {
		const struct path_frame *last = &path->frames[path->depth - 1];

		node = last->node;
		stack = last->stack;
		at = last->end + 1;
	}
	for (; at < len; at++) {
		name = profile_trie_take_name(p, path, &at);
		child = new ? 0 : profile_child(p, node, &stack, name);
		new = false;
		if (!child)
			return profile_trie_add_stack(p, path, node, stack, name, at);
		node = child;
		push_frame(path, at, node, stack, 0);
	}
	return profile_ending(p, node, stack);
}

void profile_path_free(struct profile_path *path)
{
	free(path->text);
	free(path->frames);
	*path = (struct profile_path){ 0 };
}
