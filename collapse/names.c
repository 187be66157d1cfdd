#include "collapse/names.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/folded.h"
#include "collapse/frame.h"
#include "core/memory.h"
#include "core/symbols/demangle.h"
#include "core/symbols/name_simplify.h"

static const struct module *module_of(const struct names *n, const struct place *place)
{
	return place->module < n->modules->count ? &n->modules->items[place->module] : NULL;
}

/* In a cache entry beside the number: so that a look at one finds both. */
#define UNRESOLVED 0x80000000u

bool names_unresolved(const struct names *n, uint32_t frame)
{
	return n->cache[frame] & UNRESOLVED;
}

/* "[libc.so.6]", or "[unknown]" when nothing was mapped there. */
static void add_nameless(const struct names *n, const struct place *place, const struct module *module,
			 struct str *out)
{
	const char *name = module ? module_name(module) : "unknown";
	size_t len = strlen(name);

	if (len && name[0] == '[' && name[len - 1] == ']') { /* "[vdso]" has its own */
		name++;
		len -= 2;
	}
	str_addc(out, '[');
	str_add(out, name, len);
	if (n->style->addrs)
		str_addf(out, " <0x%llx>", (unsigned long long)place->address);
	str_addc(out, ']');
}

/* Java methods as agents write them: "Lcom/example/App;::run" -> "com/example/App::run". */
static void add_jit_symbol(const char *name, struct str *out)
{
	const char *end = name[0] == 'L' ? strstr(name, ";::") : NULL;

	if (!end) {
		str_puts(out, name);
		return;
	}
	str_add(out, name + 1, (size_t)(end - name - 1));
	str_puts(out, end + 1);
}

/* Symbols of shared libraries carry a version: "free@@GLIBC_2.2.5" -> "free". */
static void add_elf_symbol(const char *name, enum demangle_style style, struct str *out)
{
	char *plain = demangle(name, style);

	if (plain)
		str_puts(out, plain);
	else
		str_add(out, name, *name == '@' ? strlen(name) : strcspn(name, "@"));
	free(plain);
}

/* What the options make of a name as a symbol table, or debug information, has it. */
static void add_name(const struct names *n, const struct module *module, const char *name, struct str *out)
{
	struct str whole = {0};

	if (n->style->demangle == DEMANGLE_NO)
		str_puts(&whole, name);
	else if (module->kind == MODULE_JIT)
		add_jit_symbol(name, &whole);
	else if (module->kind == MODULE_ELF)
		add_elf_symbol(name, n->style->demangle, &whole);
	else
		str_puts(&whole, name);
	if (n->style->strip_templates)
		name_strip_templates(str_text(&whole), whole.len, out);
	else
		str_add(out, str_text(&whole), whole.len);
	str_free(&whole);
}

static void add_symbol(const struct names *n, const struct place *place, const struct module *module,
		       struct str *out)
{
	add_name(n, module, place->name, out);
	if (n->style->offsets)
		str_addf(out, "+0x%llx", (unsigned long long)(place->address - place->start));
}

static uint32_t make_text(struct names *n, uint32_t frame)
{
	const struct place *place = &n->places->items[frame >> FRAME_PLACE_SHIFT];
	const struct module *module = module_of(n, place);
	struct str text = {0}, clean = {0};
	uint32_t number;

	if (place->name && module)
		add_symbol(n, place, module, &text);
	else
		add_nameless(n, place, module, &text);
	frame_add(&clean, str_text(&text), text.len);
	if (frame & FRAME_WAKER)
		str_puts(&clean, FOLDED_WAKER_FRAME);
	else if (n->style->kernel && frame & FRAME_KERNEL)
		str_puts(&clean, FOLDED_KERNEL_FRAME);
	else if (n->style->jit && module && module->kind == MODULE_JIT && place->name)
		str_puts(&clean, FOLDED_JIT_FRAME);
	number = intern_add(&n->texts, clean.buf, clean.len);
	str_free(&text);
	str_free(&clean);
	return number;
}

/* What stands between the stacks of a chain of wakers: few, so no cache. */
static uint32_t text_of(struct names *n, uint32_t frame)
{
	uint32_t comm = frame & ~FRAME_TEXT, number;
	struct str text = {0};

	if (frame == FRAME_SEPARATOR)
		return intern_add(&n->texts, FOLDED_CHAIN_FRAME, strlen(FOLDED_CHAIN_FRAME));
	frame_add(&text, intern_text(n->comms, comm), intern_len(n->comms, comm));
	str_puts(&text, FOLDED_WAKER_FRAME);
	number = intern_add(&n->texts, text.buf, text.len);
	str_free(&text);
	return number;
}

uint32_t names_of(struct names *n, uint32_t frame)
{
	if (frame & FRAME_TEXT)
		return text_of(n, frame);
	if (!n->cache) {
		n->cache_cap = n->places->count << FRAME_PLACE_SHIFT;
		n->cache = xcalloc(n->cache_cap, sizeof(*n->cache));
	}
	if (!n->cache[frame])
		n->cache[frame] = (make_text(n, frame) + 1) |
				  (n->places->items[frame >> FRAME_PLACE_SHIFT].name ? 0 : UNRESOLVED);
	return (n->cache[frame] & ~UNRESOLVED) - 1;
}

void names_free(struct names *n)
{
	if (!n)
		return;
	intern_free(&n->texts);
	free(n->cache);
	*n = (struct names){0};
}
