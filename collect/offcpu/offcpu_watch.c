#include "collect/offcpu/offcpu_watch.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/offcpu/offcpu_watch.h"
#include "collect/bpf/bpf.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/sorted.h"
#include "core/str.h"
#include "core/utf8.h"

#include "bpf/offcpu_watch.skel.h" /* needs bpf/targets.h */

enum { LINES = 20 }; /* lines per interval */

static struct {
	struct offcpu_watch_bpf *skeleton;
	bool counts;
} watch;

struct line {
	uint32_t key;
	struct watch_sum sum;
};

int offcpu_watch_load(const struct watch_rules *rules)
{
	struct offcpu_watch_bpf *s;
	uint32_t limit;
	int err;

	if (bpf_check_object("offcpu", offcpu_watch_bpf__elf_bytes))
		return -1;
	limit = bpf_tid_limit();
	s = watch.skeleton = offcpu_watch_bpf__open();
	if (!s)
		return bpf_failure("offcpu", "open its program", errno);
	watch.counts = rules->counts;
	bpf_set_cpus((uint64_t *)s->rodata->cpu_mask, WATCH_CPUS, rules->cpus);
	s->rodata->tid_limit = limit;
	bpf_map__set_max_entries(s->maps.left_ns, limit + WATCH_CPUS);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = offcpu_watch_bpf__load(s);
	return err ? bpf_load_failure("offcpu", s->obj, -err, NULL) : 0;
}

int offcpu_watch_start(const struct targets *targets)
{
	return bpf_attached("offcpu", watch.skeleton->obj, offcpu_watch_bpf__attach(watch.skeleton), targets, 0);
}

/* Read and clear the table that the program does not use now. */
static struct line *offcpu_watch_take_lines(int map, size_t *count)
{
	struct line *lines = NULL;
	size_t cap = 0;
	uint32_t key;

	*count = 0;
	while (!bpf_map_get_next_key(map, NULL, &key)) {
		lines = xgrow(lines, &cap, *count + 1, sizeof(*lines));
		lines[*count].key = key;
		if (!bpf_map_lookup_elem(map, &key, &lines[*count].sum))
			++*count;
		bpf_map_delete_elem(map, &key);
	}
	return lines;
}

static int by_longest(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return ORDER(y->sum.longest_ns, x->sum.longest_ns) ?: ORDER(x->key, y->key);
}

static void offcpu_watch_add_time(struct str *out)
{
	struct timespec now;
	struct tm local;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local);
	str_addf(out, "%s.%06ld", text, now.tv_nsec / 1000);
}

/* A name may have any bytes. */
static void offcpu_watch_add_name(struct str *out, const char name[16])
{
	printable_add(out, name, strnlen(name, 16));
}

static void offcpu_watch_add_line(struct str *out, const char *when, const struct line *line)
{
	str_addf(out, "%s max offcpu for ", when);
	offcpu_watch_add_name(out, line->sum.name);
	if (!(line->key & WATCH_IDLE))
		str_addf(out, "-%" PRIu32, line->key);
	str_addf(out, " is %lluus", line->sum.longest_ns / 1000);
	if (watch.counts)
		str_addf(out, " of %llu times", line->sum.count);
	str_addc(out, '\n');
}

/* If only one thread is left over, it gets its line: "1 more thread" would not be shorter. */
static void offcpu_watch_print_lines(const struct line *lines, size_t count)
{
	size_t shown = watch.counts || count <= LINES + 1 ? count : LINES;
	struct str out = { 0 }, when = { 0 };

	offcpu_watch_add_time(&when);
	for (size_t i = 0; i < shown; i++)
		offcpu_watch_add_line(&out, when.buf, &lines[i]);
	if (shown < count)
		str_addf(&out, "%s max offcpu for %zu more threads is %lluus\n", when.buf, count - shown,
			 lines[shown].sum.longest_ns / 1000);
	fwrite(str_text(&out), 1, out.len, stdout);
	str_free(&out);
	str_free(&when);
}

int offcpu_watch_print(void)
{
	struct offcpu_watch_bpf *s = watch.skeleton;
	struct bpf_map *tables[] = { s->maps.sums_0, s->maps.sums_1 };
	uint32_t full = s->bss->filling;
	struct line *lines;
	size_t count;

	s->bss->filling = !full;
	bpf_wait_for_programs();
	lines = offcpu_watch_take_lines(bpf_map__fd(tables[full]), &count);
	if (count)
		qsort(lines, count, sizeof(*lines), by_longest);
	offcpu_watch_print_lines(lines, count);
	free(lines);
	return flush_stdout();
}

uint64_t offcpu_watch_lost(void)
{
	return watch.skeleton ? watch.skeleton->bss->lost : 0;
}

void offcpu_watch_free(void)
{
	offcpu_watch_bpf__destroy(watch.skeleton);
	watch.skeleton = NULL;
}
