/** The same failure may be logged this often, because writes that conflict are retried and then succeed. */
const MAX_REPETITIONS = 5;

/** Finds problems in a klog log: panics, and failures that recur. */
export function findProblems(log: string): string[] {
  const lines = log.split('\n');
  const panics = lines.filter((line) => /^(?:panic:|goroutine \d+ \[|fatal error:)|Observed a panic/.test(line));
  const failures = Map.groupBy(
    lines.filter((line) => /^[EF]\d{4} /.test(line)),
    removeVariableParts,
  );
  const repeatedFailures = [...failures].filter(([, { length }]) => length > MAX_REPETITIONS);
  return [...panics.slice(0, 5), ...repeatedFailures.map(([, group]) => `${group.length} times: ${group[0]}`)];
}

/** Removes the variable parts of a line: time, process, names, numbers. */
function removeVariableParts(line: string): string {
  return line
    .replace(/^[EF]\d{4} [\d:.]+\s+\d+ /, '')
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\d+/g, '0');
}
