#include "render/flame/modes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/wallclock.h"
#include "render/flame/flame_options.h"

/* ---- options -------------------------------------------------------------- */

/* The index of value in choices, which end in ""; exits 2 if it is not among them. */
static size_t modes_choose(const char *option, const char *value, const char *const *choices, const char *known)
{
	for (size_t i = 0; choices[i]; i++) {
		if (!strcmp(choices[i], value))
			return i;
	}
	die_usage("%s needs %s, not '%s'", option, known, value);
}

/* Parse a percentage, "0.1" or "0.1%", as a share. */
static double parse_percent(const char *text, const char *wanted)
{
	char *end;
	double n = strtod(text, &end);

	if (end == text || end[*end == '%'] || !(n >= 0 && n <= 100))
		die_usage("%s, not '%s'", wanted, text);
	return n / 100;
}

/* The z of a level in percent; for the level 0, the z is 0, with which nothing is taken for chance. */
static double chance_z(const char *text)
{
	double level = parse_percent(text, "--chance needs a percentage such as 1");

	return level > 0 ? diff_z_of_level(level) : 0;
}

static void modes_note_idle(struct mode *m, const char *option, bool given)
{
	if (given)
		m->idle[m->idle_count++] = option;
}

static void choose_delta(struct mode *m, const struct flame_options *o)
{
	modes_note_idle(m, "delta", o->delta);
	modes_note_idle(m, "normalize", o->normalize);
	modes_note_idle(m, "threshold", o->threshold);
	modes_note_idle(m, "chance", o->chance);
	modes_note_idle(m, "delta-colors", o->delta_colors);
	modes_note_idle(m, "negate", o->negate);
	static const char *const deltas[] = { "total", "self", NULL };
	static const char *const ways[] = { "", "total", "duration", "none", NULL };

	m->by_self = modes_choose("--delta", o->delta ? o->delta : "total", deltas, "total or self");
	m->normalize = (enum normalize)modes_choose("--normalize", o->normalize ? o->normalize : "", ways,
						    "total, duration or none");
	m->threshold = parse_percent(o->threshold ? o->threshold : "0.1",
				     "--threshold needs a percentage of the whole such as 0.1");
	m->chance_z = chance_z(o->chance ? o->chance : "1");
	m->delta_colours = diff_colours_find(o->delta_colors ? o->delta_colors : "red-blue");
	m->negate = o->negate;
	m->elided = o->elided;
}

static void choose_kind(struct mode *m, const struct flame_options *o)
{
	int kinds = (o->diff.count > 0) + o->multiples + !!o->animate + (o->width_by || o->color_by);

	if (kinds > 1)
		die_usage("only one of --diff, --multiples, --animate and --width-by can be drawn");
	m->kind = o->multiples || o->diff.count > 1 ? MODE_MULTIPLES
		  : o->diff.count                   ? MODE_DIFF
		  : o->animate                      ? MODE_ANIMATE
		  : o->width_by || o->color_by      ? MODE_METRICS
						    : MODE_PLAIN;
	if (m->kind == MODE_METRICS && (!o->width_by || !o->color_by))
		die_usage("--width-by and --color-by belong together");
	if (o->animate && (!parse_duration(o->animate, &m->step_ns) || !m->step_ns))
		die_usage("--animate needs a time such as 10s or 500ms, not '%s'", o->animate);
	if (kinds && o->chart)
		die_usage("--chart is for a single profile");
	if (kinds && o->total)
		die_usage("--total is for a single profile");
	if (m->kind == MODE_MULTIPLES && (o->split || o->elided))
		die_usage("--%s is not for several panels", o->split ? "split" : "elided");
	m->step = o->animate;
	m->width_by = o->width_by;
	m->color_by = o->color_by;
}

static void modes_choose_files(struct mode *m, const struct flame_options *o, char **files, int count)
{
	size_t stdins = 0;

	m->files = xcalloc(o->diff.count + (size_t)count + 1, sizeof(*m->files));
	for (size_t i = 0; i < o->diff.count; i++)
		m->files[m->file_count++] = o->diff.items[i];
	for (int i = 0; i < count; i++)
		m->files[m->file_count++] = files[i];
	if (!count && !o->multiples)
		m->files[m->file_count++] = "-";
	for (size_t i = 0; i < m->file_count; i++) {
		stdins += !strcmp(m->files[i], "-");
		if (outfile_is_same(o->common.output, m->files[i]))
			die_usage("-o %s would overwrite an input", o->common.output);
	}
	if (stdins > 1)
		die_usage("standard input can be read only once");
	if (m->kind == MODE_MULTIPLES && m->file_count < 2)
		die_usage("--multiples needs two files or more");
	if (m->kind == MODE_MULTIPLES && m->file_count > PANELS_MAX)
		die_usage("--multiples draws at most %d files", PANELS_MAX);
}

void mode_choose(struct mode *m, const struct flame_options *o, char **files, int count)
{
	*m = (struct mode){ 0 };
	choose_kind(m, o);
	choose_delta(m, o);
	modes_choose_files(m, o, files, count);
}

const char *mode_title(const struct mode *m, bool inverted)
{
	if (m->elided)
		return inverted ? "Elided Icicle Graph" : "Elided Flame Graph";
	if (m->kind == MODE_DIFF)
		return inverted ? "Differential Icicle Graph" : "Differential Flame Graph";
	if (m->kind == MODE_MULTIPLES)
		return inverted ? "Icicle Graphs" : "Flame Graphs";
	return NULL;
}

void mode_free(struct mode *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->source_count; i++)
		source_free(&m->sources[i]);
	free(m->sources);
	free(m->source_filtered);
	free(m->scales);
	free(m->files);
	*m = (struct mode){ 0 };
}

/* ---- windows of an animation ---- */

/* The error message for an animation whose step is too small. */

/* Append the smallest round step that makes few enough windows, as an option. */
static void modes_windows_add_step(struct str *out, uint64_t span_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "s", NS_PER_SEC },
		{ "ms", NS_PER_SEC / 1000 },
		{ "us", 1000 },
		{ "ns", 1 },
	};
	uint64_t least = span_ns / (WINDOWS_MAX - 1) + 1, power = 1, step;
	size_t u = 0;

	while (power < least / 5)
		power *= 10;
	step = power >= least ? power : 2 * power >= least ? 2 * power : 5 * power >= least ? 5 * power : 10 * power;
	while (step % units[u].ns)
		u++;
	str_addf(out, "%" PRIu64 "%s", step / units[u].ns, units[u].name);
}

void mode_too_many_windows(const struct mode *m, const struct profile *p)
{
	struct str step = { 0 };

	modes_windows_add_step(&step, p->last_ns - p->first_ns);
	die_usage("--animate %s makes more than %d windows: choose a larger step, such as %s", m->step, WINDOWS_MAX,
		  step.buf);
}
