/* The colours, heading, legend and settings of a picture of several layers. */
#include "render/flame/modes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/markup.h"
#include "core/memory.h"
#include "render/drawing/svg.h"
#include "render/flame/flame.h"

static const char SEPARATOR[] = " \xc2\xb7 ";

/* ---- settings ------------------------------------------------------------- */

static void modes_dress_add_key(struct str *out, const char *key)
{
	str_addf(out, ",\"%s\":", key);
}

static void modes_dress_add_word(struct str *out, const char *key, const char *value)
{
	modes_dress_add_key(out, key);
	json_puts(out, value);
}

static void modes_dress_add_colour(struct str *out, uint32_t rgb)
{
	str_addc(out, '"');
	rgb_add(out, rgb);
	str_addc(out, '"');
}

static void add_layers(struct str *out, const struct dress *d, const struct flame *f)
{
	modes_dress_add_key(out, "layers");
	for (size_t i = 0; i < d->layer_count; i++) {
		str_puts(out, i ? ",{\"name\":" : "[{\"name\":");
		json_puts(out, f->profile->layers[i].name);
		str_addf(out, ",\"total\":%" PRIu64 "}", d->whole[i]);
	}
	str_addc(out, ']');
}

static void add_scales(struct str *out, const struct mode *m, size_t count)
{
	modes_dress_add_key(out, "scales");
	for (size_t i = 0; i < count; i++)
		str_addf(out, "%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "[", m->scales[i].num, m->scales[i].den);
	str_addc(out, ']');
}

static void add_delta(struct str *out, const struct mode *m, double chance_z)
{
	const struct diff_colours *c = m->delta_colours;

	modes_dress_add_word(out, "delta", m->by_self ? "self" : "total");
	str_addf(out, ",\"threshold\":%.17g%s", m->threshold, m->negate ? ",\"negate\":true" : "");
	if (chance_z > 0)
		str_addf(out, ",\"chance\":%.17g", chance_z);
	modes_dress_add_word(out, "deltaColours", c->name);
	modes_dress_add_key(out, "deltaHues");
	str_puts(out, "{\"grew\":[");
	modes_dress_add_colour(out, c->grew.pale);
	str_addc(out, ',');
	modes_dress_add_colour(out, c->grew.strong);
	str_puts(out, "],\"shrank\":[");
	modes_dress_add_colour(out, c->shrank.pale);
	str_addc(out, ',');
	modes_dress_add_colour(out, c->shrank.strong);
	str_puts(out, "],\"new\":");
	modes_dress_add_colour(out, c->appeared);
	str_puts(out, ",\"gone\":");
	modes_dress_add_colour(out, c->gone);
	str_puts(out, ",\"same\":");
	modes_dress_add_colour(out, c->same);
	str_addc(out, '}');
}

/* Add the settings that all pictures of several layers have. */
static void modes_dress_add_common(struct dress *d, const struct flame *f, const char *mode, const char *combine)
{
	struct str *out = &d->layered.settings;

	modes_dress_add_word(out, "mode", mode);
	add_layers(out, d, f);
	modes_dress_add_word(out, "combine", combine);
	if (d->layered.legend.count) {
		modes_dress_add_key(out, "legend");
		legend_json(&d->layered.legend, out);
	}
}

/* ---- differential, multiples ---------------------------------------------- */

/* Note "normalised by total: base × 1.5". */
static void note_scales(struct dress *d, const struct mode *m, const struct flame *f)
{
	const char *name, *known = source_get(&f->profile->source, FOLDED_NORMALIZE);
	struct str *out = &d->layered.note;
	size_t scaled = 0;

	if (m->normalize == NORMALIZE_NONE && known && !strcmp(known, FOLDED_BY_WINDOWS)) {
		str_puts(out, "scaled to equally many windows");
	} else if (m->normalize == NORMALIZE_NONE) {
		str_puts(out, "not normalised");
	} else {
		str_addf(out, "normalised by %s", m->normalize == NORMALIZE_TOTAL ? "total" : "duration");
		for (size_t i = 0; i < d->layer_count && m->kind == MODE_DIFF; i++) {
			name = m->source_count ? (i ? "new" : "base") : f->profile->layers[i].name;
			if (m->scales[i].num == m->scales[i].den)
				continue;
			str_addf(out, "%s%s \xc3\x97 %.4g", scaled++ ? ", " : ": ", name,
				 (double)m->scales[i].num / (double)m->scales[i].den);
		}
	}
	str_puts(out, SEPARATOR);
	str_puts(out, m->by_self ? "colours: change of each frame itself"
				 : "colours: change of each frame with its callees");
	str_puts(out, m->negate ? ", negated" : "");
}

static struct diff_side side_of(const struct dress *d, const struct mode *m, const struct flame *f, size_t layer,
				const char *name)
{
	return (struct diff_side){ name ? name : f->profile->layers[layer].name, d->totals[layer], m->scales[layer] };
}

/* Are the values counts of independent events, to which a test for counts applies? */
static bool are_counts(const struct unit *unit)
{
	return !strcmp(unit->name, "samples") || !strcmp(unit->name, "spans");
}

static void make_diff(struct dress *d, const struct flame *f, size_t at, size_t layer, const char *base,
		      const char *new)
{
	const struct mode *m = f->mode;

	d->diffs[at] = (struct diff){
		.tree = f->tree,
		.root = f->root,
		.colours = m->delta_colours,
		.unit = &f->style->unit,
		.threshold = m->threshold,
		.chance_z = are_counts(&f->style->unit) ? m->chance_z : 0,
		.by_self = m->by_self,
		.negate = m->negate,
		.base = side_of(d, m, f, 0, base),
		.new = side_of(d, m, f, layer, new),
	};
	diff_make(&d->diffs[at]);
}

/* Add "base: before.folded" for each file. */
static void add_origins(struct dress *d, const struct flame *f)
{
	static const char *const sides[] = { "base", "new" };
	struct str name = { 0 };

	for (size_t i = 0; i < d->layer_count; i++) {
		const struct folded_source *source = &f->mode->sources[i];

		str_clear(&name);
		str_addf(&name, "%s: %s", sides[i], f->profile->layers[i].name);
		layered_add_origin(&d->layered, name.buf, d->totals[i], source);
		str_clear(&name);
		str_addf(&name, "%s_file", sides[i]);
		source_join(&d->layered.about, name.buf, f->profile->layers[i].name);
		layered_about(&d->layered, sides[i], source);
	}
	str_free(&name);
}

/* Two columns share one header: "before 970 samples · after 1,051 samples". */
static void modes_dress_add_columns(struct dress *d, const struct flame *f)
{
	layered_add_origin(&d->layered, "", NULL, &f->profile->source);
	for (size_t i = 0; i < d->layer_count; i++) {
		str_addf(&d->layered.note, "%s ", f->profile->layers[i].name);
		value_add(&d->layered.note, d->whole[i], &f->style->unit);
		str_puts(&d->layered.note, SEPARATOR);
	}
}

static void dress_diff(struct dress *d, struct flame *f)
{
	bool columns = !f->mode->source_count;

	d->diffs = xcalloc(1, sizeof(*d->diffs));
	make_diff(d, f, 0, 1, columns ? NULL : "base", columns ? NULL : "new");
	f->colouring = &d->diffs[0].colouring;
	if (columns)
		modes_dress_add_columns(d, f);
	else
		add_origins(d, f);
	note_scales(d, f->mode, f);
	if (f->mode->normalize != NORMALIZE_NONE)
		source_join(&d->layered.about, FOLDED_NORMALIZE,
			    f->mode->normalize == NORMALIZE_TOTAL ? "total" : "duration");
	diff_legend(&d->diffs[0], &d->layered.legend, "gone");
	modes_dress_add_common(d, f, "diff", "max");
	add_scales(&d->layered.settings, f->mode, d->layer_count);
	add_delta(&d->layered.settings, f->mode, d->diffs[0].chance_z);
	d->layered.totals = d->totals[1];
}

/* In the first panel, only frames that no other panel has count as different. */
static void compare_first(struct dress *d, const struct flame *f)
{
	d->rest = xcalloc(f->tree->count, sizeof(*d->rest));
	for (uint32_t i = 0; i < f->tree->count; i++) {
		for (size_t k = 1; k < d->layer_count && !d->rest[i]; k++)
			d->rest[i] = d->totals[k][i] ? d->totals[0][i] : 0;
	}
	d->diffs[0].new.totals = d->rest;
}

/* Panels have captions of their own, so the heading shows only what they have in common. */
static void dress_multiples(struct dress *d, struct flame *f)
{
	struct str key = { 0 };

	d->diffs = xcalloc(d->layer_count, sizeof(*d->diffs));
	for (size_t i = 0; i < d->layer_count; i++) {
		make_diff(d, f, i, i, NULL, NULL);
		str_clear(&key);
		str_addf(&key, "panel%zu", i + 1);
		layered_about(&d->layered, key.buf, &f->mode->sources[i]);
		str_puts(&key, "_file");
		source_join(&d->layered.about, key.buf, f->profile->layers[i].name);
	}
	str_free(&key);
	for (size_t i = 1; i < d->layer_count; i++) { /* one scale for all panels */
		if (d->diffs[i].largest > d->diffs[0].largest)
			d->diffs[0].largest = d->diffs[i].largest;
	}
	for (size_t i = 1; i < d->layer_count; i++)
		d->diffs[i].largest = d->diffs[0].largest;
	compare_first(d, f);
	f->panels = d->diffs;
	f->panel_totals = d->totals;
	f->panel_count = d->layer_count;
	d->layered.says_origin = true; /* in the captions */
	note_scales(d, f->mode, f);
	diff_legend(&d->diffs[0], &d->layered.legend, "gone from all others");
	modes_dress_add_common(d, f, "multiples", "max");
	add_scales(&d->layered.settings, f->mode, d->layer_count);
	add_delta(&d->layered.settings, f->mode, d->diffs[0].chance_z);
	d->layered.totals = d->totals[0];
}

/* ---- metrics, animation, elided ------------------------------------------- */

static void dress_metrics(struct dress *d, struct flame *f)
{
	const struct mode *m = f->mode;
	struct str *out = &d->layered.settings, name = { 0 };

	d->metrics = (struct metrics){
		.tree = f->tree,
		.root = f->root,
		.layers = f->profile->layers,
		.totals = d->totals,
		.count = d->layer_count,
		.decimals = f->style->unit.decimals,
		.factor = f->style->unit.factor,
		.width = 0,
		.above = m->above,
		.below = m->below,
		.is_share = m->below == SIZE_MAX,
	};
	metrics_make(&d->metrics);
	f->colouring = &d->metrics.colouring;
	metrics_legend(&d->metrics, &d->layered.legend);
	metrics_name(&d->metrics, &name);
	str_addf(&d->layered.note, "widths: %s%scolours: %s%s", m->width_by, SEPARATOR, name.buf,
		 d->metrics.is_share ? ", share of all" : "");
	modes_dress_add_common(d, f, "metrics", "first");
	modes_dress_add_key(out, "metric");
	str_puts(out, "{\"width\":");
	json_puts(out, m->width_by);
	modes_dress_add_word(out, "colour", name.buf);
	str_addf(out, ",\"above\":%zu", m->above);
	if (!d->metrics.is_share)
		str_addf(out, ",\"below\":%zu", m->below);
	str_addf(out, ",\"low\":%.17g,\"high\":%.17g", d->metrics.low, d->metrics.high);
	for (size_t i = 0; i < METRICS_STOPS; i++) {
		str_puts(out, i ? "," : ",\"stops\":[");
		modes_dress_add_colour(out, metrics_stops[i]);
	}
	str_puts(out, "],\"none\":");
	modes_dress_add_colour(out, METRICS_NONE);
	str_addc(out, '}');
	str_free(&name);
}

static void dress_animation(struct dress *d, struct flame *f)
{
	const struct profile *p = f->profile;

	str_addf(&d->layered.note, "%zu windows of %s", d->layer_count, f->mode->step);
	modes_dress_add_common(d, f, "animate", "sum");
	str_addf(&d->layered.settings, ",\"animate\":{\"start_ns\":\"%" PRIu64 "\",\"step_ns\":\"%" PRIu64 "\"}",
		 p->start_ns, p->step_ns);
}

static void dress_elided(struct dress *d, struct flame *f)
{
	const struct mode *m = f->mode;
	struct str *note = &d->layered.note, name = { 0 };

	for (size_t i = 0; i < m->source_count; i++) {
		str_clear(&name);
		str_addf(&name, "%s: %s", i ? "new" : "base", m->files[i]);
		layered_add_origin(&d->layered, name.buf, NULL, &m->sources[i]);
	}
	str_puts(note, "Only stacks that the new profile does not have: ");
	value_add(note, f->tree->frames[f->root].total, &f->style->unit);
	str_puts(note, " of the base's ");
	value_add(note, m->base_total, &f->style->unit);
	str_puts(note, ", ");
	percentage_add(note, f->tree->frames[f->root].total, m->base_total);
	str_free(&name);
}

/* Animations are left out, since their thousand windows would take too much memory, and need no totals by frame. */
static void make_totals(struct dress *d, const struct flame *f)
{
	const struct tree *t = f->tree;
	uint32_t end = t->frames[f->root].end;

	if (f->mode->kind != MODE_ANIMATE) {
		d->totals = xcalloc(d->layer_count, sizeof(*d->totals));
		for (size_t i = 0; i < d->layer_count; i++)
			d->totals[i] = tree_layer_totals(t, (uint32_t)i);
	}
	d->whole = xcalloc(d->layer_count, sizeof(*d->whole));
	for (size_t v = t->values_at[f->root]; v < t->values_at[end]; v++)
		d->whole[t->values[v].layer] += t->values[v].value;
}

void dress_make(struct dress *d, struct flame *f)
{
	const struct mode *m = f->mode;

	*d = (struct dress){ 0 };
	if (!m || m->kind == MODE_PLAIN)
		return;
	d->layer_count = f->profile->layer_count;
	if (d->layer_count)
		make_totals(d, f);
	f->layered = &d->layered;
	switch (m->elided ? MODE_PLAIN : m->kind) {
	case MODE_DIFF: dress_diff(d, f); break;
	case MODE_MULTIPLES: dress_multiples(d, f); break;
	case MODE_METRICS: dress_metrics(d, f); break;
	case MODE_ANIMATE: dress_animation(d, f); break;
	case MODE_PLAIN: dress_elided(d, f); break;
	}
}

void dress_free(struct dress *d)
{
	if (!d)
		return;
	for (size_t i = 0; d->totals && i < d->layer_count; i++)
		free(d->totals[i]);
	free(d->totals);
	free(d->whole);
	free(d->rest);
	free(d->diffs);
	layered_free(&d->layered);
	*d = (struct dress){ 0 };
}
