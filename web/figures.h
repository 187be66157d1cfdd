/* figures: the texts in the row of a run, from the facts in its pictures; texts that the headline also has are taken
 * from the headline. */
#ifndef WEB_FIGURES_H
#define WEB_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/amounts.h"
#include "web/captures.h"

/* The source of the longest wait, from the least exact to the best; NONE: the longest wait is not known. */
enum figures_longest { FIGURES_OF_NONE, FIGURES_OF_ANY, FIGURES_OF_STATES, FIGURES_OF_TIMELINE, FIGURES_OF_HEADLINE };

struct figures {
	const char *service; /* what was recorded, from the title: "process 8513"; else the folder, else "" */
	size_t service_len;
	bool has_cpus, has_samples;
	enum figures_longest longest;
	uint64_t cpus_milli; /* used on average: 1250 are 1.25 CPUs */
	uint64_t samples, longest_ns;
	struct ratio lost;  /* the worst values of all pictures; whole is 0 if unknown */
	uint64_t length_ns; /* 0 when unknown */
};

struct figures figures_make(const struct web_capture *c);

/* A share in millionths; 0 for an empty whole. */
uint64_t ratio_millionths(const struct ratio *r);

#endif
