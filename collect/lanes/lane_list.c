#include "collect/lanes/lane_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collect/recording/spans.h"
#include "core/format/recording.h"
#include "core/memory.h"

/* A little less than promised, because looks come late. */
#define REPEAT_NS (RECORDING_LANE_REPEAT_NS / 10 * 9)

uint32_t lane_find(struct lane_list *l, const char *name, const char *unit, int pid)
{
	size_t before = l->names.count;
	uint32_t number;

	if (before >= LANES_MAX && intern_find(&l->names, name, strlen(name)) == UINT32_MAX) {
		l->untracked++;
		return LANE_NONE;
	}
	number = intern_add(&l->names, name, strlen(name));
	if (l->names.count > before) {
		l->lanes = xgrow(l->lanes, &l->lane_cap, l->names.count, sizeof(*l->lanes));
		l->lanes[number] = (struct lane){ .unit = unit, .pid = pid };
	}
	return number;
}

void lane_set_exactly(struct lane_list *l, uint32_t number, uint64_t time_ns, uint64_t thousandths)
{
	struct lane *lane = number == LANE_NONE ? NULL : &l->lanes[number];

	if (!lane)
		return;
	if (lane->known && time_ns == lane->told_ns) /* only one value for a time, since readers would add up several */
		time_ns++;
	lane->value = thousandths;
	lane->told_ns = time_ns;
	lane->known = true;
	l->values = xgrow(l->values, &l->cap, l->count + 1, sizeof(*l->values));
	l->values[l->count++] = (struct lane_value){ time_ns, thousandths, number };
	l->told++;
}

void lane_set(struct lane_list *l, uint32_t number, uint64_t time_ns, uint64_t thousandths)
{
	const struct lane *lane = number == LANE_NONE ? NULL : &l->lanes[number];

	if (lane && lane->known && lane->value == thousandths && time_ns < lane->told_ns + REPEAT_NS &&
	    !(lane->counts && thousandths))
		return;
	lane_set_exactly(l, number, time_ns, thousandths);
}

void lane_repeat(struct lane_list *l, uint32_t number, uint64_t time_ns)
{
	if (number != LANE_NONE)
		lane_set(l, number, time_ns, l->lanes[number].known ? l->lanes[number].value : 0);
}

void lane_list_write(struct lane_list *l, const struct event *e, struct str *out)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct lane_value *v = &l->values[i];
		uint64_t label = RECORDING_LABEL(RECORDING_LABEL_LANE, v->lane);
		struct span span = {
			.pid = l->lanes[v->lane].pid,
			.tid = l->lanes[v->lane].pid,
			.cpu = UINT32_MAX,
			.time_ns = v->time_ns,
			.ns = v->value,
			.count = 1,
			.begin_ns = v->time_ns,
			.flags = RECORDING_SINGLE,
			.chain = &label,
			.chain_count = 1,
		};

		span_add(out, e, &span);
	}
	l->count = 0;
}

void lane_list_format(const struct lane_list *l, struct str *out)
{
	for (uint32_t i = 0; i < l->names.count; i++)
		str_addf(out, "%" PRIu32 " %s %s\n", i, l->lanes[i].unit, intern_text(&l->names, i));
}

void lane_list_free(struct lane_list *l)
{
	intern_free(&l->names);
	free(l->lanes);
	free(l->values);
	*l = (struct lane_list){ 0 };
}
