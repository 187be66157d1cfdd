#include <string.h>

#include "collapse/cause/explanation.h"
#include "collapse/roots/label_words.h"
#include "core/markup.h"
#include "core/wallclock.h"

static const char *const kinds[FINDING_KINDS] = {
	[FINDING_RAN] = "ran",           [FINDING_SLEPT] = "slept",
	[FINDING_PAUSE] = "pause",       [FINDING_IO] = "io",
	[FINDING_NO_CPU] = "no-cpu",     [FINDING_STOLEN] = "stolen",
	[FINDING_PINNED] = "pinned",     [FINDING_CROWD] = "crowd",
	[FINDING_HOT] = "hot",           [FINDING_WAKER] = "waker",
	[FINDING_WAITED] = "waited",     [FINDING_MAYBE] = "maybe",
	[FINDING_GAVE_WAY] = "gave-way", [FINDING_THROTTLED] = "throttled",
	[FINDING_TURN] = "turn",         [FINDING_TREE] = "tree",
	[FINDING_CHILD] = "child",       [FINDING_PIPE] = "pipe",
	[FINDING_FORKS] = "forks",       [FINDING_STUCK] = "stuck",
	[FINDING_SHORT] = "short",
};

static void explanation_json_add_time(struct str *out, const char *key, uint64_t ns)
{
	str_addf(out, "\"%s\":\"", key);
	wallclock_add(out, ns);
	str_addc(out, '"');
}

static void explanation_json_add_number(struct str *out, const char *key, uint64_t n)
{
	str_addf(out, "\"%s\":%llu", key, (unsigned long long)n);
}

static void explanation_json_add_text(struct str *out, const char *key, struct str *text)
{
	str_addf(out, "\"%s\":", key);
	json_add(out, str_text(text), text->len);
	str_clear(text);
}

/* ,"container":"app","pod":"prod/shop-7f9c" */
static void explanation_json_add_owner(const struct explanation *e, uint32_t thread, struct str *out)
{
	static const char *const keys[OWNER_CHOICES] = {
		[OWNER_UNIT] = "unit",
		[OWNER_CONTAINER] = "container",
		[OWNER_POD] = "pod",
	};
	const struct owner_group *group = owned_find(&e->sideband->owned, e->history->threads[thread].pid, UINT64_MAX);
	struct str text = { 0 };

	for (int kind = 0; group && kind < OWNER_CHOICES; kind++) {
		if (!keys[kind] || !owner_add(group, (enum owner_kind)kind, &text))
			continue;
		str_addc(out, ',');
		explanation_json_add_text(out, keys[kind], &text);
	}
	str_free(&text);
}

static void explanation_json_add_thread(const struct explanation *e, uint32_t thread, struct str *out)
{
	struct str text = { 0 };

	str_addc(out, '{');
	explanation_thread(e, thread, &text);
	explanation_json_add_text(out, "thread", &text);
	str_addf(out, ",\"pid\":%d,\"tid\":%d,", e->history->threads[thread].pid, e->history->threads[thread].tid);
	explanation_process(e, thread, &text);
	explanation_json_add_text(out, "process", &text);
	explanation_json_add_owner(e, thread, out);
	str_addc(out, '}');
	str_free(&text);
}

static void explanation_json_add_function(const struct explanation *e, const char *key, struct frames_function f,
					  struct str *out)
{
	struct str text = { 0 };

	if (f.text == UINT32_MAX)
		return;
	str_addc(out, ',');
	explanation_function(e, (struct frames_function){ f.text, UINT32_MAX }, &text);
	explanation_json_add_text(out, key, &text);
	if (f.caller != UINT32_MAX) {
		str_addf(out, ",\"%s_caller\":", key);
		explanation_function(e, (struct frames_function){ f.caller, UINT32_MAX }, &text);
		json_add(out, str_text(&text), text.len);
	}
	str_free(&text);
}

static void explanation_json_add_victims(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, ",\"victims\":[");
	for (size_t i = 0; i < f->victim_count && i < FINDING_VICTIMS; i++) {
		if (i)
			str_addc(out, ',');
		explanation_json_add_thread(e, f->victims[i].thread, out);
	}
	str_puts(out, "],");
	explanation_json_add_number(out, "victim_count", f->victim_count);
}

static void explanation_json_add_longest(const struct explanation *e, const struct finding *f, struct str *out)
{
	str_puts(out, ",\"longest\":{");
	explanation_json_add_time(out, "at", f->longest_at_ns);
	str_addc(out, ',');
	explanation_json_add_number(out, "ns", f->longest_ns);
	str_puts(out, ",\"victim\":");
	explanation_json_add_thread(e, f->longest_victim, out);
	str_puts(out, ",\"via\":[");
	for (uint32_t i = 0; i < f->longest.path_count; i++) {
		if (i)
			str_addc(out, ',');
		explanation_json_add_thread(e, f->longest.path[i], out);
	}
	str_puts(out, "]}");
}

static void explanation_json_add_finding(const struct explanation *e, const struct finding *f, struct str *out)
{
	struct str text = { 0 };

	str_addf(out, "{\"kind\":\"%s\",\"wait\":\"%s\",", kinds[f->kind],
		 f->kind > FINDING_MAYBE ? "cpu" : wait_word(f->wait));
	explanation_sentence(e, f, &text);
	explanation_json_add_text(out, "sentence", &text);
	str_puts(out, ",\"guilty\":");
	explanation_json_add_thread(e, f->guilty, out);
	if (f->by != HISTORY_NONE) {
		str_puts(out, ",\"by\":");
		explanation_json_add_thread(e, f->by, out);
		explanation_json_add_function(e, "by_function", f->by_function, out);
	}
	explanation_json_add_function(e, "function", f->function, out);
	explanation_json_add_function(e, "site", f->site, out);
	str_addc(out, ',');
	explanation_json_add_number(out, "count", f->count);
	str_addc(out, ',');
	explanation_json_add_number(out, "total_ns", f->total_ns);
	if (f->period_ns) {
		str_addc(out, ',');
		explanation_json_add_number(out, "period_ns", f->period_ns);
	}
	explanation_json_add_victims(e, f, out);
	explanation_json_add_longest(e, f, out);
	str_addc(out, '}');
	str_free(&text);
}

static void explanation_json_add_headline(const struct explanation *e, struct str *out)
{
	struct str text = { 0 };

	str_puts(out, ",\"headline\":{");
	headline_summary(e, &text);
	explanation_json_add_text(out, "summary", &text);
	str_addc(out, ',');
	headline_fact(e, &text);
	explanation_json_add_text(out, "fact", &text);
	str_addc(out, ',');
	headline_look(e, &text);
	explanation_json_add_text(out, "look", &text);
	if (*e->trigger)
		str_puts(out, ",\"trigger\":");
	if (*e->trigger)
		json_puts(out, e->trigger);
	if (*e->asked)
		str_puts(out, ",\"asked\":");
	if (*e->asked)
		json_puts(out, e->asked);
	if (*e->doubts)
		str_puts(out, ",\"doubts\":");
	if (*e->doubts)
		json_puts(out, e->doubts);
	str_puts(out, "},\n");
	str_free(&text);
}

/* ---- the longest, one by one ------------------------------------------------------------ */

static void explanation_json_add_parts(const struct slow_thing *t, struct str *out)
{
	bool first = true;

	str_puts(out, ",\"parts\":{");
	for (unsigned i = 0; i < RECORDING_REASON_COUNT; i++) {
		if (!t->parts[i])
			continue;
		if (!first)
			str_addc(out, ',');
		first = false;
		explanation_json_add_number(out, fault_reason(i), t->parts[i]);
	}
	str_addc(out, '}');
}

static void explanation_json_add_other(const struct explanation *e, const char *key, uint32_t thread, struct str *out)
{
	if (thread >= HISTORY_INTERRUPT)
		return;
	str_addf(out, ",\"%s\":", key);
	explanation_json_add_thread(e, thread, out);
}

static void add_thing(const struct explanation *e, const struct slow_thing *t, struct str *out)
{
	const struct file_name *file = t->file < 0 ? NULL : file_names_get(e->files, (uint64_t)t->file);
	struct str text = { 0 };

	str_addf(out, "\"kind\":\"%s\",", explanation_kind(t));
	if (t->kind == SLOW_FAULT) {
		fault_type_add(&text, (uint32_t)t->what);
		explanation_json_add_text(out, "type", &text);
		str_addc(out, ',');
	}
	explanation_thing(e, t, &text);
	explanation_json_add_text(out, "what", &text);
	str_addc(out, ',');
	explanation_json_add_time(out, "at", t->begin_ns);
	str_addc(out, ',');
	explanation_json_add_number(out, "ns", slow_length(t));
	str_puts(out, ",\"victim\":");
	explanation_json_add_thread(e, t->thread, out);
	if (file) {
		str_puts(out, ",\"file\":");
		json_add(out, file->path, file->len);
	}
	if (t->offset >= 0) {
		str_addc(out, ',');
		explanation_json_add_number(out, "offset", (uint64_t)t->offset);
	}
	explanation_json_add_other(e, t->kind == SLOW_LOCK ? "owner" : "dirtied", t->other, out);
	explanation_json_add_parts(t, out);
	str_free(&text);
}

static void add_outlier(const struct explanation *e, const struct outlier *o, struct str *out)
{
	struct str text = { 0 };

	str_addc(out, '{');
	add_thing(e, &o->longest, out);
	explanation_json_add_function(e, "function", o->function, out);
	if (o->binding != UINT32_MAX) {
		str_puts(out, ",\"binding\":");
		json_puts(out, intern_text(&e->names->texts, o->binding));
	}
	str_addf(out, ",\"reason\":\"%s\"", fault_reason(o->reason));
	explanation_json_add_other(e, "by", o->by, out);
	explanation_json_add_other(e, "rival", o->rival.thread, out);
	if (o->cause.kind != CAUSE_UNKNOWN)
		explanation_json_add_other(e, "guilty", o->cause.guilty, out);
	explanation_json_add_function(e, "did", o->did, out);
	explanation_peaks(e, &o->longest, &text);
	if (text.len) {
		str_addc(out, ',');
		explanation_json_add_text(out, "peaks", &text);
	}
	str_addc(out, ',');
	explanation_json_add_number(out, "count", o->count);
	str_addc(out, ',');
	explanation_json_add_number(out, "total_ns", o->total_ns);
	str_addc(out, ',');
	explanation_outlier(e, o, "", &text);
	explanation_json_add_text(out, "text", &text);
	str_addc(out, '}');
	str_free(&text);
}

static void explanation_json_add_outliers(const struct explanation *e, struct str *out)
{
	str_puts(out, "\"outliers\":[");
	for (size_t i = 0; i < explanation_outliers(e); i++) {
		str_puts(out, i ? ",\n" : "\n");
		add_outlier(e, &e->outliers->items[i], out);
	}
	str_puts(out, "],\n\"unknown\":[");
	for (const char *at = e->unknown; *at;) {
		size_t len = strcspn(at, "\n");

		if (at != e->unknown)
			str_addc(out, ',');
		json_add(out, at, len);
		at += len + (at[len] == '\n');
	}
	str_addc(out, ']');
}

void explanation_json_write(FILE *out, const struct explanation *e)
{
	size_t count = explanation_count(e);
	struct str text = { 0 };

	str_addc(&text, '{');
	explanation_json_add_time(&text, "from", e->history->first_ns);
	str_addc(&text, ',');
	explanation_json_add_time(&text, "to", e->history->last_ns);
	str_addc(&text, ',');
	explanation_json_add_number(&text, "cpus", e->cpus);
	str_addc(&text, ',');
	explanation_json_add_number(&text, "ran_ns", explanation_ran(e, HISTORY_NONE));
	str_addc(&text, ',');
	explanation_json_add_number(&text, "recorder_percent", explanation_recorder(e));
	explanation_json_add_headline(e, &text);
	str_puts(&text, "\"findings\":[");
	for (size_t i = 0; i < count; i++) {
		str_puts(&text, i ? ",\n" : "\n");
		explanation_json_add_finding(e, &e->findings->items[i], &text);
	}
	str_puts(&text, "],\n");
	explanation_json_add_outliers(e, &text);
	str_puts(&text, "}\n");
	fputs(str_text(&text), out);
	str_free(&text);
}
