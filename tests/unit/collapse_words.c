/* The word of a command line that tells processes of one program apart: collapse/perfdata/command_words.h. */
#include <string.h>

#include "collapse/perfdata/command_words.h"
#include "tests/unit/check.h"

enum { LONGEST = 12 };

static const struct {
	const char *wanted, *args[LONGEST];
} cases[] = {
	{ "m3.c", { "/usr/lib/gcc/x86_64-linux-gnu/12/cc1", "-quiet", "src/m3.c", "-o", "m3.s" } },
	{ "pack.sh", { "bash", "./pack.sh", "notes.c" } },
	{ "none", { "bash", "-c", "pack.sh" } },
	{ "none", { "gzip", "-9" } },
	{ "shop", { "/usr/bin/rustc", "--crate-name", "shop", "--edition=2021", "shop/src/lib.rs" } },
	{ "lib.rs", { "rustc", "--edition=2021", "shop/src/lib.rs" } },
	{ "example.com/shop",
	  { "/usr/lib/go/pkg/tool/linux_amd64/compile", "-o", "_pkg_.a", "-p", "example.com/shop", "./cart.go" } },
	{ "m3.c", { "cc1", "-p", "m3.c" } },
};

static void looks_for_word(const char *wanted, const char *const *args)
{
	struct command_words words = { 0 };
	char text[1024];
	size_t len = 0;
	const char *got;

	for (size_t i = 0; args[i]; i++) {
		memcpy(text + len, args[i], strlen(args[i]) + 1);
		len += strlen(args[i]) + 1;
	}
	command_words_add(&words, 7, text, len);
	got = command_words_find(&words, 7);
	CHECK_TEXT(got ? got : "none", wanted);
	command_words_free(&words);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		looks_for_word(cases[i].wanted, cases[i].args);
	CHECK(command_words_is_shell("bash"));
	CHECK(!command_words_is_shell("refresh"));
	return check_done();
}
