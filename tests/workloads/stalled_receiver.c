/* A thread receives datagrams of another one, up to 1000 a second, 1500 in all, but once it sleeps for the given number
 * of ms, so that its receive queue fills.
 *
 *     stalled_receiver 300
 *
 * It prints where its socket is, when the stall began and ended (CLOCK_REALTIME), and how many datagrams had come then, with
 * the memory that they took:
 *
 *     address 127.0.0.1:40123
 *     stalled 1795342502.500123 1795342502.800145
 *     queued 271 208128 */
#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif

enum { COUNT = 1500, STALL_AT = 500 };

static atomic_int sent;
static struct sockaddr_in address = { .sin_family = AF_INET };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *send_all(void *unused)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	for (int i = 0; i < COUNT; i++) {
		if (sendto(fd, "datagram", 8, 0, (struct sockaddr *)&address, sizeof(address)) < 0)
			perror("sendto");
		sent++;
		usleep(1000);
	}
	sendto(fd, "", 0, 0, (struct sockaddr *)&address, sizeof(address)); /* the end */
	return unused;
}

static uint32_t queued_bytes(int fd)
{
	uint32_t memory[SK_MEMINFO_VARS] = { 0 };
	socklen_t len = sizeof(memory);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &len))
		perror("SO_MEMINFO");
	return memory[SK_MEMINFO_RMEM_ALLOC];
}

int main(int argc, char **argv)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), bytes = 1 << 20, count = 0;
	socklen_t len = sizeof(address);
	pthread_t sender;
	char data[64];

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	if (argc < 2 || fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) < 0 || pthread_create(&sender, NULL, send_all, NULL))
		return 1;
	printf("address 127.0.0.1:%u\n", ntohs(address.sin_port));
	while (recv(fd, data, sizeof(data), 0) > 0) {
		if (++count != STALL_AT)
			continue;
		printf("stalled %.6f ", now());
		usleep((useconds_t)atoi(argv[1]) * 1000);
		printf("%.6f\nqueued %d %u\n", now(), sent - count, queued_bytes(fd));
	}
	pthread_join(sender, NULL);
	return 0;
}
