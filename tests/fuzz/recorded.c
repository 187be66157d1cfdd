/* Any text as the private sections of our recordings: symbols, and JIT-compiled code. */
#include <string.h>

#include "collapse/perfdata/recorded.h"
#include "core/format/recording.h"
#include "core/symbols/space/why.h"
#include "tests/fuzz/input.h"

enum { PLACES = 64, STEP = 8 };

/* All of a text is there. */
static void touch(const char *text)
{
	must(!text || strlen(text) < SIZE_MAX);
}

static void check(const struct place *p)
{
	must(!p->name || p->address - p->start < (p->size ? p->size : UINT64_MAX));
	touch(p->name);
	touch(p->file);
	touch(why_word(p->why));
	for (uint16_t i = 0; i < p->inlined_count; i++) {
		must(p->inlined[i].name);
		touch(p->inlined[i].name);
		touch(p->inlined[i].file);
	}
}

static void name_module(struct recorded_symbols *symbols, const struct module *module, uint64_t base)
{
	struct place wanted[PLACES] = { 0 };
	struct arena names = { 0 };

	for (size_t i = 0; i < PLACES; i++)
		wanted[i].address = base + STEP * i;
	recorded_source(module, wanted, PLACES, &names, symbols);
	for (size_t i = 0; i < PLACES; i++)
		check(&wanted[i]);
	arena_free(&names);
}

static void read_symbols(const struct perfdata *d)
{
	struct recorded_symbols symbols = { 0 };
	struct modules modules = { 0 };

	modules_init(&modules);
	modules_add(&modules, MODULE_ELF, "/bin/app", "8:1:4d", 1);
	modules_add(&modules, MODULE_ELF, "/bin/srv", "8:1:4d", 1);
	modules_add_jit(&modules, "/tmp/perf-7.map", 7);
	recorded_symbols_read(&symbols, d);
	for (size_t i = 0; i < modules.count; i++)
		name_module(&symbols, &modules.items[i], i ? 0x100 : UINT64_C(0xffffffff81000000));
	recorded_symbols_free(&symbols);
	modules_free(&modules);
}

static void read_code(const struct perfdata *d)
{
	struct modules modules = { 0 };
	struct spaces spaces = { 0 };
	struct space *space;

	modules_init(&modules);
	spaces_map_memory(&spaces, 7, 1, 0x10000, 0x10000, modules_add_jit(&modules, "/tmp/perf-7.map", 7));
	recorded_code_read(d, &spaces, &modules);
	space = spaces_find(&spaces, 7, UINT64_MAX);
	for (uint64_t at = 0x10000; at < 0x20000; at += 0x100) {
		const struct mapping *m = space_lookup(space, at, UINT64_MAX);

		must(m && m->start <= at && m->end > at && m->module < modules.count);
	}
	spaces_free(&spaces);
	modules_free(&modules);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct perfdata d = { .bytes = bytes, .size = size };
	bool found;

	d.features[RECORDING_SYMBOLS] = (struct sched_span){ 0, size };
	d.features[RECORDING_CODE] = (struct sched_span){ 0, size };
	d.features[RECORDING_LOSSES] = (struct sched_span){ 0, size };
	read_symbols(&d);
	read_code(&d);
	recorded_loss(&d, "lost_samples", &found);
	return 0;
}
