#include "collapse/merge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collapse/formats.h"
#include "collapse/parse/folded_shape.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sibling.h"
#include "core/start_failure.h"

enum { AT_ONCE = 2 }; /* so that the next one is ready when one was read */

/* The options that make it folded text on stdout; the last of an option counts. */
static size_t add_last_options(char **argv, size_t count)
{
	static const char *const last[] = { "--output", "-", "--output-format", "folded", "--of-several" };

	for (size_t i = 0; i < sizeof(last) / sizeof(*last); i++)
		argv[count++] = xstrdup(last[i]);
	return count;
}

/* The arguments for one input: all as given, but for the other inputs. */
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

/* How the lines from an input differ from those of the first one, so that they cannot be read together; NULL: they do not. */
static const char *merge_difference(const struct text_setup *first, const struct text_setup *lines)
{
	return lines->value_count != first->value_count ? "other columns" : shape_difference(first, lines);
}

/* Read the first lines of the input's pipe into text.  Returns false, after a message, if they are of another kind than those
 * of the first input. */
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

/* The pipe of the next input, and its first lines, for input_fill(); -1: there is none. */
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

int merge_begin(struct merge *m, const struct options *o, struct input_stream *in)
{
	*m = (struct merge){ .options = o,
			     .children = xcalloc(o->input_count, sizeof(*m->children)),
			     .pipes = xcalloc(o->input_count, sizeof(*m->pipes)) };
	return input_open_all(in, next_pipe, m);
}

int merge_end(struct merge *m)
{
	for (size_t i = m->read; i < m->started; i++)
		close(m->pipes[i]);
	for (size_t i = 0; i < m->started; i++)
		merge_wait_for(m, i);
	free(m->children);
	free(m->pipes);
	return m->failed ? -1 : 0;
}
