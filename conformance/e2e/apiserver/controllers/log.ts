/** How often the same failure may be logged: conflicts with writes of others are tried again, and then succeed. */
const TOLERATED = 5;

/** What a log of klog tells of that must not be: panics, and failures that come again and again. */
export function troublesIn(log: string): string[] {
  const lines = log.split('\n');
  const panics = lines.filter((line) => /^(?:panic:|goroutine \d+ \[|fatal error:)|Observed a panic/.test(line));
  const failures = Map.groupBy(
    lines.filter((line) => /^[EF]\d{4} /.test(line)),
    kindOf,
  );
  const repeated = [...failures].filter(([, { length }]) => length > TOLERATED);
  return [...panics.slice(0, 5), ...repeated.map(([, all]) => `${all.length} times: ${all[0]}`)];
}

/** A line without what is of one occasion: time, process, names, numbers. */
function kindOf(line: string): string {
  return line
    .replace(/^[EF]\d{4} [\d:.]+\s+\d+ /, '')
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\d+/g, '0');
}
