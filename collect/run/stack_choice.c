#include "collect/run/stack_choice.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/jvm/jvm.h"
#include "collect/machine/command.h"
#include "collect/machine/procfs.h"
#include "collect/sampling/stack_walk.h"
#include "core/error.h"
#include "core/str.h"
#include "core/unwind/unwinder.h"

/* The rings of ordinary users are small, and hold few full copies. */
enum { USER_BYTES = 16384, FEW_COPIES = 16, ALL_HZ_MAX = 2000 };

static bool is_called(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, name);
}

/* "/usr/lib/jvm/java-17/bin/java" */
static bool is_java(const char *path)
{
	return is_called(path, "java");
}

/* "java", or "taskset 1 java" */
static bool names_java(char *const *command)
{
	while (*command && !is_java(*command))
		command++;
	return *command;
}

/* Is the process about to become a JVM?  A JVM that has just been started has not loaded its library yet. */
static bool will_be_jvm(int pid)
{
	char path[32], program[4096];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	len = readlink(path, program, sizeof(program) - 1);
	if (len <= 0)
		return false;
	program[len] = '\0';
	return is_java(program);
}

/* Does the process have stacks that only we can walk?  Frame pointers show neither interpreted nor inlined
 * methods. */
static bool wants_walking(int pid)
{
	struct libjvm lib;
	struct jvm jvm;
	const char *why;

	if (!libjvm_find(pid, &lib))
		return will_be_jvm(pid);
	if (jvm_open(&jvm, pid, &why))
		return false;
	jvm_close(&jvm);
	return true;
}

static bool is_shell(const char *path)
{
	static const char *const shells[] = { "sh", "bash", "dash", "ksh", "mksh", "zsh", "ash", "busybox", "env" };

	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		if (is_called(path, shells[i]))
			return true;
	}
	return false;
}

/* Is this the beginning of a shell script: "#!/bin/sh -e", "#!/usr/bin/env -S bash"?  execvp() uses sh for a file
 * that is not a program and has no such line. */
static bool is_shells(char *head)
{
	char *word, *rest;

	if (strncmp(head, "#!", 2))
		return true;
	head[strcspn(head, "\n")] = '\0';
	word = strtok_r(head + 2, " \t", &rest);
	if (!word || !is_called(word, "env"))
		return word && is_shell(word);
	do
		word = strtok_r(NULL, " \t", &rest);
	while (word && (*word == '-' || strchr(word, '=')));
	return word && is_shell(word);
}

/* Is the command a script?  Start scripts, such as gradlew and catalina.sh, execute java in the end. */
static bool is_script(const char *name)
{
	struct str path = { 0 };
	char head[128];
	ssize_t len = 0;
	int fd = -1;

	if (command_find(name, &path))
		fd = open(path.buf, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	str_free(&path);
	if (fd >= 0) {
		len = read(fd, head, sizeof(head) - 1);
		close(fd);
	}
	if (len <= 0)
		return false;
	head[len] = '\0';
	return is_shell(name) || (strncmp(head, "\177ELF", 4) && is_shells(head));
}

static bool may_walk(const struct collection *c)
{
	return unwind_sample_registers() && c->opt.jvm != JVM_PERFMAP && c->opt.jvm != JVM_OFF;
}

/* Finds processes whose stacks only we can walk, at most `most`. */
static void find(const struct collection *c, size_t most, struct pids *chosen)
{
	struct pids all = { 0 };
	const struct pids *processes = &c->targets.processes;

	if (c->whole_machine && !pids_read(&all, "/proc"))
		processes = &all;
	for (size_t i = 0; i < processes->count && chosen->count < most; i++) {
		if (wants_walking(processes->list[i]))
			pids_add(chosen, processes->list[i]);
	}
	pids_free(&all);
}

/* Returns the first such process, or 0. */
static pid_t find_one(const struct collection *c)
{
	struct pids chosen = { 0 };
	pid_t found;

	find(c, 1, &chosen);
	found = chosen.count ? chosen.list[0] : 0;
	pids_free(&chosen);
	return found;
}

void stack_choice_processes(const struct collection *c, struct pids *chosen)
{
	if (!may_walk(c) || c->wish.frame_pointers)
		return;
	if (c->opt.command && names_java(c->opt.command))
		pids_add(chosen, c->command.pid);
	find(c, SIZE_MAX, chosen);
}

static uint32_t bytes_to_copy(const struct collection *c)
{
	uint64_t bytes = geteuid() ? USER_BYTES : CALL_GRAPH_BYTES, ring = c->opt.ring_size;

	if (geteuid() && !ring)
		ring = (uint64_t)read_sysctl("kernel/perf_event_mlock_kb", 0) << 10;
	return ring && ring < FEW_COPIES * bytes ? 0 : (uint32_t)bytes;
}

uint32_t stack_choice(const struct collection *c)
{
	uint32_t bytes = bytes_to_copy(c);
	pid_t pid;

	if (!bytes || !may_walk(c))
		return 0;
	if (c->opt.command && names_java(c->opt.command)) {
		inform("java: stacks are copied and walked, as --call-graph dwarf does");
		return bytes;
	}
	if (c->opt.command && is_script(c->opt.command[0])) {
		inform("%s may start a JVM: stacks are copied and walked, as --call-graph dwarf does "
		       "(--call-graph fp does not)",
		       c->opt.command[0]);
		return bytes;
	}
	pid = find_one(c);
	if (!pid)
		return 0;
	if (c->whole_machine && c->wish.stack_hz > ALL_HZ_MAX) {
		inform("process %d is a JVM, but its stacks are not walked: too many to copy at this rate; "
		       "use -F %d or less, -p, or --call-graph dwarf",
		       (int)pid, ALL_HZ_MAX);
		return 0;
	}
	inform("process %d is a JVM: stacks are copied and walked, as --call-graph dwarf does", (int)pid);
	return bytes;
}
