#include "collapse/frames/frame_owner.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "core/format/recording.h"
#include "core/memory.h"

static bool frame_owner_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Programs are there, too: /usr/lib/postgresql/15/bin/postgres, /usr/libexec/gcc/x86_64-linux-gnu/13/cc1. */
static bool is_of_system(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (path[0] == '[' || (slash && !strcmp(slash, "/libc.so.6"))) /* wherever that is installed */
		return true;
	return (frame_owner_begins(path, "/lib") || frame_owner_begins(path, "/usr/lib")) && strstr(slash, ".so");
}

static const struct module *frame_owner_module_of(const struct names *n, const struct place *place)
{
	return place->module < n->modules->count ? &n->modules->items[place->module] : NULL;
}

bool frame_is_of_jit(const struct names *n, uint32_t frame)
{
	const struct module *module = frame_owner_module_of(n, &n->places->items[frame >> FRAME_PLACE_SHIFT]);

	return module && module->kind == MODULE_JIT;
}

bool frame_is_of_library(const struct names *n, uint32_t frame)
{
	const struct module *module = frame_owner_module_of(n, &n->places->items[frame >> FRAME_PLACE_SHIFT]);

	return !(frame & FRAME_KERNEL) && module && module->kind == MODULE_ELF && is_of_system(module->path);
}

/* "python3.11", "libpython3.11.so.1.0"; "[python]": functions that an interpreter ran */
bool frame_is_of_cpython(const struct names *n, uint32_t frame)
{
	const struct module *module = frame_owner_module_of(n, &n->places->items[frame >> FRAME_PLACE_SHIFT]);
	const char *name = module ? module_name(module) : "";

	if (frame & FRAME_KERNEL || !module)
		return false;
	if (module->kind == MODULE_JIT)
		return !strcmp(module->path, RECORDING_PYTHON_PATH);
	return frame_owner_begins(name, "python3") || frame_owner_begins(name, "libpython3");
}

/* ---- what the table says ----------------------------------------------------------------- */

enum { RUNTIME_UNSEEN = 0xff };

/* The entry for a number, in a list that grows as needed. */
static struct runtime_match *frame_owner_entry(struct frame_owners *o, struct runtime_match **list, size_t *cap,
					       size_t number)
{
	size_t before = *cap;

	if (!o->runtimes.count)
		runtimes_read(&o->runtimes);
	if (number >= *cap) {
		*list = xgrow(*list, cap, number + 1, sizeof(**list));
		for (size_t i = before; i < *cap; i++)
			(*list)[i] = (struct runtime_match){ RUNTIME_UNSEEN, 0 };
	}
	return &(*list)[number];
}

static struct runtime_match frame_owner_of_text(struct frame_owners *o, const struct names *n, uint32_t text)
{
	struct runtime_match *known = frame_owner_entry(o, &o->by_text, &o->text_cap, text);
	const char *name = intern_text(&n->texts, text);

	if (known->kind == RUNTIME_UNSEEN)
		*known = runtimes_of_name(&o->runtimes, name, frame_bare_len(name, intern_len(&n->texts, text)));
	return *known;
}

static struct runtime_match frame_owner_of_file(struct frame_owners *o, const struct names *n,
						const struct module *module)
{
	struct runtime_match *known =
		frame_owner_entry(o, &o->by_module, &o->module_cap, (size_t)(module - n->modules->items));

	if (known->kind == RUNTIME_UNSEEN)
		*known = module->kind == MODULE_ELF ? runtimes_of_file(&o->runtimes, module->path)
						    : (struct runtime_match){ 0 };
	return *known;
}

uint32_t frame_languages(struct frame_owners *o, const struct names *n, uint32_t frame, uint32_t text)
{
	const struct module *module = frame_owner_module_of(n, &n->places->items[frame >> FRAME_PLACE_SHIFT]);
	struct runtime_match match;

	if (frame & FRAME_KERNEL || !module)
		return 0;
	match = frame_owner_of_file(o, n, module);
	if (match.kind == RUNTIME_NONE)
		match = frame_owner_of_text(o, n, text);
	return match.kind > RUNTIME_INNER ? 1u << match.language : 0;
}

/* ---- owners ------------------------------------------------------------------------------ */

static enum frame_owner frame_owner_by_name(struct runtime_match match, uint32_t near)
{
	switch (match.kind) {
	case RUNTIME_NAME: return FRAME_OF_RUNTIME;
	case RUNTIME_PACKAGE: return FRAME_OF_PACKAGE;
	case RUNTIME_INNER: return near >> match.language & 1 ? FRAME_OF_RUNTIME : FRAME_OF_PROGRAM;
	}
	return FRAME_OF_PROGRAM;
}

enum frame_owner frame_owner(struct frame_owners *o, const struct names *n, uint32_t frame, uint32_t text,
			     uint32_t near)
{
	const struct place *place = &n->places->items[frame >> FRAME_PLACE_SHIFT];
	const struct module *module = frame_owner_module_of(n, place);
	struct runtime_match file, name;

	if (frame & FRAME_KERNEL)
		return FRAME_OF_KERNEL;
	if (!module || (!place->name && module->kind != MODULE_ELF))
		return FRAME_NAMELESS;
	file = frame_owner_of_file(o, n, module);
	if (!place->name && (file.kind == RUNTIME_FILE || is_of_system(module->path)))
		return FRAME_NAMELESS;
	if (!place->name)
		return names_stripped(n, frame) ? FRAME_OF_PROGRAM : FRAME_OF_FILE;
	name = frame_owner_of_text(o, n, text);
	if (name.kind == RUNTIME_BEGIN)
		return FRAME_OF_BEGINNING;
	if (file.kind)
		return file.kind == RUNTIME_PACKAGE ? FRAME_OF_PACKAGE : FRAME_OF_RUNTIME;
	if (module->kind != MODULE_JIT && (module->kind != MODULE_ELF || is_of_system(module->path)))
		return FRAME_OF_SYSTEM;
	return frame_owner_by_name(name, near);
}

void frame_owners_free(struct frame_owners *o)
{
	if (!o)
		return;
	runtimes_free(&o->runtimes);
	free(o->by_text);
	free(o->by_module);
	*o = (struct frame_owners){ 0 };
}
