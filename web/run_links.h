/* run_links: a script with the addresses of a run's charts and page, so that each chart can link to the others:
 *
 *     pyrograph.siblings = {"page":"index-files/run-0123456789abcdef.html","charts":[{"title":"Timeline: java","url":"T1.svg"}]};
 *
 * Addresses are below the directory, and escaped. */
#ifndef WEB_RUN_LINKS_H
#define WEB_RUN_LINKS_H

#include <stdbool.h>

#include "core/str.h"
#include "web/captures.h"

/* Does any chart of the run ask for it? */
bool run_links_wanted(const struct web_capture *c);

/* Append the file. */
void run_links_write(struct str *out, const struct web_capture *c);

#endif
