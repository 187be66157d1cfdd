/* line_view: a folded line as formats with tables see it: labels, frames, and the thread that it is of.
 *
 *     java-8513/dw-20;cpu3;main;handle;read_[i] 17        --root thread,cpu
 *     labels   thread "java-8513/dw-20"  pid 8513  cpu 3
 *     frames   main, handle, read (inlined)
 *
 * Root frames are labels.  They are frames, too, where the user asked for them by --root, where they say what happened
 * rather than where (state, wait, ...), and where a line would otherwise have no frame. */
#ifndef COLLAPSE_OUTPUT_LINE_VIEW_H
#define COLLAPSE_OUTPUT_LINE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/output/output_formats.h"
#include "core/symbols/space/modules.h"

enum { VIEW_LABELS_MAX = 3 * ROOTS_MAX, FOLDED_ROOTS_MAX = 7 };

#define VIEW_SEVERAL_FRAMES UINT32_MAX

struct view_frame {
	uint32_t name; /* number in strings, without the annotation for inlined code */
	uint32_t text; /* the same with it; of_text: VIEW_SEVERAL_FRAMES */
	const struct module *module;
	bool inlined; /* into the frame before it */
};

struct view_label {
	const char *key; /* "thread" */
	uint32_t text;   /* number in strings; 0: the value is a number */
	uint64_t number;
};

/* A thread, with what the labels say about it. */
struct view_thread {
	uint32_t process, name; /* numbers in strings; 0: unknown */
	uint32_t label;         /* ... of its name in the form of root thread, and in that of root waker:
				 * "java-8513/dw-20" */
	uint32_t unused;
	uint64_t pid, tid; /* UINT64_MAX: unknown */
};

struct line_view {
	const struct product *product;
	struct intern strings;      /* all names and texts of labels; number 0 is "" */
	struct view_frame *of_text; /* by number of the product's text; text 0: not looked at yet */
	const char *folded_roots[FOLDED_ROOTS_MAX];
	uint32_t folded_count;
	struct intern thread_keys;
	struct view_thread *threads; /* [thread_keys.count] */
	size_t thread_cap;

	/* The line of the last line_view_of(): */
	const struct fold_line *last; /* that line; NULL: nothing of it may be reused */
	size_t same_frames;           /* how many of the first frames are those of the line before */
	struct view_frame *frames;    /* [frame_count], root first */
	size_t frame_count, frame_cap;
	size_t root_frames; /* how many of the first frames are root frames */
	struct view_label labels[VIEW_LABELS_MAX];
	size_t label_count;
	uint32_t thread; /* number in threads */
	uint32_t waker;  /* number in strings of its name, in the form of root waker; 0: unknown */
};

void line_view_begin(struct line_view *v, const struct product *p);

void line_view_of(struct line_view *v, const struct fold_line *line);

static inline const char *view_text(const struct line_view *v, uint32_t string)
{
	return intern_text(&v->strings, string);
}

static inline size_t view_len(const struct line_view *v, uint32_t string)
{
	return intern_len(&v->strings, string);
}

/* Append the name of a thread: "dw-20", or else that of its process, or else "all threads". */
void line_view_thread_name(const struct line_view *v, uint32_t thread, struct str *out);

/* Add a thread that is known only by a name in the form of root waker.  Returns its number. */
uint32_t line_view_add_thread(struct line_view *v, uint32_t label);

/* Does this line have the same labels and thread as the last one, because its roots are the same? */
static inline bool line_view_has_roots(const struct line_view *v, const struct fold_line *line)
{
	return v->last && !v->folded_count && v->last->texts[0] == line->texts[0] && v->last->shape == line->shape;
}

void line_view_end(struct line_view *v);

#endif
