#include "collect/windows/window_places.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/windows.h"
#include "collect/alloc/usdt.h"
#include "collect/machine/command.h"
#include "collect/machine/tracefs.h"
#include "collect/windows/window_symbols.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/symbols/space/process_root.h"

enum { PATH_BYTES = 40 };

/* ---- files ---- */

/* Different files, which stay open: a probe belongs into the file whose symbols were read, though a process executes another
 * one meanwhile, or an update replaces it.  Anywhere else it would destroy an instruction. */
struct window_files {
	struct file_path {
		int fd;
		dev_t dev;
		ino_t inode;
	} * list;
	size_t count, cap;
};

/* fd: open, or -1; owned by f from now on. */
static void window_places_add_open(struct window_files *f, int fd)
{
	struct stat st;
	bool good = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode);

	for (size_t i = 0; good && i < f->count; i++)
		good = f->list[i].dev != st.st_dev || f->list[i].inode != st.st_ino;
	if (!good) {
		if (fd >= 0)
			close(fd);
		return;
	}
	f->list = xgrow(f->list, &f->cap, f->count + 1, sizeof(*f->list));
	f->list[f->count++] = (struct file_path){ fd, st.st_dev, st.st_ino };
}

static void window_places_add_file(struct window_files *f, const char *path)
{
	window_places_add_open(f, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

/* A path as the process sees it, which may be in a container: links, too, are followed there. */
static void add_file_of_process(struct window_files *f, pid_t pid, const char *path)
{
	window_places_add_open(f, process_root_open((int)pid, path));
}

/* The path that opens it. */
static void path_of(const struct file_path *file, char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, "/proc/self/fd/%d", file->fd);
}

/* Free f; p keeps the descriptors, which its paths are of. */
static void files_free(struct window_files *f, struct window_places *p)
{
	for (size_t i = 0; i < f->count; i++) {
		p->fds = xgrow(p->fds, &p->fd_cap, p->fd_count + 1, sizeof(*p->fds));
		p->fds[p->fd_count++] = f->list[i].fd;
	}
	free(f->list);
}

static const char *window_places_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Is it "libssl.so.3", "libc-2.31.so", or "mysqld", which "libssl", "libc", "mysqld" mean? */
static bool window_places_is_called(const char *path, const char *name)
{
	const char *base = window_places_base_name(path), *rest = base + strlen(name);

	if (strncmp(base, name, strlen(name)) != 0)
		return false;
	return !*rest || !strncmp(rest, ".so", 3) || (*rest == '-' && isdigit((unsigned char)rest[1]));
}

/* "/usr/sbin/mysqld (deleted)": an update has replaced it.  Returns whether that was there. */
static bool cut_deleted(char *path)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(path), more = sizeof(deleted) - 1;
	bool found = len > more && !strcmp(path + len - more, deleted);

	if (found)
		path[len - more] = '\0';
	return found;
}

/* The files called name that a process has mapped to run them: "7f00-7f01 r-xp 00001000 08:01 1234   /usr/lib/libc.so.6" */
static void find_mapped(struct window_files *f, pid_t pid, const char *name)
{
	char line[PATH_MAX + 128], path[PATH_MAX + 64], rights[8];
	uint64_t start, end;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		char *file = strchr(line, '/');
		bool is_deleted;

		if (!file || sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &start, &end, rights) != 3 || rights[2] != 'x')
			continue;
		file[strcspn(file, "\n")] = '\0';
		is_deleted = cut_deleted(file);
		if (!window_places_is_called(file, name))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, start, end);
		if (access(path, R_OK) && is_deleted) /* that path opens the new file */
			continue;
		if (access(path, R_OK))
			snprintf(path, sizeof(path), "/proc/%d/root%s", (int)pid, file);
		window_places_add_file(f, path);
	}
	if (maps)
		fclose(maps);
}

static void find_in_directory(struct window_files *f, const char *directory, const char *name)
{
	DIR *d = opendir(directory);
	struct str path = { 0 };
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		if (!window_places_is_called(entry->d_name, name))
			continue;
		str_clear(&path);
		str_addf(&path, "%s/%s", directory, entry->d_name);
		window_places_add_file(f, path.buf);
	}
	if (d)
		closedir(d);
	str_free(&path);
}

/* Where the libraries of a program that does not run yet may be: beside it, and where the system has them. */
static void find_installed(struct window_files *f, const char *program, const char *name)
{
	static const char *const beside[] = { "", "/../lib", "/../lib/server" };
	static const char *const system[] = {
		"/usr/local/lib",
#if defined(__aarch64__)
		"/lib/aarch64-linux-gnu",
#else
		"/lib/x86_64-linux-gnu",
#endif
		"/lib64",
		"/lib"
	};
	char *real = realpath(program, NULL), *directory = real ? dirname(real) : NULL;
	struct str path = { 0 };

	for (size_t i = 0; directory && i < sizeof(beside) / sizeof(*beside) && !f->count; i++) {
		str_clear(&path);
		str_addf(&path, "%s%s", directory, beside[i]);
		find_in_directory(f, path.buf, name);
	}
	for (size_t i = 0; i < sizeof(system) / sizeof(*system) && !f->count; i++)
		find_in_directory(f, system[i], name);
	free(real);
	str_free(&path);
}

static void find_of_process(struct window_files *f, const char *file, pid_t pid)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	if (!file)
		window_places_add_file(f, path);
	else if (*file == '/')
		add_file_of_process(f, pid, file);
	else if (strchr(file, '/'))
		window_places_add_file(f, file); /* as whoever typed it sees it */
	else
		find_mapped(f, pid, file);
}

static void find_of_command(struct window_files *f, const char *file, const char *command)
{
	struct str path = { 0 };
	bool found = command && command_find(command, &path);

	if (found && (!file || window_places_is_called(path.buf, file)))
		window_places_add_file(f, path.buf);
	else if (file && strchr(file, '/'))
		window_places_add_file(f, file);
	else if (file)
		find_installed(f, found ? path.buf : "", file);
	str_free(&path);
}

static void find_files(struct window_files *f, const char *file, const struct window_whose *whose)
{
	for (size_t i = 0; i < whose->count; i++)
		find_of_process(f, file, whose->processes[i]);
	if (!f->count)
		find_of_command(f, file, whose->command);
}

/* ---- events ---- */

static void window_places_add_place(struct window_places *p, struct window_place place)
{
	p->list = xgrow(p->list, &p->cap, p->count + 1, sizeof(*p->list));
	p->list[p->count++] = place;
}

static size_t window_places_add_function(struct window_places *p, const struct between_event *e, const char *path,
					 uint32_t what, struct str *meant)
{
	uint64_t offsets[WINDOW_OFFSETS_MAX];
	const char *names[] = { e->name, e->other };
	size_t count = 0;

	for (size_t i = 0; i < 2 && names[i] && !count; i++) {
		int fd = process_root_open(0, path);

		count = fd < 0 ? 0 : window_symbols_find(fd, names[i], offsets, meant);
	}
	for (size_t i = 0; i < count && i < WINDOW_OFFSETS_MAX; i++)
		window_places_add_place(p, (struct window_place){ .path = xstrdup(path),
								  .offset = offsets[i],
								  .returns = e->kind == BETWEEN_RETURN,
								  .what = what });
	if (count > WINDOW_OFFSETS_MAX)
		warn("--between: %zu functions are called %s: only the first %d are watched", count, e->name,
		     WINDOW_OFFSETS_MAX);
	return count;
}

static size_t add_probe(struct window_places *p, const struct between_event *e, const char *path, uint32_t what)
{
	struct usdt_location *locations = xcalloc(USDT_LOCATIONS_MAX, sizeof(*locations));
	size_t count = usdt_find(path, e->group, e->name, locations);

	for (size_t i = 0; i < count && i < USDT_LOCATIONS_MAX; i++)
		window_places_add_place(p, (struct window_place){ .path = xstrdup(path),
								  .offset = locations[i].offset,
								  .semaphore = locations[i].semaphore,
								  .what = what });
	if (count > USDT_LOCATIONS_MAX)
		warn("--between: probe %s:%s is at %zu places: only the first %d are watched", e->group, e->name, count,
		     USDT_LOCATIONS_MAX);
	free(locations);
	return count;
}

static int window_places_refuse(const struct between_event *e, const struct window_files *f, const struct str *meant)
{
	const char *file = e->file ? e->file : f->count == 1 ? "the program" : "none of the programs";

	if (e->kind == BETWEEN_USDT)
		return error("--between: %s has no probe %s:%s (readelf -n lists them)", file, e->group, e->name);
	if (meant->len)
		return error("--between: %s has no function '%s'\nDid you mean '%s'?", file, e->name, meant->buf);
	return error("--between: %s has no function '%s': inlined, or its symbols are stripped", file, e->name);
}

static int window_places_add_event(struct window_places *p, const struct between_event *e, uint32_t what,
				   const struct window_whose *whose)
{
	struct window_files files = { 0 };
	struct str meant = { 0 };
	char path[PATH_BYTES];
	size_t found = 0;
	int status;

	find_files(&files, e->file, whose);
	for (size_t i = 0; i < files.count; i++) {
		path_of(&files.list[i], path);
		found += e->kind == BETWEEN_USDT ? add_probe(p, e, path, what)
						 : window_places_add_function(p, e, path, what, &meant);
	}
	if (files.count)
		status = found ? 0 : window_places_refuse(e, &files, &meant);
	else if (e->file)
		status = error("--between: there is no file %s%s", e->file,
			       strchr(e->file, '/') ? "" : " that what is recorded runs code of");
	else
		status = error("--between: %s is in which program?  FILE:%s says so", e->name, e->name);
	files_free(&files, p);
	str_free(&meant);
	return status;
}

static int window_places_add_tracepoint(struct window_places *p, const struct between_event *e, uint32_t what)
{
	struct str name = { 0 };
	uint64_t id;
	int status;

	str_addf(&name, "%s:%s", e->group, e->name);
	status = tracefs_event_id(name.buf, &id);
	str_free(&name);
	if (status)
		return -1;
	window_places_add_place(
		p, (struct window_place){ .path = xstrdup(e->group), .name = xstrdup(e->name), .what = what });
	return 0;
}

static int window_places_add(struct window_places *p, const struct between_event *e, uint32_t what,
			     const struct window_whose *whose)
{
	return e->kind == BETWEEN_TRACEPOINT ? window_places_add_tracepoint(p, e, what)
					     : window_places_add_event(p, e, what, whose);
}

int window_places_find(struct window_places *p, const struct between *b, const struct window_whose *whose)
{
	if (b->same)
		return window_places_add(p, &b->begin, WINDOW_BEGIN | WINDOW_END, whose);
	return window_places_add(p, &b->begin, WINDOW_BEGIN, whose) || window_places_add(p, &b->end, WINDOW_END, whose)
		       ? -1
		       : 0;
}

void window_places_free(struct window_places *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->list[i].path);
		free(p->list[i].name);
	}
	for (size_t i = 0; i < p->fd_count; i++)
		close(p->fds[i]);
	free(p->fds);
	free(p->list);
	*p = (struct window_places){ 0 };
}
