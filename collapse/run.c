#include "collapse/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/formats.h"
#include "collapse/input/input.h"
#include "collapse/option_checks.h"
#include "collapse/options.h"
#include "collapse/parse/folded_shape.h"
#include "collapse/parse/text_reader.h"
#include "collapse/perfdata/foreign.h"
#include "collapse/recording.h"
#include "collapse/store_input.h"
#include "collapse/text_input.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/start.h"
#include "core/str.h"

/* --- pictures as inputs: pyrograph render folded turns them back into lines ------------- */

static void picture_input_run_child(const char *picture, int out)
{
	struct str path = { 0 };
	char *argv[] = { NULL, "folded", "--", (char *)(uintptr_t)picture, NULL };

	sibling_path("pyrograph-render", &path);
	argv[0] = path.buf;
	if (dup2(out, STDOUT_FILENO) >= 0)
		execvp(path.buf, argv);
	error("%s: is a picture, and %s, which reads it, cannot be started: %s", picture, path.buf, strerror(errno));
	_exit(1);
}

/* Replace in, which is closed, by the lines of the picture at path; not possible for "-", standard input that was
 * partly read.  *child is the process that makes the lines.  Returns 0, or -1 after a message. */
static int picture_open(struct input_stream *in, const char *path, pid_t *child)
{
	int ends[2];

	input_close(in);
	if (pipe2(ends, O_CLOEXEC))
		return error("%s: %s", path, strerror(errno));
	fflush(NULL);
	*child = fork();
	if (*child < 0) {
		close(ends[0]);
		close(ends[1]);
		return error("%s: cannot start another process for it: %s", path, start_failure(errno));
	}
	if (!*child)
		picture_input_run_child(path, ends[1]);
	close(ends[1]);
	return input_open_fd(in, ends[0], path);
}

/* Wait for the process.  Returns 0, or -1 if it failed, after its message. */
static int picture_close(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status ? -1 : 0;
}

/* --- several inputs, of any formats ----------------------------------------------------- */

/* Each input is folded by a process of its own, with all given options.  The lines of these processes are read as one
 * folded text, in the order of the inputs:
 *
 *     collapse --root input a.data b.jfr  -->  collapse --root input a.data  -.
 *                                              collapse --root input b.jfr  --+--> merged lines
 *
 * So formats, clocks and names of different inputs are never mixed.  If the lines of an input differ in kind from those
 * of the first one (with or without times, or other columns), they are left out, which is an error. */

struct merge {
	const struct options *options;
	pid_t *children; /* [options->input_count]; 0: not started, or gone */
	int *pipes;      /* [options->input_count] */
	size_t started, read;
	struct text_setup shape; /* of the first input's lines */
	const char *shape_of;    /* the first input's path; NULL: there were no lines yet */
	bool failed;             /* some input could not be folded; its process said why */
};

enum { AT_ONCE = 2 }; /* two at a time, so that the next input is ready when one has been read */

/* Options that make a process write folded text to stdout; they come last, so they win over those that were given. */
static size_t add_last_options(char **argv, size_t count)
{
	static const char *const last[] = { "--output", "-", "--output-format", "folded", "--of-several" };

	for (size_t i = 0; i < sizeof(last) / sizeof(*last); i++)
		argv[count++] = xstrdup(last[i]);
	return count;
}

/* The arguments for one input: all arguments, except the other inputs. */
static char **arguments_for(const struct options *o, size_t number)
{
	enum { LAST = 5 };
	char **argv = xcalloc(o->argument_count + LAST + 1, sizeof(*argv));
	bool ended = false; /* by "--": only operands follow */
	size_t count = 0;

	for (size_t i = 0; i < o->argument_count; i++) {
		bool other = false;

		for (size_t n = 0; n < o->input_count; n++)
			other |= n != number && o->arguments[i] == o->inputs[n];
		if (!ended && !strcmp(o->arguments[i], "--")) {
			count = add_last_options(argv, count);
			ended = true;
		}
		if (!other)
			argv[count++] = o->arguments[i];
	}
	if (!ended)
		add_last_options(argv, count);
	return argv;
}

static void merge_run_child(const struct merge *m, size_t number, int out)
{
	char **argv = arguments_for(m->options, number);
	struct str path = { 0 };

	if (program_is_called())
		setenv(PROGRAM_CALLER, "pyrograph collapse", 1);
	if (dup2(out, STDOUT_FILENO) >= 0) {
		execv("/proc/self/exe", argv);
		if (errno == ENOENT) { /* /proc is not mounted */
			sibling_path("pyrograph-collapse", &path);
			execv(path.buf, argv);
		}
	}
	error("%s: cannot start another process for it: %s", m->options->inputs[number], strerror(errno));
	_exit(1);
}

static int merge_start(struct merge *m)
{
	size_t number = m->started;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return error("%s: cannot read it: %s", m->options->inputs[number], strerror(errno));
	fflush(NULL);
	child = fork();
	if (child < 0) {
		close(ends[0]);
		close(ends[1]);
		return error("%s: cannot start another process for it: %s", m->options->inputs[number],
			     start_failure(errno));
	}
	if (!child)
		merge_run_child(m, number, ends[1]);
	close(ends[1]);
	m->children[number] = child;
	m->pipes[number] = ends[0];
	m->started++;
	return 0;
}

static void merge_wait_for(struct merge *m, size_t number)
{
	int status = 0;

	if (m->children[number] <= 0)
		return;
	while (waitpid(m->children[number], &status, 0) < 0 && errno == EINTR)
		;
	m->children[number] = 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE) /* of that, we are the reason */
		error("%s: folding it ended with signal %d", m->options->inputs[number], WTERMSIG(status));
	if (WIFEXITED(status) && WEXITSTATUS(status) == COLLAPSE_NOTHING_LEFT)
		status = 0; /* as it said; others may have something */
	m->failed |= status != 0;
}

/* --- lines of one kind ---------------------------------------------------------------- */

/* How the lines of an input differ from those of the first one, if that prevents reading them together; NULL: they can
 * be read together. */
static const char *merge_difference(const struct text_setup *first, const struct text_setup *lines)
{
	return lines->value_count != first->value_count ? "other columns" : shape_difference(first, lines);
}

/* Read the first lines from the input's pipe into text.  Returns false, after a message, if these lines have another
 * form than those of the first input. */
static bool read_first_lines(struct merge *m, size_t number, struct str *text)
{
	struct input_stream pipe = { .fd = m->pipes[number], .path = m->options->inputs[number] };
	struct text_setup setup = { .value_count = 1 };
	const char *differs = NULL;

	for (size_t want = INPUT_HEAD_BYTES; !pipe.at_end && !shape_has_stack(text); want *= 2)
		input_fill(&pipe, text, want);
	if (!shape_has_stack(text))
		return true;
	folded_format.begin(text->buf, text->len, &setup);
	if (m->shape_of) {
		differs = merge_difference(&m->shape, &setup);
	} else {
		m->shape = setup;
		m->shape_of = pipe.path;
	}
	if (differs)
		error("%s: its lines have %s, unlike those of %s: left out", pipe.path, differs, m->shape_of);
	return !differs;
}

static bool start_some(struct merge *m)
{
	while (m->started < m->options->input_count && m->started < m->read + AT_ONCE) {
		if (merge_start(m) < 0)
			return false;
	}
	return true;
}

/* The pipe of the next input, with its first lines in text, for input_fill(); -1: there are no more inputs. */
static int next_pipe(void *argument, struct str *text)
{
	struct merge *m = argument;

	for (;;) {
		struct str lines = { 0 };
		bool good;

		if (m->read)
			merge_wait_for(m, m->read - 1);
		if (!start_some(m)) {
			m->failed = true;
			return -1;
		}
		if (m->read == m->started)
			return -1;
		good = read_first_lines(m, m->read++, &lines);
		if (good)
			str_add(text, str_text(&lines), lines.len);
		str_free(&lines);
		if (good)
			return m->pipes[m->read - 1];
		close(m->pipes[m->read - 1]);
		m->failed = true;
	}
}

/* Start to fold o->inputs (more than one) into *in, which is then read as folded text.  Returns 0, or -1 after a
 * message. */
static int merge_begin(struct merge *m, const struct options *o, struct input_stream *in)
{
	*m = (struct merge){ .options = o,
			     .children = xcalloc(o->input_count, sizeof(*m->children)),
			     .pipes = xcalloc(o->input_count, sizeof(*m->pipes)) };
	return input_open_all(in, next_pipe, m);
}

/* Wait for all processes.  Returns 0, or -1 if one of them failed; the lines of the others have been read. */
static int merge_end(struct merge *m)
{
	for (size_t i = m->read; i < m->started; i++)
		close(m->pipes[i]);
	for (size_t i = 0; i < m->started; i++)
		merge_wait_for(m, i);
	free(m->children);
	free(m->pipes);
	return m->failed ? -1 : 0;
}

/* --- the run ---------------------------------------------------------------------------- */

static struct regexp **compile_all(const struct text_list *list, const char *option)
{
	struct regexp **all = xcalloc(list->count + 1, sizeof(*all));

	for (size_t i = 0; i < list->count; i++)
		all[i] = regexp_compile(list->items[i], option);
	return all;
}

/* Read on until the first line is complete, which may be long, for example with a deep stack. */
static void read_first_line(struct input_stream *in)
{
	enum { FIRST_LINE_MAX = 1 << 24 };

	while (!in->at_end && !in->failed && in->head.len < FIRST_LINE_MAX &&
	       !memchr(str_text(&in->head), '\n', in->head.len) && !memchr(str_text(&in->head), '\0', in->head.len))
		input_fill(in, &in->head, 4 * in->head.len);
}

/* Leave out messages of a tool before its text, and report how many lines were left out. */
static void skip_odd_lines(struct options *o, struct input_stream *in)
{
	struct odd_lines odd;
	const struct input_format *format =
		input_format_behind(o->format, in->path, str_text(&in->head), in->head.len, &odd);

	if (!format)
		return;
	warn("%s: skipped lines before the first one of %s: %zu", in->path, format->name, odd.count);
	input_skip(in, odd.bytes, odd.count);
}

static void choose_format(struct options *o, struct input_stream *in)
{
	const char *head;

	if (!o->format)
		read_first_line(in);
	skip_odd_lines(o, in);
	head = str_text(&in->head);
	if (!o->format) {
		o->format = input_format_sniff(in->path, head, in->head.len);
		/* Text that may be folded is read as folded, even where the output is to have another format. */
		if (o->format->sniff(head, in->head.len) != SNIFF_SURE &&
		    (o->diff || strcmp(o->output_format->name, "folded") != 0) &&
		    folded_format.sniff(head, in->head.len) == SNIFF_MAYBE)
			o->format = &folded_format;
	}
	options_check_format(o);
}

/* Keep the options for the remaining steps.  The lines of several inputs have already passed all other steps, input by
 * input. */
static void keep_output_options(struct options *o)
{
	*o = (struct options){ .format = &folded_format,
			       .output_format = o->output_format,
			       .recording = "the inputs",
			       .output = o->output,
			       .jobs = o->jobs,
			       .stats = o->stats,
			       .strict = o->strict };
}

static int merge_run(struct collapse *c)
{
	const struct options all = c->options;
	struct merge merge;
	int status = merge_begin(&merge, &all, &c->input);

	keep_output_options(&c->options);
	c->include = compile_all(&c->options.include, "--include");
	c->exclude = compile_all(&c->options.exclude, "--exclude");
	if (!status && c->input.head.len)
		status = text_input_run(c);
	else
		status = -1; /* as each input's process said */
	return merge_end(&merge) < 0 ? -1 : status;
}

static uint64_t collapse_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* "rec.data: 1234 samples in 56 lines; 7.438 MiB in 21.04 ms, 354.2 MiB/s" */
static void tell_stats(const struct collapse *c, uint64_t began_ns)
{
	uint64_t took_ns = collapse_monotonic_ns() - began_ns + 1;
	uint64_t bytes = c->reading.data.size ? c->reading.data.size : c->input.bytes;
	uint64_t samples = c->options.format->parse ? text_samples(&c->text) : c->reading.gather.samples;

	fprintf(stderr, "%s: %llu samples in %llu lines; %s in %s, %s/s\n",
		c->reading.data.path ? c->reading.data.path : c->input.path, (unsigned long long)samples,
		(unsigned long long)c->fold.kept, size_text(bytes).text, duration_text(took_ns).text,
		size_text((uint64_t)((double)bytes * 1e9 / (double)took_ns)).text);
}

static void compile_filters(struct collapse *c)
{
	c->include = compile_all(&c->options.include, "--include");
	c->exclude = compile_all(&c->options.exclude, "--exclude");
	c->rules.hide = compile_all(&c->options.hide, "--hide");
	c->fold.skip_after = c->options.skip_after.items;
	c->fold.skip_count = c->options.skip_after.count;
}

static int run_one(struct collapse *c)
{
	choose_format(&c->options, &c->input);
	compile_filters(c);
	return c->options.format->parse ? text_input_run(c) : recording_run(c);
}

static int picture_run(struct collapse *c)
{
	pid_t child = -1;
	int status = picture_open(&c->input, c->options.recording, &child);

	if (status < 0)
		return -1;
	c->options.format = &folded_format;
	status = c->input.head.len ? run_one(c) : -1; /* as the other process said */
	return picture_close(child) < 0 ? -1 : status;
}

static int collapse_run_all(struct collapse *c)
{
	if (c->options.inputs && !c->options.diff)
		return merge_run(c);
	if (store_is_address(c->options.recording)) {
		compile_filters(c);
		return store_input_run(c);
	}
	if (input_open(&c->input, c->options.recording) < 0)
		return -1;
	if (!c->options.format && strcmp(c->options.recording, "-") != 0 &&
	    input_is_svg(str_text(&c->input.head), c->input.head.len) &&
	    !foreign_is_flame_graph(str_text(&c->input.head), c->input.head.len))
		return picture_run(c);
	return run_one(c);
}

int collapse_run(struct collapse *c)
{
	bool stats = c->options.stats;
	uint64_t began_ns = stats ? collapse_monotonic_ns() : 0;
	int status = collapse_run_all(c);

	if (stats && !status)
		tell_stats(c, began_ns);
	return status;
}

void collapse_free(struct collapse *c)
{
	for (size_t i = 0; c->include && c->include[i]; i++)
		regexp_free(c->include[i]);
	for (size_t i = 0; c->exclude && c->exclude[i]; i++)
		regexp_free(c->exclude[i]);
	for (size_t i = 0; c->rules.hide && c->rules.hide[i]; i++)
		regexp_free(c->rules.hide[i]);
	regexp_free(c->rules.focus);
	free(c->rules.hide);
	frame_rules_free(&c->rules);
	free(c->include);
	free(c->exclude);
	fold_free(&c->fold);
	text_parsed_free(&c->text);
	str_free(&c->text_losses);
	input_close(&c->input);
	intern_free(&c->texts);
	times_free(&c->times);
	timeline_lines_free(&c->timeline);
	parallelism_free(&c->parallelism);
	seen_free(&c->seen);
	reading_free(&c->reading);
}
