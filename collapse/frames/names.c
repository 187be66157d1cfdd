#include "collapse/frames/names.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "collapse/frames/java_name.h"
#include "collapse/frames/tier.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/symbols/names/demangle.h"
#include "core/symbols/names/name_simplify.h"

static const struct module *names_module_of(const struct names *n, const struct place *place)
{
	return place->module < n->modules->count ? &n->modules->items[place->module] : NULL;
}

/* Flags in a cache entry, next to the index, so that one lookup finds all. */
#define UNRESOLVED 0x80000000u
#define STRIPPED 0x40000000u

bool names_unresolved(const struct names *n, uint32_t frame)
{
	return n->cache[frame] & UNRESOLVED;
}

bool names_stripped(const struct names *n, uint32_t frame)
{
	return n->cache[frame] & STRIPPED;
}

/* Is the place's function, which has no name, told apart from others? */
static bool is_stripped(const struct names *n, const struct place *place)
{
	return !place->name && place->function && place->module < n->modules->count && !n->style->merge_unnamed &&
	       !n->style->addrs;
}

static uint32_t names_flags_of(const struct names *n, const struct place *place)
{
	if (is_stripped(n, place))
		return STRIPPED;
	return place->name ? 0 : UNRESOLVED;
}

static void add_hex(struct str *out, const char *before, uint64_t n)
{
	char digits[16], *d = digits + sizeof(digits);

	do {
		*--d = "0123456789abcdef"[n & 15];
		n >>= 4;
	} while (n);
	str_puts(out, before);
	str_add(out, d, (size_t)(digits + sizeof(digits) - d));
}

/* "libc.so.6+0x28490": where the function begins; or "[libc.so.6]"; or "[unknown]" when nothing was mapped there. */
static void names_add_nameless(const struct names *n, const struct place *place, const struct module *module,
			       struct str *out)
{
	const char *name = module ? module_name(module) : "unknown";
	size_t len = strlen(name);

	if (is_stripped(n, place)) {
		str_add(out, name, len);
		add_hex(out, "+0x", place->function);
		return;
	}
	if (len && name[0] == '[' && name[len - 1] == ']') { /* "[vdso]" already has brackets */
		name++;
		len -= 2;
	}
	str_addc(out, '[');
	str_add(out, name, len);
	if (n->style->addrs) {
		add_hex(out, " <0x", place->address);
		str_addc(out, '>');
	}
	str_addc(out, ']');
}

void names_add_jit_symbol(const char *name, struct str *out)
{
	if (!java_name_add(out, (struct text_span){ name, strlen(name) }))
		str_puts(out, name);
}

void names_add_symbol(const struct name_style *style, enum module_kind kind, const char *name, struct str *out)
{
	struct str whole = { 0 };

	if (style->demangle == DEMANGLE_NO)
		str_puts(&whole, name);
	else if (kind == MODULE_JIT)
		names_add_jit_symbol(name, &whole);
	else if (kind == MODULE_ELF)
		demangle_symbol(&whole, name, style->demangle);
	else
		str_puts(&whole, name);
	if (style->strip_templates)
		name_strip_templates(str_text(&whole), whole.len, out);
	else
		str_add(out, str_text(&whole), whole.len);
	str_free(&whole);
}

/* Names from a runtime are kept as they are: the angle brackets of "<init>" do not enclose a template's arguments, and an
 * address that stands for a function has no offset in it. */
static void names_add_symbol_of(const struct names *n, const struct place *place, const struct module *module,
				const struct tier *tier, struct str *out)
{
	struct str plain = { 0 };

	str_add(&plain, place->name, tier->head);
	str_add(&plain, place->name + tier->tail, tier->len - tier->tail);
	if (tier_is_runtime(module))
		str_add(out, str_text(&plain), plain.len);
	else
		names_add_symbol(n->style, module->kind, str_text(&plain), out);
	str_free(&plain);
	if (n->style->offsets && !tier_is_runtime(module) && !tier->inlined)
		str_addf(out, "+0x%llx", (unsigned long long)(place->address - place->start));
}

/* --- the texts of a frame ----------------------------------------------------------- */

/* Begin a group of texts; returns its index. */
static size_t begin_group(struct names *n)
{
	n->groups = xgrow(n->groups, &n->group_cap, n->group_len + 1, sizeof(*n->groups));
	n->groups[n->group_len] = 0;
	return n->group_len++;
}

static void names_add_text(struct names *n, size_t group, const struct str *text)
{
	n->groups = xgrow(n->groups, &n->group_cap, n->group_len + 1, sizeof(*n->groups));
	n->groups[n->group_len++] = intern_add(&n->texts, text->buf, text->len);
	n->groups[group]++;
}

void names_add_line(const struct name_style *style, const char *file, uint32_t line, struct str *out)
{
	const char *slash;

	if (!style->lines || !file)
		return;
	slash = strrchr(file, '/');
	str_addf(out, ":%s", slash ? slash + 1 : file);
	if (line)
		str_addf(out, ":%u", line);
}

/* raw is the frame's text without its annotation. */
static void names_add_frame(struct names *n, size_t group, const struct str *raw, const char *annotation)
{
	struct str text = { 0 }, styled = { 0 };

	java_style_add(&styled, &n->style->java, str_text(raw), raw->len);
	frame_add(&text, str_text(&styled), styled.len);
	str_free(&styled);
	str_puts(&text, annotation);
	names_add_text(n, group, &text);
	str_free(&text);
}

/* The tier that the name of a place shows, if a JIT compiled its code. */
static struct tier place_tier(const struct names *n, uint32_t frame, const struct place *place,
			      const struct module *module)
{
	size_t len = strlen(place->name);

	if (module->kind != MODULE_JIT)
		return (struct tier){ "", len, len, len, false };
	return tier_of(module, place->name, strlen(place->name), n->style->jit && !(frame & FRAME_WAKER),
		       n->style->marks);
}

static const char *annotation_of(const struct names *n, uint32_t frame, const char *tier)
{
	if (frame & FRAME_WAKER)
		return FOLDED_WAKER_FRAME;
	if (n->style->kernel && frame & FRAME_KERNEL)
		return FOLDED_KERNEL_FRAME;
	return tier;
}

/* A function with a symbol; inlined: it is marked as inlined into the function before it. */
static void names_add_named(struct names *n, size_t group, uint32_t frame, const struct place *place,
			    const struct module *module, bool inlined)
{
	struct tier tier = place_tier(n, frame, place, module);
	struct str raw = { 0 };

	if (inlined) {
		tier.annotation = FOLDED_INLINED_FRAME;
		tier.inlined = true;
	}
	names_add_symbol_of(n, place, module, &tier, &raw);
	names_add_line(n->style, place->file, place->line, &raw);
	if (!tier.inlined || !n->style->no_inlined)
		names_add_frame(n, group, &raw, annotation_of(n, frame, tier.annotation));
	str_free(&raw);
}

/* "LA;::a->LB;::b" of a perf map: frames a, and b, which is inlined into it; the other way round in the stack of a waker. */
static void names_add_chain(struct names *n, size_t group, uint32_t frame, const struct place *place,
			    const struct module *module)
{
	struct text_span rest = { place->name, strlen(place->name) };
	bool waker = frame & FRAME_WAKER;
	struct place part = *place;
	struct str name = { 0 };

	while (rest.len) {
		size_t last = span_find_last(rest, "->");
		size_t from = waker && last < rest.len ? last + strlen("->") : 0;
		size_t end = waker ? rest.len : span_find(rest, "->");

		str_clear(&name);
		str_add(&name, rest.text + from, end - from);
		part.name = name.buf;
		names_add_named(n, group, frame, &part, module, rest.text + from > place->name);
		if (waker)
			rest.len = from ? last : 0;
		else
			rest = span_after(rest, end < rest.len ? end + strlen("->") : end);
	}
	str_free(&name);
}

/* The function that has a symbol.  If other functions are inlined into it, its line is that of the outermost inlined
 * call. */
static void names_add_outermost(struct names *n, size_t group, uint32_t frame, const struct place *place)
{
	const struct module *module = names_module_of(n, place);
	struct str raw = { 0 };

	if (!place->name || !module) {
		names_add_nameless(n, place, module, &raw);
		names_add_frame(n, group, &raw, annotation_of(n, frame, ""));
	} else if (module->kind == MODULE_JIT &&
		   java_name_is_chain((struct text_span){ place->name, strlen(place->name) })) {
		names_add_chain(n, group, frame, place, module);
	} else {
		names_add_named(n, group, frame, place, module, false);
	}
	str_free(&raw);
}

static void add_inlined(struct names *n, size_t group, uint32_t frame, const struct inlined *function)
{
	struct str raw = { 0 };

	names_add_symbol(n->style, MODULE_ELF, function->name, &raw);
	names_add_line(n->style, function->file, function->line, &raw);
	names_add_frame(n, group, &raw, frame & FRAME_WAKER ? FOLDED_WAKER_FRAME : FOLDED_INLINED_FRAME);
	str_free(&raw);
}

static void note_module(struct names *n, size_t group, uint32_t module)
{
	for (uint32_t i = 0; i < n->groups[group]; i++) {
		uint32_t text = n->groups[group + 1 + i], *known;

		if (text >= n->modules_of_cap) {
			size_t before = n->modules_of_cap;

			n->modules_of =
				xgrow(n->modules_of, &n->modules_of_cap, (size_t)text + 1, sizeof(*n->modules_of));
			memset(n->modules_of + before, 0, (n->modules_of_cap - before) * sizeof(*n->modules_of));
		}
		known = &n->modules_of[text];
		*known = !*known || *known == module + 1 ? module + 1 : NAMES_SEVERAL;
	}
}

void names_start(struct names *n)
{
	frame_files_start(&n->functions, &n->texts, n->modules, n->style->files);
}

/* Complete a group: its functions follow its texts. */
static void names_add_functions(struct names *n, size_t group, uint32_t module)
{
	uint32_t count = n->groups[group], file = frame_files_of(&n->functions, module);

	n->groups = xgrow(n->groups, &n->group_cap, n->group_len + count, sizeof(*n->groups));
	for (uint32_t i = 0; i < count; i++)
		n->groups[n->group_len++] = frame_files_add(&n->functions, n->groups[group + 1 + i], file);
}

static size_t names_make_group(struct names *n, uint32_t frame)
{
	const struct place *place = &n->places->items[frame >> FRAME_PLACE_SHIFT];
	size_t count = n->style->no_inlined ? 0 : place->inlined_count, group = begin_group(n);

	if (!(frame & FRAME_WAKER))
		names_add_outermost(n, group, frame, place);
	for (size_t i = 0; i < count; i++)
		add_inlined(n, group, frame, &place->inlined[frame & FRAME_WAKER ? i : count - 1 - i]);
	if (frame & FRAME_WAKER)
		names_add_outermost(n, group, frame, place);
	note_module(n, group, place->module);
	names_add_functions(n, group, place->module);
	return group;
}

const struct module *names_module(const struct names *n, uint32_t text)
{
	uint32_t module = text < n->modules_of_cap ? n->modules_of[text] : 0;

	return module - 1 < n->modules->count ? &n->modules->items[module - 1]
					      : frame_files_module(&n->functions, text);
}

/* The texts between the stacks of a chain of wakers.  These are few, so they are not cached. */
static size_t make_text(struct names *n, uint32_t frame)
{
	uint32_t comm = frame & ~FRAME_TEXT;
	size_t group = begin_group(n);
	struct str text = { 0 };

	if (frame == FRAME_SEPARATOR) {
		str_puts(&text, FOLDED_CHAIN_FRAME);
	} else {
		frame_add(&text, intern_text(n->comms, comm), intern_len(n->comms, comm));
		str_puts(&text, FOLDED_WAKER_FRAME);
	}
	names_add_text(n, group, &text);
	names_start(n);
	names_add_functions(n, group, PLACE_NO_MODULE); /* a thread may be called as a function is */
	str_free(&text);
	return group;
}

static struct frame_texts group_texts(const struct names *n, size_t group)
{
	return (struct frame_texts){ n->groups + group + 1, n->groups[group] };
}

/* Do all places of this place's symbol have the same texts? */
static bool is_as_its_symbol(const struct names *n, const struct place *place)
{
	return place->name && !n->style->offsets && !n->style->lines && (!place->inlined_count || n->style->no_inlined);
}

/* The cache's entry for a frame. */
static uint32_t find_group(struct names *n, uint32_t frame)
{
	const struct place *place = &n->places->items[frame >> FRAME_PLACE_SHIFT];
	uint32_t *known, flags = frame & ((1 << FRAME_PLACE_SHIFT) - 1);

	if (!is_as_its_symbol(n, place))
		return ((uint32_t)names_make_group(n, frame) + 1) | names_flags_of(n, place);
	known = map_at(&n->by_symbol, (uintptr_t)place->name, place->module << FRAME_PLACE_SHIFT | flags);
	if (!*known)
		*known = (uint32_t)names_make_group(n, frame) + 1;
	return *known;
}

struct frame_texts names_of(struct names *n, uint32_t frame)
{
	if (frame & FRAME_TEXT) {
		size_t group = make_text(n, frame);

		n->group_len = group; /* not kept */
		return group_texts(n, group);
	}
	if (!n->cache) {
		n->cache_cap = n->places->count << FRAME_PLACE_SHIFT;
		n->cache = xcalloc(n->cache_cap, sizeof(*n->cache));
		names_start(n);
	}
	if (!n->cache[frame])
		n->cache[frame] = find_group(n, frame);
	return group_texts(n, (n->cache[frame] & ~(UNRESOLVED | STRIPPED)) - 1);
}

void names_free(struct names *n)
{
	if (!n)
		return;
	intern_free(&n->texts);
	free(n->cache);
	map_free(&n->by_symbol);
	free(n->groups);
	free(n->modules_of);
	frame_files_free(&n->functions);
	*n = (struct names){ 0 };
}
