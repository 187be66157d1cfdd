#include "collect/lanes/lane_diag.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "core/memory.h"
#include "core/wallclock.h"

enum {
	CGROUP_DEPTH_MAX = 32,
	SPACES_MAX = 256,
	SCAN_NS = 100000000,  /* the least time between two scans, ... */
	DUMP_NS = 1000000000, /* ... dumps at most, if ... */
	SHARE = 50,           /* ... and take no more than one part in this many of a CPU */
};

/* ---- which processes ---- */

static bool diag_has_all(const struct lane_diag *d)
{
	return !d->rules.targets && !d->rules.command && !d->rules.cgroup;
}

static void diag_add_line(struct map *targets, const char *line)
{
	unsigned long pid = strtoul(line, NULL, 10);

	if (pid)
		*map_at(targets, pid, 0) = 1;
}

/* The processes of a control group and of the groups below it. */
static void diag_add_group(struct map *targets, const char *directory, int depth)
{
	struct str path = { 0 }, text = { 0 };
	struct dirent *entry;
	DIR *groups = depth < CGROUP_DEPTH_MAX ? opendir(directory) : NULL;

	str_addf(&path, "%s/cgroup.procs", directory);
	read_whole(path.buf, &text);
	for (const char *line = text.len ? text.buf : NULL; line && *line; line = strchr(line, '\n') + 1) {
		diag_add_line(targets, line);
		if (!strchr(line, '\n'))
			break;
	}
	while (groups && (entry = readdir(groups))) {
		if (entry->d_type != DT_DIR || *entry->d_name == '.')
			continue;
		str_clear(&path);
		str_addf(&path, "%s/%s", directory, entry->d_name);
		diag_add_group(targets, path.buf, depth + 1);
	}
	if (groups)
		closedir(groups);
	str_free(&path);
	str_free(&text);
}

static bool diag_has_parent(const struct map *targets, pid_t pid)
{
	pid_t parent;
	char state;

	return read_stat(pid, &state, &parent) && map_get(targets, (uint64_t)parent, 0);
}

/* now: the targets found by this scan; a process that was a target in the last scan remains one. */
static bool diag_is_target(const struct lane_diag *d, const struct map *now, pid_t pid)
{
	if (diag_has_all(d))
		return true;
	if (d->rules.is_target && !d->cgroup.path.len)
		return d->rules.is_target(pid);
	return map_get(&d->targets, (uint64_t)pid, 0) || map_get(now, (uint64_t)pid, 0) ||
	       (d->rules.inherit && !map_get(&d->others, (uint64_t)pid, 0) && diag_has_parent(now, pid));
}

/* ---- namespaces ---- */

static void diag_add_space(struct lane_diag *d, uint64_t inode, int fd)
{
	d->spaces = xgrow(d->spaces, &d->space_cap, d->space_count + 1, sizeof(*d->spaces));
	d->spaces[d->space_count++] = (struct lane_diag_space){ .inode = inode, .fd = fd };
}

static uint64_t diag_space_of(const char *path)
{
	struct stat info;

	return stat(path, &info) ? 0 : info.st_ino;
}

static void diag_find_space(struct lane_diag *d, pid_t pid)
{
	char path[64];
	uint64_t inode;

	snprintf(path, sizeof(path), "/proc/%d/ns/net", (int)pid);
	inode = diag_space_of(path);
	for (size_t i = 0; i < d->space_count; i++) {
		if (d->spaces[i].inode != inode)
			continue;
		if (d->spaces[i].fd == -EAGAIN) /* an answer did not come */
			d->spaces[i].fd = socket_diag_open(pid);
		return;
	}
	if (inode && d->space_count < SPACES_MAX)
		diag_add_space(d, inode, socket_diag_open(pid));
}

size_t lane_diag_closed_spaces(const struct lane_diag *d)
{
	size_t closed = 0;

	for (size_t i = 0; i < d->space_count; i++)
		closed += d->spaces[i].fd == -EPERM;
	return closed;
}

/* ---- who has which socket ---- */

/* "socket:[12345]" */
static void diag_note_file(struct lane_diag *d, int directory, const char *name, pid_t pid)
{
	char link[64], *end;
	ssize_t n = readlinkat(directory, name, link, sizeof(link) - 1);
	unsigned long long inode;

	if (n < 10 || strncmp(link, "socket:[", 8) != 0)
		return;
	link[n] = '\0';
	inode = strtoull(link + 8, &end, 10);
	if (*end != ']' || !inode)
		return;
	*map_at(&d->owners, inode, 0) = (uint32_t)pid;
	for (int i = 0; i < DIAG_PROTOCOLS; i++)
		d->protocols[i].has_new |= !map_get(&d->protocols[i].asked, inode, 0);
}

static void diag_note_files(struct lane_diag *d, pid_t pid)
{
	struct dirent *entry;
	char path[64];
	DIR *files;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	files = opendir(path);
	while (files && (entry = readdir(files)))
		diag_note_file(d, dirfd(files), entry->d_name, pid);
	if (files)
		closedir(files);
}

static int diag_by_number(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static void diag_scan(struct lane_diag *d)
{
	struct map targets = { 0 }, others = { 0 };
	struct pids pids = { 0 };

	map_free(&d->owners);
	if (d->cgroup.path.len)
		diag_add_group(&targets, d->cgroup.path.buf, 0);
	pids_read(&pids, "/proc");
	if (pids.count)
		qsort(pids.list, pids.count, sizeof(*pids.list), diag_by_number); /* mostly, parents come first */
	for (size_t i = 0; i < pids.count; i++) {
		bool is = diag_is_target(d, &targets, pids.list[i]);

		*map_at(is ? &targets : &others, (uint64_t)pids.list[i], 0) = 1;
		if (is) {
			diag_find_space(d, pids.list[i]);
			diag_note_files(d, pids.list[i]);
		}
	}
	pids_free(&pids);
	map_free(&d->targets);
	map_free(&d->others);
	d->targets = targets; /* pids of processes that have ended are reused */
	d->others = others;
}

/* ---- sockets ---- */

static const uint8_t diag_protocols[DIAG_PROTOCOLS] = { IPPROTO_TCP, IPPROTO_UDP };

static void diag_take_known(void *lane_diag, const struct diag_socket *s)
{
	struct lane_diag *d = lane_diag;
	struct lane_socket lane = s->lane;

	lane.pid = map_get(&d->owners, s->inode, 0);
	lane.id ^= d->space->inode << 48; /* before Linux 5.10, cookies are unique within a namespace only */
	d->take(d->context, &lane);
}

static void diag_take_any(void *lane_diag, const struct diag_socket *s)
{
	struct lane_diag *d = lane_diag;
	struct diag_sockets *known = &d->space->known[d->protocol];

	if (!map_get(&d->owners, s->inode, 0) && !diag_has_all(d))
		return;
	known->list = xgrow(known->list, &known->cap, known->count + 1, sizeof(*known->list));
	known->list[known->count++] = *s;
	diag_take_known(d, s);
}

/* Close the socket, so that late answers are not taken for answers to the next question; the next scan opens it
 * again. */
static void diag_close_space(struct lane_diag_space *space)
{
	close(space->fd);
	space->fd = -EAGAIN;
	for (int i = 0; i < DIAG_PROTOCOLS; i++)
		space->known[i].count = 0;
}

static void diag_note_asked(const struct map *owners, struct map *asked)
{
	map_free(asked);
	for (size_t i = 0; i < owners->entry_count; i++) {
		if (owners->entries[i].value)
			*map_at(asked, owners->entries[i].a, 0) = 1;
	}
}

static void diag_dump(struct lane_diag *d)
{
	for (d->space = d->spaces; d->space < d->spaces + d->space_count; d->space++) {
		d->space->known[d->protocol].count = 0;
		if (d->space->fd >= 0 && socket_diag_dump(d->space->fd, diag_protocols[d->protocol], diag_take_any, d))
			diag_close_space(d->space);
	}
	diag_note_asked(&d->owners, &d->protocols[d->protocol].asked);
	d->protocols[d->protocol].has_new = false;
}

static void diag_ask(struct lane_diag *d)
{
	for (d->space = d->spaces; d->space < d->spaces + d->space_count; d->space++) {
		const struct diag_sockets *known = &d->space->known[d->protocol];

		if (d->space->fd >= 0 && socket_diag_ask(d->space->fd, known->list, known->count, diag_take_known, d))
			diag_close_space(d->space);
	}
}

/* ---- a look ---- */

static uint64_t thread_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

/* Do the work, unless it is too early, given the CPU time that it took the last time. */
static bool diag_turn(struct lane_diag *d, struct lane_diag_turn *turn, void (*act)(struct lane_diag *d))
{
	uint64_t now_ns = monotonic_ns(), cpu_ns;

	if (now_ns < turn->from_ns) {
		turn->put_off++;
		return false;
	}
	cpu_ns = thread_cpu_ns();
	act(d);
	turn->last_ns = now_ns;
	turn->from_ns = now_ns + (thread_cpu_ns() - cpu_ns) * SHARE;
	turn->done++;
	return true;
}

static bool diag_is_due(const struct lane_diag_turn *turn, uint64_t every_ns)
{
	return !turn->done || monotonic_ns() >= turn->last_ns + every_ns;
}

void lane_diag_look(struct lane_diag *d, void (*take)(void *context, const struct lane_socket *s), void *context)
{
	d->take = take;
	d->context = context;
	if (diag_is_due(&d->scan, SCAN_NS))
		diag_turn(d, &d->scan, diag_scan);
	for (d->protocol = 0; d->protocol < DIAG_PROTOCOLS; d->protocol++) {
		struct lane_diag_protocol *p = &d->protocols[d->protocol];
		bool wants_dump = p->has_new || diag_has_all(d) || diag_is_due(&p->dump, DUMP_NS);

		if (!wants_dump || !diag_turn(d, &p->dump, diag_dump))
			diag_turn(d, &p->look, diag_ask);
	}
}

uint64_t lane_diag_put_off(const struct lane_diag *d)
{
	uint64_t looks = 0;

	for (int i = 0; i < DIAG_PROTOCOLS; i++)
		looks = d->protocols[i].look.put_off > looks ? d->protocols[i].look.put_off : looks;
	return looks;
}

/* ---- begin and end ---- */

const char *lane_diag_begin(struct lane_diag *d, const struct lane_diag_rules *rules)
{
	int fd = socket_diag_open(0);

	d->rules = *rules;
	if (fd < 0)
		return strerror(-fd);
	if (rules->cgroup && cgroup_find(rules->cgroup, &d->cgroup)) {
		close(fd);
		return "the control group is not there";
	}
	diag_add_space(d, diag_space_of("/proc/self/ns/net"), fd);
	for (size_t i = 0; rules->targets && i < rules->targets->processes.count; i++)
		*map_at(&d->targets, (uint64_t)rules->targets->processes.list[i], 0) = 1;
	if (rules->command)
		*map_at(&d->targets, (uint64_t)rules->command, 0) = 1;
	return NULL;
}

void lane_diag_free(struct lane_diag *d)
{
	for (size_t i = 0; i < d->space_count; i++) {
		if (d->spaces[i].fd >= 0)
			close(d->spaces[i].fd);
		for (int k = 0; k < DIAG_PROTOCOLS; k++)
			free(d->spaces[i].known[k].list);
	}
	free(d->spaces);
	map_free(&d->targets);
	map_free(&d->others);
	map_free(&d->owners);
	for (int i = 0; i < DIAG_PROTOCOLS; i++)
		map_free(&d->protocols[i].asked);
	cgroup_found_free(&d->cgroup);
	*d = (struct lane_diag){ 0 };
}
