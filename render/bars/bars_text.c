#include "render/bars/bars_text.h"

#include <string.h>

#include "core/format/folded.h"
#include "render/profile/number.h"
#include "render/profile/topology.h"

void bars_value_add(struct str *out, const struct bars *b, uint64_t value)
{
	struct unit unit = { bars_unit(b), b->decimals, 1 };

	value_add(out, value, &unit);
}

void bars_measure_add(struct str *out, const struct bars *b, bool by_count, uint64_t value)
{
	if (!by_count) {
		bars_value_add(out, b, value);
		return;
	}
	number_add(out, value);
	str_puts(out, value == 1 ? " time" : " times");
}

void bars_name_add(struct str *out, const struct bars *b, uint32_t name)
{
	const char *text = intern_text(&b->names, name);
	size_t len = intern_len(&b->names, name);
	uint32_t cpu;

	if (b->of_cpus && topology_cpu_number(text, len, &cpu))
		str_addf(out, "CPU %u", cpu);
	else
		str_add(out, text, bars_shown_len(text, len));
}

static bool bars_text_is_called(const struct bars *b, uint32_t name, const char *text)
{
	return !strcmp(intern_text(&b->names, name), text);
}

bool bars_limit_add(struct str *out, const char *name)
{
	const size_t begin = strlen(FOLDED_BY_LIMIT);

	if (strncmp(name, FOLDED_BY_LIMIT, begin) != 0)
		return false;
	str_addf(out, "the CPU limit (%.*s)", (int)strcspn(name + begin, "]"), name + begin);
	return true;
}

bool bars_is_thread(const struct bars *b, uint32_t by)
{
	return by != BARS_NOBODY && !bars_text_is_called(b, by, FOLDED_BY_IDLE) &&
	       !bars_text_is_called(b, by, FOLDED_BY_OTHERS) &&
	       strncmp(intern_text(&b->names, by), FOLDED_BY_LIMIT, strlen(FOLDED_BY_LIMIT)) != 0;
}

void bars_by_add(struct str *out, const struct bars *b, uint32_t by)
{
	if (bars_text_is_called(b, by, FOLDED_BY_IDLE))
		str_puts(out, "an idle CPU");
	else if (bars_text_is_called(b, by, FOLDED_BY_OTHERS))
		str_puts(out, "threads not told apart");
	else if (!bars_limit_add(out, intern_text(&b->names, by)))
		bars_name_add(out, b, by);
}

bool bars_is_process(const struct bars *b, uint32_t name)
{
	size_t len = intern_len(&b->names, name);

	return bars_shown_len(intern_text(&b->names, name), len) < len;
}

void bars_near_add(struct str *out, const struct bars *b, uint32_t by, uint32_t row)
{
	const char *name = intern_text(&b->names, by), *near = intern_text(&b->names, row);
	size_t len = intern_len(&b->names, by);
	const char *slash = memchr(name, '/', len);
	size_t start = slash ? (size_t)(slash + 1 - name) : 0;

	if (start && intern_len(&b->names, row) >= start && !memcmp(name, near, start) &&
	    bars_shown_len(name, len) > start)
		str_add(out, name + start, len - start);
	else
		bars_by_add(out, b, by);
}

void bars_row_name(struct str *out, const struct bars *b, const struct bars_row *row)
{
	bars_name_add(out, b, row->name);
	if (row->members > 1) {
		str_puts(out, " \xc3\x97");
		str_add_u64(out, row->members);
	}
}

uint64_t bars_members(const struct bars *b, size_t first)
{
	uint64_t members = 0;

	for (size_t i = first; i < b->row_count; i++)
		members += b->rows[i].members;
	return members;
}

const char *bars_state_word(const char *name, size_t len)
{
	static const char *const words[][2] = {
		{ "quantum-over", "time slice used up" },
		{ "woken", "ready, waiting for a CPU" },
		{ "unknown-state", "state unknown" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i][0]) == len && !memcmp(words[i][0], name, len))
			return words[i][1];
	}
	return NULL;
}
