/* planted_faults NAME SECONDS [FILE]: a service with one planted fault, as faults has; of what faults does not have:
 *
 *     fsync       ledger-writer holds the ledger's lock while FILE goes to the disk         commit_ledger
 *     pool        request-1..4 share one connection to a database that takes 95 ms          run_query
 *     datagram    quote-client, whose datagrams get lost, holds a lock while it waits       ask_quote
 *     mmap_lock   remapper maps and unmaps memory all the time: nobody else can             remap_arena
 *     quota       request-1 and request-2 could do more than their control group may        price_order
 *     forks       spawner begins processes as fast as they end, and these have the CPUs     spawn_helper
 *     herd        announcer tells of an event: worker-1..8 wake, and one of them gets it    announce, take_event
 *     reclaim     hoarder takes the memory of a control group: request-1 and request-2 read FILE from the disk,
 *                 again and again                                                           hoard_pages
 *     priority    feed-poller, of real-time priority, keeps request-1 and request-2 from their CPU    poll_feed
 *     pipe        producer has to wait for slow-reader, as the pipe between them is full    compress_block
 *     atomic      counter-1 and counter-2 count in one cache line                           count_hit
 *     barrier     shard-1 and shard-2 wait for shard-3, which has more to do                merge_shard
 *     rwlock      report-1 and report-2 read in turns, and price-writer has to wait         scan_table
 *     nice        reindexer, of niceness 19, waits for the CPU that pricer has: as it asked to     price_order
 *     parent      ledger, a process, waits for one that closes it, and computes               price_order
 *     crowd       request-1..6 compute, which are more than there are CPUs                  price_order
 *
 * Prints "ready" when all of its threads have begun.  Others of these faults are in planted_faults.py, .js, .go, and in
 * tests/jvm/Planted.java. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 10, MS = 1000000, MB = 1 << 20 };

/* Each stack has a function of its own at this place. */
#define FRAME __attribute__((noinline, optimize("no-optimize-sibling-calls")))

static const char *path;
static volatile uint64_t sink;

static void sleep_us(unsigned us)
{
	nanosleep(&(struct timespec){ 0, (long)us * 1000 }, NULL);
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* So much of the thread's own time. */
#define WORK(ms)                                                                 \
	for (uint64_t until = cpu_ns() + (uint64_t)(ms)*MS; cpu_ns() < until;) { \
		for (int i = 0; i < 5000; i++)                                   \
			sink += (uint64_t)i;                                     \
	}

static void *fail(const char *what)
{
	perror(what);
	exit(1);
}

static void use_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
}

/* ---- what several have ---------------------------------------------------------------- */

static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;

FRAME static void price_order(unsigned ms)
{
	WORK(ms);
}

FRAME static void with_the_book(void (*work)(unsigned), unsigned amount)
{
	pthread_mutex_lock(&book);
	work(amount);
	pthread_mutex_unlock(&book);
}

/* Well-behaved ones. */
static void *take_orders(void *unused)
{
	for (;;) {
		with_the_book(price_order, 1);
		sleep_us(20000);
	}
	return unused;
}

/* ---- fsync ------------------------------------------------------------------------------ */

static int ledger;

FRAME static void commit_ledger(unsigned kb)
{
	static char entry[64 * 1024];

	for (unsigned i = 0; i < kb / 64; i++) {
		if (write(ledger, entry, sizeof(entry)) < 0)
			fail(path);
	}
	if (fsync(ledger) || lseek(ledger, 0, SEEK_SET))
		fail(path);
}

static void *write_ledger(void *unused)
{
	ledger = open(path, O_WRONLY | O_CREAT, 0600);
	if (ledger < 0)
		fail(path);
	for (;;) {
		with_the_book(commit_ledger, 8192);
		sleep_us(2000);
	}
	return unused;
}

/* ---- pool ------------------------------------------------------------------------------- */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t is_free;
	bool taken;
	int connection[2];
} pool = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, { -1, -1 } };

static void answer_queries(void)
{
	char query;

	while (read(pool.connection[1], &query, 1) == 1) {
		sleep_us(95000);
		if (write(pool.connection[1], &query, 1) != 1)
			break;
	}
}

FRAME static void take_connection(void)
{
	pthread_mutex_lock(&pool.lock);
	while (pool.taken)
		pthread_cond_wait(&pool.is_free, &pool.lock);
	pool.taken = true;
	pthread_mutex_unlock(&pool.lock);
}

FRAME static void return_connection(void)
{
	pthread_mutex_lock(&pool.lock);
	pool.taken = false;
	pthread_cond_signal(&pool.is_free);
	pthread_mutex_unlock(&pool.lock);
}

FRAME static void run_query(void)
{
	char query = 'q';

	if (write(pool.connection[0], &query, 1) != 1 || read(pool.connection[0], &query, 1) != 1)
		fail("connection");
}

FRAME static void store_order(void)
{
	take_connection();
	run_query();
	return_connection();
}

static void *store_orders(void *unused)
{
	for (;;) {
		price_order(1);
		store_order();
	}
	return unused;
}

static void open_connection(void)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pool.connection))
		fail("socketpair");
}

/* ---- datagram --------------------------------------------------------------------------- */

static struct sockaddr_in quotes;
static int quote_server;

static void open_quote_server(void)
{
	socklen_t len = sizeof(quotes);

	quotes.sin_family = AF_INET;
	quotes.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	quote_server = socket(AF_INET, SOCK_DGRAM, 0);
	if (quote_server < 0 || bind(quote_server, (struct sockaddr *)&quotes, sizeof(quotes)) ||
	    getsockname(quote_server, (struct sockaddr *)&quotes, &len))
		fail("quotes");
}

/* One of three gets an answer. */
static void *answer_quotes(void *unused)
{
	char quote;

	for (unsigned n = 1;; n++) {
		struct sockaddr_in from;
		socklen_t len = sizeof(from);

		if (recvfrom(quote_server, &quote, 1, 0, (struct sockaddr *)&from, &len) == 1 && n % 3 == 0 &&
		    sendto(quote_server, &quote, 1, 0, (struct sockaddr *)&from, len) < 0)
			fail("answer");
	}
	return unused;
}

FRAME static void ask_quote(unsigned timeout_ms)
{
	struct timeval timeout = { 0, timeout_ms * 1000 };
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	char quote = 'q';

	if (s < 0 || connect(s, (struct sockaddr *)&quotes, sizeof(quotes)) ||
	    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)))
		fail("quote");
	do {
		if (send(s, &quote, 1, 0) < 0)
			fail("send");
	} while (recv(s, &quote, 1, 0) < 0 && errno == EAGAIN);
	close(s);
}

static void *ask_quotes(void *unused)
{
	for (;;) {
		with_the_book(ask_quote, 100);
		sleep_us(30000);
	}
	return unused;
}

/* ---- mmap_lock -------------------------------------------------------------------------- */

FRAME static void remap_arena(void)
{
	const size_t bytes = 256 * (size_t)MB;
	char *arena = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (arena == MAP_FAILED || munmap(arena, bytes))
		fail("arena");
}

static void *remap_arenas(void *unused)
{
	for (;;)
		remap_arena();
	return unused;
}

FRAME static void grow_buffer(void)
{
	char *buffer = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (buffer == MAP_FAILED)
		fail("buffer");
	buffer[0] = 1;
	munmap(buffer, 65536);
}

static void *fill_buffers(void *unused)
{
	for (;;) {
		grow_buffer();
		price_order(1);
		sleep_us(1000);
	}
	return unused;
}

/* ---- quota ------------------------------------------------------------------------------ */

static void *price_at_length(void *unused)
{
	for (;;) {
		price_order(20);
		sleep_us(20000);
	}
	return unused;
}

/* ---- forks ------------------------------------------------------------------------------ */

FRAME static void spawn_helper(void)
{
	char *words[] = { "sh", "-c", "i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done", NULL };
	char *environment[] = { NULL };
	pid_t child;

	if (posix_spawn(&child, "/bin/sh", NULL, NULL, words, environment))
		fail("/bin/sh");
}

static void *spawn_helpers(void *unused)
{
	for (int children = 0;;) {
		for (; children < 6; children++)
			spawn_helper();
		if (waitpid(-1, NULL, 0) > 0)
			children--;
	}
	return unused;
}

static void *price_often(void *unused)
{
	for (;;) {
		price_order(5);
		sleep_us(5000);
	}
	return unused;
}

/* ---- herd ------------------------------------------------------------------------------- */

static int event;

static void open_event(void)
{
	event = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE);
	if (event < 0)
		fail("eventfd");
}

FRAME static void announce(void)
{
	uint64_t one = 1;

	if (write(event, &one, sizeof(one)) < 0 && errno != EAGAIN)
		fail("event");
}

static void *announce_all(void *unused)
{
	for (;;) {
		announce();
		sleep_us(400);
	}
	return unused;
}

FRAME static void take_event(int loop)
{
	struct epoll_event ready;
	uint64_t got;

	if (epoll_wait(loop, &ready, 1, -1) == 1 && read(event, &got, sizeof(got)) < 0 && errno != EAGAIN)
		fail("event");
}

static void *take_events(void *unused)
{
	struct epoll_event all = { .events = EPOLLIN };
	int loop = epoll_create1(EPOLL_CLOEXEC);

	if (loop < 0 || epoll_ctl(loop, EPOLL_CTL_ADD, event, &all))
		fail("epoll");
	for (;;)
		take_event(loop);
	return unused;
}

/* ---- reclaim ---------------------------------------------------------------------------- */

enum { FILE_MB = 48, HOARD_MB = 44 };

static void make_file(void)
{
	static char block[MB];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	for (unsigned i = 0; i < FILE_MB; i++) {
		if (fd < 0 || write(fd, block, sizeof(block)) < 0)
			fail(path);
	}
	fsync(fd);
	close(fd);
}

FRAME static void hoard_pages(void)
{
	const size_t bytes = HOARD_MB * (size_t)MB;
	char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		fail("pages");
	for (size_t at = 0; at < bytes; at += 4096)
		pages[at] = 1;
	sleep_us(100000);
	munmap(pages, bytes);
}

static void *hoard(void *unused)
{
	for (;;)
		hoard_pages();
	return unused;
}

FRAME static void read_catalogue(int fd)
{
	char block[16 * 1024];

	for (off_t at = 0; pread(fd, block, sizeof(block), at) > 0; at += sizeof(block))
		sink += (uint64_t)block[0];
}

static void *read_catalogues(void *unused)
{
	int fd = open(path, O_RDONLY);

	for (;;) {
		read_catalogue(fd);
		price_order(1);
	}
	return unused;
}

/* ---- priority --------------------------------------------------------------------------- */

FRAME static void poll_feed(void)
{
	WORK(60);
}

static void *poll_feeds(void *unused)
{
	use_cpu(0);
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ 10 }) &&
	    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), -20))
		fail("setpriority");
	for (;;) {
		poll_feed();
		sleep_us(3000);
	}
	return unused;
}

static void *price_on_cpu_0(void *unused)
{
	use_cpu(0);
	return price_often(unused);
}

/* ---- nice ------------------------------------------------------------------------------- */

static void price_all(void)
{
	use_cpu(0);
	for (;;)
		price_order(20);
}

static void *reindex(void *unused)
{
	use_cpu(0);
	if (setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19))
		fail("setpriority");
	for (;;)
		WORK(20);
	return unused;
}

/* ---- parent ----------------------------------------------------------------------------- */

FRAME static void close_ledgers(void)
{
	for (;;) {
		pid_t child = fork();

		if (!child) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			prctl(PR_SET_NAME, "ledger-close");
			price_order(500); /* in 1.2 s too few processes for a build */
			_exit(0);
		}
		if (child < 0 || waitpid(child, NULL, 0) < 0)
			fail("ledger-close");
	}
}

/* ---- crowd ------------------------------------------------------------------------------ */

/* On each CPU in turn; otherwise they would stay together on one where others are busy. */
static void *price_all_the_time(void *unused)
{
	for (unsigned i = 0;; i++) {
		use_cpu((int)(i % (unsigned)sysconf(_SC_NPROCESSORS_ONLN)));
		price_order(5);
	}
	return unused;
}

/* ---- pipe ------------------------------------------------------------------------------- */

static int pipe_ends[2];
static char blocks[2][65536];

static void open_pipe(void)
{
	if (pipe(pipe_ends))
		fail("pipe");
}

FRAME static void produce_block(void)
{
	if (write(pipe_ends[1], blocks[0], sizeof(blocks[0])) < 0)
		fail("pipe");
}

static void *produce(void *unused)
{
	for (;;)
		produce_block();
	return unused;
}

FRAME static void compress_block(void)
{
	WORK(8);
}

static void *read_slowly(void *unused)
{
	for (;;) {
		if (read(pipe_ends[0], blocks[1], sizeof(blocks[1])) < 0)
			fail("pipe");
		compress_block();
	}
	return unused;
}

/* ---- atomic ----------------------------------------------------------------------------- */

static atomic_ulong hits;

FRAME static void count_hit(void)
{
	for (int i = 0; i < 100000; i++)
		atomic_fetch_add(&hits, 1);
}

static void *count_hits(void *unused)
{
	for (;;)
		count_hit();
	return unused;
}

/* ---- barrier ---------------------------------------------------------------------------- */

static pthread_barrier_t all_shards;

static void make_barrier(void)
{
	pthread_barrier_init(&all_shards, NULL, 3);
}

FRAME static void merge_shard(unsigned ms)
{
	WORK(ms);
}

FRAME static void meet_others(void)
{
	pthread_barrier_wait(&all_shards);
}

static void *merge_small(void *unused)
{
	for (;;) {
		merge_shard(4);
		meet_others();
	}
	return unused;
}

static void *merge_large(void *unused)
{
	for (;;) {
		merge_shard(50);
		meet_others();
	}
	return unused;
}

/* ---- rwlock ----------------------------------------------------------------------------- */

static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER; /* which prefers readers */

FRAME static void scan_table(unsigned ms)
{
	pthread_rwlock_rdlock(&table);
	WORK(ms);
	pthread_rwlock_unlock(&table);
}

static void *scan_all(void *unused)
{
	for (;;) {
		scan_table(24);
		sleep_us(4000);
	}
	return unused;
}

/* Not in step with the other. */
static void *scan_some(void *unused)
{
	for (;;) {
		scan_table(15);
		sleep_us(4000);
	}
	return unused;
}

FRAME static void update_price(void)
{
	pthread_rwlock_wrlock(&table);
	price_order(1);
	pthread_rwlock_unlock(&table);
}

static void *update_prices(void *unused)
{
	for (;;) {
		update_price();
		sleep_us(5000);
	}
	return unused;
}

/* ---- faults ------------------------------------------------------------------------------ */

struct job {
	const char *name;
	void *(*run)(void *);
};

struct fault {
	const char *name;
	void (*prepare)(void);
	struct job jobs[THREADS_MAX];
	const char
		*process; /* the name of a further process that calls run_process(); NULL: our first thread calls it */
	void (*run_process)(void);
};

#define REQUESTS(run)                               \
	{ "request-1", run }, { "request-2", run }, \
	{                                           \
		"request-3", run                    \
	}

static const struct fault faults[] = {
	{ "fsync", NULL, { { "ledger-writer", write_ledger }, REQUESTS(take_orders) }, NULL, NULL },
	{ "pool",
	  open_connection,
	  { REQUESTS(store_orders), { "request-4", store_orders } },
	  "orders-db",
	  answer_queries },
	{ "datagram",
	  open_quote_server,
	  { { "quote-client", ask_quotes }, { "quote-server", answer_quotes }, REQUESTS(take_orders) },
	  NULL,
	  NULL },
	{ "mmap_lock", NULL, { { "remapper", remap_arenas }, REQUESTS(fill_buffers) }, NULL, NULL },
	{ "quota", NULL, { { "request-1", price_at_length }, { "request-2", price_at_length } }, NULL, NULL },
	{ "forks",
	  NULL,
	  { { "spawner", spawn_helpers }, { "request-1", price_often }, { "request-2", price_often } },
	  NULL,
	  NULL },
	{ "herd",
	  open_event,
	  { { "announcer", announce_all },
	    { "worker-1", take_events },
	    { "worker-2", take_events },
	    { "worker-3", take_events },
	    { "worker-4", take_events },
	    { "worker-5", take_events },
	    { "worker-6", take_events },
	    { "worker-7", take_events },
	    { "worker-8", take_events } },
	  NULL,
	  NULL },
	{ "reclaim",
	  make_file,
	  { { "hoarder", hoard }, { "request-1", read_catalogues }, { "request-2", read_catalogues } },
	  NULL,
	  NULL },
	{ "priority",
	  NULL,
	  { { "feed-poller", poll_feeds }, { "request-1", price_on_cpu_0 }, { "request-2", price_on_cpu_0 } },
	  NULL,
	  NULL },
	{ "nice", NULL, { { "reindexer", reindex } }, "pricer", price_all },
	{ "parent", NULL, { { NULL, NULL } }, NULL, close_ledgers },
	{ "crowd",
	  NULL,
	  { REQUESTS(price_all_the_time),
	    { "request-4", price_all_the_time },
	    { "request-5", price_all_the_time },
	    { "request-6", price_all_the_time } },
	  NULL,
	  NULL },
	{ "pipe", open_pipe, { { "producer", produce }, { "slow-reader", read_slowly } }, NULL, NULL },
	{ "atomic", NULL, { { "counter-1", count_hits }, { "counter-2", count_hits } }, NULL, NULL },
	{ "barrier",
	  make_barrier,
	  { { "shard-1", merge_small }, { "shard-2", merge_small }, { "shard-3", merge_large } },
	  NULL,
	  NULL },
	{ "rwlock",
	  NULL,
	  { { "report-1", scan_all }, { "report-2", scan_some }, { "price-writer", update_prices } },
	  NULL,
	  NULL },
};

static sem_t begun;

static void *begin(void *argument)
{
	const struct job *job = argument;

	pthread_setname_np(pthread_self(), job->name);
	sem_post(&begun);
	return job->run(NULL);
}

static void run(const struct fault *f, double seconds)
{
	pthread_t thread;

	if (f->prepare)
		f->prepare();
	if (f->process && !fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, f->process);
		f->run_process();
		_exit(0);
	}
	for (int i = 0; i < THREADS_MAX && f->jobs[i].name; i++) {
		pthread_create(&thread, NULL, begin, (void *)&f->jobs[i]);
		sem_wait(&begun);
	}
	puts("ready");
	fflush(stdout);
	if (f->run_process && !f->process)
		f->run_process();
	usleep((useconds_t)(seconds * 1e6));
	_exit(0);
}

int main(int argc, char **argv)
{
	path = argc > 3 ? argv[3] : "/dev/null";
	sem_init(&begun, 0, 0);
	for (size_t i = 0; argc > 2 && i < sizeof(faults) / sizeof(*faults); i++) {
		if (!strcmp(faults[i].name, argv[1]))
			run(&faults[i], atof(argv[2]));
	}
	fprintf(stderr, "usage: planted_faults NAME SECONDS [FILE]\n");
	return 2;
}
