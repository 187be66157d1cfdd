/* pool: the common part of the names of a pool's threads: all but the number at the end.
 *
 *     java-8513/dw-20            java-8513/dw-*
 *     pool-1-thread-7            pool-1-thread-*    (pool 2 is a different one)
 *     GC Thread#3                GC Thread#*
 *     conn-7f3a9c, io-0x1f       conn-*, io-*       (hexadecimal: after 0x, or six digits after a
 *                                                    '-', '_', '#', '@' or blank)
 *
 * Names are merged only if there are several: a single "python3" stays. */
#ifndef CORE_POOL_H
#define CORE_POOL_H

#include <stddef.h>

/* The length of name without the number at its end; 0: it has none, or is only a number. */
size_t pool_len(const char *name, size_t len);

#endif
