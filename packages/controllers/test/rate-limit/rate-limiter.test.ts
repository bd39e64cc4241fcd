import { describe, expect, it, test } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../src/rate-limit/index.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';
import { createBucketCases } from './golden/cases.ts';

const setup = (options: { qps?: number; burst?: number } = {}) => {
  const clock = createClock();
  const limiter = createRateLimiter({ clock, ...options });
  const sent: string[] = [];
  const send = (name: string, signal?: AbortSignal): Promise<void> =>
    limiter.wait(signal).then(
      () => void sent.push(`${name} at ${clock.elapsed()}`),
      (error: Error) => void sent.push(`${name} fails at ${clock.elapsed()}: ${error.message}`),
    );
  return { clock, limiter, sent, send };
};

describe('a rate limiter', () => {
  it('sends the burst at once and the rest one token at a time, in the order of the calls', async () => {
    const { clock, sent, send } = setup({ qps: 10, burst: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) void send(name);
    await clock.pass(1000);
    expect(sent).toEqual(['a at 0', 'b at 0', 'c at 100', 'd at 200', 'e at 300']);
    expect(clock.scheduled).toBe(0);
  });

  it('refills while idle, up to the burst', async () => {
    const { clock, sent, send } = setup({ qps: 10, burst: 2 });
    void send('a');
    void send('b');
    await clock.pass(60_000);
    for (const name of ['c', 'd', 'e']) void send(name);
    await clock.pass(1000);
    expect(sent).toEqual(['a at 0', 'b at 0', 'c at 60000', 'd at 60000', 'e at 60100']);
  });

  it('gives the token of the last waiting request back if it is aborted, and keeps the place of an earlier one', async () => {
    const { clock, sent, send } = setup({ qps: 10, burst: 1 });
    const [first, last] = [new AbortController(), new AbortController()];
    void send('a');
    void send('b', first.signal);
    void send('c');
    void send('d', last.signal);
    first.abort(new Error('stopped'));
    last.abort(new Error('stopped'));
    void send('e');
    await clock.pass(1000);
    expect(sent).toEqual(['a at 0', 'b fails at 0: stopped', 'd fails at 0: stopped', 'c at 200', 'e at 300']);
    expect(clock.scheduled).toBe(0);
  });

  it('takes no token for a signal that is already aborted', async () => {
    const { limiter, sent, send } = setup({ burst: 2 });
    await send('a', AbortSignal.abort(new Error('too late')));
    expect(sent).toEqual(['a fails at 0: too late']);
    expect(limiter.saturation).toBe(0);
  });

  it('leaves no listener on a signal that outlives the request', async () => {
    const { clock, send } = setup({ qps: 10, burst: 1 });
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    signal.addEventListener = (_type: string, listener: unknown) => void listeners.add(listener);
    signal.removeEventListener = (_type: string, listener: unknown) => void listeners.delete(listener);
    void send('a');
    void send('b', signal);
    expect(listeners.size).toBe(1);
    await clock.pass(1000);
    expect(listeners.size).toBe(0);
  });

  it('waits again if a timer fires too early', async () => {
    let scheduled: () => void = () => undefined;
    let elapsed = 0;
    const schedule = (callback: () => void): { cancel(): void } => {
      scheduled = callback;
      return { cancel: () => undefined };
    };
    const limiter = createRateLimiter({ qps: 10, burst: 1, clock: { now: () => 0, elapsed: () => elapsed, schedule } });
    let isSent = false;
    await limiter.wait();
    void limiter.wait().then(() => {
      isSent = true;
    });
    elapsed = 99.5;
    scheduled();
    await flushPromises();
    expect(isSent).toBe(false);
    elapsed = 100;
    scheduled();
    await flushPromises();
    expect(isSent).toBe(true);
  });

  it('has a saturation of more than 1 while requests wait', async () => {
    const { clock, limiter, send } = setup({ qps: 10, burst: 2 });
    expect(limiter.saturation).toBe(0);
    void send('a');
    expect(limiter.saturation).toBe(0.5);
    for (const name of ['b', 'c', 'd']) void send(name);
    expect(limiter.saturation).toBe(2);
    await clock.pass(1000);
    expect(limiter.saturation).toBe(0);
  });
});

/** Sends requests at the times of the golden cases without cancellations, and returns when each was sent, in milliseconds. */
async function sendAll(limiter: RateLimiter, clock: ManualClock, times: readonly number[]): Promise<number[]> {
  const sentAt: number[] = [];
  for (const time of times) {
    await clock.pass(time - clock.elapsed());
    const index = sentAt.push(Number.NaN) - 1;
    void limiter.wait().then(() => {
      sentAt[index] = clock.elapsed();
    });
  }
  await clock.pass(1e9);
  return sentAt;
}

test('requests are sent at the next millisecond after the time that client-go computes', async () => {
  const cases = createBucketCases().filter(({ steps }) => steps.every(({ cancel }) => cancel === undefined));
  expect(cases.length).toBeGreaterThan(20);
  for (const { qps, burst, steps } of cases) {
    const clock = createClock();
    const times = steps.map(({ at }) => Math.round(at / 1e6));
    const sentAt = await sendAll(createRateLimiter({ qps, burst, clock }), clock, times);
    // The formula of a token bucket in exact arithmetic: each request takes the first free token.
    let [tokens, last] = [burst, 0];
    const expected = times.map((time) => {
      tokens = Math.min(burst, tokens + ((time - last) / 1000) * qps) - 1;
      last = time;
      return tokens < 0 ? time - (tokens / qps) * 1000 : time;
    });
    for (const [index, time] of expected.entries()) {
      expect((sentAt[index] as number) - time).toBeGreaterThan(-0.01);
      expect((sentAt[index] as number) - time).toBeLessThan(1.01);
    }
  }
});

test.each([
  [{ qps: 0 }, 'qps is 0: give a number greater than 0'],
  [{ qps: Number.POSITIVE_INFINITY }, 'qps is Infinity: give a number greater than 0'],
  [{ qps: '20' as unknown as number }, 'qps is "20": give a number greater than 0'],
  [{ burst: 0 }, 'burst is 0: give a whole number of at least 1'],
  [{ burst: 1.5 }, 'burst is 1.5: give a whole number of at least 1'],
])('%j is refused: %s', (options, message) => {
  expect(() => createRateLimiter(options)).toThrow(new RangeError(message));
});
