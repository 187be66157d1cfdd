/* shop: a small service with a stall, for make demo.  Four workers answer requests over local
 * sockets and look prices up in a catalogue.  Every two seconds index-rebuilder rebuilds its
 * index, and holds the lock of the catalogue for 150 ms: the workers stall.
 *
 *     worker-1..4      answer requests: read, look up, write
 *     index-rebuilder  the culprit: rebuild_index()
 *     invoice-printer  has nothing to do with it: some work, then a rest
 *     shop-clients     a process of its own: four threads that ask
 *
 * Usage: shop [SECONDS] */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 4, ITEMS = 20000, REBUILD_EVERY_MS = 2000, REBUILD_MS = 150 };

/* The caller stays in the chain of frame pointers. */
#define KEEP_FRAME __attribute__((noinline, optimize("no-optimize-sibling-calls")))

static pthread_mutex_t catalogue_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t index_of[ITEMS], price[ITEMS];
static int connections[WORKERS];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void rest(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

/* ---- the catalogue ------------------------------------------------------------------ */

KEEP_FRAME static void index_items(uint32_t seed)
{
	for (uint32_t i = 0; i < ITEMS; i++)
		index_of[i] = (i * 2654435761u + seed) % ITEMS;
}

KEEP_FRAME static void rebuild_index(void)
{
	double end;

	pthread_mutex_lock(&catalogue_lock);
	end = now() + REBUILD_MS / 1e3;
	for (uint32_t seed = 0; now() < end; seed++)
		index_items(seed);
	pthread_mutex_unlock(&catalogue_lock);
}

static void *index_rebuilder(void *unused)
{
	pthread_setname_np(pthread_self(), "index-rebuilder");
	for (;;) {
		rest(REBUILD_EVERY_MS);
		rebuild_index();
	}
	return unused;
}

KEEP_FRAME static uint32_t look_up_price(uint32_t item)
{
	uint32_t found;

	pthread_mutex_lock(&catalogue_lock);
	found = price[index_of[item % ITEMS]];
	pthread_mutex_unlock(&catalogue_lock);
	return found;
}

/* ---- requests ----------------------------------------------------------------------- */

KEEP_FRAME static uint32_t add_taxes(uint32_t sum)
{
	for (int i = 0; i < 60000; i++)
		sum = sum * 1664525u + 1013904223u;
	return sum;
}

KEEP_FRAME static uint32_t answer(uint32_t item)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < 8; i++)
		sum += look_up_price(item + i);
	return add_taxes(sum);
}

static void *worker(void *number)
{
	int n = *(int *)number, connection = connections[n];
	uint32_t request, reply;
	char name[16];

	snprintf(name, sizeof(name), "worker-%hhd", (signed char)(n + 1));
	pthread_setname_np(pthread_self(), name);
	while (read(connection, &request, sizeof(request)) == sizeof(request)) {
		reply = answer(request);
		if (write(connection, &reply, sizeof(reply)) != sizeof(reply))
			break;
	}
	return NULL;
}

KEEP_FRAME static void print_invoices(void)
{
	volatile uint32_t lines = 0;

	while (lines < 3000000)
		lines++;
}

static void *invoice_printer(void *unused)
{
	pthread_setname_np(pthread_self(), "invoice-printer");
	for (;;) {
		print_invoices();
		rest(40);
	}
	return unused;
}

/* ---- those who ask ------------------------------------------------------------------ */

static void *client(void *number)
{
	int connection = connections[*(int *)number];
	uint32_t request = 0, reply;

	do {
		rest(4);
		request += 7;
		if (write(connection, &request, sizeof(request)) != sizeof(request))
			break;
	} while (read(connection, &reply, sizeof(reply)) == sizeof(reply));
	return NULL;
}

static void serve(void *(*role)(void *))
{
	static int numbers[WORKERS];
	pthread_t thread;

	for (int i = 0; i < WORKERS; i++) {
		numbers[i] = i;
		if (pthread_create(&thread, NULL, role, &numbers[i]))
			exit(1);
	}
}

_Noreturn static void ask(pid_t shop)
{
	prctl(PR_SET_NAME, "shop-clients");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != shop)
		_exit(0);
	serve(client);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 10);
	int ends[WORKERS][2];
	pid_t shop = getpid(), clients;
	pthread_t thread;

	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < WORKERS; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]))
			return 1;
		connections[i] = ends[i][1];
	}
	clients = fork();
	if (!clients)
		ask(shop);
	for (int i = 0; i < WORKERS; i++)
		connections[i] = ends[i][0];
	index_items(0);
	if (clients < 0 || pthread_create(&thread, NULL, index_rebuilder, NULL) ||
	    pthread_create(&thread, NULL, invoice_printer, NULL))
		return 1;
	serve(worker);
	while (now() < end)
		rest(20);
	kill(clients, SIGKILL);
	waitpid(clients, NULL, 0);
	return 0;
}
