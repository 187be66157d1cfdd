/* demangle_limit: recognises mangled names that are too costly.
 *
 * A mangled name can refer back to parts of itself, which may contain references as well: 200 letters
 * can stand for gigabytes of text, or for minutes of work without any text.  Any program may contain
 * such a symbol, so we recognise them before libiberty sees them.  No compiler's names come near these
 * limits. */
#ifndef CORE_SYMBOLS_NAMES_DEMANGLE_LIMIT_H
#define CORE_SYMBOLS_NAMES_DEMANGLE_LIMIT_H

#include <stdbool.h>

/* Is the name too costly to demangle?  name is from C++ (and has at most a few thousand letters) or D. */
bool demangle_cxx_explodes(const char *name);
bool demangle_d_explodes(const char *name);

#endif
