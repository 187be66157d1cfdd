/* choice: chooses the event of a recording that is used, and how it is shown. */
#ifndef COLLAPSE_CHOICE_H
#define COLLAPSE_CHOICE_H

#include "collapse/options.h"
#include "collapse/views/reading.h"

/* Choose the event that the options ask for, r->event, and how to show it, *used; report the other events of r.  Exits
 * 2 if the options name an event that r does not have.  Returns 0, or -1 after a message. */
int choice_make(struct reading *r, const struct options *o, const struct preset **used);

#endif
