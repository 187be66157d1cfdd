#include "collect/jvm/near_scopes.h"

#include <stdlib.h>

#include "collect/jvm/inline_tree.h"
#include "collect/jvm/silent.h"
#include "core/hash.h"
#include "core/memory.h"

enum {
	SLOTS = 512,        /* each method can be in one slot only */
	CODE_MAX = 1 << 20, /* maximum bytes of a method's code, more than HotSpot ever compiles into one */
	CHECKS_MAX = 1 << 16,
};

struct near_method {
	uint64_t start, method; /* of the blob; 0: free */
	int compile_id;
	struct code_map map;
	struct inline_tree tree; /* empty if no instruction is likely to belong to a silent method */
};

struct near_scopes {
	const struct remote *remote;
	struct metadata metadata;
	struct callees callees;
	bool has_metadata, has_callees;
	struct near_method slots[SLOTS];
};

struct near_scopes *near_scopes_new(const struct jvm *jvm)
{
	struct near_scopes *n = xcalloc(1, sizeof(*n));

	n->remote = &jvm->remote;
	n->has_metadata = metadata_init(&n->metadata, jvm);
	n->has_callees = n->has_metadata && callees_init(&n->callees, jvm, &n->metadata);
	return n;
}

/* ImplicitExceptionTable: a count, then pairs of the position of a check and the place where the code continues.  A
 * method without such a table has other data there, so stop at nonsense. */
static struct null_check *read_checks(const struct remote *r, const struct code_blob *blob, size_t *count)
{
	uint64_t len = blob->code_end - blob->code_begin;
	struct null_check *checks;
	uint32_t there = 0;

	*count = 0;
	if (!blob->null_checks || !remote_u32(r, blob->null_checks, &there) || !there || there > CHECKS_MAX)
		return NULL;
	checks = xcalloc(there, sizeof(*checks));
	if (!remote_read(r, blob->null_checks + sizeof(there), checks, there * sizeof(*checks)))
		return checks;
	while (*count < there && checks[*count].at < len && checks[*count].handler < len)
		++*count;
	return checks;
}

static bool has_silent(const struct code_map *map)
{
	for (size_t i = 0; i < map->count; i++) {
		if (map->list[i].scope >= ROOT_SCOPE)
			return true;
	}
	return false;
}

static void near_scopes_read_method(const struct near_scopes *n, const struct code_blob *blob, const struct told *told,
				    size_t count, struct near_method *to)
{
	struct method_code code = { .len = blob->code_end - blob->code_begin, .told = told, .told_count = count };
	struct null_check *checks;
	uint8_t *bytes;

	if (!code.len || code.len > CODE_MAX)
		return;
	code.bytes = bytes = xmalloc(code.len);
	code.checks = checks = read_checks(n->remote, blob, &code.check_count);
	if (n->has_metadata && inline_tree_read(&to->tree, &n->metadata, blob, told, count)) {
		if (n->has_callees)
			silent_add(&to->tree, &n->callees);
		code.inlined = to->tree.list;
		code.inlined_count = to->tree.count;
		code.methods = to->tree.methods;
	}
	if (remote_read(n->remote, blob->code_begin, bytes, code.len))
		code_map_make(&to->map, &code);
	if (!has_silent(&to->map))
		inline_tree_free(&to->tree);
	free(bytes);
	free(checks);
}

static uint32_t next_told(const struct told *told, size_t count, uint32_t at)
{
	for (size_t i = 0; i < count; i++) {
		if (told[i].at > (int64_t)at)
			return told[i].scope > 0 ? (uint32_t)told[i].scope : 0;
	}
	return 0;
}

static void near_scopes_forget(struct near_method *m)
{
	code_map_free(&m->map);
	inline_tree_free(&m->tree);
}

static const struct near_method *find_method(struct near_scopes *n, const struct code_blob *blob,
					     const struct told *told, size_t count)
{
	struct near_method *m = &n->slots[hash_mix(blob->start, 1) % SLOTS];

	if (m->start != blob->start || m->method != blob->method || m->compile_id != blob->compile_id) {
		near_scopes_forget(m);
		*m = (struct near_method){ .start = blob->start,
					   .method = blob->method,
					   .compile_id = blob->compile_id };
		near_scopes_read_method(n, blob, told, count, m);
	}
	return m;
}

void near_scope_find(struct near_scopes *n, const struct code_blob *blob, const struct told *told, size_t count,
		     uint32_t at, struct near_scope *near)
{
	const struct near_method *m = find_method(n, blob, told, count);

	near->offset = m->map.count ? code_map_scope(&m->map, at) : next_told(told, count, at);
	near->count = 0;
	if (near->offset < ROOT_SCOPE)
		return;
	near->count = inline_tree_scopes(&m->tree, (int32_t)near->offset, near->scopes);
	near->offset = 0;
	if (near->count && near->scopes[near->count - 1].method != blob->method)
		near->count = 0;
}

void near_scopes_free(struct near_scopes *n)
{
	for (size_t i = 0; n && i < SLOTS; i++)
		near_scopes_forget(&n->slots[i]);
	free(n);
}
