#include "collapse/script/script_inline.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collapse/fold/crew.h"
#include "collapse/frames/names.h"
#include "core/arena.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/elf/debug_info.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/elf/symbol_search.h"

/* Why an address was not looked up: enum why, or one of these. */
enum {
	NO_OFFSET = WHY_COUNT,
	NO_SYMBOL,
	SEVERAL,
	NO_DEBUG_INFO,
	OUTCOMES,
	FOUND = OUTCOMES,
};

/* An address that is looked up once for all shards.  It has no padding, because it is compared as bytes. */
struct wanted_key {
	uint64_t address, offset;
	uint32_t file, name; /* numbers in files, names; TEXT_NO_NAME */
	uint32_t has, is_return;
};

struct wanted_address {
	uint64_t at; /* offset in the file, if outcome is FOUND */
	uint32_t file, outcome;
	const struct place *place;
};

/* A file, and the addresses in it that are wanted. */
struct wanted_file {
	const char *path;
	uint32_t *wanted; /* [count], numbers */
	size_t count, cap;
	struct place *places; /* [place_count], sorted by offset in the file */
	size_t place_count;
	struct arena names;
};

struct inlining {
	struct intern keys, files, names;
	struct wanted_address *wanted; /* [keys.count] */
	struct wanted_file *of;        /* [files.count] */
	const struct name_style *style;
	bool lines;
	atomic_size_t next;
};

/* --- frames that wait ------------------------------------------------------------------- */

/* No name has a newline. */
struct pending {
	char newline, is_return;
	char place[sizeof(uint32_t)];
};

uint32_t script_pending(struct text_stacks *s, uint32_t place, bool is_return)
{
	struct pending p = { .newline = '\n', .is_return = (char)is_return };

	memcpy(p.place, &place, sizeof(place));
	return text_frame(s, TEXT_PLAIN, (const char *)&p, sizeof(p));
}

static bool is_pending(const struct text_stacks *s, uint32_t text, struct pending *p)
{
	if (intern_len(&s->texts, text) != sizeof(*p) || intern_text(&s->texts, text)[0] != '\n')
		return false;
	memcpy(p, intern_text(&s->texts, text), sizeof(*p));
	return true;
}

static const struct script_place *script_inline_place_of(const struct script_lines *lines, const struct pending *p)
{
	uint32_t place;

	memcpy(&place, p->place, sizeof(place));
	return &lines->places[place];
}

static uint32_t script_inline_add_text(struct intern *to, const struct text_stacks *s, uint32_t text)
{
	return text == TEXT_NO_NAME ? text : intern_add(to, intern_text(&s->texts, text), intern_len(&s->texts, text));
}

static uint32_t add_wanted(struct inlining *in, const struct text_stacks *s, const struct script_place *place,
			   bool is_return)
{
	struct wanted_key key = { place->address,
				  place->offset,
				  script_inline_add_text(&in->files, s, place->file),
				  script_inline_add_text(&in->names, s, place->name),
				  place->has,
				  is_return };

	return intern_add(&in->keys, (const char *)&key, sizeof(key));
}

/* For each text of a shard, the number of its lookup + 1; 0: it is an ordinary frame. */
static uint32_t *script_inline_collect(struct inlining *in, const struct text_stacks *s,
				       const struct script_lines *lines)
{
	uint32_t *numbers = xcalloc(s->texts.count + 1, sizeof(*numbers));
	struct pending p;

	for (uint32_t i = 0; i < s->texts.count; i++) {
		if (is_pending(s, i, &p))
			numbers[i] = add_wanted(in, s, script_inline_place_of(lines, &p), p.is_return) + 1;
	}
	return numbers;
}

static struct wanted_key script_inline_key_of(const struct inlining *in, uint32_t number)
{
	struct wanted_key key;

	memcpy(&key, intern_text(&in->keys, number), sizeof(key));
	return key;
}

static void sort_by_file(struct inlining *in)
{
	in->wanted = xcalloc(in->keys.count + 1, sizeof(*in->wanted));
	in->of = xcalloc(in->files.count + 1, sizeof(*in->of));
	for (uint32_t i = 0; i < in->keys.count; i++) {
		struct wanted_file *f = &in->of[script_inline_key_of(in, i).file];

		in->wanted[i].file = script_inline_key_of(in, i).file;
		f->wanted = xgrow(f->wanted, &f->cap, f->count + 1, sizeof(*f->wanted));
		f->wanted[f->count++] = i;
	}
	for (uint32_t i = 0; i < in->files.count; i++)
		in->of[i].path = intern_text(&in->files, i);
}

/* --- where in the file ------------------------------------------------------------------ */

static void fail_all(struct inlining *in, const struct wanted_file *f, uint32_t outcome)
{
	for (size_t i = 0; i < f->count; i++)
		in->wanted[f->wanted[i]].outcome = outcome;
}

static uint32_t outcome_of(const struct symbol_wanted *w)
{
	static const uint32_t outcomes[] = { [SYMBOL_NONE] = NO_SYMBOL,
					     [SYMBOL_OTHER] = WHY_OTHER_BUILD,
					     [SYMBOL_FOUND] = FOUND,
					     [SYMBOL_SEVERAL] = SEVERAL };

	return outcomes[w->found];
}

/* The offset in the file of an address that no symbol confirms.  Since 5.19, perf prints offsets in files in place of
 * the addresses of call chains.  These are recognized because nothing is mapped that low. */
static uint32_t locate_unchecked(const struct elf_file *file, const struct wanted_key *key, uint64_t *at)
{
	uint64_t address;

	if (elf_is_fixed(file->elf) && key->has != SCRIPT_IN_FILE && elf_to_offset(&file->segments, key->address, at))
		return FOUND;
	*at = key->has == SCRIPT_IN_FILE ? key->offset : key->address;
	return elf_to_address(&file->segments, *at, &address) ? FOUND : NO_OFFSET;
}

/* Set `at` and outcome of all wanted addresses in a file.  If the file proves to be another build, no address in it is
 * trusted. */
static void script_inline_locate(struct inlining *in, struct wanted_file *f, const struct elf_file *file,
				 const struct module *module)
{
	struct symbol_wanted *by_name = xcalloc(f->count + 1, sizeof(*by_name)), *w = by_name;
	bool is_other = false;

	for (size_t i = 0; i < f->count; i++) {
		struct wanted_key key = script_inline_key_of(in, f->wanted[i]);

		if (key.has == SCRIPT_IN_FUNCTION && key.name != TEXT_NO_NAME)
			*w++ = (struct symbol_wanted){ .name = intern_text(&in->names, key.name),
						       .len = intern_len(&in->names, key.name),
						       .seen = key.address,
						       .offset = key.offset };
	}
	symbol_search(file, module, by_name, (size_t)(w - by_name));
	for (const struct symbol_wanted *s = by_name; s < w; s++)
		is_other |= s->found == SYMBOL_OTHER;
	w = by_name;
	for (size_t i = 0; i < f->count; i++) {
		struct wanted_key key = script_inline_key_of(in, f->wanted[i]);
		struct wanted_address *wanted = &in->wanted[f->wanted[i]];

		if (key.has == SCRIPT_IN_FUNCTION && key.name != TEXT_NO_NAME) {
			wanted->outcome = outcome_of(w);
			if (wanted->outcome == FOUND &&
			    !elf_to_offset(&file->segments, w->start + w->offset, &wanted->at))
				wanted->outcome = WHY_OTHER_BUILD;
			w++;
		} else {
			wanted->outcome = locate_unchecked(file, &key, &wanted->at);
		}
		if (wanted->outcome == FOUND && is_other)
			wanted->outcome = WHY_OTHER_BUILD;
		wanted->at -= key.is_return;
	}
	free(by_name);
}

/* --- what is there ---------------------------------------------------------------------- */

SORT_BY(script_inline_by_address, struct place, address);

static void script_inline_make_places(struct inlining *in, struct wanted_file *f)
{
	size_t n = 0;

	f->places = xcalloc(f->count + 1, sizeof(*f->places));
	for (size_t i = 0; i < f->count; i++) {
		const struct wanted_address *w = &in->wanted[f->wanted[i]];

		if (w->outcome == FOUND)
			f->places[n++].address = w->at;
	}
	if (n)
		qsort(f->places, n, sizeof(*f->places), script_inline_by_address);
	for (size_t i = 0; i < n; i++) {
		if (!f->place_count || f->places[f->place_count - 1].address != f->places[i].address)
			f->places[f->place_count++] = f->places[i];
	}
}

static void take_places(struct inlining *in, struct wanted_file *f, bool damaged)
{
	for (size_t i = 0; i < f->count; i++) {
		struct wanted_address *w = &in->wanted[f->wanted[i]];
		const struct place *place;

		if (w->outcome != FOUND)
			continue;
		place = &f->places[FIRST_NOT(k, f->place_count, f->places[k].address < w->at)];
		if (place->name)
			w->place = place;
		else
			w->outcome = damaged ? WHY_DAMAGED : NO_DEBUG_INFO;
	}
}

static void look_up(struct inlining *in, struct wanted_file *f)
{
	const struct module module = { .kind = MODULE_ELF, .path = f->path, .id = "-" };
	struct elf_file file;
	bool damaged;
	enum why why;

	if (elf_file_open(&file, &module, &why)) {
		fail_all(in, f, why);
		return;
	}
	script_inline_locate(in, f, &file, &module);
	elf_file_close(&file);
	script_inline_make_places(in, f);
	damaged = f->place_count && debug_info_resolve(&module, in->lines, f->places, f->place_count, &f->names) < 0;
	take_places(in, f, damaged);
}

static void look_up_some(void *inlining, size_t number)
{
	struct inlining *in = inlining;
	size_t i;

	(void)number;
	while ((i = atomic_fetch_add(&in->next, 1)) < in->files.count)
		look_up(in, &in->of[i]);
}

/* --- frames ------------------------------------------------------------------------------- */

/* The frames of a shard that replace the waiting ones. */
struct expansion {
	struct inlining *in;
	struct text_stacks *s;
	const struct script_lines *lines;
	const uint32_t *numbers; /* by text: what is wanted + 1 */
	size_t texts;            /* [texts] */
	uint32_t *frames;        /* of a stack */
	size_t count, cap;
	struct str text;
};

static void script_inline_add_frame(struct expansion *e, uint32_t frame)
{
	e->frames = xgrow(e->frames, &e->cap, e->count + 1, sizeof(*e->frames));
	e->frames[e->count++] = frame;
}

/* The frame whose text is in e->text. */
static uint32_t frame_in_file(struct expansion *e, enum text_kind kind, const struct script_place *seen)
{
	const struct intern *texts = &e->s->texts;

	return text_frame_at(e->s, kind, str_text(&e->text), e->text.len,
			     script_source(e->s, intern_text(texts, seen->file), intern_len(texts, seen->file)));
}

static void script_inline_add_outermost(struct expansion *e, const struct script_place *seen, const struct place *place)
{
	const struct name_style *style = e->in->style;
	struct text_frame_parts parts;

	if (seen->name != TEXT_NO_NAME && (!style->lines || !place->file)) {
		script_inline_add_frame(e, seen->whole);
		return;
	}
	str_clear(&e->text);
	text_frame_take(e->s, seen->frame, &parts);
	if (seen->name == TEXT_NO_NAME)
		names_add_symbol(style, MODULE_ELF, place->name, &e->text);
	else
		str_add(&e->text, parts.name, parts.len);
	names_add_line(style, place->file, place->line, &e->text);
	script_inline_add_frame(e, frame_in_file(e, TEXT_PLAIN, seen));
}

static void script_inline_add_place(struct expansion *e, const struct script_place *seen, const struct place *place)
{
	if (!place) {
		script_inline_add_frame(e, seen->whole);
		return;
	}
	script_inline_add_outermost(e, seen, place);
	for (size_t i = place->inlined_count; i-- > 0;) {
		const struct inlined *function = &place->inlined[i];

		str_clear(&e->text);
		names_add_symbol(e->in->style, MODULE_ELF, function->name, &e->text);
		names_add_line(e->in->style, function->file, function->line, &e->text);
		script_inline_add_frame(e, frame_in_file(e, TEXT_INLINED, seen));
	}
}

/* The number of the stack, with all its frames. */
static uint32_t expand_stack(struct expansion *e, uint32_t stack)
{
	size_t count = intern_len(&e->s->stacks, stack) / sizeof(uint32_t);
	struct pending p = { 0 };
	bool changed = false;

	e->count = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t frame, number;

		memcpy(&frame, intern_text(&e->s->stacks, stack) + i * sizeof(frame), sizeof(frame));
		number = frame / TEXT_KINDS < e->texts ? e->numbers[frame / TEXT_KINDS] : 0;
		if (!number) {
			script_inline_add_frame(e, frame);
			continue;
		}
		changed = true;
		is_pending(e->s, frame / TEXT_KINDS, &p);
		script_inline_add_place(e, script_inline_place_of(e->lines, &p), e->in->wanted[number - 1].place);
	}
	return changed ? text_stack(e->s, e->frames, e->count) : stack;
}

static void script_inline_expand(struct inlining *in, struct text_stacks *s, const struct script_lines *lines,
				 const uint32_t *numbers, size_t texts)
{
	struct expansion e = { .in = in, .s = s, .lines = lines, .numbers = numbers, .texts = texts };
	size_t stacks = s->stacks.count;
	uint32_t *known = xcalloc(stacks + 1, sizeof(*known));

	for (size_t i = 0; i < s->row_count; i++) {
		uint32_t stack = s->rows[i].stack;

		if (!known[stack])
			known[stack] = expand_stack(&e, stack) + 1;
		s->rows[i].stack = known[stack] - 1;
	}
	free(known);
	free(e.frames);
	str_free(&e.text);
}

/* --- what was not found --------------------------------------------------------------------- */

static const char *outcome_text(uint32_t outcome)
{
	switch (outcome) {
	case NO_OFFSET: return "the text has no offsets in functions (perf script -F +symoff)";
	case NO_SYMBOL: return "the file has no such function: it is stripped, or another build";
	case SEVERAL: return "several functions have this name";
	case NO_DEBUG_INFO: return "no debug information";
	case WHY_NO_FILE: return "the file is not here";
	default: return why_text((enum why)outcome);
	}
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct wanted_file *)a)->path, ((const struct wanted_file *)b)->path);
}

/* Append "a.so, b.so and 3 more files": the files of the addresses with this outcome.  Returns how many addresses there
 * are. */
static size_t script_inline_list_files(const struct inlining *in, uint32_t outcome, struct str *out)
{
	enum { NAMED = 3 };
	size_t addresses = 0, files = 0;

	for (size_t i = 0; i < in->files.count; i++) {
		const struct wanted_file *f = &in->of[i];
		size_t before = addresses;

		for (size_t n = 0; n < f->count; n++)
			addresses += in->wanted[f->wanted[n]].outcome == outcome;
		if (addresses == before)
			continue;
		if (files++ < NAMED)
			str_addf(out, "%s%s", files > 1 ? ", " : "", f->path);
	}
	if (files > NAMED)
		str_addf(out, " and %zu more", files - NAMED);
	return addresses;
}

/* The kernel's file on disk differs from the running kernel, and JIT code has no file. */
static void tell_without_file(unsigned of)
{
	static const char *const names[] = { "the kernel", "JIT code", "the vdso" };
	struct str text = { 0 };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (of >> i & 1)
			str_addf(&text, "%s%s", !text.len ? "" : of >> (i + 1) ? ", " : " and ", names[i]);
	}
	if (of)
		warn("--inline: frames of %s are not looked up: they stay as they are", text.buf);
	str_free(&text);
}

static void script_inline_tell(const struct inlining *in)
{
	struct str files = { 0 };

	for (uint32_t outcome = 0; outcome < OUTCOMES; outcome++) {
		size_t count;

		str_clear(&files);
		count = script_inline_list_files(in, outcome, &files);
		if (count)
			warn("--inline: %zu of %zu addresses were not looked up: %s: %s", count, in->keys.count,
			     outcome_text(outcome), files.buf);
	}
	str_free(&files);
}

static void script_inline_free_all(struct inlining *in)
{
	for (size_t i = 0; i < in->files.count; i++) {
		free(in->of[i].wanted);
		free(in->of[i].places);
		arena_free(&in->of[i].names);
	}
	free(in->of);
	free(in->wanted);
	intern_free(&in->keys);
	intern_free(&in->files);
	intern_free(&in->names);
}

void script_inline(struct text_stacks *shards, struct script_lines **lines, size_t count)
{
	struct inlining in = { .style = shards->setup->style, .lines = shards->setup->lines };
	uint32_t **numbers = xcalloc(count, sizeof(*numbers));
	size_t *texts = xcalloc(count, sizeof(*texts));
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned of = 0;

	for (size_t i = 0; i < count; i++) {
		of |= lines[i]->without_file;
		texts[i] = shards[i].texts.count;
		numbers[i] = script_inline_collect(&in, &shards[i], lines[i]);
	}
	sort_by_file(&in);
	crew_run(cpus > 0 && (size_t)cpus < in.files.count ? (size_t)cpus : in.files.count, look_up_some, &in);
	for (size_t i = 0; i < count; i++) {
		script_inline_expand(&in, &shards[i], lines[i], numbers[i], texts[i]);
		free(numbers[i]);
	}
	if (in.files.count)
		qsort(in.of, in.files.count, sizeof(*in.of), by_path);
	script_inline_tell(&in);
	tell_without_file(of);
	script_inline_free_all(&in);
	free(numbers);
	free(texts);
}
