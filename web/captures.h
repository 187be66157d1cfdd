/* captures: pictures, grouped and sorted as on the page.
 *
 * A capture is one recording and everything made from it, recognised by name:
 *
 *     db1-T1.data              the recording
 *     db1-T1.folded            its folded lines
 *     db1-T1.svg               its first picture
 *     db1-T1-heat.svg          another one: starts with the recording's name
 *     db1-T1-threads/lbm.svg   one thread of it: in NAME-threads/
 *
 * Without the recording (it has mode 0600 and often stays where it was made), the names that report gives to
 * its charts tell: "-heat", "-states", ... */
#ifndef WEB_CAPTURES_H
#define WEB_CAPTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/format/run_file.h"
#include "web/pictures.h"

enum member_role { /* in the order of a capture's members */
		   MEMBER_PICTURE,
		   MEMBER_THREAD,
		   MEMBER_SOURCE, /* recording, folded */
};

struct member {
	const struct web_picture *picture;
	const char *key; /* the same for all members of a capture */
	enum member_role role;
	uint64_t total; /* of its values, to sort threads */
	unsigned rank;  /* of its chart on the page */
};

struct web_capture {
	const struct member *members;
	size_t count;
	const struct picture_metadata *about; /* of the first member that says anything */
	uint64_t start_ns;                    /* first sample, else the modification time of its newest file */
	uint64_t end_ns;                      /* last sample, 0 when unknown */
	bool timed;                           /* start_ns is the first sample's */
	char day[11];                         /* of start_ns, UTC: "2026-11-21" */
};

struct captures {                  /* {0} is empty */
	struct web_capture *items; /* newest first */
	size_t count;
	struct member *members;
	struct arena text;
};

/* Group and sort.  The result points into all. */
void captures_make(struct captures *c, const struct pictures *all);

void captures_free(struct captures *c);

/* The host that took the capture, "" when unknown. */
const char *capture_host(const struct web_capture *c);

/* The file of its own page (run_page.h): always the same for a capture of that name. */
void capture_page(char name[RUN_FILE_NAME], const struct web_capture *c);

/* The findings, in lines, from the first picture that has some; NULL: none has. */
const char *capture_headline(const struct web_capture *c);

/* The line of the findings with that number, from 0, up to a newline or the end; NULL: there are fewer lines. */
const char *capture_headline_line(const struct web_capture *c, size_t number);

/* The line of the findings that names the culprit: the second of three or more, as collapse --explain=headline has
 * them, else the first. */
const char *capture_fact(const struct web_capture *c);

/* The chart to whose name report appends suffix ("-timeline", "" for the first one); NULL: there is none. */
const struct web_picture *capture_chart(const struct web_capture *c, const char *suffix);

/* The picture's own name: its thread, or its title, or else the name of its file. */
const char *capture_title(const struct web_picture *p);

#endif
