/** An observer that never throws: its failure must not stop the work that it observes. Without one, nothing is called. */
export const safeObserver =
  <Args extends readonly unknown[]>(observer: ((...args: Args) => void) | undefined): ((...args: Args) => void) =>
  (...args) => {
    try {
      observer?.(...args);
    } catch {
      // Nothing is left that could report it.
    }
  };
