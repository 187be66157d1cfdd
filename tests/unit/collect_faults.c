/* collect faults: sums without a stack get that of the sum before, if it is of the same thread, kind and CPU; names of files
 * whose process is not there. */
#include <string.h>
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
	place.pid = (int)getpid();                         /* nothing of ours has that inode, nor lies at 0 */
	CHECK(fault_files_number(&f, &list, &place) == 2); /* ... and so on */
	file_list_format(&list, &text);

	/* their lines */
	CHECK_TEXT(str_text(&text), "0 [data.bin, inode 4711 of 8:1]\n1 [inode 4712 of 8:1]\n2 [inode 1 of 8:1]\n");
	str_free(&text);
	fault_files_free(&f);
	file_list_free(&list);
}

/* Generations of files: those used in the present one have new numbers, others are forgotten. */
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

int main(void)
{
	rests();
	files();
	files_go();
	return check_done();
}
