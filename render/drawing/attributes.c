#include "render/drawing/attributes.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/markup.h"
#include "core/memory.h"
#include "render/profile/frame.h"

/* ---- what is safe ----------------------------------------------------------- */

static bool is_one_of(const char *text, const char *const *list)
{
	for (; *list; list++) {
		if (!strcasecmp(text, *list))
			return true;
	}
	return false;
}

bool is_safe_address(const char *href, bool of_link)
{
	static const char *const link_schemes[] = { "http", "https", "mailto", "ftp", NULL };
	static const char *const schemes[] = { "http", "https", NULL };
	size_t len = strcspn(href, ":/?#");
	char scheme[16];

	for (const char *c = href; *c; c++) {
		if ((unsigned char)*c <= ' ' || *c == 0x7f || *c == '\\')
			return false;
	}
	if (href[len] != ':')
		return true;
	if (len >= sizeof(scheme))
		return false;
	memcpy(scheme, href, len);
	scheme[len] = '\0';
	return is_one_of(scheme, of_link ? link_schemes : schemes);
}

/* Names for g_extra and a_extra.  Not "style", which can load files. */
static bool is_safe_name(const char *name)
{
	static const char *const names[] = {
		"role",           "tabindex",         "lang",           "rel",          "download", "hreflang",
		"type",           "cursor",           "opacity",        "fill-opacity", "stroke",   "stroke-width",
		"stroke-opacity", "stroke-dasharray", "pointer-events", "visibility",   NULL
	};
	bool prefixed = !strncmp(name, "data-", 5) || !strncmp(name, "aria-", 5);

	if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_")])
		return false;
	return prefixed ? name[5] != '\0' : is_one_of(name, names);
}

/* Is the id free?  The picture's own ids, which its script looks for, are taken. */
static bool is_free_id(const char *id)
{
	static const char *const ours[] = { "heading", "frames", "details", "background", "sky", "legend", NULL };

	return *id && !is_one_of(id, ours) && strncasecmp(id, "flame-", 6) && strncasecmp(id, "pyrograph", 9);
}

static bool attributes_is_word(const char *text)
{
	return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_-")];
}

/* ---- reading ---------------------------------------------------------------- */

/* Attributes are often written for other tools, so errors are reported and skipped, not fatal. */
PRINTF_LIKE(2, 3) static void attributes_leave_out(struct attributes *a, const char *fmt, ...)
{
	char text[400];
	va_list args;

	if (a->left_out++ >= MESSAGES_MAX)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	warn("%s: ignored", text);
}

static void attributes_replace(char **member, const char *value)
{
	free(*member);
	*member = xstrdup(value);
}

static void attributes_add_extra(struct frame_attributes *f, const char *name, const char *value)
{
	for (size_t i = 0; i < f->extra_count; i++) {
		if (!strcmp(f->extra[i].name, name)) {
			attributes_replace(&f->extra[i].value, value);
			return;
		}
	}
	f->extra = xgrow(f->extra, &f->extra_cap, f->extra_count + 1, sizeof(*f->extra));
	f->extra[f->extra_count++] = (struct attribute){ xstrdup(name), xstrdup(value) };
}

static bool attributes_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* End the value at text (in quotes of either kind, else up to a blank) with a NUL.  Returns what follows it;
 * NULL if the closing quote is missing. */
static char *cut_value(char *text, char **value)
{
	char quote = *text == '"' || *text == '\'' ? *text : '\0';
	char *end;

	*value = text + !!quote;
	end = quote ? strchr(text + 1, quote) : text + strcspn(text, " \t");
	if (!end)
		return NULL;
	if (*end)
		*end++ = '\0';
	return end;
}

/* data-owner="web" opacity='.8' */
static void take_extra(struct attributes *a, struct frame_attributes *f, char *text, const char *where)
{
	while (attributes_is_blank(*text))
		text++;
	while (*text) {
		char *name = text, *value, *equals = strchr(text, '=');

		if (!equals) {
			attributes_leave_out(a, "%s: '%s' is not of the form name=\"value\"", where, text);
			return;
		}
		*equals = '\0';
		text = cut_value(equals + 1, &value);
		if (!text) {
			attributes_leave_out(a, "%s: no closing quote after the value of '%s'", where, name);
			return;
		}
		if (!is_safe_name(name) || strchr(value, '\\') || strcasestr(value, "url("))
			attributes_leave_out(a, "%s: attribute '%s' is not accepted in a picture", where, name);
		else
			attributes_add_extra(f, name, value);
		while (attributes_is_blank(*text))
			text++;
	}
}

/* Remove quotes around the value, which inferno accepts as well. */
static char *unquote(char *value)
{
	size_t len = strlen(value);

	if (len < 2 || value[0] != '"' || value[len - 1] != '"')
		return value;
	value[len - 1] = '\0';
	return value + 1;
}

static void attributes_take_id(struct attributes *a, struct frame_attributes *f, const char *id, const char *where)
{
	if (!*id || id[strcspn(id, " \t\r\n\f")])
		attributes_leave_out(a, "%s: an id must be one word, not '%s'", where, id);
	else if (!is_free_id(id))
		attributes_leave_out(a, "%s: id '%s' is taken", where, id);
	else
		attributes_replace(&f->id, id);
}

static void attributes_take_pair(struct attributes *a, struct frame_attributes *f, const char *name, char *value,
				 const char *where)
{
	if (!strcmp(name, "g_extra") || !strcmp(name, "a_extra")) {
		take_extra(a, f, value, where);
		return;
	}
	value = unquote(value);
	if (!strcmp(name, "title")) {
		attributes_replace(&f->title, value);
	} else if (!strcmp(name, "class")) {
		if (strstr(value, "flame-"))
			attributes_leave_out(a, "%s: class '%s' is taken", where, value);
		else
			attributes_replace(&f->class, value);
	} else if (!strcmp(name, "href")) {
		if (is_safe_address(value, true))
			attributes_replace(&f->href, value);
		else
			attributes_leave_out(a, "%s: '%s' is not accepted as a link", where, value);
	} else if (!strcmp(name, "target")) {
		if (attributes_is_word(value))
			attributes_replace(&f->target, value);
		else
			attributes_leave_out(a, "%s: '%s' is not a target", where, value);
	} else if (!strcmp(name, "id")) {
		attributes_take_id(a, f, value, where);
	} else {
		attributes_leave_out(a,
				     "%s: unknown attribute '%s' (title, href, target, id, class, g_extra, "
				     "a_extra)",
				     where, name);
	}
}

static struct frame_attributes *attributes_entry_of(struct attributes *a, const char *name)
{
	size_t count = a->names.count;
	uint32_t id = intern_add(&a->names, name, strlen(name));

	if (a->names.count > count) {
		a->items = xgrow(a->items, &a->cap, a->names.count, sizeof(*a->items));
		a->items[id] = (struct frame_attributes){ 0 };
	}
	return &a->items[id];
}

/* name TAB key=value TAB key=value ... */
static void attributes_take_line(void *attributes, char *line, const char *where)
{
	char *rest = line, *name = strsep(&rest, "\t"), *pair;
	struct attributes *a = attributes;
	struct frame_attributes *f;

	if (!rest) {
		attributes_leave_out(a, "%s: expected a name, a tab and name=value", where);
		return;
	}
	f = attributes_entry_of(a, name);
	while ((pair = strsep(&rest, "\t"))) {
		char *equals = strchr(pair, '=');

		if (!*pair)
			continue;
		if (!equals) {
			attributes_leave_out(a, "%s: '%s' is not of the form name=value", where, pair);
			continue;
		}
		*equals = '\0';
		attributes_take_pair(a, f, pair, equals + 1, where);
	}
}

int attributes_read(struct attributes *a, const char *path)
{
	int status = lines_each(path, attributes_take_line, a);

	if (a->left_out > MESSAGES_MAX)
		warn("%s: %zu more like these", path, a->left_out - MESSAGES_MAX);
	return status;
}

const struct frame_attributes *attributes_find(const struct attributes *a, const char *name, size_t len)
{
	uint32_t id;

	if (!a || !a->names.count)
		return NULL;
	id = intern_find(&a->names, name, len);
	if (id == UINT32_MAX)
		id = intern_find(&a->names, name, frame_base_len(name, len));
	return id == UINT32_MAX ? NULL : &a->items[id];
}

/* ---- writing ---------------------------------------------------------------- */

static void add_xml(struct str *out, const char *name, const char *value)
{
	if (!value)
		return;
	str_addf(out, " %s=\"", name);
	xml_puts(out, value);
	str_addc(out, '"');
}

void attributes_add_xml(struct str *out, const struct frame_attributes *f)
{
	add_xml(out, "id", f->id);
	add_xml(out, "class", f->class);
	for (size_t i = 0; i < f->extra_count; i++)
		add_xml(out, f->extra[i].name, f->extra[i].value);
}

static void add_member(struct str *out, const char *name, const char *value)
{
	if (!value)
		return;
	if (out->buf[out->len - 1] != '{')
		str_addc(out, ',');
	json_puts(out, name);
	str_addc(out, ':');
	json_puts(out, value);
}

void attributes_add_json(struct str *out, const struct frame_attributes *f)
{
	str_addc(out, '{');
	add_member(out, "title", f->title);
	add_member(out, "href", f->href);
	if (f->href)
		add_member(out, "target", f->target ? f->target : "_top");
	add_member(out, "id", f->id);
	add_member(out, "class", f->class);
	if (f->extra_count) {
		str_puts(out, out->buf[out->len - 1] == '{' ? "\"extra\":{" : ",\"extra\":{");
		for (size_t i = 0; i < f->extra_count; i++)
			add_member(out, f->extra[i].name, f->extra[i].value);
		str_addc(out, '}');
	}
	str_addc(out, '}');
}

void attributes_free(struct attributes *a)
{
	if (!a)
		return;
	for (size_t n = 0; n < a->names.count; n++) {
		struct frame_attributes *f = &a->items[n];

		free(f->title);
		free(f->href);
		free(f->target);
		free(f->id);
		free(f->class);
		for (size_t i = 0; i < f->extra_count; i++) {
			free(f->extra[i].name);
			free(f->extra[i].value);
		}
		free(f->extra);
	}
	free(a->items);
	intern_free(&a->names);
	*a = (struct attributes){ 0 };
}
