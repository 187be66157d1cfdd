#include "collect/bindings/bindings.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bindings/late_file.h"
#include "collect/bindings/loaded_files.h"
#include "collect/machine/procfs.h"
#include "collect/machine/targets.h"
#include "core/error.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/printable.h"

/* What a binding costs at the start of a program, about, and for each file of it that is searched: docs/stalls.md. */
enum { BINDING_NS = 100, FILE_NS = 8 };

/* Of all processes. */
struct totals {
	uint64_t lazy, unbound; /* functions */
	size_t files;           /* that have any unbound */
	uint64_t start_ns;      /* to bind all of lazy at the start */
};

static const char deleted[] = " (deleted)";

/* The path, without what could disguise a line, in *clean. */
static const char *clean_path(const char *path, struct str *clean)
{
	size_t len = strlen(path);

	if (len > sizeof(deleted) - 1 && !strcmp(path + len - (sizeof(deleted) - 1), deleted))
		len -= sizeof(deleted) - 1;
	str_clear(clean);
	printable_add(clean, path, len);
	return str_text(clean);
}

static void print_names(int pid, const char *path, const struct str *names)
{
	struct str clean = { 0 };

	for (size_t at = 0; at < names->len; at += strlen(names->buf + at) + 1) {
		str_clear(&clean);
		printable_add(&clean, names->buf + at, strlen(names->buf + at));
		printf("%d\t%s\t%s\n", pid, path, str_text(&clean));
	}
	str_free(&clean);
}

static void print_total(int pid, const char *path, const struct late_file *file)
{
	printf("# %d %s: ", pid, path);
	switch (file->kind) {
	case LATE_UNREADABLE: puts("cannot be read"); break;
	case LATE_OTHER: puts("32-bit, or for another processor: not looked into"); break;
	case LATE_STATIC: puts("statically linked: nothing to bind"); break;
	case LATE_NONE: puts("nothing to bind"); break;
	case LATE_AT_START:
		printf("%" PRIu64 " functions, bound at the start: linked with -z now\n", file->functions);
		break;
	case LATE_LAZY:
		printf("%" PRIu64 " of %" PRIu64 " functions not bound yet\n", file->unbound, file->functions);
		break;
	}
}

/* Returns 0, or -1 after a message. */
static int cannot_read(int pid, int errnum)
{
	if (errnum == ESRCH || errnum == ENOENT || (kill(pid, 0) && errno == ESRCH))
		return error("process %d has ended", pid);
	if (errnum == EPERM || errnum == EACCES)
		return error("process %d: no right to read its memory, which needs its user, or CAP_SYS_PTRACE%s", pid,
			     read_sysctl("kernel/yama/ptrace_scope", 0) > 0
				     ? " (kernel.yama.ptrace_scope is above 0: CAP_SYS_PTRACE)"
				     : "");
	return error("process %d: %s", pid, strerror(errnum));
}

/* Can its memory be read at all?  Returns 0 or an errno. */
static int try_memory(const struct remote *process, uint64_t address)
{
	char byte;

	errno = 0;
	return remote_read(process, address, &byte, 1) ? 0 : errno;
}

static bool is_set(int pid, const char *variable)
{
	struct str environment = { 0 };
	size_t len = strlen(variable);
	bool found = false;

	read_process(pid, "environ", &environment);
	for (size_t at = 0; at < environment.len && !found; at += strlen(environment.buf + at) + 1) {
		const char *text = environment.buf + at;

		found = !strncmp(text, variable, len) && text[len] == '=' && text[len + 1];
	}
	str_free(&environment);
	return found;
}

static void list_files(int pid, const struct remote *process, const struct loaded_files *files, struct totals *totals)
{
	struct totals own = { 0 };
	struct str path = { 0 };

	for (size_t i = 0; i < files->count; i++) {
		const struct loaded_file *f = &files->items[i];
		struct late_file file = late_file_read(process, f->start, f->end);

		clean_path(f->path, &path);
		print_names(pid, str_text(&path), &file.names);
		print_total(pid, str_text(&path), &file);
		own.lazy += file.kind == LATE_LAZY ? file.functions : 0;
		own.unbound += file.unbound;
		own.files += file.unbound > 0;
		str_free(&file.names);
	}
	printf("# %d: %" PRIu64 " of %" PRIu64 " functions not bound yet, in %zu of %zu files%s\n", pid, own.unbound,
	       own.lazy, own.files, files->count, is_set(pid, "LD_BIND_NOW") ? "; LD_BIND_NOW is set" : "");
	totals->lazy += own.lazy;
	totals->unbound += own.unbound;
	totals->start_ns += own.lazy * (BINDING_NS + FILE_NS * files->count);
	str_free(&path);
}

/* Returns 0, or -1 after a message. */
static int list(int pid, struct totals *totals)
{
	const struct remote process = { .pid = pid };
	struct loaded_files files = { 0 };
	int errnum = loaded_files_read(&files, pid), status = 0;

	if (!errnum && files.count)
		errnum = try_memory(&process, files.items[0].start);
	if (errnum)
		status = cannot_read(pid, errnum);
	else if (!files.count)
		status = error("process %d runs no program: it is a kernel thread, or ends", pid);
	else
		list_files(pid, &process, &files, totals);
	if (!status && kill(pid, 0) && errno == ESRCH)
		status = error("process %d has ended meanwhile: the list may be incomplete", pid);
	loaded_files_free(&files);
	return status;
}

static void hint(const struct totals *totals)
{
	if (totals->unbound)
		inform("LD_BIND_NOW=1 in a program's environment binds all %" PRIu64
		       " functions at its start, in about %" PRIu64 " us",
		       totals->lazy, (totals->start_ns + 999) / 1000);
}

int bindings_run(int argc, char **argv)
{
	static struct selection selection;
	static const struct opt opts[] = {
		{ 'p', "pid", "PID,...", "these processes", .list = &selection.pids },
		{ 0, "name", "REGEXP", "processes with such a name", .text = &selection.name },
		{ 0 },
	};
	static const struct manual manual = {
		.usage = "-p PID",
		.about = "Lists functions whose first call will have to look them up, by file.",
		.examples = "  pyrograph collect bindings -p 8513              PID, file, function\n"
			    "  pyrograph collect bindings -p 8513 | grep '^#'  only the totals\n",
	};
	struct targets targets = { 0 };
	struct totals totals = { 0 };
	int status = 0;

	if (opts_parse(opts, &manual, argc, argv))
		die_usage("no COMMAND can be given: -p PID, or --name REGEXP");
	if (!selection_given(&selection))
		die_usage("whose functions? -p PID, or --name REGEXP");
	selection_check(&selection);
	if (!targets_find(&targets, &selection, true))
		return 1;
	for (size_t i = 0; i < targets.processes.count; i++) {
		if (list(targets.processes.list[i], &totals))
			status = 1;
	}
	hint(&totals);
	targets_free(&targets);
	return flush_stdout() < 0 ? 1 : status;
}
