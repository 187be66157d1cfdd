#include "tests/kernels/kernel_types.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct btf *kernel;

struct ours {
	const struct btf *btf;
	const char *strings;
};

size_t name_essential(const char *name)
{
	const char *end = strstr(name, "___");

	return end && end != name ? (size_t)(end - name) : strlen(name);
}

const struct btf_type *type_stripped(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (btf_is_mod(t) || btf_is_typedef(t))
		t = btf__type_by_id(btf, t->type);
	return t;
}

static bool is_enum(const struct btf_type *t)
{
	return btf_is_enum(t) || btf_is_enum64(t);
}

static bool same_kind(const struct btf_type *a, const struct btf_type *b)
{
	return btf_kind(a) == btf_kind(b) || (is_enum(a) && is_enum(b));
}

/* Find a member of the kernel's type, also in the type's anonymous parts. */
static const struct btf_member *member_of(const struct btf_type *t, const char *name)
{
	const struct btf_member *m = btf_members(t), *inner;

	for (int i = 0; i < btf_vlen(t); i++, m++) {
		const char *its = btf__name_by_offset(kernel, m->name_off);
		const struct btf_type *of = type_stripped(kernel, m->type);

		if (*its && !strcmp(its, name))
			return m;
		inner = !*its && btf_is_composite(of) ? member_of(of, name) : NULL;
		if (inner)
			return inner;
	}
	return NULL;
}

static uint32_t size_of(const struct btf *btf, uint32_t id)
{
	int64_t size = btf__resolve_size(btf, id);

	return size < 0 ? 0 : (uint32_t)size;
}

static void say(struct relo *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!r->why[0])
		vsnprintf(r->why, sizeof(r->why), format, args);
	va_end(args);
}

static bool is_unsigned(const struct btf_type *t)
{
	return btf_is_int(t) && !(btf_int_encoding(t) & BTF_INT_SIGNED);
}

/* May the field be read if the program is compiled with another size of it? */
static bool size_fits(const struct ours *o, uint32_t ours, uint32_t its, bool is_load)
{
	const struct btf_type *a = type_stripped(o->btf, ours), *b = type_stripped(kernel, its);

	if (btf_is_composite(a) || btf_is_array(a))
		return true;
	return size_of(o->btf, ours) == size_of(kernel, its) ||
	       (is_load && ((is_unsigned(a) && is_unsigned(b)) || (btf_is_ptr(a) && btf_is_ptr(b))));
}

/* Follow the path of members, "0:2:1", from our type and from one of the kernel's. */
static bool field_in(const struct ours *o, struct relo *r, uint32_t ours, uint32_t its, bool is_load)
{
	const char *at = o->strings + r->core->access_str_off;
	char name[128];
	const struct btf_member *m;
	bool is_bits = false;

	snprintf(name, sizeof(name), "%s", btf__name_by_offset(kernel, btf__type_by_id(kernel, its)->name_off));
	for (at += strcspn(at, ":"); *at; at += strcspn(at, ":")) {
		unsigned long i = strtoul(++at, NULL, 10);
		const struct btf_type *a = type_stripped(o->btf, ours), *b = type_stripped(kernel, its);
		const struct btf_member *mine;
		const char *part;

		if (btf_is_array(a)) {
			if (!btf_is_array(b))
				return false;
			ours = btf_array(a)->type, its = btf_array(b)->type;
			continue;
		}
		mine = btf_members(a) + i, part = btf__name_by_offset(o->btf, mine->name_off);
		ours = mine->type;
		if (!*part) /* anonymous: its members are looked for in the enclosing type */
			continue;
		snprintf(name + strlen(name), sizeof(name) - strlen(name), ".%s", part);
		m = btf_is_composite(b) ? member_of(b, part) : NULL;
		if (!m) {
			say(r, "there is no %s", name);
			return false;
		}
		its = m->type, is_bits = btf_member_bitfield_size(a, (uint32_t)i);
	}
	if (!same_kind(type_stripped(o->btf, ours), type_stripped(kernel, its)) &&
	    !(btf_is_composite(type_stripped(o->btf, ours)) && btf_is_composite(type_stripped(kernel, its)))) {
		say(r, "%s is of another kind", name);
		return false;
	}
	r->fits = is_bits || r->core->kind != BPF_CORE_FIELD_BYTE_OFFSET || size_fits(o, ours, its, is_load);
	if (!r->fits)
		say(r, "%s has %u bytes and is read with %u", name, size_of(kernel, its), size_of(o->btf, ours));
	return true;
}

static bool has_enumerator(const struct ours *o, const struct relo *r, const struct btf_type *ours,
			   const struct btf_type *its)
{
	unsigned long i = strtoul(o->strings + r->core->access_str_off, NULL, 10);
	const char *name = btf__name_by_offset(o->btf, btf_is_enum(ours) ? btf_enum(ours)[i].name_off
									 : btf_enum64(ours)[i].name_off);

	for (int k = 0; is_enum(its) && k < btf_vlen(its); k++) {
		uint32_t off = btf_is_enum(its) ? btf_enum(its)[k].name_off : btf_enum64(its)[k].name_off;
		const char *other = btf__name_by_offset(kernel, off);

		if (name_essential(name) == name_essential(other) && !strncmp(name, other, name_essential(name)))
			return true;
	}
	return false;
}

static bool holds_in(const struct ours *o, struct relo *r, uint32_t its, bool is_load)
{
	const struct btf_type *ours = type_stripped(o->btf, r->core->type_id);

	switch (r->core->kind) {
	case BPF_CORE_TYPE_ID_TARGET:
	case BPF_CORE_TYPE_EXISTS:
	case BPF_CORE_TYPE_SIZE:
	case BPF_CORE_TYPE_MATCHES: return true;
	case BPF_CORE_ENUMVAL_EXISTS:
	case BPF_CORE_ENUMVAL_VALUE: return has_enumerator(o, r, ours, type_stripped(kernel, its));
	default: return field_in(o, r, r->core->type_id, its, is_load);
	}
}

struct relo relo_resolve(const struct btf *btf, const char *strings, const struct bpf_core_relo *core, bool is_load)
{
	const struct ours ours_of = { btf, strings }, *o = &ours_of;
	struct relo r = { .core = core, .fits = true, .holds = core->kind == BPF_CORE_TYPE_ID_LOCAL }, try;
	const struct btf_type *ours = type_stripped(o->btf, core->type_id);
	const char *name = btf__name_by_offset(o->btf, ours->name_off);
	size_t len = name_essential(name);

	for (uint32_t id = 1; !r.holds && id < btf__type_cnt(kernel); id++) {
		const struct btf_type *t = btf__type_by_id(kernel, id);
		const char *other = btf__name_by_offset(kernel, t->name_off);

		if (!same_kind(ours, t) || strncmp(name, other, len) || name_essential(other) != len)
			continue;
		try = (struct relo){ .core = core, .fits = true };
		try.holds = holds_in(o, &try, id, is_load);
		r = try;
	}
	say(&r, "there is no %.*s%s", (int)len, name, is_enum(ours) ? " of that name" : "");
	return r;
}

int64_t kernel_enumerator(const char *type, const char *name, int64_t number)
{
	int id = btf__find_by_name_kind(kernel, type, BTF_KIND_ENUM);
	const struct btf_type *t = id < 0 ? NULL : btf__type_by_id(kernel, (uint32_t)id);

	for (int i = 0; t && i < btf_vlen(t); i++) {
		const struct btf_enum *e = &btf_enum(t)[i];

		if (name ? !strcmp(btf__name_by_offset(kernel, e->name_off), name) : e->val == number)
			return e->val;
	}
	return -1;
}

const struct btf_type *kernel_tracepoint(const char *name)
{
	char type[128];
	int id;

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	id = btf__find_by_name_kind(kernel, type, BTF_KIND_TYPEDEF);
	return id < 0 ? NULL : type_stripped(kernel, type_stripped(kernel, (uint32_t)id)->type);
}
