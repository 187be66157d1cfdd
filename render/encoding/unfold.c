#include "render/encoding/unfold.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/format/folded.h"
#include "core/format/picture.h"
#include "core/markup.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "render/profile/sample.h"

enum {
	STACK_MAX = 16 << 20, /* bytes: even a small file could describe an endless stack */
	FLUSH_BYTES = 256 << 10,
};

/* How the lines show several layers. */
enum lines_with { WITH_ONE_VALUE, WITH_TWO_VALUES, WITH_TIMES, WITH_FRAMES };

struct unfolder {
	const struct decoded *d;
	FILE *out;
	struct str text;  /* not written yet */
	struct str stack; /* the current frames, outermost first */
	enum lines_with with;
	uint64_t start_ns, step_ns; /* WITH_TIMES */
	bool events;                /* WITH_FRAMES: layers are events, else files */
	bool whole;                 /* the root is "all", which is not in stacks */
	bool reversed;              /* stacks were merged from their leaves */
	bool chart;                 /* lines are in order of time */
	uint32_t *child, *sibling;  /* linked lists in the order of lines; 0 ends one */
};

/* ---- header --------------------------------------------------------------- */

bool unfold_is_key(const char *key)
{
	return *key && strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(key);
}

/* Append " key=value", escaped as in folded.h. */
void unfold_pair(struct str *out, const char *key, const struct str *value)
{
	bool bare = value->len;

	for (size_t i = 0; i < value->len; i++)
		bare &= isalnum((unsigned char)value->buf[i]) || (value->buf[i] && strchr("_.,:+/%@~-", value->buf[i]));
	str_addf(out, " %s=", key);
	if (bare)
		str_add(out, value->buf, value->len);
	else
		json_add(out, str_text(value), value->len);
}

/* Does the key describe the picture, or values that are not in it, rather than the picture's source? */
static bool is_of_picture(const char *key)
{
	static const char *const keys[] = { PICTURE_KIND,   PICTURE_TITLE, PICTURE_UNIT,    PICTURE_TOTAL,
					    PICTURE_THREAD, PICTURE_NOTES, PICTURE_LONGEST, PICTURE_HEADLINE,
					    PICTURE_IDLE,   PICTURE_PLOT,  FOLDED_COLUMNS };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!strcmp(keys[i], key))
			return true;
	}
	return false;
}

/* Put a frame before those of list, unless the list has it, since an event may have been a frame before it became a
 * layer. */
static void add_root(struct str *list, const char *name)
{
	struct str longer = { 0 };

	if (!strncmp(str_text(list), name, strlen(name)))
		return;
	str_addf(&longer, "%s,%s", name, str_text(list));
	str_free(list);
	*list = longer;
}

static void unfold_add_header(struct unfolder *u)
{
	const struct decoded *d = u->d;
	struct json about = json_make(str_text(&d->about), d->about.len), rest = about, value;
	struct str key = { 0 }, text = { 0 }, compared = { 0 };

	str_puts(&compared, FOLDED_COMPARED);
	str_add(&u->text, FOLDED_HEADER, strlen(FOLDED_HEADER) - 1); /* pairs begin with a blank */
	while (json_next_member(&rest, &key, &value)) {
		if (!unfold_is_key(str_text(&key)) || is_of_picture(key.buf) || !json_text(value, &text))
			continue;
		if (!strcmp(key.buf, FOLDED_ROOT) && u->with == WITH_FRAMES)
			add_root(&text, u->events ? "event" : "file");
		unfold_pair(&u->text, key.buf, &text);
	}
	if (u->with == WITH_TWO_VALUES) /* the lines need not show it */
		unfold_pair(&u->text, FOLDED_COLUMNS, &compared);
	if (json_text(json_member(about, PICTURE_UNIT), &text))
		unfold_pair(&u->text, FOLDED_UNIT, &text);
	str_addc(&u->text, '\n');
	str_free(&key);
	str_free(&text);
	str_free(&compared);
}

/* ---- order ---------------------------------------------------------------- */

static int unfold_by_text(const void *a, const void *b, void *decoded)
{
	const struct decoded *d = decoded;
	const struct decoded_name *x = &d->names[*(const uint32_t *)a];
	const struct decoded_name *y = &d->names[*(const uint32_t *)b];
	int order = memcmp(d->text.buf + x->start, d->text.buf + y->start, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* rank[name]: its place among all names. */
static uint32_t *unfold_rank_names(const struct decoded *d)
{
	uint32_t *sorted = xcalloc(d->name_count, sizeof(*sorted));
	uint32_t *rank = xcalloc(d->name_count, sizeof(*rank));

	for (uint32_t n = 0; n < d->name_count; n++)
		sorted[n] = n;
	qsort_r(sorted, d->name_count, sizeof(*sorted), unfold_by_text, (void *)d);
	for (uint32_t i = 0; i < d->name_count; i++)
		rank[sorted[i]] = i;
	free(sorted);
	return rank;
}

/* All frames except the root, in the reverse order of lines: by descending rank (a counting sort, with later frames
 * first among equals) or, for a chart, from the last to the first. */
static uint32_t *unfold_order_frames(const struct decoded *d, const uint32_t *rank)
{
	uint32_t *order = xcalloc(d->frame_count, sizeof(*order));
	size_t *first = xcalloc(d->name_count + 1, sizeof(*first)), sum = 0;

	for (size_t i = 1; i < d->frame_count; i++)
		first[rank ? rank[d->frames[i].name] : 0]++;
	for (size_t r = d->name_count; r-- > 0;) {
		size_t count = first[r];

		first[r] = sum;
		sum += count;
	}
	for (size_t i = d->frame_count; i-- > 1;)
		order[first[rank ? rank[d->frames[i].name] : 0]++] = (uint32_t)i;
	free(first);
	return order;
}

static void link_children(struct unfolder *u)
{
	const struct decoded *d = u->d;
	uint32_t *rank = u->chart ? NULL : unfold_rank_names(d), *order = unfold_order_frames(d, rank);

	u->child = xcalloc(d->frame_count, sizeof(*u->child));
	u->sibling = xcalloc(d->frame_count, sizeof(*u->sibling));
	for (size_t i = 0; i + 1 < d->frame_count; i++) {
		uint32_t frame = order[i], parent = d->frames[frame].parent;

		u->sibling[frame] = u->child[parent];
		u->child[parent] = frame;
	}
	free(order);
	free(rank);
}

/* ---- lines ---------------------------------------------------------------- */

static void unfold_flush(struct unfolder *u, size_t limit)
{
	if (u->text.len <= limit)
		return;
	fwrite(u->text.buf, 1, u->text.len, u->out);
	str_clear(&u->text);
}

static const struct decoded_name *unfold_name_of(const struct decoded *d, uint32_t frame)
{
	return &d->names[d->frames[frame].name];
}

/* Append a frame of a line.  Names are cleaned, as the picture may not be ours. */
void unfold_frame(struct str *out, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = name[i];

		str_addc(out, c == ';' ? ':' : c == '\n' || !c ? ' ' : c);
	}
}

void unfold_frames(struct str *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		str_addc(out, text[i] == '\n' || !text[i] ? ' ' : text[i]);
}

void unfold_end_frames(struct str *out, size_t from)
{
	size_t at = out->len;

	while (at > from && (isdigit((unsigned char)out->buf[at - 1]) || out->buf[at - 1] == '.'))
		at--;
	if (at > from && at < out->len && out->buf[at - 1] == ' ')
		out->buf[at - 1] = '_';
}

/* 1725 with two decimals: " 17.25" */
void unfold_value(struct str *out, uint64_t value, unsigned decimals)
{
	uint64_t one = decimal_shift(1, decimals), rest = value % one;

	str_addc(out, ' ');
	str_add_u64(out, value / one);
	if (!rest)
		return;
	for (; rest % 10 == 0; rest /= 10)
		decimals--;
	str_addf(out, ".%0*" PRIu64, (int)decimals, rest);
}

/* The stack that ends in frame, root first. */
static void unfold_add_frames(struct unfolder *u, uint32_t frame)
{
	const struct decoded *d = u->d;
	const char *separator = "";

	if (!u->reversed) {
		str_add(&u->text, str_text(&u->stack), u->stack.len);
		return;
	}
	/* Stacks were reversed: this frame is the outermost one.  In a picture of a split, the root comes
	 * before it. */
	if (!u->whole) {
		unfold_frame(&u->text, d->text.buf + unfold_name_of(d, 0)->start, unfold_name_of(d, 0)->len);
		separator = ";";
	}
	for (; frame; frame = d->frames[frame].parent) {
		str_puts(&u->text, separator);
		unfold_frame(&u->text, d->text.buf + unfold_name_of(d, frame)->start, unfold_name_of(d, frame)->len);
		separator = ";";
	}
}

static void unfold_add_stack(struct unfolder *u, uint32_t frame)
{
	size_t from = u->text.len;

	unfold_add_frames(u, frame);
	unfold_end_frames(&u->text, from);
}

static void unfold_add_line(struct unfolder *u, uint32_t frame, uint64_t value)
{
	unfold_add_stack(u, frame);
	unfold_value(&u->text, value, u->d->decimals);
	str_addc(&u->text, '\n');
}

static void add_layered_line(struct unfolder *u, uint32_t frame, const struct decoded_value *v)
{
	const char *layer = u->d->layers[v->layer];
	uint64_t at = u->start_ns + v->layer * u->step_ns;

	if (u->with == WITH_TIMES) {
		str_addf(&u->text, "@%llu.%09llu ", at / NS_PER_SEC, at % NS_PER_SEC);
	} else if (u->with == WITH_FRAMES) {
		unfold_frame(&u->text, layer, strlen(layer));
		str_puts(&u->text, frame || !u->whole ? ";" : "");
	}
	unfold_add_line(u, frame, v->value);
}

static void unfold_add_lines(struct unfolder *u, uint32_t frame)
{
	const struct decoded *d = u->d;
	size_t first = d->frames[frame].first_value;
	size_t end = frame + 1 < d->frame_count ? d->frames[frame + 1].first_value : d->value_count;
	uint64_t two[2] = { 0 };

	if (first == end)
		return;
	if (u->with != WITH_TWO_VALUES) {
		for (size_t i = first; i < end; i++)
			add_layered_line(u, frame, &d->values[i]);
	} else {
		for (size_t i = first; i < end; i++)
			two[d->values[i].layer] = d->values[i].value;
		unfold_add_stack(u, frame);
		unfold_value(&u->text, two[0], d->decimals);
		unfold_value(&u->text, two[1], d->decimals);
		str_addc(&u->text, '\n');
	}
	unfold_flush(u, FLUSH_BYTES);
}

/* Is the frame one of those in u->stack? */
static bool is_in_stack(const struct unfolder *u, uint32_t frame)
{
	return frame || !u->whole;
}

static void unfold_push(struct unfolder *u, uint32_t frame)
{
	const struct decoded_name *name = unfold_name_of(u->d, frame);

	if (!is_in_stack(u, frame))
		return;
	if (frame && is_in_stack(u, u->d->frames[frame].parent))
		str_addc(&u->stack, ';');
	unfold_frame(&u->stack, u->d->text.buf + name->start, name->len);
}

static void unfold_pop(struct unfolder *u, uint32_t frame)
{
	if (!is_in_stack(u, frame))
		return;
	u->stack.len -= unfold_name_of(u->d, frame)->len;
	u->stack.len -= frame && is_in_stack(u, u->d->frames[frame].parent);
}

static void unfold_enter(struct unfolder *u, uint32_t frame)
{
	const struct decoded_frame *f = &u->d->frames[frame];

	if (f->gap)
		unfold_add_line(u, f->parent, f->gap);
	unfold_push(u, frame);
	if (!u->chart)
		unfold_add_lines(u, frame);
}

/* In a chart, a frame's own value follows its children. */
static void unfold_leave(struct unfolder *u, uint32_t frame)
{
	if (u->chart)
		unfold_add_lines(u, frame);
	unfold_pop(u, frame);
}

/* Depth first, without recursion, since stacks can be deeper than the C stack.  Returns false if a stack is too
 * long. */
static bool unfold_walk(struct unfolder *u)
{
	uint32_t at = 0, next;

	unfold_enter(u, at);
	for (;;) {
		next = u->child[at];
		if (next) {
			u->child[at] = u->sibling[next];
			at = next;
			unfold_enter(u, at);
			if (u->stack.len > STACK_MAX)
				return false;
			continue;
		}
		unfold_leave(u, at);
		if (!at)
			return true;
		at = u->d->frames[at].parent;
	}
}

/* ---- all of it ------------------------------------------------------------- */

static void unfold_read_settings(struct unfolder *u, struct json settings)
{
	struct json animate = json_member(settings, "animate"), mode = json_member(settings, "mode");

	u->whole = !json_member(settings, "whole").at || json_is_true(json_member(settings, "whole"));
	u->reversed = json_is_true(json_member(settings, "reversed"));
	u->chart = json_is_true(json_member(settings, "chart"));
	u->events = json_is(mode, "metrics");
	if (!json_member(settings, "layers").at)
		u->with = WITH_ONE_VALUE;
	else if (json_u64(json_member(animate, "start_ns"), &u->start_ns) &&
		 json_u64(json_member(animate, "step_ns"), &u->step_ns))
		u->with = WITH_TIMES;
	else if (u->d->layer_count == 2 && (!mode.at || json_is(mode, "diff")))
		u->with = WITH_TWO_VALUES;
	else
		u->with = WITH_FRAMES;
}

int unfold(FILE *out, const struct decoded *d, const char *path)
{
	struct json settings = json_make(str_text(&d->settings), d->settings.len);
	struct unfolder u = { .d = d, .out = out };
	int status = 0;

	unfold_read_settings(&u, settings);
	unfold_add_header(&u);
	link_children(&u);
	if (!unfold_walk(&u))
		status = error("%s: a stack of more than %d bytes", path, STACK_MAX);
	unfold_flush(&u, 0);
	free(u.child);
	free(u.sibling);
	str_free(&u.text);
	str_free(&u.stack);
	return status;
}

void unfold_header(struct str *out, struct json source)
{
	struct str key = { 0 }, text = { 0 }, unit = { 0 };
	struct json value;

	str_add(out, FOLDED_HEADER, strlen(FOLDED_HEADER) - 1); /* pairs begin with a blank */
	while (json_next_member(&source, &key, &value)) {
		if (!unfold_is_key(str_text(&key)) || !json_text(value, &text))
			continue;
		if (strcmp(str_text(&key), FOLDED_UNIT) != 0) {
			unfold_pair(out, str_text(&key), &text);
			continue;
		}
		str_clear(&unit);
		str_add(&unit, str_text(&text), text.len);
	}
	if (unit.len)
		unfold_pair(out, FOLDED_UNIT, &unit); /* always last */
	str_addc(out, '\n');
	str_free(&key);
	str_free(&text);
	str_free(&unit);
}
