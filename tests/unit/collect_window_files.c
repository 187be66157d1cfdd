/* window_files: the lock of the directory. */
#include "collect/run/window_files.h"

#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/check.h"

int main(void)
{
	char dir[] = "/tmp/pyrograph-windows.XXXXXX";
	int fd, in_a_child;

	if (!mkdtemp(dir))
		return 1;
	fd = window_dir_open(dir);
	CHECK(fd >= 0);
	CHECK(window_dir_open(dir) < 0);
	in_a_child = dup(fd); /* fork() leaves the same: another descriptor of the same open file */
	window_dir_close(fd);
	fd = window_dir_open(dir);
	CHECK(fd >= 0);
	window_dir_close(fd);
	close(in_a_child);
	rmdir(dir);
	return check_done();
}
