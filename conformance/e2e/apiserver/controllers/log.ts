/** How often the same failure may be logged: writes that conflict are retried and then succeed. */
const TOLERATED = 5;

/** Problems in a klog log: panics, and failures that recur. */
export function findProblems(log: string): string[] {
  const lines = log.split('\n');
  const panics = lines.filter((line) => /^(?:panic:|goroutine \d+ \[|fatal error:)|Observed a panic/.test(line));
  const failures = Map.groupBy(
    lines.filter((line) => /^[EF]\d{4} /.test(line)),
    kindOf,
  );
  const repeated = [...failures].filter(([, { length }]) => length > TOLERATED);
  return [...panics.slice(0, 5), ...repeated.map(([, all]) => `${all.length} times: ${all[0]}`)];
}

/** A line without its variable parts: time, process, names, numbers. */
function kindOf(line: string): string {
  return line
    .replace(/^[EF]\d{4} [\d:.]+\s+\d+ /, '')
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\d+/g, '0');
}
