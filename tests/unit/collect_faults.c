/* collect faults: sums without a stack get the stack of the sum before, if that has the same thread, kind and CPU;
 * names of files whose process is gone. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/faults/fault_files.h"
#include "collect/faults/fault_rests.h"
#include "tests/unit/check.h"

static struct fault_record sum_of(uint32_t cpu, uint32_t tid, uint32_t kind, uint64_t count)
{
	return (struct fault_record){
		.cpu = cpu,
		.flags = FAULT_SUM | kind,
		.pid = 10,
		.tid = tid,
		.begin_ns = 100 * count,
		.ns = 1000 * count,
		.count = count,
		.parts = { [RECORDING_REASON_IO] = 7 * count },
		.user_count = 1,
		.stack = { tid },
	};
}

static void rests(void)
{
	struct fault_record first = sum_of(1, 11, FAULT_WRITE, 5), rest = sum_of(1, 11, FAULT_WRITE, 3), other;
	struct fault_rests f = { 0 };
	const struct fault_record *made;

	first.user_count = 2;
	first.stack[1] = 0x4711;
	first.inode = 17;
	CHECK(fault_rests_complete(&f, &rest) == &rest); /* nothing came before */
	fault_rests_keep(&f, &first, offsetof(struct fault_record, stack) + 2 * sizeof(uint64_t));
	made = fault_rests_complete(&f, &rest);

	/* the stack and file of the sum before */
	CHECK(made != &rest && made->user_count == 2);
	CHECK(made->stack[1] == 0x4711 && made->inode == 17);

	/* ... and its own time */
	CHECK(made->count == 3 && made->ns == 3000);
	CHECK(made->begin_ns == 300 && made->parts[RECORDING_REASON_IO] == 21);
	other = sum_of(1, 12, FAULT_WRITE, 3);
	CHECK(fault_rests_complete(&f, &other) == &other); /* another thread */
	other = sum_of(0, 11, FAULT_WRITE, 3);
	CHECK(fault_rests_complete(&f, &other) == &other); /* another CPU */
	other = sum_of(1, 11, FAULT_EXEC, 3);
	CHECK(fault_rests_complete(&f, &other) == &other); /* another kind of access */
	other = sum_of(4000, 11, FAULT_EXEC | FAULT_BY_KERNEL, 3);
	CHECK(fault_rests_complete(&f, &other) == &other); /* a CPU that was not seen yet */
	fault_rests_free(&f);
}

static void files(void)
{
	struct fault_place place = { .pid = 0, .inode = 4711, .device = 8 << 20 | 1, .name = "data.bin" };
	struct file_list list = { 0 };
	struct fault_files f = { 0 };
	struct str text = { 0 };

	/* a file has one number */
	CHECK(fault_files_number(&f, &list, &place) == 0 && fault_files_number(&f, &list, &place) == 0);
	place.inode++;
	place.name = "";
	CHECK(fault_files_number(&f, &list, &place) == 1); /* the next one has the next */
	place.inode = 1;
	place.pid = (int)getpid();                         /* no file of ours has that inode, and none is mapped at 0 */
	CHECK(fault_files_number(&f, &list, &place) == 2); /* ... and so on */
	file_list_format(&list, &text);

	/* their lines */
	CHECK_TEXT(str_text(&text), "0 [data.bin, inode 4711 of 8:1]\n1 [inode 4712 of 8:1]\n2 [inode 1 of 8:1]\n");
	str_free(&text);
	fault_files_free(&f);
	file_list_free(&list);
}

/* Generations of files: files used in the current one get new numbers, others are forgotten. */
static void files_go(void)
{
	struct fault_place place = { .pid = 0, .inode = 1, .device = 8 << 20 | 1, .name = "first" };
	struct file_list list = { 0 };
	struct fault_files f = { 0 };
	struct str text = { 0 };

	CHECK(fault_files_number(&f, &list, &place) == 0);
	CHECK(!file_list_turn(&list)); /* they are few */
	while (list.now.count < FILE_LIST_MANY) {
		place.inode++;
		fault_files_number(&f, &list, &place);
	}
	CHECK(file_list_turn(&list) && !file_list_turn(&list)); /* the one before is still there */
	place.inode = 1;
	CHECK(fault_files_number(&f, &list, &place) == FILE_LIST_MANY); /* used again */
	CHECK(fault_files_number(&f, &list, &place) == FILE_LIST_MANY);
	file_list_drop(&list);
	fault_files_forget(&f, &list);
	CHECK(list.forgotten == FILE_LIST_MANY && f.files.count == 1);
	place.inode = 2;
	CHECK(fault_files_number(&f, &list, &place) == FILE_LIST_MANY + 1); /* was forgotten */
	file_list_format(&list, &text);
	CHECK_TEXT(str_text(&text), "16384 [first, inode 1 of 8:1]\n16385 [first, inode 2 of 8:1]\n");
	str_free(&text);
	fault_files_free(&f);
	file_list_free(&list);
}

enum { PAGES_FILES = 300, PAGE = 4096 };

/* Map new files of the directory, and make their places in the form that BPF gives them. */
static void map_files(const char *directory, struct fault_place *places, char (*names)[16])
{
	char path[64];

	for (int i = 0; i < PAGES_FILES; i++) {
		struct stat st;
		void *at;
		int fd;

		snprintf(names[i], sizeof(names[i]), "file-%d", i);
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		CHECK(fd >= 0 && !ftruncate(fd, PAGE) && !fstat(fd, &st));
		at = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
		CHECK(at != MAP_FAILED);
		close(fd);
		places[i] =
			(struct fault_place){ (int)getpid(), (uintptr_t)at, st.st_ino, (uint32_t)st.st_dev, names[i] };
	}
}

static void unmap_files(const char *directory, const struct fault_place *places)
{
	char path[64];

	for (int i = 0; i < PAGES_FILES; i++) {
		munmap((void *)(uintptr_t)places[i].address, PAGE); // NOLINT(performance-no-int-to-ptr)
		snprintf(path, sizeof(path), "%s/%s", directory, places[i].name);
		unlink(path);
	}
}

/* The path of a place, looked up in a process's maps. */
static void check_path(struct fault_maps *m, const struct fault_place *place, const char *directory)
{
	struct str path = { 0 }, wanted = { 0 };

	str_addf(&wanted, "%s/%s", directory, place->name);
	CHECK(fault_maps_path(m, place, &path) == FAULT_MAPS_FOUND);
	CHECK_TEXT(str_text(&path), wanted.buf);
	str_free(&path);
	str_free(&wanted);
}

/* A new file costs one query for its address, or was already read for the previous one; the maps are not read again. */
static void maps(void)
{
	char directory[] = "/tmp/faults-test-XXXXXX";
	static struct fault_place places[PAGES_FILES];
	static char names[PAGES_FILES][16];
	struct fault_maps asks = { 0 }, reads = { .cannot_ask = true };
	struct fault_place other;
	struct str path = { 0 };

	CHECK(mkdtemp(directory) != NULL);
	map_files(directory, places, names);
	for (int i = 0; i < PAGES_FILES; i++) {
		check_path(&asks, &places[i], directory);
		check_path(&reads, &places[i], directory);
	}
	CHECK(reads.reads == 1);
	CHECK(asks.cannot_ask || (asks.reads == 0 && asks.asked == PAGES_FILES));

	/* the inodes differ from those here, as with overlays: address and name decide */
	other = places[7];
	other.inode = UINT64_MAX;
	check_path(&asks, &other, directory);
	check_path(&reads, &other, directory);
	CHECK(reads.reads == 1);

	/* for a missing file, the maps are not read again at once; later they are, and then only the address decides */
	other.name = "another";
	reads.rest_until_ns = UINT64_MAX;
	CHECK(fault_maps_path(&reads, &other, &path) == FAULT_MAPS_LATER);
	reads.rest_until_ns = 0;
	str_clear(&path);
	CHECK(fault_maps_path(&reads, &other, &path) == FAULT_MAPS_FOUND && path.len);

	/* ... of another process: its own */
	other = places[7];
	other.pid = (int)getppid();
	reads.rest_until_ns = 0;
	CHECK(fault_maps_path(&reads, &other, &path) == FAULT_MAPS_NONE && reads.pid == (int)getppid());
	unmap_files(directory, places);
	rmdir(directory);
	str_free(&path);
	fault_maps_free(&asks);
	fault_maps_free(&reads);
}

/* A file whose path has not been read yet has a placeholder as name. */
static void files_later(void)
{
	struct fault_place place = { .pid = (int)getpid(), .inode = 1, .device = 8 << 20 | 1, .name = "soon" };
	struct fault_files f = { .maps = { .cannot_ask = true, .rest_until_ns = UINT64_MAX } };
	struct file_list list = { 0 };
	uint32_t number;

	number = fault_files_number(&f, &list, &place);
	CHECK(fault_files_number(&f, &list, &place) == number);
	CHECK_TEXT(intern_text(&list.now, number), "[soon, inode 1 of 8:1]");
	CHECK(f.numbers[0] == FILE_LIST_GONE && f.maps.reads == 0);
	f.maps.rest_until_ns = 0;
	CHECK(fault_files_number(&f, &list, &place) == number && f.maps.reads == 1); /* nor is it there */
	CHECK(f.numbers[0] == number);
	fault_files_free(&f);
	file_list_free(&list);
}

/* Weeks of a flight recorder, in which new files keep replacing earlier ones at the same path: the memory for them is
 * bounded, as it is for files with different paths. */
static void weeks(void)
{
	struct fault_place place = { .pid = (int)getpid(),
				     .address = (uintptr_t)weeks,
				     .device = 8 << 20 | 1,
				     .name = program_invocation_short_name };
	struct file_list list = { 0 };
	struct fault_files f = { 0 };
	size_t most = 0, turns = 0;

	for (int hour = 0; hour < 12; hour++) {
		for (int i = 0; i < FILE_LIST_MANY / 2; i++) {
			place.inode = 1ULL << 60 | (uint64_t)hour << 32 | (uint64_t)i;
			fault_files_number(&f, &list, &place);
		}
		CHECK(list.now.count == 1);
		most = f.files.count > most ? f.files.count : most;
		if (list.has_before) {
			file_list_drop(&list);
			fault_files_forget(&f, &list);
		}
		turns += file_list_turn(&list);
	}

	/* in each turn, half of the files are younger than the previous turn */
	CHECK(turns == 6 && most <= 2 * FILE_LIST_MANY);
	CHECK(list.forgotten == 5 && list.first == 6);
	fault_files_free(&f);
	file_list_free(&list);
}

/* ... and files with different paths, as for system calls: only the list. */
static void weeks_of_paths(void)
{
	struct file_list list = { 0 };
	size_t most = 0, made = 0;
	char path[32];

	for (int hour = 0; hour < 12; hour++) {
		for (int i = 0; i < FILE_LIST_MANY / 2; i++) {
			snprintf(path, sizeof(path), "/tmp/%zu", ++made);
			file_list_add(&list, path, strlen(path));
		}
		most = list.now.count + list.before.count > most ? list.now.count + list.before.count : most;
		if (list.has_before)
			file_list_drop(&list);
		file_list_turn(&list);
	}
	CHECK(most <= 2 * FILE_LIST_MANY);
	CHECK(list.forgotten + list.now.count + list.before.count == made);
	file_list_free(&list);
}

int main(void)
{
	rests();
	files();
	files_go();
	maps();
	files_later();
	weeks();
	weeks_of_paths();
	return check_done();
}
