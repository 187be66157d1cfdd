#include "collapse/perfdata/recorded.h"

#include <limits.h>

#include <stdlib.h>
#include <string.h>

#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/space/chooser.h"

void section_lines_init(struct section_lines *s, const struct perfdata *d, int feature)
{
	size_t len;
	const uint8_t *bytes = perfdata_feature(d, feature, &len);

	if (!bytes && feature == RECORDING_CLOCKS) { /* the recording was not finished: see core/format/recording.h */
		bytes = d->bytes + d->early_clocks.offset;
		len = (size_t)d->early_clocks.size;
	}
	s->at = (const char *)bytes;
	s->end = bytes ? s->at + len : s->at;
}

bool section_next_line(struct section_lines *s, const char **text, size_t *len)
{
	const char *newline;

	if (s->at >= s->end)
		return false;
	newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
	*text = s->at;
	*len = (size_t)((newline ? newline : s->end) - s->at);
	s->at = newline ? newline + 1 : s->end;
	return true;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool field_number(const char **text, size_t *len, int base, uint64_t *n)
{
	size_t i = 0;

	for (*n = 0; i < *len && digit_value((*text)[i]) < base; i++)
		*n = *n * (uint64_t)base + (uint64_t)digit_value((*text)[i]);
	if (!i || (i < *len && (*text)[i] != ' '))
		return false;
	i += i < *len;
	*text += i;
	*len -= i;
	return true;
}

/* --- symbols -------------------------------------------------------------------- */

static bool is_module_line(const char *text, size_t len)
{
	return len > 7 && !memcmp(text, "module ", 7);
}

void recorded_symbols_read(struct recorded_symbols *r, const struct perfdata *d)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	r->present = d->features[RECORDING_SYMBOLS].size;
	section_lines_init(&lines, d, RECORDING_SYMBOLS);
	while (section_next_line(&lines, &text, &len)) {
		uint32_t number;

		if (!is_module_line(text, len))
			continue;
		number = intern_add(&r->modules, text + 7, len - 7);
		r->parts = xgrow(r->parts, &r->cap, number + 1, sizeof(*r->parts));
		r->parts[number] = lines;
	}
}

/* Find the part of a module by the key that collect wrote for the part; returns the part's number, or UINT32_MAX. */
static uint32_t find_part(const struct recorded_symbols *r, const struct module *module)
{
	static const char *const kinds[] = { "kernel", "elf", "vdso", "jit" };
	struct str key = { 0 };
	uint32_t number;

	str_addf(&key, "%s %s %s", kinds[module->kind], module->id, module->path);
	for (char *c = key.buf; *c; c++)
		*c = *c == '\n' ? '?' : *c;
	number = intern_find(&r->modules, key.buf, key.len);
	str_free(&key);
	return number;
}

/* --- a module's part ---------------------------------------------------------------- */

/* Texts that lines refer to by number. */
struct told_names {
	const char **items; /* [count] */
	size_t count, cap;
};

struct part {
	struct place *wanted; /* [count], sorted by address */
	size_t count;
	struct arena *names;
	struct chooser chooser;
	struct told_names sources, functions;
	struct place *place;     /* the place to which "+" lines belong; NULL: not wanted */
	struct inlined *inlined; /* [inlined_count] functions inlined there, the outermost first */
	size_t inlined_count, inlined_cap;
	enum why why; /* the most frequent reason why names are missing */
	uint64_t why_count;
};

/* "START SIZE NAME" */
static void read_symbol(struct part *p, const char *text, size_t len)
{
	struct symbol s = { 0 };

	if (!field_number(&text, &len, 16, &s.start) || !field_number(&text, &len, 16, &s.size) || !len)
		return;
	s.name = text;
	s.name_len = len;
	chooser_offer(&p->chooser, &s);
}

/* "NUMBER TEXT": numbers count from 0. */
static void recorded_read_told(struct told_names *t, struct arena *names, const char *text, size_t len)
{
	uint64_t number;

	if (!field_number(&text, &len, 16, &number) || number != t->count || !len)
		return;
	t->items = xgrow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count++] = arena_strdup(names, text, len);
}

static const char *told_text(const struct told_names *t, uint64_t number)
{
	return number < t->count ? t->items[number] : NULL;
}

/* Read "SOURCE LINE", and skip the blank after it. */
static bool recorded_read_line(const struct part *p, const char **text, size_t *len, const char **file, uint32_t *line)
{
	uint64_t source = UINT64_MAX, number;

	if (*len >= 2 && !memcmp(*text, "- ", 2)) {
		*text += 2;
		*len -= 2;
	} else if (!field_number(text, len, 16, &source)) {
		return false;
	}
	if (!field_number(text, len, 10, &number))
		return false;
	*file = told_text(&p->sources, source);
	*line = number <= UINT32_MAX ? (uint32_t)number : 0;
	return true;
}

static int recorded_by_address(const void *key, const void *place)
{
	return ORDER(*(const uint64_t *)key, ((const struct place *)place)->address);
}

/* Store the inlined functions that were collected for the current place. */
static void end_place(struct part *p)
{
	struct inlined *inlined;

	if (!p->place || !p->inlined_count)
		return;
	inlined = arena_alloc(p->names, p->inlined_count * sizeof(*inlined));
	for (size_t i = 0; i < p->inlined_count; i++)
		inlined[i] = p->inlined[p->inlined_count - 1 - i];
	p->place->inlined = inlined;
	p->place->inlined_count = (uint16_t)p->inlined_count;
}

/* "ADDRESS SOURCE LINE" */
static void read_place(struct part *p, const char *text, size_t len)
{
	uint64_t address;

	end_place(p);
	p->place = NULL;
	p->inlined_count = 0;
	if (!p->count || !field_number(&text, &len, 16, &address))
		return;
	p->place = bsearch(&address, p->wanted, p->count, sizeof(*p->wanted), recorded_by_address);
	if (p->place && !recorded_read_line(p, &text, &len, &p->place->file, &p->place->line))
		p->place = NULL;
}

/* "SOURCE LINE FUNCTION" */
static void read_inlined(struct part *p, const char *text, size_t len)
{
	uint64_t function;
	struct inlined f;

	if (!p->place || p->inlined_count == UINT16_MAX || !recorded_read_line(p, &text, &len, &f.file, &f.line) ||
	    !field_number(&text, &len, 16, &function))
		return;
	f.name = told_text(&p->functions, function);
	if (!f.name)
		return;
	p->inlined = xgrow(p->inlined, &p->inlined_cap, p->inlined_count + 1, sizeof(*p->inlined));
	p->inlined[p->inlined_count++] = f;
}

/* "START SIZE ADDRESS" */
static void read_function(struct part *p, const char *text, size_t len)
{
	uint64_t start, size, function;
	size_t first;

	if (!field_number(&text, &len, 16, &start) || !field_number(&text, &len, 16, &size) ||
	    !field_number(&text, &len, 16, &function))
		return;
	first = FIRST_NOT(i, p->count, p->wanted[i].address < start);
	for (size_t i = first; i < p->count && p->wanted[i].address - start < size; i++) {
		p->wanted[i].start = start;
		p->wanted[i].size = size;
		p->wanted[i].function = function;
	}
}

/* "WORD COUNT" */
static void recorded_read_reason(struct part *p, const char *text, size_t len)
{
	const char *blank = memchr(text, ' ', len);
	size_t word = blank ? (size_t)(blank - text) : 0, left = len - word - 1;
	const char *number = text + word + 1;
	uint64_t count;

	if (!word || !field_number(&number, &left, 16, &count) || count <= p->why_count)
		return;
	p->why = why_of_word(text, word);
	p->why_count = count;
}

static void recorded_say_why(const struct part *p)
{
	for (size_t i = 0; i < p->count; i++)
		p->wanted[i].why = (uint8_t)p->why;
}

static void read_part_line(struct part *p, const char *text, size_t len)
{
	if (len && *text == '@')
		read_place(p, text + 1, len - 1);
	else if (len && *text == '+')
		read_inlined(p, text + 1, len - 1);
	else if (len && *text == '~')
		read_function(p, text + 1, len - 1);
	else if (len && *text == '!')
		recorded_read_reason(p, text + 1, len - 1);
	else if (len > 7 && !memcmp(text, "source ", 7))
		recorded_read_told(&p->sources, p->names, text + 7, len - 7);
	else if (len > 9 && !memcmp(text, "function ", 9))
		recorded_read_told(&p->functions, p->names, text + 9, len - 9);
	else
		read_symbol(p, text, len);
}

void recorded_source(const struct module *module, struct place *wanted, size_t count, struct arena *names,
		     void *argument)
{
	const struct recorded_symbols *r = argument;
	struct part part = { .wanted = wanted, .count = count, .names = names };
	uint32_t number = find_part(r, module);
	struct section_lines lines;
	const char *text;
	size_t len;

	if (number == UINT32_MAX)
		return;
	lines = r->parts[number];
	chooser_init(&part.chooser, wanted, count);
	while (section_next_line(&lines, &text, &len) && !is_module_line(text, len))
		read_part_line(&part, text, len);
	end_place(&part);
	recorded_say_why(&part);
	chooser_finish(&part.chooser, names);
	free(part.sources.items);
	free(part.functions.items);
	free(part.inlined);
}

void recorded_symbols_free(struct recorded_symbols *r)
{
	if (!r)
		return;
	intern_free(&r->modules);
	free(r->parts);
	*r = (struct recorded_symbols){ 0 };
}

/* --- JIT-compiled code ------------------------------------------------------------- */

/* "8513 23509317896969 7f2c4d000100 80 1c40 /tmp/jit-8513.dump" */
static void read_code_line(const char *text, size_t len, struct spaces *spaces, struct modules *modules)
{
	uint64_t pid, time_ns, start, size, offset;
	char *path;

	if (!field_number(&text, &len, 10, &pid) || !field_number(&text, &len, 10, &time_ns) ||
	    !field_number(&text, &len, 16, &start) || !field_number(&text, &len, 16, &size) ||
	    !field_number(&text, &len, 16, &offset) || !len || pid > INT32_MAX)
		return;
	path = xstrndup(text, len);
	spaces_code(spaces, (int)pid, time_ns, start, size, offset, modules_add_jit(modules, path, (int)pid));
	free(path);
}

void recorded_code_read(const struct perfdata *d, struct spaces *spaces, struct modules *modules)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_CODE);
	while (section_next_line(&lines, &text, &len))
		read_code_line(text, len, spaces, modules);
}

/* --- own cost ------------------------------------------------------------------- */

bool recorded_is_own(const struct perfdata *d, int pid)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_OWN);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t own;

		if (field_number(&text, &len, 10, &own) && own == (uint64_t)pid)
			return true;
	}
	return false;
}

/* --- what it was written for ------------------------------------------------------ */

bool recorded_trigger(const struct perfdata *d, struct recorded_trigger *t)
{
	struct section_lines lines;

	section_lines_init(&lines, d, RECORDING_TRIGGER);
	return section_next_line(&lines, &t->condition, &t->len) &&
	       field_number(&t->condition, &t->len, 10, &t->time_ns) &&
	       field_number(&t->condition, &t->len, 10, &t->pid) && field_number(&t->condition, &t->len, 10, &t->tid) &&
	       field_number(&t->condition, &t->len, 10, &t->value) && t->len;
}

/* --- windows ---------------------------------------------------------------------- */

const char *recorded_window_fact(const struct perfdata *d, const char *key, size_t *len)
{
	size_t key_len = strlen(key);
	struct section_lines lines;
	const char *text;

	section_lines_init(&lines, d, RECORDING_WINDOWS);
	while (section_next_line(&lines, &text, len)) {
		if (*len <= key_len || memcmp(text, key, key_len) != 0 || text[key_len] != ' ')
			continue;
		*len -= key_len + 1;
		return text + key_len + 1;
	}
	return NULL;
}

/* --- priorities ------------------------------------------------------------------- */

/* "-20" to "19" */
static bool recorded_niceness(const char *text, size_t len, int *niceness)
{
	bool minus = len && *text == '-';
	uint64_t n;

	text += minus;
	len -= minus;
	if (!field_number(&text, &len, 10, &n) || len || n > 20)
		return false;
	*niceness = minus ? -(int)n : (int)n;
	return true;
}

void recorded_priorities_each(const struct perfdata *d, recorded_priority_sink *sink, void *argument)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_PRIORITIES);
	while (section_next_line(&lines, &text, &len)) {
		const char *blank;
		uint64_t pid, tid;
		int niceness;

		if (!field_number(&text, &len, 10, &pid) || !field_number(&text, &len, 10, &tid) || pid > INT_MAX ||
		    tid > INT_MAX)
			continue;
		blank = memchr(text, ' ', len);
		if (blank && recorded_niceness(blank + 1, (size_t)(text + len - blank - 1), &niceness))
			sink((int)pid, (int)tid, text, (size_t)(blank - text), niceness, argument);
	}
}

/* --- affinities ------------------------------------------------------------------- */

uint64_t recorded_affinities_cpus(const struct perfdata *d)
{
	static const char key[] = "cpus ";
	size_t len, key_len = sizeof(key) - 1;
	struct section_lines lines;
	const char *text;
	uint64_t cpus;

	section_lines_init(&lines, d, RECORDING_AFFINITIES);
	while (section_next_line(&lines, &text, &len)) {
		if (len <= key_len || memcmp(text, key, key_len) != 0)
			continue;
		text += key_len;
		len -= key_len;
		return field_number(&text, &len, 10, &cpus) && !len ? cpus : 0;
	}
	return 0;
}

void recorded_affinities_each(const struct perfdata *d, recorded_affinity_sink *sink, void *argument)
{
	struct section_lines lines;
	const char *text;
	size_t len;

	section_lines_init(&lines, d, RECORDING_AFFINITIES);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t pid, tid, cpus;

		if (field_number(&text, &len, 10, &pid) && field_number(&text, &len, 10, &tid) &&
		    field_number(&text, &len, 10, &cpus) && !len && pid <= INT_MAX && tid <= INT_MAX)
			sink((int)pid, (int)tid, cpus, argument);
	}
}

/* --- losses --------------------------------------------------------------------- */

uint64_t recorded_loss(const struct perfdata *d, const char *key, bool *found)
{
	size_t key_len = strlen(key), len;
	struct section_lines lines;
	const char *text;

	section_lines_init(&lines, d, RECORDING_LOSSES);
	while (section_next_line(&lines, &text, &len)) {
		uint64_t count;

		if (len <= key_len || memcmp(text, key, key_len) || text[key_len] != ' ')
			continue;
		text += key_len + 1;
		len -= key_len + 1;
		if (!field_number(&text, &len, 10, &count))
			continue;
		*found = true;
		return count;
	}
	*found = false;
	return 0;
}
