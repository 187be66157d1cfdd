#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/heat/grid_parts.h"

/* ---- hosts and their CPUs --------------------------------------------------- */

static int grid_seen_by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void grid_seen_add_cpu(struct seen_host *host, size_t *cap, uint32_t cpu)
{
	host->cpus = xgrow(host->cpus, cap, host->cpu_count + 1, sizeof(*host->cpus));
	host->cpus[host->cpu_count++] = cpu;
}

static void sort_cpus(struct seen_host *host)
{
	size_t kept = 0;

	if (host->cpu_count)
		qsort(host->cpus, host->cpu_count, sizeof(*host->cpus), grid_seen_by_number);
	for (size_t i = 0; i < host->cpu_count; i++) {
		if (!kept || host->cpus[kept - 1] != host->cpus[i])
			host->cpus[kept++] = host->cpus[i];
	}
	host->cpu_count = kept;
}

uint32_t heat_cpu_number(const char *name)
{
	uint64_t n = 0;

	while (*name && (*name < '0' || *name > '9'))
		name++;
	if (!*name)
		return HEAT_NONE;
	for (; *name >= '0' && *name <= '9' && n < HEAT_NONE; name++)
		n = n * 10 + (uint64_t)(*name - '0');
	return n < HEAT_NONE ? (uint32_t)n : HEAT_NONE;
}

uint32_t *heat_stack_cpus(const struct heat *h)
{
	const struct heat_dimension *cpu = heat_dimension_find(h, "cpu");
	uint32_t *cpus;

	if (!cpu)
		return NULL;
	cpus = xcalloc(h->stack_count + 1, sizeof(*cpus));
	for (size_t i = 0; i < h->stack_count; i++) {
		uint32_t key = cpu->key_of[i];

		cpus[i] = key == HEAT_NONE ? HEAT_NONE : heat_cpu_number(intern_text(&h->names, cpu->keys[key].name));
	}
	return cpus;
}

/* A host without this CPU does not count. */
static void keep_cpu(struct seen_host *host, uint32_t cpu)
{
	size_t kept = 0;

	for (size_t i = 0; i < host->cpu_count; i++) {
		if (host->cpus[i] == cpu)
			host->cpus[kept++] = cpu;
	}
	host->absent = host->cpu_count && !kept;
	host->cpu_count = kept;
}

/* Find a host's CPUs, from headers or, if these do not list them, from events. */
static void find_cpus(struct seen_times *s, const struct heat *h, uint32_t number, const uint32_t *cpu_of,
		      const struct heat_choice *choice)
{
	struct seen_host *host = &s->hosts[number];
	size_t cap = 0;

	for (size_t r = 0; r < host->recording_count; r++) {
		const struct heat_recording *recording = &h->recordings[host->recordings[r]];

		for (size_t c = 0; c < recording->cpu_count; c++)
			grid_seen_add_cpu(host, &cap, recording->cpus[c]);
	}
	if (!host->cpu_count && cpu_of) {
		for (size_t k = 0; k < h->stack_count; k++) {
			if (s->host_of[h->stacks[k].recording] == number && cpu_of[k] != HEAT_NONE)
				grid_seen_add_cpu(host, &cap, cpu_of[k]);
		}
	}
	sort_cpus(host);
	if (choice->one_cpu)
		keep_cpu(host, choice->cpu);
	host->first = s->cpus;
	s->cpus += seen_cpus_of(host);
}

static struct seen_host *host_called(struct seen_times *s, const struct heat *h, const char *name)
{
	for (size_t i = 0; i < s->host_count; i++) {
		if (!strcmp(h->recordings[s->hosts[i].recordings[0]].host, name))
			return &s->hosts[i];
	}
	return &s->hosts[s->host_count++];
}

/* Insert a recording, keeping them sorted by start. */
static void grid_seen_add_recording(struct seen_host *host, const struct heat *h, uint32_t number)
{
	const struct heat_recording *r = &h->recordings[number];
	size_t at = host->recording_count;

	host->recordings = xgrow(host->recordings, &host->cap, at + 1, sizeof(*host->recordings));
	for (; at && h->recordings[host->recordings[at - 1]].from_ns > r->from_ns; at--)
		host->recordings[at] = host->recordings[at - 1];
	host->recordings[at] = number;
	host->recording_count++;
	if (r->rate_hz > host->rate_hz)
		host->rate_hz = r->rate_hz;
}

void seen_find(struct seen_times *s, const struct heat *h, const struct heat_choice *choice)
{
	uint32_t *cpu_of = heat_stack_cpus(h);

	*s = (struct seen_times){ 0 };
	s->hosts = xcalloc(h->recording_count + 1, sizeof(*s->hosts));
	s->host_of = xcalloc(h->recording_count + 1, sizeof(*s->host_of));
	for (uint32_t r = 0; r < h->recording_count; r++) {
		struct seen_host *host;

		s->host_of[r] = HEAT_NONE;
		if (choice->one_recording && !is_of_host(h, r, choice->recording))
			continue;
		host = host_called(s, h, h->recordings[r].host);
		grid_seen_add_recording(host, h, r);
		s->host_of[r] = (uint32_t)(host - s->hosts);
	}
	for (uint32_t i = 0; i < s->host_count; i++)
		find_cpus(s, h, i, cpu_of, choice);
	free(cpu_of);
}

void seen_times_free(struct seen_times *s)
{
	for (size_t i = 0; i < s->host_count; i++) {
		free(s->hosts[i].recordings);
		free(s->hosts[i].cpus);
	}
	free(s->hosts);
	free(s->host_of);
	*s = (struct seen_times){ 0 };
}

uint32_t seen_cpu(const struct seen_times *s, uint32_t recording, uint32_t cpu)
{
	const struct seen_host *host;
	const uint32_t *found;

	if (s->host_of[recording] == HEAT_NONE)
		return HEAT_NONE;
	host = &s->hosts[s->host_of[recording]];
	if (!host->cpu_count)
		return host->absent ? HEAT_NONE : (uint32_t)host->first;
	found = bsearch(&cpu, host->cpus, host->cpu_count, sizeof(cpu), grid_seen_by_number);
	return found ? (uint32_t)(host->first + (size_t)(found - host->cpus)) : HEAT_NONE;
}

/* ---- times that were not observed ------------------------------------------------- */

/* Unobserved stretches come in order of their start; overlapping ones are painted only once. */
struct dark {
	const struct seen_times *seen;
	const struct heat *heat;
	uint32_t host, cpu; /* cpu: its number; HEAT_NONE: unknown, so all gaps count */
	size_t gap;         /* the next gap */

	struct paint *paint;
	uint32_t row;
	uint64_t weight;
	uint64_t start_ns, end_ns; /* to be painted, once no further stretch extends it */
};

static void add_dark(struct dark *d, uint64_t start_ns, uint64_t end_ns)
{
	if (start_ns >= end_ns)
		return;
	if (start_ns > d->end_ns) {
		paint_add(d->paint, d->start_ns, d->end_ns, d->row, d->weight);
		d->start_ns = start_ns;
		d->end_ns = end_ns;
	} else if (end_ns > d->end_ns) {
		d->end_ns = end_ns;
	}
}

/* Add the gaps that begin before before_ns. */
static void grid_seen_add_gaps(struct dark *d, uint64_t before_ns)
{
	const struct heat *h = d->heat;

	for (; d->gap < h->gap_count && h->gaps[d->gap].start_ns < before_ns; d->gap++) {
		const struct heat_gap *g = &h->gaps[d->gap];

		if (d->seen->host_of[g->recording] != d->host)
			continue;
		if (g->cpu < 0 || d->cpu == HEAT_NONE || (uint32_t)g->cpu == d->cpu)
			add_dark(d, g->start_ns, g->end_ns);
	}
}

/* The cell that contains the time (or the column, if it has several periods): *start_ns to *end_ns. */
static void find_cell(const struct heat_axes *a, uint64_t time_ns, uint64_t *start_ns, uint64_t *end_ns)
{
	uint64_t on_axis = axis_ns(a, time_ns), width = a->period_ns * a->per_column, begin = axes_start(a);
	uint64_t into = on_axis >= begin ? (on_axis - begin) % width : width - 1 - (begin - on_axis - 1) % width;
	uint64_t from = 0, to = width;

	if (a->rows > 1 && a->per_column == 1) {
		uint32_t row = axes_offset_row(a, on_axis);

		from = heat_row_border(a, row);
		to = heat_row_border(a, row + 1);
	}
	*start_ns = time_ns > into - from ? time_ns - (into - from) : 0;
	*end_ns = time_ns < UINT64_MAX - (to - into) ? time_ns + (to - into) : UINT64_MAX;
}

/* The time that a recording observed, as far as is known. */
static void find_looked(const struct seen_times *s, const struct heat_recording *r, uint64_t *from_ns, uint64_t *to_ns)
{
	uint64_t other;

	*from_ns = r->from_ns;
	*to_ns = r->to_ns;
	if (s->cells && r->from_open && r->from_ns < r->to_ns)
		find_cell(s->cells, r->from_ns, from_ns, &other);
	if (s->cells && r->to_open && r->from_ns < r->to_ns)
		find_cell(s->cells, r->to_ns - 1, &other, to_ns);
}

void seen_paint_gaps(const struct seen_times *s, const struct heat *h, uint32_t host, size_t c, struct paint *p,
		     uint32_t row, uint64_t weight)
{
	const struct seen_host *of = &s->hosts[host];
	struct dark d = { .seen = s,
			  .heat = h,
			  .host = host,
			  .paint = p,
			  .row = row,
			  .weight = weight,
			  .cpu = of->cpu_count ? of->cpus[c] : HEAT_NONE };
	uint64_t until = 0; /* observed up to here */

	for (size_t i = 0; i < of->recording_count; i++) {
		uint64_t from, to;

		find_looked(s, &h->recordings[of->recordings[i]], &from, &to);
		if (from > until) {
			grid_seen_add_gaps(&d, until);
			add_dark(&d, until, from);
		}
		if (to > until)
			until = to;
	}
	grid_seen_add_gaps(&d, until);
	add_dark(&d, until, UINT64_MAX);
	paint_add(p, d.start_ns, d.end_ns, row, weight);
}

bool seen_alike(const struct seen_times *s, const struct heat *h, uint32_t host)
{
	for (size_t i = 0; i < h->gap_count; i++) {
		if (h->gaps[i].cpu >= 0 && s->host_of[h->gaps[i].recording] == host)
			return false;
	}
	return true;
}

/* ---- heat_unseen ------------------------------------------------------------ */

/* Add up CPU-ns that were not observed, by cell. */
static void paint_unseen(const struct seen_times *s, const struct heat *h, const struct heat_axes *a, uint64_t *cells)
{
	struct paint p;

	paint_begin(&p, a, cells);
	for (uint32_t i = 0; i < s->host_count; i++) {
		size_t cpus = seen_cpus_of(&s->hosts[i]);
		bool alike = seen_alike(s, h, i);

		for (size_t c = 0; c < (alike ? 1 : cpus); c++)
			seen_paint_gaps(s, h, i, c, &p, 0, alike ? cpus : 1);
	}
	paint_finish(&p);
}

static uint16_t grid_seen_thousandths(uint64_t part, uint64_t whole)
{
	uint64_t n = whole ? (uint64_t)((__uint128_t)part * 1000 / whole) : 0;

	if (!part)
		return 0;
	return n < 1 ? 1 : n < 1000 ? (uint16_t)n : 1000;
}

uint16_t *heat_unseen(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice)
{
	struct heat_axes axes = a->y == HEAT_Y_OFFSET ? *a : axes_of_columns(a);
	uint64_t *cells = xcalloc((size_t)axes.columns * axes.rows, sizeof(*cells));
	uint16_t *unseen = xcalloc((size_t)a->columns * a->rows, sizeof(*unseen));
	struct seen_times seen;

	seen_find(&seen, h, choice);
	seen.cells = &axes;
	paint_unseen(&seen, h, &axes, cells);
	for (uint32_t row = 0; row < a->rows; row++) {
		uint32_t from = axes.rows > 1 ? row : 0;
		uint64_t ns = heat_row_border(&axes, from + 1) - heat_row_border(&axes, from);

		for (size_t column = 0; column < a->columns; column++)
			unseen[column * a->rows + row] = grid_seen_thousandths(cells[column * axes.rows + from],
									       ns * axes.per_column * seen.cpus);
	}
	seen_times_free(&seen);
	free(cells);
	return unseen;
}
