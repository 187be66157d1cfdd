/* Draws a picture for each of the root frames. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/format/folded.h"
#include "core/outfile.h"
#include "render/flame/flame.h"
#include "render/flame/modes.h"
#include "render/flame/split_page.h"

/* A directory into which pictures are written. */
struct split {
	const char *dir;
	int dir_fd;
	const struct dimension *dimension;
	char *files[SPLIT_SIDES];      /* "base: before.folded", or NULL */
	uint64_t *totals[SPLIT_SIDES]; /* [frame] in a differential; else NULL */
	struct split_names names;
	struct split_page page;
};

/* In a differential, the page shows the totals of both sides. */
static void split_compare(struct split *split, struct split_about *about, const struct flame *f)
{
	static const char *const names[] = { "base", "new" };
	const struct mode *m = f->mode;

	if (m->kind != MODE_DIFF || m->elided)
		return;
	about->compared = true;
	for (uint32_t i = 0; i < SPLIT_SIDES; i++) {
		const char *layer = f->profile->layers[i].name;
		struct str file = { 0 };

		split->totals[i] = tree_layer_totals(f->tree, i);
		about->sides[i] = (struct split_side){ .name = layer, .total = split->totals[i][0] };
		if (!m->source_count)
			continue;
		str_addf(&file, "%s: %s", names[i], layer);
		about->sides[i].name = names[i];
		about->sides[i].file = split->files[i] = file.buf;
		about->sides[i].source = &m->sources[i];
	}
}

static void split_free(struct split *split)
{
	for (size_t i = 0; i < SPLIT_SIDES; i++) {
		free(split->totals[i]);
		free(split->files[i]);
	}
	split_names_free(&split->names);
	split_page_free(&split->page);
}

/* The picture of all that are too small for one of their own has one root frame more. */
static struct profile split_rest_profile(const struct profile *whole)
{
	struct profile rest = *whole;
	struct str roots = { 0 };

	rest.source = (struct folded_source){ 0 };
	for (size_t i = 0; i < whole->source.count; i++) {
		const struct source_pair *pair = &whole->source.pairs[i];
		bool is_root = !strcmp(pair->key, FOLDED_ROOT);

		if (is_root)
			str_addf(&roots, "group,%s", pair->value);
		source_join(&rest.source, pair->key, is_root ? roots.buf : pair->value);
	}
	str_free(&roots);
	return rest;
}

/* Write one picture of a split, whose root is frame root. */
static int write_part(const struct flame *whole, uint32_t root, struct split *split)
{
	const struct intern *texts = &whole->profile->names;
	uint32_t id = whole->tree->frames[root].name;
	const char *name = intern_text(texts, id);
	struct str path = { 0 }, title = { 0 }, suffix = { 0 };
	bool is_rest = root == whole->rest;
	struct profile rest = { 0 };
	struct flame f = *whole;
	struct split_row *row;
	const char *file;
	int status;

	str_addf(&path, "%s/", split->dir);
	str_addf(&suffix, ".%s", whole->style->format->name);
	split_name_add(&path, &split->names, is_rest ? "others" : name, is_rest ? 6 : intern_len(texts, id),
		       suffix.buf);
	file = path.buf + strlen(split->dir) + 1;
	row = split_page_add(&split->page, name, intern_len(texts, id), file, whole->tree->frames[root].total);
	for (size_t i = 0; i < SPLIT_SIDES && split->totals[i]; i++)
		row->sides[i] = split->totals[i][root];
	str_addf(&title, "%s: %s", whole->title, name);
	f.root = root;
	f.thread = dimension_is_thread(split->dimension) ? name : NULL;
	f.title = title.buf;
	if (is_rest) {
		rest = split_rest_profile(whole->profile);
		f.profile = &rest;
		row->is_rest = true;
	}
	status = flame_write_own(&f, split->dir_fd, file, path.buf);
	source_free(&rest.source);
	str_free(&path);
	str_free(&title);
	str_free(&suffix);
	return status;
}

int flame_write_split(const struct flame *whole, const char *dir, const struct dimension *dimension, bool with_script)
{
	const struct frame *frames = whole->tree->frames;
	struct split split = { .dir = dir, .dimension = dimension };
	struct split_about about = {
		.headline = whole->style->headline,
		.title = whole->title,
		.dimension = dimension->name,
		.total = frames[0].total,
		.unit = &whole->style->unit,
		.source = &whole->profile->source,
		.format = whole->style->format,
	};
	struct str left_out = { 0 }, before = { 0 };
	int status = -1;

	flame_idle_note(&left_out, whole);
	flame_left_out_note(&before, whole);
	str_puts(&left_out, left_out.len && before.len ? ". " : "");
	str_puts(&left_out, str_text(&before));
	str_free(&before);
	about.left_out = str_text(&left_out);
	split.dir_fd = outdir_open(dir);
	if (split.dir_fd < 0) {
		str_free(&left_out);
		return -1;
	}
	if (split_page_check(split.dir_fd, dir, with_script) < 0 ||
	    (with_script && split_script_write(split.dir_fd, dir) < 0))
		goto out;
	split_compare(&split, &about, whole);
	status = 0;
	for (uint32_t i = 1; i < frames[0].end && status == 0; i = frames[i].end)
		status = write_part(whole, i, &split);
	if (!status)
		status = split_page_write(&split.page, split.dir_fd, dir, &about);
out:
	split_free(&split);
	str_free(&left_out);
	close(split.dir_fd);
	return status;
}
