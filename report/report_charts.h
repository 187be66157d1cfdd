/* report_charts: what the report draws of each collector, and which collectors have an option of their own, one row
 * each. */
#ifndef REPORT_REPORT_CHARTS_H
#define REPORT_REPORT_CHARTS_H

#include <stdbool.h>

/* A chart of a collector other than cpu, or of several. */
struct report_chart {
	const char *source;      /* "sched"; "cpu,sched": of both */
	const char *collapse[7]; /* its words */
	const char *suffix;      /* suffix of its file names; of two charts with the same suffix, the first that can be
				  * drawn is drawn */
	const char *title;
	const char *render[7]; /* its words */
	bool drops_lines;      /* its lines are long, and the picture contains them */
	bool own_words;        /* the chart has its own first line, or none: those of a report are about something
			        * else */
};

enum { REPORT_CHARTS_MAX = 64, REPORT_ALSO_MAX = 32 };

extern const struct report_chart report_charts[]; /* ended by one without a source */

/* A collector that the report uses if it is asked to: --NAME. */
struct report_also {
	const char *name;
	const char *help; /* as in struct opt */
	bool has_least;   /* it takes --min */
};

extern const struct report_also report_also[]; /* ended by one without a name */

#endif
