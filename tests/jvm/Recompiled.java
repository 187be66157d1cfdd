import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/* Methods that are compiled again and again: each turn is a thread "turn0007" in which call() meets a new class,
 * Work0007, for which the code that was made of it, with the work of the classes before inlined, is thrown away.
 *
 *     turn > call > Work0007.work > burn          Recompiled TURNS MS */
public class Recompiled {
	static volatile long sink;

	public abstract static class Base {
		public abstract long work(int n);
	}

	static class Loader extends ClassLoader {
		Class<?> define(String name, byte[] bytes) {
			return defineClass(name, bytes, 0, bytes.length);
		}
	}

	static byte[] readTemplate() throws Exception {
		ByteArrayOutputStream out = new ByteArrayOutputStream();

		try (InputStream in = Recompiled.class.getResourceAsStream("/Work0000.class")) {
			for (int b; (b = in.read()) >= 0;)
				out.write(b);
		}
		return out.toByteArray();
	}

	public static long burn(int n) {
		long x = n;

		for (int i = 0; i < 50; i++)
			x = x * 6364136223846793005L + (x >>> 13);
		return x;
	}

	static long call(Base base, int n) {
		return base.work(n) + 1;
	}

	static void turn(Base base, long ns) {
		long end = System.nanoTime() + ns, sum = 0;

		while (System.nanoTime() < end) {
			for (int i = 0; i < 1000; i++)
				sum += call(base, i);
		}
		sink = sum;
	}

	public static void main(String[] args) throws Exception {
		String template = new String(readTemplate(), StandardCharsets.ISO_8859_1);
		long ns = Long.parseLong(args[1]) * 1000000;

		for (int i = 1; i <= Integer.parseInt(args[0]); i++) {
			String name = String.format("Work%04d", i);
			byte[] bytes = template.replace("Work0000", name).getBytes(StandardCharsets.ISO_8859_1);
			Base base = (Base) new Loader().define(name, bytes).getConstructor().newInstance();
			Thread thread = new Thread(() -> turn(base, ns), String.format("turn%04d", i));

			thread.start();
			thread.join();
		}
	}
}
