/**
 * Waits until everything is done that is ready to be done, for all who wait at the same time: one turn of the event loop or, right after
 * another, the longer the more were told that time. So a single event is told at once, and of many in a row each watch is told in few
 * pieces: to write to a hundred connections costs more than all that is written, and those who write are to have their half of the time.
 *
 * The times are those of the machine whatever clock there is: they are about its work, and nothing that is answered depends on them.
 */
export function createTurns(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let pause = shortest;
  return () => {
    waiting++;
    turn ??= new Promise((resolve) => {
      const done = (): void => {
        pause = Math.min(Math.max(shortest, Math.round(waiting * forEach)), longest);
        waiting = 0;
        turn = undefined;
        last = performance.now();
        resolve();
      };
      // A timer that is due comes before what is set immediate, even if that was set before it.
      if (performance.now() - last < 2 * pause) setTimeout(() => setImmediate(done), pause);
      else setImmediate(done);
    });
    return turn;
  };
}

/** Milliseconds that a watch may be kept waiting for more events, while they come one upon the other. */
const shortest = 1;
const longest = 20;
/** For each who was told: several times what it takes to write to one. */
const forEach = 0.1;
