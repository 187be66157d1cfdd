#include "collect/syscalls/call_file.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* "log/app.log" is kept as "app.log\0log\0". */
static void call_file_add_path(struct str *out, const struct path_record *file)
{
	size_t end = file->used < sizeof(file->names) ? file->used : sizeof(file->names);

	if (file->is_cut)
		str_puts(out, "...");
	if (!end)
		str_addc(out, '/');
	while (end) {
		size_t start = end - 1; /* of the 0 */

		while (start && file->names[start - 1])
			start--;
		str_addc(out, '/');
		str_add(out, &file->names[start], end - 1 - start);
		end = start;
	}
}

static void call_file_add_address(struct str *out, int family, const uint8_t *address, unsigned port)
{
	char text[INET6_ADDRSTRLEN] = "?";

	inet_ntop(family, address, text, sizeof(text));
	str_addf(out, family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, port);
}

static void add_internet(struct str *out, const struct path_record *file)
{
	const char *protocol = file->protocol == IPPROTO_TCP   ? "tcp"
			       : file->protocol == IPPROTO_UDP ? "udp"
			       : file->type == SOCK_STREAM     ? "stream"
			       : file->type == SOCK_DGRAM      ? "datagram"
							       : "raw";

	str_addf(out, "%s ", protocol);
	call_file_add_address(out, file->family, file->local, file->local_port);
	if (!file->peer_port)
		return;
	str_puts(out, "->");
	call_file_add_address(out, file->family, file->peer, ntohs(file->peer_port));
}

static void add_unix(struct str *out, const struct path_record *file)
{
	size_t len = file->used < sizeof(file->names) ? file->used : 0;

	if (!len) {
		str_addf(out, "unix:[%llu]", file->inode);
		return;
	}
	str_puts(out, "unix ");
	if (file->names[0])
		str_add(out, file->names, strnlen(file->names, len));
	else { /* abstract: a name with any bytes */
		str_addc(out, '@');
		str_add(out, file->names + 1, len - 1);
	}
}

static void call_file_add_socket(struct str *out, const struct path_record *file)
{
	if (file->family == AF_INET || file->family == AF_INET6)
		add_internet(out, file);
	else if (file->family == AF_UNIX)
		add_unix(out, file);
	else
		str_addf(out, "%s:[%llu]", file->family == AF_NETLINK ? "netlink" : "socket", file->inode);
}

/* Paths as they were given: "old\0new\0" */
static void call_file_add_text(struct str *out, const struct path_record *file)
{
	size_t end = file->used < sizeof(file->names) ? file->used : sizeof(file->names), at = 0;

	while (at < end) {
		size_t len = strnlen(file->names + at, end - at);

		str_puts(out, at ? " -> " : "");
		str_add(out, file->names + at, len);
		str_puts(out, len >= PATH_TEXT_BYTES - 1 ? "..." : "");
		at += len + 1;
	}
}

static void call_file_add_number(struct str *out, int number, size_t before)
{
	str_addf(out, before ? ",%d" : "descriptors %d", number);
}

static int call_file_compare(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

/* The descriptors that an epoll descriptor watches come in the order of kernel addresses, so sort them. */
static void add_descriptors(struct str *out, const struct path_record *file)
{
	size_t count = file->used < PATH_DESCRIPTORS_MAX ? file->used : PATH_DESCRIPTORS_MAX;
	int numbers[PATH_DESCRIPTORS_MAX];

	memcpy(numbers, file->names, sizeof(numbers));
	qsort(numbers, count, sizeof(*numbers), call_file_compare);
	for (size_t i = 0; i < count; i++)
		call_file_add_number(out, numbers[i], i);
	if (file->used > PATH_DESCRIPTORS_MAX || file->is_cut)
		str_addf(out, ",... (%s%u)", file->is_cut ? "more than " : "", file->used);
}

static void add_sets(struct str *out, const struct path_record *file)
{
	uint32_t end = file->used < PATH_SET_BYTES * 8 ? file->used : PATH_SET_BYTES * 8;
	uint32_t count = 0;

	for (uint32_t fd = 0; fd < end; fd++) {
		uint8_t bit = (uint8_t)(1 << fd % 8);
		const char *at = file->names + fd / 8;

		if (!((at[0] | at[PATH_SET_BYTES] | at[2 * PATH_SET_BYTES]) & bit))
			continue;
		if (count < PATH_DESCRIPTORS_MAX)
			call_file_add_number(out, (int)fd, count);
		count++;
	}
	if (count > PATH_DESCRIPTORS_MAX)
		str_addf(out, ",... (%u)", count);
}

void call_file_add(struct str *out, const struct path_record *file)
{
	switch ((enum path_kind)file->kind) {
	case PATH_NONE:
	case PATH_AT:
	case PATH_LATER: break;
	case PATH_FILE: call_file_add_path(out, file); break;
	case PATH_PIPE: str_addf(out, "pipe:[%llu]", file->inode); break;
	case PATH_ANONYMOUS:
		str_puts(out, "anon_inode:");
		str_add(out, file->names, strnlen(file->names, PATH_NAME));
		break;
	case PATH_SOCKET: call_file_add_socket(out, file); break;
	case PATH_TEXT: call_file_add_text(out, file); break;
	case PATH_DESCRIPTORS: add_descriptors(out, file); break;
	case PATH_SETS: add_sets(out, file); break;
	}
}
