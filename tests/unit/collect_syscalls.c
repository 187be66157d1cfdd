/* collect syscalls: names of system calls, and text for what a descriptor refers to. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "collect/syscalls/call_file.h"
#include "collect/syscalls/syscall_names.h"
#include "tests/unit/check.h"

static const char *name_of(uint32_t number)
{
	static struct str text;

	str_clear(&text);
	syscall_name_add(&text, number);
	return str_text(&text);
}

static void check_names(void)
{
	static struct syscall_about list[2 * SYSCALLS_NUMBERS];

	CHECK_TEXT(name_of(SYS_read), "read");
	CHECK_TEXT(name_of(SYS_openat), "openat");
	CHECK_TEXT(name_of(999), "syscall_999");
	CHECK_TEXT(name_of(70000), "syscall_70000");
	CHECK_TEXT(name_of(999 | RECORDING_SYSCALL_COMPAT), "syscall_999 (32-bit)");
#ifdef __x86_64__
	CHECK_TEXT(name_of(3 | RECORDING_SYSCALL_COMPAT), "read (32-bit)"); /* asm/unistd_32.h */
#endif
	syscall_abouts(list, NULL);
	CHECK(list[SYS_read].is_chosen && list[SYS_read].descriptor == DESCRIPTOR_FIRST);
	CHECK(list[SYS_openat].is_chosen && list[SYS_openat].descriptor == DESCRIPTOR_RESULT);
	CHECK(list[SYS_openat].path == 2 && !list[SYS_openat].path2 && !list[SYS_openat].replaces);
	CHECK(list[SYS_renameat2].path == 2 && list[SYS_renameat2].path2 == 4);
	CHECK(list[SYS_execve].path == 1 && list[SYS_execve].replaces);
	CHECK(list[SYS_close].descriptor == DESCRIPTOR_CLOSED);
	CHECK(list[SYS_ppoll].descriptor == DESCRIPTOR_POLL && list[SYS_pselect6].descriptor == DESCRIPTOR_SELECT);
	CHECK(list[SYS_epoll_pwait].descriptor == DESCRIPTOR_EPOLL);
	CHECK(list[SYS_futex].is_chosen && list[SYS_futex].descriptor == DESCRIPTOR_NONE);
	CHECK(list[SYSCALLS_NUMBERS - 1].is_chosen); /* all that have no name */
	syscall_abouts(list, "^p?read|fsync");
	CHECK(list[SYS_read].is_chosen && list[SYS_pread64].is_chosen && list[SYS_fsync].is_chosen);
	CHECK(!list[SYS_write].is_chosen && !list[SYS_openat].is_chosen && !list[SYSCALLS_NUMBERS - 1].is_chosen);
}

static const char *words(const struct path_record *file)
{
	static struct str text;

	str_clear(&text);
	call_file_add(&text, file);
	return str_text(&text);
}

static struct path_record named(uint32_t kind, const char *names, uint32_t used)
{
	struct path_record file = { .kind = kind, .used = used, .inode = 4711, .family = AF_UNIX };

	memcpy(file.names, names, used);
	return file;
}

static void check_files(void)
{
	struct path_record file = named(PATH_FILE, "app.log\0log\0var", 16);

	CHECK_TEXT(words(&file), "/var/log/app.log");
	file.is_cut = 1;
	CHECK_TEXT(words(&file), ".../var/log/app.log");
	file = named(PATH_FILE, "", 0);
	CHECK_TEXT(words(&file), "/");
	file.used = UINT32_MAX; /* no more is read than there is */
	CHECK(strlen(words(&file)) <= sizeof(file.names) + 1);
	file = named(PATH_PIPE, "", 0);
	CHECK_TEXT(words(&file), "pipe:[4711]");
	file = named(PATH_ANONYMOUS, "[eventpoll]", 12);
	CHECK_TEXT(words(&file), "anon_inode:[eventpoll]");
	file = named(PATH_NONE, "", 0);
	CHECK_TEXT(words(&file), "");
	file = named(PATH_SOCKET, "", 0);
	CHECK_TEXT(words(&file), "unix:[4711]");
	file = named(PATH_SOCKET, "/run/x.sock\0more", 16);
	CHECK_TEXT(words(&file), "unix /run/x.sock");
	file = named(PATH_SOCKET, "\0abc", 4);
	CHECK_TEXT(words(&file), "unix @abc");
	file.family = AF_NETLINK;
	CHECK_TEXT(words(&file), "netlink:[4711]");
}

static struct path_record numbered(uint32_t count)
{
	struct path_record file = { .kind = PATH_DESCRIPTORS, .used = count };
	int numbers[PATH_DESCRIPTORS_MAX] = { 3, 5, -1, 7, 8, 9, 10, 11 };

	memcpy(file.names, numbers, sizeof(numbers));
	return file;
}

static void check_texts(void)
{
	struct path_record file = named(PATH_TEXT, "data/a b", 9);

	CHECK_TEXT(words(&file), "data/a b");
	file = named(PATH_TEXT, "old\0new", 8);
	CHECK_TEXT(words(&file), "old -> new");
	file = named(PATH_TEXT, "", 1);
	CHECK_TEXT(words(&file), "");
	memset(file.names, 'a', sizeof(file.names));
	file.used = UINT32_MAX; /* no more is read than there is */
	CHECK(strlen(words(&file)) == sizeof(file.names) + 3);
	memset(file.names + PATH_TEXT_BYTES - 1, 0, 1);
	file.used = PATH_TEXT_BYTES;
	CHECK(strlen(words(&file)) == PATH_TEXT_BYTES - 1 + 3); /* "..." */
}

static void check_descriptors(void)
{
	struct path_record file = numbered(2);

	CHECK_TEXT(words(&file), "descriptors 3,5");
	file = numbered(3);
	CHECK_TEXT(words(&file), "descriptors -1,3,5");
	file = numbered(9);
	CHECK_TEXT(words(&file), "descriptors -1,3,5,7,8,9,10,11,... (9)");
	file.is_cut = 1;
	CHECK_TEXT(words(&file), "descriptors -1,3,5,7,8,9,10,11,... (more than 9)");
	file = numbered(0);
	CHECK_TEXT(words(&file), "");

	file = (struct path_record){ .kind = PATH_SETS, .used = 1024 };
	CHECK_TEXT(words(&file), "");
	file.names[0] = 1 << 3;                              /* to read: 3 */
	file.names[PATH_SET_BYTES + 1] = 1 << 1;             /* to write: 9 */
	file.names[3 * PATH_SET_BYTES - 1] = (char)(1 << 7); /* exceptions: 1023 */
	CHECK_TEXT(words(&file), "descriptors 3,9,1023");
	file.used = 10;
	CHECK_TEXT(words(&file), "descriptors 3,9");
	memset(file.names, 255, sizeof(file.names));
	file.used = UINT32_MAX;
	CHECK_TEXT(words(&file), "descriptors 0,1,2,3,4,5,6,7,... (1024)");
}

static void check_addresses(void)
{
	struct path_record file = { .kind = PATH_SOCKET,
				    .family = AF_INET,
				    .protocol = IPPROTO_TCP,
				    .type = SOCK_STREAM,
				    .local_port = 5000,
				    .local = { 127, 0, 0, 1 },
				    .peer = { 10, 0, 0, 2 } };

	CHECK_TEXT(words(&file), "tcp 127.0.0.1:5000"); /* it listens */
	file.peer_port = htons(443);
	CHECK_TEXT(words(&file), "tcp 127.0.0.1:5000->10.0.0.2:443");
	file.family = AF_INET6;
	file.protocol = IPPROTO_UDP;
	file.peer_port = 0;
	memset(file.local, 0, sizeof(file.local));
	file.local[15] = 1;
	CHECK_TEXT(words(&file), "udp [::1]:5000");
	file.protocol = 0;
	file.type = SOCK_RAW;
	CHECK_TEXT(words(&file), "raw [::1]:5000");
}

int main(void)
{
	check_names();
	check_files();
	check_addresses();
	check_texts();
	check_descriptors();
	return check_done();
}
