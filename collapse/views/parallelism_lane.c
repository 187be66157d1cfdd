#include "collapse/views/parallelism_lane.h"

#include <string.h>

#include "collapse/perfdata/perfdata.h"
#include "collapse/sched/parallelism.h"
#include "core/error.h"
#include "core/format/recording.h"

static bool has_lanes(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		if (d->events[i].lanes)
			return true;
	}
	return false;
}

static bool may_have_switches(const struct perfdata *d)
{
	for (size_t i = 0; i < d->event_count; i++) {
		const struct recorded_event *e = &d->events[i];

		if (e->attr.context_switch || (!strcmp(e->name, RECORDING_SCHED) && (e->derived || e->sample_count)))
			return true;
	}
	return false;
}

void parallelism_lane_add_event(struct perfdata *d)
{
	struct recorded_event *event;

	if (has_lanes(d) || !may_have_switches(d))
		return;
	event = perfdata_add_derived(d, RECORDING_LANE);
	event->spans = false;
	event->lanes = true;
}

struct parallelism_lane {
	struct reading *reading;
	int64_t number;
};

static void parallelism_lane_add_value(void *argument, uint64_t time_ns, uint64_t thousandths)
{
	struct parallelism_lane *lane = argument;
	struct recorded_sample s = { .event = lane->reading->event,
				     .time_ns = time_ns,
				     .begin_ns = time_ns,
				     .period = thousandths,
				     .pid = -1,
				     .tid = -1,
				     .cpu = UINT32_MAX,
				     .count = 1,
				     .state = -1,
				     .by = -1,
				     .lane = lane->number };

	gather_add(&lane->reading->gather, &s);
}

int parallelism_lane_read(struct reading *r)
{
	struct running_time running = { .sums_will_do = true };
	struct roots *roots = &r->gather.roots;
	struct parallelism_lane lane = { .reading = r };
	int status = 0;

	if (!may_have_switches(&r->data))
		return 0;
	running_read(&running, &r->data, &r->sideband, NULL);
	if (running.source != RUNNING_SAMPLES) {
		lane_names_read(&roots->lanes, &r->data);
		roots->knows_lanes = true;
		lane.number = (int64_t)lane_names_add(&roots->lanes, "threads", "parallelism");
		parallelism_mean(&running, r->sideband.first_ns, r->sideband.last_ns, parallelism_lane_add_value,
				 &lane);
	} else if (r->event->derived) {
		r->nothing = true;
		status = reading_nothing(r,
					 "has neither quantities over time nor all context switches, which parallelism "
					 "needs");
	}
	running_free(&running);
	return status;
}
