/* pool: what the names of the threads of a pool have in common: all but the number at their end.
 *
 *     java-8513/dw-20            java-8513/dw-*
 *     pool-1-thread-7            pool-1-thread-*    (pool 2 is another one)
 *     GC Thread#3                GC Thread#*
 *     conn-7f3a9c, io-0x1f       conn-*, io-*       (hexadecimal: behind 0x, or six digits behind a
 *                                                    '-', '_', '#', '@' or blank)
 *
 * Names become one only when there are several: "python3" alone stays. */
#ifndef CORE_POOL_H
#define CORE_POOL_H

#include <stddef.h>

/* How much of name stands before the number at its end; 0: it has none, or is nothing else. */
size_t pool_len(const char *name, size_t len);

#endif
