#include "collect/sampling/live_stack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "core/format/chain.h"
#include "core/format/recording.h"
#include "core/symbols/names/demangle.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"
#include "core/symbols/space/spaces.h"
#include "core/utf8.h"
#include "core/wallclock.h"

enum { FRAMES_MAX = 254 };

struct live_stack {
	struct modules modules;
	struct spaces spaces;
	struct places places;
	uint64_t addresses[FRAMES_MAX]; /* leaf first */
	uint32_t frames[FRAMES_MAX];    /* index of the place << 1 | whether it is in the kernel */
	size_t count;
};

/* 7f3fe7200000-7f3fe7228000 r-xp 00028000 fe:01 131116   /usr/lib/libc.so.6 */
static void read_mapping(struct live_stack *s, int pid, const char *line)
{
	uint64_t start, end, offset, inode;
	unsigned major, minor;
	uint32_t module;
	char executable, sharing;
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%c %" SCNx64 " %x:%x %" SCNu64 " %n", &start, &end,
		   &executable, &sharing, &offset, &major, &minor, &inode, &at) != 8 ||
	    executable != 'x')
		return;
	module = modules_add_mapping(&s->modules, line[at] ? line + at : "//anon", NULL, 0, major, minor, inode,
				     sharing == 'p', pid);
	spaces_map(&s->spaces, pid, 0, start, end - start, offset, module);
}

static void read_mappings(struct live_stack *s, int pid)
{
	struct str maps = { 0 };
	char *line, *rest = NULL;

	if (!read_process(pid, "maps", &maps) && maps.len) {
		for (line = strtok_r(maps.buf, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
			read_mapping(s, pid, line);
	}
	str_free(&maps);
}

/* The length of the thread's own part of the chain, without entries that are not frames. */
static size_t own_part(const uint64_t *chain, size_t count)
{
	size_t n = 0;

	while (n < count && !RECORDING_IS_LABEL(chain[n]))
		n++;
	return n;
}

static void find_names(struct live_stack *s, struct live_names *names, int pid, const uint64_t *chain, size_t count)
{
	struct chain c = chain_of(chain, own_part(chain, count), false);
	struct space *space = spaces_find(&s->spaces, pid, 0);
	uint32_t context = space_context(&s->spaces, space, 0);
	uint64_t address;

	while (s->count < FRAMES_MAX && chain_next(&c, &address)) {
		uint32_t place = places_add(&s->places, c.kernel ? NULL : space, c.kernel ? 0 : context, address, 0);

		s->addresses[s->count] = address;
		s->frames[s->count++] = place << 1 | c.kernel;
	}
	places_resolve(&s->places, &s->modules, live_source, &names->live);
}

/* Add the name of a frame of Java or Python, without its annotation ("_[j]").  Returns false if it is none. */
static bool add_frame_name(struct str *out, const struct live_names *names, int pid, uint64_t address)
{
	enum { ANNOTATION = 4 };

	if (!names->walker || !walker_frame_name(names->walker, pid, address, out))
		return false;
	if (out->len > ANNOTATION && !strncmp(out->buf + out->len - ANNOTATION, "_[", 2))
		out->len -= ANNOTATION;
	return true;
}

/* Add the name of a frame, in the form that collapse gives it by default. */
static void live_stack_add_name(struct str *out, const struct live_stack *s, const struct live_names *names, int pid,
				size_t frame)
{
	const struct place *place = &s->places.items[s->frames[frame] >> 1];
	const struct modules *modules = &s->modules;

	if (add_frame_name(out, names, pid, s->addresses[frame]))
		return;
	if (!place->name)
		str_puts(out, "[unknown]");
	else if (place->module < modules->count && modules->items[place->module].kind == MODULE_ELF)
		demangle_symbol(out, place->name, DEMANGLE_SIMPLE);
	else
		str_puts(out, place->name);
}

void live_stack_add(struct str *out, struct live_names *names, int pid, const uint64_t *chain, size_t count)
{
	struct live_stack s = { 0 };

	if (!names->started)
		live_start(&names->live);
	names->started = 1;
	names->live.quiet = true;
	modules_init(&s.modules);
	read_mappings(&s, pid);
	find_names(&s, names, pid, chain, count);
	for (size_t i = s.count; i-- > 0;) {
		live_stack_add_name(out, &s, names, pid, i);
		str_puts(out, s.frames[i] & 1 ? "_[k]" : "");
		str_puts(out, i ? ";" : "");
	}
	places_free(&s.places);
	spaces_free(&s.spaces);
	modules_free(&s.modules);
}

void live_time_add(struct str *out, uint64_t ns)
{
	wallclock_add(out, clock_ns(CLOCK_REALTIME) - monotonic_ns() + ns);
}

/* A name may have any bytes. */
void live_thread_add(struct str *out, int pid, int tid)
{
	struct str name = { 0 };

	read_comm(pid, tid, &name);
	printable_add(out, str_text(&name), name.len);
	str_free(&name);
	str_addf(out, " %d/%d", pid, tid);
}

void live_names_free(struct live_names *names)
{
	if (names->started)
		live_free(&names->live);
	*names = (struct live_names){ 0 };
}
