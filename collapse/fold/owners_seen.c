#include "collapse/fold/owners_seen.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "core/intern.h"
#include "core/memory.h"

/* The most names of a kind, and their bytes: pictures cut longer values. */
enum { NAMES_MAX = 20, BYTES_MAX = 900 };

void owners_seen_note(struct owners_seen *seen, const struct owned *owned, const struct recorded_sample *s)
{
	const struct owner_group *group = owned->group_count ? owned_find(owned, s->pid, s->time_ns) : NULL;

	if (!group)
		return;
	if (!seen->samples)
		seen->samples = xcalloc(owned->group_count, sizeof(*seen->samples));
	seen->samples[group - owned->groups]++;
}

struct seen_owner {
	uint32_t name;
	uint64_t samples;
};

/* Most samples first; names are numbered in the order of the recording. */
static int owners_seen_compare(const void *a, const void *b)
{
	const struct seen_owner *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* A comma separates names. */
static void owners_seen_add_name(struct str *out, const struct intern *names, uint32_t name)
{
	size_t begin = out->len;

	frame_add(out, intern_text(names, name), intern_len(names, name));
	for (size_t i = begin; i < out->len; i++)
		out->buf[i] = out->buf[i] == ',' ? '_' : out->buf[i];
}

/* "shop/web-1, shop/db-0, 7 more" */
static void owners_seen_add_names(struct str *out, const struct intern *names, const struct seen_owner *owners,
				  size_t count)
{
	struct str name = { 0 };
	size_t i;

	for (i = 0; i < count && i < NAMES_MAX; i++) {
		str_clear(&name);
		owners_seen_add_name(&name, names, owners[i].name);
		if (out->len + name.len > BYTES_MAX)
			break;
		str_addf(out, "%s%s", i ? FOLDED_OWNERS_BETWEEN : "", name.buf);
	}
	if (i < count)
		str_addf(out, "%s%zu" FOLDED_OWNERS_MORE, i ? FOLDED_OWNERS_BETWEEN : "", count - i);
	str_free(&name);
}

/* The unit of a container, "docker-6fe1c0ffee00....scope", says no more than its name. */
static bool owners_seen_is_of(const struct owner_group *group, enum owner_kind kind, struct str *name)
{
	return !(kind == OWNER_UNIT && group->in_container) && owner_add(group, kind, name);
}

/* Several groups may have the same name: those of a container's processes. */
static void owners_seen_add_kind(const struct owners_seen *seen, const struct owned *owned, enum owner_kind kind,
				 const char *key, struct str *header)
{
	struct seen_owner *owners = xcalloc(owned->group_count, sizeof(*owners));
	struct intern names = { 0 };
	struct str text = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < owned->group_count; i++) {
		uint32_t name;

		str_clear(&text);
		if (!seen->samples[i] || !owners_seen_is_of(&owned->groups[i], kind, &text))
			continue;
		name = intern_add(&names, text.buf, text.len);
		if (name == count)
			owners[count++] = (struct seen_owner){ name, 0 };
		owners[name].samples += seen->samples[i];
	}
	qsort(owners, count, sizeof(*owners), owners_seen_compare);
	str_clear(&text);
	owners_seen_add_names(&text, &names, owners, count);
	if (text.len)
		pair_add(header, key, text.buf);
	str_free(&text);
	intern_free(&names);
	free(owners);
}

void owners_seen_add(const struct owners_seen *seen, const struct owned *owned, struct str *header)
{
	if (!seen->samples)
		return;
	owners_seen_add_kind(seen, owned, OWNER_POD, FOLDED_PODS, header);
	owners_seen_add_kind(seen, owned, OWNER_CONTAINER, FOLDED_CONTAINERS, header);
	owners_seen_add_kind(seen, owned, OWNER_UNIT, FOLDED_UNITS, header);
}

void owners_seen_free(struct owners_seen *seen)
{
	free(seen->samples);
	*seen = (struct owners_seen){ 0 };
}
