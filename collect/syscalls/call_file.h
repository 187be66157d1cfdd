/* call_file: describes in words what a system call is about: what is behind its descriptor, or its paths. */
#ifndef COLLECT_SYSCALLS_CALL_FILE_H
#define COLLECT_SYSCALLS_CALL_FILE_H

#include "bpf/path.h"
#include "core/str.h"

/* Append a text of one of these forms; nothing if what the call is about is unknown:
 *
 *     /var/log/app.log                          as its process sees it; ".../" before a path that is too long
 *     pipe:[4711]
 *     anon_inode:[eventpoll]
 *     tcp 127.0.0.1:5000->127.0.0.1:40312       udp, and [::1]:5000, likewise; without a peer: udp 0.0.0.0:5000
 *     unix /run/app.sock                        unix @abstract, unix:[4711]
 *     data/old -> data/new                      paths as passed to the call; "..." after a path that is too long
 *     descriptors 3,5,7                         poll(2), select(2), epoll_wait(2) of several; ",... (12)": 12 in all */
void call_file_add(struct str *out, const struct path_record *file);

#endif
