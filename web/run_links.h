/* run_links: a script that tells the charts of a run of each other and of its page, so that each can link to the rest:
 *
 *     pyrograph.siblings = {"page":"index-files/run-0123456789abcdef.html","charts":[{"title":"Timeline: java","url":"T1.svg"}]};
 *
 * Addresses are below the directory, and escaped. */
#ifndef WEB_RUN_LINKS_H
#define WEB_RUN_LINKS_H

#include <stdbool.h>

#include "core/str.h"
#include "web/captures.h"

/* Do any of its charts ask for it? */
bool run_links_wanted(const struct web_capture *c);

/* Append the file. */
void run_links_write(struct str *out, const struct web_capture *c);

#endif
