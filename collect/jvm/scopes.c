#include "collect/jvm/scopes.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

/* What is known of an address: its methods in the pool. */
struct known {
	uint64_t pc, blob, method;
	int compile_id;
	bool is_exact;
	uint32_t first, count; /* count 0: free */
};

enum {
	BYTES_MAX = 4 << 20,  /* of the tables of one method; beyond, only its own name is given */
	KNOWN_MAX = 1 << 18, POOL_MAX = 1 << 22, /* beyond, all are forgotten */
	VALUE_MAX_BYTES = 5, SCOPE_MAX_BYTES = 3 * VALUE_MAX_BYTES,
	BCI_MAX = 65535,      /* a method has at most so many bytes (JVMS 4.7.3) */
};

struct scope_reader {
	const struct remote *remote;
	uint64_t desc_size;
	uint32_t pc_at, scope_at; /* in a PcDesc */
	struct known *known;  /* open addressing */
	size_t known_count, known_used; /* a power of two */
	struct scope *pool;
	size_t pool_count, pool_cap;
	uint8_t *bytes;       /* what was read of a method */
	size_t bytes_cap;
};

struct scope_reader *scope_reader_new(const struct jvm *jvm, const char **why)
{
	int64_t pc_at = vm_offset(jvm->tables, "PcDesc", "_pc_offset");
	int64_t scope_at = vm_offset(jvm->tables, "PcDesc", "_scope_decode_offset");
	uint64_t size = vm_size(jvm->tables, "PcDesc");
	struct scope_reader *s;

	*why = "vmStructs without PcDesc";
	if (pc_at < 0 || scope_at < 0 || !size || (uint64_t)pc_at + 4 > size || (uint64_t)scope_at + 4 > size)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->remote = &jvm->remote;
	s->desc_size = size;
	s->pc_at = (uint32_t)pc_at;
	s->scope_at = (uint32_t)scope_at;
	return s;
}

static uint8_t *read_bytes(struct scope_reader *s, uint64_t from, uint64_t to)
{
	if (!from || from >= to || to - from > BYTES_MAX)
		return NULL;
	s->bytes = xgrow(s->bytes, &s->bytes_cap, to - from, 1);
	return remote_read(s->remote, from, s->bytes, to - from) ? s->bytes : NULL;
}

/* ---- PcDesc ----------------------------------------------------------------------------------- */

static int32_t desc_value(const struct scope_reader *s, size_t number, uint32_t at)
{
	int32_t value;

	memcpy(&value, s->bytes + number * s->desc_size + at, sizeof(value));
	return value;
}

/* Where the scopes of pc begin; 0: none are known.  PcDescs are sorted. */
static uint32_t scope_offset(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact)
{
	size_t low = 0, high = (blob->scopes_pcs_end - blob->scopes_pcs) / s->desc_size, count = high;
	int32_t wanted = (int32_t)(pc - blob->code_begin), offset;

	if (!read_bytes(s, blob->scopes_pcs, blob->scopes_pcs_end))
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (desc_value(s, middle, s->pc_at) < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == count || (!is_exact && desc_value(s, low, s->pc_at) != wanted))
		return 0;
	offset = desc_value(s, low, s->scope_at);
	return offset > 0 ? (uint32_t)offset : 0;
}

/* ---- UNSIGNED5 ---------------------------------------------------------------------------------- */

/* A number is 1 to 5 bytes, each of 6 bits more than the one before; a byte below 192 is the last.  From
 * JDK 20 on 0 is no byte of a number: all are greater by one (excluded is 1). */
struct numbers {
	const uint8_t *at, *end;
	uint32_t excluded;
	bool failed;
};

static uint32_t next_number(struct numbers *n)
{
	uint32_t sum = 0, byte;

	for (int i = 0; i < VALUE_MAX_BYTES; i++) {
		if (n->at == n->end || *n->at < n->excluded) {
			n->failed = true;
			return 0;
		}
		byte = *n->at++;
		sum += (byte - n->excluded) << 6 * i;
		if (byte < 192)
			break;
	}
	return sum;
}

/* ---- scopes ----------------------------------------------------------------------------------- */

/* Reads scopes from offset on: each is { offset of the caller's, method, bci + 1 } (and what variables it has).
 * A caller was written before.  Returns how many; 0 when it makes no sense.  methods: their numbers. */
static size_t read_chain(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded, uint32_t *methods,
			 struct scope *scopes)
{
	for (size_t count = 0; count < SCOPES_MAX; count++) {
		struct numbers n = { bytes + offset, bytes + len, excluded, false };
		uint32_t caller = next_number(&n);
		uint32_t bci;

		methods[count] = next_number(&n);
		bci = next_number(&n);
		if (n.failed || !methods[count] || bci > BCI_MAX)
			return 0;
		scopes[count].bci = (int)bci - 1;
		if (!caller)
			return count + 1;
		if (caller >= offset)
			return 0;
		offset = caller;
	}
	return 0;
}

/* Numbers of methods begin at 1. */
static bool look_up_methods(const struct scope_reader *s, const struct code_blob *blob, const uint32_t *methods,
			    struct scope *scopes, size_t count)
{
	uint64_t all = (blob->metadata_end - blob->metadata) / sizeof(uint64_t);
	struct remote_part parts[SCOPES_MAX];

	for (size_t i = 0; i < count; i++) {
		if (methods[i] > all)
			return false;
		parts[i] = (struct remote_part){ blob->metadata + (methods[i] - 1) * sizeof(uint64_t),
						 &scopes[i].method, sizeof(uint64_t) };
	}
	if (remote_read_parts(s->remote, parts, count) != count || scopes[count - 1].method != blob->method)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!scopes[i].method || scopes[i].method % 8)
			return false;
	}
	return true;
}

/* Returns 0 when nothing is known.  Which numbers this JVM writes is seen by which make sense: in the older, the
 * last scope begins with 0, its caller. */
static size_t read_scopes(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
			  struct scope *scopes)
{
	uint32_t methods[SCOPES_MAX], offset = scope_offset(s, blob, pc, is_exact);
	uint64_t end = blob->scopes_data + offset + SCOPE_MAX_BYTES;
	size_t count;

	if (!offset || blob->scopes_data + offset >= blob->scopes_data_end)
		return 0;
	if (end > blob->scopes_data_end)
		end = blob->scopes_data_end;
	if (!read_bytes(s, blob->scopes_data, end))
		return 0;
	for (uint32_t excluded = 2; excluded-- > 0;) {
		count = read_chain(s->bytes, end - blob->scopes_data, offset, excluded, methods, scopes);
		if (count && look_up_methods(s, blob, methods, scopes, count))
			return count;
	}
	return 0;
}

/* ---- what was read before --------------------------------------------------------------------- */

static struct known *find_known(const struct scope_reader *s, uint64_t pc, bool is_exact)
{
	size_t mask = s->known_count - 1, i = hash_mix(pc, is_exact) & mask;

	while (s->known[i].count && (s->known[i].pc != pc || s->known[i].is_exact != is_exact))
		i = (i + 1) & mask;
	return &s->known[i];
}

static void grow_known(struct scope_reader *s)
{
	size_t count = s->known_count;
	struct known *old = s->known;

	s->known_count = count ? 2 * count : 1024;
	s->known = xcalloc(s->known_count, sizeof(*s->known));
	for (size_t i = 0; i < count; i++) {
		if (old[i].count)
			*find_known(s, old[i].pc, old[i].is_exact) = old[i];
	}
	free(old);
}

static void make_room(struct scope_reader *s)
{
	if (s->known_used > KNOWN_MAX || s->pool_count > POOL_MAX) {
		memset(s->known, 0, s->known_count * sizeof(*s->known));
		s->known_used = s->pool_count = 0;
	}
	if (2 * (s->known_used + 1) > s->known_count)
		grow_known(s);
}

static void keep(struct scope_reader *s, struct known *k, const struct scope *scopes)
{
	struct known *at = find_known(s, k->pc, k->is_exact);

	s->pool = xgrow(s->pool, &s->pool_cap, s->pool_count + k->count, sizeof(*s->pool));
	memcpy(s->pool + s->pool_count, scopes, k->count * sizeof(*scopes));
	k->first = (uint32_t)s->pool_count;
	s->pool_count += k->count;
	s->known_used += !at->count;
	*at = *k;
}

size_t scopes_at(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
		 struct scope scopes[SCOPES_MAX])
{
	struct known k = { pc, blob->start, blob->method, blob->compile_id, is_exact, 0, 0 };
	const struct known *before;

	make_room(s);
	before = find_known(s, pc, is_exact);
	if (before->count && before->blob == k.blob && before->method == k.method &&
	    before->compile_id == k.compile_id) {
		memcpy(scopes, s->pool + before->first, before->count * sizeof(*scopes));
		return before->count;
	}
	/* Before its frame stands, only the method itself can be at work. */
	if (blob->kind == CODE_COMPILED && (!is_exact || pc >= blob->frame_complete))
		k.count = (uint32_t)read_scopes(s, blob, pc, is_exact, scopes);
	if (!k.count) {
		scopes[0] = (struct scope){ blob->method, -1 };
		k.count = 1;
	}
	keep(s, &k, scopes);
	return k.count;
}

void scope_reader_free(struct scope_reader *s)
{
	if (!s)
		return;
	free(s->known);
	free(s->pool);
	free(s->bytes);
	free(s);
}
