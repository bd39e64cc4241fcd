/** A named check. It fails by throwing. */
export interface Check {
  readonly title: string;
  readonly run: () => Promise<void>;
}

const TIMEOUT_MS = 60_000;

/** Runs checks in sequence, because a check may depend on the writes of the previous ones. Prints the failed checks. */
export async function runChecks(checks: readonly Check[]): Promise<{ passed: number; failed: number }> {
  const counts = { passed: 0, failed: 0 };
  for (const { title, run } of checks) {
    try {
      await withTimeout(run(), title);
      counts.passed += 1;
    } catch (error) {
      counts.failed += 1;
      console.log(`FAILED ${title}\n  ${String((error as Error).stack ?? error).replaceAll('\n', '\n  ')}`);
    }
  }
  return counts;
}

/** Records events in order, and lets a check wait for them. */
export interface Journal<T> {
  readonly entries: readonly T[];
  add(entry: T): void;
  /** Resolves once the entries satisfy the condition. */
  waitFor(condition: (entries: readonly T[]) => boolean): Promise<void>;
}

export function createJournal<T>(): Journal<T> {
  const entries: T[] = [];
  let waiters: (() => void)[] = [];
  return {
    entries,
    add(entry) {
      entries.push(entry);
      const currentWaiters = waiters;
      waiters = [];
      for (const resume of currentWaiters) resume();
    },
    async waitFor(condition) {
      while (!condition(entries)) {
        await new Promise<void>((resolve) => {
          waiters.push(resolve);
        });
      }
    },
  };
}

async function withTimeout(work: Promise<void>, title: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${title}: not finished within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
