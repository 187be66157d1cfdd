/* emulated: process_vm_readv(2), which QEMU does not emulate, for programs that it runs (LD_PRELOAD). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

/* What can be read, piece by piece; as our programs call it, the pieces there are as long as those here, or there is one
 * piece here. */
ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long to_count, const struct iovec *from,
			 unsigned long from_count, unsigned long flags)
{
	size_t at = 0, piece = 0;
	ssize_t all = 0, got = 1;
	char path[64];
	int fd;

	(void)flags;
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	for (unsigned long i = 0; i < from_count && got > 0; i++) {
		for (size_t done = 0; done < from[i].iov_len && piece < to_count && got > 0; done += (size_t)got) {
			size_t left = to[piece].iov_len - at, wanted = from[i].iov_len - done;

			got = pread(fd, (char *)to[piece].iov_base + at, wanted < left ? wanted : left,
				    (off_t)((size_t)from[i].iov_base + done));
			all += got > 0 ? got : 0;
			at += got > 0 ? (size_t)got : 0;
			if (at == to[piece].iov_len) {
				piece++;
				at = 0;
			}
		}
	}
	close(fd);
	if (!all && from_count)
		errno = EFAULT;
	return all || !from_count ? all : -1;
}
