#include "collapse/output/line_view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/roots/root.h"
#include "collapse/output/facts.h"
#include "collapse/wire/all_threads.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/memory.h"

#define UNKNOWN UINT64_MAX

/* In folded text, the header tells the root frames.  They are the first frames, up to the first root that may have no
 * frame. */
static void read_folded_roots(struct line_view *v)
{
	static const char *const always[] = { "host", "event", "comm", "pid", "tid", "thread", "cpu" };
	struct header_facts facts = { 0 };
	const char *at;

	facts_read(&facts, str_text(&v->product->header));
	at = facts_get(&facts, FOLDED_ROOT);
	for (size_t len, i; at && *at; at += len + (at[len] == ',')) {
		len = strcspn(at, ",");
		for (i = 0; i < FOLDED_ROOTS_MAX && (strlen(always[i]) != len || memcmp(always[i], at, len)); i++)
			;
		if (i == FOLDED_ROOTS_MAX || v->folded_count == FOLDED_ROOTS_MAX)
			break;
		v->folded_roots[v->folded_count++] = always[i];
	}
	facts_free(&facts);
}

void line_view_begin(struct line_view *v, const struct product *p)
{
	*v = (struct line_view){ .product = p };
	intern_add(&v->strings, "", 0);
	v->of_text = xcalloc(p->texts->count + 1, sizeof(*v->of_text));
	if (p->is_folded)
		read_folded_roots(v);
}

void line_view_end(struct line_view *v)
{
	intern_free(&v->strings);
	intern_free(&v->thread_keys);
	free(v->of_text);
	free(v->threads);
	free(v->frames);
	*v = (struct line_view){ 0 };
}

/* ---- frames ---------------------------------------------------------------------- */

static bool line_view_ends_in(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(text + len - n, end, n);
}

static struct view_frame make_frame(struct line_view *v, const char *text, size_t len)
{
	bool inlined =
		line_view_ends_in(text, len, FOLDED_INLINED_FRAME) || line_view_ends_in(text, len, FOLDED_LIKELY_FRAME);

	return (struct view_frame){ .name = intern_add(&v->strings, text,
						       len - (inlined ? strlen(FOLDED_INLINED_FRAME) : 0)),
				    .text = intern_add(&v->strings, text, len),
				    .inlined = inlined };
}

static void line_view_add_frame(struct line_view *v, struct view_frame frame)
{
	if (frame.inlined && !v->frame_count) { /* into nothing */
		frame.inlined = false;
		frame.name = frame.text;
	}
	v->frames = xgrow(v->frames, &v->frame_cap, v->frame_count + 1, sizeof(*v->frames));
	v->frames[v->frame_count++] = frame;
}

/* Add the frames of one text, in which ';' follows each frame. */
static void line_view_add_frames(struct line_view *v, const char *at, const char *end)
{
	while (at < end) {
		const char *stop = memchr(at, ';', (size_t)(end - at));

		stop = stop ? stop : end;
		if (stop > at)
			line_view_add_frame(v, make_frame(v, at, (size_t)(stop - at)));
		at = stop + 1;
	}
}

/* Look at a text that occurs for the first time. */
static void know_text(struct line_view *v, uint32_t text)
{
	const struct product *p = v->product;
	const char *bytes = intern_text(p->texts, text);
	size_t len = intern_len(p->texts, text);
	struct view_frame frame = make_frame(v, bytes, len);

	frame.module = p->names ? names_module(p->names, text) : NULL;
	if (memchr(bytes, ';', len))
		frame.text = VIEW_SEVERAL_FRAMES;
	v->of_text[text] = frame;
}

/* Add one of the texts after a line's first one: usually it is one frame, but the frames of --leaf share one text. */
static void line_view_add_text(struct line_view *v, uint32_t text)
{
	const struct product *p = v->product;

	if (!v->of_text[text].text)
		know_text(v, text);
	if (v->of_text[text].text == VIEW_SEVERAL_FRAMES)
		line_view_add_frames(v, intern_text(p->texts, text),
				     intern_text(p->texts, text) + intern_len(p->texts, text));
	else
		line_view_add_frame(v, v->of_text[text]);
}

/* The same for many texts, with a fast path for known ones. */
static void line_view_add_texts(struct line_view *v, const uint32_t *texts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct view_frame *known = &v->of_text[texts[i]];

		if (known->text && known->text != VIEW_SEVERAL_FRAMES && !known->inlined &&
		    v->frame_count < v->frame_cap)
			v->frames[v->frame_count++] = *known;
		else
			line_view_add_text(v, texts[i]);
	}
}

/* ---- labels ---------------------------------------------------------------------- */

static void add_text_label(struct line_view *v, const char *key, const char *text, size_t len)
{
	if (v->label_count < VIEW_LABELS_MAX)
		v->labels[v->label_count++] = (struct view_label){ key, intern_add(&v->strings, text, len), 0 };
}

static void add_number_label(struct line_view *v, const char *key, uint64_t number)
{
	for (size_t i = 0; i < v->label_count; i++) {
		if (!strcmp(v->labels[i].key, key))
			return;
	}
	if (v->label_count < VIEW_LABELS_MAX)
		v->labels[v->label_count++] = (struct view_label){ key, 0, number };
}

/* The number at the end of text[0..*len), after mark; *len becomes the length of the text before mark. */
static bool line_view_take_number(const char *text, size_t *len, char mark, uint64_t *number)
{
	size_t at = *len;

	*number = 0;
	while (at && isdigit((unsigned char)text[at - 1]))
		at--;
	if (at == *len || *len - at > 18 || !at || text[at - 1] != mark)
		return false;
	for (size_t i = at; i < *len; i++)
		*number = *number * 10 + (uint64_t)(text[i] - '0');
	*len = at - 1;
	return true;
}

/* "java-8513/dw-20": the length of "java-8513" */
static size_t line_view_process_len(const char *text, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		size_t before = i;
		uint64_t pid;

		if (text[i] == '/' && line_view_take_number(text, &before, '-', &pid))
			return i;
	}
	return 0;
}

/* "java-8513" */
static void note_process(struct line_view *v, struct view_thread *t, const char *text, size_t len)
{
	uint64_t pid;

	if (!line_view_take_number(text, &len, '-', &pid))
		return;
	if (!t->process || t->pid == UNKNOWN)
		t->process = intern_add(&v->strings, text, len);
	t->pid = pid;
	add_number_label(v, "pid", pid);
}

static void line_view_note_thread(struct line_view *v, struct view_thread *t, const char *root, const char *text,
				  size_t len)
{
	size_t head = len;

	if (!strcmp(root, "comm")) {
		t->process = t->pid == UNKNOWN ? intern_add(&v->strings, text, len) : t->process;
	} else if (!strcmp(root, "pid")) {
		note_process(v, t, text, len);
	} else if (!strcmp(root, "tid") && line_view_take_number(text, &head, '/', &t->tid)) {
		note_process(v, t, text, head);
		add_number_label(v, "tid", t->tid);
	} else if (!strcmp(root, "thread") && (head = line_view_process_len(text, len))) {
		note_process(v, t, text, head);
		t->name = intern_add(&v->strings, text + head + 1, len - head - 1);
		t->label = intern_add(&v->strings, text, len);
	}
}

/* Does the root say whose the process is? */
static bool line_view_is_owner(const char *root)
{
	static const char *const roots[] = { "cgroup", "unit",    "container", "container-id",
					     "pod",    "pod-uid", "namespace" };

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		if (!strcmp(roots[i], root))
			return true;
	}
	return false;
}

/* Does the root say who or where, rather than what happened? */
static bool is_identity(const char *root)
{
	static const char *const roots[] = { "host", "event", "comm", "pid", "tid", "thread", "cpu", "by", "waker" };

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		if (!strcmp(roots[i], root))
			return true;
	}
	return line_view_is_owner(root);
}

static bool line_view_has_label(const struct line_view *v, const char *key, const char *text, size_t len)
{
	for (size_t i = 0; i < v->label_count; i++) {
		if (!strcmp(v->labels[i].key, key) && v->labels[i].text &&
		    !strncmp(view_text(v, v->labels[i].text), text, len))
			return true;
	}
	return false;
}

/* Labels are names alone: "prod/shop-7f9c" is two, and a part of an id is none. */
static void line_view_add_owner(struct line_view *v, const char *root, const char *text, size_t len)
{
	const char *slash = !strcmp(root, "pod") ? memchr(text, '/', len) : NULL;

	if (text[0] == '[' || (!strcmp(root, "pod") && memchr(text, ' ', len)) ||
	    (!strcmp(root, "container") && line_view_has_label(v, "container-id", text, len)))
		return;
	if (slash) {
		if (!line_view_has_label(v, "namespace", "", 0))
			add_text_label(v, "namespace", text, (size_t)(slash - text));
		len -= (size_t)(slash + 1 - text);
		text = slash + 1;
	}
	add_text_label(v, root, text, len);
}

static void line_view_add_label(struct line_view *v, struct view_thread *t, const char *root, const char *text,
				size_t len)
{
	size_t head = len;
	uint64_t cpu;

	if (line_view_is_owner(root)) {
		line_view_add_owner(v, root, text, len);
		return;
	}
	if (!strcmp(root, "cpu") && text[0] == '[') /* unknown */
		return;
	if (!strcmp(root, "cpu") && len > 3 && !memcmp(text, "cpu", 3) &&
	    line_view_take_number(text, &head, 'u', &cpu)) {
		add_number_label(v, root, cpu);
		return;
	}
	if (strcmp(root, "pid") && strcmp(root, "tid"))
		add_text_label(v, root, text, len);
	if (!strcmp(root, "waker"))
		v->waker = intern_add(&v->strings, text, len);
	line_view_note_thread(v, t, root, text, len);
}

/* ---- lines ----------------------------------------------------------------------- */

static uint32_t line_view_thread_number(struct line_view *v, const struct view_thread *t)
{
	uint32_t number = intern_add(&v->thread_keys, (const char *)t, sizeof(*t));

	v->threads = xgrow(v->threads, &v->thread_cap, (size_t)number + 1, sizeof(*v->threads));
	v->threads[number] = *t;
	return number;
}

/* Where the first frames of text end. */
static const char *skip_frames(const char *text, const char *end, unsigned frames)
{
	while (frames-- && text < end) {
		const char *stop = memchr(text, ';', (size_t)(end - text));

		text = stop ? stop + 1 : end;
	}
	return text;
}

/* Read the root frames, all of which are in the line's first text. */
static void line_view_add_roots(struct line_view *v, const struct fold_line *line, struct view_thread *t)
{
	const struct product *p = v->product;
	const char *at = intern_text(p->texts, line->texts[0]), *end = at + intern_len(p->texts, line->texts[0]);
	const uint8_t *frames = p->fold->shape_count ? p->fold->shapes[line->shape] : NULL;

	for (size_t i = 0; frames && p->roots && i < p->roots->count; i++) {
		const char *name = p->roots->chosen[i]->name, *stop = skip_frames(at, end, frames[i]);

		if (stop == at)
			continue;
		line_view_add_label(v, t, name, at, (size_t)(stop - at) - 1);
		if (p->roots_asked || !is_identity(name))
			line_view_add_frames(v, at, stop);
		at = stop;
	}
	line_view_add_frames(v, at, end); /* of no root: "[sleeping]" */
}

/* Set the labels and frames of the roots; those of the line before are kept if the roots are the same. */
static void view_roots(struct line_view *v, const struct fold_line *line)
{
	struct view_thread thread;

	if (line_view_has_roots(v, line))
		return;
	memset(&thread, 0, sizeof(thread)); /* its bytes are a key */
	thread.pid = thread.tid = UNKNOWN;
	v->frame_count = v->label_count = v->waker = 0;
	line_view_add_roots(v, line, &thread);
	v->root_frames = v->frame_count;
	for (uint32_t i = 0; i < v->folded_count && i + 1 < line->count; i++)
		line_view_add_label(v, &thread, v->folded_roots[i], intern_text(v->product->texts, line->texts[i + 1]),
				    intern_len(v->product->texts, line->texts[i + 1]));
	v->thread = line_view_thread_number(v, &thread);
	v->last = NULL;
}

/* How many texts this line shares with the one before, counting only texts that are one frame. */
static uint32_t line_view_same_texts(const struct line_view *v, const struct fold_line *line)
{
	const struct fold_line *last = v->last;
	uint32_t i = 1;

	while (last && i < last->count && i < line->count && last->texts[i] == line->texts[i] &&
	       v->of_text[line->texts[i]].text != VIEW_SEVERAL_FRAMES)
		i++;
	return i;
}

/* A line without frames gets the frames of its roots. */
static void view_no_stack(struct line_view *v, const struct fold_line *line)
{
	const char *roots = intern_text(v->product->texts, line->texts[0]);

	line_view_add_frames(v, roots, roots + intern_len(v->product->texts, line->texts[0]));
	if (!v->frame_count)
		line_view_add_frame(v, make_frame(v, "[no stack]", strlen("[no stack]")));
	v->last = NULL;
}

void line_view_of(struct line_view *v, const struct fold_line *line)
{
	uint32_t same;

	if (v->last == line)
		return;
	view_roots(v, line);
	same = line_view_same_texts(v, line);
	v->same_frames = v->last ? v->root_frames + same - 1 : 0;
	v->frame_count = v->root_frames + same - 1;
	line_view_add_texts(v, line->texts + same, line->count - same);
	v->last = line;
	if (!v->frame_count)
		view_no_stack(v, line);
}

uint32_t line_view_add_thread(struct line_view *v, uint32_t label)
{
	struct str text = { 0 };
	struct view_thread t;

	memset(&t, 0, sizeof(t));
	t.pid = t.tid = UNKNOWN;
	str_add(&text, view_text(v, label), view_len(v, label)); /* intern_add() may move it */
	line_view_note_thread(v, &t, "thread", text.buf, text.len);
	if (!t.name)
		t.name = label;
	str_free(&text);
	return line_view_thread_number(v, &t);
}

void line_view_thread_name(const struct line_view *v, uint32_t thread, struct str *out)
{
	const struct view_thread *t = &v->threads[thread];
	uint32_t name = t->name ? t->name : t->process;

	if (name)
		str_add(out, view_text(v, name), view_len(v, name));
	else
		str_puts(out, ALL_THREADS);
}
