/* A recording as a SIGKILL at each moment would leave it: it does not exist yet, or it is whole up to some record. */
#include "collect/recording/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/unit/check.h"

static char directory[] = "/tmp/pyrograph-writer-XXXXXX";
static char path[64];
static unsigned moments, seen, broken;

static uint64_t load_u64(const uint8_t *at)
{
	uint64_t n;

	memcpy(&n, at, sizeof(n));
	return n;
}

static bool has_whole_records(const uint8_t *bytes, uint64_t at, uint64_t end)
{
	while (at < end) {
		struct perf_event_header header;

		if (end - at < sizeof(header))
			return false;
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > end - at)
			return false;
		at += header.size;
	}
	return true;
}

/* The header of perf.data: magic, its own size, the size of an attribute; then the sections attributes and data. */
static bool is_whole(const uint8_t *bytes, uint64_t len)
{
	uint64_t attrs, attrs_size, data, data_size;

	if (len < 104 || memcmp(bytes, "PERFILE2", 8) || load_u64(bytes + 8) != 104)
		return false;
	attrs = load_u64(bytes + 24);
	attrs_size = load_u64(bytes + 32);
	data = load_u64(bytes + 40);
	data_size = load_u64(bytes + 48);
	if (!attrs_size || attrs + attrs_size > len || data < attrs + attrs_size || data + data_size > len)
		return false;
	return load_u64(bytes + attrs) >> 32 == sizeof(struct perf_event_attr) && /* type, size */
	       has_whole_records(bytes, data, data + data_size);
}

/* Everything that has not been written by now is lost. */
static void look(void)
{
	static uint8_t bytes[1 << 20];
	FILE *file = fopen(path, "re");

	moments++;
	if (!file)
		return;
	seen++;
	broken += !is_whole(bytes, fread(bytes, 1, sizeof(bytes), file));
	fclose(file);
}

/* The functions of the C library, for all code linked here. */
ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	ssize_t n;

	look();
	n = syscall(SYS_pwrite64, fd, bytes, len, at);
	look();
	return n;
}

ssize_t pwritev(int fd, const struct iovec *iov, int count, off_t at)
{
	ssize_t n;

	look();
	n = syscall(SYS_pwritev, fd, iov, count, at, 0);
	look();
	return n;
}

static int append(struct recording *r)
{
	struct {
		struct perf_event_header header;
		uint64_t more[4];
	} record = { .header = { .type = 68, .size = sizeof(record) } };
	struct iovec iov[2] = { { &record, sizeof(record) }, { &record, sizeof(record) } };

	return recording_append(r, iov, 2);
}

static void record(bool reserved)
{
	struct events events = { 0 };
	struct recording r = { 0 };
	struct stat info;

	snprintf(path, sizeof(path), "%s/rec.data", directory);
	moments = seen = broken = 0;
	events_add_dummy(&events);
	event_add_id(&events.list[0], 7);
	if (reserved)
		fclose(fopen(path, "we"));
	CHECK(!recording_create(&r, path, &events));
	CHECK(!stat(path, &info) && info.st_size >= 104);
	for (int i = 0; i < 10; i++)
		CHECK(!append(&r) && !recording_flush(&r));
	recording_add_section(&r, RECORDING_LOSSES, "lost_samples 0\n", 15);
	CHECK(!recording_finish(&r));
	look();
	CHECK(moments > 40 && seen > 35);
	CHECK(broken <= (reserved ? 4 : 0)); /* zeros in the reserved space, until the header is written */
	recording_free(&r);
	events_free(&events);
}

int main(void)
{
	char old[80];

	if (!mkdtemp(directory))
		return 1;
	record(false);
	record(false); /* the one before is kept */
	unlink(path);
	record(true);
	snprintf(old, sizeof(old), "%s.old", path);
	CHECK(!unlink(old) && !unlink(path));
	CHECK(!rmdir(directory)); /* nothing else is left there */
	return check_done();
}
