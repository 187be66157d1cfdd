/* Heat maps: lines become events, whatever they look like and however they are cut. */
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "render/heat/heat.h"
#include "tests/unit/check.h"

static char path[] = "/tmp/heat.XXXXXX";

static void write_file(const char *text)
{
	FILE *out = fopen(path, "w");

	fputs(text, out);
	fclose(out);
}

static int read_lines(struct heat *h, const struct heat_filter *filter)
{
	*h = (struct heat){0};
	if (heat_read(h, path, filter) < 0)
		return -1;
	return heat_finish(h, filter);
}

/* All events as text: "time stack value", then what was not taken. */
static const char *text_of(const struct heat *h)
{
	static struct str out;

	str_clear(&out);
	for (size_t i = 0; i < h->event_count; i++)
		str_addf(&out, "%llu %s %llu\n", (unsigned long long)h->time_ns[i],
			 intern_text(&h->texts, h->stacks[h->stack[i]].text),
			 (unsigned long long)heat_value(h, i));
	return str_text(&out);
}

static const char *events_of(const char *text)
{
	static struct str out;
	struct heat_filter all = {0};
	struct heat h;

	write_file(text);
	str_clear(&out);
	if (read_lines(&h, &all) < 0)
		str_puts(&out, "failed");
	else
		str_puts(&out, text_of(&h));
	heat_free(&h);
	return str_text(&out);
}

static void check_lines(void)
{
	CHECK_TEXT(events_of(""), "");
	CHECK_TEXT(events_of("\n# \n#\n"), "");
	CHECK_TEXT(events_of("@5.000000001 a;b 1\n"), "5000000001 a;b 1\n");
	CHECK_TEXT(events_of("@5.000000001 a;b 1"), "5000000001 a;b 1\n");
	CHECK_TEXT(events_of("\xef\xbb\xbf@5.000000001 a;b 1\r\n@5.000000002 a;b 1\r\n"),
		   "5000000001 a;b 1\n5000000002 a;b 1\n");
	CHECK_TEXT(events_of("@5 a 1\n@5.1 b; 2\n@5.0000000019 c\t3  \n@6. d; 12 4\n"),
		   "5000000000 a 1\n5000000001 c 3\n5100000000 b 2\n");
	CHECK_TEXT(events_of("@5.000000001 12 17\n@5.000000002 a.1 17\n@5.000000003 a 1 17\n"),
		   "5000000001 12 17\n5000000002 a.1 17\n");
	CHECK_TEXT(events_of("@5.000000001 a 0.5\n@5.000000002 a 3\n@5.000000003 b 0.25\n"),
		   "5000000001 a 50\n5000000002 a 300\n5000000003 b 25\n");
	CHECK_TEXT(events_of("@9.000000001 a 1\n@5.000000001 b 2\n@7.000000001 c 3\n"),
		   "5000000001 b 2\n7000000001 c 3\n9000000001 a 1\n");
	CHECK_TEXT(events_of("# pyrograph: columns=time,count unit=ns\n@5.000000001 a 1 2\n"
			     "# pyrograph: unit=ns\n@5.000000001 b 3\n@5.000000001 b 3 4\n"),
		   "5000000001 a 1\n5000000001 b 3\n");
	CHECK_TEXT(events_of("@5.000000001 a 0\n"), "5000000001 a 0\n");
	CHECK_TEXT(events_of("@5.000000001 a 18446744073709551614\n@5.000000001 b 18446744073709551615\n"),
		   "5000000001 a 18446744073709551614\n");
	CHECK_TEXT(events_of("@5.000000001 a 18446744073709551614\n@5.000000001 b 2\n"), "failed");
}

int main(void)
{
	quiet = 1;
	close(mkstemp(path));
	check_lines();
	unlink(path);
	return check_done();
}
