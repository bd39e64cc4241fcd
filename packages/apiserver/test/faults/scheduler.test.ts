import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import type { Call } from '../../src/faults/call.ts';
import type { FaultRule } from '../../src/faults/index.ts';
import { createDraw, createFaultScheduler, drawFrom } from '../../src/faults/scheduler.ts';

const update: Call = { verb: 'update', resource: resources.services, namespace: 'shop', name: 'web' };
const get: Call = { ...update, verb: 'get' };
const watch: Call = { verb: 'watch', resource: resources.services };

/** The faults with the 1-based number of their call: "2 conflict". */
function events(rules: readonly FaultRule[], calls: readonly Call[], seed = 1): string[] {
  const scheduler = createFaultScheduler(rules, seed);
  const said: string[] = [];
  calls.forEach((call, index) => {
    scheduler.serverFaults(
      call,
      () => true,
      ({ fault }) => said.push(`${index + 1} ${fault.fault}`),
    );
    scheduler.callFaults(call, ({ fault }) => said.push(`${index + 1} ${fault.fault}`));
  });
  return said;
}

const updates = (count: number): Call[] => new Array<Call>(count).fill(update);

it.each<[FaultRule['when'], number[]]>([
  [undefined, [1]],
  ['once', [1]],
  ['always', [1, 2, 3, 4, 5]],
  [{ nth: 3 }, [3]],
  [{ times: 2 }, [1, 2]],
  [{ nth: 2, times: 3 }, [2, 3, 4]],
  [{ chance: 1, nth: 4 }, [4, 5]],
  [{ chance: 1, times: 2 }, [1, 2]],
  [{ chance: 0 }, []],
])('a rule with when %j applies to calls %j of five', (when, expected) => {
  const rule: FaultRule = { fault: 'conflict', ...(when && { when }) };
  expect(events([rule], updates(5))).toEqual(expected.map((n) => `${n} conflict`));
});

it('a rule counts only calls in its scope', () => {
  const rules: FaultRule[] = [
    { fault: 'conflict', when: { nth: 2 } },
    { fault: 'timeout', verbs: ['get'], when: { nth: 2 } },
    { fault: 'unavailable', namespaces: ['other'], when: 'always' },
  ];
  expect(events(rules, [get, update, get, update, watch])).toEqual(['3 timeout', '4 conflict']);
});

it('chances depend only on the seed and the rule', () => {
  const rule: FaultRule = { fault: 'conflict', when: { chance: 0.3 } };
  const alone = events([rule], updates(1000), 5);
  expect(events([rule], updates(1000), 5)).toEqual(alone);
  expect(events([rule], updates(1000), 6)).not.toEqual(alone);
  expect(Math.abs(alone.length - 300)).toBeLessThan(60);
  const beside = events([rule, { fault: 'latency', milliseconds: [1, 5], when: { chance: 0.5 } }], updates(1000), 5);
  expect(beside.filter((said) => said.endsWith('conflict'))).toEqual(alone);
});

it('a call gets one answer: the second rule applies to the next call', () => {
  const rules: FaultRule[] = [
    { fault: 'conflict' },
    { fault: 'timeout', when: { times: 2 } },
    { fault: 'latency', milliseconds: 5, when: 'always' },
  ];
  expect(events(rules, updates(4))).toEqual(['1 conflict', '1 latency', '2 timeout', '2 latency', '3 timeout', '3 latency', '4 latency']);
});

it('latencies add up, and a range yields a random value', () => {
  const scheduler = createFaultScheduler(
    [
      { fault: 'latency', milliseconds: 5 },
      { fault: 'latency', milliseconds: [1, 3] },
    ],
    1,
  );
  const noted: number[] = [];
  const verdict = scheduler.callFaults(update, ({ fault }) => noted.push((fault as { readonly milliseconds: number }).milliseconds));
  expect(noted[0]).toBe(5);
  expect([1, 2, 3]).toContain(noted[1]);
  expect(verdict).toEqual({ latency: 5 + (noted[1] as number) });
  expect(scheduler.callFaults(update, () => undefined)).toBeUndefined();
});

it('a watch can be dropped and stalled, each by the first matching rule', () => {
  const scheduler = createFaultScheduler(
    [
      { fault: 'dropWatch', afterEvents: 3, when: 'always' },
      { fault: 'dropWatch', afterEvents: 1, when: 'always' },
      { fault: 'stallWatch', afterEvents: 2, when: 'always' },
    ],
    1,
  );
  expect(scheduler.callFaults(watch, () => undefined)).toEqual({
    latency: 0,
    drop: { fault: 'dropWatch', afterEvents: 3 },
    stall: { fault: 'stallWatch', afterEvents: 2 },
  });
});

it('the fault expired applies only to watches from a resourceVersion', () => {
  const rule: FaultRule = { fault: 'expired' };
  expect(events([rule], [watch, { ...watch, resourceVersion: '0' }, { ...watch, resourceVersion: '' }])).toEqual([]);
  expect(events([rule], [watch, { ...watch, resourceVersion: '7' }])).toEqual(['2 expired']);
});

it('only restart rules apply while the server is down', () => {
  const scheduler = createFaultScheduler(
    [
      { fault: 'compact', when: { nth: 2 } },
      { fault: 'restart', when: { nth: 3 } },
    ],
    1,
  );
  const said: string[] = [];
  for (const up of [true, false, false, true])
    scheduler.serverFaults(
      get,
      () => up,
      ({ fault, nth }) => said.push(`${fault.fault} ${nth}`),
    );
  expect(said).toEqual(['restart 3', 'compact 2']);
});

it('a call that crashes the server beforehand does not count for later rules', () => {
  const rules: FaultRule[] = [
    { fault: 'dropWatches', when: { nth: 2 } },
    { fault: 'crash', at: 'before', verbs: ['get'], when: { times: 2 } },
  ];
  const scheduler = createFaultScheduler(rules, 1);
  const said: string[] = [];
  for (let call = 1; call <= 5; call++) {
    let up = true;
    scheduler.serverFaults(
      get,
      () => up,
      ({ fault, nth }) => {
        said.push(`${call}: ${fault.fault} ${nth}`);
        up = fault.fault !== 'crash';
      },
    );
  }
  expect(said).toEqual(['1: crash 1', '2: crash 1', '4: dropWatches 2']);
});

it('a crash before a call is a server fault, not an answer', () => {
  expect(createFaultScheduler([{ fault: 'crash', at: 'before' }], 1).callFaults(update, () => undefined)).toBeUndefined();
  expect(createFaultScheduler([{ fault: 'crash' }], 1).callFaults(get, () => undefined)).toBeUndefined();
  expect(createFaultScheduler([{ fault: 'crash' }], 1).callFaults(update, () => undefined)).toMatchObject({ answer: { fault: 'crash' } });
});

const first = (seed: number, stream: number, count: number): number[] => {
  const draw = createDraw(seed, stream);
  return Array.from({ length: count }, draw);
};

it('draws depend only on seed and stream', () => {
  expect(first(7, 0, 5)).toEqual(first(7, 0, 5));
  const beginnings = [first(7, 0, 2), first(7, 1, 2), first(8, 0, 2), first(7 + 2 ** 32, 0, 2)].map(String);
  expect(new Set(beginnings).size).toBe(4);
});

it('draws are uniform from 0 to below 1', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const number of first(1, 3, 10_000)) tenths[Math.floor(number * 10)] = (tenths[Math.floor(number * 10)] as number) + 1;
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

it('a range of integers yields integers with both ends included', () => {
  const draw = createDraw(5, 0);
  const whole = Array.from({ length: 200 }, () => drawFrom([2, 4], draw));
  expect(new Set(whole)).toEqual(new Set([2, 3, 4]));
  const broken = Array.from({ length: 200 }, () => drawFrom([0.5, 1], draw));
  expect(broken.every((number) => number >= 0.5 && number < 1)).toBe(true);
  expect(drawFrom(9, draw)).toBe(9);
});
