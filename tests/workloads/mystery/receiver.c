/* The stall of the original case: a thread receives datagrams.  Once, it calls a function that its library has not
 * bound yet, after the tables of the file that is searched were dropped from memory.  Another thread writes a journal.
 *
 *     receiver JOURNAL LATE
 *
 * LATE: the name of the file whose tables are dropped.  The last line is "stalled FROM TO", CLOCK_REALTIME in ns, around
 * the call. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WARM = 200, CHUNK = 256 << 10 };

int lbm_poll(int idle);

static const char *journal, *late;
static int receiving;
static struct sockaddr_in address = { .sin_family = AF_INET };
static atomic_int received, dropped, done;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

__attribute__((noinline)) static void receive(void)
{
	uint64_t from, to;
	int n;

	while (recv(receiving, &n, sizeof(n), 0) == sizeof(n)) {
		if (dropped)
			break;
		lbm_poll(0);
		received++;
	}
	from = now();
	lbm_poll(1);
	to = now();
	printf("stalled %llu %llu\n", (unsigned long long)from, (unsigned long long)to);
}

static void *receiver(void *nothing)
{
	pthread_setname_np(pthread_self(), "receiver");
	receive();
	done = 1;
	return nothing;
}

__attribute__((noinline)) static void write_journal(int fd)
{
	static char chunk[CHUNK];

	if (pwrite(fd, chunk, sizeof(chunk), 0) < 0 || fsync(fd))
		die(journal);
}

static void *journaller(void *nothing)
{
	int fd = open(journal, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	pthread_setname_np(pthread_self(), "journaller");
	if (fd < 0)
		die(journal);
	while (!done)
		write_journal(fd);
	return nothing;
}

static void *sender(void *nothing)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct timespec pause = { 0, 1000000 };

	pthread_setname_np(pthread_self(), "sender");
	for (int n = 0; !done; n++) {
		sendto(fd, &n, sizeof(n), 0, (struct sockaddr *)&address, sizeof(address));
		nanosleep(&pause, NULL);
	}
	return nothing;
}

/* Drop the tables, which are only read.  The kernel would do this when memory is short. */
static int drop(struct dl_phdr_info *file, size_t size, void *count)
{
	(void)size;
	if (!strstr(file->dlpi_name, late))
		return 0;
	for (int i = 0; i < file->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &file->dlpi_phdr[i];
		uintptr_t from = (file->dlpi_addr + part->p_vaddr) & ~(uintptr_t)4095;
		size_t len = (part->p_memsz + 4095) & ~(size_t)4095;

		if (part->p_type == PT_LOAD && part->p_flags == PF_R && !madvise((void *)from, len, MADV_PAGEOUT))
			++*(int *)count;
	}
	return 1;
}

int main(int argc, char **argv)
{
	socklen_t len = sizeof(address);
	pthread_t threads[3];
	int count = 0;

	if (argc != 3)
		return 2;
	journal = argv[1];
	late = argv[2];
	receiving = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (receiving < 0 || bind(receiving, (struct sockaddr *)&address, len) ||
	    getsockname(receiving, (struct sockaddr *)&address, &len))
		die("socket");
	if (pthread_create(&threads[0], NULL, receiver, NULL) || pthread_create(&threads[1], NULL, journaller, NULL) ||
	    pthread_create(&threads[2], NULL, sender, NULL))
		die("pthread_create");
	while (received < WARM)
		sched_yield();
	dl_iterate_phdr(drop, &count);
	printf("dropped %d\n", count);
	dropped = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
