/** Milliseconds that a watch may be kept waiting for more events, while they come one upon the other. */
const together = 1;

/**
 * Waits until everything is done that is ready to be done, for all who wait at the same time: one turn of the event loop or, right after
 * another, as long as a timer at least takes. So a single event is told at once, and of many in a row each watch is told in few pieces: to
 * write to a hundred connections costs more than all that is written.
 *
 * The times are those of the machine whatever clock there is: they are about its work, and nothing that is answered depends on them.
 */
export function createTurns(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    turn ??= new Promise((resolve) => {
      const done = (): void => {
        turn = undefined;
        last = performance.now();
        resolve();
      };
      if (performance.now() - last < 2 * together) setTimeout(done, together);
      else setImmediate(done);
    });
    return turn;
  };
}
