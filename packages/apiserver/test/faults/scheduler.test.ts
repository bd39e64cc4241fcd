import { resources } from 'kube-endpoints/port';
import { expect, it } from 'vitest';
import type { Call } from '../../src/faults/call.ts';
import type { FaultRule } from '../../src/faults/index.ts';
import { createFaultScheduler, createRandomSource, drawFrom } from '../../src/faults/scheduler.ts';

const updateCall: Call = { verb: 'update', resource: resources.services, namespace: 'shop', name: 'web' };
const getCall: Call = { ...updateCall, verb: 'get' };
const watchCall: Call = { verb: 'watch', resource: resources.services };

/** Runs the calls. @returns the injected faults with the 1-based number of their call: "2 conflict" */
function injectFaults(rules: readonly FaultRule[], calls: readonly Call[], seed = 1): string[] {
  const scheduler = createFaultScheduler(rules, seed);
  const injectedFaults: string[] = [];
  calls.forEach((call, index) => {
    scheduler.evaluateServerFaults(
      call,
      () => true,
      ({ fault }) => injectedFaults.push(`${index + 1} ${fault.fault}`),
    );
    scheduler.evaluateCallFaults(call, ({ fault }) => injectedFaults.push(`${index + 1} ${fault.fault}`));
  });
  return injectedFaults;
}

const createUpdateCalls = (count: number): Call[] => new Array<Call>(count).fill(updateCall);

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
  expect(injectFaults([rule], createUpdateCalls(5))).toEqual(expected.map((n) => `${n} conflict`));
});

it('nth counts only calls in the scope of the rule', () => {
  const rules: FaultRule[] = [
    { fault: 'conflict', when: { nth: 2 } },
    { fault: 'timeout', verbs: ['get'], when: { nth: 2 } },
    { fault: 'unavailable', namespaces: ['other'], when: 'always' },
  ];
  expect(injectFaults(rules, [getCall, updateCall, getCall, updateCall, watchCall])).toEqual(['3 timeout', '4 conflict']);
});

it('which calls a rule with a chance affects depends only on the seed and the rule', () => {
  const rule: FaultRule = { fault: 'conflict', when: { chance: 0.3 } };
  const faultsOfRule = injectFaults([rule], createUpdateCalls(1000), 5);
  expect(injectFaults([rule], createUpdateCalls(1000), 5)).toEqual(faultsOfRule);
  expect(injectFaults([rule], createUpdateCalls(1000), 6)).not.toEqual(faultsOfRule);
  expect(Math.abs(faultsOfRule.length - 300)).toBeLessThan(60);
  const faultsWithSecondRule = injectFaults(
    [rule, { fault: 'latency', milliseconds: [1, 5], when: { chance: 0.5 } }],
    createUpdateCalls(1000),
    5,
  );
  expect(faultsWithSecondRule.filter((fault) => fault.endsWith('conflict'))).toEqual(faultsOfRule);
});

it('a call gets one answer; the rule after it applies to the next call', () => {
  const rules: FaultRule[] = [
    { fault: 'conflict' },
    { fault: 'timeout', when: { times: 2 } },
    { fault: 'latency', milliseconds: 5, when: 'always' },
  ];
  expect(injectFaults(rules, createUpdateCalls(4))).toEqual([
    '1 conflict',
    '1 latency',
    '2 timeout',
    '2 latency',
    '3 timeout',
    '3 latency',
    '4 latency',
  ]);
});

it('latencies add up, and a range yields a random value', () => {
  const scheduler = createFaultScheduler(
    [
      { fault: 'latency', milliseconds: 5 },
      { fault: 'latency', milliseconds: [1, 3] },
    ],
    1,
  );
  const latencies: number[] = [];
  const faults = scheduler.evaluateCallFaults(updateCall, ({ fault }) =>
    latencies.push((fault as { readonly milliseconds: number }).milliseconds),
  );
  expect(latencies[0]).toBe(5);
  expect([1, 2, 3]).toContain(latencies[1]);
  expect(faults).toEqual({ latency: 5 + (latencies[1] as number) });
  expect(scheduler.evaluateCallFaults(updateCall, () => undefined)).toBeUndefined();
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
  expect(scheduler.evaluateCallFaults(watchCall, () => undefined)).toEqual({
    latency: 0,
    drop: { fault: 'dropWatch', afterEvents: 3 },
    stall: { fault: 'stallWatch', afterEvents: 2 },
  });
});

it('the fault expired applies only to watches from a resourceVersion', () => {
  const rule: FaultRule = { fault: 'expired' };
  expect(injectFaults([rule], [watchCall, { ...watchCall, resourceVersion: '0' }, { ...watchCall, resourceVersion: '' }])).toEqual([]);
  expect(injectFaults([rule], [watchCall, { ...watchCall, resourceVersion: '7' }])).toEqual(['2 expired']);
});

it('only restart rules apply while the server is down', () => {
  const scheduler = createFaultScheduler(
    [
      { fault: 'compact', when: { nth: 2 } },
      { fault: 'restart', when: { nth: 3 } },
    ],
    1,
  );
  const injectedFaults: string[] = [];
  for (const isUp of [true, false, false, true])
    scheduler.evaluateServerFaults(
      getCall,
      () => isUp,
      ({ fault, nth }) => injectedFaults.push(`${fault.fault} ${nth}`),
    );
  expect(injectedFaults).toEqual(['restart 3', 'compact 2']);
});

it('a call that crashes the server beforehand does not count for later rules', () => {
  const rules: FaultRule[] = [
    { fault: 'dropWatches', when: { nth: 2 } },
    { fault: 'crash', at: 'before', verbs: ['get'], when: { times: 2 } },
  ];
  const scheduler = createFaultScheduler(rules, 1);
  const injectedFaults: string[] = [];
  for (let call = 1; call <= 5; call++) {
    let isUp = true;
    scheduler.evaluateServerFaults(
      getCall,
      () => isUp,
      ({ fault, nth }) => {
        injectedFaults.push(`${call}: ${fault.fault} ${nth}`);
        isUp = fault.fault !== 'crash';
      },
    );
  }
  expect(injectedFaults).toEqual(['1: crash 1', '2: crash 1', '4: dropWatches 2']);
});

it('a crash before a call is a server fault, not an answer', () => {
  expect(createFaultScheduler([{ fault: 'crash', at: 'before' }], 1).evaluateCallFaults(updateCall, () => undefined)).toBeUndefined();
  expect(createFaultScheduler([{ fault: 'crash' }], 1).evaluateCallFaults(getCall, () => undefined)).toBeUndefined();
  expect(createFaultScheduler([{ fault: 'crash' }], 1).evaluateCallFaults(updateCall, () => undefined)).toMatchObject({
    answer: { fault: 'crash' },
  });
});

const drawNumbers = (seed: number, stream: number, count: number): number[] => {
  const draw = createRandomSource(seed, stream);
  return Array.from({ length: count }, draw);
};

it('random numbers depend only on seed and stream', () => {
  expect(drawNumbers(7, 0, 5)).toEqual(drawNumbers(7, 0, 5));
  const sequences = [drawNumbers(7, 0, 2), drawNumbers(7, 1, 2), drawNumbers(8, 0, 2), drawNumbers(7 + 2 ** 32, 0, 2)].map(String);
  expect(new Set(sequences).size).toBe(4);
});

it('random numbers are uniformly distributed from 0 to below 1', () => {
  const histogram = new Array<number>(10).fill(0);
  for (const number of drawNumbers(1, 3, 10_000)) histogram[Math.floor(number * 10)] = (histogram[Math.floor(number * 10)] as number) + 1;
  for (const count of histogram) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

it('a range of integers yields integers including both ends; other ranges yield fractions', () => {
  const draw = createRandomSource(5, 0);
  const integers = Array.from({ length: 200 }, () => drawFrom([2, 4], draw));
  expect(new Set(integers)).toEqual(new Set([2, 3, 4]));
  const fractions = Array.from({ length: 200 }, () => drawFrom([0.5, 1], draw));
  expect(fractions.every((number) => number >= 0.5 && number < 1)).toBe(true);
  expect(drawFrom(9, draw)).toBe(9);
});
