#include "collect/jvm/inline_tree.h"

#include <stdlib.h>

#include "collect/jvm/scope_chain.h"
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
static bool add_scopes(struct inline_tree *t, const uint8_t *bytes, size_t len, unsigned excluded, uint32_t offset)
{
	struct scope_record r;

	for (; offset; offset = r.caller) {
		if (t->count == LIST_MAX || !scope_record_read(bytes, len, offset, excluded, &r) ||
		    r.method > t->method_count)
			return false;
		t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
		t->list[t->count++] =
			(struct inlined_scope){ (int32_t)offset, (int32_t)r.caller, r.method - 1, (int)r.bci - 1 };
	}
	return true;
}

static bool read_scopes(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob,
			const struct told *told, size_t count)
{
	size_t len = blob->scopes_data_end - blob->scopes_data;
	uint8_t *bytes = len && len <= BYTES_MAX ? xmalloc(len) : NULL;
	bool is_read = bytes && remote_read(m->remote, blob->scopes_data, bytes, len);

	for (size_t i = 0; is_read && i < count; i++) {
		if (told[i].scope > 0 && (!i || told[i].scope != told[i - 1].scope))
			is_read = add_scopes(t, bytes, len, m->excluded, (uint32_t)told[i].scope);
	}
	free(bytes);
	if (is_read && t->count)
		remove_doubles(t);
	return is_read && t->count;
}

/* The bytecodes follow their ConstMethod. */
static void read_bytecodes(const struct metadata *m, uint64_t method, struct bytecodes *to)
{
	struct method_parts parts;
	struct str text = { 0 };
	uint8_t *bytes;

	if (metadata_method(m, method, &parts, &text) && parts.code_size) {
		bytes = xmalloc(parts.code_size);
		if (remote_read(m->remote, parts.const_method + m->method_bytes, bytes, parts.code_size))
			*to = (struct bytecodes){ bytes, parts.code_size };
		else
			free(bytes);
	}
	str_free(&text);
}

static bool read_methods(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob)
{
	uint64_t *methods = xcalloc(t->method_count, sizeof(*methods));
	bool is_read = remote_read(m->remote, blob->metadata, methods, t->method_count * sizeof(*methods));

	t->methods = xcalloc(t->method_count, sizeof(*t->methods));
	for (size_t i = 0; is_read && i < t->count; i++) {
		uint32_t n = t->list[i].method;

		if (methods[n])
			read_bytecodes(m, methods[n], &t->methods[n]);
		methods[n] = 0; /* each method is read once */
	}
	free(methods);
	return is_read;
}

bool inline_tree_read(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob,
		      const struct told *told, size_t count)
{
	uint64_t methods = (blob->metadata_end - blob->metadata) / sizeof(uint64_t);

	*t = (struct inline_tree){ .method_count = methods <= METHODS_MAX ? methods : 0 };
	if (t->method_count && read_scopes(t, m, blob, told, count) && read_methods(t, m, blob))
		return true;
	inline_tree_free(t);
	return false;
}

void inline_tree_free(struct inline_tree *t)
{
	for (size_t i = 0; t->methods && i < t->method_count; i++)
		free((void *)t->methods[i].bytes);
	free(t->methods);
	free(t->list);
	*t = (struct inline_tree){ 0 };
}
