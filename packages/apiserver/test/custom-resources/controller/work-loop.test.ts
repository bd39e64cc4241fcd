import { describe, expect, it } from 'vitest';
import { createWorkLoop } from '../../../src/custom-resources/controller/work-loop.ts';
import { createClock } from '../../store/support.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates a work loop whose rounds return the results in order (true: another round is needed) or throw the error. */
function createLoop(roundResults: (boolean | Error)[]) {
  const clock = createClock();
  const failures: unknown[] = [];
  const state = { roundCount: 0 };
  const runRound = async (): Promise<boolean> => {
    state.roundCount += 1;
    const result = roundResults.shift() ?? false;
    if (result instanceof Error) throw result;
    return result;
  };
  return { state, clock, failures, ...createWorkLoop({ runRound, clock, onError: (error) => failures.push(error) }) };
}

describe('createWorkLoop', () => {
  it('runs rounds after the caller returns, until no further round is needed', async () => {
    const loop = createLoop([true, true]);
    loop.trigger();
    loop.trigger();
    expect(loop.state.roundCount).toBe(0);
    await loop.settle();
    expect(loop.state.roundCount).toBe(3);
  });

  it('runs another round if triggered during a round', async () => {
    const roundResults: boolean[] = [];
    const state = { roundCount: 0 };
    const loop = createWorkLoop({
      clock: createClock(),
      runRound: async () => {
        state.roundCount += 1;
        if (state.roundCount === 1) loop.trigger();
        return roundResults.shift() ?? false;
      },
    });
    await loop.settle();
    expect(state.roundCount).toBe(2);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('runs a round if triggered %d microtasks after the previous one', async (microtaskCount) => {
    const loop = createLoop([]);
    loop.trigger();
    for (let i = 0; i < microtaskCount; i += 1) await Promise.resolve();
    const roundsBefore = loop.state.roundCount;
    loop.trigger();
    await nextTurn();
    expect(loop.state.roundCount).toBe(roundsBefore + 1);
  });

  it('reports a failed round and retries it after a delay', async () => {
    const loop = createLoop([new Error('no')]);
    loop.trigger();
    await nextTurn();
    expect(loop.failures).toHaveLength(1);
    expect(loop.clock.scheduled).toBe(1);
    loop.clock.advance(1000);
    await nextTurn();
    expect(loop.state.roundCount).toBe(2);
    expect(loop.clock.scheduled).toBe(0);
  });

  it('rejects settle if a round fails', async () => {
    await expect(createLoop([new Error('no')]).settle()).rejects.toThrow('no');
  });

  it('stops after the maximum number of rounds if every round needs another', async () => {
    const loop = createLoop(Array.from({ length: 5_000 }, () => true));
    await loop.settle();
    expect(loop.state.roundCount).toBe(1_000);
  });

  it('runs no rounds after close', async () => {
    const loop = createLoop([new Error('no')]);
    loop.trigger();
    await nextTurn();
    loop.close();
    expect(loop.clock.scheduled).toBe(0);
    loop.trigger();
    await nextTurn();
    expect(loop.state.roundCount).toBe(1);
  });
});
