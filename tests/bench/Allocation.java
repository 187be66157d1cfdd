import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/* Makes 20 million small arrays for each line of its input, and prints the CPU time of one, in ns. */
public class Allocation {
	static final int COUNT = 20000000;
	static volatile Object sink;

	static void loop() {
		for (int i = 0; i < COUNT; i++)
			sink = new int[4];
	}

	public static void main(String[] args) throws Exception {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();

		for (int i = 0; i < 5; i++)
			loop();
		System.out.println("ready");
		for (int c; (c = System.in.read()) >= 0;) {
			long start = threads.getCurrentThreadCpuTime();
			if (c != '\n')
				continue;
			loop();
			System.out.println((threads.getCurrentThreadCpuTime() - start) / (double) COUNT);
		}
	}
}
