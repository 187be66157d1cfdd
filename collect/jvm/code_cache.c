#include "collect/jvm/code_cache.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/jvm/code_blob.h"
#include "collect/jvm/code_bytes.h"
#include "collect/jvm/code_heaps.h"
#include "collect/jvm/code_names.h"
#include "core/arena.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/str.h"

/* ---- pieces smaller than a blob of the code cache ---- */

/* The codelets of the interpreter, the routines of the
 * stub generators (hotspot/share/interpreter/interpreter.hpp, runtime/stubCodeGenerator.hpp). */

/* {0} is empty.  Names belong to the code_names. */
struct code_pieces {
	struct code_blob *list; /* sorted, not overlapping */
	size_t count, cap;
	uint64_t interpreter, interpreter_end; /* range of all codelets; 0: not found */
	uint64_t stub_list;                    /* address of StubCodeDesc::_list; 0: unknown; 1: not looked for yet */
	uint64_t newest_stub;                  /* the head of the list when it was read */
};

/* More than any JVM has (JDK 8 to 28: fewer than 300 codelets and 1,000 routines): stops endless lists. */
enum { PIECES_MAX = 8192, CODE_ALIGNMENT_MAX = 64 };

static void code_pieces_add(struct code_pieces *p, enum code_kind kind, uint64_t start, uint64_t end, const char *name)
{
	p->list = xgrow(p->list, &p->cap, p->count + 1, sizeof(*p->list));
	p->list[p->count++] = (struct code_blob){
		.kind = kind,
		.start = start,
		.end = end,
		.code_begin = start,
		.code_end = end,
		.name = name,
	};
}

/* ---- the interpreter ---------------------------------------------------------------------- */

struct found_codelets {
	const struct jvm *jvm;
	uint64_t header; /* address of the codelet's header; its code follows */
	int64_t size_at, name_at;
	struct code_names *names;
	uint64_t alignment; /* alignment of the code, as far as known */
};

static uint64_t align(uint64_t address, uint64_t alignment)
{
	return (address + alignment - 1) / alignment * alignment;
}

/* The alignment of code is compiled into the JVM.  The gap between a header and its code is never written, so if there
 * is data in the gap, the alignment is smaller. */
static void learn_alignment(struct found_codelets *c, uint64_t at)
{
	static const uint8_t nothing[CODE_ALIGNMENT_MAX];
	uint8_t bytes[CODE_ALIGNMENT_MAX];

	if (!remote_read(&c->jvm->remote, at + c->header, bytes, sizeof(bytes)))
		return;
	while (c->alignment > 8 && memcmp(bytes, nothing, align(at + c->header, c->alignment) - (at + c->header)) != 0)
		c->alignment /= 2;
}

/* Returns the size of the codelet, or 0 when it makes no sense. */
static uint32_t add_codelet(struct code_pieces *p, struct found_codelets *c, uint64_t at, uint64_t end)
{
	const struct remote *r = &c->jvm->remote;
	char name[CODE_NAME_MAX];
	uint32_t size;
	uint64_t text;

	if (!remote_u32(r, at + (uint64_t)c->size_at, &size) || size < c->header || size % 8 || size > end - at ||
	    !remote_u64(r, at + (uint64_t)c->name_at, &text))
		return 0;
	if (!code_name_read(r, text, name))
		strcpy(name, "Interpreter");
	code_pieces_add(p, CODE_INTERPRETER, at, at + size, code_names_keep(c->names, name));
	learn_alignment(c, at);
	return size;
}

static void find_code(struct code_pieces *p, const struct found_codelets *c)
{
	for (size_t i = 0; i < p->count; i++) {
		struct code_blob *b = &p->list[i];

		b->code_begin = align(b->start + c->header, c->alignment);
		if (b->code_begin > b->end)
			b->code_begin = b->end;
	}
}

/* AbstractInterpreter::_code is a StubQueue: consecutive codelets in one buffer. */
static void read_interpreter(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high,
			     struct code_names *names)
{
	const struct vm_tables *t = jvm->tables;
	struct found_codelets c = { jvm,
				    vm_size(t, "InterpreterCodelet"),
				    vm_offset(t, "InterpreterCodelet", "_size"),
				    vm_offset(t, "InterpreterCodelet", "_description"),
				    names,
				    CODE_ALIGNMENT_MAX };
	int64_t buffer_at = vm_offset(t, "StubQueue", "_stub_buffer"), end_at = vm_offset(t, "StubQueue", "_queue_end");
	uint64_t queue, buffer;
	uint32_t len, size;

	if (!c.header || c.size_at < 0 || c.name_at < 0 || buffer_at < 0 || end_at < 0 ||
	    !remote_u64(&jvm->remote, vm_static(t, "AbstractInterpreter", "_code"), &queue) || !queue ||
	    !remote_u64(&jvm->remote, queue + (uint64_t)buffer_at, &buffer) || buffer < low || buffer >= high ||
	    !remote_u32(&jvm->remote, queue + (uint64_t)end_at, &len) || len > high - buffer)
		return;
	p->interpreter = buffer;
	p->interpreter_end = buffer + len;
	for (uint64_t at = buffer; at < buffer + len && p->count < PIECES_MAX; at += size) {
		size = add_codelet(p, &c, at, buffer + len);
		if (!size)
			break;
	}
	find_code(p, &c);
}

/* ---- stubs ---------------------------------------------------------------------------------- */

/* The tables do not describe StubCodeDesc, which is a list of { next, group, name, (a number, 8 only,) begin, end }.
 * begin and end are recognised by their values: the first two that are in the code cache. */
enum { NEXT, GROUP, STUB_NAME, DESC_WORDS = 6 };

static bool is_range(const uint64_t *words, uint64_t low, uint64_t high)
{
	return words[0] >= low && words[0] <= words[1] && words[1] < high;
}

static int find_begin(const uint64_t *desc, uint64_t low, uint64_t high)
{
	for (int i = STUB_NAME + 1; i + 1 < DESC_WORDS; i++) {
		if (is_range(desc + i, low, high))
			return i;
	}
	return 0;
}

static void add_stub(struct code_pieces *p, const struct jvm *jvm, const uint64_t *desc, const uint64_t *range,
		     struct code_names *names)
{
	char group[CODE_NAME_MAX], name[CODE_NAME_MAX];
	struct str text = { 0 };

	if (!code_name_read(&jvm->remote, desc[GROUP], group) || !code_name_read(&jvm->remote, desc[STUB_NAME], name))
		return;
	str_addf(&text, "%s::%s", group, name);
	code_pieces_add(p, CODE_STUB, range[0], range[1], code_names_keep(names, text.buf));
	str_free(&text);
}

static void read_stubs(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high,
		       struct code_names *names)
{
	uint64_t desc[DESC_WORDS], next = p->newest_stub;
	int begin = 0, found;

	for (size_t i = 0; next && i < PIECES_MAX; i++, next = desc[NEXT]) {
		if (!remote_read(&jvm->remote, next, desc, sizeof(desc)))
			return;
		found = find_begin(desc, low, high);
		if (!begin)
			begin = found;
		if (found && found == begin && desc[begin] < desc[begin + 1])
			add_stub(p, jvm, desc, desc + begin, names);
	}
}

/* The call stub, through which C++ calls Java.  The tables have only its return address. */
static void mark_call_stub(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high)
{
	uint64_t back = 0;

	if (!remote_u64(&jvm->remote, vm_static(jvm->tables, "StubRoutines", "_call_stub_return_address"), &back) ||
	    back <= low || back >= high)
		return;
	for (size_t i = 0; i < p->count; i++) {
		if (p->list[i].start < back && back < p->list[i].end) {
			p->list[i].kind = CODE_CALL_STUB;
			return;
		}
	}
	code_pieces_add(p, CODE_CALL_STUB, back - 1, back + 1, "StubRoutines::call_stub");
}

/* ---------------------------------------------------------------------------------------------- */

SORT_BY(code_pieces_by_start, struct code_blob, start);

/* Sorts the pieces; drops the later one of two that overlap. */
static void put_in_order(struct code_pieces *p)
{
	size_t kept = 0;

	if (p->count)
		qsort(p->list, p->count, sizeof(*p->list), code_pieces_by_start);
	for (size_t i = 0; i < p->count; i++) {
		if (!kept || p->list[i].start >= p->list[kept - 1].end)
			p->list[kept++] = p->list[i];
	}
	p->count = kept;
}

static uint64_t find_stub_list(const struct jvm *jvm)
{
	struct runtime_symbol symbol = { .name = "_ZN12StubCodeDesc5_listE" };

	runtime_symbols(&jvm->lib, &symbol, 1);
	return symbol.address;
}

/* Read the pieces, if there are new ones.  Only those in [low, high) are accepted. */
static void code_pieces_read(struct code_pieces *p, const struct jvm *jvm, uint64_t low, uint64_t high,
			     struct code_names *names)
{
	uint64_t newest = 0;

	if (p->stub_list == 1)
		p->stub_list = find_stub_list(jvm);
	if (p->stub_list && !remote_u64(&jvm->remote, p->stub_list, &newest))
		newest = p->newest_stub;
	if (p->interpreter && newest == p->newest_stub)
		return;
	p->count = 0;
	p->newest_stub = newest;
	read_interpreter(p, jvm, low, high, names);
	read_stubs(p, jvm, low, high, names);
	mark_call_stub(p, jvm, low, high);
	put_in_order(p);
}

/* The piece at pc, or NULL. */
static const struct code_blob *code_pieces_find(const struct code_pieces *p, uint64_t pc)
{
	size_t low = FIRST_NOT(i, p->count, p->list[i].end <= pc);

	return low < p->count && p->list[low].start <= pc ? &p->list[low] : NULL;
}

static void code_pieces_free(struct code_pieces *p)
{
	free(p->list);
	*p = (struct code_pieces){ 0 };
}

/* ---- the code cache ---- */

/* Maximum of segments and blocks in our cache.  Beyond that, all are forgotten. */
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

/* A Method points to a ConstMethod at an aligned address; the rest is checked when the Method's name is read. */
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

/* If the block was an nmethod, and its name is still at the address of libjvm's own string, it is an nmethod again, and
 * the string need not be read. */
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

/* Read the block of the entry again.  If the JVM has ended since the batch began, earlier readings are final. */
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
