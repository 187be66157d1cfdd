/* A virtual thread (JDK 21) that blocks again and again, deep in methods that do not return. */
public class Blocks {
	static volatile long sink;

	static void handle() { parse(); }
	static void parse() { work(); }

	static void work() {
		for (;;) {
			long sum = 0;

			for (long i = 0; i < 3000000; i++)
				sum += i * 31 ^ sum >>> 3;
			sink = sum;
			try {
				Thread.sleep(1);
			} catch (InterruptedException e) {
				return;
			}
		}
	}

	public static void main(String[] arguments) throws Exception {
		Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable)Blocks::handle);
		Thread.sleep(1000); /* until it is compiled */
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
	}
}
