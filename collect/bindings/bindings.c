#include "collect/bindings/bindings.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bindings/late_file.h"
#include "collect/machine/procfs.h"
#include "collect/machine/targets.h"
#include "core/error.h"
#include "core/markup.h"
#include "core/memory.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/str.h"
#include "core/utf8.h"

/* --- the ELF files whose code a process runs, by /proc/PID/maps (proc(5)) --- */

struct loaded_file {
	uint64_t start, end; /* the memory of its adjacent mappings; start is the address of its ELF header */
	const char *path;    /* as the process sees it */
};

struct loaded_files {
	struct loaded_file *items; /* [count], ascending */
	size_t count, cap;
	struct str maps; /* owns the paths */
};

/* "7f1c2a600000-7f1c2a755000 r-xp 00026000 fe:01 1054      /usr/lib/libc.so.6" */
struct map_line {
	uint64_t start, end, offset, inode;
	unsigned int major, minor;
	char rights[8];
	int path;
};

static bool loaded_files_parse(const char *text, struct map_line *line)
{
	line->path = 0;
	return sscanf(text, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %n", &line->start, &line->end,
		      line->rights, &line->offset, &line->major, &line->minor, &line->inode, &line->path) == 7 &&
	       line->path && line->inode;
}

static bool loaded_files_is_same_file(const struct map_line *a, const struct map_line *b)
{
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

/* Add the file of some mappings, if it has code. */
static void loaded_files_add(struct loaded_files *files, const struct loaded_file *file, bool has_code)
{
	if (!has_code)
		return;
	files->items = xgrow(files->items, &files->cap, files->count + 1, sizeof(*files->items));
	files->items[files->count++] = *file;
}

/* Read them.  Returns 0 or an errno. */
static int loaded_files_read(struct loaded_files *files, int pid)
{
	struct map_line line, first = { 0 };
	struct loaded_file file = { 0 };
	bool has_code = false;
	char *text, *end;
	int errnum = read_process(pid, "maps", &files->maps);

	for (text = files->maps.buf; text && (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		if (!loaded_files_parse(text, &line))
			continue;
		/* The first mapping of each copy of a file begins at the ELF header.  In a small file, later mappings
		 * may begin at the same offset. */
		if (!line.offset && (has_code || file.end != line.start || !loaded_files_is_same_file(&line, &first))) {
			loaded_files_add(files, &file, has_code);
			file = (struct loaded_file){ .start = line.start, .path = text + line.path };
			first = line;
			has_code = false;
		} else if (!loaded_files_is_same_file(&line, &first)) {
			continue;
		}
		file.end = line.end;
		has_code |= line.rights[2] == 'x';
	}
	loaded_files_add(files, &file, has_code);
	return errnum;
}

static void loaded_files_free(struct loaded_files *files)
{
	free(files->items);
	str_free(&files->maps);
	*files = (struct loaded_files){ 0 };
}

/* --- the list of collect bindings in JSON --- */

/* { "processes": [
 *         { "pid": 8513, "files": [
 *             { "path": "/opt/lib/liblbm.so", "kind": "lazy", "functions": 210, "unbound": ["sched_yield"] },
 *             { "path": "/usr/bin/md", "kind": "at-start", "functions": 12, "unbound": [] } ],
 *           "functions": 210, "unbound": 1, "bind_now": false } ],
 *       "functions": 210, "unbound": 1, "start_us": 24 }
 *
 * kind: lazy, at-start, none, static, other-machine, unreadable.  The functions of processes, and the total, are those
 * of lazy files; start_us is the cost of binding them at the start. */

/* Of a process, or of all. */
struct binding_counts {
	uint64_t lazy, unbound; /* functions */
};

/* A comma, unless it is the first of its list. */
static void separate(struct str *out)
{
	if (out->buf[out->len - 1] != '[')
		str_addc(out, ',');
}

/* Append to out, in this order: begin, { process, file ..., process_end } ..., end. */
static void bindings_json_begin(struct str *out)
{
	str_puts(out, "{\"processes\":[");
}

static void bindings_json_process(struct str *out, int pid)
{
	separate(out);
	str_addf(out, "\n{\"pid\":%d,\"files\":[", pid);
}

static const char *bindings_json_kind_of(enum late_kind kind)
{
	switch (kind) {
	case LATE_UNREADABLE: break;
	case LATE_OTHER: return "other-machine";
	case LATE_STATIC: return "static";
	case LATE_NONE: return "none";
	case LATE_AT_START: return "at-start";
	case LATE_LAZY: return "lazy";
	}
	return "unreadable";
}

static void bindings_json_file(struct str *out, const char *path, const struct late_file *file)
{
	separate(out);
	str_puts(out, "\n{\"path\":");
	json_puts(out, path);
	str_addf(out, ",\"kind\":\"%s\",\"functions\":%" PRIu64 ",\"unbound\":[", bindings_json_kind_of(file->kind),
		 file->functions);
	for (size_t at = 0; at < file->names.len; at += strlen(file->names.buf + at) + 1) {
		separate(out);
		json_puts(out, file->names.buf + at);
	}
	str_puts(out, "]}");
}

static void bindings_json_process_end(struct str *out, const struct binding_counts *counts, bool bind_now)
{
	str_addf(out, "],\"functions\":%" PRIu64 ",\"unbound\":%" PRIu64 ",\"bind_now\":%s}", counts->lazy,
		 counts->unbound, bind_now ? "true" : "false");
}

static void bindings_json_end(struct str *out, const struct binding_counts *counts, uint64_t start_us)
{
	str_addf(out, "],\n\"functions\":%" PRIu64 ",\"unbound\":%" PRIu64 ",\"start_us\":%" PRIu64 "}\n", counts->lazy,
		 counts->unbound, start_us);
}

/* --- the verb --- */

/* Estimated cost of a binding at the start of a program, plus that of each file that is searched: docs/stalls.md. */
enum { BINDING_NS = 100, FILE_NS = 8 };

/* Of all processes. */
struct totals {
	struct binding_counts counts;
	size_t files;      /* that have any unbound */
	uint64_t start_ns; /* the time to bind all of counts.lazy at the start */
};

static bool is_json;
static struct str json; /* the whole output, if is_json */

static const char deleted[] = " (deleted)";

/* The path, in *clean without characters that could disguise a line. */
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

/* Can the process's memory be read at all?  Returns 0 or an errno. */
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
