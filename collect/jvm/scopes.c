#include "collect/jvm/scopes.h"

#include <stdlib.h>
#include <string.h>

#include "collect/jvm/near_scopes.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/sorted.h"

/* --- ScopeDescs: a method and the methods into which it was inlined, in UNSIGNED5 ---
 *
 * hotspot/share/code/debugInfo.hpp, compressedStream.hpp; the base of UNSIGNED5 changed in JDK 20. */

enum {
	VALUE_BYTES_MAX = 5,
	BCI_MAX = 65535, /* maximum size of a method in bytes (JVMS 4.7.3) */
};

_Static_assert((int)SCOPE_BYTES_MAX >= 3 * (int)VALUE_BYTES_MAX, "a scope begins with three numbers");

/* A number has 1 to 5 bytes; each adds 6 bits above those of the byte before.  A byte below 192 is the last.  From JDK
 * 20 on, the byte 0 does not occur in numbers, and all bytes are greater by one (excluded is 1). */
struct numbers {
	const uint8_t *at, *end;
	uint32_t excluded;
	bool failed;
};

static uint32_t scope_chain_next_number(struct numbers *n)
{
	uint32_t sum = 0, byte;

	for (int i = 0; i < VALUE_BYTES_MAX; i++) {
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

bool scope_record_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded, struct scope_record *to)
{
	struct numbers n = { bytes + (offset < len ? offset : len), bytes + len, excluded, false };

	to->caller = scope_chain_next_number(&n);
	to->method = scope_chain_next_number(&n);
	to->bci = scope_chain_next_number(&n);
	return !n.failed && to->method && to->bci <= BCI_MAX && to->caller < offset;
}

/* Reads scopes from offset on, each of which is { caller's offset, method, bci + 1 } (variables follow).  A caller
 * precedes its callees. excluded: 1 from JDK 20 on, 0 before.  Returns their number; 0 if they make no sense. methods:
 * numbers from 1 on; in scopes, only bci is filled in. */
static size_t scope_chain_read(const uint8_t *bytes, size_t len, uint32_t offset, uint32_t excluded,
			       uint32_t methods[SCOPES_MAX], struct scope scopes[SCOPES_MAX])
{
	struct scope_record r;

	for (size_t count = 0; count < SCOPES_MAX; count++) {
		if (!scope_record_read(bytes, len, offset, excluded, &r))
			return 0;
		methods[count] = r.method;
		scopes[count] = (struct scope){ .bci = (int)r.bci - 1 };
		if (!r.caller)
			return count + 1;
		offset = r.caller;
	}
	return 0;
}

/* --- the reader --- */

/* Cache entry of an address, with the place of its methods in the pool. */
struct known {
	uint64_t pc, blob, method;
	int compile_id;
	bool is_exact;
	uint32_t first, count;
};

enum {
	BYTES_MAX = 4 << 20, /* maximum bytes of a method's tables; a method with more is returned without those inlined
			      * into it */
	KNOWN_MAX = 1 << 18,
	POOL_MAX = 1 << 22, /* methods in the pool; when there are more, the cache is cleared */
	AROUND = 3,         /* number of PcDescs around an address that are examined */
};

struct scope_reader {
	const struct remote *remote;
	uint64_t desc_size;
	uint32_t pc_at, scope_at;            /* offsets in a PcDesc */
	bool tells_all;                      /* -XX:+DebugNonSafepoints: a PcDesc stands at the end of the code that it
				   * describes */
	uint32_t excluded_min, excluded_max; /* number of byte values that numbers do not use (1 from JDK 20 on, 0
					      * before); a range if the version is unknown */
	struct known *known;
	size_t known_count, known_cap;
	struct map by_pc; /* (pc, is_exact) -> index in known + 1 */
	struct scope *pool;
	size_t pool_count, pool_cap;
	uint8_t *bytes; /* what was read of a method */
	size_t bytes_cap;
	struct told *told; /* the method's PcDescs, sorted */
	size_t told_count, told_cap;
	struct near_scopes *near; /* NULL: only certain methods are wanted */
};

struct scope_reader *scope_reader_new(const struct jvm *jvm, bool only_certain, const char **why)
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
	s->near = only_certain || s->tells_all ? NULL : near_scopes_new(jvm);
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

/* The first and the last PcDesc mark the ends of the table, and have no scope. */
static bool scopes_read_told(struct scope_reader *s, const struct code_blob *blob)
{
	s->told_count = 0;
	if (!read_bytes(s, blob->scopes_pcs, blob->scopes_pcs_end))
		return false;
	s->told_count = (blob->scopes_pcs_end - blob->scopes_pcs) / s->desc_size;
	s->told = xgrow(s->told, &s->told_cap, s->told_count, sizeof(*s->told));
	for (size_t i = 0; i < s->told_count; i++)
		s->told[i] = (struct told){ desc_value(s, i, s->pc_at), desc_value(s, i, s->scope_at) };
	return s->told_count;
}

/* The index of the first PcDesc at or after pc; the number of PcDescs if there is none.  PcDescs are sorted. */
static size_t find_desc(const struct scope_reader *s, const struct code_blob *blob, uint64_t pc)
{
	int64_t wanted = (int64_t)(pc - blob->code_begin);

	return FIRST_NOT(i, s->told_count, s->told[i].at < wanted);
}

/* Offsets of the scopes around pc.  Returns their number; 0: unknown.
 *
 * For a call, this is the PcDesc of its return address.  Elsewhere the compiler describes only calls and polls.  So the
 * PcDescs next to pc may belong to unrelated inlined methods, but what they have in common most likely applies to pc,
 * too.  One PcDesc before pc and one after were wrong for 1 % of the samples, as the compiler orders blocks by how
 * often they run; two before and one after are wrong for 0.2 %. */
static size_t scope_offsets(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
			    uint32_t offsets[AROUND])
{
	size_t low = find_desc(s, blob, pc + is_exact), found = 0;

	if (low == s->told_count || (!is_exact && s->told[low].at != (int64_t)(pc - blob->code_begin)))
		return 0;
	for (size_t around = is_exact && !s->tells_all ? AROUND : 1; around-- > 0;) {
		int32_t offset = low >= around ? s->told[low - around].scope : 0;

		if (offset <= 0) /* the marks at the ends of the table */
			return 0;
		if (!found || offsets[found - 1] != (uint32_t)offset)
			offsets[found++] = (uint32_t)offset;
	}
	return found;
}

/* ---- scopes ----------------------------------------------------------------------------------- */

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

/* Returns 0 if nothing is known.  If the JVM's version is unknown, we use the number format that makes sense: in the
 * older format, the last scope begins with 0, for no caller. */
static size_t scopes_read_scopes(struct scope_reader *s, const struct code_blob *blob, uint32_t offset,
				 struct scope *scopes)
{
	uint32_t methods[SCOPES_MAX];
	uint64_t end = blob->scopes_data + offset + SCOPE_BYTES_MAX;
	size_t count;

	if (blob->scopes_data + offset >= blob->scopes_data_end)
		return 0;
	if (end > blob->scopes_data_end)
		end = blob->scopes_data_end;
	if (!read_bytes(s, blob->scopes_data, end))
		return 0;
	for (uint32_t excluded = s->excluded_max + 1; excluded-- > s->excluded_min;) {
		count = scope_chain_read(s->bytes, end - blob->scopes_data, offset, excluded, methods, scopes);
		if (count && look_up_methods(s, blob, methods, scopes, count))
			return count;
	}
	return 0;
}

/* Reduces the scopes to those that they share with `others`, from the outermost on.  If the two are at different places
 * of the same method, this method becomes the last one, at an unknown position. */
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

static size_t find_certain(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
			   struct scope *scopes)
{
	struct scope others[SCOPES_MAX];
	uint32_t offsets[AROUND];
	size_t found = scope_offsets(s, blob, pc, is_exact, offsets);
	size_t count = found ? scopes_read_scopes(s, blob, offsets[0], scopes) : 0;

	for (size_t i = 1; i < found && count; i++)
		count = keep_common(scopes, count, others, scopes_read_scopes(s, blob, offsets[i], others));
	return count;
}

/* Are the outermost scopes the same methods? */
static bool are_callers(const struct scope *callers, size_t caller_count, const struct scope *scopes, size_t count)
{
	for (size_t i = 0; i < caller_count; i++) {
		if (callers[caller_count - 1 - i].method != scopes[count - 1 - i].method)
			return false;
	}
	return true;
}

/* Adds likely scopes, if any, to the certain ones. */
static size_t add_likely(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, struct scope *scopes,
			 size_t count)
{
	struct near_scope near;

	near_scope_find(s->near, blob, s->told, s->told_count, (uint32_t)(pc - blob->code_begin), &near);
	if (near.offset)
		near.count = scopes_read_scopes(s, blob, near.offset, near.scopes);
	if (near.count <= count || !are_callers(scopes, count, near.scopes, near.count))
		return count;
	for (size_t i = 0; i < near.count - count; i++)
		near.scopes[i].is_likely = true;
	memcpy(scopes, near.scopes, near.count * sizeof(*scopes));
	return near.count;
}

static size_t find_scopes(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
			  struct scope *scopes)
{
	size_t count;

	if (!scopes_read_told(s, blob))
		return 0;
	count = find_certain(s, blob, pc, is_exact, scopes);
	if (!count) { /* the method itself is certain */
		scopes[0] = (struct scope){ .method = blob->method, .bci = -1 };
		count = 1;
	}
	return is_exact && s->near ? add_likely(s, blob, pc, scopes, count) : count;
}

/* ---- cache --------------------------------------------------------------------- */

static void scopes_make_room(struct scope_reader *s)
{
	if (s->known_count > KNOWN_MAX || s->pool_count > POOL_MAX) {
		map_free(&s->by_pc);
		s->known_count = s->pool_count = 0;
	}
}

static struct known *find_known(struct scope_reader *s, uint64_t pc, bool is_exact)
{
	uint32_t place = map_get(&s->by_pc, pc, is_exact);

	return place ? &s->known[place - 1] : NULL;
}

static void scopes_keep(struct scope_reader *s, struct known *k, const struct scope *scopes)
{
	uint32_t *place = map_at(&s->by_pc, k->pc, k->is_exact);

	s->pool = xgrow(s->pool, &s->pool_cap, s->pool_count + k->count, sizeof(*s->pool));
	memcpy(s->pool + s->pool_count, scopes, k->count * sizeof(*scopes));
	k->first = (uint32_t)s->pool_count;
	s->pool_count += k->count;
	if (!*place) {
		s->known = xgrow(s->known, &s->known_cap, s->known_count + 1, sizeof(*s->known));
		*place = (uint32_t)++s->known_count;
	}
	s->known[*place - 1] = *k;
}

size_t scopes_at(struct scope_reader *s, const struct code_blob *blob, uint64_t pc, bool is_exact,
		 struct scope scopes[SCOPES_MAX])
{
	struct known k = { pc, blob->start, blob->method, blob->compile_id, is_exact, 0, 0 };
	const struct known *before;

	scopes_make_room(s);
	before = find_known(s, pc, is_exact);
	if (before && before->blob == k.blob && before->method == k.method && before->compile_id == k.compile_id) {
		memcpy(scopes, s->pool + before->first, before->count * sizeof(*scopes));
		return before->count;
	}
	/* Before the frame is set up, no inlined method can run. */
	if (blob->kind == CODE_COMPILED && (!is_exact || pc >= blob->frame_complete))
		k.count = (uint32_t)find_scopes(s, blob, pc, is_exact, scopes);
	if (!k.count) {
		scopes[0] = (struct scope){ .method = blob->method, .bci = -1 };
		k.count = 1;
	}
	scopes_keep(s, &k, scopes);
	return k.count;
}

void scope_reader_free(struct scope_reader *s)
{
	if (!s)
		return;
	free(s->known);
	map_free(&s->by_pc);
	free(s->pool);
	free(s->bytes);
	free(s->told);
	near_scopes_free(s->near);
	free(s);
}
