import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/* Classes that come and go: each turn is a thread "turn0007" that runs Victim0007.spin, whose class has a loader of its
 * own, and is unloaded some turns later: then others take its place in memory.  Churn TURNS MS [EVERY]: classes are
 * unloaded after EVERY turns, 20. */
public class Churn {
	static final int KEPT = 10; /* turns that a class outlives its own: samples of it have been looked at by then */

	static class Loader extends ClassLoader {
		Class<?> define(String name, byte[] bytes) {
			return defineClass(name, bytes, 0, bytes.length);
		}
	}

	static byte[] readTemplate() throws Exception {
		ByteArrayOutputStream out = new ByteArrayOutputStream();

		try (InputStream in = Churn.class.getResourceAsStream("/Victim0000.class")) {
			for (int b; (b = in.read()) >= 0;)
				out.write(b);
		}
		return out.toByteArray();
	}

	static byte[] rename(byte[] template, String name) {
		String text = new String(template, StandardCharsets.ISO_8859_1).replace("Victim0000", name);

		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	static void turn(byte[] template, int number, long ms, Object[] kept) throws Exception {
		String name = String.format("Victim%04d", number);
		Class<?> victim = new Loader().define(name, rename(template, name));
		Method spin = victim.getMethod("spin", long.class);
		spin.setAccessible(true);
		Thread thread = new Thread(() -> {
			try {
				spin.invoke(null, ms * 1000000);
			} catch (ReflectiveOperationException e) {
				throw new RuntimeException(e);
			}
		}, String.format("turn%04d", number));

		kept[number % kept.length] = victim;
		thread.start();
		thread.join();
	}

	public static void main(String[] args) throws Exception {
		byte[] template = readTemplate();
		Object[] kept = new Object[KEPT];
		int every = args.length > 2 ? Integer.parseInt(args[2]) : 20;

		for (int i = 1; i <= Integer.parseInt(args[0]); i++) {
			turn(template, i, Long.parseLong(args[1]), kept);
			if (i % every == 0)
				System.gc();
		}
	}
}

class Victim0000 {
	public static void spin(long ns) {
		long end = System.nanoTime() + ns;
		int n = 0;

		while (System.nanoTime() < end)
			n += work(n);
		if (n == 42)
			System.out.println(n);
	}

	static int work(int n) {
		for (int i = 0; i < 1000; i++)
			n = n * 31 + i;
		return n;
	}
}
