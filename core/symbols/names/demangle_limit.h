/* demangle_limit: mangled names that stand for more than they are worth.
 *
 * A mangled name refers back to parts of itself, and such a part may refer back as well: 200 letters
 * can stand for gigabytes of text, or for minutes of work that makes no text.  Anybody's program may have
 * such a symbol, so they are told by looks, before libiberty sees them.  No compiler's names come near
 * these limits. */
#ifndef CORE_SYMBOLS_NAMES_DEMANGLE_LIMIT_H
#define CORE_SYMBOLS_NAMES_DEMANGLE_LIMIT_H

#include <stdbool.h>

/* Is it too costly to demangle?  name is one of C++ (and not longer than a few thousand letters), or of D. */
bool demangle_cxx_explodes(const char *name);
bool demangle_d_explodes(const char *name);

#endif
