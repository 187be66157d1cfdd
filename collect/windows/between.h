/* between: the values of --between, which say where windows begin and end.
 *
 *     handle                        a function of the program: from its begin until it returns
 *     begin_request,end_request     from one function to another
 *     frame,frame                   from each call to the next
 *     libssl:SSL_read               a library's function; or /PATH:FUNCTION
 *     worker,worker:return          the return of a function
 *     /usr/sbin/mysqld:mysql:query__start,/usr/sbin/mysqld:mysql:query__done
 *                                   USDT probes: FILE:PROVIDER:NAME, usdt:PROVIDER:NAME of the program
 *     tracepoint:block:block_rq_issue,tracepoint:block:block_rq_complete
 *     safepoint, time-to-safepoint  of JVMs: the whole stop; until all threads have stopped
 *
 * Names of C++, Rust and D are as in the source, without parameters: "app::Server::handle". */
#ifndef COLLECT_WINDOWS_BETWEEN_H
#define COLLECT_WINDOWS_BETWEEN_H

#include <stdbool.h>

enum between_kind { BETWEEN_FUNCTION, BETWEEN_RETURN, BETWEEN_USDT, BETWEEN_TRACEPOINT };

struct between_event {
	enum between_kind kind;
	char *file;  /* a path, the name of a library or program; NULL: the program that is recorded */
	char *group; /* a USDT probe's provider, a tracepoint's category; else NULL */
	char *name;
	const char *other; /* another name that versions of the file use; NULL: none */
};

struct between { /* {0} is empty */
	struct between_event begin, end;
	bool same;          /* both are the same event, which ends a window and begins the next */
	bool whole_process; /* a window is of a process with all threads; else of a thread */
};

/* Parse the values of --between and --between-of (NULL: not given); wrong usage exits 2. */
void between_parse(struct between *b, const char *text, const char *of);

void between_free(struct between *b);

#endif
