/* run_page: a page of one run: findings, charts, text to grep.
 *
 * It is in PICTURES_OWN, without scripts, and refers to files as "../NAME". */
#ifndef WEB_RUN_PAGE_H
#define WEB_RUN_PAGE_H

#include "core/str.h"
#include "web/data.h"

/* Append the page; list is the name of the page that lists all runs. */
void run_page_write(struct str *page, const struct web_run *run, const struct verdicts *rules, const char *list);

#endif
