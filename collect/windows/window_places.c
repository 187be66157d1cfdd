#include "collect/windows/window_places.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/windows.h"
#include "collect/alloc/usdt.h"
#include "collect/machine/command.h"
#include "collect/machine/tracefs.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "core/str.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/elf/elf_symbols.h"
#include "core/symbols/names/demangle.h"
#include "core/symbols/space/process_root.h"

/* ---- finding a function in an ELF file by its name ---- */

enum { WINDOW_OFFSETS_MAX = 32 };

struct search {
	const char *name, *last; /* last: the part after "::" or "." */
	size_t len;
	bool copies; /* a compiler's copies will do */
	const struct elf_segments *segments;
	uint64_t *offsets;
	size_t count;
	struct nearest nearest;
	struct str *meant;
};

static bool window_symbols_is_letter(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static const char *window_symbols_last_part(const char *name)
{
	const char *last = name;

	for (const char *at = name; *at; at++) {
		if (window_symbols_is_letter(*at) && at > name && !window_symbols_is_letter(at[-1]))
			last = at;
	}
	return last;
}

/* "name", "name@@VERSION"; "name.isra.0", "name.constprop.0", "name.lto_priv.0" */
static bool window_symbols_has_name(const struct search *s, const char *symbol)
{
	const char *rest = symbol + s->len;

	if (strncmp(symbol, s->name, s->len) != 0)
		return false;
	if (!*rest || *rest == '@')
		return true;
	return s->copies &&
	       (!strncmp(rest, ".isra.", 6) || !strncmp(rest, ".constprop.", 11) || !strncmp(rest, ".lto_priv.", 10));
}

static bool window_symbols_is_meant(const struct search *s, const char *symbol)
{
	char *readable;
	bool found;

	if (window_symbols_has_name(s, symbol))
		return true;
	/* Demangling takes time, so first check that the mangled name contains the parts of the wanted name
	 * literally. */
	if (symbol[0] != '_' || !strstr(symbol, s->last))
		return false;
	readable = demangle(symbol, DEMANGLE_SIMPLE);
	found = readable && !strcmp(readable, s->name) && !strstr(symbol, ".cold");
	free(readable);
	return found;
}

static void window_symbols_add_offset(struct search *s, uint64_t offset)
{
	for (size_t i = 0; i < s->count && i < WINDOW_OFFSETS_MAX; i++) {
		if (s->offsets[i] == offset)
			return; /* by another name, or in another table */
	}
	if (s->count < WINDOW_OFFSETS_MAX)
		s->offsets[s->count] = offset;
	s->count++;
}

static void note_near(struct search *s, const char *symbol)
{
	struct nearest before = s->nearest;

	if (s->copies) /* the second search sees the same names */
		return;
	nearest_try(&s->nearest, s->name, symbol);
	if (s->nearest.name == before.name)
		return;
	str_clear(s->meant);
	str_puts(s->meant, symbol);
	s->nearest.name = s->name; /* copied, since the symbol's text is freed with its file */
}

static void search_table(struct search *s, Elf *elf, const char *section)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(elf, section, &header);
	size_t symbols = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;

	for (size_t i = 0; i < symbols && i < INT_MAX; i++) {
		const char *name;
		GElf_Sym symbol;
		uint64_t offset;

		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF || !symbol.st_value ||
		    GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
			continue;
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (name && window_symbols_is_meant(s, name) && elf_to_offset(s->segments, symbol.st_value, &offset))
			window_symbols_add_offset(s, offset);
		else if (name)
			note_near(s, name);
	}
}

static void search_file(struct search *s, Elf *elf)
{
	struct debugdata more = { 0 };

	search_table(s, elf, ".symtab");
	search_table(s, elf, ".dynsym");
	if (!s->count && !debugdata_open(&more, elf)) {
		search_table(s, more.elf, ".symtab");
		debugdata_close(&more);
	}
}

/* Find the functions called name in the file fd, which is closed.  The name is as in symbol tables, or as in the source
 * without parameters, so that there may be several.  If there are none, a compiler's specialised copies ("name.isra.0")
 * will do.  Returns how many there are, of which the first WINDOW_OFFSETS_MAX are in offsets, as offsets in the file.
 * *meant: a similar name, if there are none. */
static size_t window_symbols_find(int fd, const char *name, uint64_t offsets[WINDOW_OFFSETS_MAX], struct str *meant)
{
	struct search s = { .name = name,
			    .last = window_symbols_last_part(name),
			    .len = strlen(name),
			    .offsets = offsets,
			    .meant = meant };
	struct elf_file file;

	if (elf_file_open_fd(&file, fd))
		return 0;
	s.segments = &file.segments;
	search_file(&s, file.elf);
	if (!s.count) {
		s.copies = true;
		search_file(&s, file.elf);
	}
	elf_file_close(&file);
	return s.count;
}

/* ---- places ---- */

enum { PATH_BYTES = 40 };

/* ---- files ---- */

/* Distinct files, which stay open, since a probe must be set in the file whose symbols were read, even if a process
 * executes another file meanwhile, or an update replaces the file.  Anywhere else it would destroy an instruction. */
struct window_files {
	struct file_path {
		int fd;
		dev_t dev;
		ino_t inode;
	} * list;
	size_t count, cap;
};

/* Fd: open, or -1; owned by f from now on. */
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

/* A path as the process sees it, perhaps in a container, where links are followed, too. */
static void add_file_of_process(struct window_files *f, pid_t pid, const char *path)
{
	window_places_add_open(f, process_root_open((int)pid, path));
}

/* The path that opens it. */
static void path_of(const struct file_path *file, char path[PATH_BYTES])
{
	snprintf(path, PATH_BYTES, "/proc/self/fd/%d", file->fd);
}

/* Free f, but not the descriptors, to which the paths in p refer. */
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

/* Does "libssl", "libc" or "mysqld" mean this file: "libssl.so.3", "libc-2.31.so" or "mysqld"? */
static bool window_places_is_called(const char *path, const char *name)
{
	const char *base = window_places_base_name(path), *rest = base + strlen(name);

	if (strncmp(base, name, strlen(name)) != 0)
		return false;
	return !*rest || !strncmp(rest, ".so", 3) || (*rest == '-' && isdigit((unsigned char)rest[1]));
}

/* "/usr/sbin/mysqld (deleted)": an update has replaced the file.  Returns whether the mark was there. */
static bool cut_deleted(char *path)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(path), more = sizeof(deleted) - 1;
	bool found = len > more && !strcmp(path + len - more, deleted);

	if (found)
		path[len - more] = '\0';
	return found;
}

/* The files called name whose code a process has mapped: "7f00-7f01 r-xp 00001000 08:01 1234   /usr/lib/libc.so.6" */
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

/* Where to look for the libraries of a program that is not running yet: beside it, and in the system's directories. */
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
		status = error("--between: which program has %s?  Write FILE:%s", e->name, e->name);
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
