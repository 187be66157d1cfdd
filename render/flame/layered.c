#include "render/flame/layered.h"

#include <stdlib.h>

#include "core/memory.h"

void layered_add_origin(struct layered *l, const char *name, const uint64_t *totals, const struct folded_source *source)
{
	l->origins = xgrow(l->origins, &l->origin_cap, l->origin_count + 1, sizeof(*l->origins));
	l->says_origin = true;
	l->origins[l->origin_count++] = (struct origin){ xstrdup(name), totals, source };
}

void layered_about(struct layered *l, const char *prefix, const struct folded_source *source)
{
	struct str key = { 0 };

	for (size_t i = 0; i < source->count; i++) {
		str_clear(&key);
		str_addf(&key, "%s_%s", prefix, source->pairs[i].key);
		source_join(&l->about, key.buf, source->pairs[i].value);
	}
	str_free(&key);
}

void layered_free(struct layered *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->origin_count; i++)
		free(l->origins[i].name);
	free(l->origins);
	str_free(&l->note);
	legend_free(&l->legend);
	str_free(&l->settings);
	source_free(&l->about);
	*l = (struct layered){ 0 };
}
