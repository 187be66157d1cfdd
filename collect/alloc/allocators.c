#include "collect/alloc/allocators.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/process_root.h"

/* reallocarray() calls realloc() everywhere.  operator new counts only where it does not call malloc(), as in
 * allocators that bring their own. */
static const struct {
	const char *name;
	enum allocator_kind kind;
} functions[] = {
	{ "malloc", ALLOCATOR_MALLOC },
	{ "calloc", ALLOCATOR_PRODUCT },
	{ "realloc", ALLOCATOR_SECOND },
	{ "posix_memalign", ALLOCATOR_THIRD },
	{ "aligned_alloc", ALLOCATOR_SECOND },
	{ "memalign", ALLOCATOR_SECOND },
	{ "valloc", ALLOCATOR_FIRST },
	{ "pvalloc", ALLOCATOR_FIRST },
	{ "_Znwm", ALLOCATOR_FIRST },
	{ "_ZnwmRKSt9nothrow_t", ALLOCATOR_FIRST },
	{ "_ZnwmSt11align_val_t", ALLOCATOR_FIRST },
	{ "_ZnwmSt11align_val_tRKSt9nothrow_t", ALLOCATOR_FIRST },
	{ "_Znam", ALLOCATOR_FIRST },
	{ "_ZnamRKSt9nothrow_t", ALLOCATOR_FIRST },
	{ "_ZnamSt11align_val_t", ALLOCATOR_FIRST },
	{ "_ZnamSt11align_val_tRKSt9nothrow_t", ALLOCATOR_FIRST },
};

enum { FUNCTIONS = sizeof(functions) / sizeof(*functions) };

_Static_assert((int)FUNCTIONS <= (int)ALLOCATOR_FUNCTIONS_MAX, "each has room");

/* ---- a file ---- */

static const char *allocators_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool allocators_begins(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* Is this "libc.so.6", "libc-2.31.so", or "ld-musl-x86_64.so.1", which is musl's libc, too? */
static bool allocators_is_libc(const char *path)
{
	const char *name = allocators_base_name(path);

	return allocators_begins(name, "libc.so") || allocators_begins(name, "libc-2") ||
	       allocators_begins(name, "ld-musl") || allocators_begins(name, "libc.musl");
}

/* Is this glibc's loader?  It has its own malloc() until libc is loaded. */
static bool is_loader(const char *path)
{
	const char *name = allocators_base_name(path);

	return allocators_begins(name, "ld-linux") || allocators_begins(name, "ld-2") ||
	       allocators_begins(name, "ld64");
}

static void allocators_add_function(struct allocator *a, enum allocator_kind kind, uint64_t offset)
{
	for (size_t i = 0; i < a->count; i++) {
		if (a->functions[i].offset == offset)
			return; /* the function is already there, by another name */
	}
	if (a->count < ALLOCATOR_FUNCTIONS_MAX)
		a->functions[a->count++] = (struct allocator_function){ kind, offset };
}

/* Look for the functions.  Returns whether malloc() is among the symbols. */
static bool allocators_search(struct allocator *a, const struct elf_file *file, const char *section)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(file->elf, section, &header);
	size_t symbols = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;
	bool found = false;

	for (size_t i = 0; i < symbols && i < INT_MAX; i++) {
		const char *name;
		GElf_Sym symbol;
		uint64_t offset;

		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF ||
		    GELF_ST_TYPE(symbol.st_info) != STT_FUNC || GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
			continue;
		name = elf_strptr(file->elf, header.sh_link, symbol.st_name);
		for (size_t j = 0; name && j < FUNCTIONS; j++) {
			if (strcmp(name, functions[j].name) ||
			    !elf_to_offset(&file->segments, symbol.st_value, &offset))
				continue;
			allocators_add_function(a, functions[j].kind, offset);
			found |= functions[j].kind == ALLOCATOR_MALLOC;
		}
	}
	return found;
}

static bool has_loader(const struct elf_file *file)
{
	size_t count = 0;
	GElf_Phdr header;

	elf_getphdrnum(file->elf, &count);
	for (size_t i = 0; i < count; i++) {
		if (gelf_getphdr(file->elf, (int)i, &header) &&
		    (header.p_type == PT_INTERP || header.p_type == PT_DYNAMIC))
			return true;
	}
	return false;
}

/* In a dynamic file, nobody else calls private symbols; but a static program has no others. */
static void read_functions(struct allocator *a, int fd)
{
	struct elf_file file;

	if (elf_file_open_fd(&file, fd))
		return;
	if (!allocators_search(a, &file, has_loader(&file) ? ".dynsym" : ".symtab"))
		a->count = 0;
	elf_file_close(&file);
}

/* The index of the file, or -1. */
static ssize_t allocators_look_at(struct allocators *all, const char *path, const char *name)
{
	struct stat info;
	struct allocator *a;
	int fd;

	if (is_loader(name) || stat(path, &info) || !S_ISREG(info.st_mode))
		return -1;
	for (size_t i = 0; i < all->count; i++) {
		if (all->files[i].dev == info.st_dev && all->files[i].inode == info.st_ino)
			return (ssize_t)i;
	}
	fd = process_root_open(0, path);
	if (fd < 0)
		return -1;
	all->files = xgrow(all->files, &all->cap, all->count + 1, sizeof(*all->files));
	a = &all->files[all->count];
	*a = (struct allocator){ .dev = info.st_dev, .inode = info.st_ino, .is_libc = allocators_is_libc(name) };
	read_functions(a, fd);
	return (ssize_t)all->count++;
}

/* ---- a process ---- */

enum { USED_MAX = 8 };

struct used {
	size_t file;
	char path[PATH_MAX];
};

static void allocators_add_used(const struct allocators *all, struct used *used, size_t *count, ssize_t file,
				const char *path)
{
	if (file < 0 || !all->files[file].count || *count == USED_MAX)
		return;
	for (size_t i = 0; i < *count; i++) {
		if (used[i].file == (size_t)file)
			return;
	}
	used[*count].file = (size_t)file;
	snprintf(used[(*count)++].path, PATH_MAX, "%s", path);
}

/* Pass on the files that a process uses.  If another file has a malloc(), nobody but that file calls libc's. */
static size_t allocators_tell(const struct allocators *all, const struct used *used, size_t count, allocator_take *take,
			      void *self)
{
	bool others = false;
	size_t told = 0;

	for (size_t i = 0; i < count; i++)
		others |= !all->files[used[i].file].is_libc;
	for (size_t i = 0; i < count; i++) {
		if (others && all->files[used[i].file].is_libc)
			continue;
		take(self, used[i].file, used[i].path);
		told++;
	}
	return told;
}

/* "7f00-7f01 r-xp 00001000 08:01 1234   /usr/lib/libc.so.6" */
static void look_at_mapping(struct allocators *all, int pid, char *line, struct used *used, size_t *count)
{
	char *name = strchr(line, '/'), path[PATH_MAX];
	uint64_t start, end;
	char rights[8];

	if (!name || sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &start, &end, rights) != 3 || rights[2] != 'x')
		return;
	name[strcspn(name, "\n")] = '\0';
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, start, end);
	if (access(path, R_OK))
		snprintf(path, sizeof(path), "/proc/%d/root%.4000s", pid, name);
	allocators_add_used(all, used, count, allocators_look_at(all, path, name), path);
}

size_t allocators_of_process(struct allocators *all, int pid, allocator_take *take, void *self)
{
	struct used *used = xcalloc(USED_MAX, sizeof(*used));
	char line[4352];
	size_t count = 0;
	FILE *maps;

	snprintf(line, sizeof(line), "/proc/%d/maps", pid);
	maps = fopen(line, "re");
	while (maps && fgets(line, sizeof(line), maps))
		look_at_mapping(all, pid, line, used, &count);
	if (maps)
		fclose(maps);
	count = allocators_tell(all, used, count, take, self);
	free(used);
	return count;
}

/* ---- a program not yet running ---- */

/* Finds the program in the same way as execvp(3). */
static bool find_program(const char *name, char path[PATH_MAX])
{
	const char *at = getenv("PATH");

	snprintf(path, PATH_MAX, "%s", name);
	if (strchr(name, '/'))
		return true;
	while (at) {
		snprintf(path, PATH_MAX, "%.*s/%s", (int)strcspn(at, ":"), at, name);
		if (!access(path, X_OK))
			return true;
		at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL;
	}
	return false;
}

/* Finds the C library that we run with, rather than what replaces malloc() in our own program, such as a sanitizer. */
static bool find_libc(char path[PATH_MAX])
{
	Dl_info info;

	return dladdr((void *)(uintptr_t)getauxval, &info) && realpath(info.dli_fname, path);
}

void allocators_of_command(struct allocators *all, const char *name, allocator_take *take, void *self)
{
	char path[PATH_MAX];
	ssize_t file = find_program(name, path) ? allocators_look_at(all, path, path) : -1;

	if ((file < 0 || !all->files[file].count) && find_libc(path))
		file = allocators_look_at(all, path, path);
	if (file >= 0 && all->files[file].count)
		take(self, (size_t)file, path);
	else
		allocators_of_process(all, (int)getpid(), take, self);
}

void allocators_free(struct allocators *all)
{
	free(all->files);
	*all = (struct allocators){ 0 };
}
