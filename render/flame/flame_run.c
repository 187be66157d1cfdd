/* "render flame": options in, pictures out. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collapse/folded.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "render/charts.h"
#include "render/flame/flame_options.h"
#include "render/flame/modes.h"
#include "render/profile/sample.h"
#include "render/flame/split.h"
#include "render/flame/split_page.h"

static struct regexp **compile_all(const struct text_list *patterns, const char *option)
{
	struct regexp **res = xcalloc(patterns->count, sizeof(*res));

	for (size_t i = 0; i < patterns->count; i++)
		res[i] = regexp_compile(patterns->items[i], option);
	return res;
}

static void free_all(struct regexp **res, size_t count)
{
	for (size_t i = 0; i < count; i++)
		regexp_free(res[i]);
	free(res);
}

/* ---- input ---------------------------------------------------------------- */

/* Read every file; nothing is drawn when one could not be read. */
static int read_profile(struct mode *mode, struct profile *p, const struct flame_options *o,
			struct dimension *split)
{
	struct profile_filter filter = {
		.include = compile_all(&o->include, "--include"), .include_count = o->include.count,
		.exclude = compile_all(&o->exclude, "--exclude"), .exclude_count = o->exclude.count,
		.reverse = o->reverse, .chart = o->chart, .base = &o->base,
		.wakers = o->colors && !strcmp(o->colors, "chain"), .split = split,
	};
	int status = mode_read(mode, p, &filter);

	if (o->chart)
		profile_chart(p);
	profile_close(p);
	if (split)
		dimension_reorder(split, &p->source);
	free_all(filter.include, filter.include_count);
	free_all(filter.exclude, filter.exclude_count);
	return status;
}

/* The picture says what was kept of the input, as collapse does. */
static void note_filters(struct profile *p, struct mode *mode, const struct flame_options *o)
{
	struct str text = {0};

	for (size_t i = 0; i < o->include.count; i++)
		str_addf(&text, "%s--include %s", text.len ? " " : "", o->include.items[i]);
	for (size_t i = 0; i < o->exclude.count; i++)
		str_addf(&text, "%s--exclude %s", text.len ? " " : "", o->exclude.items[i]);
	for (size_t i = 0; i < o->base.count; i++)
		str_addf(&text, "%s--base %s", text.len ? " " : "", o->base.items[i]);
	if (text.len)
		source_join(&p->source, FOLDED_FILTER, text.buf);
	for (size_t i = 0; text.len && i < mode->source_count; i++)
		source_join(&mode->sources[i], FOLDED_FILTER, text.buf);
	str_free(&text);
}

/* A frame whose name ends in a number looks like a first value. */
static void report_two_values(const struct profile *p, bool columns_lost)
{
	uint64_t good = p->lines - p->bad_lines - p->filtered_lines;

	if (!p->two_value_lines)
		return;
	if (columns_lost)
		warn("%s:%" PRIu64 ": has two values (a differential): only the second is drawn",
		     p->two_values_path, p->two_values_number);
	else if (p->two_value_lines < good)
		warn("%s:%" PRIu64 ": has two values, as %" PRIu64 " of %" PRIu64
		     " lines: drawn as a differential", p->two_values_path, p->two_values_number,
		     p->two_value_lines, good);
}

/* Returns 0, or -1 when bad lines are an error. */
static int report_lines(const struct profile *p, bool columns_lost, bool strict)
{
	report_two_values(p, columns_lost);
	if (!p->bad_lines)
		return 0;
	if (strict)
		return error("%" PRIu64 " of %" PRIu64 " lines are bad; nothing is drawn (--strict)",
			     p->bad_lines, p->lines);
	warn("skipped %" PRIu64 " bad lines of %" PRIu64, p->bad_lines, p->lines);
	return 0;
}

/* --total N: what is missing from N is nobody's, to the right of all frames. */
static void widen_total(struct profile *p, double wanted)
{
	double one = (double)decimal_shift(1, p->decimals), units = wanted * one;

	if (!p->total || !wanted)
		return;
	if (p->layer_count) {
		warn("--total is for a single profile: ignored");
		return;
	}
	if (units < (double)p->total) {
		if (units < 0.98 * (double)p->total)
			warn("--total %g is less than the sum of all values, %g: ignored", wanted,
			     (double)p->total / one);
		return;
	}
	if (units >= 1.8e19) {
		warn("--total %g is too large: ignored", wanted);
		return;
	}
	p->stacks[0].self += (uint64_t)units - p->total;
	p->total = (uint64_t)units;
}

/* ---- output --------------------------------------------------------------- */

static int write_picture(const struct flame *f, const char *path)
{
	struct outfile out;

	if (outfile_open(&out, path) < 0)
		return -1;
	if (flame_write(f, out.file) < 0) {
		outfile_abandon(&out);
		return -1;
	}
	return outfile_commit(&out);
}

/* A directory that is being filled with pictures. */
struct split {
	const char *dir;
	const struct dimension *dimension;
	char *files[SPLIT_SIDES];      /* "base: before.folded", or NULL */
	uint64_t *totals[SPLIT_SIDES]; /* by frame, of a differential; else NULL */
	struct split_names names;
	struct split_page page;
};

/* Of a differential the page says both sides. */
static void split_compare(struct split *split, struct split_about *about, const struct flame *f)
{
	static const char *const names[] = { "base", "new" };
	const struct mode *m = f->mode;

	if (m->kind != MODE_DIFF || m->elided)
		return;
	about->compared = true;
	for (uint32_t i = 0; i < SPLIT_SIDES; i++) {
		const char *layer = f->profile->layers[i].name;
		struct str file = {0};

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

/* One picture of a split: its own frame is the root. */
static int write_part(const struct flame *whole, uint32_t root, struct split *split)
{
	const struct intern *texts = &whole->profile->names;
	uint32_t id = whole->tree->frames[root].name;
	const char *name = intern_text(texts, id);
	struct str path = {0}, title = {0}, suffix = {0};
	struct flame f = *whole;
	struct split_row *row;
	int status;

	str_addf(&path, "%s/", split->dir);
	str_addf(&suffix, ".%s", whole->style->format->name);
	split_name_add(&path, &split->names, name, intern_len(texts, id), suffix.buf);
	row = split_page_add(&split->page, name, intern_len(texts, id),
			     path.buf + strlen(split->dir) + 1, whole->tree->frames[root].total);
	for (size_t i = 0; i < SPLIT_SIDES && split->totals[i]; i++)
		row->sides[i] = split->totals[i][root];
	str_addf(&title, "%s: %s", whole->title, name);
	f.root = root;
	f.thread = dimension_is_thread(split->dimension) ? name : NULL;
	f.title = title.buf;
	status = write_picture(&f, path.buf);
	str_free(&path);
	str_free(&title);
	str_free(&suffix);
	return status;
}

static int write_split(const struct flame *whole, const char *dir,
		       const struct dimension *dimension)
{
	const struct frame *frames = whole->tree->frames;
	struct split split = { .dir = dir, .dimension = dimension };
	struct split_about about = {
		.title = whole->title, .dimension = dimension->name, .total = frames[0].total,
		.unit = &whole->style->unit, .source = &whole->profile->source,
		.format = whole->style->format,
	};
	int status = 0;

	if (mkdir(dir, 0777) < 0 && errno != EEXIST)
		return error("%s: %s", dir, strerror(errno));
	split_compare(&split, &about, whole);
	for (uint32_t i = 1; i < frames[0].end && status == 0; i = frames[i].end)
		status = write_part(whole, i, &split);
	if (!status)
		status = split_page_write(&split.page, dir, &about);
	split_free(&split);
	return status;
}

static bool most_are_bad(const struct profile *p)
{
	return p->bad_lines > (p->lines - p->filtered_lines) / 2;
}

static const char *why_nothing(const struct profile *p, bool elided)
{
	if (!p->lines)
		return "the input is empty";
	if (p->filtered_lines == p->lines)
		return "no line passes the filters";
	if (elided && p->lines > p->bad_lines)
		return "nothing has gone";
	if (p->bad_lines + p->filtered_lines == p->lines)
		return "no line of the input is a folded stack";
	return most_are_bad(p) ? "most lines of the input are no folded stacks" : "all values are zero";
}

/* Nothing to draw: say so in the picture and on stderr. */
static int write_nothing(const struct flame_style *style, const struct flame_options *o,
			 const char *reason)
{
	struct outfile out;

	error("nothing to draw: %s", reason);
	if (o->split)
		return 2;
	if (outfile_open(&out, o->output) < 0)
		return 1;
	if (flame_write_empty(style, "Nothing to draw", reason, out.file) < 0) {
		outfile_abandon(&out);
		return 1;
	}
	return outfile_commit(&out) < 0 ? 1 : 2;
}

int flame_run(int argc, char **argv)
{
	struct flame_options o;
	struct profile profile = {0};
	struct mode mode;
	struct dimension split = {0};
	struct flame_style style;
	struct tree tree = {0};
	struct name_colouring by_name = {0};
	struct width_colouring by_width;
	struct str reason = {0};
	const char *unit;
	int status = 1;

	argc = flame_options_parse(&o, argc, argv);
	flame_style_make(&style, &o);
	dimension_init(&split, o.split);
	mode_choose(&mode, &o, argv, argc);
	if (look_read(&style.look, &o) < 0 ||
	    read_profile(&mode, &profile, &o, o.split ? &split : NULL) < 0 ||
	    report_lines(&profile, mode.source_count || mode.kind != MODE_DIFF, o.strict) < 0)
		goto out;
	if (most_are_bad(&profile))
		str_puts(&reason, why_nothing(&profile, false));
	if (reason.len || mode_empty_side(&mode, &profile, &reason)) {
		status = write_nothing(&style, &o, reason.buf);
		goto out;
	}
	if (mode_combine(&mode, &profile) < 0)
		goto out;
	if (!o.title && mode_title(&mode, o.inverted))
		style.title = mode_title(&mode, o.inverted);
	note_filters(&profile, &mode, &o);
	widen_total(&profile, o.total);
	unit = source_get(&profile.source, FOLDED_UNIT);
	if (!style.unit.name)
		style.unit.name = mode.width_by ? mode.width_by : unit ? unit : "samples";
	style.unit.decimals = profile.decimals;
	tree_build_as(&tree, &profile, &(struct tree_wish){
		.order = style.look.order, .detail_bytes = o.detail,
		.arrival = profile.timed && !profile.charted, .keep_first = o.split });
	if (!tree.count) {
		status = write_nothing(&style, &o, why_nothing(&profile, o.elided));
		goto out;
	}
	name_colouring_make(&by_name, &profile, &tree, style.palette);
	width_colouring_make(&by_width, &tree);
	struct flame flame = { .style = &style, .profile = &profile, .tree = &tree,
			       .colouring = style.look.by_width ? &by_width.colouring
							       : &by_name.colouring,
			       .mode = &mode,
			       .title = style.title };
	if ((o.split ? write_split(&flame, o.output, &split) : write_picture(&flame, o.output)) < 0)
		goto out;
	if (look_keep_colours(&style.look, &profile, &tree) < 0)
		goto out;
	if (o.verbose)
		inform("%" PRIu64 " lines, %u frames with %zu names drawn", profile.lines,
		       tree.count, profile.names.count);
	status = 0;
out:
	name_colouring_free(&by_name);
	tree_free(&tree);
	profile_free(&profile);
	mode_free(&mode);
	look_free(&style.look);
	dimension_free(&split);
	flame_style_free(&style);
	flame_options_free(&o);
	str_free(&reason);
	return status;
}
