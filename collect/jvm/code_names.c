#include "collect/jvm/code_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Text before a name in JDK 25 and 26, where names end in _stub or _blob; it follows the name in other versions. */
static const struct {
	const char *before, *ending, *behind, *until_24;
} kinds[] = {
	{ "Stub Generator ", "_stub", " (stub gen)", "" },
	{ "C1 Runtime ", "_blob", " (C1 runtime)", " Runtime1 stub" },
	{ "C2 Runtime ", "_blob", " (C2 runtime)", "" },
	{ "Shared Runtime ", "_blob", " (shared runtime)", "" },
};

static bool cut_end(const char *name, size_t *len, const char *end)
{
	size_t end_len = strlen(end);

	if (*len <= end_len || memcmp(name + *len - end_len, end, end_len) != 0)
		return false;
	*len -= end_len;
	return true;
}

void code_name_clean(char name[CODE_NAME_MAX])
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t len = strlen(name), before = strlen(kinds[i].before);
		char text[CODE_NAME_MAX];

		if (strncmp(name, kinds[i].before, before) != 0)
			before = 0;
		if (!cut_end(name, &len, kinds[i].behind) && !before)
			continue;
		cut_end(name, &len, kinds[i].ending);
		if (len <= before)
			return;
		snprintf(text, sizeof(text), "%.*s%s", (int)(len - before), name + before, kinds[i].until_24);
		strcpy(name, text);
		return;
	}
}

bool code_name_read(const struct remote *r, uint64_t address, char to[CODE_NAME_MAX])
{
	if (!address || !remote_text(r, address, to, CODE_NAME_MAX) || !to[0])
		return false;
	for (const char *c = to; *c; c++) {
		if (*c < ' ' || *c > '~')
			return false;
	}
	code_name_clean(to);
	return true;
}

const char *code_names_keep(struct code_names *n, const char *name)
{
	size_t before = n->ids.count, len = strlen(name);
	uint32_t id = intern_add(&n->ids, name, len);

	if (id == before) {
		n->kept = xgrow(n->kept, &n->cap, before + 1, sizeof(*n->kept));
		n->kept[id] = arena_strdup(&n->texts, name, len);
	}
	return n->kept[id];
}

void code_names_free(struct code_names *n)
{
	intern_free(&n->ids);
	free(n->kept);
	arena_free(&n->texts);
	*n = (struct code_names){ 0 };
}
