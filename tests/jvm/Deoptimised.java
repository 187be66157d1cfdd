import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/* Frames that are deoptimised while a method that they called runs: dig(), compiled when Base has one class below it, has
 * that class's work inlined.  While a deep recursion of dig() is at its end, another thread loads a second class, for which
 * none of those frames' code is right.  Until the program's input ends, below the recursion:
 *
 *     Digger.run > (Digger.dig > Digger.middle) * 41 > End2.end > Digger.burn
 *
 * Each turn has its own classes, as a method that has met two classes is compiled for two. */
public class Deoptimised {
	static volatile boolean ended;

	static class Loader extends ClassLoader {
		@Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			Class<?> c = findLoadedClass(name);

			if (!name.startsWith("Deoptimised$Digger"))
				return super.loadClass(name, resolve);
			if (c != null)
				return c;
			ByteArrayOutputStream out = new ByteArrayOutputStream();
			try (InputStream in = Deoptimised.class.getResourceAsStream("/" + name + ".class")) {
				for (int b; (b = in.read()) >= 0;)
					out.write(b);
			} catch (IOException e) {
				throw new ClassNotFoundException(name, e);
			}
			return defineClass(name, out.toByteArray(), 0, out.size());
		}
	}

	public static class Digger implements Runnable {
		static final int DEPTH = 40;
		static long sink;
		static volatile int rounds = 1;

		abstract static class Base {
			abstract long work(int n);
		}

		static class First extends Base {
			long work(int n) { return n * 31 ^ n >>> 3; }
		}

		static class Second extends Base {
			long work(int n) { return n; }
		}

		/* Three classes: a call that is not inlined. */
		interface End {
			long end();
		}

		static class End0 implements End {
			public long end() { return burn(rounds); }
		}

		static class End1 implements End {
			public long end() { return 1 + burn(rounds); }
		}

		static class End2 implements End {
			public long end() { return 2 + burn(rounds); }
		}

		static long burn(int count) {
			long x = count;

			for (int i = 0; i < count; i++) {
				for (int k = 0; k < 20000; k++)
					x = x * 6364136223846793005L + (x >>> 13);
			}
			return x;
		}

		static long dig(Base base, int depth, End end) {
			return middle(base, depth, end) + 1;
		}

		static long middle(Base base, int depth, End end) {
			long sum = base.work(depth);

			return depth == 0 ? sum + end.end() : sum + 3 * dig(base, depth - 1, end);
		}

		public void run() {
			End[] ends = { new End0(), new End1(), new End2() };
			Base first = new First();

			for (int i = 0; i < 20000; i++)
				sink += dig(first, DEPTH, ends[i % 3]);
			rounds = 10000;
			new Thread(() -> sink += new Second().work(1)).start();
			sink += dig(first, DEPTH, ends[2]);
		}
	}

	public static void main(String[] args) throws Exception {
		Thread reader = new Thread(() -> {
			try {
				while (System.in.read() >= 0)
					;
			} catch (IOException e) {
				System.err.println(e);
			}
			ended = true;
		});
		reader.setDaemon(true);
		reader.start();
		for (int n = 0; !ended; n++) {
			Class<?> digger = new Loader().loadClass("Deoptimised$Digger");

			((Runnable)digger.getConstructor().newInstance()).run();
			if (n == 0)
				System.out.println("ready");
		}
	}
}
