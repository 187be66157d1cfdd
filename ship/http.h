/* http: requests to one server, with libcurl. */
#ifndef SHIP_HTTP_H
#define SHIP_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* Who we are, and whom we trust. */
struct http_access {
	const char *user;          /* NULL: none */
	const char *password_file; /* whose first line is the password; NULL: none */
	const char *ca;            /* file of the certificates that may sign the server's; NULL: those of the system */
};

struct http {
	void *curl; /* CURL */
	struct str password;
	const struct http_access *access;
};

struct http_piece {
	const void *bytes;
	size_t len;
};

struct http_answer {
	long status;     /* 200; 0: there was none */
	struct str text; /* the body, unless it was taken; the reason, where there is no answer */
};

/* Take a part of the answer's body.  Returns false to end the request. */
typedef bool http_take(void *argument, const char *bytes, size_t len);

/* Returns 0, or -1 after a message: the password's file cannot be read. */
int http_open(struct http *h, const struct http_access *access);

/* POST the pieces, [count], as the body.  headers: more lines "Name: value", [header_count].  take, if not NULL, gets the
 * body of an answer with status 200.  Returns whether there was an answer, whatever its status. */
bool http_post(struct http *h, const char *url, const struct http_piece *pieces, size_t count,
	       const char *const *headers, size_t header_count, http_take *take, void *argument,
	       struct http_answer *answer);

/* Append text with all but letters, digits and "-._~" as %XX. */
void http_escape(struct str *out, const char *text);

void http_close(struct http *h);

#endif
