/* pictures: all files below a directory that belong on its page. */
#ifndef WEB_PICTURES_H
#define WEB_PICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/format/run_file.h"
#include "web/metadata.h"

enum picture_type {
	PICTURE_SVG,
	PICTURE_PNG,
	PICTURE_SVGZ,      /* not drawn, because a server may send it without saying that it is compressed */
	PICTURE_PDF,       /* likewise: linked */
	PICTURE_RECORDING, /* perf.data: not drawn, linked */
	PICTURE_FOLDED,    /* likewise */
	PICTURE_TEXT,      /* an explanation: likewise */
	PICTURE_UNREAD,    /* a directory that could not be read */
};

struct web_picture {
	const char *path; /* below the directory; any bytes but NUL */
	enum picture_type type;
	uint64_t size_bytes;
	uint64_t mtime_ns;  /* since the epoch */
	const char *script; /* the script to which it refers, as in render --script; NULL: it contains its script, or
			     * has none */
	bool asks;          /* ... it asks for the list of the other charts of its run (run_links.h) */
	struct picture_metadata about;
	const char *problem; /* the reason why it cannot be shown, or NULL */
};

struct pictures {                  /* {0} is empty */
	struct web_picture *items; /* unsorted */
	size_t count, cap;
	size_t links;      /* symbolic links, which are not followed; ... */
	size_t links_away; /* ... those links that may lead to charts, rather than to a script */
	struct arena text; /* owns paths and facts */
};

/* The page's own folder, beside it. */
#define PICTURES_OWN RUN_FILE_FOLDER

/* Collect *.svg, *.svgz, *.png, *.pdf, *.data and *.folded below dir; hidden files, symbolic links
 * and PICTURES_OWN are skipped.  A file that cannot be read, or is not what its
 * name says, gets a problem and a warning.  Returns 0, or -1 after a message when
 * dir itself cannot be read; name is for messages. */
int pictures_scan(struct pictures *all, int dir, const char *name);

void pictures_free(struct pictures *all);

#endif
