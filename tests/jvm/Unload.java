import java.io.ByteArrayOutputStream;
import java.io.InputStream;

/* Classes that come and go: each turn loads Unload$Turn anew, runs it until it is compiled, drops it, and
 * has the collector unload it.  Until the input ends; then says how it went. */
public class Unload {
	static volatile boolean over;
	static volatile int turns;

	public static class Turn implements Runnable {
		static long grind(int seed) {
			byte[][] garbage = new byte[64][];
			long sum = 0;

			for (int i = 0; i < 4000; i++) {
				garbage[i & 63] = new byte[256];
				sum += garbage[seed & 63] == null ? seed : i;
			}
			return sum;
		}

		public void run() {
			long sum = 0;

			for (int i = 0; i < 300; i++)
				sum += grind(i);
			if (sum == 42)
				throw new IllegalStateException();
		}
	}

	static class Once extends ClassLoader {
		Once() {
			super(Unload.class.getClassLoader());
		}

		Class<?> define(byte[] bytes) {
			return defineClass("Unload$Turn", bytes, 0, bytes.length);
		}
	}

	static byte[] bytesOf(String file) throws Exception {
		ByteArrayOutputStream out = new ByteArrayOutputStream();

		try (InputStream in = Unload.class.getResourceAsStream(file)) {
			for (int b; (b = in.read()) >= 0;)
				out.write(b);
		}
		return out.toByteArray();
	}

	static void unload() {
		try {
			byte[] bytes = bytesOf("Unload$Turn.class");

			while (!over) {
				((Runnable) new Once().define(bytes).getDeclaredConstructor().newInstance()).run();
				if (++turns % 8 == 0)
					System.gc();
			}
		} catch (Exception e) {
			e.printStackTrace();
		}
	}

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(Unload::unload, "unloader");

		t.start();
		while (turns < 3)
			Thread.sleep(1);
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
		over = true;
		t.join();
		System.out.println("found 1");
	}
}
