/* text_labels: merges the labels of all shards, finds the roots of their samples, and decides which
 * labels are wanted. */
#ifndef COLLAPSE_FOLD_TEXT_LABELS_H
#define COLLAPSE_FOLD_TEXT_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_request.h"
#include "core/map.h"

struct merged_labels {
	struct text_labels labels; /* its names are numbers in all_labels.names */
	struct text_seen seen;
	bool wanted;                    /* event, thread and state are wanted */
	uint32_t root;                  /* number of the text of its root frames */
	uint8_t root_frames[ROOTS_MAX]; /* how many each root has */
};

struct all_labels {
	struct intern names, known;
	bool *state_wanted;          /* by name; NULL: all are */
	struct map event_places;     /* by name: index in the events of the request's data, + 1 */
	struct merged_labels *items; /* [known.count] */
	size_t cap;
	uint32_t event;      /* the event whose samples are used, a number in names; TEXT_NO_NAME: samples of all
			      * events */
	uint32_t **of_shard; /* [shard][label in the shard] -> number in items */
	size_t shard_count;
};

/* Merge the labels of all shards in p, decide which are wanted, and add the texts of their roots to texts.  See
 * text_fold(). */
void all_labels_make(struct all_labels *a, const struct text_parsed *p, struct text_request *request,
		     struct intern *texts);

/* Does any sample have the comm of its thread? */
bool text_has_comms(const struct text_parsed *p);

void all_labels_free(struct all_labels *a);

#endif
