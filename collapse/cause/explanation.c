#include "collapse/cause/explanation.h"

#include <string.h>

#include "collapse/frames/frame.h"

size_t explanation_count(const struct explanation *e)
{
	double least = (double)(e->history->last_ns - e->history->first_ns) / 1e9 / 100;
	size_t count = 0;

	while (count < e->shown && count < e->findings->count && e->findings->items[count].score >= least)
		count++;
	return count;
}

void explanation_thread(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];
	struct sideband *s = e->sideband;

	str_puts(out, intern_text(&s->comms.names,
				  thread_name_last(&s->thread_names, &s->comms, t->pid, t->tid, UINT64_MAX)));
}

void explanation_process(const struct explanation *e, uint32_t thread, struct str *out)
{
	const struct history_thread *t = &e->history->threads[thread];
	struct comms *comms = &e->sideband->comms;

	str_addf(out, "%s-%d", intern_text(&comms->names, comms_last(comms, t->pid, UINT64_MAX)), t->pid);
}

/* Of a function of the C library, what programs call it: "write" for "__GI___libc_write". */
static void explanation_add_system_name(const char *name, size_t len, struct str *out)
{
	static const char *const prefixes[] = { "__GI_", "__libc_", "___", "__" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t prefix = strlen(prefixes[i]);

		while (len > prefix && !memcmp(name, prefixes[i], prefix)) {
			name += prefix;
			len -= prefix;
		}
	}
	str_add(out, name, len);
}

/* Without what it is annotated with: "_[i]". */
static void explanation_add_name(const struct explanation *e, uint32_t text, struct str *out)
{
	const struct module *module = names_module(e->names, text);
	const char *name = intern_text(&e->names->texts, text);
	size_t len = frame_bare_len(name, intern_len(&e->names->texts, text));

	if (module && module->kind == MODULE_ELF && !strncmp(module_name(module), "libc.so", 7))
		explanation_add_system_name(name, len, out);
	else
		str_add(out, name, len);
}

void explanation_function(const struct explanation *e, struct frames_function f, struct str *out)
{
	if (f.text == UINT32_MAX) {
		str_puts(out, "[unknown function]");
		return;
	}
	if (f.caller != UINT32_MAX) {
		explanation_add_name(e, f.caller, out);
		str_puts(out, " > ");
	}
	explanation_add_name(e, f.text, out);
	stripped_tell(&e->frames->stripped, e->names, f.text, out);
}

uint64_t explanation_ran(const struct explanation *e, uint32_t thread)
{
	const struct history *h = e->history;
	bool sampled = headline_is_of_cpu(e);
	uint64_t ns = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (h->threads[i].tid && !h->threads[i].recorder &&
		    (thread == HISTORY_NONE || h->threads[i].pid == h->threads[thread].pid))
			ns += sampled ? h->threads[i].sampled_ns : h->threads[i].ran_ns;
	}
	return ns;
}

uint64_t explanation_recorder(const struct explanation *e)
{
	const struct history *h = e->history;
	uint64_t own = 0;

	for (size_t i = 0; i < h->count; i++)
		own += h->threads[i].recorder ? h->threads[i].samples.count : 0;
	return h->samples.count ? (own * 100 + h->samples.count / 2) / h->samples.count : 0;
}
