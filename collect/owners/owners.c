#include "collect/owners/owners.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/anchors.h"
#include "collect/machine/cgroup.h"
#include "collect/machine/procfs.h"
#include "collect/owners/group_limit.h"
#include "collect/owners/group_names.h"
#include "core/memory.h"
#include "core/wallclock.h"

enum {
	READS_A_SECOND = 500, /* some 20 us each */
	READS_MOST = 5000,    /* maximum of reads at once, for the processes that run at the start */
};

#define NO_GROUP UINT32_MAX

/* From since_ns on, the process is in this group. */
struct owned_process {
	int pid, parent;
	uint64_t since_ns; /* CLOCK_MONOTONIC; 0: since before the recording */
	uint32_t group;    /* NO_GROUP: unknown */
	bool moves;        /* its children go into other groups */
};

/* ---- groups ----------------------------------------------------------------------- */

/* "0::/system.slice/a.service", "1:name=systemd:/a", "4:memory:/docker/5f.." */
size_t owners_group_path(const char *text, const char **path)
{
	enum { NONE, LONGEST, CPU, SYSTEMD, UNIFIED } best = NONE;
	size_t best_len = 0;
	struct cgroup_line line;

	while (cgroup_next(&text, &line)) {
		int rank = LONGEST;

		if (line.path_len <= 1) /* the root: another hierarchy may tell more */
			rank = NONE;
		else if (!line.controllers_len)
			rank = UNIFIED;
		else if (cgroup_has_controller(&line, "name=systemd"))
			rank = SYSTEMD;
		else if (cgroup_has_controller(&line, "cpu"))
			rank = CPU;
		if (!best_len || rank > (int)best || (rank == LONGEST && best == LONGEST && line.path_len > best_len)) {
			best = rank;
			best_len = line.path_len;
			*path = line.path;
		}
	}
	return best_len;
}

/* In version 1, a process that has ended is in the root group until its parent waits for it. */
static bool owners_has_ended(int pid)
{
	pid_t parent;
	char state;

	return !read_stat(pid, &state, &parent) || state == 'Z' || state == 'X';
}

/* The number of a process's group; NO_GROUP: the process is gone, or its group was not read. */
static uint32_t owners_read_group(struct owners *o, int pid)
{
	struct str text = { 0 };
	const char *path = NULL;
	uint32_t group = NO_GROUP;
	size_t len;

	if (!o->allowed) {
		o->unread++;
		return NO_GROUP;
	}
	o->allowed--;
	len = read_process(pid, "cgroup", &text) ? 0 : owners_group_path(str_text(&text), &path);
	if (len > 1 || (len && !owners_has_ended(pid))) {
		group = intern_add(&o->groups, path, len);
		if (group >= o->name_count) {
			o->names = xgrow(o->names, &o->name_cap, group + 1, sizeof(*o->names));
			o->names[group] = (struct str){ 0 };
			group_names_add(group_names_root(), intern_text(&o->groups, group), pid, group,
					&o->names[group]);
			group_limit_add(str_text(&text), "/sys/fs/cgroup", group, &o->names[group]);
			o->name_count = group + 1;
		}
	}
	str_free(&text);
	return group;
}

/* ---- processes -------------------------------------------------------------------- */

static struct owned_process *owners_find(const struct owners *o, int pid)
{
	uint32_t place = map_get(&o->by_pid, (uint64_t)pid, 0);

	return place ? &o->processes[place - 1] : NULL;
}

static void owners_add(struct owners *o, struct owned_process process)
{
	o->processes = xgrow(o->processes, &o->cap, o->count + 1, sizeof(*o->processes));
	o->processes[o->count++] = process;
	*map_at(&o->by_pid, (uint64_t)process.pid, 0) = (uint32_t)o->count;
}

static uint32_t owners_inherited(const struct owners *o, int parent)
{
	const struct owned_process *p = owners_find(o, parent);

	return p && !p->moves ? p->group : NO_GROUP;
}

/* A record names a process, or says that it executes a program. */
static void owners_note_program(struct owners *o, int pid, bool exec, uint64_t time_ns)
{
	struct owned_process *known = owners_find(o, pid), *parent;
	uint32_t group;

	if (known && !exec)
		return;
	group = owners_read_group(o, pid);
	if (!known) {
		owners_add(o, (struct owned_process){ .pid = pid, .since_ns = exec ? time_ns : 0, .group = group });
		return;
	}
	parent = owners_find(o, known->parent);
	if (group == NO_GROUP) {
		if (parent && parent->moves)
			known->group = NO_GROUP;
	} else if (group != known->group) {
		if (parent && parent->group != group)
			parent->moves = true;
		owners_add(o, (struct owned_process){ pid, known->parent, time_ns, group, false });
	}
}

static void owners_look_at(void *argument, const uint8_t *record, uint32_t type)
{
	struct owners *o = argument;
	struct perf_event_header header;
	struct {
		uint32_t pid, other, tid;
	} f;
	uint64_t time_ns;

	memcpy(&header, record, sizeof(header));
	if ((type != PERF_RECORD_FORK && type != PERF_RECORD_COMM) || header.size < sizeof(header) + sizeof(f))
		return;
	memcpy(&f, record + sizeof(header), sizeof(f));
	time_ns = records_time(record, header.size);
	if (time_ns <= o->repeated_ns && owners_find(o, (int)f.pid))
		return;
	o->last_ns = time_ns > o->last_ns ? time_ns : o->last_ns;
	if (type == PERF_RECORD_COMM) { /* pid tid */
		if (f.pid && f.pid == f.other)
			owners_note_program(o, (int)f.pid, header.misc & PERF_RECORD_MISC_COMM_EXEC, time_ns);
	} else if (f.pid != f.other && !(header.misc & PERF_RECORD_MISC_FORK_EXEC)) { /* pid ppid tid */
		owners_add(o, (struct owned_process){ (int)f.pid, (int)f.other, time_ns,
						      owners_inherited(o, (int)f.other), false });
	}
}

void owners_begin_window(struct owners *o)
{
	o->records.seen = 0;
	o->repeated_ns = o->last_ns;
}

void owners_update(struct owners *o, const char *path, uint64_t size)
{
	uint64_t now_ns = monotonic_ns();

	o->allowed = o->allowed_ns ? o->allowed + (now_ns - o->allowed_ns) * READS_A_SECOND / NS_PER_SEC : READS_MOST;
	if (o->allowed > READS_MOST)
		o->allowed = READS_MOST;
	o->allowed_ns = now_ns;
	new_records_read(&o->records, path, size, owners_look_at, o);
}

void owners_format(const struct owners *o, struct str *out)
{
	for (uint32_t i = 0; i < o->name_count; i++) {
		size_t at = out->len;

		str_addf(out, "group %u %s", i, intern_text(&o->groups, i));
		for (; at < out->len; at++)
			out->buf[at] = out->buf[at] == '\n' ? '?' : out->buf[at];
		str_addc(out, '\n');
		str_add(out, str_text(&o->names[i]), o->names[i].len);
	}
	for (size_t i = 0; i < o->count; i++) {
		const struct owned_process *p = &o->processes[i];

		if (p->group == NO_GROUP)
			str_addf(out, "process %d %llu -\n", p->pid, (unsigned long long)p->since_ns);
		else
			str_addf(out, "process %d %llu %u\n", p->pid, (unsigned long long)p->since_ns, p->group);
	}
}

void owners_forget(struct owners *o, const struct living *living)
{
	size_t count = o->count;

	map_free(&o->by_pid);
	o->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (living_has(living, o->processes[i].pid, 0))
			owners_add(o, o->processes[i]);
	}
}

void owners_free(struct owners *o)
{
	for (size_t i = 0; i < o->name_count; i++)
		str_free(&o->names[i]);
	free(o->names);
	free(o->processes);
	intern_free(&o->groups);
	map_free(&o->by_pid);
	*o = (struct owners){ 0 };
}
