/* A library that is linked lazily, as the messaging library of the seeds was: the function that it needs once in a while
 * is bound when it is called first. */
int late_yield(void);

int lbm_poll(int idle);
int lbm_poll(int idle)
{
	return idle ? late_yield() + 1 : 0; /* not the last thing that is done: else a jump would do */
}
