#include "collapse/cause/explanation.h"
#include "core/markup.h"
#include "core/wallclock.h"

static const char *const kinds[FINDING_KINDS] = {
	[FINDING_RAN] = "ran",       [FINDING_SLEPT] = "slept",   [FINDING_PAUSE] = "pause",
	[FINDING_IO] = "io",         [FINDING_NO_CPU] = "no-cpu", [FINDING_STOLEN] = "stolen",
	[FINDING_PINNED] = "pinned", [FINDING_CROWD] = "crowd",   [FINDING_HOT] = "hot",
	[FINDING_WAKER] = "waker",
};

static void add_time(struct str *out, const char *key, uint64_t ns)
{
	str_addf(out, "\"%s\":\"", key);
	wallclock_add(out, ns);
	str_addc(out, '"');
}

static void add_number(struct str *out, const char *key, uint64_t n)
{
	str_addf(out, "\"%s\":%llu", key, (unsigned long long)n);
}

static void add_text(struct str *out, const char *key, struct str *text)
{
	str_addf(out, "\"%s\":", key);
	json_add(out, str_text(text), text->len);
	str_clear(text);
}

static void add_thread(const struct explanation *e, uint32_t thread, struct str *out)
{
	struct str text = { 0 };

	str_addc(out, '{');
	explanation_thread(e, thread, &text);
	add_text(out, "thread", &text);
	str_addf(out, ",\"pid\":%d,\"tid\":%d,", e->history->threads[thread].pid, e->history->threads[thread].tid);
	explanation_process(e, thread, &text);
	add_text(out, "process", &text);
	str_addc(out, '}');
	str_free(&text);
}

static void add_function(const struct explanation *e, const char *key, struct frames_function f, struct str *out)
{
	struct str text = { 0 };

	if (f.text == UINT32_MAX)
		return;
	str_addc(out, ',');
	explanation_function(e, f, &text);
	add_text(out, key, &text);
	str_free(&text);
}

static void add_victims(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, ",\"victims\":[");
	for (size_t i = 0; i < f->victim_count && i < FINDING_VICTIMS; i++) {
		if (i)
			str_addc(out, ',');
		add_thread(e, f->victims[i].thread, out);
	}
	str_puts(out, "],");
	add_number(out, "victim_count", f->victim_count);
}

static void add_longest(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, ",\"longest\":{");
	add_time(out, "at", f->longest_at_ns);
	str_addc(out, ',');
	add_number(out, "ns", f->longest_ns);
	str_puts(out, ",\"victim\":");
	add_thread(e, f->longest_victim, out);
	str_puts(out, ",\"via\":[");
	for (uint32_t i = 0; i < f->longest.path_count; i++) {
		if (i)
			str_addc(out, ',');
		add_thread(e, f->longest.path[i], out);
	}
	str_puts(out, "]}");
}

static void add_finding(const struct explanation *e, const struct finding *f, struct str *out)
{
	struct str text = { 0 };

	str_addf(out, "{\"kind\":\"%s\",\"wait\":\"%s\",", kinds[f->kind],
		 f->kind > FINDING_IO ? "cpu" : wait_word(f->wait));
	explanation_sentence(e, f, &text);
	add_text(out, "sentence", &text);
	str_puts(out, ",\"guilty\":");
	add_thread(e, f->guilty, out);
	if (f->by != HISTORY_NONE) {
		str_puts(out, ",\"by\":");
		add_thread(e, f->by, out);
		add_function(e, "by_function", f->by_function, out);
	}
	add_function(e, "function", f->function, out);
	add_function(e, "site", f->site, out);
	str_addc(out, ',');
	add_number(out, "count", f->count);
	str_addc(out, ',');
	add_number(out, "total_ns", f->total_ns);
	if (f->period_ns) {
		str_addc(out, ',');
		add_number(out, "period_ns", f->period_ns);
	}
	add_victims(e, f, out);
	add_longest(e, f, out);
	str_addc(out, '}');
	str_free(&text);
}

static void add_headline(const struct explanation *e, struct str *out)
{
	struct str text = { 0 };

	str_puts(out, ",\"headline\":{");
	headline_summary(e, &text);
	add_text(out, "summary", &text);
	str_addc(out, ',');
	headline_fact(e, &text);
	add_text(out, "fact", &text);
	str_addc(out, ',');
	headline_look(e, &text);
	add_text(out, "look", &text);
	if (*e->doubts)
		str_puts(out, ",\"doubts\":");
	if (*e->doubts)
		json_puts(out, e->doubts);
	str_puts(out, "},\n");
	str_free(&text);
}

void explanation_json_write(FILE *out, const struct explanation *e)
{
	size_t count = explanation_count(e);
	struct str text = { 0 };

	str_addc(&text, '{');
	add_time(&text, "from", e->history->first_ns);
	str_addc(&text, ',');
	add_time(&text, "to", e->history->last_ns);
	str_addc(&text, ',');
	add_number(&text, "cpus", e->cpus);
	str_addc(&text, ',');
	add_number(&text, "ran_ns", explanation_ran(e, HISTORY_NONE));
	str_addc(&text, ',');
	add_number(&text, "recorder_percent", explanation_recorder(e));
	add_headline(e, &text);
	str_puts(&text, "\"findings\":[");
	for (size_t i = 0; i < count; i++) {
		str_puts(&text, i ? ",\n" : "\n");
		add_finding(e, &e->findings->items[i], &text);
	}
	str_puts(&text, "]}\n");
	fputs(str_text(&text), out);
	str_free(&text);
}
