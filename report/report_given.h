/* report_given: a report of a recording that is there: --recording FILE. */
#ifndef REPORT_REPORT_GIVEN_H
#define REPORT_REPORT_GIVEN_H

#include "report/report_draw.h"

/* Let r be the report of the recording at path, in dir, which exists: its names are as that of the recording, which is
 * linked into dir; what there is to draw is asked of collapse.  Returns 0, or -1 after a message. */
int report_given(struct report *r, const char *dir, const char *path);

#endif
