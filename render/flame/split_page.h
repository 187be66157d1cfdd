/* split_page: index.html over the pictures of a split: name, value, share and a
 * small picture, the largest first.  Static: no script, valid as HTML and XML. */
#ifndef RENDER_SPLIT_PAGE_H
#define RENDER_SPLIT_PAGE_H

#include <stdbool.h>

#include "render/drawing/format.h"
#include "render/profile/number.h"
#include "render/profile/source.h"

struct split_page {                   /* {0} is empty */
	struct split_row {
		char *name, *file;
		size_t name_len;
		uint64_t value;
	} *rows;
	size_t count, cap;
};

/* What the page says of all pictures together. */
struct split_about {
	const char *title, *dimension;
	uint64_t total;
	const struct unit *unit;
	const struct source *source;
	const struct format *format;
};

/* Add a picture: name as in the profile, file its name in the directory. */
void split_page_add(struct split_page *p, const char *name, size_t len, const char *file,
		    uint64_t value);

/* Is there something in dir that is none of ours and has a name that we need?
 * Returns 0, or -1 after a message.  To be called before any picture is written. */
int split_page_check(const char *dir, bool with_script);

/* The script that the pictures share, by its name in the directory. */
#define SPLIT_SCRIPT "flame.js"

/* Write dir/SPLIT_SCRIPT.  Returns 0, or -1 after a message. */
int split_script_write(const char *dir);

/* Write dir/index.html; sorts the rows.  A page by "pyrograph web" stays.  Returns 0,
 * or -1 after a message. */
int split_page_write(struct split_page *p, const char *dir, const struct split_about *about);

void split_page_free(struct split_page *p);

#endif
