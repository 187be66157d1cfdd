/* queues: do threads take turns with something that only some of them can have at a time, such as a connection? */
#ifndef COLLAPSE_CAUSE_QUEUES_H
#define COLLAPSE_CAUSE_QUEUES_H

#include "collapse/cause/finding_maker.h"

/* Find the places where threads wait for others. */
void queues_find(struct finding_maker *m);

/* Did the thread wait for its turn, because of a cause that had it? */
bool queues_have(struct finding_maker *m, const struct history_span *b, const struct cause *c);

/* Do threads take turns with something while its current holder waits for another process?  If so, that process is not
 * the only cause of the threads' waits. */
bool queues_leave(struct finding_maker *m, const struct history_span *b, const struct cause *c);

void queues_free(struct queues *q);

#endif
