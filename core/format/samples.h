/* samples: single samples as text, between collapse (--out samples) and ship.
 *
 *     # pyrograph: host=db1 event=cpu-clock ... columns=samples,period unit=samples
 *     s 0 main;read;vfs_read_[k]
 *     l 0 comm=java<TAB>pid=java-8513<TAB>thread=java-8513/dw-20<TAB>cpu=cpu1
 *     @1475682078.014325678 0 0 1 10101010
 *
 * - Comments are those of folded text (core/format/folded.h).
 * - "s NUMBER FRAMES" is a stack, without the frames of --root; frames are annotated as collapse was asked to, and may
 *   be none.
 * - "l NUMBER ROOT=FRAMES<TAB>..." is the frames of --root, by their roots, in the order of --root.  A root that has no
 *   frame of a sample is not there.
 * - "@TIME LABELS STACK VALUE..." is a sample: its time, the numbers of its labels and of its stack, and a value for
 *   each of columns= (without it, one).  "- LABELS STACK VALUE..." is a sum that has no time.
 * - Numbers count from 0, in the order of their definitions, which come before the first use.  No text has a control
 *   character. */
#ifndef CORE_FORMAT_SAMPLES_H
#define CORE_FORMAT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define SAMPLES_STACK "s "
#define SAMPLES_LABELS "l "
#define SAMPLES_TIME '@'
#define SAMPLES_UNTIMED "- "
#define SAMPLES_BETWEEN_LABELS '\t'

/* The roots by whose frames samples of an event may be told apart when they are drawn; those for every event come
 * first. */
#define SAMPLES_ROOTS "comm,pid,tid,thread,cpu,cgroup,unit,container,container-id,pod,pod-uid,namespace"

/* Does text begin like this format?  Its first line after the comments is a definition. */
static inline bool samples_begin(const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end && *text == '#') {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		text = newline ? newline + 1 : end;
	}
	return end - text > 4 && (!memcmp(text, SAMPLES_LABELS "0 ", 4) || !memcmp(text, SAMPLES_STACK "0 ", 4));
}

#endif
