#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/lanes/lane_csv.h"
#include "collect/lanes/lane_list.h"
#include "collect/lanes/lane_machine.h"
#include "collect/lanes/lane_sockets.h"
#include "collect/lanes/socket_diag.h"
#include "core/format/recording.h"
#include "tests/unit/check.h"

enum { MS = 1000000, FIRST = 1000000000 };

/* The values of a lane, in thousandths, as "1000 2000 ". */
static const char *values_of(const struct lane_list *l, const char *name)
{
	static char text[1024];
	size_t at = 0;

	*text = '\0';
	for (size_t i = 0; i < l->count; i++) {
		if (!strcmp(intern_text(&l->names, l->values[i].lane), name))
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%llu ",
					       (unsigned long long)l->values[i].value);
	}
	return text;
}

static void changes_only(void)
{
	struct lane_list l = { 0 };
	uint32_t a = lane_find(&l, "a", "bytes", -1);

	CHECK(lane_find(&l, "a", "bytes", -1) == a);
	lane_set(&l, a, FIRST, 0);
	for (uint64_t i = 1; i < 50; i++)
		lane_set(&l, a, FIRST + i * 10 * MS, 0);
	CHECK_TEXT(values_of(&l, "a"), "0 ");
	lane_set(&l, a, FIRST + 1000 * MS, 0); /* a second later, it is told again */
	lane_set(&l, a, FIRST + 1010 * MS, 7000);
	CHECK_TEXT(values_of(&l, "a"), "0 0 7000 ");
	lane_set_exactly(&l, a, FIRST + 1010 * MS, 8000); /* at the same time: never two */
	CHECK(l.values[3].time_ns == FIRST + 1010 * MS + 1);
	l.lanes[a].counts = true;
	lane_set(&l, a, FIRST + 1020 * MS, 8000); /* as many events again */
	CHECK_TEXT(values_of(&l, "a"), "0 0 7000 8000 8000 ");
	lane_set(&l, LANE_NONE, FIRST, 1);
	lane_list_free(&l);
}

static void no_room(void)
{
	struct lane_list l = { 0 };
	char name[16];

	for (int i = 0; i < LANES_MAX; i++) {
		snprintf(name, sizeof(name), "%d", i);
		CHECK(lane_find(&l, name, "-", -1) == (uint32_t)i);
	}
	CHECK(lane_find(&l, "more", "-", -1) == LANE_NONE);
	CHECK(lane_find(&l, "17", "-", -1) == 17);
	CHECK(l.untracked == 1);
	lane_list_free(&l);
}

static void memory(void)
{
	struct lane_list l = { 0 };

	lane_memory_read(&l, "MemTotal: 99 kB\nMemFree:   8 kB\nSwapCached: 3 kB\nCached: 5 kB\nDirty: 0 kB", FIRST);
	CHECK_TEXT(values_of(&l, "memory;free"), "8192000 ");
	CHECK_TEXT(values_of(&l, "memory;page-cache"), "5120000 ");
	CHECK_TEXT(values_of(&l, "memory;dirty"), "0 ");
	lane_memory_read(&l, "", FIRST);
	lane_list_free(&l);
}

static void pressure(void)
{
	struct lane_machine m = { .memory = -1, .devices = -1, .pressure = { -1, -1, -1 } };
	struct lane_list l = { 0 };

	lane_pressure_read(&m, &l, 1, "some avg10=0.00 total=1000\nfull avg10=0.00 total=0\n", FIRST);
	CHECK(!l.count);
	lane_pressure_read(&m, &l, 1, "some avg10=0.00 total=6000\nfull avg10=0.00 total=1\n", FIRST + 10 * MS);
	CHECK_TEXT(values_of(&l, "pressure;memory;some"), "50000 "); /* 5 of 10 ms */
	CHECK_TEXT(values_of(&l, "pressure;memory;full"), "10 ");
	lane_pressure_read(&m, &l, 1, "some total=99999\nfull total=0\n", FIRST + 20 * MS);
	CHECK_TEXT(values_of(&l, "pressure;memory;some"), "50000 100000 "); /* never more than all of the time */
	CHECK_TEXT(values_of(&l, "pressure;memory;full"), "10 ");           /* the total went back */
	lane_machine_free(&m);
	lane_list_free(&l);
}

static struct lane_socket udp(uint64_t id, uint64_t unread, uint64_t drops)
{
	return (struct lane_socket){ .id = id,
				     .pid = 7,
				     .family = 2,
				     .protocol = 17,
				     .port = 5000,
				     .address = { 127, 0, 0, 1 },
				     .memory = unread * 1280,
				     .unread = unread,
				     .limit = 4096,
				     .drops = drops };
}

static void take(struct lane_sockets *k, struct lane_list *l, struct lane_socket s, int at)
{
	lane_sockets_take(k, l, &s, FIRST + (uint64_t)at * 10 * MS);
}

static void sockets(void)
{
	struct lane_sockets k = { 0 };
	struct lane_list l = { 0 };

	take(&k, &l, udp(1, 0, 40), 0); /* earlier drops do not count, and an empty queue has no lane */
	CHECK(!l.names.count);
	k.running = true;
	take(&k, &l, udp(1, 3, 40), 1);
	take(&k, &l, udp(1, 0, 42), 2);
	take(&k, &l, udp(1, 0, 44), 3);
	take(&k, &l, udp(2, 1, 5), 3); /* new, of the same address */
	CHECK_TEXT(values_of(&l, "udp;127.0.0.1:5000;datagrams"), "3000 0 ");
	CHECK_TEXT(values_of(&l, "udp;127.0.0.1:5000;depth"), "3840000 0 ");
	CHECK_TEXT(values_of(&l, "udp;127.0.0.1:5000;drops"), "0 2000 2000 ");
	CHECK_TEXT(values_of(&l, "udp;127.0.0.1:5000;limit"), "4096000 ");
	CHECK_TEXT(values_of(&l, "udp;127.0.0.1:5000 (2);drops"), "5000 ");
	CHECK(k.drops == 9);
	lane_sockets_free(&k);
	lane_list_free(&l);
}

/* Closed sockets are forgotten; drops of other sockets are known. */
static void closed(void)
{
	struct lane_sockets k = { .running = true };
	struct lane_list l = { 0 };

	take(&k, &l, udp(1, 0, 5), 0);
	for (int look = 1; look <= 3 * LANE_SOCKETS_LOOKS; look++) {
		if (look % 100 == 0)
			take(&k, &l, udp(1, 0, 5), look);
		if (look <= 1000)
			take(&k, &l, udp(1000000 + (uint64_t)look, 0, 0), look);
		lane_sockets_looked(&k);
	}
	CHECK(k.count == 1 && k.list[0].id == 1 && k.cap < 5000);
	take(&k, &l, udp(1, 0, 6), 1);
	CHECK(k.drops == 6 && k.count == 1);
	lane_sockets_free(&k);
	lane_list_free(&l);
}

static void names(void)
{
	struct lane_sockets k = { .running = true };
	struct lane_list l = { 0 };
	struct lane_socket s = {
		.id = 1, .family = 10, .protocol = 6, .port = 80, .unread = 1, .memory = 1, .limit = 9
	};

	s.address[15] = 1;
	s.remote[10] = s.remote[11] = 0xff;
	s.remote[12] = 10;
	s.remote_port = 99;
	lane_sockets_take(&k, &l, &s, FIRST);
	CHECK_TEXT(values_of(&l, "tcp;[::1]:80-10.0.0.0:99;unread"), "1000 ");
	s = (struct lane_socket){
		.id = 2, .family = 2, .protocol = 6, .port = 80, .listens = 1, .unread = 2, .limit = 5
	};
	lane_sockets_take(&k, &l, &s, FIRST);
	CHECK_TEXT(values_of(&l, "tcp;0.0.0.0:80;accept-queue"), "2000 ");
	CHECK_TEXT(values_of(&l, "tcp;0.0.0.0:80;accept-limit"), "5000 ");
	lane_sockets_free(&k);
	lane_list_free(&l);
}

/* Queues as they were at one look: names say so, and unknown values have no lane. */
static void sampled(void)
{
	struct lane_sockets k = { .running = true, .sampled = true };
	struct lane_list l = { 0 };
	struct lane_socket s = udp(1, 3, 0);

	s.unread = LANE_UNKNOWN;
	take(&k, &l, s, 1);
	s.id = 2;
	take(&k, &l, s, 2);
	CHECK_TEXT(values_of(&l, "udp;127.0.0.1:5000;sampled;depth"), "3840000 ");
	CHECK_TEXT(values_of(&l, "udp;127.0.0.1:5000 (2);sampled;depth"), "3840000 ");
	CHECK(l.names.count == 6);
	lane_sockets_free(&k);
	lane_list_free(&l);
}

struct diag_answer {
	struct nlmsghdr header;
	struct inet_diag_msg message;
	struct nlattr attribute;
	uint32_t memory[SK_MEMINFO_VARS];
};

static struct diag_answer diag_answer(uint8_t state, uint32_t inode)
{
	return (struct diag_answer){
		.header = { .nlmsg_len = sizeof(struct diag_answer),
			    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			    .nlmsg_flags = NLM_F_MULTI },
		.message = { .idiag_family = 2,
			     .idiag_state = state,
			     .id = { .idiag_sport = htons(5000),
				     .idiag_src = { htonl(0x7f000001) },
				     .idiag_cookie = { 7, 1 } },
			     .idiag_rqueue = 11,
			     .idiag_wqueue = 22,
			     .idiag_inode = inode },
		.attribute = { 4 + 4 * SK_MEMINFO_VARS, INET_DIAG_SKMEMINFO },
		.memory = { [SK_MEMINFO_RMEM_ALLOC] = 33, [SK_MEMINFO_RCVBUF] = 44, [SK_MEMINFO_DROPS] = 55 },
	};
}

static void keep_last(void *last, const struct diag_socket *s)
{
	*(struct diag_socket *)last = *s;
}

static void diag_answers(void)
{
	struct diag_answer a[2] = { diag_answer(TCP_ESTABLISHED, 9), diag_answer(TCP_ESTABLISHED, 0) };
	struct nlmsghdr done = { .nlmsg_len = sizeof(done), .nlmsg_type = NLMSG_DONE, .nlmsg_flags = NLM_F_MULTI };
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
	} gone = { { .nlmsg_len = sizeof(gone), .nlmsg_type = NLMSG_ERROR }, { .error = -ENOENT } };
	struct diag_socket s = { 0 };
	size_t over = 0;

	CHECK(!socket_diag_read(a, sizeof(a), IPPROTO_TCP, keep_last, &s, &over) && !over);
	CHECK(s.inode == 9 && s.lane.id == (UINT64_C(1) << 32 | 7) && s.lane.port == 5000 && !s.lane.listens);
	CHECK(s.lane.memory == 33 && s.lane.unread == 11 && s.lane.limit == 44 && s.lane.drops == 55);
	socket_diag_read(a, sizeof(a), IPPROTO_UDP, keep_last, &s, &over);
	CHECK(s.lane.memory == 11 && s.lane.unread == LANE_UNKNOWN && s.lane.limit == 44);
	a[0].message.idiag_state = TCP_LISTEN;
	a[0].header.nlmsg_flags = 0; /* the answer to a question for one */
	socket_diag_read(a, sizeof(a), IPPROTO_TCP, keep_last, &s, &over);
	CHECK(s.lane.listens && !s.lane.memory && s.lane.unread == 11 && s.lane.limit == 22 && over == 1);
	CHECK(!socket_diag_read(&done, sizeof(done), IPPROTO_TCP, keep_last, &s, &over) && over == 2);
	CHECK(!socket_diag_read(&gone, sizeof(gone), IPPROTO_TCP, keep_last, &s, &over) && over == 3);
	gone.error.error = -EPERM;
	CHECK(socket_diag_read(&gone, sizeof(gone), IPPROTO_TCP, keep_last, &s, &over) == -EPERM);
}

/* Cut off anywhere, and with wrong lengths: nothing beyond the end is read. */
static void diag_damaged(void)
{
	struct diag_answer a = diag_answer(TCP_ESTABLISHED, 9);
	struct diag_socket s = { 0 };
	size_t over = 0;

	for (size_t size = 0; size <= sizeof(a); size++) {
		char *copy = malloc(size + 1);

		memcpy(copy, &a, size);
		if (size >= sizeof(a.header))
			memcpy(copy, &(uint32_t){ (uint32_t)size }, sizeof(uint32_t));
		socket_diag_read(copy, size, IPPROTO_TCP, keep_last, &s, &over);
		free(copy);
	}
	for (int len = 0; len < 65536; len++) {
		a.attribute.nla_len = (uint16_t)len;
		socket_diag_read(&a, sizeof(a), IPPROTO_TCP, keep_last, &s, &over);
	}
	CHECK(s.inode == 9);
}

static void append(const char *path, const char *text)
{
	FILE *f = fopen(path, "a");

	CHECK(f && fputs(text, f) >= 0 && !fclose(f));
}

/* The time of a line may be rounded up, but must be of the same clock. */
static uint64_t second_2(void)
{
	return 2 * (uint64_t)FIRST;
}

static void csv(void)
{
	char path[] = "/tmp/lanes-XXXXXX", option[64];
	struct lane_list l = { 0 };
	struct lane_csv c;

	close(mkstemp(path));
	snprintf(option, sizeof(option), "a;b=%s", path);
	CHECK(lane_csv_is_valid(option) && !lane_csv_is_valid("a") && !lane_csv_is_valid("=x") &&
	      !lane_csv_is_valid("a="));
	CHECK(!lane_csv_open(&c, option, true));
	CHECK_TEXT(c.name, "csv;a:b");
	append(path,
	       "seconds,naks,more\nseconds,naks\n1.5,3\n# a comment\n\n0.5,9\n1.6 , 0.25,rest\r\n1.6,0.25\n1.7,4");
	lane_csv_read(&c, &l, FIRST, second_2, 0, false);
	CHECK_TEXT(values_of(&l, "csv;a:b"), "3000 250 250 ");
	append(path, "2\n1.8,-1\n1.9,x\n3.0,1\n2.5,1e3");
	lane_csv_read(&c, &l, FIRST, second_2, 0, false);
	CHECK_TEXT(values_of(&l, "csv;a:b"), "3000 250 250 42000 ");
	CHECK(c.bad == 3); /* only the first line can be a heading */
	lane_csv_read(&c, &l, FIRST, second_2, 0, true);
	CHECK_TEXT(values_of(&l, "csv;a:b"), "3000 250 250 42000 1000000 ");
	lane_csv_free(&c);
	unlink(path);
	lane_list_free(&l);
}

/* A file without an end. */
static void endless(void)
{
	struct lane_list l = { 0 };
	struct lane_csv c;

	CHECK(!lane_csv_open(&c, "a=/dev/zero", true));
	lane_csv_read(&c, &l, FIRST, second_2, 0, false);
	CHECK(c.behind);
	lane_csv_free(&c);
	lane_list_free(&l);
}

static void wall_clock(void)
{
	char path[] = "/tmp/lanes-XXXXXX", option[64];
	struct lane_list l = { 0 };
	struct lane_csv c;

	close(mkstemp(path));
	snprintf(option, sizeof(option), "a=%s", path);
	CHECK(!lane_csv_open(&c, option, false));
	append(path, "1795342502.5,1\n2026-11-22T10:15:02.75Z,2\n1.0,9\n");
	lane_csv_read(&c, &l, FIRST, second_2, 1795342501 * (int64_t)FIRST, true);
	CHECK_TEXT(values_of(&l, "csv;a"), "1000 2000 ");
	CHECK(l.values[0].time_ns == 1500 * (uint64_t)MS && l.values[1].time_ns == 1750 * (uint64_t)MS);
	lane_csv_free(&c);
	unlink(path);
	lane_list_free(&l);
}

int main(void)
{
	changes_only();
	no_room();
	memory();
	pressure();
	sockets();
	closed();
	names();
	sampled();
	diag_answers();
	diag_damaged();
	csv();
	endless();
	wall_clock();
	return check_done();
}
