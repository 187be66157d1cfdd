#include "web/data.h"

#include <inttypes.h>
#include <string.h>

#include "core/markup.h"
#include "core/utf8.h"
#include "core/wallclock.h"
#include "web/amounts.h"
#include "web/html.h"
#include "web/run_owners.h"

enum { VALUE_MAX = 1000 }; /* limit on the bytes of a text, since forged pictures may have long ones */

/* text cut to VALUE_MAX bytes, between characters. */
static size_t data_cut(const char *text, size_t len)
{
	if (len <= VALUE_MAX)
		return len;
	for (len = VALUE_MAX; len && ((unsigned char)text[len] & 0xc0) == 0x80; len--)
		;
	return len;
}

static void data_add_key(struct str *out, const char *key)
{
	if (out->buf[out->len - 1] != '{')
		str_addc(out, ',');
	str_addf(out, "\"%s\":", key);
}

static void data_add_text(struct str *out, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	data_add_key(out, key);
	json_add(out, text, data_cut(text, strlen(text)));
}

static void data_add_number(struct str *out, const char *key, uint64_t n)
{
	data_add_key(out, key);
	str_add_u64(out, n);
}

static void data_add_address(struct str *out, const char *path)
{
	data_add_key(out, "url");
	str_addc(out, '"');
	html_add_url(out, path);
	str_addc(out, '"');
}

/* A number for people, from the text that add() writes. */
#define ADD_WRITTEN(out, key, add, ...)               \
	do {                                          \
		struct str written = { 0 };           \
		add(&written, __VA_ARGS__);           \
		data_add_text(out, key, written.buf); \
		str_free(&written);                   \
	} while (0)

/* ---- charts ---------------------------------------------------------------------- */

static const char *const type_names[] = {
	[PICTURE_SVG] = "SVG",        [PICTURE_PNG] = "PNG",       [PICTURE_SVGZ] = "SVGZ", [PICTURE_PDF] = "PDF",
	[PICTURE_RECORDING] = "data", [PICTURE_FOLDED] = "folded", [PICTURE_TEXT] = "text", [PICTURE_UNREAD] = "",
};

static void data_add_chart(struct str *out, const struct web_capture *c, const struct member *m)
{
	const struct web_picture *p = m->picture;
	const char *const *facts = p->about.facts;

	str_addc(out, '{');
	data_add_address(out, p->path);
	if (p->type != PICTURE_SVG)
		data_add_text(out, "type", type_names[p->type]);
	data_add_text(out, "kind", facts[FACT_KIND]);
	data_add_text(out, "title", capture_title(p));
	data_add_text(out, "event", facts[FACT_EVENT]);
	ADD_WRITTEN(out, "total", add_total, facts[FACT_TOTAL], facts[FACT_UNIT]);
	data_add_text(out, "filter", facts[FACT_FILTER]);
	if (c->about != &p->about)
		data_add_text(out, "losses", facts[FACT_LOSSES]);
	data_add_text(out, "problem", p->problem);
	if (p->script)
		data_add_number(out, "script", 1);
	data_add_number(out, "bytes", p->size_bytes);
	if (m->role == MEMBER_THREAD)
		data_add_number(out, "sum", m->total);
	str_addc(out, '}');
}

static void data_add_charts(struct str *out, const struct web_capture *c)
{
	static const char *const keys[] = { "charts", "threads", "sources" }; /* enum member_role */

	for (size_t i = 0; i < c->count; i++) {
		bool first = !i || c->members[i].role != c->members[i - 1].role;

		if (first && i)
			str_addc(out, ']');
		if (first) {
			data_add_key(out, keys[c->members[i].role]);
			str_addc(out, '[');
		} else {
			str_addc(out, ',');
		}
		data_add_chart(out, c, &c->members[i]);
	}
	str_addc(out, ']');
}

/* ---- runs ------------------------------------------------------------------------ */

static void data_add_when(struct str *out, const struct web_capture *c)
{
	struct str iso = { 0 };

	wallclock_add(&iso, c->start_ns);
	data_add_text(out, "day", c->day);
	data_add_key(out, "time");
	str_addf(out, "\"%.8s\"", iso.buf + 11);
	data_add_number(out, "start", c->start_ns / 1000000);
	str_free(&iso);
	if (!c->timed)
		data_add_number(out, "written", 1);
}

static void data_add_figures(struct str *out, const struct figures *f)
{
	if (f->length_ns)
		ADD_WRITTEN(out, "length", add_duration, f->length_ns);
	if (f->has_cpus) {
		data_add_key(out, "cpus");
		str_addf(out, "%" PRIu64 ".%03" PRIu64, f->cpus_milli / 1000, f->cpus_milli % 1000);
	}
	if (f->has_samples)
		data_add_number(out, "samples", f->samples);
	if (f->lost.whole) {
		data_add_number(out, "lost_ppm", ratio_millionths(&f->lost));
		ADD_WRITTEN(out, "lost", add_ratio, &f->lost);
	}
	if (f->longest) {
		data_add_number(out, "longest_ns", f->longest_ns);
		ADD_WRITTEN(out, "longest", add_duration, f->longest_ns);
	}
}

static void add_about(struct str *out, const struct picture_metadata *about)
{
	struct ratio unresolved;

	if (!about)
		return;
	data_add_text(out, "command", about->facts[FACT_COMMAND]);
	data_add_text(out, "kernel", about->facts[FACT_KERNEL]);
	data_add_text(out, "rate", about->facts[FACT_RATE]);
	data_add_text(out, "losses", about->facts[FACT_LOSSES]);
	if (!ratio_parse(&unresolved, about->facts[FACT_UNRESOLVED]) && unresolved.part > unresolved.whole / 20)
		ADD_WRITTEN(out, "unresolved", add_ratio, &unresolved);
}

static void data_add_verdict(struct str *out, unsigned verdict)
{
	if (!verdict)
		return;
	data_add_key(out, "verdict");
	str_addc(out, '[');
	for (unsigned i = 0; i < VERDICTS_MAX; i++) {
		if (verdict >> i & 1)
			str_addf(out, "%s%u", verdict & ((1u << i) - 1) ? "," : "", i);
	}
	str_addc(out, ']');
}

static void add_page(struct str *out, const struct web_capture *c)
{
	char name[RUN_FILE_NAME];

	capture_page(name, c);
	data_add_key(out, "page");
	str_addf(out, "\"" PICTURES_OWN "/%s\"", name);
}

static void data_add_run(struct str *out, const struct web_run *run)
{
	const struct web_capture *c = run->capture;

	str_addc(out, '{');
	data_add_text(out, "name", c->members->key);
	data_add_text(out, "host", capture_host(c));
	if (run->figures.service_len) {
		data_add_key(out, "service");
		json_add(out, run->figures.service, data_cut(run->figures.service, run->figures.service_len));
	}
	data_add_when(out, c);
	data_add_figures(out, &run->figures);
	data_add_verdict(out, run->verdict);
	run_owners_add(out, c);
	data_add_text(out, "headline", capture_headline(c));
	data_add_text(out, "thumb", run->thumb);
	add_page(out, c);
	add_about(out, c->about);
	data_add_charts(out, c);
	str_addc(out, '}');
}

static void add_rules(struct str *out, const struct verdicts *rules)
{
	str_puts(out, DATA_MADE ",\"rules\":[");
	for (size_t i = 0; i < rules->count; i++) {
		const struct verdict *v = &rules->rules[i];

		str_puts(out, i ? ",{\"rule\":" : "{\"rule\":");
		json_add(out, v->text, v->text_len);
		str_addf(out, ",\"colour\":\"%s\",\"mark\":\"%s\"}", v->colour, verdict_mark(i));
	}
	str_addc(out, ']');
}

void data_write(struct str *out, const struct runs *runs, size_t first, size_t last)
{
	add_rules(out, runs->rules);
	str_puts(out, ",\"runs\":[");
	for (size_t i = first; i < last; i++) {
		str_puts(out, i == first ? "\n" : ",\n");
		data_add_run(out, &runs->items[i]);
	}
	str_puts(out, "\n]}\n");
}

/* ---- months ---------------------------------------------------------------------- */

enum { MONTH_LEN = 7 }; /* "2026-11" */

size_t data_month_end(const struct runs *runs, size_t i)
{
	const char *month = runs->items[i].capture->day;

	while (i < runs->count && !memcmp(runs->items[i].capture->day, month, MONTH_LEN))
		i++;
	return i;
}

void data_add_month(struct str *out, const struct runs *runs, size_t i)
{
	str_addf(out, PICTURES_OWN "/charts-%.*s.json", MONTH_LEN, runs->items[i].capture->day);
}

void data_write_months(struct str *out, const struct runs *runs)
{
	add_rules(out, runs->rules);
	str_puts(out, ",\"months\":[");
	for (size_t i = 0, end; i < runs->count; i = end) {
		end = data_month_end(runs, i);
		str_puts(out, i ? ",\n{\"url\":\"" : "\n{\"url\":\"");
		data_add_month(out, runs, i);
		str_addf(out, "\",\"runs\":%zu}", end - i);
	}
	str_puts(out, "\n]}\n");
}
