/* timer: wakes a session every so often. */
#ifndef COLLECT_MACHINE_TIMER_H
#define COLLECT_MACHINE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/machine/session.h"

/* A timer is a file descriptor, -1 before it is started.  From now on the session wakes with SESSION_DATA every ns
 * nanoseconds.  Returns 0, or -1 after a message. */
int timer_start(int *timer, struct session *session, uint64_t ns);

/* Has it expired since the last call? */
bool timer_is_due(int timer);

void timer_stop(int *timer);

#endif
