import type { FaultRule } from '@kube-endpoints/apiserver';
import type { Pod } from 'kube-endpoints/types';
import { describe, expect, it } from 'vitest';
import { createDraws, createWorld, say } from './world.ts';

const sometimes = { chance: 0.1 };
const rules: readonly FaultRule[] = [
  { fault: 'dropWatch', afterEvents: [0, 6], when: sometimes },
  { fault: 'dropWatch', afterMilliseconds: [0, 60_000], broken: true, when: sometimes },
  { fault: 'stallWatch', afterEvents: [0, 6], forMilliseconds: [1000, 900_000], when: sometimes },
  { fault: 'stallWatch', afterEvents: [0, 6], when: { chance: 0.03 } },
  { fault: 'expired', when: sometimes },
  { fault: 'tooManyRequests', retryAfterSeconds: 3, when: sometimes },
  { fault: 'internalError', when: sometimes },
  { fault: 'unavailable', when: sometimes },
  { fault: 'timeout', when: sometimes },
  { fault: 'latency', milliseconds: [1, 90_000], when: sometimes },
  { fault: 'compact', when: sometimes },
  { fault: 'crash', verbs: ['watch', 'list'], downMilliseconds: [100, 20_000], when: { chance: 0.02 } },
];

/** Changes a few pods under every kind of fault, then waits until the faults are over. */
async function churn(seed: number): Promise<void> {
  const draw = createDraws(seed);
  const world = await createWorld({ seed, rules, informer: { random: draw, pageSize: 2, watchList: draw() < 0.5 ? 'auto' : 'never' } });
  const { informer, clock, faults } = world;
  const reported = new Map<string, Pod>();
  informer.listen((event, key) => {
    const known = reported.get(key);
    // Each event has to follow from the previous one of the object.
    expect(event.old, faults.report()).toBe(event.type === 'updated' ? known : undefined);
    if (event.type === 'added') expect(known, faults.report()).toBeUndefined();
    if (event.type === 'deleted') {
      expect(event.object, faults.report()).toBe(known);
      reported.delete(key);
    } else reported.set(key, event.object);
  });
  await world.start();
  for (let step = 0; step < 60; step++) {
    const name = `p-${Math.floor(draw() * 6)}`;
    const there = (await world.stored()).includes(`${name}=`);
    if (!there) await world.create(name);
    else if (draw() < 0.5) await world.label(name, String(step));
    else await world.remove(name);
    if (draw() < 0.5) await clock.pass(draw() * 20_000);
    if (step % 20 === 19) clock.set(draw() * Date.UTC(2040, 0, 1));
  }
  await settleDown(world);
  expect(world.cached(), faults.report()).toBe(await world.stored());
  expect(say([...reported.values()])).toBe(world.cached());
  world.controller.abort();
  await clock.pass(5000);
  expect(informer.state).toBe('stopped');
}

/** Faults occur at random without end; a failed attempt is made up for by the next one. */
async function settleDown({ clock, cached, stored }: Awaited<ReturnType<typeof createWorld>>): Promise<void> {
  const wanted = await stored();
  for (let minute = 0; minute < 240 && cached() !== wanted; minute++) await clock.pass(60_000);
}

describe('an informer under every fault', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('follows the server, and its events add up (seed %i)', churn);
});
