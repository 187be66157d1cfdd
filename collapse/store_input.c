#include "collapse/store_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collapse/option_checks.h"
#include "collapse/text_input.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/format/shipping.h"
#include "core/memory.h"
#include "core/regexp.h"
#include "core/start.h"

bool store_is_address(const char *recording)
{
	const struct shipping_scheme *scheme = shipping_scheme_of(recording);

	return scheme && scheme->readable;
}

static bool has_root(const struct options *o, const char *name)
{
	struct roots roots = { 0 };

	roots_parse(&roots, o->root ? o->root : "");
	return roots_has(&roots, name);
}

/* Features that a store does not have, and what to use instead. */
#define AS_SHIPPED "names are in the store as they were shipped: collapse the recordings themselves"
#define NO_ADDRESSES "a store has names of functions, not their addresses: collapse the recordings themselves"
#define ONE_MOMENT                                                                                          \
	"it puts together what several events say of one moment of a machine: collapse recordings of that " \
	"time, which watch keeps"

static void refuse_options_of_recordings(const struct options *o)
{
	const struct {
		const char *name;
		bool given;
		const char *why;
	} options[] = {
		{ "names", o->names.count, AS_SHIPPED },
		{ "pool", o->pool, AS_SHIPPED ", or take --root pid" },
		{ "parallelism", o->parallelism, ONE_MOMENT },
		{ "timeline", o->preset && o->preset->timeline, ONE_MOMENT "; or take --states and --offcpu" },
		{ "wall", o->preset && o->preset->wall, ONE_MOMENT "; or take --event cpu-clock and --offcpu" },
		{ "explain", o->explain, ONE_MOMENT },
		{ "between", o->between, "windows are in recordings only: collapse these" },
		{ "lengths", o->lengths, "windows are in recordings only: collapse these" },
		{ "quality", o->quality, "it is about the stacks of one recording: collapse that" },
		{ "scan-only", o->scan_only, "it is about one recording" },
		{ "owner-stack", o->owner_stack,
		  "stacks are in the store as they were shipped: collapse the recordings" },
		{ "srcline", o->style.lines, NO_ADDRESSES },
		{ "files", o->files_asked && o->style.files != FILES_NEVER, NO_ADDRESSES },
		{ "addrs", o->style.addrs, NO_ADDRESSES },
		{ "offsets", o->style.offsets, NO_ADDRESSES },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (options[i].given)
			die_usage("--%s needs a recording, not a store: %s", options[i].name, options[i].why);
	}
	if (o->sampled && !o->event && has_root(o, "event"))
		die_usage("--sampled and --root event cannot be combined for a store: give --event");
}

static void refuse_options_of_stores(const struct options *o)
{
	const struct {
		const char *name;
		bool given;
	} options[] = {
		{ "host", o->host },
		{ "service", o->service },
		{ "root service", has_root(o, "service") },
		{ "resolution", o->resolution_ns },
		{ "user", o->user },
		{ "password-file", o->password_file },
		{ "ca", o->ca },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (options[i].given)
			die_usage("--%s belongs to clickhouse://...", options[i].name);
	}
}

void store_check_options(const struct options *o)
{
	if (store_is_address(o->recording))
		refuse_options_of_recordings(o);
	else
		refuse_options_of_stores(o);
}

/* ---- the other process ---- */

struct arguments {
	const char **items; /* [count + 1], ends in NULL */
	size_t count, cap;
};

static void store_input_add(struct arguments *a, const char *word)
{
	a->items = (const char **)xgrow((void *)a->items, &a->cap, a->count + 2, sizeof(*a->items));
	a->items[a->count++] = word;
	a->items[a->count] = NULL;
}

static void store_input_add_option(struct arguments *a, const char *option, const char *value)
{
	if (!value)
		return;
	store_input_add(a, option);
	store_input_add(a, value);
}

static void store_input_add_flag(struct arguments *a, const char *option, bool given)
{
	if (given)
		store_input_add(a, option);
}

static void store_input_run_child(struct arguments *a, int out)
{
	struct str path = { 0 };

	sibling_path("pyrograph-ship", &path);
	a->items[0] = path.buf;
	setenv(PROGRAM_CALLER, program_name, 1);
	if (dup2(out, STDOUT_FILENO) >= 0)
		execvp(path.buf, (char *const *)(uintptr_t)a->items);
	error("%s, which reads stores, cannot be started: %s", path.buf, strerror(errno));
	_exit(1);
}

/* Returns the child's output, or -1 after a message. */
static int store_input_start(struct arguments *a, pid_t *child)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error("pipe: %s", strerror(errno));
	fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); /* fewer switches; it may be refused */
	fflush(NULL);
	*child = fork();
	if (!*child)
		store_input_run_child(a, ends[1]);
	close(ends[1]);
	if (*child > 0)
		return ends[0];
	close(ends[0]);
	return error("cannot start another process: %s", start_failure(errno));
}

static int store_input_end(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status ? -1 : 0;
}

/* ---- options ---- */

static void add_access(const struct options *o, struct arguments *a)
{
	store_input_add(a, NULL); /* the program's name */
	store_input_add_option(a, "--read", o->recording);
	store_input_add_option(a, "--host", o->host);
	store_input_add_option(a, "--service", o->service);
	store_input_add_option(a, "--user", o->user);
	store_input_add_option(a, "--password-file", o->password_file);
	store_input_add_option(a, "--ca", o->ca);
	store_input_add_option(a, "--event", o->event);
	store_input_add_flag(a, "--sampled", o->sampled);
	store_input_add_flag(a, "--quiet", quiet);
}

/* Choose the event to use if none was asked for.  Returns 0, or -1 after a message. */
static int ask_event(const struct options *o, struct str *event)
{
	struct arguments a = { 0 };
	char text[256];
	ssize_t n;
	pid_t child;
	int out;

	add_access(o, &a);
	store_input_add(&a, "--which");
	out = store_input_start(&a, &child);
	free((void *)a.items);
	if (out < 0)
		return -1;
	while ((n = read(out, text, sizeof(text))) > 0)
		str_add(event, text, (size_t)n);
	close(out);
	if (event->len)
		event->buf[--event->len] = '\0'; /* the newline */
	return store_input_end(child);
}

/* A text that the store must find in a line, taken from an expression; the whole expression is checked here later.
 * NULL: the expression is more than a text, or matches something that the text in the store does not have yet. */
static const char *plain_text(const struct options *o, const char *expression, const struct roots *roots)
{
	size_t len = strlen(expression);

	/* "LazyCompile:handle", which is LazyCompile:*handle in the store */
	for (const char *colon = expression; (colon = strchr(colon, ':')); colon += strspn(colon, ":")) {
		if (o->style.jit && colon[1] != ':')
			return NULL;
	}
	if (o->style.java.norm || o->style.java.short_packages || o->style.java.no_packages || len < 3 ||
	    expression[strcspn(expression, "\\^$.[|()?*+{;# \t")] ||
	    (roots_has(roots, "cpu") && strspn(expression, "cpu0123456789[]nkow ") == len))
		return NULL;
	return expression;
}

static void add_includes(const struct options *o, const struct roots *roots, struct arguments *a)
{
	for (size_t i = 0; i < o->include.count; i++) {
		if (!plain_text(o, o->include.items[i], roots))
			return;
	}
	for (size_t i = 0; i < o->include.count; i++)
		store_input_add_option(a, "--having", o->include.items[i]);
}

/* The kinds of wait to keep; as for recordings, all but waits for work. */
static const char *waits_of(const struct options *o)
{
#define WAIT(name, frame, word) "," word
	static const char all[] = FOLDED_WAIT_TABLE(WAIT);
#undef WAIT
	static struct str some;

	if (o->waits)
		return o->waits;
	str_clear(&some);
	str_add(&some, all + 1, sizeof(all) - 2 - strlen(",work"));
	return some.buf;
}

static const char *store_input_columns_of(const struct options *o, const struct preset *p)
{
	if (o->weight || o->columns)
		return o->weight ? o->weight : o->columns;
	if (!p->columns || o->heat)
		return NULL;
	return strstr(p->columns, "migrations") ? "time,count,longest" : p->columns; /* a store does not have them */
}

static void store_input_add_length(struct arguments *a, const char *option, uint64_t ns, struct str *text)
{
	if (!ns)
		return;
	str_addf(text, "%lluns", (unsigned long long)ns);
	store_input_add_option(a, option, text->buf);
}

static void store_input_make_arguments(const struct options *o, const struct preset *p, const struct roots *roots,
				       struct str *names, struct arguments *a)
{
	bool idle_shown = !o->preset && roots_has(roots, "cpu");

	roots_names(roots, names);
	add_access(o, a);
	store_input_add_option(a, "--root", names->buf);
	store_input_add_option(a, "--leaf", o->leaf);
	store_input_add_option(a, "--threads", o->threads);
	for (int kind = 0; kind < OWNER_CHOICES; kind++)
		store_input_add_option(a, owner_options[kind], o->owners[kind]);
	store_input_add_option(a, "--columns", store_input_columns_of(o, p));
	store_input_add_option(a, "--since", o->from);
	store_input_add_option(a, "--until", o->to);
	store_input_add_option(a, "--state", o->state ? o->state : p->state);
	if (p->event && !strcmp(p->event, RECORDING_OFFCPU))
		store_input_add_option(a, "--waits", waits_of(o));
	store_input_add_flag(a, "--timed", o->timed);
	store_input_add_flag(a, "--no-idle", p->no_idle && !idle_shown);
	store_input_add_flag(a, "--no-stack", o->no_stack || p->no_stack);
	store_input_add_flag(a, "--kernel", o->style.kernel);
	store_input_add_flag(a, "--jit", o->style.jit);
	store_input_add_flag(a, "--no-inline", o->style.no_inlined);
	store_input_add_flag(a, "--no-wakers", o->no_wakers);
	add_includes(o, roots, a);
}

/* For the header: the roots that the lines from the store no longer have. */
static const char *filter_of(const struct options *o)
{
	static struct str text;
	struct options own = *o;

	own.include.count = own.exclude.count = own.hide.count = 0; /* these are applied here */
	own.focus = NULL;
	str_clear(&text);
	options_filter(&own, &text);
	return str_text(&text);
}

/* Options for the remaining steps, which are applied to the lines from the store. */
static void keep_options_of_lines(struct options *o, const char *root)
{
	o->filter = filter_of(o);
	o->format = &samples_format;
	o->root = root;
	o->event = o->from = o->to = o->state = o->waits = o->weight = o->columns = NULL;
	o->host = o->service = o->leaf = o->threads = NULL;
	memset(o->owners, 0, sizeof(o->owners));
	o->min_ns = o->max_ns = 0;
	o->sampled = false;
	o->pid = o->tid = o->heat = o->no_stack = o->no_wakers = false;
	o->preset = NULL;
}

static int read_child(struct collapse *c, struct arguments *a)
{
	const char *address = c->options.recording;
	pid_t child;
	int out = store_input_start(a, &child), status = -1;

	if (out < 0)
		return -1;
	if (!input_open_fd(&c->input, out, address) && c->input.head.len)
		status = text_input_run(c);
	input_close(&c->input);
	return store_input_end(child) < 0 ? -1 : status;
}

int store_input_run(struct collapse *c)
{
	struct options *o = &c->options;
	struct arguments a = { 0 };
	struct str event = { 0 }, names = { 0 }, resolution = { 0 }, min = { 0 }, max = { 0 };
	struct roots roots = { 0 };
	const struct preset *preset;
	int status = -1;

	if (o->threads) /* report a wrong expression before the store is asked */
		regexp_free(regexp_compile(o->threads, "--threads"));
	for (int kind = 0; kind < OWNER_CHOICES; kind++) {
		if (o->owners[kind])
			regexp_free(regexp_compile(o->owners[kind], owner_options[kind]));
	}
	roots_parse(&roots, o->root ? o->root : "");
	if (!o->event && roots_has(&roots, "event"))
		o->event = "all";
	if (!o->event && ask_event(o, &event) < 0)
		return -1;
	if (!o->event)
		o->event = event.buf;
	preset = o->preset ? o->preset : preset_of_event(strcmp(o->event, "all") ? o->event : NULL);
	options_roots(o, preset, &roots);
	store_input_make_arguments(o, preset, &roots, &names, &a);
	store_input_add_length(&a, "--resolution", o->resolution_ns, &resolution);
	store_input_add_length(&a, "--min", o->min_ns, &min);
	store_input_add_length(&a, "--max", o->max_ns, &max);
	keep_options_of_lines(o, names.buf);
	options_check_format(o);
	status = read_child(c, &a);
	free((void *)a.items);
	str_free(&event);
	str_free(&resolution);
	str_free(&min);
	str_free(&max);
	return status;
}
