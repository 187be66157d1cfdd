#include "core/secret.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/memory.h"

/* Where the host begins: after "scheme://". */
static size_t host_at(const char *address)
{
	const char *slashes = strstr(address, "://");

	return slashes ? (size_t)(slashes - address) + 3 : 0;
}

/* The length of "user:password@" at that place; 0: there is none. */
static size_t user_len(const char *host)
{
	const char *at = memrchr(host, '@', strcspn(host, "/?#"));

	return at ? (size_t)(at - host) + 1 : 0;
}

void secret_show(const char *address, struct str *out)
{
	size_t host = host_at(address);
	const char *shown = address + host + user_len(address + host);

	str_add(out, address, host);
	str_add(out, shown, strcspn(shown, "?#"));
}

/* In the address of a database (core/format/shipping.h), the text after '?' chooses hosts and times. */
static bool is_database(const char *address)
{
	return !strncmp(address, "http", 4) || !strncmp(address, "clickhouse", 10);
}

static void hide(char *address)
{
	size_t host = host_at(address), user = user_len(address + host), query = strcspn(address, "?#");

	if (user)
		memset(address + host, 'x', user - 1);
	if (address[query] && !is_database(address))
		memset(address + query + 1, 'x', strlen(address + query + 1));
}

static char *read_address(const char *path)
{
	struct lines lines = { .fd = -1 };
	char *text, *address = NULL;
	size_t len;

	if (lines_open(&lines, path) < 0)
		exit(2);
	if (lines_next(&lines, &text, &len) && len && !memchr(text, '\0', len))
		address = xstrndup(text, len);
	lines_close(&lines);
	if (!address)
		die_usage("%s: has no address in its first line", path);
	return address;
}

static bool are_same(const char *a, const char *b)
{
	struct str x = { 0 }, y = { 0 };
	bool same;

	secret_show(a, &x);
	secret_show(b, &y);
	same = !strcmp(str_text(&x), str_text(&y));
	str_free(&x);
	str_free(&y);
	return same;
}

char *secret_address(char *argument)
{
	const char *passed = getenv(SECRET_ADDRESS);
	char *address;

	if (argument[0] == '@')
		return read_address(argument + 1);
	address = xstrdup(passed && are_same(passed, argument) ? passed : argument);
	unsetenv(SECRET_ADDRESS);
	hide(argument);
	return address;
}

void secret_pass(const char *address, const char *argument)
{
	if (argument[0] != '@' && strcmp(address, argument) != 0)
		setenv(SECRET_ADDRESS, address, 1);
}
