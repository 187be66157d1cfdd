/* shipping: sends the finished windows of a continuous recording (watch_windows.h) to a store, by pyrograph-ship.
 *
 *     watch-2026-11-24T101500Z.data              a finished window
 *     watch-2026-11-24T101500Z.data.unshipped    the mark that it was not sent yet; made when it begins
 *     (core/format/shipping.h)
 *     spool/                                     what a store that is away could not take (ship/spool.h)
 *
 * Windows are sent one after another, the oldest first, each by a process of its own at the lowest priority, without
 * our capabilities.  Windows for which even the spool has no room wait in the directory for as long as windows are
 * kept. Marks are files, so that the next recorder can send what we did not. */
#ifndef COLLECT_RUN_SHIPPING_H
#define COLLECT_RUN_SHIPPING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/opts.h"
#include "core/str.h"

/* As the user asked: options of pyrograph-ship. */
struct shipping_plan {
	const char *to;                                              /* an address; NULL: nothing is sent */
	const char *argument;                                        /* the address without secrets (core/secret.h) */
	const char *service, *spool_max, *user, *password_file, *ca; /* NULL: not given */
	const char *dir;                                             /* of the windows */
	struct text_list events;                                     /* only these; none: all */
	uint64_t spread_ns; /* windows end at the same time on all hosts, so each host waits for a part of this */
};

struct shipping {
	const struct shipping_plan *plan; /* NULL: nothing is sent */
	pid_t pid;                        /* that sends now; 0: none */
	int said;                         /* its stderr */
	char *mark;                       /* of its window */
	bool wanted;                      /* there may be windows to send */
	uint64_t begin_ns;                /* not before, CLOCK_MONOTONIC */
	struct str told;                  /* the last message, without its numbers; empty: all is well */
	uint64_t lost;                    /* number of windows removed before they were sent, since the last success */
};

/* Exits 2 if the options are wrong. */
void shipping_check(const struct shipping_plan *plan);

void shipping_begin(struct shipping *s, const struct shipping_plan *plan);

/* A window, "...data.part", begins: mark it to be sent. */
void shipping_mark(struct shipping *s, const char *part);

/* A window is finished. */
void shipping_add(struct shipping *s);

/* Send the next window, if one is waiting and none is being sent. */
void shipping_turn(struct shipping *s);

/* A child has ended: returns whether it was ours. */
bool shipping_reaped(struct shipping *s, pid_t pid, int status);

/* End the sending process.  Its window is sent again later, which does not make duplicates in the store. */
void shipping_stop(struct shipping *s);

/* Send waiting windows, for a few seconds at most. */
void shipping_finish(struct shipping *s);

void shipping_free(struct shipping *s);

#endif
