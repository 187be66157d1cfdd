#include "core/symbols/live.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/symbols/elf/debug_info.h"
#include "core/symbols/elf/elf.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/jit/jit_open.h"

static void *read_kallsyms(void *argument)
{
	struct live *live = argument;

	kallsyms_read(&live->kallsyms, &live->unwanted);
	return NULL;
}

void live_start(struct live *live)
{
	if (live->kept)
		return;
	if (live->saved && kernel_copy_open(&live->copy) == 0)
		return;
	live->reading = !pthread_create(&live->reader, NULL, read_kallsyms, live);
	if (!live->reading)
		read_kallsyms(live);
}

static void wait_for_kallsyms(struct live *live)
{
	if (live->reading)
		pthread_join(live->reader, NULL);
	live->reading = false;
}

/* Is every wanted address in the kernel's image, or in code that the recording names itself? */
static bool copy_suffices(const struct live *live, const struct place *wanted, size_t count)
{
	size_t i = 0;

	while (live->copy.text && i < count &&
	       (kernel_copy_has(&live->copy, wanted[i].address) ||
		(live->kernel_code && kernel_code_find(live->kernel_code, wanted[i].address))))
		i++;
	return live->copy.text && i == count;
}

/* Returns false if kallsyms shows no addresses. */
static bool read_kernel_names(struct live *live, struct place *wanted, size_t count, struct arena *names)
{
	if (live->kept) {
		kernel_copy_resolve_all(live->kept, wanted, count, names);
		return true;
	}
	if (copy_suffices(live, wanted, count)) {
		kernel_copy_resolve(&live->copy, wanted, count, names);
		return true;
	}
	if (live->copy.text) /* nobody has begun to read it */
		read_kallsyms(live);
	wait_for_kallsyms(live);
	if (!kallsyms_visible(&live->kallsyms))
		return false;
	kallsyms_resolve(&live->kallsyms, wanted, count, names);
	return true;
}

void live_is_elsewhere(struct live *live)
{
	live->elsewhere = true;
	live->unwanted = true;
}

static void live_say_why(struct place *wanted, size_t count, enum why why)
{
	for (size_t i = 0; i < count; i++)
		wanted[i].why = (uint8_t)why;
}

/* Names of the kernel.  Other modules do not wait until kallsyms is read.  Returns the reason why places have no
 * name. */
static enum why resolve_kernel(struct live *live, struct place *wanted, size_t count, struct arena *names)
{
	if (live->elsewhere)
		return WHY_OTHER_KERNEL;
	if (!read_kernel_names(live, wanted, count, names)) {
		if (!live->quiet)
			warn("kernel frames have no names: %s", kallsyms_obstacle());
		return WHY_KERNEL_HIDDEN;
	}
	if (live->kernel_code)
		kernel_code_resolve(live->kernel_code, wanted, count, names);
	return WHY_NO_SYMBOL;
}

/* Why are there no names for code of this process? */
static enum why judge_jit(const struct live *live, const struct jit_file *f)
{
	if (f->why && f->why != JIT_NOT_THERE)
		return WHY_BAD_MAP;
	if (f->code.count)
		return WHY_NO_SYMBOL;
	for (size_t i = 0; live->jit && i < live->jit->count; i++) {
		const struct jit_file *dump = &live->jit->items[i];

		if (dump->pid != f->pid || !dump->path)
			continue;
		if (dump->why == JIT_NOT_THERE)
			return WHY_NO_FILE;
		return dump->why || dump->dump.refused ? WHY_BAD_MAP : WHY_NOT_DUMPED;
	}
	return WHY_NO_MAP;
}

static void resolve_jit(const struct live *live, const struct module *module, struct place *wanted, size_t count,
			struct arena *names)
{
	const struct jit_file *known = live->jit ? jit_files_find(live->jit, module) : NULL;
	struct jit_files own = { 0 };
	enum why why;

	if (!known && path_is_runtime(module->path, strlen(module->path))) {
		live_say_why(wanted, count, WHY_UNFINISHED); /* only the recorder knew the names */
		return;
	}
	if (!known && live->elsewhere) { /* on this machine, another process has that pid */
		live_say_why(wanted, count, WHY_ELSEWHERE);
		return;
	}
	if (!known) {
		jit_files_add(&own, module->pid, NULL, 0);
		jit_files_read(&own, 1, true);
		known = own.items;
	}
	if (known->why && known->why != JIT_NOT_THERE && !known->path)
		warn("%s %s: not read", module->path, known->why);
	if (known->code.bad && !known->path)
		warn("%s: %zu %s skipped: not \"START SIZE NAME\"", module->path, known->code.bad,
		     known->code.bad == 1 ? "line" : "lines");
	if (known == own.items)
		jit_file_complain_unread(known);
	jit_code_name(&known->code, wanted, count, names);
	why = judge_jit(live, known);
	for (size_t i = 0; i < count; i++)
		wanted[i].why = wanted[i].name ? wanted[i].why : why;
	jit_files_free(&own);
}

static void resolve_elf(const struct live *live, const struct module *module, struct place *wanted, size_t count,
			struct arena *names)
{
	size_t nameless = 0;
	bool has_symbols;

	if (module->path[0] != '/') { /* [vsyscall], [uprobes] */
		live_say_why(wanted, count, WHY_NO_SYMBOL);
		return;
	}
	has_symbols = elf_resolve(module, wanted, count, names) == 0;
	if (live->inlined && debug_info_resolve(module, live->lines, wanted, count, names) < 0 && !live->quiet)
		warn("%s: the debug information is damaged", module->path);
	for (size_t i = 0; i < count; i++)
		nameless += !wanted[i].name;
	if (!has_symbols && nameless && !live->quiet && !live->elsewhere) /* otherwise, one message covers all
									   * modules */
		warn("%s: %s, %zu %s without a name", module->path, why_text(wanted->why), nameless,
		     nameless == 1 ? "address" : "addresses");
}

void live_source(const struct module *module, struct place *wanted, size_t count, struct arena *names, void *argument)
{
	struct live *live = argument;

	switch (module->kind) {
	case MODULE_KERNEL: live_say_why(wanted, count, resolve_kernel(live, wanted, count, names)); break;
	case MODULE_VDSO:
		live_say_why(wanted, count, WHY_OTHER_KERNEL);
		if (!live->elsewhere || is_build_id(module->id))
			elf_resolve(module, wanted, count, names);
		break;
	case MODULE_JIT: resolve_jit(live, module, wanted, count, names); break;
	case MODULE_ELF: resolve_elf(live, module, wanted, count, names); break;
	}
}

void live_free(struct live *live)
{
	if (!live)
		return;
	live->unwanted = true;
	wait_for_kallsyms(live);
	kallsyms_free(&live->kallsyms);
	kernel_copy_close(&live->copy);
	*live = (struct live){ 0 };
}
