/* v8_mark: the mark in V8's names of functions, for how a function was compiled: "LazyCompile:*handle /srv/app.js:7". */
#ifndef CORE_FORMAT_V8_MARK_H
#define CORE_FORMAT_V8_MARK_H

#include <stddef.h>
#include <string.h>

/* The index of the mark in name[0..len); 0: there is none.  *tail: the index of the text after the mark. */
static inline size_t v8_mark(const char *name, size_t len, size_t *tail)
{
	static const char *const events[] = { "LazyCompile:", "Function:", "Script:", "Eval:", "JS:" };

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		size_t n = strlen(events[i]);

		if (len <= n || memcmp(name, events[i], n) != 0)
			continue;
		if (!memchr("~^+*", name[n], 4))
			return 0;
		*tail = n + 1;
		if (name[n] != '~' && *tail < len && name[*tail] == '\'') /* compiled for one context */
			++*tail;
		return n;
	}
	return 0;
}

#endif
