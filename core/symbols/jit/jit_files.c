#include "core/symbols/jit/jit_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/symbols/jit/jit_open.h"

enum { MAX_FILES = 4096 }; /* limit, since each needs a descriptor */

enum { SLICE_NS = 20000000, TICK_NS = 100000000 };

#define LAST_NS UINT64_C(5000000000)
#define LARGE (UINT64_C(1) << 30)

static bool jit_files_is_it(const struct jit_file *f, int pid, const char *path, size_t path_len)
{
	if (f->pid != pid || !f->path != !path)
		return false;
	return !path || (strlen(path) >= path_len && strlen(f->path) == path_len && !memcmp(f->path, path, path_len));
}

size_t jit_files_add(struct jit_files *j, int pid, const char *path, size_t path_len)
{
	for (size_t i = 0; i < j->count; i++) {
		if (jit_files_is_it(&j->items[i], pid, path, path_len))
			return i;
	}
	if (j->count == MAX_FILES) {
		j->left_out++;
		return SIZE_MAX;
	}
	j->items = xgrow(j->items, &j->cap, j->count + 1, sizeof(*j->items));
	j->items[j->count++] = (struct jit_file){
		.pid = pid,
		.fd = -1,
		.path = path ? xstrndup(path, path_len) : NULL,
	};
	return j->count - 1;
}

void jit_files_add_code(struct jit_files *j, int pid, const char *path, struct jit_code *code)
{
	size_t number = jit_files_add(j, pid, path, strlen(path));

	if (number == SIZE_MAX)
		return;
	jit_code_free(&j->items[number].code);
	j->items[number].code = *code;
	*code = (struct jit_code){ 0 };
}

static bool jit_files_same_file(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Is it time to look for the map of a process?  Most programs that generate code write no map: they are not checked
 * every time. */
static bool is_time(const struct jit_file *f, bool last)
{
	enum { EAGER = 10, PATIENT = 8 };

	return last || f->misses < EAGER || f->misses % PATIENT == 0;
}

/* Open the file.  A map may have been replaced by another file; one that has disappeared stays open. */
static void jit_files_open_file(struct jit_file *f)
{
	const char *why;
	int fd;

	if (f->path && f->fd >= 0)
		return;
	fd = jit_open(f->pid, f->path, f->born_ns, &why);
	if (fd < 0) {
		f->why = f->fd < 0 ? why : NULL;
		return;
	}
	f->why = NULL;
	if (f->fd < 0) {
		f->fd = fd;
	} else if (jit_files_same_file(f->fd, fd)) {
		close(fd);
	} else {
		close(f->fd);
		f->fd = fd;
		f->map.at = f->map.taken = 0;
	}
}

static void open_now(struct jit_file *f, bool last)
{
	if (f->path && path_is_runtime(f->path, strlen(f->path)))
		return;
	if (is_time(f, last))
		jit_files_open_file(f);
	f->misses = f->fd < 0 ? f->misses + 1 : 0;
}

/* An incomplete record that its writer may still complete is not damage. */
static bool read_dump(struct jit_file *f, bool last, const struct patience *patience)
{
	bool all = jitdump_read(&f->dump, f->fd, last, patience, &f->code);

	f->code.bad += f->dump.cut && !jit_maker_lives(f->pid);
	f->dump.cut = false;
	return all;
}

/* Reads a part of a file.  Returns whether the whole file has been read. */
static bool jit_files_read_file(struct jit_file *f, uint64_t now_ns, bool last, const struct patience *patience)
{
	struct patience slice = patience_of(SLICE_NS);

	if (f->fd < 0)
		return true;
	if (slice.until_ns > patience->until_ns)
		slice = *patience;
	return f->path ? read_dump(f, last, &slice) : perfmap_read(&f->map, f->fd, now_ns, &slice, &f->code);
}

/* Files are read slice by slice, in turn, so that a large file does not keep us from the others. */
void jit_files_read(struct jit_files *j, uint64_t now_ns, bool last)
{
	struct patience patience = patience_of(last ? LAST_NS : TICK_NS);
	bool all;

	for (size_t i = 0; i < j->count; i++)
		open_now(&j->items[i], last);
	do {
		all = true;
		for (size_t i = 0; i < j->count; i++, j->turn++)
			all &= jit_files_read_file(&j->items[j->turn % j->count], now_ns, last, &patience);
	} while (!all && !patience_is_over(&patience));
}

static void forget_times(struct jit_code *code, size_t from)
{
	for (size_t i = from; i < code->count; i++) {
		jit_code_piece(code, i)->from_ns = 0;
		jit_code_piece(code, i)->seen_ns = UINT64_MAX;
	}
}

static void jit_files_place_one(struct jit_file *f, struct spaces *spaces, uint32_t module)
{
	for (; f->placed < f->code.count; f->placed++) {
		const struct jit_piece *p = jit_code_piece(&f->code, f->placed);

		if (p->by_time)
			spaces_code(spaces, f->pid, jit_piece_since(p, f->placed, spaces, f->pid), p->start, p->size,
				    p->offset, module);
	}
}

static void complain_of(const struct jit_file *f)
{
	const char *why = f->why ? f->why : f->dump.refused;

	if (why)
		warn("%s of process %d %s: not read", f->path, f->pid, why);
	if (f->code.bad)
		warn("%s of process %d: %zu %s skipped", f->path, f->pid, f->code.bad,
		     f->code.bad == 1 ? "invalid record" : "invalid records");
}

/* The module has the same name as in modules_add_mapping(). */
uint32_t jit_file_module(const struct jit_file *f, struct modules *modules)
{
	char map[48];

	snprintf(map, sizeof(map), "/tmp/perf-%d.map", f->pid);
	return modules_add_jit(modules, f->path ? f->path : map, f->pid);
}

void jit_files_place(struct jit_files *j, struct spaces *spaces, struct modules *modules)
{
	for (size_t i = 0; i < j->count; i++) {
		struct jit_file *f = &j->items[i];

		if (!f->path)
			jit_code_settle(&f->code);
		if (j->timeless)
			forget_times(&f->code, f->placed);
		if (f->placed < f->code.count)
			jit_files_place_one(f, spaces, jit_file_module(f, modules));
	}
}

static uint64_t unread_of(const struct jit_file *f)
{
	return f->path ? f->dump.unread : f->map.unread;
}

void jit_file_complain_unread(const struct jit_file *f)
{
	uint64_t unread = unread_of(f);
	struct str size = { 0 };

	if (!unread)
		return;
	size_add(&size, unread);
	warn("%s of process %d: %s not read (%s): some code has no name; the process starts a new file when it is "
	     "restarted",
	     f->path ? f->path : "the perf map", f->pid, size.buf,
	     jit_code_is_full(&f->code) || unread > LARGE ? "too large" : "out of time");
	str_free(&size);
}

void jit_files_complain(const struct jit_files *j)
{
	for (size_t i = 0; i < j->count; i++) {
		jit_file_complain_unread(&j->items[i]);
		if (j->items[i].path)
			complain_of(&j->items[i]);
	}
	if (j->left_out)
		warn("too many maps of JIT-compiled code: only %d are read", MAX_FILES);
}

const struct jit_file *jit_files_find(const struct jit_files *j, const struct module *module)
{
	size_t len = strlen(module->path);
	bool is_named = path_is_jitdump(module->path, len) || path_is_runtime(module->path, len);
	const char *path = is_named ? module->path : NULL;

	for (size_t i = 0; i < j->count; i++) {
		if (jit_files_is_it(&j->items[i], module->pid, path, len))
			return &j->items[i];
	}
	return NULL;
}

uint64_t jit_files_bad(const struct jit_files *j)
{
	uint64_t bad = 0;

	for (size_t i = 0; i < j->count; i++)
		bad += j->items[i].code.bad;
	return bad;
}

uint64_t jit_files_unread(const struct jit_files *j)
{
	uint64_t unread = 0;

	for (size_t i = 0; i < j->count; i++)
		unread += unread_of(&j->items[i]);
	return unread;
}

static void free_file(struct jit_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	jit_code_free(&f->code);
}

void jit_files_forget(struct jit_files *j, bool (*is_wanted)(const void *argument, int pid), const void *argument)
{
	size_t kept = 0;

	for (size_t i = 0; i < j->count; i++) {
		if (is_wanted(argument, j->items[i].pid))
			j->items[kept++] = j->items[i];
		else
			free_file(&j->items[i]);
	}
	j->count = kept;
}

void jit_files_free(struct jit_files *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->count; i++)
		free_file(&j->items[i]);
	free(j->items);
	*j = (struct jit_files){ 0 };
}
