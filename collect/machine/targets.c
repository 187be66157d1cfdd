#include "collect/machine/targets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/machine/denial.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/regexp.h"

enum { MAX_PID = 1 << 22 }; /* PID_MAX_LIMIT */

bool selection_given(const struct selection *s)
{
	return s->pids.count || s->tids.count || s->name || s->thread || s->belongs;
}

/* Parse "8513,8514"; option is its name in messages. */
static void parse_numbers(const struct text_list *texts, const char *option, struct pids *out)
{
	for (size_t i = 0; i < texts->count; i++) {
		const char *text = texts->items[i];

		for (;;) {
			size_t len = strcspn(text, ",");
			char digits[16] = "";
			uint64_t n;

			if (len < sizeof(digits))
				memcpy(digits, text, len);
			if (!parse_u64(digits, &n) || !n)
				die_usage("%s needs numbers such as 8513,8514, not '%s'", option, texts->items[i]);
			if (n > MAX_PID)
				die_usage("%s %s: numbers of processes end at %d", option, digits, MAX_PID);
			pids_add(out, (pid_t)n);
			if (!text[len])
				break;
			text += len + 1;
		}
	}
}

void selection_check(const struct selection *s)
{
	struct pids numbers = { 0 };

	parse_numbers(&s->pids, "--pid", &numbers);
	parse_numbers(&s->tids, "--tid", &numbers);
	pids_free(&numbers);
	if (s->name)
		regexp_free(regexp_compile(s->name, "--name"));
	if (s->thread)
		regexp_free(regexp_compile(s->thread, "--thread"));
	if (s->thread && !s->pids.count && !s->name && !s->belongs)
		die_usage("--thread also needs its process: -p PID or --name REGEXP");
}

enum { TARGET_THREAD = 1, TARGET_PROCESS };

static bool targets_is_new(struct targets *t, pid_t id, uint32_t kind)
{
	uint32_t *known = map_at(&t->known, (uint32_t)id, kind);

	return !(*known)++;
}

static void targets_add_target(struct targets *t, pid_t pid, pid_t tid)
{
	if (!targets_is_new(t, tid, TARGET_THREAD))
		return;
	t->list = xgrow(t->list, &t->cap, t->count + 1, sizeof(*t->list));
	t->list[t->count++] = (struct target){ pid, tid };
	if (targets_is_new(t, pid, TARGET_PROCESS))
		pids_add(&t->processes, pid);
}

/* Add the threads of a process whose names match; all threads if there is no expression. */
static void targets_add_process(struct targets *t, pid_t pid, const struct regexp *thread)
{
	struct pids tids = { 0 };
	struct str name = { 0 };

	pids_read_threads(&tids, pid);
	for (size_t i = 0; i < tids.count; i++) {
		str_clear(&name);
		if (!thread || (read_comm(pid, tids.list[i], &name) && regexp_match(thread, str_text(&name), name.len)))
			targets_add_target(t, pid, tids.list[i]);
	}
	pids_free(&tids);
	str_free(&name);
}

static void targets_add_list(struct str *out, const char *noun, const struct text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		str_addf(out, "%s%s %s", out->len ? " or " : "", noun, list->items[i]);
}

void selection_describe(const struct selection *s, struct str *out)
{
	targets_add_list(out, "process", &s->pids);
	targets_add_list(out, "thread", &s->tids);
	if (s->name)
		str_addf(out, "%sa process whose name matches %s", out->len ? " or " : "", s->name);
	if (s->belongs) {
		str_puts(out, out->len ? ", if it is " : "");
		s->describe(s->owners, out);
	}
	if (s->thread)
		str_addf(out, ", and there a thread whose name matches %s", s->thread);
}

/* A process has two names: the kernel's (15 bytes), and that of its command without the directory. */
static bool process_matches(pid_t pid, const struct regexp *re)
{
	struct str text = { 0 };
	bool matches;

	matches = read_comm(pid, pid, &text) && regexp_match(re, str_text(&text), text.len);
	if (!matches) {
		const char *slash, *name;

		str_clear(&text);
		read_process(pid, "cmdline", &text);
		slash = strrchr(str_text(&text), '/');
		name = slash ? slash + 1 : str_text(&text);
		matches = *name && regexp_match(re, name, strlen(name));
	}
	str_free(&text);
	return matches;
}

static bool targets_belong(const struct selection *s, pid_t pid)
{
	return !s->belongs || s->belongs(s->owners, pid);
}

/* Without a name: all that belong to the chosen owner. */
static void targets_add_named(struct targets *t, const struct selection *s, const struct regexp *name,
			      const struct regexp *thread)
{
	struct pids all = { 0 };

	if (pids_read(&all, "/proc"))
		die("/proc: %s", strerror(errno));
	for (size_t i = 0; i < all.count; i++) {
		if (all.list[i] != getpid() && (!name || process_matches(all.list[i], name)) &&
		    targets_belong(s, all.list[i]))
			targets_add_process(t, all.list[i], thread);
	}
	pids_free(&all);
}

/* "Tgid: 8513" in /proc/TID/status; 0 if the thread is gone. */
static pid_t targets_process_of(pid_t tid)
{
	struct str text = { 0 };
	const char *field;
	pid_t pid = 0;

	if (!read_process(tid, "status", &text) && (field = strstr(str_text(&text), "\nTgid:")))
		pid = (pid_t)strtol(field + 6, NULL, 10);
	str_free(&text);
	return pid;
}

static void targets_tell_missing(const char *what, pid_t id)
{
	const char *hidden = denial_of_processes("");

	error("no %s %d%s%s", what, (int)id, hidden ? "; " : "", hidden ? hidden : "");
}

static void add_numbered(struct targets *t, const struct selection *s, const struct regexp *thread, bool complain)
{
	struct pids pids = { 0 }, tids = { 0 };
	pid_t process;

	parse_numbers(&s->pids, "--pid", &pids);
	parse_numbers(&s->tids, "--tid", &tids);
	for (size_t i = 0; i < pids.count; i++) {
		process = targets_process_of(pids.list[i]);
		if (process && process != pids.list[i] && complain)
			error("%d is a thread of process %d: use -t %d or -p %d", (int)pids.list[i], (int)process,
			      (int)pids.list[i], (int)process);
		else if (process == pids.list[i])
			targets_add_process(t, process, thread);
		else if (complain)
			targets_tell_missing("process", pids.list[i]);
	}
	for (size_t i = 0; i < tids.count; i++) {
		process = targets_process_of(tids.list[i]);
		if (process)
			targets_add_target(t, process, tids.list[i]);
		else if (complain)
			targets_tell_missing("thread", tids.list[i]);
	}
	pids_free(&pids);
	pids_free(&tids);
}

/* Is it this process, or one that began it, such as a shell, sudo and pyrograph report? */
static bool targets_is_ours(pid_t pid)
{
	char state;

	for (pid_t own = getpid(); own > 1;) {
		if (own == pid)
			return true;
		if (!read_stat(own, &state, &own))
			break;
	}
	return false;
}

/* Add the processes that a target has begun; once more while there are such: those have begun others. */
static void targets_add_children(struct targets *t)
{
	struct pids all = { 0 };
	size_t before = SIZE_MAX;
	char state;
	pid_t parent;

	pids_read(&all, "/proc");
	while (t->processes.count && t->processes.count != before) {
		before = t->processes.count;
		for (size_t i = 0; i < all.count; i++) {
			if (!map_get(&t->known, (uint32_t)all.list[i], TARGET_PROCESS) &&
			    read_stat(all.list[i], &state, &parent) &&
			    map_get(&t->known, (uint32_t)parent, TARGET_PROCESS) && !targets_is_ours(all.list[i]))
				targets_add_process(t, all.list[i], NULL);
		}
	}
	pids_free(&all);
}

static void targets_tell_none(const struct selection *s)
{
	struct str wanted = { 0 };

	s->describe(s->owners, &wanted);
	error("nothing matches: %s (--wait waits for one)", str_text(&wanted));
	str_free(&wanted);
}

bool targets_find(struct targets *t, const struct selection *s, bool complain)
{
	struct regexp *name = s->name ? regexp_compile(s->name, "--name") : NULL;
	struct regexp *thread = s->thread ? regexp_compile(s->thread, "--thread") : NULL;

	t->of = s;
	if (complain && proc_obstacle()) {
		error("%s", proc_obstacle());
		complain = false;
	}
	add_numbered(t, s, thread, complain);
	if (s->children)
		targets_add_children(t);
	if (name || (s->belongs && !s->pids.count && !s->tids.count))
		targets_add_named(t, s, name, thread);
	if (!t->count && complain && thread)
		error("no thread of these processes has a name that matches %s (--wait waits)", s->thread);
	else if (!t->count && complain && s->belongs)
		targets_tell_none(s);
	else if (!t->count && complain && name && denial_of_processes(""))
		error("no process has a name that matches %s; %s", s->name, denial_of_processes(""));
	else if (!t->count && complain && name)
		error("no process has a name that matches %s (--wait waits for one)", s->name);
	regexp_free(name);
	regexp_free(thread);
	return t->count > 0;
}

int target_watch(pid_t id, bool thread)
{
	int fd = (int)syscall(SYS_pidfd_open, id, thread ? O_EXCL /* PIDFD_THREAD */ : 0);

	if (fd < 0 && thread && errno == EINVAL)
		fd = (int)syscall(SYS_pidfd_open, targets_process_of(id), 0);
	return fd;
}

void targets_free(struct targets *t)
{
	free(t->list);
	pids_free(&t->processes);
	map_free(&t->known);
	*t = (struct targets){ 0 };
}
