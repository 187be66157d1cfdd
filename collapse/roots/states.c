#include "collapse/roots/states.h"

#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/nearest.h"
#include "core/str.h"

#define NAME(state, text) [RECORDING_##state] = text,
static const char *const names[RECORDING_STATE_COUNT] = { FOLDED_STATE_TABLE(NAME) };
#undef NAME

#define BIT(state) (UINT32_C(1) << RECORDING_##state)

static const struct {
	const char *name;
	uint32_t states;
} groups[] = {
	{ "runnable", BIT(PREEMPTED) | BIT(QUANTUM) | BIT(YIELDED) | BIT(WOKEN) },
	{ "off-cpu",
	  BIT(SLEEPING) | BIT(BLOCKED_IO) | BIT(BLOCKED) | BIT(STOPPED) | BIT(TRACED) | BIT(PARKED) | BIT(IDLE) },
	{ "noise", BIT(NOISE_THREAD) | BIT(INTERRUPT) | BIT(CALL) | BIT(SOFTIRQ) | BIT(TIMER) | BIT(WORK) | BIT(NMI) |
			   BIT(HARDWARE) },
};

enum { GROUPS = sizeof(groups) / sizeof(*groups) };

const char *state_name(int state)
{
	return names[state];
}

static void die_of_unknown(const char *option, const char *word)
{
	const char *known[RECORDING_STATE_COUNT + GROUPS];

	memcpy(known, names, sizeof(names));
	for (size_t i = 0; i < GROUPS; i++)
		known[RECORDING_STATE_COUNT + i] = groups[i].name;
	nearest_die(option, word, known, RECORDING_STATE_COUNT + GROUPS);
}

static uint32_t states_find(const char *word)
{
	for (int i = 0; i < RECORDING_STATE_COUNT; i++) {
		if (!strcmp(names[i], word))
			return UINT32_C(1) << i;
	}
	for (size_t i = 0; i < GROUPS; i++) {
		if (!strcmp(groups[i].name, word))
			return groups[i].states;
	}
	return 0;
}

uint32_t states_parse(const char *list, const char *option)
{
	struct str word = { 0 };
	uint32_t all = 0;

	while (*list) {
		size_t len = strcspn(list, ",");
		uint32_t states;

		str_clear(&word);
		str_add(&word, list, len);
		states = states_find(word.buf);
		if (!states)
			die_of_unknown(option, word.buf);
		all |= states;
		list += len + (list[len] == ',');
	}
	str_free(&word);
	if (!all)
		die_usage("%s: names no state", option);
	return all;
}
