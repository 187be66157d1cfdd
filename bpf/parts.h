/* parts: the time of something that a thread goes through, by enum recording_reason. */
#ifndef BPF_PARTS_H
#define BPF_PARTS_H

/* A power of two above RECORDING_REASON_OTHER.  Later reasons are those of requests to devices, except for
 * RECORDING_REASON_THROTTLED, which is here: */
enum { PARTS = 8, PART_THROTTLED = 7 };

#endif
