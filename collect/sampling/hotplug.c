#include "collect/sampling/hotplug.h"

#include <inttypes.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/memory.h"

/* The rings are drained hundreds of times a second when there is much to do. */
#define LOOK_NS UINT64_C(100000000)

static struct cpu_state *hotplug_state_of(struct hotplug *h, int cpu)
{
	for (size_t i = 0; i < h->count; i++) {
		if (h->cpus[i].cpu == cpu)
			return &h->cpus[i];
	}
	return NULL;
}

static struct cpu_state *hotplug_add(struct hotplug *h, int cpu)
{
	h->cpus = xgrow(h->cpus, &h->cap, h->count + 1, sizeof(*h->cpus));
	h->cpus[h->count] = (struct cpu_state){ .cpu = cpu };
	return &h->cpus[h->count++];
}

static int open_uevents(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = 1 /* the kernel's own */ };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

void hotplug_begin(struct hotplug *h, const struct cpus *online)
{
	*h = (struct hotplug){ .begun = true, .uevents = open_uevents() };
	for (size_t i = 0; i < online->count; i++)
		hotplug_add(h, online->list[i])->runs = true;
}

/* Note that a CPU is off since it was last seen online (h->looked_ns). */
static void note_off(struct hotplug *h, struct cpu_state *s)
{
	if (!s->runs)
		return;
	s->runs = false;
	s->stale = true;
	if (!s->off_ns)
		s->off_ns = h->looked_ns;
}

bool hotplug_hear(struct hotplug *h, const char *uevent)
{
	static const char off[] = "offline@/devices/system/cpu/cpu", on[] = "online@/devices/system/cpu/cpu";
	struct cpu_state *s;

	if (strncmp(uevent, off, strlen(off)))
		return strncmp(uevent, on, strlen(on)) == 0;
	s = hotplug_state_of(h, atoi(uevent + strlen(off)));
	if (s)
		note_off(h, s);
	return true;
}

void hotplug_compare(struct hotplug *h, const struct cpus *online, uint64_t now_ns)
{
	for (size_t i = 0; i < h->count; i++) {
		if (!cpus_have(online, h->cpus[i].cpu))
			note_off(h, &h->cpus[i]);
	}
	for (size_t i = 0; i < online->count; i++) {
		struct cpu_state *s = hotplug_state_of(h, online->list[i]);

		if (!s) {
			s = hotplug_add(h, online->list[i]);
			s->stale = true;
		}
		s->runs = true;
	}
	h->looked_ns = now_ns;
}

int hotplug_next(const struct hotplug *h, size_t *at)
{
	while (*at < h->count) {
		const struct cpu_state *s = &h->cpus[(*at)++];

		if (s->runs && s->stale)
			return s->cpu;
	}
	return -1;
}

/* "23509317896969 23509867103143 0 cpu-off 1" */
static void end_gap(struct hotplug *h, struct cpu_state *s, uint64_t now_ns)
{
	if (s->off_ns)
		str_addf(&h->gaps, "%" PRIu64 " %" PRIu64 " 0 cpu-off %d\n", s->off_ns, now_ns, s->cpu);
	s->off_ns = 0;
}

void hotplug_opened(struct hotplug *h, int cpu, uint64_t now_ns)
{
	struct cpu_state *s = hotplug_state_of(h, cpu);

	s->stale = false;
	end_gap(h, s, now_ns);
}

void hotplug_finish(struct hotplug *h, uint64_t now_ns)
{
	for (size_t i = 0; i < h->count; i++)
		end_gap(h, &h->cpus[i], now_ns);
}

void hotplug_clear(struct hotplug *h, uint64_t now_ns)
{
	str_clear(&h->gaps);
	for (size_t i = 0; i < h->count; i++) {
		if (h->cpus[i].off_ns)
			h->cpus[i].off_ns = now_ns;
	}
}

void hotplug_look(struct hotplug *h, uint64_t now_ns)
{
	struct cpus online = { 0 };
	bool heard = false;
	char text[2048];
	ssize_t n;

	while (h->uevents >= 0 && (n = recv(h->uevents, text, sizeof(text) - 1, 0)) > 0) {
		text[n] = '\0';
		heard |= hotplug_hear(h, text);
	}
	if (!heard && h->looked_ns && now_ns - h->looked_ns < LOOK_NS)
		return;
	cpus_online(&online);
	hotplug_compare(h, &online, now_ns);
	cpus_free(&online);
}

void hotplug_free(struct hotplug *h)
{
	if (!h || !h->begun)
		return;
	if (h->uevents >= 0)
		close(h->uevents);
	free(h->cpus);
	str_free(&h->gaps);
	*h = (struct hotplug){ 0 };
}
