#include "collect/java/java_maps.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/jvm/attach.h"
#include "collect/machine/anchors.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/symbols/jit/jit_open.h"
#include "core/symbols/space/process_root.h"

/* Code is replaced all the time, but the JVM takes some 20 ms to write a map of 10,000 methods. */
#define ASK_AGAIN_NS UINT64_C(5000000000)

enum { WRITES_MAPS = 17 };

struct java_map {
	int pid;
	bool wanted;   /* the JVM is asked again and again, as long as it answers */
	bool answered; /* it has answered at least once */
	bool is_late;  /* the process did not exist at the beginning */
	bool is_ours;  /* there was no map before, so this one is ours */
	bool readable;
	struct jvm jvm; /* if its memory is readable */
	struct attach attach;
	uint64_t asked_ns;
	struct timespec written; /* mtime of the map at the JVM's last answer */
	int tmp;                 /* the process's /tmp, which we can use after its end; -1: unknown */
	char name[32];           /* name of the map in /tmp */
};

/* Does the process have a map already?  Agents write better maps than we get, so theirs are left alone. */
static bool has_map(int pid)
{
	const char *why;
	int fd = jit_open(pid, NULL, 0, &why);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool keeps_frame_pointers(const struct jvm *jvm)
{
	uint64_t value;

	return vm_flag(jvm->tables, &jvm->remote, "PreserveFramePointer", &value) && (value & 0xff);
}

static bool is_too_old(const struct jvm *jvm)
{
	int version = jvm_version(jvm);

	return version && version < WRITES_MAPS;
}

/* Do we have to ask this process?  is_jvm: it maps HotSpot's library. */
static bool java_maps_is_wanted(const struct java_maps *m, const struct java_map *map, bool is_jvm)
{
	if (!is_jvm || m->way == JVM_OFF || m->way == JVM_VMSTRUCTS)
		return false;
	if (m->way == JVM_PERFMAP)
		return true;
	if (has_map(map->pid))
		return false;
	return !map->readable || (!m->walked && keeps_frame_pointers(&map->jvm));
}

static void java_maps_give_up(struct java_map *map, const char *why)
{
	if (!map->answered && jit_maker_lives(map->pid))
		inform("process %d: no perf map of its Java code: %s", map->pid, why);
	map->wanted = false;
}

static void java_maps_ask(struct java_map *map)
{
	const char *why;

	if (map->readable && is_too_old(&map->jvm)) {
		java_maps_give_up(map, "only Java 17 and newer write one");
		return;
	}
	map->asked_ns = monotonic_ns();
	if (attach_begin(&map->attach, map->pid, map->readable ? &map->jvm : NULL, "jcmd", "Compiler.perfmap", &why))
		java_maps_give_up(map, why);
}

static struct java_map *java_maps_find(const struct java_maps *m, int pid)
{
	for (size_t i = 0; i < m->count; i++) {
		if (m->list[i].pid == pid)
			return &m->list[i];
	}
	return NULL;
}

static bool is_root(const struct java_maps *m, pid_t pid)
{
	for (size_t i = 0; i < m->roots->count; i++) {
		if (m->roots->list[i] == pid)
			return true;
	}
	return m->command && pid == m->command;
}

/* Is the process recorded?  An orphan, which has another parent, is not recognised. */
static bool is_recorded(const struct java_maps *m, pid_t pid)
{
	enum { GENERATIONS_MAX = 64 };
	pid_t parent;
	char state;

	for (int i = 0; !m->everybody && i < GENERATIONS_MAX && pid > 1 && !is_root(m, pid); i++)
		pid = read_stat(pid, &state, &parent) ? parent : 0;
	return m->everybody || is_root(m, pid);
}

static void java_maps_add(struct java_maps *m, int pid, bool is_late)
{
	struct java_map *map;
	const char *why;
	struct runtime_file lib;

	if (m->way == JVM_OFF || m->way == JVM_VMSTRUCTS || java_maps_find(m, pid))
		return;
	m->list = xgrow(m->list, &m->cap, m->count + 1, sizeof(*m->list));
	map = &m->list[m->count++];
	*map = (struct java_map){ .pid = pid, .is_late = is_late, .tmp = -1 };
	if (!is_recorded(m, pid))
		return;
	map->readable = !jvm_open(&map->jvm, pid, &why);
	map->wanted = java_maps_is_wanted(m, map, map->readable || libjvm_find(pid, &lib) || lib.start);
	if (!map->wanted)
		return;
	if (m->way == JVM_CHOOSE && map->readable)
		inform("process %d is a JVM with frame pointers, and stacks are not walked: asking it for a map of its "
		       "code",
		       pid);
	map->is_ours = !has_map(pid);
	map->tmp = process_root_open(pid, "/tmp");
	snprintf(map->name, sizeof(map->name), "perf-%d.map", jit_own_pid(pid));
	java_maps_ask(map);
}

/* Get the map's status, if the map exists and is a file, not a link. */
static bool java_maps_find_file(const struct java_map *map, struct stat *st)
{
	return map->tmp >= 0 && !fstatat(map->tmp, map->name, st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st->st_mode);
}

/* Has somebody else, such as a new agent, written the map since? */
static bool is_taken_over(const struct java_map *map)
{
	struct stat st;

	return map->answered && java_maps_find_file(map, &st) &&
	       (st.st_mtim.tv_sec != map->written.tv_sec || st.st_mtim.tv_nsec != map->written.tv_nsec);
}

static void note_answer(struct java_map *map)
{
	struct stat st;

	map->answered = true;
	if (java_maps_find_file(map, &st))
		map->written = st.st_mtim;
}

static void java_maps_take(struct java_map *map, bool wait)
{
	enum attach_state state;

	if (map->attach.child <= 0)
		return;
	state = wait ? attach_wait(&map->attach) : attach_take(&map->attach);
	if (state == ATTACH_WAITS)
		return;
	if (state == ATTACH_ANSWERED)
		note_answer(map);
	else
		java_maps_give_up(map, str_text(&map->attach.text));
	attach_end(&map->attach);
}

static void java_maps_take_all(struct java_maps *m, bool wait)
{
	for (size_t i = 0; i < m->count; i++)
		java_maps_take(&m->list[i], wait);
}

static void ask_again(struct java_maps *m, uint64_t before_ns)
{
	for (size_t i = 0; i < m->count; i++) {
		struct java_map *map = &m->list[i];

		if (!map->wanted || map->attach.child || map->asked_ns >= before_ns)
			continue;
		if (map->is_ours && is_taken_over(map))
			map->wanted = false;
		else
			java_maps_ask(map);
	}
}

void java_maps_begin(struct java_maps *m, const struct pids *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		java_maps_add(m, processes->list[i], false);
	java_maps_take_all(m, true);
}

void java_maps_look(struct java_maps *m, const struct jit_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		if (!files->items[i].path)
			java_maps_add(m, files->items[i].pid, true);
	}
	java_maps_take_all(m, false);
	ask_again(m, monotonic_ns() - ASK_AGAIN_NS);
}

int java_maps_latecomer(const struct java_maps *m)
{
	for (size_t i = 0; i < m->count && !m->walked; i++) {
		if (m->list[i].is_late && m->list[i].readable && !m->list[i].answered && !has_map(m->list[i].pid))
			return m->list[i].pid;
	}
	return 0;
}

void java_maps_finish(struct java_maps *m)
{
	java_maps_take_all(m, true);
	ask_again(m, UINT64_MAX);
	java_maps_take_all(m, true);
}

static void java_maps_release(struct java_map *map)
{
	struct stat st;

	attach_end(&map->attach);
	if (map->answered && map->is_ours && java_maps_find_file(map, &st) && !is_taken_over(map))
		unlinkat(map->tmp, map->name, 0);
	if (map->tmp >= 0)
		close(map->tmp);
	if (map->readable)
		jvm_close(&map->jvm);
}

void java_maps_forget(struct java_maps *m, const struct living *living)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->count; i++) {
		if (living_has(living, m->list[i].pid, 0))
			m->list[kept++] = m->list[i];
		else
			java_maps_release(&m->list[i]);
	}
	m->count = kept;
}

void java_maps_free(struct java_maps *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++)
		java_maps_release(&m->list[i]);
	free(m->list);
	*m = (struct java_maps){ 0 };
}
