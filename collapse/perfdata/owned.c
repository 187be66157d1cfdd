#include "collapse/perfdata/owned.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/format/systemd_unit.h"

enum { NO_SPAN = 0 };

/* From since_ns on. */
struct owned_span {
	uint64_t since_ns;
	uint32_t group;  /* number + 1; 0: unknown */
	uint32_t before; /* place of the process's earlier span + 1; NO_SPAN: there is none */
};

/* "name rest": takes the first word, "-" as nothing.  Returns false at the end. */
static bool owned_word(const char **text, size_t *len, struct owner_text *word)
{
	const char *blank = memchr(*text, ' ', *len);
	size_t n = blank ? (size_t)(blank - *text) : *len;

	if (!n)
		return false;
	*word = (struct owner_text){ *text, n };
	if (n == 1 && **text == '-')
		word->len = 0;
	*text += n + (blank != NULL);
	*len -= n + (blank != NULL);
	return true;
}

static struct owner_group *owned_group(struct owned *o, uint64_t number)
{
	return number < o->group_count ? &o->groups[number] : NULL;
}

/* "8513 0 1", "8600 23509317896969 -" */
static void owned_take_process(struct owned *o, const char *text, size_t len)
{
	uint64_t pid, since_ns, group = 0;
	uint32_t *last;

	if (!field_number(&text, &len, 10, &pid) || !field_number(&text, &len, 10, &since_ns) || pid > INT_MAX)
		return;
	if (len == 1 && *text == '-')
		group = 0;
	else if (field_number(&text, &len, 10, &group) && group < o->group_count)
		group++;
	else
		return;
	o->spans = xgrow(o->spans, &o->span_cap, o->span_count + 1, sizeof(*o->spans));
	last = map_at(&o->by_pid, pid, 0);
	o->spans[o->span_count++] = (struct owned_span){ since_ns, (uint32_t)group, *last };
	*last = (uint32_t)o->span_count;
}

static void owned_take_container(struct owned *o, const char *text, size_t len)
{
	struct owner_group *group;
	uint64_t number;

	if (!field_number(&text, &len, 10, &number) || !(group = owned_group(o, number)))
		return;
	group->in_container = owned_word(&text, &len, &group->container_id);
	owned_word(&text, &len, &group->container);
}

static void owned_take_pod(struct owned *o, const char *text, size_t len)
{
	struct owner_group *group;
	uint64_t number;

	if (!field_number(&text, &len, 10, &number) || !(group = owned_group(o, number)))
		return;
	group->in_pod = owned_word(&text, &len, &group->pod_uid);
	if (owned_word(&text, &len, &group->space))
		owned_word(&text, &len, &group->pod);
}

static void owned_take_limit(struct owned *o, const char *text, size_t len)
{
	uint64_t number, quota_us, period_us, version;
	struct owner_group *group;

	if (!field_number(&text, &len, 10, &number) || !field_number(&text, &len, 10, &quota_us) ||
	    !field_number(&text, &len, 10, &period_us) || !period_us || !(group = owned_group(o, number)))
		return;
	group->quota_us = quota_us;
	group->period_us = period_us;
	group->limit_version = field_number(&text, &len, 10, &version) ? (unsigned)version : 0;
}

static void owned_take_group(struct owned *o, const char *text, size_t len)
{
	uint64_t number;

	if (!field_number(&text, &len, 10, &number) || number != o->group_count)
		return;
	o->groups = xgrow(o->groups, &o->group_cap, o->group_count + 1, sizeof(*o->groups));
	o->groups[o->group_count++] = (struct owner_group){ .path = { text, len } };
}

void owned_read(struct owned *o, const struct perfdata *d)
{
	static const struct {
		const char *word;
		void (*take)(struct owned *o, const char *text, size_t len);
	} kinds[] = {
		{ "group ", owned_take_group }, { "container ", owned_take_container }, { "pod ", owned_take_pod },
		{ "limit ", owned_take_limit }, { "process ", owned_take_process },
	};
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_OWNERS);
	while (section_next_line(&lines, &text, &len)) {
		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
			size_t n = strlen(kinds[i].word);

			if (len > n && !memcmp(text, kinds[i].word, n))
				kinds[i].take(o, text + n, len - n);
		}
	}
}

const struct owner_group *owned_find(const struct owned *o, int pid, uint64_t time_ns)
{
	uint32_t at = map_get(&o->by_pid, (uint64_t)pid, 0), first = at;

	for (; at && o->spans[at - 1].since_ns > time_ns; at = o->spans[at - 1].before)
		first = at;
	if (!at) /* records of several CPUs: it was seen a moment later */
		at = first;
	return at && o->spans[at - 1].group ? &o->groups[o->spans[at - 1].group - 1] : NULL;
}

/* ---- what a group is --------------------------------------------------------------- */

/* "/system.slice/nginx.service" */
static bool owned_add_path(const struct owner_group *group, struct str *out)
{
	str_add(out, group->path.text, group->path.len);
	return group->path.len;
}

static bool owned_ends_in(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(text + len - n, end, n);
}

/* "nginx.service" */
static bool owned_add_unit(const struct owner_group *group, struct str *out)
{
	return group->path.len && systemd_unit_add(group->path.text, group->path.len, out);
}

/* "app"; the begin of its id, as in docker ps, where it has no name */
static bool owned_add_container(const struct owner_group *group, struct str *out)
{
	enum { SHORT_ID = 12 };

	if (!group->in_container)
		return false;
	if (group->container.len)
		str_add(out, group->container.text, group->container.len);
	else
		str_add(out, group->container_id.text,
			group->container_id.len < SHORT_ID ? group->container_id.len : SHORT_ID);
	return true;
}

/* "prod/shop-7f9c"; "pod 1f2e0000-aaaa-bbbb-cccc-000000000001", where it has no name */
static bool owned_add_pod(const struct owner_group *group, struct str *out)
{
	if (!group->in_pod)
		return false;
	if (group->pod.len)
		str_addf(out, "%.*s%s%.*s", (int)group->space.len, group->space.text, group->space.len ? "/" : "",
			 (int)group->pod.len, group->pod.text);
	else
		str_addf(out, "pod %.*s", (int)group->pod_uid.len, group->pod_uid.text);
	return true;
}

/* "prod" */
static bool owned_add_namespace(const struct owner_group *group, struct str *out)
{
	str_add(out, group->space.text, group->space.len);
	return group->space.len;
}

static bool owned_add_container_id(const struct owner_group *group, struct str *out)
{
	str_add(out, group->container_id.text, group->container_id.len);
	return group->container_id.len;
}

static bool owned_add_pod_uid(const struct owner_group *group, struct str *out)
{
	str_add(out, group->pod_uid.text, group->pod_uid.len);
	return group->pod_uid.len;
}

bool owner_add(const struct owner_group *group, enum owner_kind kind, struct str *out)
{
	static bool (*const add[])(const struct owner_group *group, struct str *out) = {
		[OWNER_GROUP] = owned_add_path,          [OWNER_UNIT] = owned_add_unit,
		[OWNER_CONTAINER] = owned_add_container, [OWNER_POD] = owned_add_pod,
		[OWNER_NAMESPACE] = owned_add_namespace, [OWNER_CONTAINER_ID] = owned_add_container_id,
		[OWNER_POD_UID] = owned_add_pod_uid,
	};

	return add[kind](group, out);
}

/* Does the name of the unit tell more than that of the program, "nginx" of nginx.service? */
static bool owned_tells_unit(const struct str *unit, const char *program)
{
	const char *slash = memchr(unit->buf, '/', unit->len), *name = slash ? slash + 1 : unit->buf;

	return owned_ends_in(unit->buf, unit->len, ".service") && (slash || strncmp(name, "user@", 5) != 0) &&
	       strncmp(program, name, strlen(name) - strlen(".service")) != 0;
}

void owner_add_words(const struct owner_group *group, const char *program, struct str *out)
{
	struct str unit = { 0 };

	if (group->in_pod && group->pod.len) {
		str_addf(out, "pod %.*s", (int)group->pod.len, group->pod.text);
		if (group->space.len)
			str_addf(out, " of namespace %.*s", (int)group->space.len, group->space.text);
	} else if (group->in_pod) {
		owner_add(group, OWNER_POD, out);
	} else if (group->in_container) {
		str_puts(out, "container ");
		owner_add(group, OWNER_CONTAINER, out);
	} else if (owner_add(group, OWNER_UNIT, &unit) && owned_tells_unit(&unit, program)) {
		str_addf(out, "unit %s", unit.buf);
	}
	str_free(&unit);
}

void owner_add_limit(const struct owner_group *group, struct str *out)
{
	if (group->period_us)
		str_addf(out, "%.3g CPUs, ", (double)group->quota_us / (double)group->period_us);
	if (group->in_pod) {
		str_puts(out, group->pod.len ? "pod " : "");
		owner_add(group, OWNER_POD, out);
	} else if (group->in_container) {
		str_puts(out, "container ");
		owner_add(group, OWNER_CONTAINER, out);
	} else if (!owner_add(group, OWNER_UNIT, out)) {
		owner_add(group, OWNER_GROUP, out);
	}
}

/* ---- choosing ---------------------------------------------------------------------- */

void owned_choose(struct owned *o, enum owner_kind kind, struct regexp *pattern)
{
	o->wanted[kind] = pattern;
	o->chooses = true;
}

/* Containers and pods are also found by the numbers that runtimes print. */
static bool owned_matches_kind(const struct owned *o, const struct owner_group *group, enum owner_kind kind)
{
	static const enum owner_kind numbers[OWNER_CHOICES] = {
		[OWNER_GROUP] = OWNER_KINDS, [OWNER_UNIT] = OWNER_KINDS,      [OWNER_CONTAINER] = OWNER_CONTAINER_ID,
		[OWNER_POD] = OWNER_POD_UID, [OWNER_NAMESPACE] = OWNER_KINDS,
	};
	struct str text = { 0 };
	bool matches = owner_add(group, kind, &text) && regexp_match(o->wanted[kind], text.buf, text.len);

	str_clear(&text);
	if (!matches && numbers[kind] < OWNER_KINDS && owner_add(group, numbers[kind], &text))
		matches = regexp_match(o->wanted[kind], text.buf, text.len);
	str_free(&text);
	return matches;
}

bool owned_group_is_wanted(const struct owned *o, const struct owner_group *group)
{
	if (o->chooses && !group)
		return false;
	for (int kind = 0; kind < OWNER_CHOICES; kind++) {
		if (o->wanted[kind] && !owned_matches_kind(o, group, (enum owner_kind)kind))
			return false;
	}
	return true;
}

bool owned_is_wanted(struct owned *o, int pid, uint64_t time_ns)
{
	const struct owner_group *group;
	uint8_t *known;

	if (!o->chooses)
		return true;
	group = owned_find(o, pid, time_ns);
	if (!group)
		return false;
	if (!o->matches)
		o->matches = xcalloc(o->group_count, sizeof(*o->matches));
	known = &o->matches[group - o->groups];
	if (!*known)
		*known = 1 + owned_group_is_wanted(o, group);
	return *known == 2;
}

void owned_free(struct owned *o)
{
	for (int kind = 0; kind < OWNER_CHOICES; kind++)
		regexp_free(o->wanted[kind]);
	free(o->matches);
	free(o->groups);
	free(o->spans);
	map_free(&o->by_pid);
	*o = (struct owned){ 0 };
}
