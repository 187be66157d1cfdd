#include "collect/syscalls/syscall_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "core/regexp.h"

#define SYSCALL(number, name) [number] = name,
static const char *const native[SYSCALLS_NUMBERS] = {
#include "syscalls.inc"
};

static const char *const compat[SYSCALLS_NUMBERS] = {
#include "syscalls_32.inc"
	NULL
};

/* Calls whose first argument is a descriptor. */
static const char of_descriptor[] =
	" read write pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 fsync fdatasync sync_file_range "
	"syncfs "
	"fallocate ftruncate ftruncate64 fstat fstat64 newfstat lseek _llseek getdents getdents64 readahead fadvise64 "
	"fadvise64_64 flock fcntl fcntl64 ioctl fchmod fchown fchown32 fchdir fstatfs fstatfs64 fsetxattr fgetxattr "
	"flistxattr fremovexattr splice tee vmsplice sendfile sendfile64 copy_file_range dup dup2 dup3 connect accept "
	"accept4 bind listen sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg recvmmsg_time64 send recv shutdown "
	"getsockname getpeername setsockopt getsockopt epoll_ctl timerfd_settime "
	"timerfd_settime64 timerfd_gettime io_uring_enter inotify_add_watch process_madvise ";

/* Calls that return a descriptor. */
static const char returning[] = " open openat openat2 creat memfd_create pipe socket eventfd eventfd2 epoll_create "
				"epoll_create1 timerfd_create signalfd signalfd4 inotify_init inotify_init1 ";

/* Calls with paths: which arguments. */
static const struct {
	const char *names;
	uint8_t path, path2;
} of_paths[] = {
	{ " open creat stat stat64 oldstat newstat lstat lstat64 oldlstat newlstat access chdir chroot mkdir rmdir "
	  "unlink mknod chmod "
	  "chown chown32 lchown lchown32 truncate truncate64 readlink statfs statfs64 utime utimes execve uselib acct "
	  "swapon swapoff umount umount2 setxattr lsetxattr getxattr lgetxattr listxattr llistxattr removexattr "
	  "lremovexattr ",
	  1, 0 },
	{ " openat openat2 newfstatat fstatat64 statx faccessat faccessat2 mkdirat mknodat unlinkat fchmodat fchmodat2 "
	  "fchownat readlinkat utimensat utimensat_time64 futimesat execveat name_to_handle_at quotactl "
	  "inotify_add_watch "
	  "fspick open_tree ",
	  2, 0 },
	{ " rename link symlink mount pivot_root ", 1, 2 },
	{ " renameat renameat2 linkat move_mount ", 2, 4 },
	{ " symlinkat ", 1, 3 },
};

static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = words; (at = strstr(at + 1, word));) {
		if (at[-1] == ' ' && at[len] == ' ')
			return true;
	}
	return false;
}

static const char *syscalls_syscall_names_of(uint32_t number)
{
	uint32_t plain = number & ~(uint32_t)RECORDING_SYSCALL_COMPAT;

	if (plain >= SYSCALLS_NUMBERS)
		return NULL;
	return number & RECORDING_SYSCALL_COMPAT ? compat[plain] : native[plain];
}

void syscall_name_add(struct str *out, uint32_t number)
{
	const char *name = syscalls_syscall_names_of(number);

	if (name)
		str_puts(out, name);
	else
		str_addf(out, "syscall_%u", number & ~(uint32_t)RECORDING_SYSCALL_COMPAT);
	if (number & RECORDING_SYSCALL_COMPAT)
		str_puts(out, " (32-bit)");
}

bool syscall_number(const char *name, uint32_t *number)
{
	for (uint32_t i = 0; i < SYSCALLS_NUMBERS; i++) {
		if (native[i] && !strcmp(native[i], name)) {
			*number = i;
			return true;
		}
	}
	return false;
}

/* old_select(2) of 32-bit programs has its arguments in memory. */
static struct syscall_about syscalls_syscall_names_about(const char *name, const struct regexp *chosen, bool is_compat)
{
	struct syscall_about a = { .is_chosen = !chosen || (name && regexp_match(chosen, name, strlen(name))) };

	if (name && has_word(of_descriptor, name))
		a.descriptor = DESCRIPTOR_FIRST;
	else if (name && has_word(returning, name))
		a.descriptor = DESCRIPTOR_RESULT;
	else if (name && has_word(" close ", name))
		a.descriptor = DESCRIPTOR_CLOSED;
	else if (name && has_word(" epoll_wait epoll_pwait epoll_pwait2 ", name))
		a.descriptor = DESCRIPTOR_EPOLL;
	else if (name && has_word(" poll ppoll ppoll_time64 ", name))
		a.descriptor = DESCRIPTOR_POLL;
	else if (name && has_word(is_compat ? " _newselect pselect6 pselect6_time64 " : " select pselect6 ", name))
		a.descriptor = DESCRIPTOR_SELECT;
	a.replaces = name && has_word(" execve execveat ", name);
	for (size_t i = 0; name && i < sizeof(of_paths) / sizeof(*of_paths); i++) {
		if (has_word(of_paths[i].names, name)) {
			a.path = of_paths[i].path;
			a.path2 = of_paths[i].path2;
		}
	}
	return a;
}

void syscall_abouts(struct syscall_about *list, const char *pattern)
{
	struct regexp *chosen = pattern ? regexp_compile(pattern, "--call") : NULL;
	size_t count = 0;

	for (size_t i = 0; i < SYSCALLS_NUMBERS; i++) {
		list[i] = syscalls_syscall_names_about(native[i], chosen, false);
		list[SYSCALLS_NUMBERS + i] = syscalls_syscall_names_about(compat[i], chosen, true);
		count += list[i].is_chosen + list[SYSCALLS_NUMBERS + i].is_chosen;
	}
	if (!count)
		die_usage("--call %s: no system call has such a name", pattern);
	regexp_free(chosen);
}
