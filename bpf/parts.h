/* parts: the time of something that a thread goes through, by enum recording_reason. */
#ifndef BPF_PARTS_H
#define BPF_PARTS_H

enum { PARTS = 8 }; /* RECORDING_REASON_COUNT, rounded up to a power of two */

#endif
