#include "core/symbols/names/runtimes.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

/* A script for browsers, too: the table is between two '`'. */
ASSET(runtimes_table, "core/symbols/names/runtimes.js");

static bool runtimes_is(struct runtime_word w, const char *text)
{
	return w.len == strlen(text) && !memcmp(w.text, text, w.len);
}

/* ---- the table ------------------------------------------------------------------------- */

/* The next word of a line, which ends at end; len 0: there is none. */
static struct runtime_word runtimes_next_word(const char **at, const char *end)
{
	struct runtime_word w;

	while (*at < end && **at == ' ')
		++*at;
	w.text = *at;
	while (*at < end && **at != ' ')
		++*at;
	w.len = (size_t)(*at - w.text);
	return w;
}

static enum runtime_kind runtimes_kind(struct runtime_word w)
{
	static const char *const words[] = {
		[RUNTIME_INNER] = "inner",     [RUNTIME_NAME] = "name",   [RUNTIME_FILE] = "file",
		[RUNTIME_PACKAGE] = "package", [RUNTIME_BEGIN] = "begin", [RUNTIME_MAIN] = "main"
	};

	for (size_t i = RUNTIME_INNER; i <= RUNTIME_MAIN; i++) {
		if (runtimes_is(w, words[i]))
			return (enum runtime_kind)i;
	}
	return RUNTIME_NONE;
}

static uint8_t runtimes_add_language(struct runtimes *r, struct runtime_word w)
{
	for (size_t i = 0; i < r->language_count; i++) {
		if (r->languages[i].len == w.len && !memcmp(r->languages[i].text, w.text, w.len))
			return (uint8_t)i;
	}
	assert(r->language_count < RUNTIME_LANGUAGES);
	r->languages[r->language_count] = w;
	return (uint8_t)r->language_count++;
}

/* go name runtime.* syscall.* */
static void runtimes_add_line(struct runtimes *r, const char *line, const char *end)
{
	struct runtime_word language = runtimes_next_word(&line, end), glob;
	struct runtime_match match;

	if (!language.len || language.text[0] == '#')
		return;
	match.language = runtimes_add_language(r, language);
	match.kind = runtimes_kind(runtimes_next_word(&line, end));
	if (match.kind == RUNTIME_NONE || runtimes_is(language, "linux")) /* the kernel's are known as such */
		return;
	while ((glob = runtimes_next_word(&line, end)).len) {
		r->items = xgrow(r->items, &r->cap, r->count + 1, sizeof(*r->items));
		r->items[r->count++] = (struct runtime_pattern){ glob, match };
	}
}

/* The slot in which a pattern is looked up; 0 for patterns without a fixed first byte. */
static unsigned runtimes_slot(const struct runtime_pattern *p)
{
	return p->glob.text[0] == '*' || p->glob.text[0] == '?' ? 0 : (unsigned char)p->glob.text[0];
}

static int runtimes_by_slot(const void *a, const void *b)
{
	const struct runtime_pattern *x = a, *y = b;

	return ORDER(runtimes_slot(x), runtimes_slot(y)) ?: ORDER(x->glob.text, y->glob.text);
}

void runtimes_read(struct runtimes *r)
{
	struct asset table = runtimes_table_asset();
	const char *begin = memchr(table.bytes, '`', table.len), *end = memrchr(table.bytes, '`', table.len), *next;
	size_t at = 0;

	for (const char *line = begin + 1; line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		runtimes_add_line(r, line, next);
	}
	qsort(r->items, r->count, sizeof(*r->items), runtimes_by_slot);
	for (unsigned slot = 0; slot <= 256; slot++) {
		while (at < r->count && runtimes_slot(&r->items[at]) < slot)
			at++;
		r->first[slot] = at;
	}
}

uint8_t runtimes_language(const struct runtimes *r, const char *word)
{
	for (size_t i = 0; i < r->language_count; i++) {
		if (runtimes_is(r->languages[i], word))
			return (uint8_t)i;
	}
	assert(!"no such language in runtimes.js");
	return 0;
}

void runtimes_free(struct runtimes *r)
{
	free(r->items);
	*r = (struct runtimes){ 0 };
}

/* ---- names ------------------------------------------------------------------------------- */

/* Does this character of a glob, which is not a star, match that one of a name? */
static bool runtimes_stands_for(char glob, char c)
{
	return glob == '?' || glob == c || (glob == '%' && ((c >= 'a' && c <= 'z') || c == '_'));
}

/* On a mismatch, continue after the last '*': no pattern takes longer than its length times the name's. */
static bool runtimes_matches(struct runtime_word glob, struct runtime_word name)
{
	size_t g = 0, n = 0, star = SIZE_MAX, after = 0;

	while (n < name.len) {
		if (g < glob.len && glob.text[g] == '*') {
			star = g++;
			after = n;
		} else if (g < glob.len && runtimes_stands_for(glob.text[g], name.text[n])) {
			g++;
			n++;
		} else if (star != SIZE_MAX) {
			g = star + 1;
			n = ++after;
		} else {
			return false;
		}
	}
	while (g < glob.len && glob.text[g] == '*')
		g++;
	return g == glob.len;
}

/* The best of the patterns in a slot, for files or for names. */
static void runtimes_look(const struct runtimes *r, unsigned slot, struct runtime_word name, bool files,
			  struct runtime_match *best)
{
	for (size_t i = r->first[slot]; i < r->first[slot + 1]; i++) {
		const struct runtime_pattern *p = &r->items[i];

		if (p->match.kind > best->kind && (p->match.kind == RUNTIME_FILE) == files &&
		    runtimes_matches(p->glob, name))
			*best = p->match;
	}
}

static struct runtime_match runtimes_find(const struct runtimes *r, struct runtime_word name, bool files)
{
	struct runtime_match best = { 0 };

	runtimes_look(r, 0, name, files, &best);
	if (name.len && name.text[0])
		runtimes_look(r, (unsigned char)name.text[0], name, files, &best);
	return best;
}

/* Of "sort.part.0", "sort"; of Go's "sort.insertionSort", all. */
static size_t runtimes_whole_len(const char *name, size_t len)
{
	static const char *const suffixes[] = { ".part.",     ".isra.", ".constprop.", ".cold",
						".lto_priv.", ".llvm.", ".localalias" };
	const char *dot = memchr(name, '.', len);

	for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t suffix = strlen(suffixes[i]);

		if ((size_t)(name + len - dot) >= suffix && !memcmp(dot, suffixes[i], suffix))
			return (size_t)(dot - name);
	}
	return len;
}

struct runtime_match runtimes_of_name(const struct runtimes *r, const char *name, size_t len)
{
	return runtimes_find(r, (struct runtime_word){ name, runtimes_whole_len(name, len) }, false);
}

struct runtime_match runtimes_of_file(const struct runtimes *r, const char *path)
{
	const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
	struct runtime_word whole = { path, strlen(path) };
	struct runtime_match of_path = { 0 }, of_file;

	runtimes_look(r, 0, whole, false, &of_path);
	if (of_path.kind == RUNTIME_PACKAGE)
		return of_path;
	of_file = runtimes_find(r, (struct runtime_word){ last, strlen(last) }, true);
	if (of_file.kind == RUNTIME_NONE)
		runtimes_look(r, 0, whole, true, &of_file);
	return of_file;
}
