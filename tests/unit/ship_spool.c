/* A spool after a power cut: parcels count only once they are on the disk; damaged ones are set aside and counted, and
 * do not block others. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/wallclock.h"
#include "ship/batch.h"
#include "ship/spool.h"
#include "tests/unit/check.h"

enum { SERVER_MAX = 4096 };

static char dir[64], spool_path[80], glob_text[512];
static struct {
	unsigned inserts;
	char bad[256];         /* parcels that the store refuses ('r'), or cannot take now ('s') */
	char body[SERVER_MAX]; /* of the last insert of samples */
} * seen;

/* ---- what is synced, and when: 'f' a file, 'd' a directory, 'r' a new name ---- */

static char calls[64];
static char fails = 'n'; /* which of them does */
static bool no_disk;     /* the syncs do not matter here, but take time */

static int note(char call)
{
	size_t len = strlen(calls);

	if (len + 1 < sizeof(calls))
		calls[len] = call;
	errno = EIO;
	return call == fails ? -1 : 0;
}

int fsync(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || note(S_ISDIR(st.st_mode) ? 'd' : 'f') < 0)
		return -1;
	return no_disk ? 0 : (int)syscall(SYS_fsync, fd);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	return note('r') < 0 ? -1 : (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

/* ---- parcels ---- */

static struct parcel make_parcel(int number)
{
	struct parcel p = {
		.rows = 10, .ns_sum = 55, .first_ns = 1795342502 * NS_PER_SEC, .last_ns = 1795342503 * NS_PER_SEC
	};

	memset(p.id, number, sizeof(p.id));
	str_puts(&p.event, "cpu-clock");
	str_puts(&p.host, "db1");
	str_puts(&p.stacks, "stacks");
	str_puts(&p.announcement, "announcement");
	str_addf(&p.samples, "samples of %d", number);
	return p;
}

static int add(struct spool *s, int number)
{
	struct parcel p = make_parcel(number);
	int status = spool_add(s, &p);

	parcel_free(&p);
	return status;
}

/* The path of the only file of a parcel with this ending; "": there is no such file. */
static const char *path_of(int number, const char *ending)
{
	char command[512];
	FILE *out;
	size_t len;

	snprintf(command, sizeof(command), "ls %s | grep -e '-%02x%02x.*%s$'", spool_path, number, number, ending);
	out = popen(command, "r");
	len = (size_t)snprintf(glob_text, sizeof(glob_text), "%s/", spool_path);
	if (!out || !fgets(glob_text + len, (int)(sizeof(glob_text) - len), out))
		glob_text[0] = '\0';
	glob_text[strcspn(glob_text, "\n")] = '\0';
	if (out)
		pclose(out);
	return glob_text;
}

static bool is_there(int number, const char *ending)
{
	return path_of(number, ending)[0];
}

static void change_length(int number, off_t by)
{
	const char *path = path_of(number, ".parcel");
	struct stat st;

	if (stat(path, &st) || truncate(path, by ? st.st_size + by : 0))
		die("%s cannot be cut", path);
}

static void flip_bit(int number)
{
	int fd = open(path_of(number, ".parcel"), O_RDWR);
	char byte = 0;

	if (pread(fd, &byte, 1, 130) != 1)
		die("cannot be read");
	byte ^= 4;
	if (pwrite(fd, &byte, 1, 130) != 1)
		die("cannot be changed");
	close(fd);
}

static bool again; /* what was refused is tried again */

static struct spool begin(uint64_t limit)
{
	struct spool s;

	if (spool_begin(&s, spool_path, limit, again) < 0)
		die("no spool");
	return s;
}

/* ---- a store, as far as a spool needs it ---- */

#define REFUSED "HTTP/1.1 500 No\r\nContent-Length: 22\r\n\r\nCode: 27, e.what() = x"
#define STUCK "HTTP/1.1 500 No\r\nContent-Length: 23\r\n\r\nCode: 241, e.what() = x"

/* Returns false when the client has hung up. */
static bool serve_request(FILE *in, FILE *out)
{
	char line[2048] = "", body[SERVER_MAX] = "";
	size_t len = 0;
	bool is_insert = false;

	while (fgets(line, sizeof(line), in) && strcmp(line, "\r\n") != 0) {
		is_insert |= strstr(line, "INTO%20samples") != NULL;
		if (!strncasecmp(line, "Content-Length:", 15))
			len = (size_t)atoi(line + 15);
	}
	if (feof(in) || len >= sizeof(body) || fread(body, 1, len, in) != len)
		return false;
	if (is_insert) {
		seen->inserts++;
		memcpy(seen->body, body, sizeof(body));
	}
	if (is_insert && seen->bad[atoi(body + strlen("samples of ")) & 255])
		fputs(seen->bad[atoi(body + strlen("samples of ")) & 255] == 'r' ? REFUSED : STUCK, out);
	else
		fputs("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n0\t0\n", out);
	return !fflush(out);
}

/* Returns the port. */
static int start_server(pid_t *pid)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0), client;

	if (bind(fd, (struct sockaddr *)&address, len) || listen(fd, 8) ||
	    getsockname(fd, (struct sockaddr *)&address, &len))
		die("no server: %s", strerror(errno));
	*pid = fork();
	if (*pid) {
		close(fd);
		return ntohs(address.sin_port);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	while ((client = accept(fd, NULL, NULL)) >= 0) {
		if (fork()) { /* inserts use their own connection */
			close(client);
			continue;
		}
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		FILE *in = fdopen(client, "r"), *out = fdopen(dup(client), "w");

		while (serve_request(in, out))
			;
		_exit(0);
	}
	_exit(0);
}

/* ---- tests ---- */

static void test_order(void)
{
	struct spool s = begin(UINT64_MAX);

	CHECK_TEXT(calls, "d"); /* the name of the spool itself */
	memset(calls, 0, sizeof(calls));
	CHECK(add(&s, 0x10) == 0);
	CHECK_TEXT(calls, "frd");
	for (const char *call = "frd"; *call; call++) {
		fails = *call;
		CHECK(add(&s, 0x11) < 0);
		if (*call != 'd')
			CHECK(!is_there(0x11, ".parcel"));
	}
	fails = 'n';
	unlink(path_of(0x11, ".parcel"));
	unlink(path_of(0x10, ".parcel"));
	spool_close(&s);
}

static void test_damage(struct store *store)
{
	struct spool s = begin(UINT64_MAX);
	struct spool_amount amount;
	uint64_t batches, samples;

	for (int i = 0x21; i <= 0x27; i++)
		CHECK(add(&s, i) == 0);
	spool_close(&s);
	change_length(0x21, 0);
	change_length(0x22, -1);
	change_length(0x23, 1);
	change_length(0x24, -100);
	flip_bit(0x25);
	/* 0x26 and 0x27 are whole. */
	s = begin(UINT64_MAX);
	CHECK(s.damaged == 4);
	for (int i = 0x21; i <= 0x24; i++)
		CHECK(!is_there(i, ".parcel") && is_there(i, ".damaged"));
	spool_amount(&s, &amount);
	CHECK(amount.parcels == 3 && amount.damaged == 4);
	CHECK(add(&s, 0x27) == 0);
	spool_amount(&s, &amount);
	CHECK(amount.parcels == 3);
	CHECK(spool_deliver(&s, store, &batches, &samples) == STORE_DONE);
	CHECK(batches == 2 && samples == 20 && s.damaged == 5 && seen->inserts == 2);
	CHECK_TEXT(seen->body, "samples of 39");
	CHECK(is_there(0x25, ".damaged"));
	spool_amount(&s, &amount);
	CHECK(!amount.parcels && amount.damaged == 5);
	spool_close(&s);
	s = begin(UINT64_MAX);
	CHECK(s.damaged == 0);
	spool_close(&s);
}

/* When a batch is shipped again, a leftover of it does not count as the batch. */
static void test_again(struct store *store)
{
	struct spool s = begin(UINT64_MAX);
	uint64_t batches, samples;

	CHECK(add(&s, 0x31) == 0);
	flip_bit(0x31);
	CHECK(add(&s, 0x31) == 0);
	CHECK(s.damaged == 1 && is_there(0x31, ".parcel") && is_there(0x31, ".damaged"));
	CHECK(spool_deliver(&s, store, &batches, &samples) == STORE_DONE && batches == 1);
	spool_close(&s);
}

/* The limit also applies to damaged parcels, which go first. */
static void test_limit(void)
{
	struct spool s = begin(UINT64_MAX);
	struct spool_amount amount;
	struct stat st = { 0 };

	CHECK(add(&s, 0x41) == 0);
	stat(path_of(0x41, ".parcel"), &st);
	s.limit = (uint64_t)st.st_size * 2;
	CHECK(add(&s, 0x42) == 0);
	spool_amount(&s, &amount);
	CHECK(amount.parcels == 2 && !amount.damaged && !s.dropped_batches);
	CHECK(add(&s, 0x43) == 0);
	CHECK(!is_there(0x41, ".parcel") && s.dropped_batches == 1);
	spool_close(&s);
}

/* The letters of parcels 1, 2, ...: 'r' and 's' as above, others are taken. */
static enum store_outcome deliver_these(struct store *store, const char *letters, uint64_t *batches,
					struct spool_amount *a, uint64_t *refused)
{
	struct spool s = begin(UINT64_MAX);
	enum store_outcome outcome;
	uint64_t samples;

	memset(seen->bad, 0, sizeof(seen->bad));
	for (int i = 0; letters[i]; i++) {
		seen->bad[i + 1] = strchr("rs", letters[i]) ? letters[i] : 0;
		add(&s, i + 1);
	}
	seen->inserts = 0;
	outcome = spool_deliver(&s, store, batches, &samples);
	spool_amount(&s, a);
	*refused = s.refused;
	spool_close(&s);
	return outcome;
}

/* Parcels that a store does not take do not keep others from it, wherever they stand, and however many they are. */
static void test_refusal(struct store *store)
{
	static const struct {
		const char *letters;
		enum store_outcome outcome;
		unsigned batches, refused, left, most_inserts;
	} rows[] = {
		{ "ab", STORE_DONE, 2, 0, 0, 2 },
		{ "ra", STORE_DONE, 1, 1, 0, 2 },
		{ "rra", STORE_DONE, 1, 2, 0, 3 },
		{ "rrab", STORE_DONE, 2, 2, 0, 4 },
		{ "rrrrrrrrrrarrrrrrrrrrrb", STORE_DONE, 2, 21, 0, 40 },
		{ "arrrrrrrrrrr", STORE_DONE, 1, 11, 0, 20 },
		{ "sa", STORE_DONE, 1, 0, 1, 4 },
		{ "sssrsasrb", STORE_DONE, 2, 2, 5, 30 },
		{ "r", STORE_REFUSED, 0, 0, 1, 1 },
		{ "rr", STORE_REFUSED, 0, 0, 2, 2 },
		{ "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr", STORE_REFUSED, 0, 0, 64, 9 },
		{ "ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss", STORE_AWAY, 0, 0, 64, 9 },
	};
	char command[160];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct spool_amount amount;
		uint64_t batches, refused;

		snprintf(command, sizeof(command), "rm -rf %s", spool_path);
		CHECK(!system(command));
		CHECK(deliver_these(store, rows[i].letters, &batches, &amount, &refused) == rows[i].outcome);
		CHECK(batches == rows[i].batches);
		CHECK(refused == rows[i].refused && amount.refused == refused && amount.parcels == rows[i].left);
		if (seen->inserts > rows[i].most_inserts)
			die("%s: %u inserts", rows[i].letters, seen->inserts);
	}
}

/* When the cause has been mended; the limit applies to refused parcels, too. */
static void test_retry(struct store *store)
{
	struct spool_amount amount;
	struct spool s;
	struct stat st = { 0 };
	uint64_t batches, samples, refused;

	deliver_these(store, "rra", &batches, &amount, &refused);
	again = true;
	s = begin(UINT64_MAX);
	again = false;
	seen->bad[1] = 0;
	CHECK(spool_deliver(&s, store, &batches, &samples) == STORE_DONE && batches == 1 && s.refused == 1);
	CHECK(add(&s, 5) == 0);
	stat(path_of(5, ".parcel"), &st);
	s.limit = (uint64_t)st.st_size;
	CHECK(add(&s, 6) == 0);
	spool_amount(&s, &amount);
	CHECK(amount.refused == 0 && amount.parcels == 1 && s.dropped_batches == 2);
	spool_close(&s);
	snprintf(glob_text, sizeof(glob_text), "rm -rf %s", spool_path);
	CHECK(!system(glob_text));
}

static void test_fifo(void)
{
	char path[160];
	struct spool s;

	snprintf(path, sizeof(path), "%s/0-5151.parcel", spool_path);
	mkdir(spool_path, 0700);
	CHECK(mkfifo(path, 0600) == 0);
	s = begin(UINT64_MAX);
	CHECK(s.damaged == 1 && is_there(0x51, ".damaged"));
	spool_close(&s);
}

int main(void)
{
	static const struct http_access access;
	struct store store = { 0 };
	char address[64], command[96];
	pid_t server;

	program_begin("spool");
	quiet = true;
	strcpy(dir, "/tmp/pyrograph-spool.XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	snprintf(spool_path, sizeof(spool_path), "%s/spool", dir);
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		return 1;
	snprintf(address, sizeof(address), "http://127.0.0.1:%d/perf", start_server(&server));
	store_parse(&store, address);
	CHECK(store_open(&store, &access) == 0);
	test_order();
	test_damage(&store);
	test_again(&store);
	test_limit();
	no_disk = true;
	test_refusal(&store);
	test_retry(&store);
	test_fifo();
	store_free(&store);
	kill(server, SIGTERM);
	waitpid(server, NULL, 0);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) || check_done();
}
