/* The meaning of the colours.  CPUs are drawn as they are built into the machine:
 *
 *     node 0, package 0  [0][1] [2][3*]     the threads of a core touch each other
 *     node 1, package 1  [4][5] [6][7]
 *
 * Other kinds are swatches with names, those with most time first. */
#include "render/timeline/timeline_draw.h"

#include <inttypes.h>

#include "render/profile/number.h"

enum { LINE = 20 * CPX, BOX = 15 * CPX, SWATCH = 20 * CPX, SPACE = 5 * CPX, BETWEEN = 14 * CPX, KINDS_MAX = 40 };

/* Where the next entry goes. */
struct legend_place {
	const struct timeline_plan *p;
	struct canvas *c; /* NULL: only measure */
	int32_t x, y, left;
};

static void timeline_legend_say(struct legend_place *at, const char *text, size_t len)
{
	const struct font *font = &at->p->style->font;

	if (at->c)
		at->c->text(at->c, TEXT_NOTE, at->x, baseline(at->y, LINE, font->size_cpx), text, len);
	at->x += (int32_t)font_width(font, text, len);
}

/* Begin a new line if something of width w does not fit into this one. */
static void timeline_legend_make_room(struct legend_place *at, int32_t w)
{
	if (at->x + w <= at->p->w - TIMELINE_PAD || at->x == at->left)
		return;
	at->x = at->left;
	at->y += LINE;
}

static void tell_kind(const struct timeline *t, const struct timeline_kind *kind, struct str *tip)
{
	timeline_kind_add(tip, t, kind);
	if (kind->cpu) {
		str_puts(tip, ": ");
		topology_words_add(tip, kind->cpu);
	}
	str_addc(tip, '\n');
	duration_add(tip, kind->time_ns);
	str_puts(tip, ", ");
	percentage_add(tip, kind->time_ns, t->in.end_ns - t->in.start_ns);
	str_puts(tip, " of the window");
}

/* A box with the CPU's number in it. */
static void timeline_legend_add_cpu(struct legend_place *at, uint32_t number, bool new_core)
{
	const struct timeline *t = at->p->t;
	const struct timeline_kind *kind = &t->kinds[number];
	const struct font *font = &at->p->style->font;
	struct str label = { 0 }, tip = { 0 };
	size_t skip = 0;
	int32_t w;

	timeline_cpu_add(&label, t, kind->name, kind->cpu);
	if (label.len > 4 && !memcmp(label.buf, "CPU ", 4))
		skip = 4;
	w = (int32_t)font_width(font, label.buf + skip, label.len - skip) + 2 * SPACE;
	w = w < SWATCH + SPACE ? SWATCH + SPACE : w;
	at->x += new_core && at->x > at->left ? SPACE : 0;
	timeline_legend_make_room(at, w);
	if (at->c) {
		struct area box = { at->x, at->y + (LINE - BOX) / 2, w - CPX, BOX };

		tell_kind(t, kind, &tip);
		at->c->rect(at->c, &box, timeline_rgb(at->p, number), tip.buf, tip.len);
		at->c->text(at->c, TEXT_FRAME, at->x + SPACE, baseline(at->y, LINE, font->size_cpx), label.buf + skip,
			    label.len - skip);
	}
	at->x += w;
	str_free(&label);
	str_free(&tip);
}

static bool timeline_legend_same_place(const struct topology_cpu *x, const struct topology_cpu *y)
{
	return x && y && x->node == y->node && x->package == y->package;
}

static bool same_core(const struct topology_cpu *x, const struct topology_cpu *y)
{
	return timeline_legend_same_place(x, y) && x->core == y->core;
}

static void begin_place(struct legend_place *at, const struct topology_cpu *cpu, bool first)
{
	struct str text = { 0 };

	if (!first) {
		at->x = TIMELINE_PAD;
		at->y += LINE;
	}
	at->left = at->x;
	if (cpu)
		topology_place_add(&text, cpu);
	else
		str_puts(&text, "CPU");
	timeline_legend_say(at, text.buf, text.len);
	at->x += SPACE + SPACE;
	at->left = at->x;
	str_free(&text);
}

static void timeline_legend_add_cpus(struct legend_place *at)
{
	const struct timeline *t = at->p->t;

	for (uint32_t i = 0; i < t->kind_count; i++) {
		const struct topology_cpu *cpu = t->kinds[i].cpu;
		const struct topology_cpu *before = i ? t->kinds[i - 1].cpu : NULL;

		if (!i || (cpu && !timeline_legend_same_place(cpu, before)) || (!cpu && before))
			begin_place(at, cpu, !i);
		timeline_legend_add_cpu(at, i, !cpu || !same_core(cpu, before));
	}
}

static void add_swatch(struct legend_place *at, uint32_t rgb, const char *label, size_t len, const struct str *tip)
{
	const struct font *font = &at->p->style->font;
	struct str shown = { 0 };

	font_fit(&shown, font, label, len, at->p->w - 2 * TIMELINE_PAD - SWATCH - SPACE, 1);
	timeline_legend_make_room(at, SWATCH + SPACE + (int32_t)font_width(font, str_text(&shown), shown.len));
	if (at->c) {
		struct area box = { at->x, at->y + (LINE - BOX) / 2, SWATCH, BOX };

		at->c->rect(at->c, &box, rgb, str_text(tip), tip->len);
	}
	at->x += SWATCH + SPACE;
	timeline_legend_say(at, str_text(&shown), shown.len);
	at->x += BETWEEN;
	str_free(&shown);
}

static void timeline_legend_add_kind(struct legend_place *at, uint32_t number)
{
	const struct timeline *t = at->p->t;
	struct str label = { 0 }, tip = { 0 };
	size_t skip;

	timeline_kind_add(&label, t, &t->kinds[number]);
	tell_kind(t, &t->kinds[number], &tip);
	skip = timeline_skipped(t, str_text(&label), label.len);
	add_swatch(at, timeline_rgb(at->p, number), str_text(&label) + skip, label.len - skip, &tip);
	str_free(&label);
	str_free(&tip);
}

int32_t timeline_legend(const struct timeline_plan *p, struct canvas *c, int32_t y)
{
	const struct timeline *t = p->t;
	struct legend_place at = { p, c, TIMELINE_PAD, y, TIMELINE_PAD };
	size_t count = t->kind_count - (t->kind_count && t->kinds[t->kind_count - 1].idle);
	struct str more = { 0 };

	while (t->has_waits && count && !t->kinds[count - 1].time_ns)
		count--; /* "sampled" takes no time */
	if (c)
		c->open_group(c, "legend");
	if (t->kinds_are_cpus)
		timeline_legend_add_cpus(&at);
	else if (t->by_cpu)
		add_swatch(&at, c ? canvas_tint(c, TIMELINE_TRACK_PART) : 0, timeline_idle_word(t),
			   strlen(timeline_idle_word(t)), &more);
	for (uint32_t i = 0; !t->kinds_are_cpus && i < count && i < KINDS_MAX; i++)
		timeline_legend_add_kind(&at, i);
	if (!t->kinds_are_cpus && count > KINDS_MAX) {
		str_addf(&more, "\xe2\x80\xa6 and %zu more", count - KINDS_MAX);
		timeline_legend_make_room(&at, (int32_t)font_width(&p->style->font, more.buf, more.len));
		timeline_legend_say(&at, more.buf, more.len);
	}
	str_free(&more);
	if (c)
		c->close_group(c);
	return at.y + LINE;
}
