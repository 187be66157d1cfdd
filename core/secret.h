/* secret: addresses of stores, which may have a password or a token in them: "http://user:password@host/path?token=...".
 * Everybody on a machine can read command lines, and recordings keep them. */
#ifndef CORE_SECRET_H
#define CORE_SECRET_H

#include "core/str.h"

/* The variable with which our programs pass an address to each other.  It is used only if it is the same as the
 * argument, apart from the part that is hidden there. */
#define SECRET_ADDRESS "PYROGRAPH_SHIP_ADDRESS"

/* The address that an argument gives; "@FILE": the first line of FILE.  The secret part of the argument itself is
 * overwritten with 'x'.  Returns new memory, or exits 2 after a message. */
char *secret_address(char *argument);

/* Pass the address to the program that is started next, unless the argument contains all of it. */
void secret_pass(const char *address, const char *argument);

/* Append an address without its secret parts, for messages. */
void secret_show(const char *address, struct str *out);

#endif
