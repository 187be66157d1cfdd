/* How rows of a store are printed: threads by their own names, frames at the leaf. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/regexp.h"
#include "ship/fetching.h"
#include "ship/native.h"
#include "tests/unit/check.h"

static char printed[4096];

static void add_text(struct hashed_texts *t, int hash, const char *text)
{
	struct str row = { 0 };
	char bytes[SIP_BYTES];

	memset(bytes, hash, sizeof(bytes));
	str_add(&row, bytes, sizeof(bytes));
	native_text(&row, text, strlen(text));
	texts_take(t, row.buf, row.len);
	str_free(&row);
}

static void add_row(struct str *rows, int labels, int stack, uint64_t value)
{
	char hash[SIP_BYTES];

	memset(hash, labels, sizeof(hash));
	str_add(rows, hash, sizeof(hash));
	memset(hash, stack, sizeof(hash));
	str_add(rows, hash, sizeof(hash));
	str_add(rows, (const char *)&value, sizeof(value));
}

/* The output for all labels with all stacks, without the order of definitions. */
static void print(const struct fetch *f)
{
	static const char *const labels[] = {
		"comm=a\tpid=java-10\ttid=pool-1-thread-7-10/12\tthread=java-10/pool-1-thread-7\tfile=x",
		"comm=b\tpid=java-10\ttid=b 2-1/2-10/13\tthread=java-10/b 2-1/2",
		"comm=pool-1-thread-7\tfile=y;z",
	};
	static const char *const stacks[] = { "main;read", "main;--;wake_[w]", "--;wake_[w]", "" };
	struct fetching g = { .f = f, .values = 1 };
	struct str rows = { 0 };
	FILE *file = tmpfile();
	int out = dup(STDOUT_FILENO);
	bool fine;
	size_t len;

	fetching_roots(&g);
	if (f->threads)
		g.threads = regexp_compile(f->threads, "--threads");
	g.chooses = f->threads;
	for (int i = 0; i < 3; i++)
		add_text(&g.labels, i + 1, labels[i]);
	for (int i = 0; i < 4; i++)
		add_text(&g.stacks, i + 1, stacks[i]);
	for (int l = 1; l <= 3; l++) {
		for (int s = 1; s <= 4; s++)
			add_row(&rows, l, s, (uint64_t)(10 * l + s));
	}
	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	fine = fetching_take(&g, rows.buf, 33) && fetching_take(&g, rows.buf + 33, rows.len - 33);
	fetching_flush(&g);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	CHECK(fine);
	rewind(file);
	len = fread(printed, 1, sizeof(printed) - 1, file);
	printed[len] = '\0';
	fclose(file);
	texts_free(&g.labels);
	texts_free(&g.stacks);
	intern_free(&g.defined);
	intern_free(&g.leafed);
	regexp_free(g.threads);
	free(g.labels_wanted);
	str_free(&g.value);
	str_free(&g.leaf);
	str_free(&g.line);
	str_free(&g.text);
	str_free(&g.rest);
	str_free(&rows);
}

static bool has(const char *line)
{
	return strstr(printed, line) != NULL;
}

int main(void)
{
	struct fetch f = { .root = "comm" };

	program_begin("fetch");
	print(&f);
	CHECK(has("s 0 main;read\n") && has("s 1 main;--;wake_[w]\n") && has("s 2 --;wake_[w]\n") && has("s 3 \n"));
	CHECK(has("l 0 comm=a\n") && has("- 0 0 11\n") && has("- 2 3 34\n"));

	f.threads = "^pool-1-thread-\\d+$"; /* without tid, comm has to do */
	print(&f);
	CHECK(has("l 0 comm=a\n") && has("l 1 comm=pool-1-thread-7\n") && !has("comm=b"));
	CHECK(has("- 0 0 11\n") && !has(" 21\n") && has("- 1 3 34\n"));
	f.threads = "^b 2-1/2$";
	print(&f);
	CHECK(has("l 0 comm=b\n") && !has("comm=a") && !has("comm=pool"));

	f = (struct fetch){ .root = "comm", .leaf = "file" };
	print(&f);
	CHECK(has("s 0 main;read;x\n") && has("main;x;--;wake_[w]\n") && has(" x;--;wake_[w]\n") && has("s 3 x\n"));
	CHECK(has("s 4 main;read\n") && has("s 5 main;--;wake_[w]\n"));
	CHECK(has(" main;read;y;z\n") && has(" y;z;--;wake_[w]\n") && has(" y;z\n"));
	CHECK(!has("file="));
	f.no_stack = false;
	f.leaf = "file,comm";
	f.root = "none";
	print(&f);
	CHECK(has("s 0 main;read;x;a\n") && has("l 0 \n"));
	return check_done();
}
