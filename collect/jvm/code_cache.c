#include "collect/jvm/code_cache.h"

#include <stdlib.h>
#include <string.h>

#include "collect/jvm/code_blob.h"
#include "collect/jvm/code_bytes.h"
#include "collect/jvm/code_heaps.h"
#include "collect/jvm/code_names.h"
#include "collect/jvm/code_pieces.h"
#include "core/arena.h"
#include "core/map.h"
#include "core/memory.h"

/* Segments and blocks in our cache: when there are more, all are forgotten. */
enum { SEEN_MAX = 1 << 20 };

/* A block as last read. */
struct entry {
	struct code_blob blob;
	uint64_t start, end; /* bounds of the block */
	uint64_t name_at;    /* address of the blob's name */
	uint64_t batch;      /* when it was read */
	bool is_code;        /* and the blob makes sense */
	uint32_t number;     /* its place among the entries */
};

struct code_cache {
	const struct jvm *jvm;
	struct code_heaps heaps;
	struct blob_layout layout;
	int64_t const_method; /* Method::_constMethod */
	struct code_pieces pieces;
	struct map segments; /* address >> LOG2_SEGMENT_MIN -> index + 1 in entries of its block */
	struct entry **entries;
	size_t entry_count, entry_cap;
	struct arena arena; /* memory of the entries */
	struct code_names names;
	struct code_bytes bytes;
	uint64_t batch;
};

struct code_cache *code_cache_new(const struct jvm *jvm, const char **why)
{
	struct code_cache *c = xcalloc(1, sizeof(*c));

	c->jvm = jvm;
	c->const_method = vm_offset(jvm->tables, "Method", "_constMethod");
	c->pieces.stub_list = 1;
	code_bytes_init(&c->bytes, &jvm->remote);
	if (!code_heaps_init(&c->heaps, jvm, why) || !blob_layout_read(&c->layout, jvm->tables, why)) {
		code_cache_free(c);
		return NULL;
	}
	code_cache_next_batch(c);
	return c;
}

/* ---- what is in a block ------------------------------------------------------------------------- */

/* A Method has a ConstMethod, at an aligned address; the rest is checked when the Method's name is read. */
static bool is_method(const struct code_cache *c, uint64_t method)
{
	uint64_t constant;

	return c->const_method < 0 || (remote_u64(&c->jvm->remote, method + (uint64_t)c->const_method, &constant) &&
				       constant && constant % 8 == 0);
}

/* The names of nmethods, in all versions, are "nmethod" and "native nmethod". */
static bool decode_named(struct code_cache *c, const struct code_block *block, uint64_t name_at, struct code_blob *blob)
{
	char name[CODE_NAME_MAX];

	if (!code_name_read(&c->jvm->remote, name_at, name))
		return false;
	if (!strcmp(name, "nmethod") || !strcmp(name, "native nmethod")) {
		blob->kind = name[1] == 'm' ? CODE_COMPILED : CODE_NATIVE;
		return blob_decode_nmethod(&c->layout, block->header, blob) && is_method(c, blob->method);
	}
	blob->name = code_names_keep(&c->names, name);
	if (!strcmp(name, "Interpreter"))
		blob->kind = CODE_INTERPRETER;
	return true;
}

/* If the block was an nmethod, and its name is still libjvm's own string, it is an nmethod again: the string need
 * not be read. */
static bool is_same_nmethod(const struct code_cache *c, const struct entry *e, uint64_t name_at,
			    const struct code_blob *blob)
{
	return e->is_code && e->blob.method == blob->method && e->blob.compile_id == blob->compile_id &&
	       e->name_at == name_at && name_at >= c->jvm->lib.start && name_at < c->jvm->lib.end;
}

static bool code_cache_decode(struct code_cache *c, const struct code_block *block, struct entry *e)
{
	struct code_blob blob;
	uint64_t name_at;

	if (!blob_decode(&c->layout, block->header, block->blob, &blob, &name_at) || blob.end > block->end)
		return false;
	if (e->is_code && e->blob.method) {
		blob.kind = e->blob.kind;
		if (blob_decode_nmethod(&c->layout, block->header, &blob) && is_same_nmethod(c, e, name_at, &blob)) {
			e->blob = blob;
			return true;
		}
		blob_decode(&c->layout, block->header, block->blob, &blob, &name_at);
	}
	e->blob = blob;
	e->name_at = name_at;
	return decode_named(c, block, name_at, &e->blob);
}

/* Read the block of the entry again.  If the JVM has ended since the batch began, what was read is final. */
static void refresh(struct code_cache *c, struct entry *e)
{
	struct code_block block;

	e->batch = c->batch;
	if (code_heaps_read_block(&c->heaps, e->start, c->layout.size, &block)) {
		e->end = block.end;
		e->is_code = code_cache_decode(c, &block, e);
	} else if (!e->is_code || !jvm_has_ended(c->jvm)) {
		e->end = e->start;
		e->is_code = false;
	}
}

/* ---- which block is at an address --------------------------------------------------------------- */

static void code_cache_put(struct code_cache *c, uint64_t address, const struct entry *e)
{
	*map_at(&c->segments, address >> LOG2_SEGMENT_MIN, 0) = e->number + 1;
}

static struct entry *cached(struct code_cache *c, uint64_t address)
{
	uint32_t place = map_get(&c->segments, address >> LOG2_SEGMENT_MIN, 0);
	struct entry *e = place ? c->entries[place - 1] : NULL;

	if (e && e->batch != c->batch)
		refresh(c, e);
	return e;
}

/* The entry of the block that begins at start. */
static struct entry *code_cache_entry_of(struct code_cache *c, uint64_t start)
{
	struct entry *e = cached(c, start);

	if (e && e->start == start)
		return e;
	e = arena_alloc(&c->arena, sizeof(*e));
	*e = (struct entry){ .start = start, .number = (uint32_t)c->entry_count };
	c->entries = xgrow(c->entries, &c->entry_cap, c->entry_count + 1, sizeof(struct entry *));
	c->entries[c->entry_count++] = e;
	code_cache_put(c, start, e);
	refresh(c, e);
	return e;
}

static struct entry *code_cache_find_entry(struct code_cache *c, uint64_t pc)
{
	struct entry *e = cached(c, pc);
	uint64_t start;

	if (e && pc >= e->start && pc < e->end)
		return e;
	start = code_heaps_block(&c->heaps, pc);
	if (!start)
		return NULL;
	e = code_cache_entry_of(c, start);
	if (pc >= e->end)
		return NULL;
	code_cache_put(c, pc, e);
	return e;
}

const struct code_blob *code_cache_find(struct code_cache *c, uint64_t pc)
{
	const struct code_blob *piece;
	struct entry *e;

	if (!code_cache_has(c, pc))
		return NULL;
	e = code_cache_find_entry(c, pc);
	if (!e || !e->is_code || pc < e->blob.code_begin || pc > e->blob.code_end)
		return NULL;
	if (e->blob.method)
		return &e->blob;
	piece = code_pieces_find(&c->pieces, pc);
	if (piece && pc >= piece->code_begin && piece->start >= e->blob.start && piece->end <= e->blob.end)
		return piece;
	return &e->blob;
}

bool code_cache_bytes(struct code_cache *c, uint64_t pc, uint8_t *to, size_t len)
{
	return code_bytes_get(&c->bytes, pc, to, len);
}

bool code_cache_has(const struct code_cache *c, uint64_t pc)
{
	return pc >= c->heaps.low && pc < c->heaps.end && code_heaps_at(&c->heaps, pc);
}

/* ------------------------------------------------------------------------------------------------- */

static void code_cache_forget(struct code_cache *c)
{
	map_free(&c->segments);
	c->entry_count = 0;
	arena_free(&c->arena);
}

void code_cache_next_batch(struct code_cache *c)
{
	c->batch++;
	code_bytes_next_batch(&c->bytes);
	if (c->segments.count > SEEN_MAX || c->entry_count > SEEN_MAX)
		code_cache_forget(c);
	code_heaps_read(&c->heaps);
	code_pieces_read(&c->pieces, c->jvm, c->heaps.low, c->heaps.end, &c->names);
}

void code_cache_free(struct code_cache *c)
{
	if (!c)
		return;
	code_cache_forget(c);
	free(c->entries);
	code_pieces_free(&c->pieces);
	code_names_free(&c->names);
	code_bytes_free(&c->bytes);
	free(c);
}
