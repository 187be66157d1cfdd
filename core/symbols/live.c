#include "core/symbols/live.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/symbols/elf.h"
#include "core/symbols/perfmap.h"

static void *read_kallsyms(void *live)
{
	kallsyms_read(&((struct live *)live)->kallsyms);
	return NULL;
}

void live_start(struct live *live)
{
	live->reading = !pthread_create(&live->reader, NULL, read_kallsyms, live);
	if (!live->reading)
		read_kallsyms(live);
}

void live_wait(struct live *live)
{
	if (live->reading)
		pthread_join(live->reader, NULL);
	live->reading = false;
}

static void resolve_jit(const struct live *live, const struct module *module, struct place *wanted,
			size_t count, struct arena *names)
{
	int kept = live->open_map ? live->open_map(live->keeper, module->pid) : -1;
	const char *why = "could not be read";
	int fd = kept >= 0 ? kept : perfmap_open(module->pid, &why);
	size_t bad_lines;

	if (fd < 0) {
		if (strcmp(why, "is not there"))
			warn("%s %s: not read", module->path, why);
		return;
	}
	if (perfmap_resolve(fd, wanted, count, names, &bad_lines) == 0 && bad_lines)
		warn("%s: %zu lines skipped that are no \"START SIZE NAME\"", module->path, bad_lines);
	if (fd != kept)
		close(fd);
}

void live_source(const struct module *module, struct place *wanted, size_t count,
		 struct arena *names, void *argument)
{
	struct live *live = argument;
	const char *why;

	switch (module->kind) {
	case MODULE_KERNEL:
		if (!live->wrong_kernel)
			kallsyms_resolve(&live->kallsyms, wanted, count, names);
		break;
	case MODULE_VDSO:
		if (!live->wrong_kernel)
			elf_resolve_vdso(module, wanted, count, names);
		break;
	case MODULE_JIT:
		resolve_jit(live, module, wanted, count, names);
		break;
	case MODULE_ELF:
		if (elf_resolve(module, wanted, count, names, &why) < 0 && !live->quiet &&
		    module->path[0] == '/')
			warn("%s: %s, %zu addresses without a name", module->path, why, count);
		break;
	}
}

void live_free(struct live *live)
{
	if (!live)
		return;
	live_wait(live);
	kallsyms_free(&live->kallsyms);
	*live = (struct live){0};
}
