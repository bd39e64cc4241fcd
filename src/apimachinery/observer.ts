/** Wraps an optional observer so that it never throws: its failure must not stop the observed work. */
export const safeObserver =
  <Args extends readonly unknown[]>(observer: ((...args: Args) => void) | undefined): ((...args: Args) => void) =>
  (...args) => {
    try {
      observer?.(...args);
    } catch {
      // no other observer could report the failure
    }
  };
