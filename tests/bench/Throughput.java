import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/* A busy JVM: THREADS threads that parse, sort, hash and print, 20 to 40 frames deep.  For each line of
 * its input it prints how much was done so far and when (ns).  Ends when its input does. */
public class Throughput {
	static final LongAdder done = new LongAdder();

	interface Handler {
		long handle(List<String> words, int depth);
	}

	static long count(List<String> words) {
		Map<String, Integer> counts = new HashMap<>();
		StringBuilder text = new StringBuilder();

		for (String word : words)
			counts.merge(word, 1, Integer::sum);
		counts.entrySet().stream().sorted(Map.Entry.comparingByValue()).limit(20)
			.forEach(e -> text.append(e.getKey()).append('=').append(e.getValue()).append(';'));
		return text.toString().hashCode();
	}

	static long descend(Handler handler, List<String> words, int depth) {
		return depth == 0 ? count(words) : handler.handle(words, depth - 1) + 1;
	}

	static final Handler[] handlers = {
		(words, depth) -> descend(Throughput.handlers[depth % 3], words, depth),
		new Handler() {
			public long handle(List<String> words, int depth) {
				return descend(Throughput.handlers[(depth + 1) % 3], words, depth) ^ 1;
			}
		},
		(words, depth) -> descend(Throughput.handlers[(depth + 2) % 3], words, depth) + words.size(),
	};

	static List<String> words(long seed) {
		List<String> words = new ArrayList<>();
		String line = "";

		for (int i = 0; i < 200; i++) {
			seed = seed * 6364136223846793005L + 1442695040888963407L;
			line += (seed >>> 40) % 97 + " ";
		}
		for (String word : line.split(" "))
			words.add(word);
		return words;
	}

	static void work(int number) {
		for (long i = number; ; i++) {
			if (descend(handlers[(int) (i % 3)], words(i), 12) == 42)
				System.err.println();
			done.increment();
		}
	}

	public static void main(String[] args) throws Exception {
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in));

		for (int i = 0; i < Integer.parseInt(args[0]); i++) {
			int number = i;
			Thread t = new Thread(() -> work(number), "throughput-worker-" + i);

			t.setDaemon(true);
			t.start();
		}
		while (input.readLine() != null) {
			System.out.println(done.sum() + " " + System.nanoTime());
			System.out.flush();
		}
	}
}
