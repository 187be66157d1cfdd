#include "collapse/options.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/fold/levels.h"
#include "collapse/fold/owner_stack.h"
#include "collapse/fold/states.h"
#include "collapse/fold/wait_kind.h"
#include "core/error.h"
#include "core/format/folded.h"
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

/* --- presets ------------------------------------------------------------------------ */

#define SPAN_COLUMNS "time,count,longest"
#define NO_SCHED "scheduler states (record them with pyrograph collect sched or perf sched record)"

static const struct preset presets[PRESETS] = {
	{ "states", RECORDING_SCHED, NO_SCHED, "thread,state,by", "comm", true, true, NULL, SPAN_COLUMNS, true, false,
	  false },
	{ "tenancy", RECORDING_SCHED, NO_SCHED, "thread,cpu", "comm", true, true, "running", SPAN_COLUMNS ",migrations",
	  false, false, false },
	{ "offcpu", RECORDING_OFFCPU, "blocked time (record it with pyrograph collect offcpu or perf sched record)",
	  "comm,wait", "comm,wait,thread,state", false, false, NULL, NULL, true, false, false },
	{ "wakeup", RECORDING_WAKEUP, "waits for a CPU (record with pyrograph collect wakeup)", "thread,state,by",
	  "comm,thread,state,by", false, false, NULL, NULL, true, false, false },
	{ "timeline", RECORDING_SCHED, NO_SCHED, "thread,doing,by", "comm,thread,doing,by", false, false, NULL,
	  SPAN_COLUMNS, true, true, false },
	{ "faults", RECORDING_FAULTS, "page faults (record them with pyrograph collect faults)", "comm,type,file",
	  "comm,thread,type,file", false, false, NULL, NULL, false, false, false },
	{ "syscalls", RECORDING_CALLS, "system calls (record them with pyrograph collect syscalls)", "comm,syscall",
	  "comm,thread,syscall", false, false, NULL, NULL, false, false, false },
	{ "lanes", RECORDING_LANE,
	  "quantities over time (record them with pyrograph collect lanes; collect sched: the parallelism)", "lane",
	  "lane", false, true, NULL, NULL, false, false, false },
	{ "io", RECORDING_IO, "block I/O (record it with pyrograph collect io)", "comm,device,operation",
	  "comm,thread,device,operation,file", false, false, NULL, NULL, false, false, false },
	{ "locks", RECORDING_LOCKS, "waits for locks (record them with pyrograph collect locks)", "comm,lock",
	  "comm,thread,lock,owner", false, false, NULL, NULL, false, false, false },
	{ "processes", RECORDING_PROCESSES, "processes (record them with pyrograph collect processes)",
	  FOLDED_PROCESS_ROOTS, "command,process", false, true, NULL, "time,count,cpu,peak", false, false, false },
	{ .name = "wall",
	  .event = RECORDING_SCHED,
	  .missing = NO_SCHED,
	  .root = "thread",
	  .heat_root = "thread",
	  .columns = "time",
	  .no_idle = true,
	  .wall = true,
	  .state = NULL,
	  .own_root = false,
	  .no_stack = false,
	  .timeline = false },
};

static const struct preset plain = { .root = "comm", .heat_root = "comm,thread,cpu" };

const struct preset *preset_of_event(const char *event)
{
	for (size_t i = 0; event && i < PRESETS; i++) {
		if (!strcmp(presets[i].event, event))
			return &presets[i];
	}
	return &plain;
}

void options_asking_for(const struct recorded_event *event, struct str *out)
{
	const char *before = " (";

	str_puts(out, event->name);
	for (size_t i = 0; (event->spans || event->lanes) && i < PRESETS; i++) {
		if (strcmp(presets[i].event, event->name) || presets[i].timeline || presets[i].wall)
			continue;
		str_addf(out, "%s--%s", before, presets[i].name);
		before = ", ";
	}
	if (*before == ',')
		str_addc(out, ')');
	else
		str_addf(out, " (--event %s)", event->name);
}

/* One by one with all that is known, or sums. */
static void choose_processes(struct options *o)
{
	if (!o->root && (o->diff || o->weight))
		o->root = "command";
	o->timed |= !o->root;
}

static void choose_preset(struct options *o)
{
	for (size_t i = 0; i < PRESETS; i++) {
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
	if (!strcmp(o->event, RECORDING_PROCESSES))
		choose_processes(o);
}

/* For formats with labels: who it was, and where. */
#define LABEL_ROOTS "thread,tid,cpu"

static bool wants_tables(const struct options *o)
{
	return o->output_format && o->output_format->tables && !o->heat;
}

static bool is_of_no_thread(const struct preset *p)
{
	return p->event && !strcmp(p->event, RECORDING_LANE);
}

static bool event_has_wakers(const struct preset *p)
{
	return p->event && (!strcmp(p->event, RECORDING_OFFCPU) || !strcmp(p->event, RECORDING_WAKEUP));
}

/* The values of an event that such formats have room for. */
static const char *columns_for_tables(const struct recorded_event *event)
{
	if (event->spans)
		return "time,count";
	if (event->allocations)
		return "bytes,objects";
	return event_is_clock(event) ? "samples,period" : "period,samples";
}

/* What ran has no wait and no state: with --wall these are frames at the leaf, of the time that has them. */
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

void options_columns(const struct options *o, const struct preset *p, const struct recorded_event *event,
		     struct columns *columns)
{
	if (o->weight)
		columns_parse(columns, o->weight, "--weight");
	else if (o->columns)
		columns_parse(columns, o->columns, "--columns");
	else if (p->columns && !o->heat)
		columns_parse(columns, p->columns, "--columns");
	else if (event && !event->lanes && wants_tables(o))
		columns_parse(columns, columns_for_tables(event), "--columns");
	else if (event && event->lanes)
		columns_of_lanes(columns);
	else if (event && event->spans)
		columns_parse(columns, "time", "--columns");
	else /* a clock's samples are counted; a counter's samples are weighted with its counts */
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

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

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

/* A malformed list is a usage error, whatever the recording contains. */
static void check_lists(const struct options *o)
{
	struct columns columns;
	struct roots roots = { 0 };
	struct levels levels = { 0 };

	options_roots(o, &plain, &roots);
	options_columns(o, &plain, NULL, &columns);
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
	if (o->max_ns && o->max_ns < o->min_ns)
		die_usage("--max is less than --min");
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
		die_usage("--explain writes no lines: of the filters, it takes --threads, --from and --to");
	if (o->explain)
		o->event = "all";
}

/* The option that is about moments of running code, if one is given; else NULL. */
static const char *about_moments(const struct options *o)
{
	const char *list = o->weight ? o->weight : o->columns;
	struct columns columns = { 0 };

	if (o->parallelism)
		return "parallelism";
	if (list)
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
	for (size_t i = 0; i < PRESETS; i++) {
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

/* What a text format must have (TEXT_HAS_...) for each root. */
static const struct {
	const char *name;
	unsigned needs;
} text_roots[] = {
	{ "event", TEXT_HAS_EVENTS },
	{ "comm", TEXT_HAS_COMMS },
	{ "pid", TEXT_HAS_PIDS },
	{ "tid", TEXT_HAS_TIDS },
	{ "thread", TEXT_HAS_PIDS | TEXT_HAS_TIDS },
	{ "cpu", TEXT_HAS_CPUS },
	{ "host", TEXT_NEVER },
	{ "parallelism", TEXT_NEVER },
	{ "state", TEXT_HAS_STATES },
	{ "by", TEXT_NEVER },
	{ "waker", TEXT_NEVER },
	{ "wait", TEXT_NEVER },
	{ "doing", TEXT_NEVER },
	{ "class", TEXT_NEVER },
	{ "type", TEXT_NEVER },
	{ "file", TEXT_NEVER },
	{ "page", TEXT_NEVER },
	{ "reason", TEXT_NEVER },
	{ "lane", TEXT_NEVER },
	{ "device", TEXT_NEVER },
	{ "operation", TEXT_NEVER },
	{ "size", TEXT_NEVER },
	{ "sector", TEXT_NEVER },
	{ "dirtied", TEXT_NEVER },
	{ "lock", TEXT_NEVER },
	{ "address", TEXT_NEVER },
	{ "owner", TEXT_NEVER },
	{ "command", TEXT_NEVER },
	{ "process", TEXT_NEVER },
	{ "parent", TEXT_NEVER },
	{ "begun", TEXT_NEVER },
	{ "ended", TEXT_NEVER },
	{ "awaited", TEXT_NEVER },
	{ "args", TEXT_NEVER },
};

enum { TEXT_ROOTS = sizeof(text_roots) / sizeof(*text_roots) };

static unsigned roots_need(const char *list)
{
	struct roots roots = { 0 };
	unsigned needs = 0;

	roots_parse(&roots, list ? list : "");
	for (size_t i = 0; i < TEXT_ROOTS; i++)
		needs |= roots_has(&roots, text_roots[i].name) ? text_roots[i].needs : 0;
	return needs;
}

unsigned options_text_labels(const struct options *o)
{
	unsigned thread = TEXT_HAS_PIDS | TEXT_HAS_TIDS;

	return roots_need(o->root) | (o->pid || o->tid || o->threads || o->heat ? thread : 0) |
	       (o->heat ? TEXT_HAS_CPUS : 0);
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
		{ "root", o->root, roots_need(o->root) },
		{ "leaf", o->leaf, TEXT_NEVER },
		{ "pid", o->pid, TEXT_HAS_PIDS },
		{ "tid", o->tid, TEXT_HAS_TIDS },
		{ o->preset ? o->preset->name : "", o->preset, TEXT_NEVER },
		{ "event", o->event, TEXT_HAS_EVENTS },
		{ "sampled", o->sampled, TEXT_NEVER },
		{ "threads", o->threads, TEXT_HAS_COMMS },
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
		{ "weight", o->weight, TEXT_HAS_PERIODS },
		{ "columns", o->columns, TEXT_NEVER },
		{ "parallelism", o->parallelism, TEXT_NEVER },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (options[i].given && (options[i].needs & ~f->has))
			die_usage("--%s: --format %s has %s only", options[i].name, f->name, f->holds);
	}
	if (o->explain)
		die_usage("--explain needs a recording: it cannot be used with --format %s", f->name);
	if (o->quality)
		die_usage("--quality needs a recording: it cannot be used with --format %s", f->name);
	if (o->unit && !isalpha((unsigned char)o->unit[0]) && !(o->unit[0] & 0x80) && o->unit[0] != '%')
		die_usage("--unit: '%s' is not a unit; try us, ms or bytes", o->unit);
}

void options_check_format(const struct options *o)
{
	if (!(o->format->has & TEXT_HAS_UNITS) && (o->unit || o->unitstime))
		die_usage("--%s is only for --format points: %s known units", o->unit ? "unit" : "unitstime",
			  o->format->parse ? "other formats have" : "a recording has");
	if (o->format->parse)
		check_text(o);
	else
		options_states(o, &plain);
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

static void check_diff(const struct options *o, int operands)
{
	if (!o->diff && (o->normalize || o->strip_hex))
		die_usage("--%s belongs to --diff", o->normalize ? "normalize" : "strip-hex");
	if (!o->diff)
		return;
	if (operands != 2)
		die_usage("--diff compares two files, not %d: --diff BEFORE AFTER", operands);
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

static void check(struct options *o, int operands)
{
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
	for (size_t i = 0; o->output && (i < o->input_count || !i); i++) {
		if (is_same_file(o->inputs ? o->inputs[i] : o->recording, o->output))
			die_usage("--output: %s is the recording itself", o->output);
	}
	check_lists(o);
	if (o->recursive && *o->recursive && strcmp(o->recursive, "indirect") != 0 &&
	    strcmp(o->recursive, "direct") != 0)
		die_usage("--recursive=%s: it is direct or indirect", o->recursive);
	if (o->recursive && !strcmp(o->recursive, "direct"))
		o->recursive = "";
	check_explain(o);
	check_parallelism(o);
	choose_preset(o);
	check_quality(o);
	check_diff(o, operands);
}

/* The lists of formats, for --help. */
struct tables_help {
	struct str output_formats;
};

static void parse(struct options *o, int argc, char **argv, const struct tables_help *help)
{
	const char *format = NULL, *output_format = NULL, *demangled = "simple";
	bool no_names = false;
	const struct opt opts[] = {
		{ 'o', "output", "FILE", "output file [stdout]", .text = &o->output },
		{ 'r', "root", "LIST",
		  "root [comm]: pid tid thread cpu state by waker wait\n"
		  "                            doing class type file reason syscall device lock ...",
		  .text = &o->root },
		{ 0, "leaf", "LIST", "the same for frames at the leaf: type,reason", .text = &o->leaf },
		{ .name = "pid", .flag = &o->pid },
		{ .name = "tid", .flag = &o->tid },
		{ 'e', "event", "NAME", "only this event, or 'all' [the first with samples]", .text = &o->event },
		{ .name = "event-filter", .arg = "NAME", .text = &o->event },
		{ 0, "sampled", NULL, "only samples of running code, not spans of time", .flag = &o->sampled },
		{ 0, "states", NULL, "time in each scheduler state; --wall: by stack, too", .flag = &o->presets[0] },
		{ 0, "tenancy", NULL, "time on each CPU, by thread", .flag = &o->presets[1] },
		{ 0, "offcpu", NULL, "blocked time, by stack; --waits all: idle waits, too", .flag = &o->presets[2] },
		{ .name = "timeline", .flag = &o->presets[4] },
		{ .name = "wall", .flag = &o->presets[11] },
		{ .name = "lanes", .flag = &o->presets[7] },
		{ 0, "wakeup", NULL, "time from being woken until running", .flag = &o->presets[3] },
		{ 0, "faults", NULL, "time in page faults, by type and file", .flag = &o->presets[5] },
		{ .name = "syscalls", .flag = &o->presets[6] },
		{ .name = "io", .flag = &o->presets[8] },
		{ .name = "locks", .flag = &o->presets[9] },
		{ .name = "processes", .flag = &o->presets[10] },
		{ 0, "from", "TIME", "wall-clock time, +OFFSET or -FROM_END; --to: end", .text = &o->from },
		{ .name = "to", .arg = "TIME", .text = &o->to },
		{ 0, "threads", "REGEXP", "only threads that match", .text = &o->threads },
		{ 0, "names", "FILE", "thread names, from jstack PID >FILE ([PID=]FILE)", .list = &o->names },
		{ 0, "pool", NULL, "merge threads whose names differ in the last number", .flag = &o->pool },
		{ .name = "waits", .arg = "LIST", .text = &o->waits },
		{ 0, "state", "LIST", "only running, runnable, off-cpu, sleeping, ...", .text = &o->state },
		{ 0, "min", "TIME", "only single spans at least this long; --max: at most", .ns = &o->min_ns },
		{ .name = "max", .arg = "TIME", .ns = &o->max_ns },
		{ 'i', "include", "REGEXP", "only stacks that match (Perl syntax; repeatable)", .list = &o->include,
		  .preferred = true },
		{ 'x', "exclude", "REGEXP", "leave out stacks that match", .list = &o->exclude },
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
		{ .name = "kernel", .flag = &o->style.kernel },
		{ .name = "jit", .flag = &o->style.jit },
		{ 0, "all", NULL, "annotate frames: kernel _[k], JIT _[j] _[1] _[?]", .flag = &o->all },
		{ .name = "inline", .off = &o->style.no_inlined },
		{ 0, "no-inline", NULL, "omit inlined functions, _[i]", .flag = &o->style.no_inlined },
		{ 0, "srcline", NULL, "add source lines: main:prog.c:12", .flag = &o->style.lines },
		{ .name = "context", .flag = &o->style.lines },
		{ 0, "addrs", NULL, "addresses of nameless frames; --offsets: main+0x1d", .flag = &o->style.addrs },
		{ .name = "offsets", .flag = &o->style.offsets },
		{ .name = "merge-unnamed", .flag = &o->style.merge_unnamed },
		{ 0, "demangle", "HOW", "C++, Rust, D: full, simple, no; --strip-templates", .text = &demangled },
		{ .name = "strip-templates", .flag = &o->style.strip_templates },
		{ .name = "norm", .flag = &o->style.java.norm },
		{ .name = "shorten-pkgs", .flag = &o->style.java.short_packages },
		{ .name = "no-shorten-pkgs", .off = &o->style.java.short_packages },
		{ .name = "no-pkgs", .flag = &o->style.java.no_packages },
		{ .name = "include-tname", .off = &no_names },
		{ .name = "no-include-tname", .flag = &no_names },
		{ .name = "include-tid", .flag = &o->tid },
		{ .name = "no-include-tid", .off = &o->tid },
		{ 0, "weight", "WHAT", "time count period latency bytes ...; --parallelism", .text = &o->weight },
		{ .name = "parallelism", .arg = "LIST", .text = &o->parallelism },
		{ 0, "columns", "LIST", "several values per line: time,count,longest", .text = &o->columns },
		{ 0, "format", "NAME", "input format (--format list: all) [recognized]", .text = &format },
		{ 0, "out", "NAME", help->output_formats.buf, .text = &output_format },
		{ .name = "output-format", .arg = "NAME", .text = &output_format },
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
		{ .name = "correlate", .flag = &o->correlate }, /* pyrograph explain has it in its --help */
		{ 0, "strict", NULL, "fail if the input is damaged", .flag = &o->strict },
		{ .name = "scan-only", .flag = &o->scan_only },
		{ .name = "stats", .flag = &o->stats },
		{ .name = "if-any", .flag = &o->if_any },
		{ .name = "of-several", .flag = &o->of_several },
		{ 0 }
	};
	char **arguments = xcalloc((size_t)argc, sizeof(*arguments));
	int operands;

	memcpy(arguments, argv, (size_t)argc * sizeof(*arguments));
	operands = opts_parse(opts, &manual, argc, argv);

	o->format = format ? input_format_find(format) : NULL;
	o->output_format = output_format ? output_format_find(output_format) : output_format_of_file(o->output);
	o->roots_asked = o->root || o->pid || o->tid;
	o->style.demangle = demangle_style_of(demangled);
	o->recording = operands ? argv[0] : "-";
	o->inputs = operands > 1 ? argv : NULL;
	o->input_count = operands > 1 ? (size_t)operands : 0;
	o->arguments = arguments;
	o->argument_count = (size_t)argc;
	if (no_names && !o->root && !o->tid && !o->pid)
		o->root = "none";
	check(o, operands);
}

void options_parse(struct options *o, int argc, char **argv)
{
	struct tables_help help = { 0 };

	str_puts(&help.output_formats, "to: ");
	output_formats_list(&help.output_formats);
	parse(o, argc, argv, &help);
	str_free(&help.output_formats);
}

/* --- filters ------------------------------------------------------------------------ */

static void add_duration(struct str *out, const char *option, uint64_t ns)
{
	if (ns)
		str_addf(out, " --%s %lluns", option, (unsigned long long)ns);
}

static void add_text(struct str *out, const char *option, const char *text)
{
	if (text)
		str_addf(out, " --%s %s", option, text);
}

void options_filter(const struct options *o, struct str *out)
{
	add_text(out, "from", o->from);
	add_text(out, "to", o->to);
	add_text(out, "threads", o->threads);
	add_text(out, "state", o->state);
	add_text(out, "waits", o->waits);
	add_text(out, "parallelism", o->parallelism);
	if (o->weight && !strcmp(o->weight, "latency"))
		add_text(out, "weight", o->weight);
	add_duration(out, "min", o->min_ns);
	add_duration(out, "max", o->max_ns);
	for (size_t i = 0; i < o->include.count; i++)
		add_text(out, "include", o->include.items[i]);
	for (size_t i = 0; i < o->exclude.count; i++)
		add_text(out, "exclude", o->exclude.items[i]);
	add_text(out, "focus", o->focus);
	for (size_t i = 0; i < o->hide.count; i++)
		add_text(out, "hide", o->hide.items[i]);
}
