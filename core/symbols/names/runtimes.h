/* runtimes: whose code a function is, by its name and its file: the table in core/symbols/names/runtimes.js, which says
 * what its rows mean.
 *
 *     syscall.RawSyscall6                  go, name
 *     sort.insertionSort                   go, inner: only where a function of Go is near
 *     /usr/lib/jvm/.../libjvm.so           java, file
 *     /srv/venv/lib/python3.12/site-packages/requests/api.py   python, package
 *     main.rebuild                         nothing of these: the user's */
#ifndef CORE_SYMBOLS_NAMES_RUNTIMES_H
#define CORE_SYMBOLS_NAMES_RUNTIMES_H

#include <stddef.h>
#include <stdint.h>

#include "core/asset.h"

/* If several kinds apply to a name, the largest one counts. */
enum runtime_kind {
	RUNTIME_NONE,
	RUNTIME_INNER,
	RUNTIME_NAME,
	RUNTIME_FILE,
	RUNTIME_PACKAGE,
	RUNTIME_BEGIN,
	RUNTIME_MAIN
};

enum { RUNTIME_LANGUAGES = 16 };

struct runtime_match {
	uint8_t kind;     /* enum runtime_kind */
	uint8_t language; /* index in struct runtimes.languages; of RUNTIME_NONE, 0 */
};

/* A piece of text in the table. */
struct runtime_word {
	const char *text;
	size_t len;
};

/* {0} is empty. */
struct runtimes {
	struct runtime_word languages[RUNTIME_LANGUAGES];
	size_t language_count;
	struct runtime_pattern {
		struct runtime_word glob;
		struct runtime_match match;
	} * items; /* [count], sorted by first byte, with '*' and '?' first */
	size_t count, cap;
	size_t first[257]; /* by first byte: the first pattern with that byte */
};

/* Read the table that is built into the program. */
void runtimes_read(struct runtimes *r);

/* Whose code is a function, by its name without annotations?  Suffixes that compilers append (.part.0, .cold) do not
 * count.  Rows marked "short" in the table are not used: call this if the file is known. */
struct runtime_match runtimes_of_name(const struct runtimes *r, const char *name, size_t len);

/* Whose code a file is, by its path: RUNTIME_FILE, RUNTIME_PACKAGE or RUNTIME_NONE. */
struct runtime_match runtimes_of_file(const struct runtimes *r, const char *path);

/* The index of a language, such as "node"; the table must have it. */
uint8_t runtimes_language(const struct runtimes *r, const char *word);

void runtimes_free(struct runtimes *r);

/* The file with the table, which is a script: it sets pyrograph.runtimes. */
struct asset runtimes_table_asset(void);

#endif
