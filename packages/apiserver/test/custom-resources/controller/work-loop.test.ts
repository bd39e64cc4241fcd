import { describe, expect, it } from 'vitest';
import { createWorkLoop } from '../../../src/custom-resources/controller/work-loop.ts';
import { createClock } from '../../store/support.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A follower whose rounds yield the given results: whether there is more to do, or an error. */
function follow(answers: (boolean | Error)[]) {
  const clock = createClock();
  const failures: unknown[] = [];
  const state = { rounds: 0 };
  const round = async (): Promise<boolean> => {
    state.rounds += 1;
    const answer = answers.shift() ?? false;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { state, clock, failures, ...createWorkLoop({ round, clock, failed: (error) => failures.push(error) }) };
}

describe('createFollower', () => {
  it('runs rounds until nothing is left, after the caller returns', async () => {
    const follower = follow([true, true]);
    follower.trigger();
    follower.trigger();
    expect(follower.state.rounds).toBe(0);
    await follower.settle();
    expect(follower.state.rounds).toBe(3);
  });

  it('runs another round if triggered during a round', async () => {
    const answers: boolean[] = [];
    const state = { rounds: 0 };
    const follower = createWorkLoop({
      clock: createClock(),
      round: async () => {
        state.rounds += 1;
        if (state.rounds === 1) follower.trigger();
        return answers.shift() ?? false;
      },
    });
    await follower.settle();
    expect(state.rounds).toBe(2);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('runs a round if triggered %d microtasks after the previous one', async (steps) => {
    const follower = follow([]);
    follower.trigger();
    for (let i = 0; i < steps; i += 1) await Promise.resolve();
    const before = follower.state.rounds;
    follower.trigger();
    await turn();
    expect(follower.state.rounds).toBe(before + 1);
  });

  it('reports a failed round and retries it after a delay', async () => {
    const follower = follow([new Error('no')]);
    follower.trigger();
    await turn();
    expect(follower.failures).toHaveLength(1);
    expect(follower.clock.scheduled).toBe(1);
    follower.clock.advance(1000);
    await turn();
    expect(follower.state.rounds).toBe(2);
    expect(follower.clock.scheduled).toBe(0);
  });

  it('rejects settle if a round fails', async () => {
    await expect(follow([new Error('no')]).settle()).rejects.toThrow('no');
  });

  it('stops after a maximum of rounds if there is always more to do', async () => {
    const follower = follow(Array.from({ length: 5_000 }, () => true));
    await follower.settle();
    expect(follower.state.rounds).toBe(1_000);
  });

  it('runs no rounds after close', async () => {
    const follower = follow([new Error('no')]);
    follower.trigger();
    await turn();
    follower.close();
    expect(follower.clock.scheduled).toBe(0);
    follower.trigger();
    await turn();
    expect(follower.state.rounds).toBe(1);
  });
});
