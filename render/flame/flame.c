#include "render/flame/flame.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/outfile.h"
#include "render/flame/modes.h"

int flame_write(const struct flame *undressed, FILE *out)
{
	struct flame dressed = *undressed, *f = &dressed;
	struct flame_plan plan;
	struct dress dress;
	struct drawing d;
	int status;

	dress_make(&dress, f);
	flame_plan_make(&plan, f);
	d = flame_drawing(&plan);
	status = f->style->format->write(f->style->format, &d, out);
	flame_plan_free(&plan);
	dress_free(&dress);
	return status;
}

static int flame_write_out(const struct flame *f, struct outfile *out)
{
	if (flame_write(f, out->file) < 0) {
		outfile_abandon(out);
		return -1;
	}
	return outfile_commit(out);
}

int flame_write_file(const struct flame *f, const char *path)
{
	struct outfile out;

	return outfile_open(&out, path) < 0 ? -1 : flame_write_out(f, &out);
}

int flame_write_own(const struct flame *f, int dir, const char *name, const char *path)
{
	struct outfile out;

	return outfile_open_own(&out, dir, name, path) < 0 ? -1 : flame_write_out(f, &out);
}

/* ---- layers ---- */

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
