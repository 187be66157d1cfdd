/* text_frames: makes the texts of frames that were found in text (text_stacks.h). */
#ifndef COLLAPSE_FOLD_TEXT_FRAMES_H
#define COLLAPSE_FOLD_TEXT_FRAMES_H

#include <stdint.h>

#include "collapse/frames/text_files.h"
#include "collapse/fold/text_request.h"
#include "core/str.h"

struct text_frames { /* empty when request and texts are set, and the rest is 0 */
	struct text_request *request;
	struct intern *texts; /* of all frames */
	struct text_files files;
	struct str text, styled, stripped; /* of the current frame */
};

/* Look at the frames of the rows of s that have a flag in used, before any text is made: how much a frame shows of its
 * file depends on all other frames.  Counts frames in request. */
void text_frames_look(struct text_frames *f, const struct text_stacks *s, const uint8_t *used);

/* After that: choose what files are shown. */
void text_frames_choose(struct text_frames *f);

/* The number in texts of the text of frame, a number in s:
 *
 *     parse    parse (qs/lib/parse.js)     with lines: parse:parse.js:12 */
uint32_t text_frames_text(struct text_frames *f, const struct text_stacks *s, uint32_t frame);

void text_frames_free(struct text_frames *f);

#endif
