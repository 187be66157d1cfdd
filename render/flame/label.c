#include "render/flame/label.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 5000 }; /* more characters than any room holds */

/* Does a path, as far as it is one, go on with c?  "com.example.App$Inner", "github.com/x/y-z", "/usr/a.py:12" */
static bool is_of_path(char c)
{
	return (unsigned char)c >= 0x80 || isalnum((unsigned char)c) || strchr("_$./:-~@", c);
}

/* "github.com/gorilla/mux.(*R).Serve", "/usr/lib/app.py:12": the bytes up to the last '/'.  A thread's
 * "java-8513/dw-20" and the kernel's "ksoftirqd/0" have nothing after it that looks like a file or a function of a
 * package. */
static size_t label_path_len(const char *name, size_t run)
{
	const char *slash = run ? memrchr(name, '/', run) : NULL;
	size_t start = slash ? (size_t)(slash - name) + 1 : 0, rest = run - start;

	return memchr(name + start, '.', rest) || memmem(name + start, rest, "::", 2) ? start : 0;
}

/* "core::iter::Iterator::next": all but the last two parts. */
static size_t label_namespace_len(const char *name, size_t run)
{
	size_t before = 0, last = 0;

	for (size_t i = 0; i + 1 < run; i++) {
		if (name[i] != ':' || name[i + 1] != ':')
			continue;
		before = last;
		last = i += 2;
	}
	return before;
}

/* "com.example.Shop.run": the parts in lower case before one in upper case. */
static size_t label_package_len(const char *name, size_t run)
{
	size_t at = 0;

	while (at < run && (islower((unsigned char)name[at]) || name[at] == '_')) {
		const char *dot = memchr(name + at, '.', run - at);
		const char *colons = memmem(name + at, run - at, "::", 2);

		if (!dot || (colons && colons < dot))
			return 0;
		at = (size_t)(dot - name) + 1;
	}
	return at < run && isupper((unsigned char)name[at]) ? at : 0;
}

size_t label_prefix(const char *name, size_t len)
{
	size_t run = 0, start;

	while (run < len && run < LONGEST && name[run] && is_of_path(name[run]))
		run++;
	start = label_path_len(name, run);
	start += label_namespace_len(name + start, run - start);
	start += label_package_len(name + start, run - start);
	return start < len ? start : 0;
}

void label_fit(struct str *out, const struct font *f, const char *name, size_t len, int64_t room_cpx,
	       unsigned min_chars, enum label_cut cut)
{
	size_t before = out->len, skip;

	if (cut == LABEL_CUT_LEFT) {
		font_fit_end(out, f, name, len, room_cpx, min_chars);
		return;
	}
	if (cut == LABEL_CUT_RIGHT) {
		font_fit(out, f, name, len, room_cpx, min_chars);
		return;
	}
	font_fit(out, f, name, len, room_cpx, UINT32_MAX);
	if (out->len > before || !len)
		return;
	skip = label_prefix(name, len);
	font_fit_middle(out, f, name + skip, len - skip, room_cpx, min_chars);
}
