/* "render flame": options in, pictures out. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/events.h"
#include "core/format/folded.h"
#include "render/colours/waits.h"
#include "render/drawing/chart_entry.h"
#include "render/drawing/chart_options.h"
#include "render/drawing/format.h"
#include "render/encoding/unfold.h"
#include "render/flame/flame.h"
#include "render/flame/flame_options.h"
#include "render/flame/modes.h"
#include "render/flame/shown.h"
#include "render/flame/split_page.h"
#include "render/profile/idle.h"
#include "render/profile/sample.h"

/* The data of one run, from its options to the picture. */
struct run {
	struct flame_options options;
	struct flame_style style;
	struct dimension split; /* by which --split splits */
	uint32_t rest;          /* flame.rest */
	struct mode mode;
	struct profile profile;
	struct tree tree;
	struct shown shown;
	uint64_t dropped, kept; /* sums of idle stacks, if the picture cannot show them, and of all others */
	bool drops_waits;
	struct name_colouring by_name;
	struct width_colouring by_width;
	struct wait_colouring by_wait;
	struct wall_colouring by_wall;
	struct str title;  /* one that was made */
	struct str reason; /* why there is no picture */
};

/* ---- input ---------------------------------------------------------------- */

/* Only a picture with one value per stack can show idle stacks on request. */
static void drop_idle(struct run *r)
{
	uint64_t all = r->profile.total;

	if (!profile_is_all_idle(&r->profile))
		r->dropped = profile_drop_idle(&r->profile);
	r->kept = all - r->dropped;
	r->drops_waits = idle_of_threads(&r->profile.source);
}

/* Read all files.  Nothing is drawn if one could not be read. */
static int flame_read_profile(struct run *r)
{
	const struct flame_options *o = &r->options;
	struct profile_filter filter = {
		.lines.include = regexps_compile(&o->common.include, "--include"),
		.lines.include_count = o->common.include.count,
		.lines.exclude = regexps_compile(&o->common.exclude, "--exclude"),
		.lines.exclude_count = o->common.exclude.count,
		.reverse = o->reverse,
		.chart = o->chart,
		.base = &o->base,
		.wakers = o->common.colors && !strcmp(o->common.colors, "chain"),
		.split = o->split ? &r->split : NULL,
		.idle = !o->idle && !o->chart && r->mode.kind != MODE_METRICS,
		.unnumber = (o->diff.count || o->multiples) && !o->pids,
	};
	int status = mode_read(&r->mode, &r->profile, &filter);

	if (r->profile.layer_count || o->split)
		drop_idle(r);
	if (o->chart)
		profile_chart(&r->profile);
	profile_close(&r->profile);
	if (o->split)
		dimension_reorder(&r->split, &r->profile.source);
	regexps_free(filter.lines.include, filter.lines.include_count);
	regexps_free(filter.lines.exclude, filter.lines.exclude_count);
	return status;
}

/* Note in the picture which part of the input it shows, as collapse does. */
static void flame_note_filters(struct run *r)
{
	const struct flame_options *o = &r->options;
	struct str text = { 0 };

	chart_options_filters(&o->common, &text);
	for (size_t i = 0; i < o->base.count; i++)
		str_addf(&text, "%s--base %s", text.len ? " " : "", o->base.items[i]);
	if (text.len)
		source_join(&r->profile.source, FOLDED_FILTER, text.buf);
	for (size_t i = 0; text.len && i < r->mode.source_count; i++)
		source_join(&r->mode.sources[i], FOLDED_FILTER, text.buf);
	str_free(&text);
}

/* A line with two values may just have a frame whose name ends in a number. */
static void report_two_values(const struct profile *p, bool columns_lost)
{
	uint64_t good = p->lines - p->bad_lines - p->filtered_lines;

	if (!p->two_value_lines)
		return;
	if (columns_lost)
		warn("%s:%" PRIu64 ": has two values (a differential): only the second is drawn", p->two_values_path,
		     p->two_values_number);
	else if (p->two_value_lines < good)
		warn("%s:%" PRIu64 ": has two values, as %" PRIu64 " of %" PRIu64 " lines: drawn as a differential",
		     p->two_values_path, p->two_values_number, p->two_value_lines, good);
}

/* Returns 0, or -1 when bad lines are an error. */
static int flame_report_lines(const struct run *r)
{
	const struct profile *p = &r->profile;
	bool columns_drawn = r->mode.kind == MODE_DIFF && !r->mode.source_count;

	report_two_values(p, !columns_drawn);
	return report_bad_lines(p->bad_lines, p->lines, r->options.common.strict);
}

/* --total N: widen the root to N; the additional part is at the right end, and has no frames. */
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

/* Returns 0, or -1 after a message. */
static int flame_read_input(struct run *r)
{
	if (look_read(&r->style.look, &r->options) < 0 || flame_read_profile(r) < 0)
		return -1;
	return flame_report_lines(r);
}

/* Returns 0, or -1 after a message. */
static int make_widths(struct run *r)
{
	if (mode_combine(&r->mode, &r->profile) < 0)
		return -1;
	flame_note_filters(r);
	widen_total(&r->profile, r->options.total);
	return 0;
}

static const struct event_row *event_row(const struct run *r)
{
	return event_row_of(source_get(&r->profile.source, FOLDED_EVENT));
}

static void choose_colours(struct run *r)
{
	if (!r->options.common.colors && !r->options.colordiffusion)
		r->style.look.palette.scheme = palette_find(event_row(r)->palette)->scheme;
}

/* Choose the title and the unit unless the user gave them. */
static void flame_find_words(struct run *r)
{
	const char *title = mode_title(&r->mode, r->options.inverted), *subject = event_row(r)->title;
	const char *unit = source_get(&r->profile.source, FOLDED_UNIT);

	if (!title && subject && !r->options.chart) {
		str_addf(&r->title, "%s %s Graph", subject, r->options.inverted ? "Icicle" : "Flame");
		title = r->title.buf;
	}
	if (!r->options.common.title && title)
		r->style.title = title;
	if (!r->style.unit.name)
		r->style.unit.name = r->mode.width_by ? r->mode.width_by : unit ? unit : "samples";
	r->style.unit.decimals = r->profile.decimals;
}

static bool has_idle(const struct profile *p)
{
	for (size_t i = 0; i < p->stack_count; i++) {
		if (p->stacks[i].idle)
			return true;
	}
	return false;
}

/* With --split-least: put those that are too small below one frame, whose name says how many they are. */
static void gather_rest(struct run *r)
{
	double percent = r->options.split_least;
	uint64_t least = (uint64_t)ceil((double)r->profile.total * percent / 100);
	uint32_t count = r->profile.layer_count ? 0 : tree_count_below(&r->tree, least);
	struct str name = { 0 };

	if (r->profile.layer_count && percent > 0)
		warn("--split-least has no effect on a differential");
	if (count < 2)
		return;
	str_addf(&name, "%" PRIu32 " others, each below %g %%", count, percent);
	tree_gather(&r->tree, least, intern_add(&r->profile.names, name.buf, name.len));
	r->rest = r->tree.frames[0].end - 1;
	while (r->tree.frames[r->rest].depth > 1)
		r->rest--;
	str_free(&name);
}

static void make_tree(struct run *r)
{
	bool hides = !r->options.idle && !r->options.split && !r->options.chart && r->mode.kind == MODE_PLAIN;
	struct tree_wish wish = {
		.order = r->style.look.order,
		.detail_bytes = r->options.detail,
		.arrival = r->profile.timed && !r->profile.charted,
		.keep_first = r->options.split,
		.frame_of = hides && has_idle(&r->profile),
	};

	tree_build_as(&r->tree, &r->profile, &wish);
	if (hides)
		shown_make(&r->shown, &r->tree, &r->profile);
	gather_rest(r);
	profile_drop_stacks(&r->profile);
}

/* Warn about options that have no effect. */
static void warn_of_idle(const struct run *r)
{
	const struct flame_options *o = &r->options;
	bool own_colours = r->mode.kind == MODE_DIFF || r->mode.kind == MODE_MULTIPLES || r->mode.kind == MODE_METRICS;

	if (o->common.scale != 1 && !r->style.format->cairo)
		warn("--scale has no effect without --format png or pdf");
	if (o->common.colors && own_colours && strcmp(o->common.colors, "chain"))
		warn("--colors has no effect, except in a browser after choosing colors by name");
}

/* ---- output --------------------------------------------------------------- */

/* Do the pictures of a split share a script? */
static bool shares_script(const struct flame_style *style, const struct flame_options *o)
{
	return o->split && !o->common.script && !o->common.no_script && !o->self_contained && !style->format->cairo;
}

static bool most_are_bad(const struct profile *p)
{
	return p->bad_lines > (p->lines - p->filtered_lines) / 2;
}

static const char *flame_why_nothing(const struct run *r)
{
	const struct profile *p = &r->profile;

	if (!p->lines)
		return "the input is empty";
	if (p->filtered_lines == p->lines)
		return "no line passes the filters";
	if (r->options.elided && p->lines > p->bad_lines && !most_are_bad(p))
		return "no stack is gone";
	if (p->bad_lines + p->filtered_lines == p->lines)
		return "no line of the input is a folded stack";
	return most_are_bad(p) ? "most lines of the input are not folded stacks" : "all values are zero";
}

/* Do the lines already show that there will be no picture?  Sets the reason. */
static bool is_hopeless(struct run *r)
{
	if (most_are_bad(&r->profile))
		str_puts(&r->reason, flame_why_nothing(r));
	return r->reason.len || mode_empty_side(&r->mode, &r->profile, &r->reason);
}

/* Nothing can be drawn: say so in the picture and on stderr.  Returns the exit status. */
static int flame_write_nothing(const struct run *r)
{
	const char *reason = r->reason.len ? r->reason.buf : flame_why_nothing(r);
	const struct flame_style *s = &r->style;
	const struct nothing nothing = {
		.kind = "flame",
		.unit = s->unit.name ? s->unit.name : "samples",
		.width_px = s->width_px,
		.scale = s->scale,
		.font = &s->font,
		.theme = s->theme,
		.background = &s->background,
		.format = s->format,
	};

	if (r->options.split) {
		error("nothing to draw: %s", reason);
		return 2;
	}
	return nothing_write(&nothing, reason, r->options.common.output);
}

/* If the header says that stacks contain kinds of waits, colour by these, unless the user chose colours. */
static void colour_waits(struct run *r, struct flame *flame)
{
	const struct flame_options *o = &r->options;
	struct root_places places;

	root_places_read(&places, &r->profile.source);
	if (places.wait < 0 || r->mode.kind != MODE_PLAIN || o->common.colors || o->colordiffusion || o->rules ||
	    o->reverse)
		return;
	wait_colouring_make(&r->by_wait, &r->by_name.colouring, flame->tree, &r->profile);
	flame->waits = &r->by_wait;
	flame->colouring = &r->by_wait.colouring;
}

/* If stacks have all the time of threads, colour by how it was spent, unless the user chose other colours. */
static void colour_wall(struct run *r, struct flame *flame)
{
	const struct flame_options *o = &r->options;

	if (r->style.look.palette.scheme != palette_find("wall")->scheme || r->mode.kind != MODE_PLAIN ||
	    o->colordiffusion || o->rules)
		return;
	wall_colouring_make(&r->by_wall, &r->by_name.colouring, flame->tree, &r->profile);
	flame->wall = &r->by_wall;
	flame->colouring = &r->by_wall.colouring;
}

/* Write the picture, or those of a split.  Returns 0, or -1 after a message. */
static int write_flame(struct run *r)
{
	struct flame flame = {
		.style = &r->style,
		.profile = &r->profile,
		.tree = &r->tree,
		.dropped = r->dropped,
		.kept = r->kept,
		.drops_waits = r->drops_waits,
		.mode = &r->mode,
		.title = r->style.title,
		.rest = r->rest,
	};
	const char *shared = NULL;

	if (r->shown.idle) {
		flame.whole = flame.tree;
		flame.shown = &r->shown;
		flame.tree = &r->shown.tree;
	}
	name_colouring_make(&r->by_name, &r->profile, flame.tree, r->style.palette);
	width_colouring_make(&r->by_width, flame.tree);
	flame.colouring = r->style.look.by_width ? &r->by_width.colouring : &r->by_name.colouring;
	colour_waits(r, &flame);
	colour_wall(r, &flame);
	if (!r->options.split)
		return flame_write_file(&flame, r->options.common.output);
	if (shares_script(&r->style, &r->options))
		r->style.script_url = shared = SPLIT_SCRIPT;
	return flame_write_split(&flame, r->options.common.output, &r->split, shared);
}

/* ---- all of it ------------------------------------------------------------ */

static void flame_run_make(struct run *r, int argc, char **argv)
{
	*r = (struct run){ 0 };
	argc = flame_options_parse(&r->options, argc, argv);
	flame_style_make(&r->style, &r->options);
	dimension_init(&r->split, r->options.split);
	mode_choose(&r->mode, &r->options, argv, argc);
}

static void flame_run_free(struct run *r)
{
	name_colouring_free(&r->by_name);
	wait_colouring_free(&r->by_wait);
	wall_colouring_free(&r->by_wall);
	shown_free(&r->shown);
	tree_free(&r->tree);
	profile_free(&r->profile);
	mode_free(&r->mode);
	look_free(&r->style.look);
	dimension_free(&r->split);
	flame_style_free(&r->style);
	flame_options_free(&r->options);
	str_free(&r->title);
	str_free(&r->reason);
}

static int flame_run_verb(int argc, char **argv)
{
	struct run r;
	int status = 1;

	flame_run_make(&r, argc, argv);
	if (flame_read_input(&r) < 0)
		goto out;
	if (is_hopeless(&r)) {
		status = flame_write_nothing(&r);
		goto out;
	}
	if (make_widths(&r) < 0)
		goto out;
	flame_find_words(&r);
	choose_colours(&r);
	warn_of_idle(&r);
	make_tree(&r);
	if (!r.tree.count) {
		status = flame_write_nothing(&r);
		goto out;
	}
	if (look_keep_colours(&r.style.look, &r.profile, &r.tree) < 0 || write_flame(&r) < 0)
		goto out;
	if (r.options.verbose)
		inform("%" PRIu64 " lines, %u frames with %zu names drawn", r.profile.lines, r.tree.count,
		       r.profile.names.count);
	status = 0;
out:
	flame_run_free(&r);
	return status;
}

/* Write the lines of a flame graph. */
static int unfold_picture(FILE *out, const char *svg, size_t len, const char *path)
{
	struct decoded d = { 0 };
	const char *wrong = decode(&d, svg, len);
	int status = wrong ? error("%s: %s", path, wrong) : unfold(out, &d, path);

	decoded_free(&d);
	return status;
}

const struct chart_entry flame_entry = {
	.verb = { "flame", "a flame graph: which functions call which, and what they cost", flame_run_verb },
	.page = &flame_page,
	.unfold = unfold_picture,
};
