#include "collect/bindings/bindings.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bindings/bindings_json.h"
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
	struct binding_counts counts;
	size_t files;      /* that have any unbound */
	uint64_t start_ns; /* to bind all of counts.lazy at the start */
};

static bool is_json;
static struct str json; /* the whole output, if is_json */

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

static void print_file(int pid, const char *path, const struct late_file *file)
{
	if (is_json) {
		bindings_json_file(&json, path, file);
		return;
	}
	print_names(pid, path, &file->names);
	print_total(pid, path, file);
}

static void print_process(int pid, const struct totals *own, size_t files)
{
	bool bind_now = is_set(pid, "LD_BIND_NOW");

	if (is_json)
		bindings_json_process_end(&json, &own->counts, bind_now);
	else
		printf("# %d: %" PRIu64 " of %" PRIu64 " functions not bound yet, in %zu of %zu files%s\n", pid,
		       own->counts.unbound, own->counts.lazy, own->files, files,
		       bind_now ? "; LD_BIND_NOW is set" : "");
}

static void bindings_list_files(int pid, const struct remote *process, const struct loaded_files *files,
				struct totals *totals)
{
	struct totals own = { 0 };
	struct str path = { 0 };

	if (is_json)
		bindings_json_process(&json, pid);
	for (size_t i = 0; i < files->count; i++) {
		const struct loaded_file *f = &files->items[i];
		struct late_file file = late_file_read(process, f->start, f->end);

		print_file(pid, clean_path(f->path, &path), &file);
		own.counts.lazy += file.kind == LATE_LAZY ? file.functions : 0;
		own.counts.unbound += file.unbound;
		own.files += file.unbound > 0;
		str_free(&file.names);
	}
	print_process(pid, &own, files->count);
	totals->counts.lazy += own.counts.lazy;
	totals->counts.unbound += own.counts.unbound;
	totals->start_ns += own.counts.lazy * (BINDING_NS + FILE_NS * files->count);
	str_free(&path);
}

/* Returns 0, or -1 after a message. */
static int bindings_list(int pid, struct totals *totals)
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
		bindings_list_files(pid, &process, &files, totals);
	if (!status && kill(pid, 0) && errno == ESRCH)
		status = error("process %d has ended meanwhile: the list may be incomplete", pid);
	loaded_files_free(&files);
	return status;
}

static void bindings_finish(const struct totals *totals)
{
	uint64_t start_us = (totals->start_ns + 999) / 1000;

	if (is_json) {
		bindings_json_end(&json, &totals->counts, start_us);
		fwrite(json.buf, 1, json.len, stdout);
		str_free(&json);
	} else if (totals->counts.unbound) {
		inform("LD_BIND_NOW=1 in a program's environment binds all %" PRIu64
		       " functions at its start, in about %" PRIu64 " us",
		       totals->counts.lazy, start_us);
	}
}

int bindings_run(int argc, char **argv)
{
	static struct selection selection;
	static const struct opt opts[] = {
		{ 'p', "pid", "PID,...", "these processes", .list = &selection.pids },
		{ 0, "name", "REGEXP", "processes with such a name", .text = &selection.name },
		{ 0, "json", NULL, "for a program", .flag = &is_json },
		{ 0 },
	};
	static const struct manual manual = {
		.usage = "-p PID",
		.about = "Lists functions that their first call must still look up, by file.",
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
	if (is_json)
		bindings_json_begin(&json);
	for (size_t i = 0; i < targets.processes.count; i++) {
		if (bindings_list(targets.processes.list[i], &totals))
			status = 1;
	}
	bindings_finish(&totals);
	targets_free(&targets);
	return flush_stdout() < 0 ? 1 : status;
}
