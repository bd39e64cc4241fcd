/** A named check. It fails by throwing. */
export interface Check {
  readonly what: string;
  readonly run: () => Promise<void>;
}

const TIMEOUT_MS = 60_000;

/** Runs checks in sequence, because each may build on the writes of the previous one, and prints those that fail. */
export async function runChecks(checks: readonly Check[]): Promise<{ passed: number; failed: number }> {
  const counts = { passed: 0, failed: 0 };
  for (const { what, run } of checks) {
    try {
      await withTimeout(run(), what);
      counts.passed += 1;
    } catch (error) {
      counts.failed += 1;
      console.log(`FAILED ${what}\n  ${String((error as Error).stack ?? error).replaceAll('\n', '\n  ')}`);
    }
  }
  return counts;
}

/** Records events in order, and waits for them. */
export interface Journal<T> {
  readonly entries: readonly T[];
  note(entry: T): void;
  /** Resolves once the entries satisfy the condition. */
  until(such: (entries: readonly T[]) => boolean): Promise<void>;
}

export function createJournal<T>(): Journal<T> {
  const entries: T[] = [];
  let waiting: (() => void)[] = [];
  return {
    entries,
    note(entry) {
      entries.push(entry);
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    async until(such) {
      while (!such(entries)) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
    },
  };
}

async function withTimeout(work: Promise<void>, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
