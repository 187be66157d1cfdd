/* lane_machine: what /proc tells about the machine at a look: memory, pressure, devices. */
#ifndef COLLECT_LANES_LANE_MACHINE_H
#define COLLECT_LANES_LANE_MACHINE_H

#include "collect/lanes/lane_list.h"
#include "core/intern.h"
#include "core/str.h"

struct lane_rate { /* a total that grows */
	uint64_t total, time_ns;
};

enum { LANE_PRESSURES = 5 };

struct lane_device {
	uint32_t busy, queue;
	struct lane_rate rate;
	bool ignored; /* a partition */
};

struct lane_machine { /* {0}: not yet open */
	int memory, devices, pressure[3];
	struct lane_rate rates[LANE_PRESSURES];
	struct intern device_names;
	struct lane_device *device_list; /* by number of the name */
	size_t device_cap;
	struct str text; /* of the last file read */
};

/* Open the files.  Returns what this machine lacks, in a word; NULL: nothing. */
const char *lane_machine_open(struct lane_machine *m);

/* Read them, and note the values. */
void lane_machine_look(struct lane_machine *m, struct lane_list *l);

/* Parts of a look, for tests. */
void lane_memory_read(struct lane_list *l, const char *text, uint64_t time_ns);
void lane_pressure_read(struct lane_machine *m, struct lane_list *l, int resource, const char *text, uint64_t time_ns);

void lane_machine_free(struct lane_machine *m);

#endif
