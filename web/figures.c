#include "web/figures.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/picture.h"
#include "core/opts.h"

uint64_t ratio_millionths(const struct ratio *r)
{
	double share = r->whole ? (double)r->part / (double)r->whole : 0;

	return share < 1 ? (uint64_t)(share * 1e6 + 0.5) : 1000000;
}

/* "CPU: process 8513" -> "process 8513" */
static void set_service(struct figures *f, const struct web_capture *c)
{
	const char *slash = strchr(c->members->key, '/');

	f->service = slash ? c->members->key : "";
	f->service_len = slash ? (size_t)(slash - c->members->key) : 0;
	for (size_t i = 0; i < c->count; i++) {
		const char *title = c->members[i].picture->about.facts[FACT_TITLE];
		const char *colon = title && c->members[i].role == MEMBER_PICTURE ? strstr(title, ": ") : NULL;

		if (colon && colon[2]) {
			f->service = colon + 2;
			f->service_len = strlen(f->service);
			return;
		}
	}
}

/* "99Hz" */
static bool parse_rate(const char *text, uint64_t *hz)
{
	char digits[24] = "";
	size_t len = text ? strspn(text, "0123456789") : 0;

	if (!len || len >= sizeof(digits) || strcmp(text + len, "Hz"))
		return false;
	memcpy(digits, text, len);
	return parse_u64(digits, hz) && *hz;
}

/* Did the whole machine's recording count idle CPUs as well?  Then samples are not CPU time in use. */
static bool counts_idle(const struct picture_metadata *about)
{
	const char *command = about->facts[FACT_COMMAND];

	return !command || strstr(command, " -a") || strstr(command, "--all-cpus");
}

/* CPUs in use: samples of a clock, by its rate and the time that was sampled. */
static void figures_add_samples(struct figures *f, const struct member *m)
{
	const struct picture_metadata *about = &m->picture->about;
	const char *unit = about->facts[FACT_UNIT];
	uint64_t hz, idle = 0;
	bool has_idle = about->facts[FACT_IDLE] && parse_u64(about->facts[FACT_IDLE], &idle) && idle <= m->total;

	if (f->has_samples || m->role != MEMBER_PICTURE || !unit || strcmp(unit, "samples"))
		return;
	f->has_samples = true;
	f->samples = m->total;
	if (f->length_ns && (has_idle || !counts_idle(about)) && parse_rate(about->facts[FACT_RATE], &hz)) {
		double milli = (double)(m->total - idle) / (double)hz / ((double)f->length_ns / 1e9) * 1000 + 0.5;

		f->has_cpus = milli < 1.8e19;
		f->cpus_milli = f->has_cpus ? (uint64_t)milli : 0;
	}
}

static void add_lost(struct figures *f, const struct picture_metadata *about)
{
	struct ratio lost;

	if (!ratio_parse(&lost, about->facts[FACT_LOST]) && lost.whole &&
	    (!f->lost.whole || ratio_millionths(&lost) > ratio_millionths(&f->lost)))
		f->lost = lost;
}

/* Who tells of the longest wait: waits off the CPU are often for work, the states know only those for a CPU, and the
 * timeline those that matter, as the headline does. */
static enum figures_longest figures_teller(const char *kind)
{
	if (kind && !strcmp(kind, "timeline"))
		return FIGURES_OF_TIMELINE;
	return kind && !strcmp(kind, "states") ? FIGURES_OF_STATES : FIGURES_OF_ANY;
}

/* One number, from the best of these. */
static void figures_add_longest(struct figures *f, const struct picture_metadata *about)
{
	enum figures_longest teller = figures_teller(about->facts[FACT_KIND]);
	const char *longest = about->facts[FACT_LONGEST];
	uint64_t ns;

	if (!longest || !parse_u64(longest, &ns) || teller < f->longest)
		return;
	if (teller > f->longest || ns > f->longest_ns)
		f->longest_ns = ns;
	f->longest = teller;
}

/* ---- what the headline says, too --------------------------------------------------- */

/* "1,234.5".  Returns what follows, or NULL. */
static const char *figures_parse_number(const char *text, double *number)
{
	char digits[24] = "";
	size_t len = 0;

	for (; *text && strchr("0123456789.,", *text); text++) {
		if (*text != ',' && len + 1 < sizeof(digits))
			digits[len++] = *text;
	}
	*number = strtod(digits, NULL);
	return len ? text : NULL;
}

/* "CPUs for 15 s" */
static bool figures_is_of_cpus(const char *text)
{
	return !strncmp(text, HEADLINE_USED_CPUS, strlen(HEADLINE_USED_CPUS)) ||
	       !strncmp(text, HEADLINE_USED_CPU, strlen(HEADLINE_USED_CPU));
}

/* " used 0.16 of 2 CPUs for 15 s" */
static void figures_take_cpus(struct figures *f, const char *headline)
{
	const char *at = headline, *rest;
	double cpus, of;

	while ((at = strstr(at, HEADLINE_USED))) {
		at += strlen(HEADLINE_USED);
		rest = figures_parse_number(at, &cpus);
		if (rest && !strncmp(rest, " of ", strlen(" of ")))
			rest = figures_parse_number(rest + strlen(" of "), &of);
		if (!rest || *rest != ' ' || !figures_is_of_cpus(rest + 1) || cpus > 1e12)
			continue;
		f->has_cpus = true;
		f->cpus_milli = (uint64_t)(cpus * 1000 + 0.5);
		return;
	}
}

/* "; the longest time that a thread was held up: 290 ms (request-1)" */
static void figures_take_longest(struct figures *f, const char *headline)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { " s (", 1e9 }, { " ms (", 1e6 }, { " \xc2\xb5s (", 1e3 }, { " ns (", 1 } };
	const char *at = strstr(headline, HEADLINE_LONGEST);
	double longest;

	at = at ? figures_parse_number(at + strlen(HEADLINE_LONGEST), &longest) : NULL;
	for (size_t i = 0; at && i < sizeof(units) / sizeof(*units); i++) {
		if (strncmp(at, units[i].name, strlen(units[i].name)) || longest * units[i].ns > 1e19)
			continue;
		f->longest = FIGURES_OF_HEADLINE;
		f->longest_ns = (uint64_t)(longest * units[i].ns + 0.5);
	}
}

struct figures figures_make(const struct web_capture *c)
{
	const char *headline = capture_headline(c);
	struct figures f = { 0 };

	f.length_ns = c->end_ns > c->start_ns ? c->end_ns - c->start_ns : 0;
	set_service(&f, c);
	for (size_t i = 0; i < c->count; i++) {
		const struct picture_metadata *about = &c->members[i].picture->about;

		figures_add_samples(&f, &c->members[i]);
		add_lost(&f, about);
		figures_add_longest(&f, about);
	}
	if (headline) {
		figures_take_cpus(&f, headline);
		figures_take_longest(&f, headline);
	}
	return f;
}
