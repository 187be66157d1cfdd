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
	AROUND = 3,           /* PcDescs that surround an address */
	VALUE_MAX_BYTES = 5, SCOPE_MAX_BYTES = 3 * VALUE_MAX_BYTES,
	BCI_MAX = 65535,      /* a method has at most so many bytes (JVMS 4.7.3) */
};

struct scope_reader {
	const struct remote *remote;
	uint64_t desc_size;
	uint32_t pc_at, scope_at; /* in a PcDesc */
	bool tells_all;       /* -XX:+DebugNonSafepoints: a PcDesc stands at the end of what it tells of */
	uint32_t excluded_min, excluded_max; /* bytes that are none of a number: which of JDK 20, and before */
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
	uint64_t size = vm_size(jvm->tables, "PcDesc"), value;
	struct scope_reader *s;
	int version;

	*why = "vmStructs without PcDesc";
	if (pc_at < 0 || scope_at < 0 || !size || (uint64_t)pc_at + 4 > size || (uint64_t)scope_at + 4 > size)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->remote = &jvm->remote;
	s->desc_size = size;
	s->pc_at = (uint32_t)pc_at;
	s->scope_at = (uint32_t)scope_at;
	version = jvm_version(jvm);
	s->excluded_min = version >= 20;
	s->excluded_max = !version || version >= 20;
	s->tells_all = vm_flag(jvm->tables, &jvm->remote, "DebugNonSafepoints", &value) && value & 0xff;
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

/* The first PcDesc at pc or behind it; their number: there is none.  They are sorted. */
static size_t find_desc(const struct scope_reader *s, const struct code_blob *blob, uint64_t pc, size_t count)
{
	int64_t wanted = (int64_t)(pc - blob->code_begin);
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (desc_value(s, middle, s->pc_at) < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where the scopes of what surrounds pc begin.  Returns how many, 0: it is not known.
 *
 * Of a call, that is the PcDesc of where it returns to.  Elsewhere the compiler tells of calls and polls only:
 * those that stand next to pc may be of inlined methods that it has nothing to do with, but what they have in
 * common is most likely of pc's too.  One before and one behind were wrong for 1 % of the samples, as the
 * compiler lays its blocks out by how often they run; two before and one behind are for 0.2 %. */
static size_t scope_offsets(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
			    uint32_t offsets[AROUND])
{
	size_t count = (blob->scopes_pcs_end - blob->scopes_pcs) / s->desc_size, low, found = 0;

	if (!read_bytes(s, blob->scopes_pcs, blob->scopes_pcs_end))
		return 0;
	low = find_desc(s, blob, pc + is_exact, count);
	if (low == count || (!is_exact && desc_value(s, low, s->pc_at) != (int64_t)(pc - blob->code_begin)))
		return 0;
	for (size_t around = is_exact && !s->tells_all ? AROUND : 1; around-- > 0;) {
		int32_t offset = low >= around ? desc_value(s, low - around, s->scope_at) : 0;

		if (offset <= 0) /* that before the first, and behind the last */
			return 0;
		if (!found || offsets[found - 1] != (uint32_t)offset)
			offsets[found++] = (uint32_t)offset;
	}
	return found;
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

/* Returns 0 when nothing is known.  Which numbers a JVM writes whose version is not known is seen by which make
 * sense: in the older, the last scope begins with 0, its caller. */
static size_t read_scopes(struct scope_reader *s, const struct code_blob *blob, uint32_t offset, struct scope *scopes)
{
	uint32_t methods[SCOPES_MAX];
	uint64_t end = blob->scopes_data + offset + SCOPE_MAX_BYTES;
	size_t count;

	if (blob->scopes_data + offset >= blob->scopes_data_end)
		return 0;
	if (end > blob->scopes_data_end)
		end = blob->scopes_data_end;
	if (!read_bytes(s, blob->scopes_data, end))
		return 0;
	for (uint32_t excluded = s->excluded_max + 1; excluded-- > s->excluded_min;) {
		count = read_chain(s->bytes, end - blob->scopes_data, offset, excluded, methods, scopes);
		if (count && look_up_methods(s, blob, methods, scopes, count))
			return count;
	}
	return 0;
}

/* Leaves of scopes what they have in common with others, from the outermost on: a method at two places is the
 * last, and where in it is not known. */
static size_t keep_common(struct scope *scopes, size_t count, const struct scope *others, size_t other_count)
{
	size_t common = 0;

	while (common < count && common < other_count) {
		struct scope *one = &scopes[count - 1 - common];
		const struct scope *other = &others[other_count - 1 - common];

		if (one->method != other->method)
			break;
		common++;
		if (one->bci != other->bci) {
			one->bci = -1;
			break;
		}
	}
	memmove(scopes, scopes + count - common, common * sizeof(*scopes));
	return common;
}

static size_t find_scopes(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
			  struct scope *scopes)
{
	struct scope others[SCOPES_MAX];
	uint32_t offsets[AROUND];
	size_t found = scope_offsets(s, blob, pc, is_exact, offsets);
	size_t count = found ? read_scopes(s, blob, offsets[0], scopes) : 0;

	for (size_t i = 1; i < found && count; i++)
		count = keep_common(scopes, count, others, read_scopes(s, blob, offsets[i], others));
	return count;
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
		k.count = (uint32_t)find_scopes(s, blob, pc, is_exact, scopes);
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
