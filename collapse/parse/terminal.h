/* terminal: text as it was sent to a terminal, with colours and control sequences, as in files of script(1) and in logs
 * of CI. */
#ifndef COLLAPSE_PARSE_TERMINAL_H
#define COLLAPSE_PARSE_TERMINAL_H

#include "collapse/fold/text_stacks.h"

/* If text[0..*len) has escape sequences (ECMA-48), returns a copy without them in plain, and sets *len; otherwise text. */
const char *terminal_plain(const char *text, size_t *len, struct str *plain);

#endif
