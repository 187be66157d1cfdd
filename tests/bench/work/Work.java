// Work: keeps two named threads busy for the given seconds with what Java
// programs do: maps, sorting, streams, text, recursion, garbage.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Work {
    static final List<String> names = IntStream.range(0, 3000)
            .mapToObj(i -> "name" + (i * 7919) % 3001).collect(Collectors.toList());
    static volatile long sink;

    interface Shape { double area(); }
    record Square(double side) implements Shape { public double area() { return side * side; } }
    record Circle(double r) implements Shape { public double area() { return Math.PI * r * r; } }

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    static long words() {
        Map<String, Integer> count = new HashMap<>();
        for (String name : names)
            count.merge(name.substring(0, 5), 1, Integer::sum);
        return count.size();
    }

    static long streams() {
        return names.stream().filter(n -> n.hashCode() % 3 != 0).map(String::toUpperCase)
                .collect(Collectors.groupingBy(String::length, Collectors.counting())).size();
    }

    static long sorting() {
        List<String> copy = new ArrayList<>(names);
        copy.sort((a, b) -> b.compareTo(a));
        return copy.get(0).length();
    }

    static double shapes() {
        double sum = 0;
        for (int i = 0; i < 20000; i++) {
            Shape shape = i % 2 == 0 ? new Square(i) : new Circle(i);
            sum += shape.area();
        }
        return sum;
    }

    static long text() {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < 200; i++)
            line.append(String.format("%d;%s;%x ", i, names.get(i), i * 31));
        return line.toString().split("[; ]+").length;
    }

    static void serve(long end) {
        while (System.nanoTime() < end)
            sink += words() + streams() + sorting() + (long) shapes() + text() + fib(20);
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        Thread other = new Thread(() -> serve(end), "request-handler");
        other.start();
        serve(end);
        other.join();
    }
}
