#include "collapse/text/points.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/output/pairs.h"
#include "core/decimal.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/lines.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/wallclock.h"

/* Times of less are not since 1970: an uptime of 31 years. */
#define EPOCH_NS (1000000000 * NS_PER_SEC)

enum { COMPLAINTS = 5, FLUSH_BYTES = 256 * 1024 };

struct timed_value {
	uint64_t time_ns;
	struct decimal value;
	uint64_t line; /* of the input: equal times stay in its order */
};

struct points {
	const struct options *options;
	int power;     /* a time is in units of 10^power ns */
	uint64_t from_ns, to_ns;
	struct timed_value *items;
	size_t count, cap;
	uint64_t lines, wrong;
};

/* --- options ------------------------------------------------------------------------ */

static int power_of(const char *unit)
{
	static const struct {
		const char *name;
		int power;
	} units[] = { { "s", 9 }, { "ms", 6 }, { "us", 3 }, { "ns", 0 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(units[i].name, unit))
			return units[i].power;
	}
	die_usage("--unitstime: '%s' is none of: s ms us ns", unit);
}

/* What stacks, events and threads there are: nothing that points have. */
static void check_options(const struct options *o)
{
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{ "root", o->root }, { "pid", o->pid }, { "tid", o->tid }, { "event", o->event },
		{ "sampled", o->sampled }, { o->preset ? o->preset->name : "", o->preset },
		{ "threads", o->threads }, { "names", o->names.count }, { "pool", o->pool },
		{ "state", o->state }, { "min", o->min_ns }, { "max", o->max_ns },
		{ "include", o->include.count }, { "exclude", o->exclude.count },
		{ "weight", o->weight }, { "columns", o->columns },
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (others[i].given)
			die_usage("--%s: --format points has times and values only", others[i].name);
	}
	if (o->unit && !isalpha((unsigned char)o->unit[0]) && !(o->unit[0] & 0x80) && o->unit[0] != '%')
		die_usage("--unit: '%s' is no name of a unit, such as us, ms or bytes", o->unit);
}

/* --- reading ------------------------------------------------------------------------ */

static size_t skip_blanks(const char **text, size_t *len)
{
	size_t n = 0;

	while (n < *len && strchr(" \t\r", (*text)[n]) && (*text)[n])
		n++;
	*text += n;
	*len -= n;
	return n;
}

/* What is between the columns: blanks, or a comma with blanks around it. */
static bool skip_separator(const char **text, size_t *len)
{
	bool blanks = skip_blanks(text, len);

	if (!*len || **text != ',')
		return blanks;
	++*text;
	--*len;
	skip_blanks(text, len);
	return true;
}

/* "329797210338 1834".  Returns NULL, or what is wrong. */
static const char *read_point(const struct points *p, const char *text, size_t len, struct timed_value *point)
{
	struct decimal time;
	uint64_t whole;

	skip_blanks(&text, &len);
	if (len && *text == '-')
		return "a negative time";
	if (!decimal_read(&text, &len, &time))
		return "no time";
	if (!skip_separator(&text, &len))
		return len ? "no time" : "no value";
	if (len && *text == '-')
		return "a negative value";
	if (!decimal_read(&text, &len, &point->value))
		return "no value";
	skip_blanks(&text, &len);
	if (len)
		return "more than a time and a value";
	if (!decimal_scale(&time, p->power, &point->time_ns))
		return "a time that is too large (--unitstime?)";
	return decimal_scale(&point->value, 0, &whole) ? NULL : "a value that is too large";
}

static bool has_letters(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (isalpha((unsigned char)text[i]))
			return true;
	}
	return false;
}

static void complain(struct points *p, const struct lines *in, const char *what)
{
	if (p->wrong++ < COMPLAINTS)
		warn("%s:%llu: %s; wanted is 'time value'", in->path, (unsigned long long)in->number, what);
}

static void add_line(struct points *p, const struct lines *in, const char *text, size_t len)
{
	const char *rest = text, *what;
	struct timed_value point = { .line = in->number };
	size_t rest_len = len;

	skip_blanks(&rest, &rest_len);
	if (!rest_len || *rest == '#')
		return;
	what = read_point(p, text, len, &point);
	if (what && !p->lines && has_letters(text, len)) {
		p->lines++; /* the heading */
		return;
	}
	p->lines++;
	if (what) {
		complain(p, in, what);
		return;
	}
	p->items = xgrow(p->items, &p->cap, p->count + 1, sizeof(*p->items));
	p->items[p->count++] = point;
}

static int by_time(const void *a, const void *b)
{
	const struct timed_value *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

#define RECORDING "PERFILE2"

static int read_points(struct points *p)
{
	struct lines in = {0};
	const char *path;
	char *text;
	size_t len;

	if (lines_open(&in, p->options->recording) < 0)
		return -1;
	while (lines_next(&in, &text, &len)) {
		if (!p->lines && len >= strlen(RECORDING) && !memcmp(text, RECORDING, strlen(RECORDING))) {
			error("%s: is a recording: pyrograph collapse without --format points reads it", in.path);
			lines_close(&in);
			return -1;
		}
		add_line(p, &in, text, len);
	}
	path = in.path;
	lines_close(&in);
	if (in.failed)
		return -1;
	if (p->wrong)
		warn("%s: wrong lines, skipped: %llu", path, (unsigned long long)p->wrong);
	if (!p->count)
		return error("%s: holds no line 'time value'", path);
	qsort(p->items, p->count, sizeof(*p->items), by_time);
	return 0;
}

/* --- the wanted part ---------------------------------------------------------------- */

static bool has_epoch(const struct points *p)
{
	return p->items[0].time_ns >= EPOCH_NS;
}

static uint64_t parse_instant(const struct points *p, const char *text, const char *option, uint64_t missing)
{
	struct instant when;

	if (!text)
		return missing;
	if (!instant_parse(text, &when))
		die_usage("%s: '%s' is no time such as 10:15:02.5, 2026-11-21T10:15:02Z, +2.5s or -10s",
			  option, text);
	if (!has_epoch(p) && (when.kind == INSTANT_EPOCH || when.kind == INSTANT_CLOCK))
		die("%s: the times in %s are those of no wall clock; give an offset such as +2.5s", option,
		    p->options->recording);
	return instant_resolve(&when, p->items[0].time_ns, p->items[p->count - 1].time_ns);
}

static int choose_part(struct points *p)
{
	size_t kept = 0;

	p->from_ns = parse_instant(p, p->options->from, "--from", 0);
	p->to_ns = parse_instant(p, p->options->to, "--to", UINT64_MAX);
	for (size_t i = 0; i < p->count; i++) {
		if (p->items[i].time_ns >= p->from_ns && p->items[i].time_ns < p->to_ns)
			p->items[kept++] = p->items[i];
	}
	if (!kept)
		return error("%s: nothing of its %zu lines is left after %s", p->options->recording, p->count,
			     !p->options->to ? "--from" : !p->options->from ? "--to" : "--from and --to");
	p->count = kept;
	return 0;
}

/* --- writing ------------------------------------------------------------------------ */

static void write_header(FILE *out, const struct points *p)
{
	struct str line = {0}, text = {0};

	str_puts(&line, FOLDED_HEADER);
	pair_add(&line, FOLDED_EVENT, "points");
	if (has_epoch(p)) {
		pair_add_time(&line, FOLDED_START, p->items[0].time_ns);
		pair_add_time(&line, FOLDED_END, p->items[p->count - 1].time_ns);
	} else {
		pair_add(&line, FOLDED_CLOCK, "monotonic");
	}
	pair_add(&line, FOLDED_ROOT, "none");
	options_filter(p->options, &text);
	if (text.len)
		pair_add(&line, FOLDED_FILTER, text.buf + 1);
	str_clear(&text);
	if (p->wrong) {
		str_addf(&text, "wrong lines %llu", (unsigned long long)p->wrong);
		pair_add(&line, FOLDED_LOSSES, text.buf);
	}
	pair_add(&line, FOLDED_UNIT, p->options->unit ? p->options->unit : "units");
	line.buf[line.len - 1] = '\n';
	fwrite(line.buf, 1, line.len, out);
	str_free(&line);
	str_free(&text);
}

static void write_lines(FILE *out, const struct points *p)
{
	struct str text = {0};

	for (size_t i = 0; i < p->count; i++) {
		str_addc(&text, '@');
		wallclock_add_seconds(&text, p->items[i].time_ns);
		str_puts(&text, " points ");
		decimal_add(&text, &p->items[i].value);
		str_addc(&text, '\n');
		if (text.len < FLUSH_BYTES && i + 1 < p->count)
			continue;
		fwrite(text.buf, 1, text.len, out);
		str_clear(&text);
	}
	str_free(&text);
}

static int write_points(const struct points *p)
{
	struct outfile out = {0};

	if (outfile_open(&out, p->options->output) < 0)
		return -1;
	write_header(out.file, p);
	write_lines(out.file, p);
	return outfile_commit(&out);
}

int points_collapse(const struct options *o)
{
	struct points p = { .options = o };
	int status = -1;

	check_options(o);
	p.power = power_of(o->unitstime ? o->unitstime : "s");
	if (read_points(&p) < 0 || choose_part(&p) < 0 || write_points(&p) < 0)
		goto out;
	status = o->strict && p.wrong ? -1 : 0;
out:
	free(p.items);
	return status;
}
