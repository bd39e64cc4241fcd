import type { FaultRule } from '@kube-endpoints/apiserver';
import type { Pod } from 'kube-endpoints/types';
import { describe, expect, it } from 'vitest';
import { createFixture, createSeededRandom, formatPods } from './fixture.ts';

const oneInTen = { chance: 0.1 };
const rules: readonly FaultRule[] = [
  { fault: 'dropWatch', afterEvents: [0, 6], when: oneInTen },
  { fault: 'dropWatch', afterMilliseconds: [0, 60_000], broken: true, when: oneInTen },
  { fault: 'stallWatch', afterEvents: [0, 6], forMilliseconds: [1000, 900_000], when: oneInTen },
  { fault: 'stallWatch', afterEvents: [0, 6], when: { chance: 0.03 } },
  { fault: 'expired', when: oneInTen },
  { fault: 'tooManyRequests', retryAfterSeconds: 3, when: oneInTen },
  { fault: 'internalError', when: oneInTen },
  { fault: 'unavailable', when: oneInTen },
  { fault: 'timeout', when: oneInTen },
  { fault: 'latency', milliseconds: [1, 90_000], when: oneInTen },
  { fault: 'compact', when: oneInTen },
  { fault: 'crash', verbs: ['watch', 'list'], downMilliseconds: [100, 20_000], when: { chance: 0.02 } },
];

/** Changes a few pods under every kind of fault, then waits until the cache equals the server. */
async function runChurn(seed: number): Promise<void> {
  const draw = createSeededRandom(seed);
  const fixture = await createFixture({ seed, rules, informer: { random: draw, pageSize: 2, watchList: draw() < 0.5 ? 'auto' : 'never' } });
  const { informer, clock, faults } = fixture;
  const reportedPods = new Map<string, Pod>();
  informer.listen((event, key) => {
    const previous = reportedPods.get(key);
    // Each event has to follow from the previous one of the object.
    expect(event.old, faults.report()).toBe(event.type === 'updated' ? previous : undefined);
    if (event.type === 'added') expect(previous, faults.report()).toBeUndefined();
    if (event.type === 'deleted') {
      expect(event.object, faults.report()).toBe(previous);
      reportedPods.delete(key);
    } else reportedPods.set(key, event.object);
  });
  await fixture.start();
  for (let step = 0; step < 60; step++) {
    const name = `p-${Math.floor(draw() * 6)}`;
    const exists = (await fixture.formatServerPods()).includes(`${name}=`);
    if (!exists) await fixture.create(name);
    else if (draw() < 0.5) await fixture.label(name, String(step));
    else await fixture.remove(name);
    if (draw() < 0.5) await clock.pass(draw() * 20_000);
    if (step % 20 === 19) clock.set(draw() * Date.UTC(2040, 0, 1));
  }
  await settleDown(fixture);
  expect(fixture.formatCachedPods(), faults.report()).toBe(await fixture.formatServerPods());
  expect(formatPods([...reportedPods.values()])).toBe(fixture.formatCachedPods());
  fixture.controller.abort();
  await clock.pass(5000);
  expect(informer.state).toBe('stopped');
}

/** Waits up to four hours: random faults continue, but a later attempt succeeds. */
async function settleDown({ clock, formatCachedPods, formatServerPods }: Awaited<ReturnType<typeof createFixture>>): Promise<void> {
  const expected = await formatServerPods();
  for (let minute = 0; minute < 240 && formatCachedPods() !== expected; minute++) await clock.pass(60_000);
}

describe('an informer under every fault', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'follows the server, and reports events that add up to the cached state (seed %i)',
    runChurn,
  );
});
