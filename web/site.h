/* site: the page's files: the page itself, charts.json beside it, and PICTURES_OWN with its style, script and
 * thumbnails.  Each is replaced whole, and only if it changes; the page comes last. */
#ifndef WEB_SITE_H
#define WEB_SITE_H

#include <stdbool.h>

#include "core/arena.h"
#include "web/data.h"

struct site {
	const char *name; /* of the directory, for messages */
	const char *page; /* the name of the page in it */
	int dir;          /* its descriptor */
	bool force;       /* replace files that are not ours */
};

/* Returns 0, or -1 after a message.  Addresses of thumbnails live in text. */
int site_write(const struct site *site, struct runs *runs, struct arena *text);

#endif
