/* Receive queues of known depth, on loopback.  It prints what it did and what the kernel itself says (SO_MEMINFO).
 *
 *     queue_depth [-h MS] ...              before the first is read or accepted, waits so long: queues are held full
 *     queue_depth [-n] ...                 in a network namespace of its own
 *     queue_depth udp COUNT BYTES LIMIT    sends COUNT datagrams of BYTES before the first is read, to a socket with a
 *                                          buffer of LIMIT (SO_RCVBUF; 0: as it is); then reads all that are there
 *     queue_depth tcp BYTES                writes BYTES to a connection before the first is read
 *     queue_depth flood SECONDS            sends and reads datagrams as fast as it can, for so much CPU time: prints how
 *                                          many a second of it
 *
 * Lines:
 *
 *     address 127.0.0.1:40123     of the socket that receives
 *     queued 200 256000           datagrams, or bytes of the stream; bytes of memory
 *     limit 425984
 *     drops 0
 *     sending 1795342502.014      when it began to send (CLOCK_REALTIME) ...
 *     full 1795342502.015         ... had sent all ...
 *     read 1795342502.015         ... and had read all
 *
 * Then the sockets stay open for a second, so that collectors have time to look at them. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 60000, FLOOD_BURST = 64 };

#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif

static char data[MOST_BYTES];
static long hold_ms;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static double now(int clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void hold(void)
{
	struct timespec t = { hold_ms / 1000, hold_ms % 1000 * 1000000 };

	printf("full %.6f\n", now(CLOCK_REALTIME));
	nanosleep(&t, NULL);
}

static struct sockaddr_in address_of(int fd)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);

	if (getsockname(fd, (struct sockaddr *)&a, &len))
		die("getsockname");
	return a;
}

static int open_socket(int type)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, type, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)))
		die("socket");
	return fd;
}

static void read_memory(int fd, uint32_t memory[SK_MEMINFO_VARS])
{
	socklen_t len = SK_MEMINFO_VARS * sizeof(*memory);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &len))
		die("SO_MEMINFO");
}

static void say_memory(const uint32_t memory[SK_MEMINFO_VARS], unsigned long queued)
{
	printf("queued %lu %" PRIu32 "\nlimit %" PRIu32 "\ndrops %" PRIu32 "\n", queued, memory[SK_MEMINFO_RMEM_ALLOC],
	       memory[SK_MEMINFO_RCVBUF], memory[SK_MEMINFO_DROPS]);
}

static void say_address(int fd)
{
	printf("address 127.0.0.1:%u\n", ntohs(address_of(fd).sin_port));
}

static int udp_pair(int limit, int *sender)
{
	int receiver = open_socket(SOCK_DGRAM);
	struct sockaddr_in to = address_of(receiver);

	*sender = open_socket(SOCK_DGRAM);
	if (limit && setsockopt(receiver, SOL_SOCKET, SO_RCVBUF, &limit, sizeof(limit)))
		die("SO_RCVBUF");
	if (connect(*sender, (struct sockaddr *)&to, sizeof(to)))
		die("connect");
	return receiver;
}

static void udp(long count, size_t bytes, int limit)
{
	int sender, receiver = udp_pair(limit, &sender);
	double begin = now(CLOCK_REALTIME);
	uint32_t memory[SK_MEMINFO_VARS] = { 0 };
	unsigned long found = 0;

	say_address(receiver);
	for (long i = 0; i < count; i++) {
		if (send(sender, data, bytes, 0) != (ssize_t)bytes)
			die("send");
	}
	/* Nothing has been read so far, so the kernel's figures are those of the fullest queue. */
	read_memory(receiver, memory);
	hold();
	while (recv(receiver, data, sizeof(data), MSG_DONTWAIT) >= 0)
		found++;
	say_memory(memory, found);
	printf("sending %.6f\nread %.6f\n", begin, now(CLOCK_REALTIME));
}

static void tcp(size_t bytes)
{
	int listener = open_socket(SOCK_STREAM), client = open_socket(SOCK_STREAM), server, queued = 0;
	struct sockaddr_in to = address_of(listener);
	double begin = now(CLOCK_REALTIME);
	uint32_t memory[SK_MEMINFO_VARS] = { 0 };

	if (listen(listener, 1) || connect(client, (struct sockaddr *)&to, sizeof(to)))
		die("connect");
	hold();
	server = accept(listener, NULL, NULL);
	if (server < 0)
		die("accept");
	printf("address 127.0.0.1:%u-127.0.0.1:%u\n", ntohs(address_of(server).sin_port),
	       ntohs(address_of(client).sin_port));
	for (size_t sent = 0; sent < bytes;) {
		ssize_t n = send(client, data, bytes - sent < sizeof(data) ? bytes - sent : sizeof(data), 0);

		if (n < 0)
			die("send");
		sent += (size_t)n;
	}
	while ((size_t)queued < bytes) { /* loopback delivers it soon */
		if (ioctl(server, FIONREAD, &queued))
			die("FIONREAD");
	}
	read_memory(server, memory);
	hold();
	say_memory(memory, (unsigned long)queued);
	while (queued > 0) {
		ssize_t n = recv(server, data, sizeof(data), 0);

		if (n <= 0)
			die("recv");
		queued -= (int)n;
	}
	printf("sending %.6f\nread %.6f\n", begin, now(CLOCK_REALTIME));
}

static void flood(double seconds)
{
	int sender, receiver = udp_pair(1 << 20, &sender);
	double begin = now(CLOCK_THREAD_CPUTIME_ID), end = begin + seconds, at = begin;
	unsigned long count = 0;

	while (at < end) {
		for (int i = 0; i < FLOOD_BURST; i++) {
			if (send(sender, data, 64, 0) != 64)
				die("send");
		}
		for (int i = 0; i < FLOOD_BURST; i++) {
			if (recv(receiver, data, sizeof(data), 0) != 64)
				die("recv");
		}
		count += FLOOD_BURST;
		at = now(CLOCK_THREAD_CPUTIME_ID);
	}
	printf("%.0f\n", (double)count / (at - begin));
}

static void enter_own_network(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd;

	if (unshare(CLONE_NEWNET))
		die("unshare");
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &lo))
		die("lo");
	close(fd);
}

int main(int argc, char **argv)
{
	for (int option; (option = getopt(argc, argv, "h:n")) != -1;) {
		if (option == 'h')
			hold_ms = atol(optarg);
		else if (option == 'n')
			enter_own_network();
		else
			return 2;
	}
	argv += optind - 1;
	argc -= optind - 1;
	if (argc == 5 && !strcmp(argv[1], "udp"))
		udp(atol(argv[2]), (size_t)atol(argv[3]), atoi(argv[4]));
	else if (argc == 3 && !strcmp(argv[1], "tcp"))
		tcp((size_t)atol(argv[2]));
	else if (argc == 3 && !strcmp(argv[1], "flood"))
		flood(atof(argv[2]));
	else
		return 2;
	fflush(stdout);
	if (strcmp(argv[1], "flood") != 0)
		sleep(1);
	return 0;
}
