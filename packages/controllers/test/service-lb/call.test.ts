import { CloudError } from 'kube-endpoints/load-balancer';
import { describe, expect, test } from 'vitest';
import { OwnershipLost } from '../../src/controllers/failures.ts';
import { createMaker, type Maker, NoAnswer } from '../../src/service-lb/calls.ts';
import { Ending } from '../../src/service-lb/claims.ts';
import { createLead } from '../controllers/world.ts';
import { createClock, type ManualClock } from '../queue/clock.ts';

const service = { metadata: { uid: 'u1' } };

interface Bench extends Maker {
  readonly clock: ManualClock;
  readonly ownership: ReturnType<typeof createLead>;
  readonly doubted: string[];
}

function bench(): Bench {
  const clock = createClock();
  const ownership = createLead(true);
  const doubted: string[] = [];
  return { clock, ownership, doubted, ...createMaker({ clock, ownership }, (key) => void doubted.push(key)) };
}

const call = (act: (signal: AbortSignal) => Promise<unknown>, more: object = {}) => ({
  key: 'a/b',
  milliseconds: 1000,
  changes: service,
  act,
  ...more,
});
const never = (): Promise<never> => new Promise(() => {});

describe('a call', () => {
  test('gives its answer, or its own error, and leaves no doubt', async () => {
    const { make, doubted, clock } = bench();
    expect(await make(call(async () => 'done'))).toBe('done');
    await expect(make(call(() => Promise.reject(new CloudError('Failed', 'no'))))).rejects.toThrow('no');
    expect(doubted).toEqual([]);
    expect(clock.scheduled).toBe(0);
  });

  test('that breaks on the way may have arrived, which leaves a doubt', async () => {
    const { make, doubted } = bench();
    await expect(make(call(() => Promise.reject(new Error('connection reset'))))).rejects.toThrow('connection reset');
    expect(doubted).toEqual(['a/b']);
  });

  test('that is not answered in time is given up, which leaves a doubt where it changes something', async () => {
    const { make, doubted, clock } = bench();
    const ends = [make(call(never)), make(call(never, { key: 'a/c', changes: undefined }))].map((made) =>
      made.catch((error: unknown) => error),
    );
    await clock.pass(1000);
    expect(await Promise.all(ends)).toEqual([new NoAnswer(1000), new NoAnswer(1000)]);
    expect(String(await ends[0])).toBe('NoAnswer: no answer within 1 s');
    expect(doubted).toEqual(['a/b']);
  });

  test('is not made for a Service of another replica, and given up when it becomes one', async () => {
    const { make, release, ownership, doubted } = bench();
    const signals: AbortSignal[] = [];
    const hanging = make(
      call((signal) => {
        signals.push(signal);
        return never();
      }),
    );
    const shared = make(call(async () => 'list', { shared: true }));
    release();
    expect(signals[0]?.aborted).toBe(false);
    ownership.lead(false);
    release();
    await expect(hanging).rejects.toBeInstanceOf(OwnershipLost);
    expect(signals[0]?.aborted).toBe(true);
    expect(doubted).toEqual(['a/b']);
    expect(await shared).toBe('list');
    await expect(make(call(never))).rejects.toBeInstanceOf(OwnershipLost);
    expect(doubted).toHaveLength(1);
  });

  test('is given up in the end, and no other begins', async () => {
    const { make, end } = bench();
    const hanging = make(call(never));
    end();
    await expect(hanging).rejects.toBeInstanceOf(Ending);
    await expect(make(call(async () => 'late'))).rejects.toBeInstanceOf(Ending);
  });
});
