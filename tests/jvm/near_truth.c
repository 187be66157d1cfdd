/* near_truth PID: for a JVM with -XX:+DebugNonSafepoints, which methods are inlined at an address: according to the
 * JVM, and according to us if the code had debug information for calls and polls only, as in other JVMs.  Reads lines
 * "ADDRESS COUNT" and prints, for each address in code of the second compiler,
 *
 *     truth|next|nearest COUNT OUTERMOST;...;INNERMOST
 *
 * next: the next debug information after the address, as in JFR; nearest: collect/jvm/near_scopes.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/inline_tree.h"
#include "collect/jvm/methods.h"
#include "collect/jvm/near_scopes.h"
#include "core/memory.h"

static struct jvm jvm;
static struct metadata metadata;
static struct java_methods *methods;
static struct near_scopes *near;

/* The debug information of a compiled method: all of it; and that of calls and polls, which have maps of their
 * pointers. */
struct tables {
	uint64_t blob;
	struct told *all, *polls;
	size_t count, poll_count;
	struct inline_tree tree;
};

static int32_t *read_maps(const struct code_blob *b, uint32_t *count)
{
	int64_t at = vm_offset(jvm.tables, "CodeBlob", "_oop_maps");
	int32_t *maps = NULL; /* ImmutableOopMapSet: the count, the size; for each map, its place; the maps */
	uint64_t set = 0;

	*count = 0;
	if (at < 0 || !remote_u64(&jvm.remote, b->start + (uint64_t)at, &set) || !remote_u32(&jvm.remote, set, count))
		return NULL;
	maps = xcalloc(*count + 1, 8);
	if (*count > 1 << 20 || !remote_read(&jvm.remote, set + 8, maps, *count * 8))
		*count = 0;
	return maps;
}

static bool has_map(const int32_t *maps, uint32_t count, int32_t at)
{
	for (uint32_t i = 0; i < count; i++) {
		if (maps[2 * i] == at)
			return true;
	}
	return false;
}

static void read_tables(struct tables *t, const struct code_blob *b)
{
	uint64_t size = vm_size(jvm.tables, "PcDesc"), bytes = b->scopes_pcs_end - b->scopes_pcs;
	uint64_t at = (uint64_t)vm_offset(jvm.tables, "PcDesc", "_pc_offset");
	uint64_t scope = (uint64_t)vm_offset(jvm.tables, "PcDesc", "_scope_decode_offset");
	uint8_t *descs = xcalloc(bytes + 1, 1);
	uint32_t map_count;
	int32_t *maps = read_maps(b, &map_count);

	*t = (struct tables){ .blob = b->start, .count = bytes / size };
	t->all = xcalloc(t->count + 1, sizeof(*t->all));
	t->polls = xcalloc(t->count + 1, sizeof(*t->polls));
	if (!remote_read(&jvm.remote, b->scopes_pcs, descs, bytes))
		t->count = 0;
	for (size_t i = 0; i < t->count; i++) {
		memcpy(&t->all[i].at, descs + i * size + at, 4);
		memcpy(&t->all[i].scope, descs + i * size + scope, 4);
		if (t->all[i].scope <= 0 || has_map(maps, map_count, t->all[i].at))
			t->polls[t->poll_count++] = t->all[i];
	}
	inline_tree_read(&t->tree, &metadata, b, t->all, t->count);
	free(maps);
	free(descs);
}

static uint32_t next_scope(const struct told *told, size_t count, uint32_t at)
{
	for (size_t i = 0; i < count; i++) {
		if (told[i].at > (int64_t)at)
			return told[i].scope > 0 ? (uint32_t)told[i].scope : 0;
	}
	return 0;
}

/* The callers of a scope first. */
static void print_scope(const struct tables *t, const struct code_blob *b, uint32_t scope)
{
	struct java_method m;
	uint64_t method = b->method;

	for (size_t i = 0; scope && i < t->tree.count; i++) {
		const struct inlined_scope *in = &t->tree.list[i];

		if ((uint32_t)in->scope != scope)
			continue;
		if (in->caller) {
			print_scope(t, b, (uint32_t)in->caller);
			printf(";");
		}
		remote_u64(&jvm.remote, b->metadata + in->method * sizeof(uint64_t), &method);
	}
	printf("%s", java_method(methods, method, &m) ? m.name : "?");
}

static void print_silent(const struct near_scope *n)
{
	struct java_method m;

	for (size_t i = n->count; i-- > 0;)
		printf("%s%s", java_method(methods, n->scopes[i].method, &m) ? m.name : "?", i ? ";" : "");
}

static void print_address(const struct tables *t, const struct code_blob *b, uint64_t pc, long count)
{
	uint32_t at = (uint32_t)(pc - b->code_begin);
	struct near_scope nearest;

	near_scope_find(near, b, t->polls, t->poll_count, at, &nearest);

	const struct {
		const char *what;
		uint32_t scope;
	} said[] = {
		{ "truth", next_scope(t->all, t->count, at) },
		{ "next", next_scope(t->polls, t->poll_count, at) },
		{ "nearest", nearest.offset },
	};

	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
		printf("%s %ld ", said[i].what, count);
		if (i == 2 && nearest.count && pc >= b->frame_complete)
			print_silent(&nearest);
		else
			print_scope(t, b, pc < b->frame_complete ? 0 : said[i].scope);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct tables *tables = NULL;
	size_t count = 0, cap = 0;
	struct code_cache *cache;
	const char *why;
	uint64_t pc;
	long samples;

	if (argc != 2 || jvm_open(&jvm, atoi(argv[1]), &why) < 0 || !metadata_init(&metadata, &jvm))
		return 1;
	cache = code_cache_new(&jvm, &why);
	methods = java_methods_new(&jvm, &why);
	near = near_scopes_new(&jvm);
	if (!cache || !methods)
		return 1;
	while (scanf("%" SCNx64 " %ld", &pc, &samples) == 2) {
		const struct code_blob *b = code_cache_find(cache, pc);
		size_t i = 0;

		if (!b || b->kind != CODE_COMPILED || b->level != 4)
			continue;
		while (i < count && tables[i].blob != b->start)
			i++;
		if (i == count) {
			tables = xgrow(tables, &cap, count + 1, sizeof(*tables));
			read_tables(&tables[count++], b);
		}
		print_address(&tables[i], b, pc, samples);
	}
	return 0; /* what was read goes with the process */
}
