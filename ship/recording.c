#include "ship/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/format/events.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/format/samples.h"
#include "core/memory.h"
#include "core/start.h"
#include "core/str.h"
#include "ship/header.h"

static void child_become(const char **argv, int out)
{
	struct str path = { 0 };

	sibling_path("pyrograph-collapse", &path);
	argv[0] = path.buf;
	if (dup2(out, STDOUT_FILENO) >= 0)
		execvp(path.buf, (char *const *)(uintptr_t)argv);
	error("%s cannot be started: %s", path.buf, strerror(errno));
	_exit(127);
}

int child_start(struct child *c, const char **argv)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return error("pipe: %s", strerror(errno));
	fcntl(ends[0], F_SETPIPE_SZ, 1 << 20); /* fewer switches; it may be refused */
	fflush(NULL);
	c->pid = fork();
	if (!c->pid)
		child_become(argv, ends[1]);
	close(ends[1]);
	c->out = ends[0];
	if (c->pid > 0)
		return 0;
	close(c->out);
	return error("cannot start another process: %s", start_failure(errno));
}

int child_end(struct child *c)
{
	int status = 0;

	close(c->out);
	while (waitpid(c->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return 127;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

enum { EVENTS_MAX = 32, ARGUMENTS = 24 };

/* The columns of an event's samples besides the time and the stack. */
static const struct kept {
	const char *event, *roots, *columns;
} kept[] = {
	{ RECORDING_SCHED, SAMPLES_ROOTS ",state,by", "time,count,longest" },
	{ RECORDING_OFFCPU, SAMPLES_ROOTS ",wait,state,by,waker", "time,count,longest" },
	{ RECORDING_WAKEUP, SAMPLES_ROOTS ",state,by,waker", "time,count,longest" },
	{ RECORDING_FAULTS, SAMPLES_ROOTS ",type,file", "time,count,longest" },
	{ RECORDING_CALLS, SAMPLES_ROOTS ",syscall,error,file", "time,count,longest" },
	{ RECORDING_IO, SAMPLES_ROOTS ",device,operation,file,size,dirtied", "time,count,longest" },
	{ RECORDING_LOCKS, SAMPLES_ROOTS ",lock,owner", "time,count,longest" },
	{ RECORDING_ALLOC, SAMPLES_ROOTS ",class", "bytes,objects" },
	{ RECORDING_WALL, SAMPLES_ROOTS ",state", "time,count,longest" },
	{ "cpu-clock", SAMPLES_ROOTS, "samples,period" },
	{ "task-clock", SAMPLES_ROOTS, "samples,period" },
	{ "", SAMPLES_ROOTS, "period,samples" }, /* any other */
};

/* Quantities and processes are not samples of stacks. */
static bool is_shipped(const char *event)
{
	enum event_kind kind = event_row_of(event)->kind;

	return kind != EVENT_VALUES && kind != EVENT_PROCESSES;
}

static const struct kept *ship_recording_kept_of(const char *event)
{
	size_t i = 0, n;

	for (; kept[i].event[0]; i++) {
		n = strlen(kept[i].event);
		if (!strncmp(event, kept[i].event, n) && (!event[n] || event[n] == ':'))
			break;
	}
	return &kept[i];
}

/* The events of a recording, in their order there. */
struct found_events {
	char *names[EVENTS_MAX];   /* [count] */
	size_t places[EVENTS_MAX]; /* where the header names them */
	int count;
};

static void ship_recording_add_event(struct found_events *e, const char *name, size_t len, const char *order)
{
	char *copy = xstrndup(name, len);
	const char *place = strstr(order, copy);
	int i = e->count++;

	/* Few events are added, and those with the same place keep their order. */
	for (; i && e->places[i - 1] > (place ? (size_t)(place - order) : strlen(order)); i--) {
		e->names[i] = e->names[i - 1];
		e->places[i] = e->places[i - 1];
	}
	e->names[i] = copy;
	e->places[i] = place ? (size_t)(place - order) : strlen(order);
}

/* Read lines "event count".  Returns 0, or -1 after a message. */
static int list_events(const char *path, struct found_events *e)
{
	const char *argv[] = { NULL, "--quiet", "--root", "event", "--no-stack", "--", path, NULL };
	struct str header = { 0 }, order = { 0 };
	struct lines in;
	struct child child;
	size_t len;
	char *line;

	if (child_start(&child, argv) < 0)
		return -1;
	in = (struct lines){ .fd = child.out, .path = path };
	while (lines_next(&in, &line, &len)) {
		const char *blank = memrchr(line, ' ', len);

		if (text_begins(line, len, FOLDED_HEADER) && !header.len) {
			str_add(&header, line, len);
			header_value(header.buf, FOLDED_EVENT, &order);
		} else if (blank && line[0] != '#' && e->count == EVENTS_MAX) {
			warn("%s: has more than %d events: %.*s is not shipped; see --event", path, EVENTS_MAX,
			     (int)(blank - line), line);
		} else if (blank && line[0] != '#') {
			ship_recording_add_event(e, line, (size_t)(blank - line), str_text(&order));
		}
	}
	lines_close(&in);
	child.out = -1;
	str_free(&header);
	str_free(&order);
	return child_end(&child) ? -1 : 0;
}

static int ship_event(const char *path, const char *event, struct stream *s)
{
	const struct kept *k = ship_recording_kept_of(event);
	const char *argv[ARGUMENTS] = { NULL,     "--quiet", "--timed", "--all",   "--event",   event,
					"--root", k->roots,  "--out",   "samples", "--columns", k->columns };
	bool blocks = !strcmp(event, RECORDING_OFFCPU);
	struct child child;
	struct lines in;
	size_t count = 12;
	int status, ended;

	argv[count++] = "--files=never"; /* these would depend on other samples of the batch */
	if (blocks) {
		argv[count++] = "--waits";
		argv[count++] = "all";
	}
	argv[count++] = "--";
	argv[count++] = path;
	if (child_start(&child, argv) < 0)
		return -1;
	in = (struct lines){ .fd = child.out, .path = path };
	s->in = &in;
	s->event = event;
	status = stream_run(s);
	lines_close(&in);
	child.out = -1;
	ended = child_end(&child);
	if (!status && ended)
		status = error("%s: event %s could not be read", path, event);
	return status;
}

static bool ship_recording_is_wanted(const struct text_list *list, const char *event)
{
	for (size_t i = 0; i < list->count; i++) {
		if (!strcmp(list->items[i], event))
			return true;
	}
	return !list->count && is_shipped(event);
}

int recording_events(const char *path, const struct recording_choice *choice,
		     int (*take)(void *argument, const char *path, const char *event), void *argument)
{
	struct found_events found = { 0 };
	int status = list_events(path, &found), used = 0;

	for (int i = 0; i < found.count; i++) {
		if (!status && ship_recording_is_wanted(choice->events, found.names[i])) {
			status = take(argument, path, found.names[i]);
			used++;
		}
		free(found.names[i]);
	}
	if (!status && !used && !choice->may_be_empty)
		status = error("%s: has no samples%s", path, choice->events->count ? " of such an event" : "");
	return status;
}

static int ship_next(void *stream, const char *path, const char *event)
{
	struct stream *s = stream;
	int status = ship_event(path, event, s);

	s->number++;
	return status;
}

int recording_each(const char *path, const struct recording_choice *choice, struct stream *s)
{
	s->path = path;
	s->number = 0;
	return recording_events(path, choice, ship_next, s);
}
