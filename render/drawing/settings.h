/* settings: the data in a picture's file: a description of the picture and, for its script, the members of a JSON
 * object, each after a comma, and long texts in parts. */
#ifndef RENDER_SETTINGS_H
#define RENDER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/format/picture.h"
#include "core/str.h"
#include "render/drawing/font.h"
#include "render/profile/number.h"
#include "render/profile/source.h"

/* Append ,"key":value. */
void setting_bool(struct str *out, const char *key, bool value);
void setting_text(struct str *out, const char *key, const char *value);
void setting_u64(struct str *out, const char *key, uint64_t value);
void setting_px(struct str *out, const char *key, int32_t cpx);

/* Append {"host":"db1",...}: the whole header; picture_add() may shorten it. */
void source_json(struct str *out, const struct folded_source *source);

/* Append data, which is escaped, as metadata elements of a class, in parts of at most about 1 MB,
 * split between lines.  XML parsers refuse longer runs of text (libxml2: 10 MB). */
void metadata_add(struct str *out, const char *class, const struct str *data);

/* The settings with which browser/flame.js draws frames. */
struct frame_settings {
	uint32_t names, frames, rows, boxes_max;
	struct unit unit;
	const char *nametype;
	bool inverted, fluid;
	bool whole; /* the whole profile, not a part of it */
	bool charted, arrival;
	uint64_t folded;   /* frames folded into "..." frames */
	int32_t top, pad;  /* cpx */
	int32_t height_px; /* of a frame */
	double least_px;   /* narrower ones are not drawn */
	const struct font *font;
	uint32_t root_rgb;
};

/* Append "names":...: the whole object without its braces. */
void frame_settings_add(struct str *out, const struct frame_settings *s);

/* ---- what the picture is (core/format/picture.h) ---- */

struct picture {
	const char *kind, *title, *unit;
	bool has_idle;
	uint64_t idle;            /* the part of the total that belongs to idle CPUs */
	uint64_t total, longest;  /* longest: 0 if the picture is not of waits */
	struct plot {             /* cpx */
		int32_t w, h;     /* of the picture */
		int32_t top, end; /* the place of the chart, without heading and details; 0: unknown */
		bool whole;       /* its axis is at its foot */
	} plot;
	const char *thread, *headline, *notes; /* may be NULL */
	const struct folded_source *source;
	const struct folded_source *about; /* more keys, such as base_host; may be NULL */
};

/* Append the metadata element and, for screen readers, the title and a description: headline, summary (may be NULL),
 * notes. */
void picture_add(struct str *out, const struct picture *p, const char *summary);

#endif
