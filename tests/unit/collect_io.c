/* collect io: paths from name parts and mounts; sums of short requests, and their stacks; the sums of the BPF
 * program. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/io/io_devices.h"
#include "collect/io/io_files.h"
#include "collect/io/io_layers.h"
#include "collect/io/io_sums.h"
#include "collect/io/io_totals.h"
#include "core/memory.h"
#include "tests/unit/check.h"

static const char mounts[] = "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
			     "22 21 8:1 /var/lib /mnt/bind rw - ext4 /dev/sda1 rw\n"
			     "23 21 0:44 /@home /home rw shared:7 - btrfs /dev/sdb rw\n"
			     "24 21 8:17 / /mnt/my\\040disk rw - ext4 /dev/sdb1 rw\n"
			     "25 21 8:1 /cut\n"
			     "broken line\n";

static bool is_mounted;

/* parts: "c/b/a" for what the kernel reports for /a/b/c. */
static const char *path(uint32_t major, uint32_t minor, const char *parts, uint32_t cut)
{
	static struct str out;
	struct inode_name name = { .len = (uint32_t)strlen(parts) + 1, .cut = cut };

	memcpy(name.parts, parts, strlen(parts));
	for (char *at = name.parts; (at = strchr(at, '/')); at++)
		*at = '\0';
	str_clear(&out);
	is_mounted = io_files_path(mounts, major << 20 | minor, &name, &out);
	return str_text(&out);
}

static void paths(void)
{
	CHECK_TEXT(path(8, 1, "syslog/log/var", 0), "/var/log/syslog");
	CHECK(is_mounted);
	CHECK_TEXT(path(8, 17, "data file/dir", 0), "/mnt/my disk/dir/data file");
	CHECK_TEXT(path(0, 44, "notes/me/@home", 0), "/home/me/notes");
	CHECK_TEXT(path(0, 44, "notes/me/@home2", 0), "/@home2/me/notes"); /* it is not mounted there */
	CHECK_TEXT(path(9, 9, "b/a", 0), "/a/b");                          /* nothing is known of that device */
	CHECK(!is_mounted);
	CHECK_TEXT(path(8, 17, "b/a", 1), "/mnt/my disk/.../a/b"); /* there were more directories */
}

static enum io_layers layers_were;

/* How a process sees a file of the host, with mounts of these options; NULL: not known. */
static const char *layered(const char *point, const char *options, const char *file)
{
	static struct str out;
	struct str lines = { 0 };

	str_puts(&lines, "21 1 8:1 /x /proc rw - proc proc rw\n22 21 0:50 / ");
	str_puts(&lines, point);
	str_puts(&lines, " rw,relatime shared:9 - overlay overlay ");
	str_puts(&lines, options);
	str_puts(&lines, "\n23 21 0:51 / /dev rw - tmpfs tmpfs rw,upperdir=/none\n");
	str_clear(&out);
	layers_were = io_layers_path(str_text(&lines), file, &out);
	str_free(&lines);
	return layers_were == IO_LAYERS_FOUND ? str_text(&out) : NULL;
}

static void layers(void)
{
	static const char docker[] = "rw,lowerdir=/n/l/A:/n/l/B\\040b,upperdir=/n/up/diff,workdir=/n/up/work,xino=off";

	CHECK_TEXT(layered("/", docker, "/n/up/diff/var/log"), "/var/log");
	CHECK_TEXT(layered("/", docker, "/n/l/A/bin/sh"), "/bin/sh");
	CHECK_TEXT(layered("/", docker, "/n/l/B b/bin/sh"), "/bin/sh");
	CHECK(!layered("/", docker, "/n/l/AB/bin/sh"));
	CHECK(!layered("/", docker, "/n/l/A"));
	CHECK(!layered("/", docker, "/none/a"));
	CHECK(layers_were == IO_LAYERS_NONE);
	CHECK(!layered("/mnt", docker, "/n/l/A/bin/sh")); /* not its root */
	CHECK(!layered("/", "rw,lowerdir=l/A:m,upperdir=", "l/A/bin/sh"));
	CHECK(layers_were == IO_LAYERS_UNKNOWN);
	CHECK_TEXT(layered("/", "rw,lowerdir=/a\\134:b:/c,x", "/a:b/f"), "/f");
	CHECK_TEXT(layered("/", "rw,lowerdir=/a\\134:b:/c", "/c/f"), "/f");
	CHECK_TEXT(layered("/", "rw,lowerdir+=/a:b,lowerdir+=/c,datadir+=/d", "/a:b/f"), "/f");
	CHECK_TEXT(layered("/", "rw,lowerdir+=/a\\054b,lowerdir+=/c,datadir+=/d", "/a,b/f"), "/f");
	CHECK_TEXT(layered("/", "rw,lowerdir+=/a,lowerdir+=/c,datadir+=/d", "/d/f"), "/f");
}

static const char *below(const char *top, const char *name)
{
	static char paths[2][PATH_MAX];
	static int turn;

	turn = !turn;
	snprintf(paths[turn], sizeof(paths[turn]), "%s%s", top, name);
	return paths[turn];
}

/* It is not known in which directory a mount with relative layers was made: it is the one above the file that has all
 * layers. */
static void relative_layers(void)
{
	static const char *const directories[] = { "",           "/base",        "/base/1", "/base/1/fs",  "/base/2",
						   "/base/2/fs", "/base/2/fs/1", "/base/l", "/base/2/fs/2" };
	const char *place = getenv("TMPDIR");
	char given[PATH_MAX], top[PATH_MAX];

	snprintf(given, sizeof(given), "%s/io_layers.%d", place ? place : "/tmp", (int)getpid());
	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		CHECK(!mkdir(below(given, directories[i]), 0700));
	CHECK(realpath(given, top) && !symlink("../1/fs", below(top, "/base/l/A")));

	CHECK_TEXT(layered("/", "rw,lowerdir=1/fs:2/fs", below(top, "/base/1/fs/bin/sh")), "/bin/sh");
	CHECK_TEXT(layered("/", "rw,lowerdir=l/A:2/fs,upperdir=/up", below(top, "/base/1/fs/sh")), "/sh");
	CHECK_TEXT(layered("/", "rw,lowerdir=l/A,upperdir=2/fs", below(top, "/base/2/fs/1/2/sh")), "/1/2/sh");
	CHECK_TEXT(layered("/", "rw,lowerdir=2/fs,upperdir=/up", "/up/2/fs/sh"), "/2/fs/sh");
	CHECK(!layered("/", "rw,lowerdir=1/fs:3/fs", below(top, "/base/1/fs/sh"))); /* one of them is not there */
	CHECK(layers_were == IO_LAYERS_UNKNOWN);
	CHECK(!layered("/", "rw,lowerdir=1:2", below(top, "/base/2/fs/1/sh"))); /* below /base, and below /base/2/fs */
	CHECK(layers_were == IO_LAYERS_UNKNOWN);
	CHECK(!layered("/", "rw,lowerdir=1/fs", below(top, "/base/sh"))); /* in none of them */
	CHECK(layers_were == IO_LAYERS_UNKNOWN);

	unlink(below(top, "/base/l/A"));
	for (size_t i = sizeof(directories) / sizeof(*directories); i--;)
		rmdir(below(top, directories[i]));
}

static struct io_record of(uint64_t hash, uint32_t tid, uint64_t bytes, uint64_t ns)
{
	return (struct io_record){
		.request = {
			.pid = 10,
			.tid = tid,
			.hash = hash,
			.bytes = bytes,
			.begin_ns = 1000 * ns,
			.queue_ns = ns,
			.device_ns = 2 * ns,
		},
	};
}

static struct {
	struct io_sum sum;
	const struct io_record *stack;
} taken[8];
static size_t takes;

static void take(const struct io_sum *sum, const struct io_record *stack)
{
	taken[takes].sum = *sum;
	taken[takes++].stack = stack;
}

static void sums(void)
{
	struct io_record first = of(17, 11, 4096, 5), again = of(17, 11, 4096, 7), large = of(17, 11, 8192, 1);
	struct io_sums s = { 0 };

	CHECK(!io_sums_stack(&s, 17));
	io_sums_keep(&s, &first, sizeof(first));
	CHECK(io_sums_stack(&s, 17) && io_sums_stack(&s, 17)->request.tid == 11);
	io_sums_add(&s, &first.request, 3);
	io_sums_add(&s, &again.request, 3);
	io_sums_add(&s, &again.request, UINT32_MAX); /* of no file */
	io_sums_add(&s, &large.request, 3);
	io_sums_flush(&s, take);

	/* what is equal is one sum */
	CHECK(takes == 3 && taken[0].sum.count == 2);
	CHECK(taken[0].sum.queue_ns == 12 && taken[0].sum.device_ns == 24);
	CHECK(taken[0].sum.longest_ns == 21 && taken[0].sum.begin_ns == 5000);
	CHECK(taken[0].sum.key.file == 4 && taken[1].sum.key.file == 0);
	CHECK(taken[2].sum.key.bytes == 8192 && taken[2].sum.count == 1);
	CHECK(taken[0].stack && taken[0].stack == taken[2].stack);

	/* a stack lives for two generations */
	io_sums_next_generation(&s);
	CHECK(io_sums_stack(&s, 17));
	io_sums_next_generation(&s);
	CHECK(!io_sums_stack(&s, 17));
	takes = 0;
	io_sums_add(&s, &first.request, 3);
	io_sums_flush(&s, take);
	CHECK(takes == 1 && taken[0].sum.count == 1 && !taken[0].stack);
	io_sums_flush(&s, take);
	CHECK(takes == 1); /* nothing is left */
	io_sums_free(&s);
}

static struct io_total news[8];
static size_t news_count;

static void note(const struct io_total *t)
{
	news[news_count++] = *t;
}

/* What the BPF program does for a request of so many ns, in the queue and in the device. */
static void add_to(struct io_total *t, uint64_t ns, uint64_t begin_ns)
{
	if (!t->begin_ns)
		t->begin_ns = begin_ns;
	if (t->longest_ns < 3 * ns)
		t->longest_ns = 3 * ns;
	t->queue_ns += ns;
	t->device_ns += 2 * ns;
	t->count++;
}

static void look(struct io_totals *t, struct io_total *table, uint64_t now_ms)
{
	news_count = 0;
	io_totals_look(t, table, now_ms * 1000000);
	io_totals_pass(t, note);
}

static void totals(void)
{
	struct io_total *table = xcalloc(IO_TOTALS, sizeof(*table)), *its = &table[7];
	struct io_totals t = { 0 };

	look(&t, table, 1000);
	CHECK(!news_count);
	its->first.tid = 11;
	its->state = IO_TOTAL_BEGUN;
	look(&t, table, 2000);
	CHECK(!news_count && its->state == IO_TOTAL_BEGUN); /* the program is still writing */
	its->state = IO_TOTAL_OPEN;
	add_to(its, 5, 500);
	add_to(its, 7, 600);
	look(&t, table, 3000);
	CHECK(news_count == 1 && news[0].first.tid == 11 && news[0].count == 2);
	CHECK(news[0].queue_ns == 12 && news[0].device_ns == 24 && news[0].longest_ns == 21 && news[0].begin_ns == 500);

	/* each of them once */
	add_to(its, 1, 700);
	look(&t, table, 4000);
	CHECK(news_count == 1 && news[0].count == 1 && news[0].queue_ns == 1 && news[0].longest_ns == 3);
	CHECK(news[0].begin_ns == 700);

	/* seen before its times, and without the longest: its beginning is the last look */
	its->count++;
	look(&t, table, 5000);
	CHECK(news_count == 1 && news[0].count == 1 && !news[0].queue_ns && news[0].begin_ns == 4000000000);
	its->queue_ns += 4;
	its->longest_ns = 4;
	add_to(its, 8, 800);
	look(&t, table, 6000);
	CHECK(news_count == 1 && news[0].count == 1 && news[0].queue_ns == 12 && news[0].longest_ns <= 28);

	/* a slot that is no longer used is closed, and late data are not lost */
	look(&t, table, 7000);
	CHECK(!news_count && its->state == IO_TOTAL_CLOSED);
	add_to(its, 2, 900);
	look(&t, table, 7001);
	CHECK(news_count == 1 && news[0].count == 1 && its->state == IO_TOTAL_CLOSED);
	look(&t, table, 7002);
	CHECK(!news_count && its->state == IO_TOTAL_CLOSED); /* a program may still be in it */
	look(&t, table, 8000);
	CHECK(!news_count && its->state == IO_TOTAL_FREE);

	/* another device has got the slot, so the data of the device before do not count for it */
	its->first.tid = 12;
	its->state = IO_TOTAL_OPEN;
	add_to(its, 3, 1000);
	look(&t, table, 9000);
	CHECK(news_count == 1 && news[0].first.tid == 12 && news[0].count == 1 && news[0].queue_ns == 3);
	io_totals_free(&t);
	free(table);
}

/* The BPF program adds to the number in flight, then to the time; a device seen in between was not busy for hours. */
static void devices(void)
{
	const uint64_t now = 27000000000000, observed = 3000000000;
	struct io_device busy = { .in_flight = 1, .busy_ns = 1000000 - (now - 500000) };
	struct io_device idle = { .busy_ns = 1000000 };
	struct io_device enters = { .in_flight = 1, .busy_ns = 1000000 };
	struct io_device leaves = { .busy_ns = 1000000 - (now - 500000) };

	CHECK(io_device_complete(&busy, observed, now) && busy.busy_ns == 1500000);
	CHECK(io_device_complete(&idle, observed, now) && idle.busy_ns == 1000000);
	CHECK(!io_device_complete(&enters, observed, now));
	CHECK(!io_device_complete(&leaves, observed, now));
}

static uint64_t told_again;

static void forgotten(const struct inode_id *id)
{
	(void)id;
	told_again++;
}

/* Weeks of a flight recorder: each file is written anew, under the name of the previous one; some have no name. */
static void weeks(void)
{
	struct io_file file = { .name = { .len = 4, .parts = "log" } };
	struct io_request q = { .owner = IO_OF_FILE };
	struct file_list list = { 0 };
	struct io_files f = { 0 };
	size_t most = 0, turns = 0, made = 0;

	for (int hour = 0; hour < 12; hour++) {
		for (int i = 0; i < FILE_LIST_MANY / 2; i++) {
			file.inode.number = ++made;
			file.name.len = i % 2 ? 4 : 0;
			io_files_add(&f, &list, &file);
		}
		q.inode = file.inode;
		io_files_number(&f, &list, &q);
		CHECK(list.now.count == 1);
		most = f.inodes.count > most ? f.inodes.count : most;
		if (list.has_before) {
			file_list_drop(&list);
			io_files_forget(&f, &list, forgotten);
		}
		turns += file_list_turn(&list);
	}
	CHECK(turns == 6 && most <= 2 * FILE_LIST_MANY);
	CHECK(told_again + f.inodes.count == made); /* the BPF program must report their names again */
	io_files_free(&f);
	file_list_free(&list);
}

int main(void)
{
	devices();
	paths();
	layers();
	relative_layers();
	sums();
	weeks();
	totals();
	return check_done();
}
