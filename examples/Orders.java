import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/* A service that reads orders, sums them up, and writes a report: what of it makes the garbage?
 * Orders SECONDS */
public class Orders {
	static class Order {
		final String customer, article;
		final int count;

		Order(String customer, String article, int count) {
			this.customer = customer;
			this.article = article;
			this.count = count;
		}
	}

	static String receive(int number) {
		return "customer-" + number % 97 + ";article-" + number % 13 + ";" + number % 7;
	}

	static Order parse(String line) {
		String[] fields = line.split(";");
		return new Order(fields[0], fields[1], Integer.parseInt(fields[2]));
	}

	static Map<String, Integer> sum(List<Order> orders) {
		Map<String, Integer> sums = new HashMap<>();
		for (Order o : orders)
			sums.merge(o.customer + "/" + o.article, o.count, Integer::sum);
		return sums;
	}

	static String report(Map<String, Integer> sums) {
		String text = "";
		int lines = 0;
		for (Map.Entry<String, Integer> e : sums.entrySet()) {
			text += e.getKey() + " " + e.getValue() + "\n"; /* each line copies all of those before */
			if (++lines == 40)
				break;
		}
		return text;
	}

	static void serve(long end) {
		int number = 0;
		while (System.nanoTime() < end) {
			List<Order> orders = new ArrayList<>();
			for (int i = 0; i < 200; i++)
				orders.add(parse(receive(number++)));
			if (report(sum(orders)).isEmpty())
				throw new IllegalStateException();
		}
	}

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L;
		ExecutorService pool = Executors.newFixedThreadPool(2);
		for (int i = 0; i < 2; i++)
			pool.submit(() -> serve(end));
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.HOURS);
	}
}
