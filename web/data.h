/* data: the runs as JSON, for the page's script and for other programs.
 *
 *     {"made":"pyrograph web","rules":[{"rule":"lost>1%","colour":"grey","mark":"..."}],"runs":[
 *     {"name":"db1-T1","host":"db1","day":"2026-11-21","time":"10:15:02",...,"pod":["prod/shop-7f9c"],...,
 *      "charts":[{"url":"db1-T1.svg",...}]},
 *     ...
 *     ]}
 *
 * Text is as the pictures have it; addresses are relative to the page and percent-encoded. */
#ifndef WEB_DATA_H
#define WEB_DATA_H

#include "core/str.h"
#include "web/captures.h"
#include "web/figures.h"
#include "web/verdict.h"

/* A mark near the beginning, so that a file made by something else is not overwritten. */
#define DATA_MADE "{\"made\":\"pyrograph web\""

/* A run as JSON, in the form of the table's row. */
struct web_run {
	const struct web_capture *capture;
	struct figures figures;
	unsigned verdict;  /* a bit for each rule */
	const char *thumb; /* its file, below the page; NULL: none */
};

struct runs {
	const struct verdicts *rules;
	struct web_run *items; /* newest first */
	size_t count;
};

/* Append runs first..last-1 as one document. */
void data_write(struct str *out, const struct runs *runs, size_t first, size_t last);

/* Append a document that lists other ones, one for each month, by the addresses of their files. */
void data_write_months(struct str *out, const struct runs *runs);

/* The address of the document of the month of runs[i]. */
void data_add_month(struct str *out, const struct runs *runs, size_t i);

/* The runs of one month begin at i: returns the first one after them. */
size_t data_month_end(const struct runs *runs, size_t i);

#endif
