#include "collect/lanes/lane_sockets.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/recording.h"
#include "core/memory.h"
#include "core/str.h"

/* ---- names ---- */

/* "127.0.0.1:5000", "[::1]:5000" */
static void lane_sockets_add_address(struct str *out, int family, const uint8_t *address, uint16_t port)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	char text[INET6_ADDRSTRLEN] = "?";

	if (family == AF_INET6 && !memcmp(address, mapped, sizeof(mapped))) {
		family = AF_INET;
		address += sizeof(mapped);
	}
	inet_ntop(family, address, text, sizeof(text));
	str_addf(out, family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, port);
}

static void lane_sockets_add_socket(struct str *out, const struct lane_socket *s)
{
	str_puts(out, s->protocol == IPPROTO_UDP ? "udp;" : "tcp;");
	lane_sockets_add_address(out, s->family, s->address, s->port);
	if (s->remote_port) {
		str_addc(out, '-');
		lane_sockets_add_address(out, s->family, s->remote, s->remote_port);
	}
}

/* Several sockets may have the same address, in several network namespaces or on a shared port: the second is named
 * "... (2)". */
static void lane_sockets_find_name(struct lane_list *l, const struct lane_socket *s, bool sampled, const char *what,
				   struct str *name)
{
	const char *mark = sampled ? ";sampled" : "";
	size_t len;

	lane_sockets_add_socket(name, s);
	len = name->len;
	for (unsigned i = 2;; i++) {
		struct str whole = { 0 };
		bool taken;

		str_addf(&whole, "%s%s;%s", name->buf, mark, what);
		taken = intern_find(&l->names, whole.buf, whole.len) != UINT32_MAX;
		str_free(&whole);
		if (!taken) {
			str_puts(name, mark);
			return;
		}
		name->len = len;
		str_addf(name, " (%u)", i);
	}
}

static uint32_t make_lane(struct lane_list *l, const struct str *socket, const char *what, const char *unit, int pid)
{
	struct str name = { 0 };
	uint32_t number;

	str_addf(&name, "%s;%s", socket->buf, what);
	number = lane_find(l, name.buf, unit, pid);
	str_free(&name);
	return number;
}

static void make_lanes(struct lane_socket_lanes *k, struct lane_list *l, const struct lane_socket *s, bool sampled)
{
	int pid = s->pid ? (int)s->pid : -1;
	struct str name = { 0 };

	lane_sockets_find_name(l, s, sampled, s->listens ? "accept-queue" : "depth", &name);
	k->has_lanes = true;
	k->depth = k->drop = k->unread = LANE_NONE;
	if (s->listens) {
		k->unread = make_lane(l, &name, "accept-queue", "connections", pid);
		k->limit = make_lane(l, &name, "accept-limit", "connections", pid);
		str_free(&name);
		return;
	}
	k->depth = make_lane(l, &name, "depth", "bytes", pid);
	k->limit = make_lane(l, &name, "limit", "bytes", pid);
	if (s->protocol == IPPROTO_UDP && s->unread != LANE_UNKNOWN)
		k->unread = make_lane(l, &name, "datagrams", "datagrams", pid);
	else if (s->protocol == IPPROTO_TCP)
		k->unread = make_lane(l, &name, "unread", "bytes", pid);
	k->drop = make_lane(l, &name, "drops", s->protocol == IPPROTO_UDP ? "datagrams" : "segments", pid);
	if (k->drop != LANE_NONE)
		l->lanes[k->drop].counts = true;
	str_free(&name);
}

/* ---- values ---- */

static struct lane_socket_lanes *lane_sockets_find(struct lane_sockets *k, uint64_t id)
{
	uint32_t *place = map_at(&k->by_id, id, 0);

	if (!*place) {
		k->list = xgrow(k->list, &k->cap, k->count + 1, sizeof(*k->list));
		k->list[k->count++] = (struct lane_socket_lanes){ .id = id };
		*place = (uint32_t)k->count;
	}
	return &k->list[*place - 1];
}

void lane_sockets_take(struct lane_sockets *k, struct lane_list *l, const struct lane_socket *s, uint64_t time_ns)
{
	struct lane_socket_lanes *lanes = lane_sockets_find(k, s->id);
	uint64_t drops, unread = s->unread == LANE_UNKNOWN ? 0 : s->unread;

	if (!lanes->found)
		lanes->drops = k->running ? 0 : s->drops;
	lanes->found = true;
	lanes->look = k->looks;
	drops = (uint32_t)(s->drops - lanes->drops); /* the kernel's counter has 32 bits */
	if (!lanes->has_lanes && !s->memory && !unread && !drops)
		return;
	if (!lanes->has_lanes)
		make_lanes(lanes, l, s, k->sampled);
	lanes->drops = s->drops;
	k->drops += drops;
	lane_set(l, lanes->depth, time_ns, s->memory * RECORDING_LANE_PARTS);
	lane_set(l, lanes->unread, time_ns, unread * RECORDING_LANE_PARTS);
	lane_set(l, lanes->limit, time_ns, s->limit * RECORDING_LANE_PARTS);
	lane_set(l, lanes->drop, time_ns, drops * RECORDING_LANE_PARTS);
}

void lane_sockets_looked(struct lane_sockets *k)
{
	size_t left = 0;

	if (++k->looks % LANE_SOCKETS_LOOKS)
		return;
	map_free(&k->by_id);
	for (size_t i = 0; i < k->count; i++) {
		if (k->list[i].look + LANE_SOCKETS_LOOKS < k->looks)
			continue;
		k->list[left++] = k->list[i];
		*map_at(&k->by_id, k->list[left - 1].id, 0) = (uint32_t)left;
	}
	k->count = left;
}

void lane_sockets_free(struct lane_sockets *k)
{
	free(k->list);
	map_free(&k->by_id);
	*k = (struct lane_sockets){ 0 };
}
