/* Calls what is compiled by a way that it knows, and ends by itself, at work. */
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

public class Ends {
	static volatile long sink;

	static void maths() {
		double sum = 0;

		for (int i = 0; i < 500; i++)
			sum += Math.sin(i) + Math.pow(i, 1.3) + Math.exp(-i / 1000.0);
		sink = (long)sum;
	}

	static void sums() {
		long sum = 0;

		for (int i = 0; i < 200; i++)
			sum = sum * 31 + i;
		sink = sum;
	}

	public static void main(String[] arguments) {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		Runnable[] all = { () -> maths(), () -> sums(), () -> sums(), () -> maths() };
		long wanted = Long.parseLong(arguments[0]) * 1000000; /* of CPU time */
		long used = 0;

		while (threads.getCurrentThreadCpuTime() < wanted) {
			for (Runnable one : all) { /* at the same depth, something else is called between */
				long begin = threads.getCurrentThreadCpuTime();

				for (int i = 0; i < 3; i++)
					one.run();
				used += threads.getCurrentThreadCpuTime() - begin;
			}
		}
		System.out.println(used);
	}
}
