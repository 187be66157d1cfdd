#include "collapse/frames/frame.h"
#include "collapse/roots/root.h"
#include "collapse/roots/roots.h"

/* The idle thread is in no group; who is not known is not taken for one without an owner. */
static void owner_root_key(struct roots *r, const struct recorded_sample *s, uint32_t *words, enum owner_kind kind)
{
	static const char *const names[] = { "cgroup",    "unit",         "container", "pod",
					     "namespace", "container id", "pod uid" };
	const struct owner_group *group = s->owner ? s->owner : owned_find(&r->sideband->owned, s->pid, s->time_ns);
	struct str text = { 0 };

	if (!group || !owner_add(group, kind, &text))
		str_addf(&text, "[%s %s]", group || !s->pid ? "no" : "unknown", names[kind]);
	words[0] = intern_add(&r->owner_texts, text.buf, text.len);
	str_free(&text);
}

static void owner_root_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	frame_add(out, intern_text(&r->owner_texts, words[0]), intern_len(&r->owner_texts, words[0]));
}

/* cgroup: "/system.slice/nginx.service" */
static void cgroup_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	owner_root_key(r, s, words, OWNER_GROUP);
}

/* unit: "nginx.service" */
static void unit_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	owner_root_key(r, s, words, OWNER_UNIT);
}

/* container: "app" */
static void container_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	owner_root_key(r, s, words, OWNER_CONTAINER);
}

/* pod: "prod/shop-7f9c" */
static void pod_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	owner_root_key(r, s, words, OWNER_POD);
}

/* namespace: "prod" */
static void namespace_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	owner_root_key(r, s, words, OWNER_NAMESPACE);
}

static void container_id_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	owner_root_key(r, s, words, OWNER_CONTAINER_ID);
}

static void pod_uid_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	owner_root_key(r, s, words, OWNER_POD_UID);
}

const struct root owner_roots[] = {
	{ "cgroup", 1, cgroup_key, owner_root_write },       { "unit", 1, unit_key, owner_root_write },
	{ "container", 1, container_key, owner_root_write }, { "pod", 1, pod_key, owner_root_write },
	{ "namespace", 1, namespace_key, owner_root_write }, { "container-id", 1, container_id_key, owner_root_write },
	{ "pod-uid", 1, pod_uid_key, owner_root_write },     { 0 },
};
