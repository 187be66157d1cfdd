#include "collect/recording/synthesize_processes.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- build-ids ---- */

/* Open the mapped file itself, even if its name is gone or means another file in our mount namespace.  The first
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

/* ---- processes ---- */

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

/* A PERF_RECORD_FORK, marked so that the process inherits nothing from its parent: it has records of its own. */
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
