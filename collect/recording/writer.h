/* writer: a recording while it is being made (the format: core/format/recording.h).
 *
 * The file gets its name once it has a header, and grows in place.  The header always counts the whole records written
 * so far, so that the file can be read even if we are killed at any moment.
 *
 *     header | clock | ids | attributes | data ...          while recording
 *     ... data | table of sections | feature sections       once finished
 *
 * The clock block, text as in RECORDING_CLOCKS, holds the first and the last anchor, for unfinished recordings.
 * The header's third section, which version 2 of the format does not use (event_types), says where this block is. */
#ifndef COLLECT_RECORDING_WRITER_H
#define COLLECT_RECORDING_WRITER_H

#include <stdint.h>
#include <sys/uio.h>

#include "collect/machine/anchors.h"
#include "collect/recording/event.h"
#include "collect/recording/file_list.h"
#include "collect/recording/tally.h"
#include "core/format/recording.h"
#include "core/str.h"

struct section {
	int feature;
	struct str content;
};

struct recording { /* {0} is none */
	int fd;
	const char *path;
	char *unnamed;     /* temporary name; NULL: none */
	char own_path[32]; /* the path by which we read it: in /proc, so that it stays valid whatever becomes of its
			    * name and directory */
	bool named;        /* it has the name path */
	char *kept;        /* new name of an older file at path */
	bool in_memory;    /* path is in /proc, and only valid for us */
	int own;           /* the process that records */
	const struct events *events;
	uint64_t attrs_start;
	uint64_t data_start, data_end;
	uint64_t size;            /* of the finished file */
	uint64_t size_limit;      /* ulimit -f */
	uint64_t reserved;        /* the disk has room for the file up to here */
	struct section *sections; /* by feature */
	size_t section_count, section_cap;
	struct file_list files; /* the files that labels FILE refer to; they become the section RECORDING_FILES */
	struct anchors anchors;
	struct tally tally;
	/* Returns the records of iov[0..count) to keep, valid until the next call; NULL: keep all. */
	struct iovec (*keep)(void *keeper, const struct iovec *iov, int count);
	void *keeper;
	bool failed; /* a write failed, and was reported */
};

/* Create the file at path; an existing one becomes path.old.  path and events must outlive r.  Events must have their
 * ids.  Returns 0, or -1 after a
 * message. */
int recording_create(struct recording *r, const char *path, const struct events *events);

/* The same, but in memory, for data that is not to be written yet.  Such a recording is never finished. */
int recording_create_in_memory(struct recording *r, const struct events *events);

/* Give the memory before offset back. */
void recording_forget(struct recording *r, uint64_t offset);

/* Append whole records and count them.  Returns 0, or -1 after a message (disk full): then whole records are kept, no
 * more are accepted, and there is still room for the sections. */
int recording_append(struct recording *r, const struct iovec *iov, int count);

/* Commit what was appended to the file. */
int recording_flush(struct recording *r);

/* All sources run: the time observed begins, with an anchor. */
void recording_begin(struct recording *r);

/* Take a clock anchor: call every second. */
void recording_anchor(struct recording *r);

/* All sources have stopped at end_ns: the time observed ended, with an anchor. */
void recording_end(struct recording *r, uint64_t end_ns);

/* Add a section, ours or perf's; copies the content. */
void recording_add_section(struct recording *r, int feature, const char *content, size_t len);

/* Write the sections and close.  Returns 0, or -1 after a message. */
int recording_finish(struct recording *r);

/* Nothing was recorded: remove the file, restore the older one's name. */
void recording_abandon(struct recording *r);

/* Close, free; {0} and a finished recording are accepted. */
void recording_free(struct recording *r);

#endif
