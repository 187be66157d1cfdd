#include "collapse/cause/stripped.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/unnamed.h"

/* "sort+0x37d0", "[sort]" */
static bool stripped_is_nameless(const struct module *module, const char *text)
{
	const char *name = module_name(module);
	size_t len = strlen(name);

	if (text[0] == '[')
		return !strncmp(text + 1, name, len) && text[1 + len] == ']';
	return !strncmp(text, name, len) && !strncmp(text + len, "+0x", 3);
}

/* Is the file at that path on this machine the recorded one, rather than one of a container, or of another machine? */
static bool stripped_is_here(const struct module *module)
{
	uint8_t wanted[BUILD_ID_MAX], found[BUILD_ID_MAX];
	int fd = open(module->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t len = fd < 0 ? 0 : elf_module_build_id(module, wanted);
	bool here = len && elf_build_id(fd, found) == len && !memcmp(wanted, found, len);

	if (fd >= 0)
		close(fd);
	return here;
}

static const struct str *stripped_package(struct stripped *s, const struct module *module)
{
	struct stripped_file *file;

	for (size_t i = 0; i < s->count; i++) {
		if (s->items[i].module == module)
			return &s->items[i].package;
	}
	s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	file = &s->items[s->count++];
	*file = (struct stripped_file){ module, { 0 } };
	if (stripped_is_here(module))
		debug_packages_find(&module->path, 1, &file->package);
	return &file->package;
}

bool stripped_is(const struct names *n, uint32_t text)
{
	const struct module *module = text == UINT32_MAX ? NULL : names_module(n, text);

	return module && module->kind == MODULE_ELF && stripped_is_nameless(module, intern_text(&n->texts, text));
}

void stripped_tell(struct stripped *s, const struct names *n, uint32_t text, struct str *out)
{
	const struct str *package;

	if (!stripped_is(n, text))
		return;
	package = stripped_package(s, names_module(n, text));
	str_puts(out, " (no symbols");
	if (package->len) {
		str_puts(out, ": install ");
		str_add(out, package->buf, package->len);
	}
	str_addc(out, ')');
}

void stripped_free(struct stripped *s)
{
	for (size_t i = 0; s && i < s->count; i++)
		str_free(&s->items[i].package);
	if (s)
		free(s->items);
}
