#include "core/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"

/* Needed because several threads open files. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct input {
	dev_t device;
	ino_t number;
} * inputs;
static size_t count, cap;

static bool infile_is_known(const struct stat *st)
{
	for (size_t i = 0; i < count; i++) {
		if (inputs[i].device == st->st_dev && inputs[i].number == st->st_ino)
			return true;
	}
	return false;
}

void infile_note(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	pthread_mutex_lock(&lock);
	if (!infile_is_known(&st)) {
		inputs = xgrow(inputs, &cap, count + 1, sizeof(*inputs));
		inputs[count++] = (struct input){ st.st_dev, st.st_ino };
	}
	pthread_mutex_unlock(&lock);
}

int infile_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | (program_is_called() ? O_NOFOLLOW | O_NONBLOCK : 0));

	if (fd >= 0)
		infile_note(fd);
	return fd;
}

int infile_open_regular(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st))
		return -1;
	errno = EINVAL; /* opening a device may have side effects */
	fd = S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	if (fd >= 0)
		infile_note(fd);
	return fd;
}

static bool infile_is_input(const struct stat *st)
{
	bool known;

	pthread_mutex_lock(&lock);
	known = S_ISREG(st->st_mode) && infile_is_known(st);
	pthread_mutex_unlock(&lock);
	return known;
}

bool infile_is(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && infile_is_input(&st);
}

bool infile_is_path(const char *path)
{
	struct stat st;

	return !stat(path, &st) && infile_is_input(&st);
}
