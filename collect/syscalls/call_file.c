#include "collect/syscalls/call_file.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* "log/app.log" is kept as "app.log\0log\0". */
static void add_path(struct str *out, const struct path_record *file)
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

static void add_address(struct str *out, int family, const uint8_t *address, unsigned port)
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
	add_address(out, file->family, file->local, file->local_port);
	if (!file->peer_port)
		return;
	str_puts(out, "->");
	add_address(out, file->family, file->peer, ntohs(file->peer_port));
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

static void add_socket(struct str *out, const struct path_record *file)
{
	if (file->family == AF_INET || file->family == AF_INET6)
		add_internet(out, file);
	else if (file->family == AF_UNIX)
		add_unix(out, file);
	else
		str_addf(out, "%s:[%llu]", file->family == AF_NETLINK ? "netlink" : "socket", file->inode);
}

void call_file_add(struct str *out, const struct path_record *file)
{
	switch ((enum path_kind)file->kind) {
	case PATH_NONE: break;
	case PATH_FILE: add_path(out, file); break;
	case PATH_PIPE: str_addf(out, "pipe:[%llu]", file->inode); break;
	case PATH_ANONYMOUS:
		str_puts(out, "anon_inode:");
		str_add(out, file->names, strnlen(file->names, PATH_NAME));
		break;
	case PATH_SOCKET: add_socket(out, file); break;
	}
}
