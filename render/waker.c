#include "render/waker.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/str.h"
#include "render/frame.h"

static bool is_separator(const struct profile *p, uint32_t name)
{
	return intern_len(&p->names, name) == 2 && !memcmp(intern_text(&p->names, name), "--", 2);
}

/* The id of name with the annotation. */
static uint32_t annotated(struct profile *p, uint32_t name, struct str *buf)
{
	const char *text = intern_text(&p->names, name);
	size_t len = intern_len(&p->names, name);

	if (frame_annotation(text, len) == 'w')
		return name;
	str_clear(buf);
	str_add(buf, text, len);
	str_puts(buf, "_[w]");
	return intern_add(&p->names, buf->buf, buf->len);
}

void waker_mark(struct profile *p)
{
	bool *wakes = xcalloc(p->count + 1, sizeof(*wakes));
	struct str buf = {0};

	for (size_t n = 1; n < p->count; n++) { /* parents first */
		struct profile_node *node = &p->nodes[n];
		bool separator = is_separator(p, node->name);

		wakes[n] = separator || wakes[node->parent];
		if (wakes[n] && !separator)
			node->name = annotated(p, node->name, &buf);
	}
	free(wakes);
	str_free(&buf);
}
