#include "collapse/fold/text_frames.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/frame.h"
#include "collapse/frames/span.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/symbols/names/name_simplify.h"

static const char *const annotations[TEXT_KINDS] = {
	[TEXT_PLAIN] = "",
	[TEXT_KERNEL] = FOLDED_KERNEL_FRAME,
	[TEXT_JIT] = FOLDED_JIT_FRAME,
	[TEXT_INLINED] = FOLDED_INLINED_FRAME,
	[TEXT_INTERPRETED] = FOLDED_INTERPRETED_FRAME,
	[TEXT_QUICK] = FOLDED_QUICK_FRAME,
};

/* Strip only the name, not its annotations, which are in the same brackets as Go's type arguments. */
static void strip_templates(struct text_frames *f)
{
	size_t bare = frame_bare_len(str_text(&f->styled), f->styled.len);
	struct str whole = f->styled;

	str_clear(&f->stripped);
	name_strip_templates(str_text(&whole), bare, &f->stripped);
	str_add(&f->stripped, str_text(&whole) + bare, whole.len - bare);
	f->styled = f->stripped;
	f->stripped = whole;
}

/* The name of a frame as the options ask for it; either part of the frame's text, or in f->styled. */
static struct text_span text_frames_name(struct text_frames *f, const struct text_frame_parts *parts)
{
	const struct java_style *java = &f->request->java;

	if (!java->norm && !java->short_packages && !java->no_packages && !f->request->strip_templates)
		return (struct text_span){ parts->name, parts->len };
	str_clear(&f->styled);
	java_style_add(&f->styled, java, parts->name, parts->len);
	if (f->request->strip_templates)
		strip_templates(f);
	return (struct text_span){ str_text(&f->styled), f->styled.len };
}

/* --- all frames --------------------------------------------------------------------- */

/* "0x7f12c0de", "[libfoo.so]", "[unknown]" */
static bool text_frames_is_nameless(const struct text_frame_parts *parts)
{
	size_t i = 2;

	if (parts->len > 2 && parts->name[0] == '[' && parts->name[parts->len - 1] == ']')
		return true;
	if (parts->len < 3 || parts->name[0] != '0' || parts->name[1] != 'x')
		return false;
	while (i < parts->len && memchr("0123456789abcdefABCDEF", parts->name[i], 22))
		i++;
	return i == parts->len;
}

static void text_frames_look_at(struct text_frames *f, const struct text_stacks *s, uint32_t frame)
{
	struct text_frame_parts parts;
	struct text_span name;

	text_frame_take(s, frame, &parts);
	f->request->frames++;
	f->request->nameless += text_frames_is_nameless(&parts);
	name = text_frames_name(f, &parts);
	text_files_add(&f->files, name.text, name.len, parts.at.file ? parts.at.file : "", parts.at.len);
	str_trim(&f->styled);
}

void text_frames_look(struct text_frames *f, const struct text_stacks *s, const uint8_t *used)
{
	uint8_t *seen = f->request->no_stack ? NULL : xcalloc(s->texts.count * TEXT_KINDS + 1, sizeof(*seen));

	for (size_t row = 0; seen && row < s->row_count; row++) {
		size_t count = used[row] ? intern_len(&s->stacks, s->rows[row].stack) / sizeof(uint32_t) : 0;
		uint32_t frame;

		for (size_t i = 0; i < count; i++) {
			memcpy(&frame, intern_text(&s->stacks, s->rows[row].stack) + i * sizeof(frame), sizeof(frame));
			if (!seen[frame])
				text_frames_look_at(f, s, frame);
			seen[frame] = 1;
		}
	}
	free(seen);
}

void text_frames_choose(struct text_frames *f)
{
	text_files_choose(&f->files);
}

/* --- a frame ------------------------------------------------------------------------ */

/* Get room bytes for a longer name in f->styled. */
static struct str *text_frames_copy(struct text_frames *f, struct text_span name, size_t room)
{
	if (name.text != f->styled.buf) {
		str_clear(&f->styled);
		str_reserve(&f->styled, name.len + room);
		str_add(&f->styled, name.text, name.len);
	}
	return &f->styled;
}

/* The name followed by " (qs/lib/parse.js)" or, if the line is known and wanted, ":parse.js:12"; either part of the
 * frame's text, or in f->styled. */
static struct text_span text_frames_with_source(struct text_frames *f, struct text_span name,
						const struct text_source *at)
{
	const struct text_file *file = text_files_find(&f->files, name.text, name.len, at->file, at->len);
	size_t shown = f->request->files == FILES_FULL ? at->len : file->shown;
	const char *path = at->file + at->len - shown;
	struct str *whole;

	if (!at->line) {
		if (!shown || f->request->files == FILES_NEVER || (f->request->files == FILES_NEEDED && !file->several))
			return name;
		if (f->request->files == FILES_ALWAYS && !file->several &&
		    text_files_in_name(name.text, name.len, at->file, at->len))
			return name;
	}
	whole = text_frames_copy(f, name, shown + strlen(" (:4294967295)"));
	str_puts(whole, !at->line ? " (" : shown ? ":" : "");
	str_add(whole, path, shown);
	if (at->line)
		str_addf(whole, ":%u", at->line);
	else
		str_addc(whole, ')');
	return (struct text_span){ whole->buf, whole->len };
}

uint32_t text_frames_text(struct text_frames *f, const struct text_stacks *s, uint32_t frame)
{
	struct text_frame_parts parts;
	struct text_span name;
	uint32_t number;

	text_frame_take(s, frame, &parts);
	name = text_frames_name(f, &parts);
	if (parts.at.len || parts.at.line)
		name = text_frames_with_source(f, name, &parts.at);
	str_clear(&f->text);
	frame_add(&f->text, name.text, name.len);
	str_trim(&f->styled);
	if (f->request->annotate[parts.kind])
		str_puts(&f->text, annotations[parts.kind]);
	number = intern_add(f->texts, f->text.buf, f->text.len);
	str_trim(&f->text);
	return number;
}

void text_frames_free(struct text_frames *f)
{
	text_files_free(&f->files);
	str_free(&f->text);
	str_free(&f->styled);
	str_free(&f->stripped);
}
