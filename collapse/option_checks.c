#include "collapse/option_checks.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/fold/levels.h"
#include "collapse/fold/owner_stack.h"
#include "collapse/roots/root.h"
#include "collapse/roots/wait_kind.h"
#include "collapse/roots/windows.h"
#include "core/error.h"
#include "core/format/events.h"
#include "core/memory.h"
#include "core/nearest.h"

/* ---- presets ---- */

/* A recording is read as single samples, or as sums: both together are refused. */
static void choose_processes(struct options *o)
{
	if (!o->root && (o->diff || o->weight))
		o->root = "command";
	o->timed |= !o->root;
}

static void choose_preset(struct options *o)
{
	enum event_kind kind;

	for (size_t i = 0; presets[i].name; i++) {
		if (!o->presets[i])
			continue;
		if (o->preset)
			die_usage("--%s and --%s cannot be combined", o->preset->name, presets[i].name);
		o->preset = &presets[i];
	}
	if (o->sampled && (o->preset || o->event))
		die_usage("--sampled and --%s cannot be combined", o->preset ? o->preset->name : "event");
	if (!o->preset)
		return;
	kind = event_row_of(o->preset->event)->kind;
	if (o->between && (kind == EVENT_VALUES || kind == EVENT_PROCESSES))
		die_usage("--%s cannot be combined with --between: they belong to no thread", o->preset->name);
	if (o->preset->timeline && (o->event || o->heat || o->quality || o->weight || o->columns))
		die_usage("--timeline reads all events, with their times: not with --event, --heat, --quality, "
			  "--weight or "
			  "--columns");
	if (o->preset->timeline) {
		o->timed = true;
		o->event = "all";
		return;
	}
	if (o->preset->wall && (o->event || o->timed || o->quality || o->weight || o->columns || o->state ||
				o->min_ns || o->max_ns || o->leaf || o->no_stack || o->waits))
		die_usage("--wall is all the time of threads, by stack: not with --event, --timed, --heat, --quality, "
			  "--weight, --columns, --state, --waits, --min, --max, --leaf or --no-stack");
	if (o->preset->wall) {
		o->event = "all";
		o->no_wakers = true;
		return;
	}
	if (o->event && strcmp(o->event, o->preset->event))
		die_usage("--%s shows event %s, not %s", o->preset->name, o->preset->event, o->event);
	o->event = o->preset->event;
	if (kind == EVENT_PROCESSES)
		choose_processes(o);
}

/* ---- one option with others ---- */

static bool option_checks_is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A malformed list is a usage error, whatever the recording contains. */
static void check_lists(const struct options *o)
{
	struct columns columns;
	struct roots roots = { 0 };
	struct levels levels = { 0 };

	options_roots(o, &preset_plain, &roots);
	options_columns(o, &preset_plain, NULL, &columns);
	if (o->waits)
		wait_kinds_parse(o->waits, "--waits");
	if (o->owner_stack)
		owner_stack_parse(o->owner_stack, "--owner-stack");
	if (o->weight && o->columns)
		die_usage("--weight and --columns cannot be combined");
	if (o->weight && columns.count != 1)
		die_usage("--weight must be one of: time count longest samples period latency bytes objects");
	if (o->parallelism)
		levels_parse(&levels, o->parallelism, "--parallelism");
	levels_free(&levels);
	window_choice_parse(o->between);
	window_choice_parse(o->between_after);
	if (o->max_ns && o->max_ns < o->min_ns)
		die_usage("--max is less than --min");
}

/* --diff --between fast,slow FILE */
static void part_between(struct options *o)
{
	const char *comma = o->diff && o->between && o->operands < 2 ? strchr(o->between, ',') : NULL;

	if (!comma)
		return;
	o->between_after = comma + 1;
	o->between = xstrndup(o->between, (size_t)(comma - o->between));
	if (!o->normalize)
		o->normalize = "windows";
}

static void check_lengths(struct options *o)
{
	if (!o->lengths)
		return;
	if (o->timed || o->quality || o->explain || o->diff || o->event || o->preset || o->root || o->weight ||
	    o->columns)
		die_usage("--lengths is about windows: not with --event, --root, --weight, --timed, --quality, "
			  "--explain or "
			  "--diff");
	for (size_t i = 0; presets[i].name; i++) {
		if (event_row_of(presets[i].event)->kind == EVENT_WINDOWS)
			o->presets[i] = true;
		else if (o->presets[i])
			die_usage("--lengths is about windows: not with --%s", presets[i].name);
	}
	if (o->between && !strcmp(o->between, "out"))
		die_usage("--lengths needs windows: not with --between out");
}

static void check_explain(struct options *o)
{
	static const char *const words[] = { "", "json", "headline", "markdown" };
	size_t i = 0, count = sizeof(words) / sizeof(*words);

	while (o->explain && i < count && strcmp(o->explain, words[i]) != 0)
		i++;
	if (i == count)
		nearest_die("--explain", o->explain, words + 1, count - 1);
	if (o->correlate && !o->explain)
		die_usage("--correlate belongs to --explain");
	if (o->explain && (o->timed || o->quality || o->preset || o->event))
		die_usage("--explain reads all events: not with --event, --timed, --heat or --quality");
	if (o->explain && (o->root || o->leaf || o->weight || o->columns || o->state || o->waits || o->min_ns ||
			   o->max_ns || o->include.count || o->exclude.count))
		die_usage("--explain writes no lines: of the filters, it takes --threads, --between, --from and --to");
	if (o->explain)
		o->event = "all";
}

/* The given option that makes sense only for moments of running code; NULL: none is given. */
static const char *about_moments(const struct options *o)
{
	const char *list = o->weight ? o->weight : o->columns;
	struct columns columns = { 0 };

	if (o->parallelism)
		return "parallelism";
	if (list && (o->weight || !options_column_count(o)))
		columns_parse(&columns, list, o->weight ? "--weight" : "--columns");
	return !columns_have(&columns, COLUMN_LATENCY) ? NULL : o->weight ? "weight latency" : "columns latency";
}

static void check_parallelism(struct options *o)
{
	const char *option = about_moments(o);

	if (!option)
		return;
	if (o->explain)
		die_usage("--parallelism is about samples: it cannot be used with --explain");
	for (size_t i = 0; presets[i].name; i++) {
		if (o->presets[i])
			die_usage("--%s is about samples of running code: it cannot be used with --%s", option,
				  presets[i].name);
	}
	o->sampled |= !o->event;
}

static void check_quality(const struct options *o)
{
	const char *given = o->heat                            ? "heat"
			    : o->timed                         ? "timed"
			    : o->no_stack                      ? "no-stack"
			    : o->preset && o->preset->no_stack ? o->preset->name
							       : NULL;

	if (o->quality && given)
		die_usage("--quality reports on stacks: it cannot be used with --%s", given);
}

/* The labels that a text format must have (TEXT_HAS_...) for each root; other roots are not available in text. */
static const struct {
	const char *name;
	unsigned needs;
} text_roots[] = {
	{ "input", 0 },
	{ "event", TEXT_HAS_EVENTS },
	{ "comm", TEXT_HAS_COMMS },
	{ "pid", TEXT_HAS_PIDS },
	{ "tid", TEXT_HAS_TIDS },
	{ "thread", TEXT_HAS_PIDS | TEXT_HAS_TIDS },
	{ "cpu", TEXT_HAS_CPUS },
	{ "state", TEXT_HAS_STATES },
	{ "cgroup", TEXT_HAS_OWNERS },
	{ "unit", TEXT_HAS_OWNERS },
	{ "container", TEXT_HAS_OWNERS },
	{ "container-id", TEXT_HAS_OWNERS },
	{ "pod", TEXT_HAS_OWNERS },
	{ "pod-uid", TEXT_HAS_OWNERS },
	{ "namespace", TEXT_HAS_OWNERS },
};

enum { TEXT_ROOTS = sizeof(text_roots) / sizeof(*text_roots) };

static unsigned roots_need(const char *list)
{
	struct roots roots = { 0 };
	unsigned needs = 0;

	roots_parse(&roots, list ? list : "");
	for (size_t i = 0; i < roots.count; i++) {
		size_t row = 0;

		while (row < TEXT_ROOTS && strcmp(text_roots[row].name, roots.chosen[i]->name) != 0)
			row++;
		needs |= row < TEXT_ROOTS ? text_roots[row].needs : TEXT_NEVER;
	}
	return needs;
}

unsigned options_text_labels(const struct options *o)
{
	unsigned thread = TEXT_HAS_PIDS | TEXT_HAS_TIDS;
	bool tables = o->output_format->tables && !o->roots_asked;

	return roots_need(o->root) | (o->pid || o->tid || o->threads || o->heat || tables ? thread : 0) |
	       (o->heat || tables ? TEXT_HAS_CPUS : 0);
}

enum text_weight options_text_weight(const struct options *o)
{
	static const char *const words[] = { [TEXT_WEIGHT_SAMPLES] = "samples", [TEXT_WEIGHT_PERIOD] = "period" };

	if (!o->weight)
		return TEXT_WEIGHT_EVENT;
	for (size_t i = 1; i < sizeof(words) / sizeof(*words); i++) {
		if (!strcmp(words[i], o->weight))
			return (enum text_weight)i;
	}
	if (!strcmp(o->weight, "count"))
		return TEXT_WEIGHT_SAMPLES;
	die_usage("--weight: --format %s has samples and periods, not %s", o->format->name, o->weight);
}

/* Exits 2 if an option needs something that the text format does not have. */
static void check_text(const struct options *o)
{
	const struct input_format *f = o->format;
	const struct {
		const char *name;
		bool given;
		unsigned needs;
	} options[] = {
		{ "root", o->root && !(f->has & TEXT_HAS_ROOTS), roots_need(o->root) },
		{ "leaf", o->leaf, TEXT_NEVER },
		{ "pid", o->pid, TEXT_HAS_PIDS },
		{ "tid", o->tid, TEXT_HAS_TIDS },
		{ o->preset ? o->preset->name : "", o->preset, TEXT_NEVER },
		{ "event", o->event, TEXT_HAS_EVENTS },
		{ "sampled", o->sampled, TEXT_NEVER },
		{ "threads", o->threads, TEXT_HAS_COMMS },
		{ "container", o->owners[OWNER_CONTAINER], TEXT_HAS_OWNERS },
		{ "pod", o->owners[OWNER_POD], TEXT_HAS_OWNERS },
		{ "namespace", o->owners[OWNER_NAMESPACE], TEXT_HAS_OWNERS },
		{ "systemd-unit", o->owners[OWNER_UNIT], TEXT_HAS_OWNERS },
		{ "cgroup", o->owners[OWNER_GROUP], TEXT_HAS_OWNERS },
		{ "names", o->names.count, TEXT_NEVER },
		{ "pool", o->pool, TEXT_HAS_COMMS },
		{ "state", o->state, TEXT_HAS_STATES },
		{ "waits", o->waits, TEXT_NEVER },
		{ "min", o->min_ns, TEXT_NEVER },
		{ "max", o->max_ns, TEXT_NEVER },
		{ "from", o->from, TEXT_HAS_TIMES },
		{ "to", o->to, TEXT_HAS_TIMES },
		{ "timed", o->timed, TEXT_HAS_TIMES },
		{ "include", o->include.count, TEXT_HAS_STACKS },
		{ "exclude", o->exclude.count, TEXT_HAS_STACKS },
		{ "focus", o->focus, TEXT_HAS_STACKS },
		{ "hide", o->hide.count, TEXT_HAS_STACKS },
		{ "recursive", o->recursive, TEXT_HAS_STACKS },
		{ "srcline", o->style.lines, TEXT_HAS_LINES },
		{ "files", o->files_asked && o->style.files != FILES_NEVER, TEXT_HAS_FILES },
		{ "weight", o->weight, TEXT_HAS_PERIODS },
		{ "columns", o->columns, TEXT_IS_FOLDED },
		{ "parallelism", o->parallelism, TEXT_NEVER },
		{ "between", o->between, TEXT_NEVER },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (options[i].given && (options[i].needs & ~f->has))
			die_usage("--%s: --format %s has %s only", options[i].name, f->name, f->holds);
	}
	if (o->explain)
		die_usage("--explain needs a recording: it cannot be used with --format %s", f->name);
	if (o->quality)
		die_usage("--quality needs a recording: it cannot be used with --format %s", f->name);
	if (o->columns && (!options_column_count(o) || options_column_count(o) > TEXT_VALUES_MAX))
		die_usage("--columns: of folded text, it is how many values a line has, 1 to %d", TEXT_VALUES_MAX);
	if (o->unit && !isalpha((unsigned char)o->unit[0]) && !(o->unit[0] & 0x80) && o->unit[0] != '%')
		die_usage("--unit: '%s' is not a unit; try us, ms or bytes", o->unit);
}

/* How a recording shows files depends on everything else in it.  So if lines of several recordings are merged or
 * compared, they are shown without files. */
static void option_checks_choose_files(struct options *o)
{
	bool several = !o->format->parse && (o->diff || o->of_several);

	if (!o->files_asked && (several || o->format->has & TEXT_HAS_LIBRARIES))
		o->style.files = FILES_NEVER;
}

void options_check_format(struct options *o)
{
	if (!(o->format->has & TEXT_HAS_UNITS) && (o->unit || o->unitstime))
		die_usage("--%s is only for --format points: %s known units", o->unit ? "unit" : "unitstime",
			  o->format->parse ? "other formats have" : "a recording has");
	if (o->format->parse)
		check_text(o);
	else if (options_column_count(o))
		die_usage("--columns %s is for folded text: of a recording, it names columns", o->columns);
	else
		options_states(o, &preset_plain);
	option_checks_choose_files(o);
}

static void check_diff(const struct options *o, int operands)
{
	if (!o->diff && (o->normalize || o->strip_hex))
		die_usage("--%s belongs to --diff", o->normalize ? "normalize" : "strip-hex");
	if (!o->diff)
		return;
	if (operands != (o->between_after ? 1 : 2))
		die_usage("--diff compares two files, not %d: --diff BEFORE AFTER; or --diff --between fast,slow FILE",
			  operands);
	if (o->timed || o->heat || o->quality || o->explain || (o->preset && o->preset->timeline) || o->columns)
		die_usage("--diff compares sums: it cannot be used with --%s", o->heat      ? "heat"
									       : o->timed   ? "timed"
									       : o->quality ? "quality"
									       : o->explain ? "explain"
									       : o->columns ? "columns"
											    : "timeline");
	if (strcmp(o->output_format->name, "folded") != 0)
		die_usage("--diff writes folded lines with two values, not %s", o->output_format->name);
}

void options_check(struct options *o)
{
	int operands = o->operands;

	if (operands > 1 && (o->quality || o->explain || o->scan_only))
		die_usage("--%s is about one recording, not %d",
			  o->quality   ? "quality"
			  : o->explain ? "explain"
				       : "scan-only",
			  operands);
	if (!operands && isatty(STDIN_FILENO))
		die_usage("no recording: name a file, or pipe one in");
	if (o->output_format->binary && !o->output && !o->quality && !o->explain && isatty(STDOUT_FILENO))
		die_usage("--out %s is not for terminals: name a file with -o", o->output_format->name);
	o->timed |= o->heat;
	o->all |= o->heat;
	o->style.kernel |= o->all;
	o->style.jit |= o->all;
	o->style.marks =
		!strcmp(o->output_format->name, "samples"); /* whoever reads them takes annotations, or marks */
	for (size_t i = 0, times = 0; i < o->input_count; i++) {
		times += !strcmp(o->inputs[i], "-");
		if (times > 1)
			die_usage("-: stdin can be read once");
	}
	for (size_t i = 0; o->output && (i < o->input_count || !i); i++) {
		if (option_checks_is_same_file(o->inputs ? o->inputs[i] : o->recording, o->output))
			die_usage("--output: %s is the recording itself", o->output);
	}
	part_between(o);
	check_lists(o);
	if (o->recursive && *o->recursive && strcmp(o->recursive, "indirect") != 0 &&
	    strcmp(o->recursive, "direct") != 0)
		die_usage("--recursive is direct or indirect, not '%s'", o->recursive);
	if (o->recursive && !strcmp(o->recursive, "direct"))
		o->recursive = "";
	check_explain(o);
	check_parallelism(o);
	check_lengths(o);
	choose_preset(o);
	check_quality(o);
	check_diff(o, operands);
}
