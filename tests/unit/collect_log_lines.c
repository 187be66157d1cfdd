/* log_lines: which lines of a log are read, even if it is cut or replaced in the middle of a line. */
#include "collect/run/log_lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/check.h"

static char path[64];
static struct conditions conditions;
static struct log_lines logs;

static void put(const char *text, int flags)
{
	int fd = open(path, O_WRONLY | O_CREAT | flags, 0600);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* How many lines matched since the last call. */
static uint64_t matches(void)
{
	struct hit hit;

	log_lines_read(&logs, &conditions);
	return conditions_take(&conditions, &hit);
}

/* Much was added at once: it is read in several turns, and nothing is lost. */
static void check_turns(void)
{
	enum { LINES = 4000000 };
	static const char line[] = "slow\n";
	char *text = malloc(LINES * (sizeof(line) - 1) + 1);
	uint64_t found = 0;
	int turns = 0;

	CHECK(text != NULL);
	for (size_t i = 0; text && i < LINES; i++)
		memcpy(text + i * (sizeof(line) - 1), line, sizeof(line));
	logs.late_ns = UINT64_C(3600000000000); /* however busy the machine is */
	put(text, O_APPEND);
	do {
		found += matches();
		turns++;
	} while (logs.behind && turns < LINES);
	CHECK(found == LINES);
	CHECK(turns > 1 && !logs.left_out);

	logs.late_ns = 1;
	put(text, O_APPEND);
	free(text);
	found = matches();
	CHECK(found && logs.behind && !logs.left_out);
	found += matches();
	CHECK(found < LINES && logs.left_out);
	found += (logs.left_out + sizeof(line) - 2) / (sizeof(line) - 1);
	CHECK(matches() == 0 && !logs.behind && found == LINES);
	put("slow\n", O_APPEND);
	CHECK(matches() == 0); /* the rest of a line that was left out, which cannot be told from a whole line */
	put("slow\n", O_APPEND);
	CHECK(matches() == 1);
}

int main(void)
{
	char dir[] = "/tmp/pyrograph-log.XXXXXX", text[96];
	const char *items[] = { text };
	struct text_list texts = { 0 };

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/log", dir);
	snprintf(text, sizeof(text), "%s=^(slow|half)$", path);
	texts.items = items;
	texts.count = 1;
	conditions_parse(&conditions, &(struct text_list){ 0 });
	put("slow\n", 0);
	log_lines_open(&logs, &texts);
	CHECK(matches() == 0); /* it was there before */
	put("sl", O_APPEND);
	CHECK(matches() == 0);
	put("ow\nquick\n", O_APPEND);
	CHECK(matches() == 1);

	put("some text that", O_APPEND);
	CHECK(matches() == 0);
	put("slow\n", O_TRUNC);
	CHECK(matches() == 1);

	put("other", O_APPEND);
	CHECK(matches() == 0);
	unlink(path);
	CHECK(matches() == 0);
	put("slow\nslow\n", O_EXCL);
	CHECK(matches() == 2);

	put("half", O_APPEND); /* the last of that file */
	CHECK(matches() == 0);
	unlink(path);
	put("quick\n", O_EXCL);
	CHECK(matches() == 1);
	check_turns();

	unlink(path);
	rmdir(dir);
	log_lines_free(&logs);
	conditions_free(&conditions);
	return check_done();
}
