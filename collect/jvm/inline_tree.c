#include "collect/jvm/inline_tree.h"

#include <stdlib.h>

#include "collect/jvm/scopes.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"

enum {
	BYTES_MAX = 4 << 20, /* bytes of the scopes of one method */
	METHODS_MAX = 1 << 16,
	LIST_MAX = 1 << 18, /* scopes in the list, many of them repeated */
};

SORT_BY(compare_scopes, struct inlined_scope, scope);

static void remove_doubles(struct inline_tree *t)
{
	size_t count = 0;

	qsort(t->list, t->count, sizeof(*t->list), compare_scopes);
	for (size_t i = 0; i < t->count; i++) {
		if (!i || t->list[i].scope != t->list[count - 1].scope)
			t->list[count++] = t->list[i];
	}
	t->count = count;
}

/* Adds a scope and its callers. */
static bool inline_tree_add_scopes(struct inline_tree *t, const uint8_t *bytes, size_t len, unsigned excluded,
				   uint32_t offset, size_t methods)
{
	struct scope_record r;

	for (; offset; offset = r.caller) {
		if (t->count == LIST_MAX || !scope_record_read(bytes, len, offset, excluded, &r) || r.method > methods)
			return false;
		t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
		t->list[t->count++] = (struct inlined_scope){ .scope = (int32_t)offset,
							      .caller = (int32_t)r.caller,
							      .method = r.method - 1,
							      .bci = (int)r.bci - 1 };
	}
	return true;
}

static bool inline_tree_read_scopes(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob,
				    const struct told *told, size_t count, size_t methods)
{
	size_t len = blob->scopes_data_end - blob->scopes_data;
	uint8_t *bytes = len && len <= BYTES_MAX ? xmalloc(len) : NULL;
	bool is_read = bytes && remote_read(m->remote, blob->scopes_data, bytes, len);

	for (size_t i = 0; is_read && i < count; i++) {
		if (told[i].scope > 0 && (!i || told[i].scope != told[i - 1].scope))
			is_read = inline_tree_add_scopes(t, bytes, len, m->excluded, (uint32_t)told[i].scope, methods);
	}
	free(bytes);
	if (is_read && t->count)
		remove_doubles(t);
	return is_read && t->count;
}

/* The bytecodes follow their ConstMethod. */
bool inline_tree_bytecodes(const struct metadata *m, const struct method_parts *parts, struct bytecodes *to)
{
	uint8_t *bytes = parts->code_size ? xmalloc(parts->code_size) : NULL;

	if (!bytes || !remote_read(m->remote, parts->const_method + m->method_bytes, bytes, parts->code_size)) {
		free(bytes);
		return false;
	}
	if (m->is_8)
		bytecodes_of_8(bytes, parts->code_size);
	*to = (struct bytecodes){ bytes, parts->code_size };
	return true;
}

static void inline_tree_make_room(struct inline_tree *t, size_t count)
{
	size_t cap = t->method_cap, pools = cap, addresses = cap;

	t->methods = xgrow(t->methods, &t->method_cap, count, sizeof(*t->methods));
	t->addresses = xgrow(t->addresses, &addresses, count, sizeof(*t->addresses));
	t->pools = xgrow(t->pools, &pools, count, sizeof(*t->pools));
}

uint32_t inline_tree_add(struct inline_tree *t, uint64_t method, uint64_t pool, struct bytecodes code)
{
	inline_tree_make_room(t, t->method_count + 1);
	t->methods[t->method_count] = code;
	t->addresses[t->method_count] = method;
	t->pools[t->method_count] = pool;
	return (uint32_t)t->method_count++;
}

static void inline_tree_read_method(struct inline_tree *t, const struct metadata *m, uint32_t number, uint64_t method)
{
	struct method_parts parts;
	struct str text = { 0 };

	if (metadata_method(m, method, &parts, &text) && inline_tree_bytecodes(m, &parts, &t->methods[number])) {
		t->addresses[number] = method;
		t->pools[number] = parts.pool;
	}
	str_free(&text);
}

static bool read_methods(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob, size_t count)
{
	uint64_t *methods = xcalloc(count, sizeof(*methods));
	bool is_read = remote_read(m->remote, blob->metadata, methods, count * sizeof(*methods));

	for (size_t i = 0; i < count; i++)
		inline_tree_add(t, 0, 0, (struct bytecodes){ 0 });
	for (size_t i = 0; is_read && i < t->count; i++) {
		uint32_t n = t->list[i].method;

		if (methods[n])
			inline_tree_read_method(t, m, n, methods[n]);
		methods[n] = 0; /* each method is read once */
	}
	free(methods);
	return is_read;
}

/* ---- activations ------------------------------------------------------------------------------ */

/* Scopes of the same method, called from the same place, are one activation, since the compiler writes another scope
 * when a variable has moved.  Callers come first. */
static void number_activations(struct inline_tree *t)
{
	struct map places = { 0 }, activations = { 0 };

	for (size_t i = 0; i < t->count; i++) {
		struct inlined_scope *in = &t->list[i];
		const struct inlined_scope *caller =
			in->caller ? inlined_scope_find(t->list, t->count, in->caller) : NULL;
		uint32_t *place, *activation;

		activation = map_at(&activations, caller ? caller->place : 0, in->method);
		if (!*activation)
			*activation = ++t->activations;
		in->activation = *activation;
		place = map_at(&places, in->activation, (uint32_t)in->bci + 1);
		if (!*place)
			*place = (uint32_t)i + 1;
		in->place = *place;
	}
	map_free(&places);
	map_free(&activations);
}

/* No instruction has debug information, so there is only the method itself. */
static bool read_root(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob)
{
	inline_tree_add(t, 0, 0, (struct bytecodes){ 0 });
	inline_tree_read_method(t, m, 0, blob->method);
	t->list = xgrow(t->list, &t->cap, 1, sizeof(*t->list));
	t->list[t->count++] = (struct inlined_scope){ .scope = ROOT_SCOPE };
	return t->addresses[0];
}

static bool has_scopes(const struct told *told, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (told[i].scope > 0)
			return true;
	}
	return false;
}

bool inline_tree_read(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob,
		      const struct told *told, size_t count)
{
	uint64_t methods = (blob->metadata_end - blob->metadata) / sizeof(uint64_t);
	bool is_read;

	*t = (struct inline_tree){ 0 };
	if (!has_scopes(told, count))
		is_read = read_root(t, m, blob);
	else
		is_read = methods && methods <= METHODS_MAX &&
			  inline_tree_read_scopes(t, m, blob, told, count, methods) &&
			  read_methods(t, m, blob, methods);
	if (is_read)
		number_activations(t);
	else
		inline_tree_free(t);
	return is_read;
}

size_t inline_tree_scopes(const struct inline_tree *t, int32_t scope, struct scope scopes[SCOPES_MAX])
{
	const struct inlined_scope *in;
	size_t count = 0;

	for (; scope && count < SCOPES_MAX; scope = in->caller) {
		in = inlined_scope_find(t->list, t->count, scope);
		if (!in || !t->addresses[in->method])
			return 0;
		scopes[count++] = (struct scope){ .method = t->addresses[in->method], .bci = in->bci };
	}
	return scope ? 0 : count;
}

void inline_tree_free(struct inline_tree *t)
{
	for (size_t i = 0; t->methods && i < t->method_count; i++)
		free((void *)t->methods[i].bytes);
	free(t->methods);
	free(t->addresses);
	free(t->pools);
	free(t->list);
	*t = (struct inline_tree){ 0 };
}
