/* Reads profiles into layers, and computes widths from layers. */
#include "render/flame/modes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/profile/sample.h"

/* Scaled values get up to FINER_MAX more decimals as long as all are less than FINE_ENOUGH. */
enum { FINER_MAX = 3, FINE_ENOUGH = 1000 * 1000 * 1000 };

/* ---- reading -------------------------------------------------------------- */

static int modes_read_all(const struct mode *m, struct profile *p, const struct profile_filter *filter)
{
	int status = 0;

	for (size_t i = 0; i < m->file_count; i++) {
		if (profile_read(p, m->files[i], filter) < 0)
			status = -1;
	}
	return status;
}

static const char *shown_name(const char *path)
{
	return strcmp(path, "-") ? path : "stdin";
}

/* Read a file into a layer, its header into the layer's source. */
static int read_layer(struct mode *m, struct profile *p, struct profile_filter *filter, uint32_t layer,
		      const char *path)
{
	struct folded_source joined = p->source;
	uint64_t filtered = p->filtered_lines;
	int status;

	filter->layering = LAYERING_FILE;
	filter->layer = layer;
	p->source = m->sources[layer];
	status = profile_read(p, path, filter);
	m->sources[layer] = p->source;
	m->source_filtered[layer] += p->filtered_lines - filtered;
	p->source = joined;
	return status;
}

/* The first file becomes one layer, all others together the second. */
static int read_two(struct mode *m, struct profile *p, struct profile_filter *filter)
{
	struct str name = { 0 };
	int status = read_layer(m, p, filter, 0, m->files[0]);

	for (size_t i = 1; i < m->file_count; i++) {
		if (read_layer(m, p, filter, 1, m->files[i]) < 0)
			status = -1;
	}
	str_puts(&name, shown_name(m->files[1]));
	if (m->file_count > 2)
		str_addf(&name, " and %zu more", m->file_count - 2);
	profile_need_layers(p, 2, name.buf);
	profile_need_layers(p, 1, shown_name(m->files[0]));
	str_free(&name);
	return status;
}

static int read_each(struct mode *m, struct profile *p, struct profile_filter *filter)
{
	int status = 0;

	for (uint32_t i = 0; i < m->file_count; i++) {
		if (read_layer(m, p, filter, i, m->files[i]) < 0)
			status = -1;
		profile_need_layers(p, i + 1, shown_name(m->files[i]));
	}
	return status;
}

static int read_files(struct mode *m, struct profile *p, struct profile_filter *filter)
{
	int status;

	m->source_count = m->kind == MODE_DIFF ? 2 : m->file_count;
	m->sources = xcalloc(m->source_count, sizeof(*m->sources));
	m->source_filtered = xcalloc(m->source_count, sizeof(*m->source_filtered));
	status = m->kind == MODE_DIFF ? read_two(m, p, filter) : read_each(m, p, filter);
	for (size_t i = 0; i < m->source_count; i++)
		source_add(&p->source, &m->sources[i]);
	return status;
}

static int read_windows(struct mode *m, struct profile *p, struct profile_filter *filter)
{
	filter->layering = LAYERING_TIME;
	filter->start_ns = PROFILE_FIRST_TIME;
	filter->step_ns = m->step_ns;
	if (modes_read_all(m, p, filter) < 0)
		return -1;
	if (p->times_apart || p->layer_count > WINDOWS_MAX)
		mode_too_many_windows(m, p);
	if (!p->layer_count && p->bad_lines)
		return error("--animate needs the time of each line: pyrograph collapse --timed");
	return 0;
}

static int modes_read_plain(struct mode *m, struct profile *p, struct profile_filter *filter)
{
	int status;

	filter->layering = filter->chart ? LAYERING_NONE : LAYERING_COLUMNS;
	status = modes_read_all(m, p, filter);
	if (p->layer_count)
		m->kind = MODE_DIFF;
	return status;
}

static int modes_read_events(struct mode *m, struct profile *p, struct profile_filter *filter)
{
	profile_need_layers(p, 1, m->width_by);
	filter->layering = LAYERING_EVENT;
	return modes_read_all(m, p, filter);
}

/* Warn if headers differ in what should be the same; joined headers list all values: "cycles, instructions". */
static void warn_of_mixture(const struct mode *m, const struct profile *p)
{
	static const char *const keys[] = { FOLDED_EVENT, FOLDED_UNIT };

	for (size_t i = 0; i < 2 && m->kind != MODE_METRICS; i++) {
		const char *value = source_get(&p->source, keys[i]);

		if (value && strstr(value, ", "))
			warn("%s with different %ss: %s", m->source_count ? "compares profiles" : "adds up values",
			     keys[i], value);
	}
}

int mode_read(struct mode *m, struct profile *p, struct profile_filter *filter)
{
	int (*read)(struct mode *, struct profile *, struct profile_filter *) = m->kind == MODE_PLAIN ? modes_read_plain
										: m->kind == MODE_ANIMATE ? read_windows
										: m->kind == MODE_METRICS
											? modes_read_events
											: read_files;
	int status = read(m, p, filter);

	warn_of_mixture(m, p);
	for (size_t i = 0; m->kind != MODE_DIFF && m->kind != MODE_MULTIPLES && i < m->idle_count; i++)
		warn("--%s has no effect without two profiles (--diff BASE)", m->idle[i]);
	return status;
}

bool mode_empty_side(const struct mode *m, const struct profile *p, struct str *why)
{
	for (size_t i = 0; i < m->source_count && p->total; i++) {
		const char *name = p->layers[i].name;

		if (p->layers[i].total)
			continue;
		if (!m->source_filtered[i]) {
			str_addf(why, "%s is empty: there is nothing to compare", name);
			return true;
		}
		warn("no line of %s passes the filters", name);
	}
	return false;
}

/* ---- scales --------------------------------------------------------------- */

/* Scale all layers up to the largest of sizes, since scaling down would round values away.  A size of 0 is a layer
 * without values. */
static void modes_read_scale_up(struct mode *m, const uint64_t *sizes, size_t count)
{
	uint64_t largest = 0, divisor;

	for (size_t i = 0; i < count; i++) {
		if (sizes[i] > largest)
			largest = sizes[i];
	}
	for (size_t i = 0; i < count; i++) {
		if (!sizes[i])
			continue;
		divisor = greatest_divisor(largest, sizes[i]);
		m->scales[i] = (struct profile_scale){ largest / divisor, sizes[i] / divisor };
	}
}

/* The time from the first sample to the last one, in ns; 0 if the header does not tell. */
static uint64_t modes_read_duration_of(const struct folded_source *s)
{
	const char *start = source_get(s, FOLDED_START), *end = source_get(s, FOLDED_END);
	struct instant from, to;

	if (!start || !end || !instant_parse(start, &from) || !instant_parse(end, &to) || from.kind != INSTANT_EPOCH ||
	    to.kind != INSTANT_EPOCH || from.ns >= to.ns)
		return 0;
	return to.ns - from.ns;
}

static int scale_by_duration(struct mode *m, const struct profile *p, uint64_t *sizes)
{
	if (!m->source_count)
		return error("--normalize duration: the two values of a line have the same duration");
	for (size_t i = 0; i < p->layer_count; i++) {
		sizes[i] = modes_read_duration_of(&m->sources[i]);
		if (!sizes[i])
			return error("--normalize duration: the header of %s has no start= and end=",
				     p->layers[i].name);
	}
	modes_read_scale_up(m, sizes, p->layer_count);
	return 0;
}

static int modes_read_make_scales(struct mode *m, const struct profile *p)
{
	uint64_t *sizes = xcalloc(p->layer_count, sizeof(*sizes));
	const char *known;
	int status = 0;

	if (m->normalize == NORMALIZE_DEFAULT) {
		known = source_get(&p->source, FOLDED_NORMALIZE);
		m->normalize = m->source_count || (known && !strcmp(known, "total")) ? NORMALIZE_TOTAL : NORMALIZE_NONE;
	}
	m->scales = xcalloc(p->layer_count, sizeof(*m->scales));
	for (size_t i = 0; i < p->layer_count; i++) {
		m->scales[i] = (struct profile_scale){ 1, 1 };
		sizes[i] = p->layers[i].total;
	}
	if (m->normalize == NORMALIZE_TOTAL)
		modes_read_scale_up(m, sizes, p->layer_count);
	else if (m->normalize == NORMALIZE_DURATION)
		status = scale_by_duration(m, p, sizes);
	free(sizes);
	return status;
}

/* Widths are whole numbers of units: choose units so fine that rounding is invisible. */
static void refine_units(const struct mode *m, struct profile *p)
{
	unsigned finest = p->decimals + FINER_MAX;
	bool rounds = false;

	for (size_t i = 0; i < p->layer_count; i++)
		rounds |= m->scales[i].den != 1;
	if (finest > SAMPLE_DECIMALS_MAX)
		finest = SAMPLE_DECIMALS_MAX;
	while (rounds && p->decimals < finest && p->total < FINE_ENOUGH)
		profile_refine(p, p->decimals + 1);
}

/* ---- widths --------------------------------------------------------------- */

static uint64_t modes_read_stack_value(const struct profile *p, uint32_t stack, uint32_t layer)
{
	uint32_t r = stack < p->first_count ? p->first_value[stack] : 0;

	for (; r; r = p->values[r].next) {
		if (p->values[r].layer == layer)
			return p->values[r].value;
	}
	return 0;
}

/* The node in which a stack ends. */
static uint32_t last_node(const struct profile *p, uint32_t stack)
{
	uint32_t end = profile_stack_end(p, stack);

	return end > p->stacks[stack].first ? end - 1 : p->stacks[stack].parent;
}

/* [node] the total in a layer of the node and all nodes below it. */
static uint64_t *node_totals(const struct profile *p, uint32_t layer)
{
	uint64_t *totals = xcalloc(p->count, sizeof(*totals));

	for (uint32_t s = (uint32_t)p->stack_count; s-- > 0;) {
		const struct profile_stack *stack = &p->stacks[s];

		totals[last_node(p, s)] += modes_read_stack_value(p, s, layer);
		for (uint32_t n = profile_stack_end(p, s); n-- > stack->first && n;)
			totals[n == stack->first ? stack->parent : n - 1] += totals[n];
	}
	return totals;
}

/* Keep the values of layer 0 (the base) at nodes where layer 1 has no value, and drop the layers. */
static void elide(struct mode *m, struct profile *p)
{
	uint64_t *new = p->stack_count ? node_totals(p, 1) : NULL;

	m->base_total = p->layers[0].total;
	p->total = 0;
	for (uint32_t s = 0; s < p->stack_count; s++) {
		p->stacks[s].self = new[last_node(p, s)] ? 0 : modes_read_stack_value(p, s, 0);
		p->total += p->stacks[s].self;
	}
	free(new);
	for (size_t i = 0; i < p->layer_count; i++)
		free(p->layers[i].name);
	p->layer_count = 0;
}

static size_t layer_called(const struct profile *p, const char *name, size_t len)
{
	for (size_t i = 0; i < p->layer_count; i++) {
		if (strlen(p->layers[i].name) == len && !memcmp(p->layers[i].name, name, len))
			return i;
	}
	return SIZE_MAX;
}

_Noreturn static void unknown_event(const struct profile *p, const char *option, const char *name)
{
	struct str known = { 0 };

	for (size_t i = 0; i < p->layer_count; i++) {
		if (p->layers[i].total)
			str_addf(&known, "%s %s", known.len ? "," : "", p->layers[i].name);
	}
	die_usage("%s: no event '%s'; the input has%s", option, name, known.len ? known.buf : " no events");
}

/* "A" or "A/B"; an event's own name may have a '/' ("cpu/mem-loads/"). */
static bool find_ratio(struct mode *m, const struct profile *p)
{
	const char *text = m->color_by;

	m->below = SIZE_MAX;
	m->above = layer_called(p, text, strlen(text));
	if (m->above != SIZE_MAX)
		return true;
	for (const char *slash = strchr(text, '/'); slash; slash = strchr(slash + 1, '/')) {
		m->above = layer_called(p, text, (size_t)(slash - text));
		m->below = layer_called(p, slash + 1, strlen(slash + 1));
		if (m->above != SIZE_MAX && m->below != SIZE_MAX)
			return true;
	}
	return false;
}

static uint64_t sum_of_totals(const struct profile *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->layer_count; i++)
		sum += p->layers[i].total;
	return sum;
}

static int combine_metrics(struct mode *m, struct profile *p)
{
	if (p->layer_count > EVENTS_MAX)
		return error("more than %d events: is the first frame of each line an event? (collapse --root event)",
			     EVENTS_MAX);
	if (!sum_of_totals(p))
		return 0; /* the picture itself will say why it is empty */
	if (!p->layers[0].total)
		unknown_event(p, "--width-by", m->width_by);
	if (!find_ratio(m, p))
		unknown_event(p, "--color-by", m->color_by);
	return profile_combine(p, COMBINE_ONE, NULL, 0);
}

int mode_combine(struct mode *m, struct profile *p)
{
	switch (m->kind) {
	case MODE_PLAIN:
		if (m->elided)
			die_usage("--elided needs two profiles: --diff BASE");
		return 0;
	case MODE_METRICS: return combine_metrics(m, p);
	case MODE_ANIMATE: return profile_combine(p, COMBINE_SUM, NULL, 0);
	default: break;
	}
	if (modes_read_make_scales(m, p) < 0)
		return -1;
	refine_units(m, p);
	if (profile_combine(p, COMBINE_MAX, m->scales, 0) < 0)
		return -1;
	if (m->elided)
		elide(m, p);
	return 0;
}
