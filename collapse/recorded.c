#include "collapse/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "collect/recording.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/symbols/chooser.h"

void section_lines_init(struct section_lines *s, const struct perfdata *d, int feature)
{
	size_t len;
	const uint8_t *bytes = perfdata_feature(d, feature, &len);

	if (!bytes && feature == RECORDING_CLOCKS) { /* not finished: see collect/recording.h */
		bytes = d->bytes + d->early_clocks.offset;
		len = (size_t)d->early_clocks.size;
	}
	s->at = (const char *)bytes;
	s->end = s->at + len;
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

/* The key that collect wrote for the module. */
static uint32_t find_part(const struct recorded_symbols *r, const struct module *module)
{
	static const char *const kinds[] = { "kernel", "elf", "vdso", "jit" };
	struct str key = {0};
	uint32_t number;

	str_addf(&key, "%s %s %s", kinds[module->kind], module->id, module->path);
	for (char *c = key.buf; *c; c++)
		*c = *c == '\n' ? '?' : *c;
	number = intern_find(&r->modules, key.buf, key.len);
	str_free(&key);
	return number;
}

void recorded_source(const struct module *module, struct place *wanted, size_t count,
		     struct arena *names, void *argument)
{
	const struct recorded_symbols *r = argument;
	uint32_t part = find_part(r, module);
	struct section_lines lines;
	struct chooser chooser;
	const char *text;
	size_t len;

	if (part == UINT32_MAX)
		return;
	lines = r->parts[part];
	chooser_init(&chooser, wanted, count);
	while (section_next_line(&lines, &text, &len) && !is_module_line(text, len)) {
		struct symbol s = {0};

		if (!field_number(&text, &len, 16, &s.start) ||
		    !field_number(&text, &len, 16, &s.size) || !len)
			continue;
		s.name = text;
		s.name_len = len;
		chooser_offer(&chooser, &s);
	}
	chooser_finish(&chooser, names);
}

void recorded_symbols_free(struct recorded_symbols *r)
{
	if (!r)
		return;
	intern_free(&r->modules);
	free(r->parts);
	*r = (struct recorded_symbols){0};
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
