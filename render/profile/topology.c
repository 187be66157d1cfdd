#include "render/profile/topology.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

/* Parse the number text..stop, of at most 9 digits. */
static bool profile_topology_take_number(const char *text, const char *stop, uint32_t *n)
{
	*n = 0;
	if (text == stop || stop - text > 9)
		return false;
	for (; text < stop; text++) {
		if (*text < '0' || *text > '9')
			return false;
		*n = *n * 10 + (uint32_t)(*text - '0');
	}
	return true;
}

static bool profile_topology_is_word(const char *at, const char *end, const char *word)
{
	return (size_t)(end - at) == strlen(word) && !memcmp(at, word, strlen(word));
}

/* Set *n from "package=0" if the pair at..end begins with the key "package=". */
static void profile_topology_take_pair(const char *at, const char *end, const char *key, uint32_t *n)
{
	size_t len = strlen(key);
	uint32_t value;

	if ((size_t)(end - at) > len && !memcmp(at, key, len) && profile_topology_take_number(at + len, end, &value))
		*n = value;
}

static void profile_topology_take_word(struct topology_cpu *cpu, const char *at, const char *end)
{
	static const char irqs[] = "irqs=";

	profile_topology_take_pair(at, end, "package=", &cpu->package);
	profile_topology_take_pair(at, end, "core=", &cpu->core);
	profile_topology_take_pair(at, end, "node=", &cpu->node);
	cpu->isolated |= profile_topology_is_word(at, end, "isolated");
	cpu->nohz_full |= profile_topology_is_word(at, end, "nohz_full");
	if ((size_t)(end - at) >= sizeof(irqs) && !memcmp(at, irqs, strlen(irqs)) && !cpu->irqs)
		cpu->irqs = xstrndup(at + strlen(irqs), (size_t)(end - at) - strlen(irqs));
}

/* "1 package=0 core=1 node=0 isolated".  Returns false if it does not name a CPU. */
static bool profile_topology_take_cpu(struct topology_cpu *cpu, const char *at, const char *end)
{
	bool first = true, good = false;

	*cpu = (struct topology_cpu){ 0 };
	while (at < end) {
		const char *stop;

		while (at < end && *at == ' ')
			at++;
		stop = memchr(at, ' ', (size_t)(end - at));
		stop = stop ? stop : end;
		if (first)
			good = profile_topology_take_number(at, stop, &cpu->number);
		else
			profile_topology_take_word(cpu, at, stop);
		first = false;
		at = stop;
	}
	return good;
}

SORT_BY(profile_topology_by_number, struct topology_cpu, number);

static int profile_topology_by_place(const void *a, const void *b)
{
	const struct topology_cpu *x = a, *y = b;

	return ORDER(x->node, y->node) ?: ORDER(x->package, y->package) ?: ORDER(x->core, y->core) ?:
	       profile_topology_by_number(a, b);
}

static void drop_twins(struct topology *t)
{
	size_t kept = 0;

	qsort(t->cpus, t->count, sizeof(*t->cpus), profile_topology_by_number);
	for (size_t i = 0; i < t->count; i++) {
		if (kept && t->cpus[kept - 1].number == t->cpus[i].number)
			free(t->cpus[i].irqs);
		else
			t->cpus[kept++] = t->cpus[i];
	}
	t->count = kept;
}

void topology_read(struct topology *t, const char *text)
{
	const char *at = text ? text : "", *end;

	for (; *at && t->count < TOPOLOGY_CPUS_MAX; at = *end ? end + 1 : end) {
		struct topology_cpu cpu;

		end = strchrnul(at, ';');
		if (!profile_topology_take_cpu(&cpu, at, end)) {
			free(cpu.irqs);
			continue;
		}
		t->cpus = xgrow(t->cpus, &t->cap, t->count + 1, sizeof(*t->cpus));
		t->cpus[t->count++] = cpu;
	}
	if (!t->count)
		return;
	drop_twins(t);
	qsort(t->cpus, t->count, sizeof(*t->cpus), profile_topology_by_place);
}

const struct topology_cpu *topology_find(const struct topology *t, uint32_t number)
{
	for (size_t i = 0; i < t->count; i++) {
		if (t->cpus[i].number == number)
			return &t->cpus[i];
	}
	return NULL;
}

void topology_place_add(struct str *out, const struct topology_cpu *cpu)
{
	str_addf(out, "node %u, package %u", cpu->node, cpu->package);
}

void topology_words_add(struct str *out, const struct topology_cpu *cpu)
{
	str_addf(out, "package %u, core %u, node %u", cpu->package, cpu->core, cpu->node);
	if (cpu->isolated)
		str_puts(out, ", isolated");
	if (cpu->nohz_full)
		str_puts(out, ", nohz_full");
	if (cpu->irqs)
		str_addf(out, ", interrupts %s", cpu->irqs);
}

bool topology_cpu_number(const char *frame, size_t len, uint32_t *number)
{
	return len > 3 && !memcmp(frame, "cpu", 3) && profile_topology_take_number(frame + 3, frame + len, number);
}

void topology_free(struct topology *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++)
		free(t->cpus[i].irqs);
	free(t->cpus);
	*t = (struct topology){ 0 };
}
