#include "collect/recording/synthesis.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/machine/procfs.h"
#include "core/format/recording.h"
#include "core/hash.h"
#include "core/memory.h"

/* --- the build-ids of mapped files, read once for each file --- */

static struct file_id *file_ids_find_slot(struct file_id *slots, size_t count, uint64_t device, uint64_t inode)
{
	size_t i = hash_mix(device, inode) & (count - 1);

	while (slots[i].inode && (slots[i].inode != inode || slots[i].device != device))
		i = (i + 1) & (count - 1);
	return &slots[i];
}

static void file_ids_grow(struct file_ids *f)
{
	size_t count = f->slot_count ? 2 * f->slot_count : 256;
	struct file_id *slots = xcalloc(count, sizeof(*slots));

	for (size_t i = 0; i < f->slot_count; i++) {
		if (f->slots[i].inode)
			*file_ids_find_slot(slots, count, f->slots[i].device, f->slots[i].inode) = f->slots[i];
	}
	free(f->slots);
	f->slots = slots;
	f->slot_count = count;
}

/* The file's entry; inode must not be 0.  *fresh: the entry is new and has no id yet.  Valid until the next
 * call. */
static struct file_id *file_id_find(struct file_ids *f, uint64_t device, uint64_t inode, bool *fresh)
{
	struct file_id *file;

	if (f->count * 2 >= f->slot_count)
		file_ids_grow(f);
	file = file_ids_find_slot(f->slots, f->slot_count, device, inode);
	*fresh = !file->inode;
	if (*fresh) {
		*file = (struct file_id){ .device = device, .inode = inode };
		f->count++;
	}
	return file;
}

static void file_ids_free(struct file_ids *f)
{
	free(f->slots);
	*f = (struct file_ids){ 0 };
}

/* --- records --- */

enum { NAME_MAX_LEN = 4096 };

/* The fields of a PERF_RECORD_MMAP2. */
struct mmap2 {
	uint32_t pid, tid;
	uint64_t start, len, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
		struct {
			uint8_t id_len, reserved[3];
			uint8_t id[BUILD_ID_MAX];
		};
	};
	uint32_t protection, flags;
};

/* Add a record: its fields, a name padded with zeros to 8 bytes (none if NULL), and the trailer. */
static void synthesis_add(struct synthesis *s, uint32_t type, uint16_t misc, uint32_t pid, uint32_t tid,
			  const void *fields, size_t fields_len, const char *name, size_t name_len)
{
	static const char zeros[8];
	size_t padding = name ? 8 - name_len % 8 : 0;
	struct perf_event_header header = { .type = type, .misc = misc };
	struct recording_trailer trailer = { .pid = pid, .tid = tid, .id = s->id };

	header.size = (uint16_t)(sizeof(header) + fields_len + (name ? name_len : 0) + padding + sizeof(trailer));
	str_add(&s->out, (const char *)&header, sizeof(header));
	str_add(&s->out, fields, fields_len);
	if (name)
		str_add(&s->out, name, name_len);
	str_add(&s->out, zeros, padding);
	str_add(&s->out, (const char *)&trailer, sizeof(trailer));
}

static void synthesis_add_mmap2(struct synthesis *s, uint16_t misc, const struct mmap2 *m, const char *name, size_t len)
{
	synthesis_add(s, PERF_RECORD_MMAP2, misc, m->pid, m->tid, m, sizeof(*m), name,
		      len < NAME_MAX_LEN ? len : NAME_MAX_LEN);
}

void synthesis_free(struct synthesis *s)
{
	str_free(&s->out);
	file_ids_free(&s->files);
	*s = (struct synthesis){ 0 };
}

/* --- the kernel, its modules, and the CPUs --- */

/* Where the kernel's code begins: "ffffffff81000000 T _text" (or _stext); 0 when addresses are hidden.  The symbol
 * is among the first lines; reading all lines takes 50 ms. */
static uint64_t find_kernel_text(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char *line = NULL, *end;
	size_t cap = 0;
	uint64_t text = 0;

	while (f && getline(&line, &cap, f) > 0) {
		uint64_t address = strtoull(line, &end, 16);

		if (strlen(end) > 3 && (!strcmp(end + 3, "_text\n") || !strcmp(end + 3, "_stext\n"))) {
			text = address;
			break;
		}
	}
	if (f)
		fclose(f);
	free(line);
	return text;
}

/* "ext4 1015808 1 - Live 0xffffffffc0400000" */
static bool parse_module(const char *line, char name[64], uint64_t *size, uint64_t *start)
{
	return sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, name, size, start) == 3 && *start;
}

/* The size of the kernel: up to the modules above it, and 1 GB at most, as on x86-64.  The true end comes later in
 * kallsyms, and is not needed. */
static uint64_t kernel_size(uint64_t text, const char *modules)
{
	uint64_t size = 1 << 30, module_size, start;
	char name[64];

	if (!text)
		return 0;
	if (size > -text)
		size = -text;
	for (const char *line = modules; *line; line += strcspn(line, "\n") + 1) {
		if (parse_module(line, name, &module_size, &start) && start > text && start - text < size)
			size = start - text;
		if (!strchr(line, '\n'))
			break;
	}
	return size;
}

static void add_modules(struct synthesis *s, const char *modules)
{
	for (const char *line = modules; *line; line += strcspn(line, "\n") + 1) {
		struct mmap2 m = { .pid = (uint32_t)-1, .protection = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE };
		char name[64], bracketed[72];

		if (parse_module(line, name, &m.len, &m.start)) {
			int len = snprintf(bracketed, sizeof(bracketed), "[%s]", name);

			synthesis_add_mmap2(s, PERF_RECORD_MISC_KERNEL, &m, bracketed, (size_t)len);
		}
		if (!strchr(line, '\n'))
			break;
	}
}

void synthesize_kernel(struct synthesis *s)
{
	static const char name[] = "[kernel.kallsyms]_text";
	uint64_t text = find_kernel_text();
	struct str modules = { 0 };
	/* A PERF_RECORD_MMAP.  Its offset is the address of _text, which tells where the kernel was relocated at
	 * boot.  If addresses are hidden, the record only says that there is a kernel. */
	struct {
		uint32_t pid, tid;
		uint64_t start, len, offset;
	} kernel = { (uint32_t)-1, 0, text, 0, text };

	read_whole("/proc/modules", &modules);
	kernel.len = kernel_size(text, str_text(&modules));
	s->kernel_hidden = !text;
	synthesis_add(s, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, (uint32_t)-1, 0, &kernel, sizeof(kernel), name,
		      sizeof(name) - 1);
	add_modules(s, str_text(&modules));
	str_free(&modules);
}

/* A CPU_MAP record of type 0 (a list), as perf writes it.  Like all records that perf adds, it has no trailer. */
enum { PERF_RECORD_CPU_MAP = 74, CPU_MAP_LIST = 0, CPU_MAP_MAX = 30000 };

void synthesize_cpus(struct synthesis *s, const struct cpus *cpus)
{
	uint16_t count = (uint16_t)(cpus->count < CPU_MAP_MAX ? cpus->count : CPU_MAP_MAX);
	uint16_t list[2] = { CPU_MAP_LIST, count };
	size_t size = sizeof(struct perf_event_header) + sizeof(list) + count * sizeof(uint16_t);
	size_t padded = (size + 7) & ~(size_t)7;
	struct perf_event_header header = { .type = PERF_RECORD_CPU_MAP, .size = (uint16_t)padded };

	str_add(&s->out, (const char *)&header, sizeof(header));
	str_add(&s->out, (const char *)list, sizeof(list));
	for (size_t i = 0; i < count; i++) {
		uint16_t cpu = (uint16_t)cpus->list[i];

		str_add(&s->out, (const char *)&cpu, sizeof(cpu));
	}
	str_add(&s->out, "\0\0\0\0\0\0\0", padded - size);
}

/* --- mappings, and the build-ids of their files --- */

/* Open the mapped file itself, even if its name is gone, or belongs to another file in our mount namespace.  The first
 * way needs CAP_CHECKPOINT_RESTORE. */
static int open_mapped(const struct mmap2 *m, const char *path)
{
	struct str name = { 0 };
	struct stat info;
	int fd;

	str_addf(&name, "/proc/%u/map_files/%" PRIx64 "-%" PRIx64, m->pid, m->start, m->start + m->len);
	fd = open(name.buf, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		str_clear(&name);
		str_addf(&name, "/proc/%u/root%s", m->pid, path);
		fd = open(name.buf, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	str_free(&name);
	if (fd >= 0 && (fstat(fd, &info) || !S_ISREG(info.st_mode) || info.st_ino != m->inode)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static const struct file_id *synthesize_processes_find_file(struct synthesis *s, const struct mmap2 *m,
							    const char *path)
{
	uint64_t device = (uint64_t)m->major << 32 | m->minor;
	bool fresh;
	struct file_id *file = file_id_find(&s->files, device, m->inode, &fresh);
	int fd = fresh ? open_mapped(m, path) : -1;

	if (fd >= 0) {
		file->len = (uint8_t)elf_build_id(fd, file->id);
		close(fd);
	}
	return file;
}

/* --- processes and their threads, from /proc --- */

/* The kernel writes a newline in a name as \012. */
static size_t synthesize_processes_unescape(char *name)
{
	char *to = name;

	for (const char *from = name; *from;) {
		if (!strncmp(from, "\\012", 4)) {
			*to++ = '\n';
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
	return (size_t)(to - name);
}

static uint64_t synthesize_processes_parse_hex(char **text)
{
	uint64_t value = strtoull(*text, text, 16);

	if (**text)
		++*text; /* skip the '-', ':' or blank after the number */
	return value;
}

/* "7f1c2a600000-7f1c2a755000 r-xp 00026000 fe:01 1054  /usr/lib/libc.so.6" */
static void add_map_line(struct synthesis *s, struct mmap2 *m, char *line)
{
	uint16_t misc = PERF_RECORD_MISC_USER;
	size_t len;

	m->start = synthesize_processes_parse_hex(&line);
	m->len = synthesize_processes_parse_hex(&line) - m->start;
	if (strlen(line) < 5 || line[2] != 'x')
		return;
	m->protection = (line[0] == 'r' ? PROT_READ : 0u) | (line[1] == 'w' ? PROT_WRITE : 0u) | PROT_EXEC;
	m->flags = line[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	line += 5;
	m->offset = synthesize_processes_parse_hex(&line);
	m->major = (uint32_t)synthesize_processes_parse_hex(&line);
	m->minor = (uint32_t)synthesize_processes_parse_hex(&line);
	m->inode = strtoull(line, &line, 10);
	m->generation = 0;
	line += strspn(line, " ");
	len = synthesize_processes_unescape(line);
	if (m->inode) {
		const struct file_id *file = synthesize_processes_find_file(s, m, line);

		if (file->len) {
			memset(&m->major, 0, 24);
			m->id_len = file->len;
			memcpy(m->id, file->id, file->len);
			misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		}
	}
	if (len)
		synthesis_add_mmap2(s, misc, m, line, len);
	else
		synthesis_add_mmap2(s, misc, m, "//anon", 6); /* the kernel's name for such a mapping */
}

static void add_maps(struct synthesis *s, pid_t pid)
{
	struct str text = { 0 };
	char *line, *end;

	read_process(pid, "maps", &text);
	for (line = text.buf; line && (end = strchr(line, '\n')); line = end + 1) {
		struct mmap2 m = { .pid = (uint32_t)pid, .tid = (uint32_t)pid };

		*end = '\0';
		add_map_line(s, &m, line);
	}
	str_free(&text);
}

static void add_comm(struct synthesis *s, pid_t pid, pid_t tid)
{
	uint32_t fields[] = { (uint32_t)pid, (uint32_t)tid };
	struct str name = { 0 };

	if (read_comm(pid, tid, &name))
		synthesis_add(s, PERF_RECORD_COMM, 0, fields[0], fields[1], fields, sizeof(fields), str_text(&name),
			      name.len);
	str_free(&name);
}

/* A PERF_RECORD_FORK, marked so that the process inherits nothing from its parent, since it has records of its own. */
static void synthesize_processes_add_fork(struct synthesis *s, pid_t pid, pid_t tid, pid_t parent)
{
	struct {
		uint32_t pid, parent_pid, tid, parent_tid;
		uint64_t time;
	} fork = { (uint32_t)pid, (uint32_t)parent, (uint32_t)tid, (uint32_t)parent, 0 };

	synthesis_add(s, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, fork.pid, fork.tid, &fork, sizeof(fork), NULL,
		      0);
}

static void synthesize_processes_add_process(struct synthesis *s, pid_t pid)
{
	struct pids tids = { 0 };
	pid_t parent;
	char state;

	if (!read_stat(pid, &state, &parent) || pids_read_threads(&tids, pid))
		return; /* the process has ended meanwhile */
	synthesize_processes_add_fork(s, pid, pid, parent);
	add_comm(s, pid, pid);
	add_maps(s, pid);
	for (size_t i = 0; i < tids.count; i++) {
		if (tids.list[i] == pid)
			continue;
		synthesize_processes_add_fork(s, pid, tids.list[i], pid);
		add_comm(s, pid, tids.list[i]);
	}
	pids_free(&tids);
}

void synthesize_processes(struct synthesis *s, const struct pids *pids)
{
	struct pids all = { 0 };

	if (!pids) {
		pids_read(&all, "/proc");
		pids = &all;
	}
	for (size_t i = 0; i < pids->count; i++)
		synthesize_processes_add_process(s, pids->list[i]);
	pids_free(&all);
}
