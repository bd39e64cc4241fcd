/** How an iteration ends: with an error, where there is one. */
export interface Ending {
  readonly error?: unknown;
}

/** Those who asked for the next value, first come, first served. */
export interface Queue<T> {
  readonly asks: number;
  readonly ended: boolean;
  ask(): Promise<IteratorResult<T>>;
  answer(value: T): void;
  /** The first who asked, or who asks next, is told the error; the others that it is over. */
  end(ending: Ending): void;
}

export function createQueue<T>(): Queue<T> {
  const asks: Ask<T>[] = [];
  let ending: Ending | undefined;
  const settle = (): void => {
    while (ending && asks.length > 0) {
      const { resolve, reject } = asks.shift() as Ask<T>;
      if ('error' in ending) reject(ending.error);
      else resolve({ done: true, value: undefined });
      ending = {};
    }
  };
  return {
    get asks() {
      return asks.length;
    },
    get ended() {
      return ending !== undefined;
    },
    ask: () =>
      new Promise((resolve, reject) => {
        asks.push({ resolve, reject });
        settle();
      }),
    answer: (value) => asks.shift()?.resolve({ done: false, value }),
    end(how) {
      ending ??= how;
      settle();
    },
  };
}

interface Ask<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}
