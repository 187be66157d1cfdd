#include "collapse/options.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/roots/states.h"
#include "collapse/roots/wait_kind.h"
#include "core/decimal.h"
#include "core/error.h"
#include "core/format/events.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/nearest.h"

static const struct manual manual = {
	.usage = "[options] [RECORDING ... | --diff BEFORE AFTER]",
	.about = "Folds recordings (perf.data) and profilers' text into lines \"frame;frame;...\n"
		 "value\"; several inputs are merged. Without any, or with -, it reads stdin.",
	.examples = "  pyrograph collapse rec.data >rec.folded\n"
		    "  pyrograph collapse rec.data | grep -v swapper | pyrograph render flame >a.svg\n"
		    "  pyrograph collapse --from 10:15:02 --to 10:15:04.5 rec.data\n"
		    "  pyrograph collapse --states rec.data | pyrograph render states >b.svg\n"
		    "  pyrograph collapse --heat rec.data | pyrograph render heat >c.svg\n"
		    "  perf record -g -o - ./a.out | pyrograph collapse\n",
};

/* Roots for formats with labels: who it was, and where. */
#define LABEL_ROOTS "thread,tid,cpu"

static bool wants_tables(const struct options *o)
{
	return o->output_format && o->output_format->tables && !o->heat;
}

static bool is_of_no_thread(const struct preset *p)
{
	return event_row_of(p->event)->kind == EVENT_VALUES;
}

static bool event_has_wakers(const struct preset *p)
{
	return event_row_of(p->event)->has_wakers;
}

/* The columns of an event for which such formats have room. */
static const char *columns_for_tables(const struct recorded_event *event)
{
	if (event->spans)
		return "time,count";
	if (event->allocations)
		return "bytes,objects";
	return event_is_clock(event) ? "samples,period" : "period,samples";
}

/* States and kinds of wait.  Threads that ran have neither, so with --wall these are frames at the leaf, present only
 * for time that has them. */
static void append_wall(const struct options *o, struct roots *roots)
{
	static const char *const refused[] = { "wait", "state", "by", "doing", "waker", NULL };
	struct roots asked;

	roots_parse(&asked, o->root ? o->root : "");
	for (size_t i = 0; refused[i]; i++) {
		if (roots_has(&asked, refused[i]))
			die_usage("--wall has states and waits at the leaf: not with --root %s", refused[i]);
	}
	roots_append_wall(roots);
}

void options_roots(const struct options *o, const struct preset *p, struct roots *roots)
{
	const char *asked = o->root ? o->root : o->tid ? "tid" : o->pid ? "pid" : o->heat ? p->heat_root : NULL;

	roots_parse(roots, asked ? asked : p->root);
	if (p->own_root && (p == o->preset || asked == p->heat_root))
		roots_append(roots, p->root);
	if (wants_tables(o) && !o->roots_asked && !is_of_no_thread(p))
		roots_append(roots, event_has_wakers(p) ? LABEL_ROOTS ",waker" : LABEL_ROOTS);
	if (o->leaf)
		roots_append_leaves(roots, o->leaf);
	if (p->wall)
		append_wall(o, roots);
}

size_t options_column_count(const struct options *o)
{
	const char *list = o->columns;

	return list && is_digit(list[0]) && !list[1] ? (size_t)(list[0] - '0') : 0;
}

void options_columns(const struct options *o, const struct preset *p, const struct recorded_event *event,
		     struct columns *columns)
{
	if (o->weight)
		columns_parse(columns, o->weight, "--weight");
	else if (o->columns && !options_column_count(o))
		columns_parse(columns, o->columns, "--columns");
	else if (p->columns && !o->heat)
		columns_parse(columns, p->columns, "--columns");
	else if (event && !event->lanes && wants_tables(o))
		columns_parse(columns, columns_for_tables(event), "--columns");
	else if (event && event->lanes)
		columns_of_lanes(columns);
	else if (event && event->spans)
		columns_parse(columns, "time", "--columns");
	else /* samples of a clock are counted; samples of a counter are weighted with its counts */
		columns_parse(columns, event && !event_is_clock(event) ? "period" : "samples", "--columns");
}

uint32_t options_states(const struct options *o, const struct preset *p)
{
	const char *list = o->state ? o->state : p->state;

	return list ? states_parse(list, "--state") : 0;
}

uint32_t options_waits(const struct options *o, const struct recorded_event *event)
{
	if (event && !strcmp(event->name, RECORDING_OFFCPU))
		return wait_kinds_parse(o->waits ? o->waits : "all", "--waits") &
		       ~(o->waits ? 0 : UINT32_C(1) << WAIT_WORK);
	if (o->preset && (o->preset->timeline || o->preset->wall))
		return wait_kinds_parse(o->waits ? o->waits : "all", "--waits");
	if (o->waits)
		die_usage("--waits is about blocked time: give --offcpu");
	return 0;
}

/* --- the command line --------------------------------------------------------------- */

static enum demangle_style demangle_style_of(const char *word)
{
	static const char *const words[] = {
		[DEMANGLE_SIMPLE] = "simple", [DEMANGLE_FULL] = "full", [DEMANGLE_NO] = "no"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(words[i], word))
			return (enum demangle_style)i;
	}
	nearest_die("--demangle", word, words, sizeof(words) / sizeof(*words));
}

static enum text_files_when files_when(const char *word)
{
	static const char *const words[] = {
		[FILES_NEEDED] = "needed", [FILES_ALWAYS] = "always", [FILES_FULL] = "full", [FILES_NEVER] = "never"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(words[i], word))
			return (enum text_files_when)i;
	}
	if (*word)
		nearest_die("--files", word, words, sizeof(words) / sizeof(*words));
	return FILES_ALWAYS;
}

int options_time_power(const struct options *o)
{
	static const char *const units[] = { "s", "ms", "us", "ns" };

	for (int i = 0; i < 4; i++) {
		if (!strcmp(units[i], o->unitstime ? o->unitstime : "s"))
			return 9 - 3 * i;
	}
	nearest_die("--unitstime", o->unitstime, units, 4);
}

/* ---- the table of options --------------------------------------------------- */

/* Raw values of options, which are interpreted once all options are read. */
struct option_words {
	const char *format, *output_format, *demangled, *files;
	bool no_names;
	struct str output_formats; /* their list, for --help */
};

static void options_add_roots(struct opt_table *t, struct options *o)
{
	const struct opt rows[] = {
		{ 'o', "output", "FILE", "output file [stdout]", .text = &o->output },
		{ 'r', "root", "LIST",
		  "root [comm]: pid tid thread cpu state by waker wait\n"
		  "                            pod container unit type file reason syscall lock ...",
		  .text = &o->root, .choice = roots_name },
		{ 0, "leaf", "LIST", "the same for frames at the leaf: type,reason", .text = &o->leaf },
		{ .name = "pid", .flag = &o->pid },
		{ .name = "tid", .flag = &o->tid },
		{ 'e', "event", "NAME", "only this event, or 'all' [the first with samples]", .text = &o->event },
		{ .name = "event-filter", .arg = "NAME", .text = &o->event },
		{ 0, "sampled", NULL, "only samples of running code, not spans of time", .flag = &o->sampled },
		{ 0 }
	};

	opt_table_add(t, rows);
}

static void options_add_presets(struct opt_table *t, struct options *o)
{
	for (size_t i = 0; presets[i].name; i++) {
		const struct opt row[] = { { .name = presets[i].name, .help = presets[i].help, .flag = &o->presets[i] },
					   { 0 } };

		opt_table_add(t, row);
	}
}

const char *const owner_options[OWNER_CHOICES] = {
	[OWNER_GROUP] = "--cgroup",
	[OWNER_UNIT] = "--systemd-unit",
	[OWNER_CONTAINER] = "--container",
	[OWNER_POD] = "--pod",
	[OWNER_NAMESPACE] = "--namespace",
};

const char *options_choose_owners(const struct options *o, struct owned *owned)
{
	const char *first = NULL;

	for (int kind = 0; kind < OWNER_CHOICES; kind++) {
		if (!o->owners[kind])
			continue;
		first = first ? first : owner_options[kind];
		owned_choose(owned, (enum owner_kind)kind, regexp_compile(o->owners[kind], owner_options[kind]));
	}
	return first;
}

static void options_add_filters(struct opt_table *t, struct options *o)
{
	const struct opt rows[] = {
		{ 0, "from", "TIME", "wall-clock time, +OFFSET or -FROM_END; --to: end", .text = &o->from },
		{ .name = "to", .arg = "TIME", .text = &o->to },
		{ .name = "host", .arg = "PATTERN", .text = &o->host },
		{ .name = "service", .arg = "PATTERN", .text = &o->service },
		{ .name = "resolution", .arg = "TIME", .ns = &o->resolution_ns },
		{ .name = "user", .arg = "NAME", .text = &o->user },
		{ .name = "password-file", .arg = "FILE", .text = &o->password_file },
		{ .name = "ca", .arg = "FILE", .text = &o->ca },
		{ 0, "threads", "REGEXP", "only threads that match; --pod, --container", .text = &o->threads },
		{ .name = "container", .arg = "REGEXP", .text = &o->owners[OWNER_CONTAINER] },
		{ .name = "pod", .arg = "REGEXP", .text = &o->owners[OWNER_POD] },
		{ .name = "namespace", .arg = "REGEXP", .text = &o->owners[OWNER_NAMESPACE] },
		{ .name = "systemd-unit", .arg = "REGEXP", .text = &o->owners[OWNER_UNIT] },
		{ .name = "cgroup", .arg = "REGEXP", .text = &o->owners[OWNER_GROUP] },
		{ 0, "names", "FILE", "thread names, from jstack PID >FILE ([PID=]FILE)", .list = &o->names },
		{ 0, "pool", NULL, "merge threads whose names differ in the last number", .flag = &o->pool },
		{ .name = "between", .arg = "WHICH", .text = &o->between },
		{ .name = "lengths", .flag = &o->lengths },
		{ .name = "waits", .arg = "LIST", .text = &o->waits },
		{ 0, "state", "LIST", "only running, runnable, off-cpu, sleeping, ...", .text = &o->state },
		{ 0, "min", "TIME", "only single spans at least this long; --max: at most", .ns = &o->min_ns },
		{ .name = "max", .arg = "TIME", .ns = &o->max_ns },
		{ 'i', "include", "REGEXP", "only stacks that match (Perl syntax; repeatable)", .list = &o->include,
		  .preferred = true },
		{ 'x', "exclude", "REGEXP", "leave out stacks that match", .list = &o->exclude },
		{ 0 }
	};

	opt_table_add(t, rows);
}

static void options_add_shape(struct opt_table *t, struct options *o)
{
	const struct opt rows[] = {
		{ 0, "focus", "REGEXP", "begin at a matching frame; --hide, --recursive", .text = &o->focus },
		{ .name = "hide", .arg = "REGEXP", .list = &o->hide },
		{ .name = "recursive", .arg = "HOW", .text = &o->recursive, .optional = true },
		{ .name = "merge-annotations", .flag = &o->merge_annotations },
		{ 't', "timed", NULL, "one line per sample, with its time, in order", .flag = &o->timed },
		{ 0, "heat", NULL, "for heat maps: --timed --all --root comm,thread,cpu", .flag = &o->heat },
		{ .name = "skip-after", .arg = "NAME", .list = &o->skip_after },
		{ 0, "no-stack", NULL, "root frames only; --no-wakers: omit wakers' stacks", .flag = &o->no_stack },
		{ .name = "owner-stack", .arg = "WHEN", .text = &o->owner_stack },
		{ .name = "no-wakers", .flag = &o->no_wakers },
		{ 0 }
	};

	opt_table_add(t, rows);
}

static void options_add_names(struct opt_table *t, struct options *o, struct option_words *w)
{
	const struct opt rows[] = {
		{ .name = "kernel", .flag = &o->style.kernel },
		{ .name = "jit", .flag = &o->style.jit },
		{ 0, "all", NULL, "annotate frames: kernel _[k], JIT _[j] _[1] _[?]", .flag = &o->all },
		{ .name = "inline", .off = &o->style.no_inlined },
		{ .name = "inline", .flag = &o->inlined_from_files },
		{ 0, "no-inline", NULL, "omit inlined functions, _[i]", .flag = &o->style.no_inlined },
		{ 0, "srcline", NULL, "add source lines: main:prog.c:12", .flag = &o->style.lines },
		{ .name = "context", .flag = &o->style.lines },
		{ .name = "files", .arg = "WHEN", .text = &w->files, .optional = true },
		{ 0, "addrs", NULL, "addresses of nameless frames; --offsets: main+0x1d", .flag = &o->style.addrs },
		{ .name = "offsets", .flag = &o->style.offsets },
		{ .name = "merge-unnamed", .flag = &o->style.merge_unnamed },
		{ 0, "demangle", "HOW", "C++, Rust, D: full, simple, no; --strip-templates", .text = &w->demangled,
		  .choices = "full simple no" },
		{ .name = "strip-templates", .flag = &o->style.strip_templates },
		{ .name = "norm", .flag = &o->style.java.norm },
		{ .name = "shorten-pkgs", .flag = &o->style.java.short_packages },
		{ .name = "no-shorten-pkgs", .off = &o->style.java.short_packages },
		{ .name = "no-pkgs", .flag = &o->style.java.no_packages },
		{ .name = "include-tname", .off = &w->no_names },
		{ .name = "no-include-tname", .flag = &w->no_names },
		{ .name = "include-tid", .flag = &o->tid },
		{ .name = "no-include-tid", .off = &o->tid },
		{ 0 }
	};

	opt_table_add(t, rows);
}

static void options_add_values(struct opt_table *t, struct options *o, struct option_words *w)
{
	const struct opt rows[] = {
		{ 0, "weight", "WHAT", "time count period latency bytes ...; --parallelism", .text = &o->weight },
		{ .name = "parallelism", .arg = "LIST", .text = &o->parallelism },
		{ 0, "columns", "LIST", "several values per line: time,count,longest", .text = &o->columns },
		{ 0, "format", "NAME", "input format (--format list: all) [recognized]", .text = &w->format,
		  .choice = input_format_name },
		{ 0, "out", "NAME", w->output_formats.buf, .text = &w->output_format, .choice = output_format_name },
		{ .name = "output-format", .arg = "NAME", .text = &w->output_format },
		{ 0 }
	};

	opt_table_add(t, rows);
}

static void options_add_ways(struct opt_table *t, struct options *o)
{
	const struct opt rows[] = {
		{ .name = "diff", .flag = &o->diff },
		{ .name = "normalize", .arg = "WAY", .text = &o->normalize },
		{ .name = "strip-hex", .flag = &o->strip_hex },
		{ .name = "jobs", .arg = "N", .num = &o->jobs, .min = 1, .max = TEXT_JOBS_MAX },
		{ .name = "unitstime", .arg = "UNIT", .text = &o->unitstime },
		{ .name = "unit", .arg = "NAME", .text = &o->unit, .preferred = true },
		{ .name = "unitslabel", .arg = "NAME", .text = &o->unit },
		{ 0, "quality", NULL, "report on stack quality, instead of lines", .flag = &o->quality },
		{ 0, "explain", "HOW", "who made threads wait; as headline, json, ...", .text = &o->explain,
		  .optional = true },
		{ .name = "correlate", .flag = &o->correlate }, /* in the --help of pyrograph explain */
		{ 0, "strict", NULL, "fail if the input is damaged", .flag = &o->strict },
		{ .name = "scan-only", .flag = &o->scan_only },
		{ .name = "stats", .flag = &o->stats },
		{ .name = "if-any", .flag = &o->if_any },
		{ .name = "of-several", .flag = &o->of_several },
		{ 0 }
	};

	opt_table_add(t, rows);
}

static int options_read(struct options *o, struct option_words *w, int argc, char **argv)
{
	struct opt_table table = { 0 };
	int operands;

	options_add_roots(&table, o);
	options_add_presets(&table, o);
	options_add_filters(&table, o);
	options_add_shape(&table, o);
	options_add_names(&table, o, w);
	options_add_values(&table, o, w);
	options_add_ways(&table, o);
	operands = opts_parse(table.rows, &manual, argc, argv);
	opt_table_free(&table);
	return operands;
}

void options_parse(struct options *o, int argc, char **argv)
{
	struct option_words w = { .demangled = "simple" };
	char **arguments = xcalloc((size_t)argc, sizeof(*arguments));
	int operands;

	memcpy(arguments, argv, (size_t)argc * sizeof(*arguments));
	str_puts(&w.output_formats, "to: ");
	output_formats_list(&w.output_formats);
	operands = options_read(o, &w, argc, argv);
	str_free(&w.output_formats);

	o->format = w.format ? input_format_find(w.format) : NULL;
	o->output_format = w.output_format ? output_format_find(w.output_format) : output_format_of_file(o->output);
	o->roots_asked = o->root || o->pid || o->tid;
	o->style.demangle = demangle_style_of(w.demangled);
	o->style.files = w.files ? files_when(w.files) : FILES_NEEDED;
	o->files_asked = w.files != NULL;
	o->operands = operands;
	o->recording = operands ? argv[0] : "-";
	o->inputs = operands > 1 ? argv : NULL;
	o->input_count = operands > 1 ? (size_t)operands : 0;
	o->arguments = arguments;
	o->argument_count = (size_t)argc;
	if (w.no_names && !o->root && !o->tid && !o->pid)
		o->root = "none";
}

/* --- filters ------------------------------------------------------------------------ */

static void collapse_options_add_duration(struct str *out, const char *option, uint64_t ns)
{
	if (ns)
		str_addf(out, " --%s %lluns", option, (unsigned long long)ns);
}

static void collapse_options_add_text(struct str *out, const char *option, const char *text)
{
	if (text)
		str_addf(out, " --%s %s", option, text);
}

void options_filter(const struct options *o, struct str *out)
{
	if (o->filter)
		str_puts(out, o->filter);
	collapse_options_add_text(out, "host", o->host);
	collapse_options_add_text(out, "service", o->service);
	collapse_options_add_text(out, "from", o->from);
	collapse_options_add_text(out, "to", o->to);
	collapse_options_add_text(out, "threads", o->threads);
	for (int kind = 0; kind < OWNER_CHOICES; kind++)
		collapse_options_add_text(out, owner_options[kind] + 2, o->owners[kind]);
	collapse_options_add_text(out, "state", o->state);
	collapse_options_add_text(out, "waits", o->waits && strcmp(o->waits, "all") ? o->waits : NULL);
	collapse_options_add_text(out, "parallelism", o->parallelism);
	collapse_options_add_text(out, "between", o->between);
	if (o->weight && !strcmp(o->weight, "latency"))
		collapse_options_add_text(out, "weight", o->weight);
	collapse_options_add_duration(out, "min", o->min_ns);
	collapse_options_add_duration(out, "max", o->max_ns);
	for (size_t i = 0; i < o->include.count; i++)
		collapse_options_add_text(out, "include", o->include.items[i]);
	for (size_t i = 0; i < o->exclude.count; i++)
		collapse_options_add_text(out, "exclude", o->exclude.items[i]);
	collapse_options_add_text(out, "focus", o->focus);
	for (size_t i = 0; i < o->hide.count; i++)
		collapse_options_add_text(out, "hide", o->hide.items[i]);
}
