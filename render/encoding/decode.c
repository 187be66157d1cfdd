#include "render/encoding/decode.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/utf8.h"
#include "render/encoding/digits.h"
#include "render/profile/sample.h"

enum { LAYERS_MAX = 1 << 16 };

static const char DAMAGED_NAMES[] = "its names are damaged", DAMAGED_TREE[] = "its frames are damaged",
		  FOLDED_NAME[] = "...";

/* ---- elements ------------------------------------------------------------- */

/* <metadata id="flame-settings">...</metadata> */
struct element {
	const char *label; /* the value of id or class */
	size_t label_len;
	const char *text; /* escaped */
	size_t len;
};

/* Set e->label to the value of attribute name (which begins with a blank) in the tag at..end. */
static bool find_attribute(struct element *e, const char *at, const char *end, const char *name)
{
	const char *value = memmem(at, (size_t)(end - at), name, strlen(name)), *quote;

	if (!value)
		return false;
	value += strlen(name);
	if (value == end || (*value != '"' && *value != '\''))
		return false;
	quote = memchr(value + 1, *value, (size_t)(end - value - 1));
	if (!quote)
		return false;
	e->label = value + 1;
	e->label_len = (size_t)(quote - e->label);
	return true;
}

/* The end of the first occurrence of text after at; end if there is none. */
static const char *skip_to(const char *at, const char *end, const char *text)
{
	const char *found = memmem(at, (size_t)(end - at), text, strlen(text));

	return found ? found + strlen(text) : end;
}

static bool decode_starts(const char *at, const char *end, const char *text)
{
	return (size_t)(end - at) >= strlen(text) && !memcmp(at, text, strlen(text));
}

/* Find the next metadata element at or after *at, and move *at past it. */
static bool next_element(struct element *e, const char **at, const char *end)
{
	const char *lt, *gt;

	while (*at < end && (lt = memchr(*at, '<', (size_t)(end - *at)))) {
		if (decode_starts(lt, end, "<![CDATA[")) {
			*at = skip_to(lt, end, "]]>");
		} else if (decode_starts(lt, end, "<!--")) {
			*at = skip_to(lt, end, "-->");
		} else if (decode_starts(lt, end, "<metadata")) {
			*at = gt = skip_to(lt, end, ">");
			if (!find_attribute(e, lt, gt, " id=") && !find_attribute(e, lt, gt, " class="))
				continue;
			lt = memchr(gt, '<', (size_t)(end - gt));
			e->text = gt;
			e->len = (size_t)((lt ? lt : end) - gt);
			return true;
		} else {
			*at = lt + 1;
		}
	}
	return false;
}

static bool decode_is_called(const struct element *e, const char *label)
{
	return e->label_len == strlen(label) && !memcmp(e->label, label, e->label_len);
}

/* Append the character of the entity at at, such as "&#39;".  Returns where the entity ends, or at if it is not
 * an entity. */
static const char *take_entity(struct str *out, const char *at, const char *end)
{
	static const struct {
		const char *text;
		char c;
	} known[] = {
		{ "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&apos;", '\'' },
	};
	bool hex = end - at > 3 && at[1] == '#' && at[2] == 'x';
	uint32_t code = 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (decode_starts(at, end, known[i].text)) {
			str_addc(out, known[i].c);
			return at + strlen(known[i].text);
		}
	}
	if (end - at < 3 || at[1] != '#')
		return at;
	for (const char *c = at + 2 + hex; c < end && c < at + 12; c++) {
		int digit = *c >= '0' && *c <= '9' ? *c - '0' : (*c | 0x20) - 'a' + 10;

		if (*c == ';') {
			utf8_add(out, code);
			return c + 1;
		}
		if (digit < 0 || digit >= (hex ? 16 : 10))
			break;
		code = code * (hex ? 16 : 10) + (uint32_t)digit;
	}
	return at;
}

static void decode_add_unescaped(struct str *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *amp = memchr(text, '&', (size_t)(end - text)), *next;

		str_add(out, text, (size_t)((amp ? amp : end) - text));
		if (!amp)
			return;
		next = take_entity(out, amp, end);
		if (next == amp)
			str_addc(out, *next++);
		text = next;
	}
}

/* ---- names ---------------------------------------------------------------- */

static void decode_add_name(struct decoded *d, size_t start)
{
	d->names = xgrow(d->names, &d->names_cap, d->name_count + 1, sizeof(*d->names));
	d->names[d->name_count++] = (struct decoded_name){ start, d->text.len - start };
}

/* Take a line of names: how many bytes to copy from the previous name, then the rest. */
static bool decode_take_name(struct decoded *d, const char *line, size_t len)
{
	const struct decoded_name *before = d->name_count ? &d->names[d->name_count - 1] : NULL;
	size_t start = d->text.len, shared;

	if (!len || line[0] < FIRST_DIGIT || line[0] > LAST_DIGIT)
		return false;
	shared = (size_t)(line[0] - FIRST_DIGIT);
	if (shared > (before ? before->len : 0))
		return false;
	str_reserve(&d->text, shared);
	if (shared)
		str_add(&d->text, d->text.buf + before->start, shared);
	decode_add_unescaped(&d->text, line + 1, len - 1);
	decode_add_name(d, start);
	return true;
}

static const char *decode_names(struct decoded *d, const struct str *text, uint64_t count)
{
	size_t start;

	for (size_t at = 0, len; at < text->len; at += len + 1) {
		const char *newline = memchr(text->buf + at, '\n', text->len - at);

		len = newline ? (size_t)(newline - text->buf) - at : text->len - at;
		if (d->name_count >= UINT32_MAX || !decode_take_name(d, text->buf + at, len))
			return DAMAGED_NAMES;
	}
	if (d->name_count != count)
		return DAMAGED_NAMES;
	start = d->text.len;
	str_puts(&d->text, FOLDED_NAME);
	decode_add_name(d, start);
	return NULL;
}

/* ---- frames --------------------------------------------------------------- */

/* Which optional numbers frames have. */
struct numbers {
	bool places, layers, gaps;
	bool widths; /* before the values of layers */
};

static void decode_add_value(struct decoded *d, uint32_t layer, uint64_t value)
{
	d->values = xgrow(d->values, &d->values_cap, d->value_count + 1, sizeof(*d->values));
	d->values[d->value_count++] = (struct decoded_value){ layer, value };
}

static void decode_take_values(struct decoded *d, struct digits *in, const struct numbers *n)
{
	uint64_t count, layer = 0;

	if (!n->layers) {
		decode_add_value(d, 0, digits_take(in));
		return;
	}
	if (n->widths)
		digits_take(in);
	for (count = digits_take(in); count && !in->bad; count--) {
		uint64_t skipped = digits_take(in), value = digits_take(in);

		if (skipped >= d->layer_count - layer) {
			in->bad = true;
			return;
		}
		layer += skipped;
		decode_add_value(d, (uint32_t)layer++, value);
	}
}

/* Go up this many levels from frame open. */
static void go_up(const struct decoded *d, struct digits *in, uint32_t *open, uint64_t levels)
{
	for (; levels && !in->bad; levels--) {
		if (!*open)
			in->bad = true;
		*open = d->frames[*open].parent;
	}
}

/* Take the next frame, whose parent is frame open or one of its ancestors. */
static void decode_take_frame(struct decoded *d, struct digits *in, uint32_t *open, const struct numbers *n)
{
	struct decoded_frame frame = { .first_value = d->value_count };
	uint64_t first = digits_take(in), name;

	go_up(d, in, open, first / 2);
	name = digits_take(in);
	if (n->gaps && name == d->name_count && d->frame_count) {
		frame.gap = digits_take(in);
		first = digits_take(in);
		name = digits_take(in);
		in->bad |= first > 1; /* a gap belongs to the frame that follows */
	}
	frame.parent = *open;
	if (name >= d->name_count)
		in->bad = true;
	frame.name = (uint32_t)name;
	if (name + 1 == d->name_count)
		frame.folded = digits_take(in);
	if (n->places)
		digits_take(in);
	if (first % 2)
		decode_take_values(d, in, n);
	d->frames = xgrow(d->frames, &d->frames_cap, d->frame_count + 1, sizeof(*d->frames));
	*open = (uint32_t)d->frame_count;
	d->frames[d->frame_count++] = frame;
}

static const char *decode_tree(struct decoded *d, const struct str *text, uint64_t count, struct json settings)
{
	struct digits in = { str_text(text), str_text(text) + text->len, false };
	struct numbers n = {
		.places = json_is_true(json_member(settings, "arrival")),
		.layers = json_member(settings, "layers").at != NULL,
		.gaps = json_is_true(json_member(settings, "chart")),
		.widths = json_is(json_member(settings, "combine"), "max"),
	};
	uint32_t open = 0;

	while (in.at < in.end && !in.bad && d->frame_count < UINT32_MAX) {
		if (*in.at == '\n') {
			in.at++;
		} else if (!d->frame_count && (*in.at - FIRST_DIGIT) / 2) {
			return DAMAGED_TREE; /* nothing is above the root */
		} else {
			decode_take_frame(d, &in, &open, &n);
		}
	}
	return in.bad || d->frame_count != count ? DAMAGED_TREE : NULL;
}

/* ---- the file -------------------------------------------------------------- */

static const char *take_layers(struct decoded *d, struct json list)
{
	struct json layer;
	struct str name = { 0 };

	while (json_next_item(&list, &layer) && d->layer_count < LAYERS_MAX) {
		json_text(json_member(layer, "name"), &name);
		d->layers = xgrow(d->layers, &d->layers_cap, d->layer_count + 1, sizeof(*d->layers));
		d->layers[d->layer_count++] = xstrdup(str_text(&name));
	}
	str_free(&name);
	if (!d->layer_count) {
		d->layers = xgrow(d->layers, &d->layers_cap, 1, sizeof(*d->layers));
		d->layers[d->layer_count++] = xstrdup("");
	}
	return list.at == list.end || *list.at == ']' ? NULL : "its layers are damaged";
}

static const char *decode_parts(struct decoded *d, const struct str *names, const struct str *tree)
{
	struct json settings = json_make(str_text(&d->settings), d->settings.len);
	uint64_t name_count, frame_count, decimals;
	const char *wrong;

	if (!json_u64(json_member(settings, "names"), &name_count) ||
	    !json_u64(json_member(settings, "frames"), &frame_count) || !frame_count)
		return "it contains no profile";
	if (!json_u64(json_member(settings, "decimals"), &decimals) || decimals > SAMPLE_DECIMALS_MAX)
		return "its settings are damaged";
	d->decimals = (unsigned)decimals;
	wrong = take_layers(d, json_member(settings, "layers"));
	if (!wrong)
		wrong = decode_names(d, names, name_count);
	return wrong ? wrong : decode_tree(d, tree, frame_count, settings);
}

/* A heat map has the settings of its flame graph within its own. */
static void take_inner_settings(struct decoded *d, const struct element *e)
{
	struct str text = { 0 };
	struct json flame;

	decode_add_unescaped(&text, e->text, e->len);
	flame = json_member(json_make(str_text(&text), text.len), "flame");
	if (flame.at)
		str_add(&d->settings, flame.at, (size_t)(flame.end - flame.at));
	str_free(&text);
}

const char *decode(struct decoded *d, const char *svg, size_t len)
{
	const char *at = svg, *wrong = "it is neither a flame graph nor a heat map of pyrograph";
	struct str names = { 0 }, tree = { 0 };
	struct element e;

	*d = (struct decoded){ 0 };
	while (next_element(&e, &at, svg + len)) {
		if (decode_is_called(&e, "pyrograph") && !d->about.len)
			decode_add_unescaped(&d->about, e.text, e.len);
		else if (decode_is_called(&e, "flame-settings") && !d->settings.len)
			decode_add_unescaped(&d->settings, e.text, e.len);
		else if (decode_is_called(&e, "heat") && !d->settings.len)
			take_inner_settings(d, &e);
		else if (decode_is_called(&e, "flame-names"))
			str_add(&names, e.text, e.len);
		else if (decode_is_called(&e, "flame-tree"))
			str_add(&tree, e.text, e.len);
	}
	if (d->settings.len)
		wrong = decode_parts(d, &names, &tree);
	str_free(&names);
	str_free(&tree);
	return wrong;
}

bool decode_text(struct str *out, const char *svg, size_t len, const char *label)
{
	const char *at = svg, *end = svg + len;
	bool found = false;
	struct element e;

	while (next_element(&e, &at, end)) {
		if (!decode_is_called(&e, label))
			continue;
		found = true;
		decode_add_unescaped(out, e.text, e.len);
		for (at = e.text + e.len; decode_starts(at, end, "<!--");) {
			const char *text = skip_to(at, end, "-->");
			const char *lt = memchr(text, '<', (size_t)(end - text));

			at = lt ? lt : end;
			decode_add_unescaped(out, text, (size_t)(at - text));
		}
	}
	return found;
}

void decoded_free(struct decoded *d)
{
	if (!d)
		return;
	str_free(&d->text);
	str_free(&d->about);
	str_free(&d->settings);
	for (size_t i = 0; i < d->layer_count; i++)
		free(d->layers[i]);
	free(d->layers);
	free(d->names);
	free(d->frames);
	free(d->values);
	*d = (struct decoded){ 0 };
}
