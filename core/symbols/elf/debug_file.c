#include "core/symbols/elf/debug_file.h"

#include <endian.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/error.h"
#include "core/intern.h"
#include "core/str.h"
#include "core/symbols/elf/debuginfod.h"
#include "core/symbols/space/process_root.h"

/* A file that exists but cannot be used: if no other file is found, we warn once per run. */
struct refusal {
	struct str path;
	const char *reason; /* NULL: no such file */
};

static void debug_file_refuse(struct refusal *r, const char *path, const char *reason)
{
	if (r->reason)
		return;
	str_puts(&r->path, path);
	r->reason = reason;
}

/* Warn once, although several threads read modules. */
static void tell_refusal(struct refusal *r)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct intern told;
	uint32_t before;

	if (!r->reason)
		return;
	pthread_mutex_lock(&lock);
	before = told.count;
	intern_add(&told, r->path.buf, r->path.len);
	if (told.count > before)
		warn("%s: not used: %s", r->path.buf, r->reason);
	pthread_mutex_unlock(&lock);
}

/* Use fd as the debug file; takes fd over.  If both files have a build-id, the two must be equal; sure: both must
 * have one. */
static int accept_fd(struct elf_file *debug, int fd, const char *build_id, bool sure)
{
	struct elf_build_id found;

	if (elf_file_open_fd(debug, fd))
		return -1;
	found = elf_file_build_id(debug->elf);
	if (!strcmp(found.text, build_id) || (!sure && (!*found.text || !*build_id)))
		return 0;
	elf_file_close(debug);
	return -1;
}

/* --- by build-id ----------------------------------------------------------------------- */

static int open_by_build_id(struct elf_file *debug, int pid, const char *id, struct refusal *refusal)
{
	char path[128];
	int fd;

	if (!is_build_id(id))
		return -1;
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	fd = process_root_open(pid, path);
	if (fd < 0)
		return -1;
	if (accept_fd(debug, fd, id, true) == 0)
		return 0;
	debug_file_refuse(refusal, path, "damaged, or from another build");
	return -1;
}

/* --- by .gnu_debuglink ------------------------------------------------------------------- */

struct link {
	const char *name;
	uint32_t crc;
};

/* The section has the name, padded with NULs to a multiple of 4, then the CRC in the byte order of the file. */
static bool read_link(Elf *elf, struct link *link)
{
	Elf_Data *data = elf_file_section(elf, ".gnu_debuglink", NULL);
	GElf_Ehdr header;
	size_t len, at;

	if (!data || !data->d_buf || !gelf_getehdr(elf, &header))
		return false;
	link->name = data->d_buf;
	len = strnlen(link->name, data->d_size);
	at = (len + 4) & ~(size_t)3;
	if (!len || at + sizeof(link->crc) != data->d_size || memchr(link->name, '/', len))
		return false;
	memcpy(&link->crc, link->name + at, sizeof(link->crc));
	if (header.e_ident[EI_DATA] == ELFDATA2MSB)
		link->crc = be32toh(link->crc);
	else
		link->crc = le32toh(link->crc);
	return true;
}

#define LARGEST_READ ((off_t)4 << 30)

static bool has_crc(int fd, uint32_t wanted)
{
	struct stat st;
	void *bytes;
	bool right;

	/* Any user's program may name any file, of any size. */
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 || st.st_size > LARGEST_READ)
		return false;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	right = crc32_z(0, bytes, (size_t)st.st_size) == wanted;
	munmap(bytes, (size_t)st.st_size);
	return right;
}

/* A program may link to its own name. */
static bool debug_file_is_same_file(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int open_linked(struct elf_file *debug, int pid, const char *path, const struct link *link,
		       const struct elf_file *main, struct refusal *refusal)
{
	static const struct {
		const char *before, *after;
	} places[] = { { "", "" }, { "", ".debug/" }, { "/usr/lib/debug", "" } };
	const char *slash = strrchr(path, '/');
	struct str name = { 0 };
	int status = -1;

	for (size_t i = 0; slash && status < 0 && i < sizeof(places) / sizeof(*places); i++) {
		bool itself;
		int fd;

		str_clear(&name);
		str_addf(&name, "%s%.*s/%s%s", places[i].before, (int)(slash - path), path, places[i].after,
			 link->name);
		fd = process_root_open(pid, str_text(&name));
		itself = fd >= 0 && debug_file_is_same_file(fd, main->fd);
		if (fd >= 0 && has_crc(fd, link->crc))
			status = accept_fd(debug, fd, elf_file_build_id(main->elf).text, false);
		else if (fd >= 0)
			close(fd);
		if (fd >= 0 && status < 0 && !itself)
			debug_file_refuse(refusal, str_text(&name),
					  "from another build, or damaged: its CRC or build-id does not match");
	}
	str_free(&name);
	return status;
}

static int open_from_server(struct elf_file *debug, const struct module *module, const char *id)
{
	int fd = is_build_id(id) ? debuginfod_open(id, module_name(module)) : -1;

	return fd < 0 ? -1 : accept_fd(debug, fd, id, true);
}

int debug_file_open(struct elf_file *debug, const struct module *module, const struct elf_file *main)
{
	struct elf_build_id id = elf_file_build_id(main->elf);
	struct link link = { 0 };
	bool linked = module->path[0] == '/' && read_link(main->elf, &link);
	int pids[] = { module->elsewhere ? 0 : module->pid, 0 }, status = -1;
	struct refusal refusal = { .reason = NULL };

	*debug = (struct elf_file){ .fd = -1 };
	for (size_t i = 0; i < 2; i++) {
		if (status < 0)
			status = open_by_build_id(debug, pids[i], id.text, &refusal);
	}
	for (size_t i = 0; status < 0 && linked && i < 2; i++)
		status = open_linked(debug, pids[i], module->path, &link, main, &refusal);
	if (status < 0)
		status = open_from_server(debug, module, id.text);
	if (status < 0)
		tell_refusal(&refusal);
	str_free(&refusal.path);
	return status;
}
