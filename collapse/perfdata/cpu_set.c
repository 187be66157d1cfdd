#include "collapse/perfdata/cpu_set.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "core/memory.h"

enum { LIST, MASK, RANGE, ANY = UINT16_MAX };

void cpu_set_add(struct cpu_set *s, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return;
	if (cpu >= s->count) {
		s->has = xgrow(s->has, &s->cap, cpu + 1, sizeof(*s->has));
		memset(s->has + s->count, 0, (cpu + 1 - s->count) * sizeof(*s->has));
		s->count = cpu + 1;
	}
	s->has[cpu] = true;
}

static uint16_t load_u16(const uint8_t *p)
{
	uint16_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

/* u16 count, u16 cpus[] */
static void cpu_set_add_list(struct cpu_set *s, const uint8_t *p, const uint8_t *end)
{
	for (uint16_t left = load_u16(p); left && end - p >= 4; left--) {
		p += 2;
		if (load_u16(p) != ANY) /* ANY: threads were recorded, not CPUs */
			cpu_set_add(s, load_u16(p));
	}
}

/* u16 count, u16 bytes per word, the words; words of 8 bytes are aligned */
static void add_mask(struct cpu_set *s, const uint8_t *p, const uint8_t *end)
{
	uint32_t word = load_u16(p + 2), bytes = load_u16(p) * word;

	p += word == 8 ? 6 : 4;
	for (uint32_t i = 0; (word == 4 || word == 8) && i < 8 * bytes && p + i / 8 < end; i++) {
		if (p[i / 8] >> i % 8 & 1)
			cpu_set_add(s, i);
	}
}

/* u8, u8, u16 first, u16 last */
static void add_range(struct cpu_set *s, const uint8_t *p)
{
	uint32_t last = load_u16(p + 4);

	for (uint32_t cpu = load_u16(p + 2); cpu <= last && last != ANY; cpu++)
		cpu_set_add(s, cpu);
}

/* u16 type, then one of the layouts above (tools/lib/perf/include/perf/event.h). */
void cpu_set_add_map(struct cpu_set *s, const struct record *r)
{
	const uint8_t *p = r->bytes + sizeof(struct perf_event_header), *end = r->bytes + r->size;

	if (end - p < 8)
		return;
	switch (load_u16(p)) {
	case LIST: cpu_set_add_list(s, p + 2, end); break;
	case MASK: add_mask(s, p + 2, end); break;
	case RANGE: add_range(s, p + 2); break;
	}
}

void cpu_set_write(const struct cpu_set *s, struct str *out)
{
	for (size_t cpu = 0; cpu < s->count; cpu++) {
		size_t first = cpu;

		if (!s->has[cpu])
			continue;
		while (cpu + 1 < s->count && s->has[cpu + 1])
			cpu++;
		str_addf(out, "%s%zu", out->len ? "," : "", first);
		if (cpu > first)
			str_addf(out, "-%zu", cpu);
	}
}

void cpu_set_free(struct cpu_set *s)
{
	if (!s)
		return;
	free(s->has);
	*s = (struct cpu_set){ 0 };
}
