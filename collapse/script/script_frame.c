#include "collapse/script/script_frame.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/frames/java_name.h"
#include "collapse/frames/names.h"
#include "collapse/frames/tier.h"
#include "collapse/parse/function_name.h"
#include "core/decimal.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/symbols/names/name_simplify.h"
#include "core/symbols/space/modules.h"

/* --- names, as collapse/frames/names.h makes them from recordings ----------------------- */

/* The name of a symbol as programmers wrote it: either part of the given text, or in whole or scratch. */
static struct text_span script_name_of_symbol(struct text_span name, struct str *whole, struct str *scratch,
					      const struct name_style *style)
{
	name = function_name_without_version(name);
	if (name.len && name.text[0] == '_') {
		str_clear(scratch);
		str_add(scratch, name.text, name.len);
		demangle_symbol(whole, str_text(scratch), style->demangle);
		str_trim(scratch);
		name = (struct text_span){ str_text(whole), whole->len };
	}
	return style->demangle == DEMANGLE_SIMPLE ? function_name_clean(name, scratch) : name;
}

static const struct module jit = { .kind = MODULE_JIT, .path = "/tmp/perf-1.map" };

/* The same for a function of a JIT compiler, without its tier, which sets the kind. */
static struct text_span script_name_of_jit(struct text_span name, struct str *whole, struct str *scratch,
					   enum text_kind *kind, const struct name_style *style)
{
	struct tier tier = tier_of(&jit, name.text, name.len, style->jit, style->marks);

	if (tier.head < tier.tail) {
		str_add(whole, name.text, tier.head);
		str_add(whole, name.text + tier.tail, tier.len - tier.tail);
		name = (struct text_span){ str_text(whole), whole->len };
	}
	if (!strcmp(tier.annotation, "_[0]"))
		*kind = TEXT_INTERPRETED;
	else if (!strcmp(tier.annotation, "_[1]"))
		*kind = TEXT_QUICK;
	if (style->demangle == DEMANGLE_SIMPLE)
		return function_name_clean(name, scratch);
	str_clear(scratch);
	return java_name_add(scratch, name) ? (struct text_span){ str_text(scratch), scratch->len } : name;
}

/* Append name[0..len) without its parameters, demangled if it still has to be, as style says.  Returns the kind of the
 * frame, which for JIT code may follow from the name (collapse/frames/tier.h).  scratch is overwritten. */
static enum text_kind script_name_add(struct str *out, struct str *scratch, const char *name, size_t len,
				      enum text_kind kind, const struct name_style *style)
{
	struct str whole = { 0 };
	struct text_span plain = { name, len };
	bool as_it_is = style->demangle == DEMANGLE_NO || !len || kind == TEXT_KERNEL || memchr(name, '\0', len);

	if (!as_it_is && kind == TEXT_JIT)
		plain = script_name_of_jit(plain, &whole, scratch, &kind, style);
	else if (!as_it_is)
		plain = script_name_of_symbol(plain, &whole, scratch, style);
	if (style->strip_templates)
		name_strip_templates(plain.text, plain.len, out);
	else
		str_add(out, plain.text, plain.len);
	str_free(&whole);
	return kind;
}

/* Append ":prog.c:12" for a source line, "  /src/prog.c:12 (discriminator 2)"; nothing for "??:0". */
static void script_name_add_line(struct str *out, const char *line, size_t len)
{
	const char *end = line + len, *slash, *colon, *stop;

	while (line < end && *line == ' ')
		line++;
	stop = memmem(line, (size_t)(end - line), " (discriminator", strlen(" (discriminator"));
	stop = stop ? stop : end;
	colon = stop > line ? memrchr(line, ':', (size_t)(stop - line)) : NULL;
	if (!colon || colon == line || colon + 1 == stop || !is_digit(colon[1]) || text_begins(line, len, "??"))
		return;
	slash = memrchr(line, '/', (size_t)(colon - line));
	line = slash ? slash + 1 : line;
	str_addc(out, ':');
	str_add(out, line, (size_t)((colon[1] == '0' ? colon : stop) - line));
}

static const char unknown[] = "[unknown]", inlined_mark[] = "(inlined)";

/* A line in its parts. */
struct parts {
	const char *name, *file, *source; /* [..._len]; file: without its parentheses */
	size_t name_len, file_len, source_len;
	size_t base_len; /* of the name, without its offset */
	uint64_t address, offset;
	enum script_offset has;
	bool inlined;
};

static bool script_frame_ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !memcmp(text + len - n, end, n);
}

/* --- parts of a line ------------------------------------------------------------------ */

/* The opening parenthesis that belongs to the closing one at text[len - 1]; len: there is none. */
static size_t opening(const char *text, size_t len)
{
	size_t depth = 0;

	for (size_t i = len; i-- > 0;) {
		depth += text[i] == ')';
		depth -= text[i] == '(';
		if (!depth)
			return i;
	}
	return len;
}

/* The place where " (/opt/my app (x86)/bin)" begins at the end of text; len: nowhere.  Parentheses need not match in
 * paths, but must match in names. */
static size_t script_frame_file_at(const char *text, size_t len)
{
	size_t depth = 0, at;

	if (!len || text[len - 1] != ')')
		return len;
	for (at = 0; at + 1 < len; at++) {
		if (!depth && text[at] == '(' && (!at || text[at - 1] == ' ') &&
		    (text[at + 1] == '/' || text[at + 1] == '['))
			return at;
		depth += text[at] == '(';
		depth -= depth && text[at] == ')';
	}
	at = opening(text, len);
	return at < len && (!at || text[at - 1] == ' ') ? at : len;
}

static bool is_offset(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!is_digit(text[i]) && (text[i] < 'a' || text[i] > 'f'))
			return false;
	}
	return len;
}

/* The length of text without "+0x1d" at its end. */
static size_t script_frame_without_offset(const char *text, size_t len)
{
	const char *plus = memrchr(text, '+', len);
	size_t at = plus ? (size_t)(plus - text) : len;

	return at + 3 < len && !memcmp(plus, "+0x", 3) && is_offset(plus + 3, len - at - 3) ? at : len;
}

/* The number at the end of "+0x1d", all of whose digits must be valid. */
static uint64_t read_offset(const char *digits, const char *end)
{
	uint64_t number = 0;

	for (; digits < end; digits++)
		number = number << 4 | (uint64_t)(is_digit(*digits) ? *digits - '0' : *digits - 'a' + 10);
	return number;
}

static size_t trimmed(const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	return len;
}

static void script_frame_take_file(struct parts *p)
{
	size_t at = script_frame_file_at(p->name, p->name_len), len;

	if (at == p->name_len)
		return;
	p->file = p->name + at + 1;
	p->file_len = p->name_len - at - 2;
	p->name_len = trimmed(p->name, at);
	len = script_frame_without_offset(p->file, p->file_len); /* -F dsoff */
	if (len < p->file_len) {
		p->offset = read_offset(p->file + len + strlen("+0x"), p->file + p->file_len);
		p->has = SCRIPT_IN_FILE;
	}
	p->file_len = len;
	if (script_frame_ends_with(p->file, p->file_len, " (deleted)"))
		p->file_len -= strlen(" (deleted)");
}

/* Text: what follows the address. */
static struct parts script_frame_take_apart(const char *text, size_t len, uint64_t address,
					    const struct name_style *style)
{
	struct parts p = { .name = text, .file = "", .address = address };
	const char *newline = len ? memchr(text, '\n', len) : NULL;

	if (newline) {
		p.source = newline + 1;
		p.source_len = len - (size_t)(p.source - text);
		len = (size_t)(newline - text);
		len -= len && text[len - 1] == '\r';
	}
	p.name_len = trimmed(text, len);
	p.inlined = script_frame_ends_with(text, p.name_len, inlined_mark);
	if (p.inlined)
		p.name_len = trimmed(text, p.name_len - strlen(inlined_mark));
	else
		script_frame_take_file(&p);
	p.base_len = script_frame_without_offset(p.name, p.name_len);
	if (p.base_len < p.name_len && !p.has) {
		p.offset = read_offset(p.name + p.base_len + strlen("+0x"), p.name + p.name_len);
		p.has = SCRIPT_IN_FUNCTION;
	}
	if (!style->offsets)
		p.name_len = p.base_len;
	return p;
}

/* --- the kind of code ------------------------------------------------------------------- */

/* "vmlinux", "vmlinux-5.4", "nf_nat.ko", "nf_nat.ko.xz", "[kernel.kallsyms]", "[nf_nat]" */
static bool is_kernel_file(const char *file, size_t len)
{
	static const char *const of_users[] = { "[vdso", "[vsyscall", "[heap",    "[stack",   "[anon", "[unknown",
						"[vvar", "[vectors",  "[sigpage", "[uprobes", "[JIT" };
	static const char *const modules[] = { ".ko", ".ko.gz", ".ko.xz", ".ko.zst" };
	const char *slash = len ? memrchr(file, '/', len) : NULL;
	size_t base = slash ? (size_t)(slash + 1 - file) : 0;

	for (size_t i = 0; len && file[0] == '[' && i < sizeof(of_users) / sizeof(*of_users); i++) {
		if (text_begins(file, len, of_users[i]))
			return false;
	}
	for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
		if (script_frame_ends_with(file, len, modules[i]))
			return true;
	}
	if (text_begins(file + base, len - base, "vmlinux"))
		return len - base == 7 || file[base + 7] == '-' || file[base + 7] == '.';
	return text_begins(file, len, "[") || text_begins(file, len, "bpf_prog_");
}

/* Is it a file of JIT code: "/tmp/perf-123.map", "/tmp/jitted-123-4.so", "[JIT] tid 123", "[JIT app cache]"? */
static bool is_jit_file(const char *file, size_t len)
{
	const char *slash = len ? memrchr(file, '/', len) : NULL;
	size_t base = slash ? (size_t)(slash + 1 - file) : 0;

	if (text_begins(file, len, "[JIT"))
		return true;
	return (text_begins(file + base, len - base, "perf-") && script_frame_ends_with(file, len, ".map")) ||
	       (text_begins(file + base, len - base, "jitted-") && script_frame_ends_with(file, len, ".so"));
}

static enum text_kind script_frame_kind_of(const struct parts *p)
{
	if (p->inlined)
		return TEXT_INLINED;
	if (is_jit_file(p->file, p->file_len))
		return TEXT_JIT;
	if (p->address >> 63)
		return text_begins(p->file, p->file_len, "[vsyscall") ? TEXT_PLAIN : TEXT_KERNEL;
	return p->file_len && is_kernel_file(p->file, p->file_len) ? TEXT_KERNEL : TEXT_PLAIN;
}

static bool script_frame_is_nameless(const struct parts *p)
{
	return !p->name_len || (p->name_len == strlen(unknown) && !memcmp(p->name, unknown, p->name_len));
}

/* --- frames -------------------------------------------------------------------------------- */

struct text_source script_source(const struct text_stacks *s, const char *file, size_t len)
{
	bool is_file = !s->setup->no_files && len && file[0] != '[' && !is_jit_file(file, len) &&
		       !path_is_anonymous(file, len, true) && !text_begins(file, len, "bpf_prog_");

	return is_file ? (struct text_source){ file, len, 0 } : (struct text_source){ "", 0, 0 };
}

static void script_frame_add_frame(struct script_lines *l, struct text_stacks *s, enum text_kind kind,
				   const struct parts *p)
{
	l->frames = xgrow(l->frames, &l->cap, l->count + 1, sizeof(*l->frames));
	l->frames[l->count++] =
		text_frame_at(s, kind, str_text(&l->name), l->name.len, script_source(s, p->file, p->file_len));
}

/* "[libc.so.6]", "[unknown]"; with --addrs "[libc.so.6 <0x7f00>]" */
static void script_frame_add_nameless(struct script_lines *l, const struct parts *p, enum text_kind kind,
				      const struct name_style *style)
{
	const char *slash = p->file_len ? memrchr(p->file, '/', p->file_len) : NULL;
	const char *name = slash ? slash + 1 : p->file;
	size_t len = p->file_len - (size_t)(name - p->file);

	if (!len) {
		name = slash ? p->file : unknown;
		len = slash ? p->file_len : strlen(unknown);
	}
	if (kind == TEXT_JIT)
		name = "[jit]", len = strlen(name);
	if (len >= 2 && name[0] == '[' && name[len - 1] == ']')
		name++, len -= 2;
	str_addc(&l->name, '[');
	str_add(&l->name, name, len);
	if (style->addrs)
		str_addf(&l->name, " <0x%llx>", (unsigned long long)p->address);
	str_addc(&l->name, ']');
}

static void script_frame_make_frames(struct script_lines *l, struct text_stacks *s, const struct parts *p)
{
	const struct name_style *style = s->setup->style;
	enum text_kind kind = script_frame_kind_of(p);
	const char *at = p->name, *end = at + p->name_len, *next;
	bool chain = kind != TEXT_KERNEL && java_name_is_chain((struct text_span){ at, p->name_len });

	if (p->inlined && style->no_inlined)
		return;
	str_clear(&l->name);
	if (script_frame_is_nameless(p)) {
		script_frame_add_nameless(l, p, kind, style);
		script_frame_add_frame(l, s, kind == TEXT_JIT ? TEXT_PLAIN : kind, p);
		return;
	}
	for (bool first = true; at < end; at = next, first = false) {
		struct text_span rest = { at, (size_t)(end - at) };
		size_t len = chain ? span_find(rest, "->") : rest.len;

		next = at + len + (len < rest.len ? strlen("->") : 0);
		str_clear(&l->name);
		kind = script_name_add(&l->name, &l->whole, at, len, first ? kind : TEXT_JIT, style);
		if (style->lines && p->source && next >= end)
			script_name_add_line(&l->name, p->source, p->source_len);
		if (first || !style->no_inlined)
			script_frame_add_frame(l, s, first ? kind : TEXT_INLINED, p);
		kind = TEXT_JIT;
	}
}

/* The frame of p without its source line. */
static uint32_t bare_frame(struct script_lines *l, struct text_stacks *s, const struct parts *p, uint32_t whole)
{
	if (!p->source || !s->setup->style->lines || script_frame_is_nameless(p))
		return whole;
	str_clear(&l->name);
	script_name_add(&l->name, &l->whole, p->name, p->name_len, TEXT_PLAIN, s->setup->style);
	return text_frame(s, TEXT_PLAIN, str_text(&l->name), l->name.len);
}

/* SCRIPT_OF_...; 0: of a file, or unknown. */
static unsigned without_file(const struct parts *p)
{
	switch (script_frame_kind_of(p)) {
	case TEXT_KERNEL: return SCRIPT_OF_KERNEL;
	case TEXT_JIT: return SCRIPT_OF_JIT;
	case TEXT_PLAIN: return text_begins(p->file, p->file_len, "[vdso") ? SCRIPT_OF_VDSO : 0;
	default: return 0;
	}
}

/* The number + 1 of the place; 0: no file can tell more about it, as for stubs of the PLT. */
static uint32_t script_frame_add_place(struct script_lines *l, struct text_stacks *s, const struct parts *p)
{
	uint32_t whole = l->count ? l->frames[l->count - 1] : 0;

	if (!s->setup->inlined || p->inlined)
		return 0;
	l->without_file |= without_file(p);
	if (script_frame_kind_of(p) != TEXT_PLAIN || p->file_len < 2 || p->file[0] != '/' || p->file[1] == '/' ||
	    memchr(p->file, '\0', p->file_len) || script_frame_ends_with(p->name, p->base_len, "@plt"))
		return 0;
	l->places = xgrow(l->places, &l->place_cap, l->place_count + 1, sizeof(*l->places));
	l->places[l->place_count++] =
		(struct script_place){ .frame = bare_frame(l, s, p, whole),
				       .whole = whole,
				       .file = text_name(s, p->file, p->file_len),
				       .name = script_frame_is_nameless(p) ? TEXT_NO_NAME
									   : text_name(s, p->name, p->base_len),
				       .address = p->address,
				       .offset = p->offset,
				       .has = p->has };
	return (uint32_t)l->place_count;
}

static bool script_frame_is_nowhere(const struct parts *p)
{
	return p->name_len == strlen(unknown) && !memcmp(p->name, unknown, p->name_len) &&
	       (!p->file_len || (p->file_len == strlen(unknown) && !memcmp(p->file, unknown, p->file_len)));
}

/* --- lines ---------------------------------------------------------------------------------- */

/* Read the address at the front of *text, and skip it with the blank after it. */
static bool script_frame_take_address(const char **text, const char *end, uint64_t *address)
{
	const char *at = *text, *digits;

	*address = 0;
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	for (digits = at; at < end && at - digits < 17; at++) {
		unsigned digit = (unsigned)*at - '0';

		if (digit > 9 && (*at < 'a' || *at > 'f'))
			break;
		*address = *address << 4 | (digit > 9 ? (unsigned)*at - 'a' + 10 : digit);
	}
	if (at == digits || at - digits > 16 ||
	    (at < end && *at != ' ' && *at != '\n' && *at != '\r' && *at != '\t')) /* a tab: simpleperf */
		return false;
	*text = at + (at < end && (*at == ' ' || *at == '\t'));
	return true;
}

enum { RECENT_BITS = 15, ADDRESS_WIDTH = 16 };

typedef uint8_t lanes __attribute__((vector_size(ADDRESS_WIDTH)));

/* Does the line have perf's own form, "\t%16lx name"?  Checked for all bytes at once: a tab or blanks, then more
 * blanks, then digits, then a blank. */
static bool is_aligned(const char *line, size_t len)
{
	lanes bytes, before, blank, digit, after_blank;
	uint64_t good[2];

	if (len <= ADDRESS_WIDTH + 2 || line[0] != '\t' || line[ADDRESS_WIDTH] == ' ' || line[ADDRESS_WIDTH + 1] != ' ')
		return false;
	memcpy(&before, line, sizeof(before));
	memcpy(&bytes, line + 1, sizeof(bytes));
	blank = (lanes)(bytes == ' ');
	digit = (lanes)(bytes - '0' < 10) | (lanes)(bytes - 'a' < 6);
	after_blank = (lanes)(before == ' ') | (lanes)(before == '\t');
	blank = digit | (blank & after_blank);
	memcpy(good, &blank, sizeof(good));
	return (good[0] & good[1]) == UINT64_MAX;
}

static const struct script_line *script_frame_read_line(struct script_lines *l, struct text_stacks *s, const char *line,
							size_t len, uint32_t *number_of);

/* Is the address of an aligned line in the upper half? */
static bool is_of_kernel(const char *line)
{
	return line[1] > '7';
}

/* Does a frame depend on its address? */
static bool script_frame_has_address(const struct text_setup *setup)
{
	return setup->style->addrs || setup->inlined;
}

/* Kernel lines and other lines are numbered separately.  Two lines of the same length are assumed not to have the same
 * hash. */
static uint32_t cache_key(const struct script_line_ahead *line)
{
	return (uint32_t)line->len << 1 | is_of_kernel(line->text);
}

void script_line_look(struct script_lines *l, const struct text_stacks *s, const char *text, size_t len,
		      struct script_line_ahead *line)
{
	*line = (struct script_line_ahead){ .text = text, .len = len };
	if (!is_aligned(text, len) || script_frame_has_address(s->setup))
		return;
	line->hash = hash_bytes(text + ADDRESS_WIDTH + 2, len - ADDRESS_WIDTH - 2);
	line->cached = true;
	script_cache_look(&l->recent, line->hash);
}

const struct script_line *script_line_read(struct script_lines *l, struct text_stacks *s,
					   const struct script_line_ahead *line)
{
	const struct script_line *found;
	uint32_t number;

	number = line->cached ? script_cache_find(&l->recent, line->hash, cache_key(line)) : 0;
	if (number)
		return is_of_kernel(line->text) ? &l->of_kernel[number - 1] : &l->of_user[number - 1];
	found = script_frame_read_line(l, s, line->text, line->len, &number);
	if (found && line->cached)
		script_cache_add(&l->recent, RECENT_BITS, line->hash, cache_key(line), number);
	return found;
}

static const struct script_line *script_frame_read_line(struct script_lines *l, struct text_stacks *s, const char *line,
							size_t len, uint32_t *number_of)
{
	enum { KEPT_MAX = 1 << 20 }; /* longer lines are read each time */
	const char *end = line + len, *text = line;
	struct script_line **lines;
	struct intern *known;
	uint64_t address;
	size_t before;
	uint32_t number;
	struct parts p;

	if (!script_frame_take_address(&text, end, &address))
		return NULL;
	known = address >> 63 ? &l->kernel : &l->user;
	lines = address >> 63 ? &l->of_kernel : &l->of_user;
	before = known->count;
	if (len > KEPT_MAX)
		number = intern_append(known, "", 0);
	else if (script_frame_has_address(s->setup))
		number = intern_add(known, line, len);
	else
		number = intern_add(known, text, (size_t)(end - text));
	*number_of = number;
	if (known->count == before)
		return &(*lines)[number];
	*lines = xgrow(*lines, address >> 63 ? &l->kernel_cap : &l->user_cap, number + 1, sizeof(**lines));
	p = script_frame_take_apart(text, (size_t)(end - text), address, s->setup->style);
	(*lines)[number] = (struct script_line){ .start = (uint32_t)l->count,
						 .nowhere = script_frame_is_nowhere(&p),
						 .inlined = p.inlined,
						 .kernel = address >> 63 };
	script_frame_make_frames(l, s, &p);
	(*lines)[number].count = (uint32_t)(l->count - (*lines)[number].start);
	(*lines)[number].place = script_frame_add_place(l, s, &p);
	str_trim(&l->name);
	str_trim(&l->whole);
	return &(*lines)[number];
}

bool script_is_srcline(const char *line, size_t len)
{
	const char *colon = len ? memrchr(line, ':', len) : NULL;

	return len > 2 && line[0] == ' ' && line[1] == ' ' && line[2] != ' ' && colon &&
	       (colon + 1 == line + len || is_digit(colon[1]));
}

void script_lines_free(struct script_lines *l)
{
	intern_free(&l->user);
	intern_free(&l->kernel);
	free(l->of_user);
	free(l->of_kernel);
	free(l->frames);
	free(l->places);
	script_cache_free(&l->recent);
	str_free(&l->name);
	str_free(&l->whole);
	*l = (struct script_lines){ 0 };
}
