#include "collect/jvm/code_names.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

bool code_name_read(const struct remote *r, uint64_t address, char to[CODE_NAME_MAX])
{
	if (!address || !remote_text(r, address, to, CODE_NAME_MAX) || !to[0])
		return false;
	for (const char *c = to; *c; c++) {
		if (*c < ' ' || *c > '~')
			return false;
	}
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
