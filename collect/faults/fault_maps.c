#include "collect/faults/fault_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bpf/faults.h"
#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/space/process_root.h"
#include "core/wallclock.h"

enum { REST = 9 /* times a reading's time */ };

struct map_line {
	uint64_t start, end, inode;
	const char *path; /* to the end of the line */
	size_t len;
};

/* ---- asking for one address ------------------------------------------------------------- */

/* struct procmap_query and PROCMAP_QUERY of <linux/fs.h>, since Linux 6.11. */
struct query {
	uint64_t size, flags, address;
	uint64_t start, end, vma_flags, page_size, offset, inode;
	uint32_t device_major, device_minor;
	uint32_t name_size, build_id_size; /* with the NUL */
	uint64_t name, build_id;           /* addresses of buffers */
};

#define QUERY _IOWR('f', 17, struct query)

/* Ask the kernel what the process has mapped at the address.  Returns 0 or an errno. */
static int fault_maps_ask(int pid, uint64_t address, char *name, size_t name_size, struct query *q)
{
	char path[64];
	int fd, err = 0;

	*q = (struct query){ .size = sizeof(*q), .address = address, .name_size = (uint32_t)name_size };
	q->name = (uintptr_t)name;
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (ioctl(fd, QUERY, q))
		err = errno;
	close(fd);
	return err;
}

/* ---- which file it is ------------------------------------------------------------------- */

/* Does the file of this path have this name?  The kernel adds " (deleted)". */
static bool fault_maps_is_called(const char *path, size_t len, const char *name)
{
	size_t name_len = strlen(name), begin = len;

	while (begin && path[begin - 1] != '/')
		begin--;
	if (!name_len || len - begin < name_len || memcmp(path + begin, name, name_len))
		return false;
	begin += name_len;
	return begin == len || name_len == FAULTS_NAME - 1 ||
	       (len - begin == strlen(" (deleted)") && !memcmp(path + begin, " (deleted)", len - begin));
}

/* Append it as the process sees it. */
static void fault_maps_add_path(const struct fault_place *place, const char *path, size_t len, struct str *out)
{
	size_t root = process_root_length((int)place->pid, path, len);

	str_add(out, path + root, len - root);
}

static bool find_by_asking(struct fault_maps *m, const struct fault_place *place, struct str *path)
{
	char name[PATH_MAX];
	struct query q;
	size_t len;
	int err;

	if (m->cannot_ask || !place->pid)
		return false;
	err = fault_maps_ask(place->pid, place->address, name, sizeof(name), &q);
	m->cannot_ask = err == ENOTTY;
	if (err || !q.name_size)
		return false;
	m->asked++;
	len = strnlen(name, q.name_size);
	if (q.inode != place->inode && !fault_maps_is_called(name, len, place->name))
		return false;
	fault_maps_add_path(place, name, len, path);
	return true;
}

/* ---- all of them ------------------------------------------------------------------------ */

/* A line of /proc/PID/maps (proc_pid_maps(5)).  Returns false for memory without a file. */
static bool fault_maps_read_line(const char *line, size_t len, struct map_line *m)
{
	char text[256];
	int at = 0;

	snprintf(text, sizeof(text), "%.*s", (int)len, line);
	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %" SCNu64 " %n", &m->start, &m->end, &m->inode, &at) <
		    3 ||
	    !m->inode || !at || (size_t)at >= len)
		return false;
	m->path = line + at;
	m->len = len - (size_t)at;
	return true;
}

static void fault_maps_forget(struct fault_maps *m)
{
	str_clear(&m->text);
	m->count = 0;
	intern_free(&m->inodes);
}

static void fault_maps_add_line(struct fault_maps *m, const struct map_line *line)
{
	uint32_t i = intern_add(&m->inodes, (const char *)&line->inode, sizeof(line->inode));

	m->line_of = xgrow(m->line_of, &m->inode_cap, m->inodes.count, sizeof(*m->line_of));
	m->line_of[i] = (uint32_t)m->count;
	m->lines = xgrow(m->lines, &m->cap, m->count + 1, sizeof(*m->lines));
	m->lines[m->count++] = *line;
}

static void fault_maps_read_all(struct fault_maps *m, int pid)
{
	uint64_t begin_ns = monotonic_ns(), now_ns;
	struct map_line line;

	fault_maps_forget(m);
	m->pid = pid;
	m->reads++;
	read_process(pid, "maps", &m->text);
	for (const char *at = str_text(&m->text), *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "\n");
		if (fault_maps_read_line(at, (size_t)(end - at), &line))
			fault_maps_add_line(m, &line);
	}
	now_ns = monotonic_ns();
	m->rest_until_ns = now_ns + REST * (now_ns - begin_ns);
}

static const struct map_line *fault_maps_line_at(const struct fault_maps *m, uint64_t address)
{
	size_t i = FIRST_NOT(k, m->count, m->lines[k].end <= address);

	return i < m->count && m->lines[i].start <= address ? &m->lines[i] : NULL;
}

/* fresh: the maps were read just for this page, so that the address alone may decide. */
static bool find_in_all(const struct fault_maps *m, const struct fault_place *place, bool fresh, struct str *path)
{
	uint32_t i = intern_find(&m->inodes, (const char *)&place->inode, sizeof(place->inode));
	const struct map_line *line =
		i == UINT32_MAX ? fault_maps_line_at(m, place->address) : &m->lines[m->line_of[i]];

	if (m->pid != place->pid || !line ||
	    (i == UINT32_MAX && !fresh && !fault_maps_is_called(line->path, line->len, place->name)))
		return false;
	fault_maps_add_path(place, line->path, line->len, path);
	return true;
}

enum fault_maps_answer fault_maps_path(struct fault_maps *m, const struct fault_place *place, struct str *path)
{
	if (find_by_asking(m, place, path) || find_in_all(m, place, false, path))
		return FAULT_MAPS_FOUND;
	if (!place->pid)
		return FAULT_MAPS_NONE;
	if (monotonic_ns() < m->rest_until_ns)
		return FAULT_MAPS_LATER;
	fault_maps_read_all(m, place->pid);
	return find_in_all(m, place, true, path) ? FAULT_MAPS_FOUND : FAULT_MAPS_NONE;
}

void fault_maps_free(struct fault_maps *m)
{
	str_free(&m->text);
	intern_free(&m->inodes);
	free(m->lines);
	free(m->line_of);
	*m = (struct fault_maps){ 0 };
}
