/* roots: the frames at the root of each stack, chosen by --root.
 *
 * To add a root: add a row (root.h). */
#ifndef COLLAPSE_ROOTS_ROOTS_H
#define COLLAPSE_ROOTS_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/recorded_names.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "collapse/roots/lane_names.h"
#include "core/intern.h"
#include "core/str.h"

enum { ROOTS_MAX = 24, ROOT_WORDS_MAX = 4 * ROOTS_MAX + 1 };

/* Whose a sample is, for tools with labels. */
#define OWNER_ROOTS "cgroup,container-id,container,pod-uid,pod"

struct names;
struct places;

/* The chosen roots, and the data from which their frames are made. */
struct roots {
	const struct root *chosen[ROOTS_MAX];
	size_t count;
	size_t leaves;     /* how many of the last roots are at the leaf (--leaf) rather than at the root */
	const char *input; /* the path of the input; NULL: unknown */
	const struct perfdata *data;
	struct sideband *sideband;
	struct places *places; /* for the names of classes */
	struct names *frames;  /* set it before roots_write() */
	struct intern names;   /* (pid, comm) pairs of all threads, to find those that share a name; threads
				* without samples count, too, so that a thread has the same name in all views */
	int *tids;             /* by pair: the tid, or -1 if several threads share the name; for root comm: the name */
	size_t tid_cap;
	bool knows_threads; /* names contains the threads of all records */
	bool pool;          /* threads whose names differ only in a number count as one (core/pool.h) */
	bool of_text;       /* pid -1: not known; a process without a known name has the name of its thread */
	bool comms_joined;  /* "V8 WorkerThread" is written "V8_WorkerThread" */
	bool state_frame;   /* "[sleeping]" after the roots replaces the stack */
	bool knows_files;   /* files and devices were read */
	bool knows_calls;   /* calls was read */
	bool knows_lanes;   /* lanes was read */
	struct lane_names lanes;
	struct file_names files, devices;
	bool knows_sources; /* these were read: */
	struct file_names sources;
	struct intern process_texts; /* names and arguments of processes */
	struct intern owner_texts;   /* control groups, containers, pods */
	struct intern state_words;   /* states of threads that only text has */
	struct syscall_names calls;
	/* Derived from the stack, for roots_write(): */
	const char *wait;  /* the frame of root wait; NULL: none */
	const char *idle;  /* for root idle: the frame of the same kind, if the thread had nothing to do; else NULL */
	const char *futex; /* the kind of futex, for root lock; NULL: unknown */
};

/* Parse "thread,cpu".  If a name is unknown, exits 2 and lists the known ones. */
void roots_parse(struct roots *r, const char *list);

/* The i-th root that a list may have; NULL after the last one. */
const char *roots_name(size_t i);

/* Parse a list and append its roots, except roots that r already has. */
void roots_append(struct roots *r, const char *list);

/* The same for frames at the leaf; call this after all roots were added. */
void roots_append_leaves(struct roots *r, const char *list);

/* Append the roots that say what the thread did, as the last frames at the leaf (collapse/views/wall.h). */
void roots_append_wall(struct roots *r);

/* Append the names of the frames at the root, "thread,cpu", or "none". */
void roots_names(const struct roots *r, struct str *out);

/* Does the list contain the root called name? */
bool roots_has(const struct roots *r, const char *name);

/* Fill words with a key for the sample's root frames: equal frames have equal keys.  Returns the number of words. */
size_t roots_key(struct roots *r, const struct recorded_sample *s, uint32_t *words);

/* Write the frames for a key, each followed by ';'.  A root may have no frame ("by", for a thread that sleeps) or
 * several ("lane").  frames gets how many each root has; NULL: not needed. */
void roots_write(const struct roots *r, const uint32_t *words, struct str *out, uint8_t frames[ROOTS_MAX]);

/* Write the frames at the leaf, separated by ';'. */
void roots_write_leaves(const struct roots *r, const uint32_t *words, struct str *out);

void roots_free(struct roots *r);

#endif
