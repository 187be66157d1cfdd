#include "collect/lanes/socket_diag.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
	DIAG_BUFFER = 65536, /* the kernel sends at most 32 KiB at once (netlink_dump()) */
	DIAG_AT_ONCE = 32,   /* maximum of requests at a time, so that all answers fit into a socket's buffer */
};

static int diag_socket(void)
{
	struct timeval most = { .tv_sec = 1 }; /* never wait for ever in a look */
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
	return fd;
}

struct diag_entry { /* a thread that enters a namespace, and never has to come back */
	int ns, fd;
};

static void *diag_enter(void *entry)
{
	struct diag_entry *e = entry;

	e->fd = setns(e->ns, CLONE_NEWNET) ? -errno : diag_socket();
	return NULL;
}

int socket_diag_open(pid_t pid)
{
	struct diag_entry e = { .fd = -EAGAIN };
	char path[64];
	pthread_t thread;
	int err;

	if (!pid)
		return diag_socket();
	snprintf(path, sizeof(path), "/proc/%d/ns/net", pid);
	e.ns = open(path, O_RDONLY | O_CLOEXEC);
	if (e.ns < 0)
		return -errno;
	err = pthread_create(&thread, NULL, diag_enter, &e);
	if (!err)
		pthread_join(thread, NULL);
	close(e.ns);
	return err ? -err : e.fd;
}

/* Additional facts to report, and the states of sockets to report. */
#define DIAG_MEMORY (1u << (INET_DIAG_SKMEMINFO - 1))
#define DIAG_STATES (~(1u << TCP_TIME_WAIT))

struct diag_question {
	struct nlmsghdr header;
	struct inet_diag_req_v2 request;
};

static struct diag_question diag_question(uint8_t family, uint8_t protocol, uint16_t flags)
{
	return (struct diag_question){
		.header = { .nlmsg_len = sizeof(struct diag_question),
			    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			    .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags) },
		.request = { .sdiag_family = family,
			     .sdiag_protocol = protocol,
			     .idiag_ext = DIAG_MEMORY,
			     .idiag_states = DIAG_STATES },
	};
}

static void diag_memory(const struct nlmsghdr *h, uint32_t memory[SK_MEMINFO_VARS])
{
	const char *at = (const char *)h + NLMSG_LENGTH(sizeof(struct inet_diag_msg)),
		   *end = (const char *)h + h->nlmsg_len;

	while (end - at >= (ptrdiff_t)sizeof(struct nlattr)) {
		struct nlattr attribute;
		size_t len;

		memcpy(&attribute, at, sizeof(attribute));
		if (attribute.nla_len < sizeof(attribute) || attribute.nla_len > end - at)
			return;
		len = attribute.nla_len - sizeof(attribute);
		if ((attribute.nla_type & NLA_TYPE_MASK) == INET_DIAG_SKMEMINFO)
			memcpy(memory, at + sizeof(attribute),
			       len < SK_MEMINFO_VARS * sizeof(*memory) ? len : SK_MEMINFO_VARS * sizeof(*memory));
		at += NLA_ALIGN(attribute.nla_len) < end - at ? NLA_ALIGN(attribute.nla_len) : end - at;
	}
}

/* tcp_diag_get_info() and udp_diag_get_info() in net/ipv4 define idiag_rqueue and idiag_wqueue. */
static void diag_queues(struct lane_socket *s, const struct inet_diag_msg *m, const uint32_t memory[SK_MEMINFO_VARS])
{
	s->listens = s->protocol == IPPROTO_TCP && m->idiag_state == TCP_LISTEN;
	s->drops = memory[SK_MEMINFO_DROPS];
	s->limit = s->listens ? m->idiag_wqueue : memory[SK_MEMINFO_RCVBUF];
	if (s->protocol == IPPROTO_UDP) {
		s->memory = m->idiag_rqueue;
		s->unread = LANE_UNKNOWN;
	} else {
		s->memory = s->listens ? 0 : memory[SK_MEMINFO_RMEM_ALLOC];
		s->unread = m->idiag_rqueue;
	}
}

static void diag_take_socket(const struct nlmsghdr *h, uint8_t protocol, diag_take *take, void *context)
{
	uint32_t memory[SK_MEMINFO_VARS] = { 0 };
	struct diag_socket s = { .lane.protocol = protocol };
	struct inet_diag_msg m;

	if (h->nlmsg_len < NLMSG_LENGTH(sizeof(m)))
		return;
	memcpy(&m, NLMSG_DATA(h), sizeof(m));
	if (!m.idiag_inode) /* no process has it */
		return;
	diag_memory(h, memory);
	s.key = m.id;
	s.inode = m.idiag_inode;
	s.lane.id = (uint64_t)m.id.idiag_cookie[1] << 32 | m.id.idiag_cookie[0];
	s.lane.family = m.idiag_family;
	s.lane.port = ntohs(m.id.idiag_sport);
	s.lane.remote_port = ntohs(m.id.idiag_dport);
	memcpy(s.lane.address, m.id.idiag_src, sizeof(s.lane.address));
	memcpy(s.lane.remote, m.id.idiag_dst, sizeof(s.lane.remote));
	diag_queues(&s.lane, &m, memory);
	take(context, &s);
}

/* The socket is gone (ENOENT), or shares its port with another one that was found (ESTALE). */
static int diag_error(const struct nlmsghdr *h)
{
	struct nlmsgerr e;

	if (h->nlmsg_len < NLMSG_LENGTH(sizeof(e)))
		return -EIO;
	memcpy(&e, NLMSG_DATA(h), sizeof(e));
	return e.error < 0 ? e.error : -EIO;
}

/* Like NLMSG_OK() and NLMSG_NEXT(), but also right if the padding of the last message is missing. */
static bool diag_is_whole(const char *at, size_t left)
{
	struct nlmsghdr h;

	if (left < sizeof(h))
		return false;
	memcpy(&h, at, sizeof(h));
	return h.nlmsg_len >= sizeof(h) && h.nlmsg_len <= left;
}

static const char *diag_next(const char *at, size_t *left)
{
	size_t len = NLMSG_ALIGN(((const struct nlmsghdr *)at)->nlmsg_len);

	len = len < *left ? len : *left;
	*left -= len;
	return at + len;
}

int socket_diag_read(const void *answers, size_t size, uint8_t protocol, diag_take *take, void *context, size_t *over)
{
	for (const char *at = answers; diag_is_whole(at, size); at = diag_next(at, &size)) {
		const struct nlmsghdr *h = (const struct nlmsghdr *)at;
		int err = h->nlmsg_type == NLMSG_ERROR ? diag_error(h) : 0;

		if (err && err != -ENOENT && err != -ESTALE)
			return err;
		if (h->nlmsg_type == SOCK_DIAG_BY_FAMILY || h->nlmsg_type == TCPDIAG_GETSOCK)
			diag_take_socket(h, protocol, take, context);
		*over += h->nlmsg_type == NLMSG_DONE || err || !(h->nlmsg_flags & NLM_F_MULTI);
	}
	return 0;
}

static int diag_receive(int fd, uint8_t protocol, size_t answers, diag_take *take, void *context)
{
	_Alignas(struct nlmsghdr) char buffer[DIAG_BUFFER];
	size_t over = 0;
	int status = 0;

	while (!status && over < answers) {
		ssize_t n = recv(fd, buffer, sizeof(buffer), 0);

		if (n > 0)
			status = socket_diag_read(buffer, (size_t)n, protocol, take, context, &over);
		else if (n == 0 || errno != EINTR)
			status = n ? -errno : -EIO;
	}
	return status;
}

static int diag_send(int fd, const struct diag_question *questions, size_t count)
{
	ssize_t size = (ssize_t)(count * sizeof(*questions));

	return send(fd, questions, (size_t)size, 0) == size ? 0 : -errno;
}

/* A family or protocol that the kernel lacks (no udp_diag, no IPv6: ENOENT) has no sockets. */
static int diag_dump_udp(int fd, uint8_t family, diag_take *take, void *context)
{
	struct diag_question q = diag_question(family, IPPROTO_UDP, NLM_F_DUMP);
	int status = diag_send(fd, &q, 1);

	return status ? status : diag_receive(fd, IPPROTO_UDP, 1, take, context);
}

/* The old form of the request, from before Linux 3.3, asks for all families, so that the kernel goes through its table
 * only once (inet_diag_dump_compat(), net/ipv4/inet_diag.c). */
static int diag_dump_tcp(int fd, diag_take *take, void *context)
{
	struct {
		struct nlmsghdr header;
		struct inet_diag_req request;
	} q = {
		.header = { .nlmsg_len = sizeof(q),
			    .nlmsg_type = TCPDIAG_GETSOCK,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.request = { .idiag_family = AF_INET, .idiag_ext = DIAG_MEMORY, .idiag_states = DIAG_STATES },
	};

	if (send(fd, &q, sizeof(q), 0) != (ssize_t)sizeof(q))
		return -errno;
	return diag_receive(fd, IPPROTO_TCP, 1, take, context);
}

int socket_diag_dump(int fd, uint8_t protocol, diag_take *take, void *context)
{
	int status;

	if (protocol == IPPROTO_TCP)
		return diag_dump_tcp(fd, take, context);
	status = diag_dump_udp(fd, AF_INET, take, context);
	return status ? status : diag_dump_udp(fd, AF_INET6, take, context);
}

/* For UDP, the kernel expects source and destination to be swapped (udp_dump_one(), net/ipv4/udp_diag.c). */
static struct diag_question diag_question_for(const struct diag_socket *s)
{
	struct diag_question q = diag_question((uint8_t)s->lane.family, s->lane.protocol, 0);
	struct inet_diag_sockid *key = &q.request.id;

	*key = s->key;
	if (s->lane.protocol == IPPROTO_UDP) {
		key->idiag_sport = s->key.idiag_dport;
		key->idiag_dport = s->key.idiag_sport;
		memcpy(key->idiag_src, s->key.idiag_dst, sizeof(key->idiag_src));
		memcpy(key->idiag_dst, s->key.idiag_src, sizeof(key->idiag_dst));
	}
	return q;
}

int socket_diag_ask(int fd, const struct diag_socket *sockets, size_t count, diag_take *take, void *context)
{
	struct diag_question questions[DIAG_AT_ONCE];
	int status = 0;

	for (size_t i = 0; i < count && !status;) {
		uint8_t protocol = sockets[i].lane.protocol;
		size_t n = 0;

		while (i < count && n < DIAG_AT_ONCE && sockets[i].lane.protocol == protocol)
			questions[n++] = diag_question_for(&sockets[i++]);
		status = diag_send(fd, questions, n);
		if (!status)
			status = diag_receive(fd, protocol, n, take, context);
	}
	return status;
}
