#define PCRE2_CODE_UNIT_WIDTH 8
#include "core/regexp.h"

#include <pcre2.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

struct regexp {
	pcre2_code *code;
	pcre2_match_data *match;
};

struct regexp *regexp_compile(const char *pattern, const char *option)
{
	struct regexp *re = xcalloc(1, sizeof(*re));
	PCRE2_UCHAR message[256];
	PCRE2_SIZE place;
	int code;

	re->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code,
				 &place, NULL);
	if (!re->code) {
		pcre2_get_error_message(code, message, sizeof(message));
		die_usage("%s: '%s', character %zu: %s", option, pattern, (size_t)place + 1, (char *)message);
	}
	pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE); /* if this fails: slower, but not wrong */
	re->match = pcre2_match_data_create_from_pattern(re->code, NULL);
	if (!re->match)
		die("out of memory");
	return re;
}

bool regexp_match(const struct regexp *re, const char *text, size_t len)
{
	return pcre2_match(re->code, (PCRE2_SPTR)text, len, 0, 0, re->match, NULL) >= 0;
}

bool regexp_match_any(struct regexp *const *all, const char *text, size_t len)
{
	for (; all && *all; all++) {
		if (regexp_match(*all, text, len))
			return true;
	}
	return false;
}

void regexp_free(struct regexp *re)
{
	if (!re)
		return;
	pcre2_code_free(re->code);
	pcre2_match_data_free(re->match);
	free(re);
}
