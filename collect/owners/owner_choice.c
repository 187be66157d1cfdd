#include "collect/owners/owner_choice.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "collect/owners/group_names.h"
#include "collect/owners/owners.h"
#include "core/intern.h"
#include "core/memory.h"
#include "core/regexp.h"
#include "core/format/systemd_unit.h"

bool owner_choice_given(const struct owner_choice *o)
{
	return o->container || o->pod || o->space || o->unit;
}

void owner_choice_check(const struct owner_choice *o)
{
	const struct {
		const char *pattern, *option;
	} all[] = { { o->container, "--container" },
		    { o->pod, "--pod" },
		    { o->space, "--namespace" },
		    { o->unit, "--systemd-unit" } };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i].pattern)
			regexp_free(regexp_compile(all[i].pattern, all[i].option));
	}
}

void owner_choice_describe_any(const void *choice, struct str *out)
{
	const struct owner_choice *o = choice;
	const struct {
		const char *pattern, *noun;
	} all[] = { { o->container, "container" }, { o->pod, "pod" }, { o->space, "namespace" }, { o->unit, "unit" } };
	const char *between = "a process of a ";

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!all[i].pattern)
			continue;
		str_addf(out, "%s%s that matches %s", between, all[i].noun, all[i].pattern);
		between = ", and of a ";
	}
}

static bool owner_choice_matches(const char *pattern, const struct str *text)
{
	struct regexp *re = regexp_compile(pattern, "");
	bool matches = text->len && regexp_match(re, text->buf, text->len);

	regexp_free(re);
	return matches;
}

/* A name, or the number that runtimes print. */
static bool owner_choice_is(const char *pattern, const struct str *name, const struct str *number)
{
	return !pattern || owner_choice_matches(pattern, name) || (number && owner_choice_matches(pattern, number));
}

/* The name of a pod as root pod shows it: "prod/shop-7f9c". */
static void owner_choice_pod(const struct group_owner *g, struct str *out)
{
	if (!g->pod.len)
		str_puts(out, g->pod_uid.len ? "pod " : "");
	else if (g->space.len)
		str_addf(out, "%s/", g->space.buf);
	str_puts(out, g->pod.len ? g->pod.buf : str_text(&g->pod_uid));
}

static bool owner_choice_group(const struct owner_choice *o, const char *path, pid_t pid)
{
	struct group_owner g = { 0 };
	struct str unit = { 0 }, pod = { 0 };
	bool is;

	systemd_unit_add(path, strlen(path), &unit);
	group_owner_find(group_names_root(), path, pid, &g);
	owner_choice_pod(&g, &pod);
	is = owner_choice_is(o->container, &g.container, &g.container_id) &&
	     owner_choice_is(o->pod, &pod, &g.pod_uid) && owner_choice_is(o->space, &g.space, NULL) &&
	     owner_choice_is(o->unit, &unit, NULL);
	group_owner_free(&g);
	str_free(&unit);
	str_free(&pod);
	return is;
}

bool owner_choice_has(const void *choice, pid_t pid)
{
	enum { NOT_ASKED, NO, YES };
	static struct intern paths;
	static uint8_t *answers; /* by path */
	static size_t cap;
	struct str text = { 0 };
	const char *path;
	size_t len = read_process(pid, "cgroup", &text) ? 0 : owners_group_path(str_text(&text), &path), before = cap;
	uint32_t number;
	bool is = false;

	if (len) {
		number = intern_add(&paths, path, len);
		answers = xgrow(answers, &cap, number + 1, sizeof(*answers));
		memset(answers + before, NOT_ASKED, cap - before);
		if (answers[number] == NOT_ASKED)
			answers[number] = owner_choice_group(choice, intern_text(&paths, number), pid) ? YES : NO;
		is = answers[number] == YES;
	}
	str_free(&text);
	return is;
}
