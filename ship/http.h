/* http: requests to one server, with libcurl. */
#ifndef SHIP_HTTP_H
#define SHIP_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/str.h"

/* The environment variable with the password, if no file has it. */
#define PASSWORD_VARIABLE "PYROGRAPH_SHIP_PASSWORD"

/* ... and a token that takes the place of user and password. */
#define TOKEN_VARIABLE "PYROGRAPH_SHIP_TOKEN"

/* Who we are, and whom we trust. */
struct http_access {
	const char *user;          /* NULL: none */
	const char *password_file; /* path of a file whose first line is the password; NULL: none */
	const char *token_file;    /* path of a file whose first line is a token (Authorization: Bearer); NULL: none */
	const char *ca;            /* file of the certificates that may sign the server's; NULL: those of the system */
};

struct http {
	void *curl; /* CURL */
	struct str password, token;
	const struct http_access *access;
};

struct http_piece {
	const void *bytes;
	size_t len;
};

struct http_answer {
	long status;     /* the status, such as 200; 0: there was no answer, or not a whole one */
	bool in_doubt;   /* there was no answer, although the server has received the whole request: it may have
			  * executed it */
	struct str text; /* the body, unless it was passed on; or the reason, if there is no answer */
};

/* Take a part of the answer's body.  Returns false to end the request. */
typedef bool http_take(void *argument, const char *bytes, size_t len);

struct http_request {
	const char *url;
	const struct http_piece *pieces; /* [count], the body */
	size_t count;
	const char *const *headers; /* [header_count]: more lines "Name: value" */
	size_t header_count;
	bool writes;     /* the request changes data of the server, so it must never be sent twice */
	http_take *take; /* receives the body of an answer with status 200; NULL: the body becomes the answer's text */
	void *argument;
};

/* Returns 0, or -1 after a message: the password's file cannot be read. */
int http_open(struct http *h, const struct http_access *access);

/* POST a request, once.  An answer that is kept as text has at most 64 MB, the text of an error 64 kB, whatever
 * follows; the connection to a server that is too slow is closed: limits in http.c.  Returns whether there was an
 * answer, whatever its status. */
bool http_post(struct http *h, const struct http_request *request, struct http_answer *answer);

/* Append text with all but letters, digits and "-._~" as %XX. */
void http_escape(struct str *out, const char *text);

void http_close(struct http *h);

#endif
