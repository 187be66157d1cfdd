/* run_page: a page of one run: what was found, its charts, the text to grep.
 *
 * It is in PICTURES_OWN, without scripts, and refers to files as "../NAME". */
#ifndef WEB_RUN_PAGE_H
#define WEB_RUN_PAGE_H

#include "core/str.h"
#include "web/data.h"

enum { RUN_PAGE_NAME = 26 }; /* bytes: "run-0123456789abcdef.html" and NUL */

/* The name of the page: always the same for the run of that name. */
void run_page_name(char name[RUN_PAGE_NAME], const struct web_capture *c);

/* Append the page; list is the name of the page that lists all runs. */
void run_page_write(struct str *page, const struct web_run *run, const struct verdicts *rules, const char *list);

#endif
