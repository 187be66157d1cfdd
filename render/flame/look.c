#include "render/flame/look.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/memory.h"
#include "render/colours/measuring.h"
#include "render/drawing/svg.h"
#include "render/flame/flame_options.h"

static const char *const theme_names[] = { "auto", "light", "dark", NULL };
static const char *const order_names[] = { "name", "width", "arrival", NULL };

/* ---- options ---------------------------------------------------------------- */

/* The index of value in names, 0 for NULL; exits 2 if it is not among them. */
static int pick(const char *option, const char *value, const char *const *names)
{
	struct str known = { 0 };

	if (!value)
		return 0;
	for (int i = 0; names[i]; i++) {
		if (!strcmp(names[i], value))
			return i;
	}
	for (int i = 0; names[i]; i++)
		str_addf(&known, "%s%s", !i ? "" : names[i + 1] ? ", " : " or ", names[i]);
	die_usage("%s needs %s, not '%s'", option, str_text(&known), value);
}

static struct own_colour own_colour(const char *option, const char *value)
{
	struct own_colour colour = { .set = value };

	if (value && !parse_colour(value, &colour.rgb))
		die_usage("%s needs #rrggbb, not '%s'", option, value);
	return colour;
}

static vector_fn *pick_vector(const struct flame_options *o)
{
	int asked = o->hash + o->deterministic + o->random + !!o->vector;

	if (asked > 1)
		die_usage("--hash, --deterministic, --random and --vector exclude each other");
	return vector_find(o->vector          ? o->vector
			   : o->hash          ? "hash"
			   : o->deterministic ? "fnv"
			   : o->random        ? "random"
					      : "name");
}

static void check_combinations(const struct flame_options *o)
{
	if (o->colordiffusion && o->common.colors)
		die_usage("--colordiffusion and --colors exclude each other");
	if (o->no_sort && o->order && strcmp(o->order, "arrival"))
		die_usage("--no-sort is --order arrival, not %s", o->order);
	if (o->chart && o->order)
		die_usage("--chart is in order of time: --order does not apply");
	if (o->truncate_right && o->truncate && strcmp(o->truncate, "right"))
		die_usage("--truncate-text-right is --truncate right, not %s", o->truncate);
	if (o->encoding && strcasecmp(o->encoding, "utf-8") && strcasecmp(o->encoding, "utf8"))
		warn("--encoding %s: pictures are written in UTF-8", o->encoding);
}

/* A dark background chosen by the user needs the dark theme's texts. */
static enum look_theme choose_theme(const struct flame_options *o)
{
	int theme = pick("--theme", o->theme, theme_names);

	if (theme == THEME_AUTO && o->bgcolors && background_is_dark(background_find(o->bgcolors)))
		return THEME_DARK;
	return (enum look_theme)theme;
}

void look_make(struct look *l, const struct flame_options *o)
{
	static const char *const cuts[] = { "middle", "right", "left", NULL };
	bool no_stroke = o->stroke_color && !strcmp(o->stroke_color, "none");

	*l = (struct look){
		.theme = choose_theme(o),
		.order = o->no_sort ? ORDER_ARRIVAL : (enum tree_order)pick("--order", o->order, order_names),
		.chart = o->chart,
		.reversed = o->reverse,
		.by_width = o->colordiffusion,
		.cut = (enum label_cut)pick("--truncate", o->truncate_right ? "right" : o->truncate, cuts),
		.ui = own_colour("--uicolor", o->uicolor),
		.search = own_colour("--search-color", o->search_color),
		.stroke = own_colour("--stroke-color", no_stroke ? NULL : o->stroke_color),
		.palette = *palette_find(o->common.colors ? o->common.colors : "hot"),
		.map_path = o->palette_map ? o->palette_map
			    : o->cp        ? PALETTE_MAP
					   : NULL,
	};
	l->palette.vector = pick_vector(o);
	l->colours = *theme_find(theme_names[l->theme]);
	if (o->bgcolors || l->ui.set)
		l->colours.dark = NULL; /* the user's colours fit each other */
	if (l->ui.set)
		l->colours.text[TEXT_TITLE] = l->colours.text[TEXT_NOTE] = l->colours.text[TEXT_DOUBT] =
			l->colours.text[TEXT_DETAILS] = l->ui.rgb;
	check_combinations(o);
}

int look_read(struct look *l, const struct flame_options *o)
{
	if (o->rules) {
		if (rules_read(&l->rules, o->rules) < 0)
			return -1;
		l->palette.rules = &l->rules;
	}
	if (o->nameattr && attributes_read(&l->attributes, o->nameattr) < 0)
		return -1;
	if (o->common.strict && l->attributes.left_out)
		return error("%s: nothing drawn because of --strict", o->nameattr);
	if (l->map_path) {
		if (palette_map_read(&l->map, l->map_path) < 0)
			return -1;
		l->palette.map = &l->map;
	}
	return 0;
}

/* ---- colours ---------------------------------------------------------------- */

int look_keep_colours(struct look *l, const struct profile *p, const struct tree *t)
{
	if (!l->map_path)
		return 0;
	for (uint32_t i = 1; i < t->count; i++) {
		const char *name = intern_text(&p->names, t->frames[i].name);
		size_t len = intern_len(&p->names, t->frames[i].name);

		palette_map_add(&l->map, name, len, palette_colour(&l->palette, name, len));
	}
	return palette_map_write(&l->map, l->map_path);
}

/* ---- legend ----------------------------------------------------------------- */

static bool has_label(const struct legend *legend, const char *label)
{
	for (size_t i = 0; i < legend->count; i++) {
		if (!strcmp(legend->entries[i].text, label))
			return true;
	}
	return false;
}

/* Mark the rules and, after them, the kinds of the scheme that determine name's colour. */
static void mark_use(const struct look *l, const char *name, size_t len, bool *used, size_t measuring)
{
	const struct scheme *scheme = l->palette.scheme;
	const struct rule *rule = l->rules.count ? rules_find(&l->rules, name, len) : NULL;

	if (rule)
		used[rule - l->rules.items] = true;
	else if (measuring_is(name, len))
		used[measuring] = true;
	else if (scheme->kinds && !palette_is_separator(name, len))
		used[l->rules.count + scheme->kind(name, len)] = true;
}

static void flame_look_add_label(struct legend *legend, uint32_t rgb, const char *label)
{
	if (label && !has_label(legend, label))
		legend_add(legend, rgb, label);
}

/* A program in Rust also contains Rust's library. */
static const char *flame_look_kind_label(const struct scheme_kind *kind, bool rust)
{
	return rust && !strcmp(kind->label, "C++") ? "Rust or C++" : kind->label;
}

void look_legend(const struct look *l, struct legend *legend, const struct profile *p, const struct tree *t,
		 uint32_t root)
{
	const struct scheme_kind *kinds = l->palette.scheme->kinds;
	size_t kind_count = 0;
	bool *seen, *used, rust = false;

	if (l->by_width)
		return;
	seen = xcalloc(p->names.count, sizeof(*seen));
	while (kinds && kinds[kind_count].label)
		kind_count++;
	used = xcalloc(l->rules.count + kind_count + 1, sizeof(*used));
	for (uint32_t i = root ? root : 1; i < t->frames[root].end; i++) {
		uint32_t name = t->frames[i].name;

		if (!seen[name]) {
			mark_use(l, intern_text(&p->names, name), intern_len(&p->names, name), used,
				 l->rules.count + kind_count);
			rust |= scheme_is_rust(intern_text(&p->names, name), intern_len(&p->names, name));
		}
		seen[name] = true;
	}
	for (size_t i = 0; i < l->rules.count; i++) {
		if (used[i])
			flame_look_add_label(legend, rule_swatch(&l->rules.items[i]), l->rules.items[i].label);
	}
	for (size_t i = 0; i < kind_count; i++) {
		if (used[l->rules.count + i])
			flame_look_add_label(legend, kinds[i].hue(0.5), flame_look_kind_label(&kinds[i], rust));
	}
	if (used[l->rules.count + kind_count])
		flame_look_add_label(legend, MEASURING_RGB, "profiler");
	free(seen);
	free(used);
}

/* ---- settings --------------------------------------------------------------- */

static void flame_look_add_flag(struct str *out, const char *key, bool value)
{
	if (value)
		str_addf(out, ",\"%s\":true", key);
}

static void flame_look_add_colour(struct str *out, const char *key, const struct own_colour *colour)
{
	if (!colour->set)
		return;
	str_addf(out, ",\"%s\":\"", key);
	rgb_add(out, colour->rgb);
	str_addc(out, '"');
}

static void flame_look_add_attributes(struct str *out, const struct look *l, const struct profile *p,
				      const uint32_t *number)
{
	const char *before = ",\"attributes\":{";

	for (uint32_t n = 0; l->attributes.names.count && n < p->names.count; n++) {
		const struct frame_attributes *f =
			attributes_find(&l->attributes, intern_text(&p->names, n), intern_len(&p->names, n));

		if (!f || number[n] == UINT32_MAX)
			continue;
		str_addf(out, "%s\"%u\":", before, number[n]);
		attributes_add_json(out, f);
		before = ",";
	}
	if (*before == ',' && !before[1])
		str_addc(out, '}');
}

void look_add_settings(struct str *out, const struct look *l, const struct profile *p, const uint32_t *number)
{
	if (l->theme)
		str_addf(out, ",\"theme\":\"%s\"", theme_names[l->theme]);
	if (l->order)
		str_addf(out, ",\"order\":\"%s\"", order_names[l->order]);
	if (l->cut != LABEL_CUT_RIGHT)
		str_addf(out, ",\"truncate\":\"%s\"", l->cut == LABEL_CUT_LEFT ? "left" : "middle");
	flame_look_add_flag(out, "chart", l->chart);
	flame_look_add_flag(out, "reversed", l->reversed);
	flame_look_add_flag(out, "diffusion", l->by_width);
	flame_look_add_colour(out, "uiColour", &l->ui);
	flame_look_add_colour(out, "searchColour", &l->search);
	flame_look_add_colour(out, "strokeColour", &l->stroke);
	flame_look_add_attributes(out, l, p, number);
}

void look_free(struct look *l)
{
	if (!l)
		return;
	rules_free(&l->rules);
	palette_map_free(&l->map);
	attributes_free(&l->attributes);
}

/* ---- labels of narrow frames ---- */

enum { LONGEST = 5000 }; /* more characters than any room holds */

/* May c be a part of a path?  "com.example.App$Inner", "github.com/x/y-z", "/usr/a.py:12" */
static bool is_of_path(char c)
{
	return (unsigned char)c >= 0x80 || isalnum((unsigned char)c) || strchr("_$./:-~@", c);
}

/* "github.com/gorilla/mux.(*R).Serve", "/usr/lib/app.py:12": the number of bytes up to the last '/'.  In a thread's
 * "java-8513/dw-20" and the kernel's "ksoftirqd/0", what follows the '/' does not look like a file or a function of a
 * package. */
static size_t label_path_len(const char *name, size_t run)
{
	const char *slash = run ? memrchr(name, '/', run) : NULL;
	size_t start = slash ? (size_t)(slash - name) + 1 : 0, rest = run - start;

	return memchr(name + start, '.', rest) || memmem(name + start, rest, "::", 2) ? start : 0;
}

/* "core::iter::Iterator::next": all but the last two parts. */
static size_t label_namespace_len(const char *name, size_t run)
{
	size_t before = 0, last = 0;

	for (size_t i = 0; i + 1 < run; i++) {
		if (name[i] != ':' || name[i + 1] != ':')
			continue;
		before = last;
		last = i += 2;
	}
	return before;
}

/* The length of the lower-case parts before a capitalised one: "com.example." in "com.example.Shop.run". */
static size_t label_package_len(const char *name, size_t run)
{
	size_t at = 0;

	while (at < run && (islower((unsigned char)name[at]) || name[at] == '_')) {
		const char *dot = memchr(name + at, '.', run - at);
		const char *colons = memmem(name + at, run - at, "::", 2);

		if (!dot || (colons && colons < dot))
			return 0;
		at = (size_t)(dot - name) + 1;
	}
	return at < run && isupper((unsigned char)name[at]) ? at : 0;
}

/* "save_orders" of "py::save_orders:/srv/desk.py", "handle" of "JS:*handle /srv/app.js:7:16": returns the begin of the
 * function, and sets *end; 0: another kind of name. */
static size_t label_script(const char *name, size_t len, size_t *end)
{
	static const char *const words[] = { "py::", "JS:", "LazyCompile:", "Function:", "Script:", "Eval:" };
	const char *last = NULL;
	size_t start = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !start; i++)
		start = text_begins(name, len, words[i]) ? strlen(words[i]) : 0;
	if (!start)
		return 0;
	if (*name == 'p') {
		last = memchr(name + start, ':', len - start);
	} else {
		while (start < len && memchr("~^+*'", name[start], 5))
			start++;
		last = memrchr(name + start, ' ', len - start);
	}
	*end = last ? (size_t)(last - name) : start;
	return *end > start ? start : 0;
}

size_t label_core(const char *name, size_t *length)
{
	size_t len = *length, run = 0, start, end;

	start = label_script(name, len, &end);
	if (start) {
		*length = end - start;
		return start;
	}
	while (run < len && run < LONGEST && name[run] && is_of_path(name[run]))
		run++;
	start = label_path_len(name, run);
	start += label_namespace_len(name + start, run - start);
	start += label_package_len(name + start, run - start);
	start = start < len ? start : 0;
	*length = len - start;
	return start;
}

enum { MEMBER_LEAST = 6 }; /* bytes; less tells too little without the class: "run" */

/* How many bytes of a core, "Shop.rebuildIndex" or "Shop::rebuildIndex", name the class; 0: there is none. */
static size_t label_class_len(const char *core, size_t len)
{
	size_t run = 0, start = 0;

	while (run < len && run < LONGEST && core[run] && is_of_path(core[run]))
		run++;
	for (size_t i = 0; i + 1 < run; i++) {
		if (core[i] == ':' && core[i + 1] == ':')
			start = i + 2;
		else if (core[i] == '.' && isupper((unsigned char)*core))
			start = i + 1;
	}
	if (len - start < MEMBER_LEAST || (!isalpha((unsigned char)core[start]) && core[start] != '_'))
		return 0;
	return start;
}

void label_fit(struct str *out, const struct font *f, const char *name, size_t len, int64_t room_cpx,
	       unsigned min_chars, enum label_cut cut)
{
	size_t before = out->len, skip, class_len, left = len;

	if (cut == LABEL_CUT_LEFT) {
		font_fit_end(out, f, name, len, room_cpx, min_chars);
		return;
	}
	if (cut == LABEL_CUT_RIGHT) {
		font_fit(out, f, name, len, room_cpx, min_chars);
		return;
	}
	font_fit(out, f, name, len, room_cpx, UINT32_MAX);
	if (out->len > before || !len)
		return;
	skip = label_core(name, &left);
	font_fit(out, f, name + skip, left, room_cpx, UINT32_MAX);
	if (out->len > before)
		return;
	class_len = label_class_len(name + skip, left);
	font_fit_middle(out, f, name + skip + class_len, left - class_len, room_cpx, min_chars);
}
