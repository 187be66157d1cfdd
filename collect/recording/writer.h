/* writer: a recording while it is being made (the format: core/format/recording.h).
 *
 * The file has a header when it gets its name, grows in place under that, and the header always
 * counts the whole records written so far: killed at any moment, it opens.
 *
 *     header | clock | ids | attributes | data ...          while recording
 *     ... data | table of sections | feature sections       once finished
 *
 * The clock block, text as in RECORDING_CLOCKS, holds the first and the last
 * anchor, for a recording that was not finished.  The header's third section,
 * unused in version 2 of the format (event_types), says where it is. */
#ifndef COLLECT_RECORDING_WRITER_H
#define COLLECT_RECORDING_WRITER_H

#include <stdint.h>
#include <sys/uio.h>

#include "collect/machine/anchors.h"
#include "collect/recording/event.h"
#include "collect/recording/tally.h"
#include "core/format/recording.h"
#include "core/str.h"

struct section {
	int feature;
	struct str content;
};

struct recording {                    /* {0} is none */
	int fd;
	const char *path;
	char *unnamed;                /* what it is called before it has its name; NULL: nothing */
	bool named;                   /* path is it */
	char *kept;                   /* what an older file of that name is called now */
	const struct events *events;
	uint64_t attrs_start;
	uint64_t data_start, data_end;
	uint64_t size;                /* of the file, once it is finished */
	uint64_t size_limit;          /* ulimit -f */
	struct section *sections;     /* by feature */
	size_t section_count, section_cap;
	struct anchors anchors;
	struct tally tally;
	/* The records of iov[0..count) that are kept, valid until the next call; NULL: all are. */
	struct iovec (*keep)(void *keeper, const struct iovec *iov, int count);
	void *keeper;
	bool failed;                  /* a write did; said already */
};

/* Create the file at path, which must outlive r, as events must; an existing one
 * becomes path.old.  Events must have their ids.  Returns 0, or -1 after a
 * message. */
int recording_create(struct recording *r, const char *path, const struct events *events);

/* Append whole records and count them.  Returns 0, or -1 after a message (disk
 * full): then what is whole is kept, nothing more is accepted, and there is room
 * for the sections still. */
int recording_append(struct recording *r, const struct iovec *iov, int count);

/* Make what was appended part of the file. */
int recording_flush(struct recording *r);

/* All that collects is running: the time that was looked at begins, with an anchor. */
void recording_begin(struct recording *r);

/* Take a clock anchor.  Every second, and when all that collects has been stopped: there
 * the time that was looked at ends. */
void recording_anchor(struct recording *r);

/* Add a section, one of ours or one of perf's; the content is copied. */
void recording_add_section(struct recording *r, int feature, const char *content, size_t len);

/* Write the sections and close.  Returns 0, or -1 after a message. */
int recording_finish(struct recording *r);

/* Nothing was recorded: remove the file, give the older one its name back. */
void recording_abandon(struct recording *r);

/* Close, free; {0} and a finished recording are accepted. */
void recording_free(struct recording *r);

#endif
