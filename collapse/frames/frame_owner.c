#include "collapse/frames/frame_owner.h"

#include <string.h>

static bool frame_owner_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_of_jdk(const char *name)
{
	static const char *const packages[] = {
		"java.", "javax.", "jdk.", "sun.", "com.sun.", "java/", "jdk/", "sun/"
	};

	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++) {
		if (frame_owner_begins(name, packages[i]))
			return true;
	}
	return false;
}

static bool is_of_system(const char *path)
{
	return frame_owner_begins(path, "/lib") || frame_owner_begins(path, "/usr/lib") || path[0] == '[';
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

enum frame_owner frame_owner(const struct names *n, uint32_t frame, uint32_t text)
{
	const struct place *place = &n->places->items[frame >> FRAME_PLACE_SHIFT];
	const struct module *module = frame_owner_module_of(n, place);

	if (frame & FRAME_KERNEL)
		return FRAME_OF_KERNEL;
	if (!module || !place->name)
		return FRAME_NAMELESS;
	if (module->kind == MODULE_JIT)
		return is_of_jdk(intern_text(&n->texts, text)) ? FRAME_OF_SYSTEM : FRAME_OF_PROGRAM;
	return module->kind == MODULE_ELF && !is_of_system(module->path) ? FRAME_OF_PROGRAM : FRAME_OF_SYSTEM;
}
