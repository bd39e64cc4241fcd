import { createOverrides, type OverrideRule } from '@kube-endpoints/overrides';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { applyRules, computeWrites, reportOverrides, toWrites } from '../../src/report/overrides.ts';
import { endpoints, inventoryOf, plainStyle, pod, service, slice } from '../objects.ts';

const now = new Date('2026-07-01T12:00:00Z');
const input = inventoryOf({
  services: [service('web')],
  pods: [pod('a', 'web', '10.0.0.1')],
  endpoints: [endpoints('web', [{ addresses: [{ ip: '10.0.0.1', targetRef: { kind: 'Pod', name: 'a' } }, { ip: '10.0.0.2' }] }])],
});

function report(rule: Omit<OverrideRule, 'name'>) {
  const overrides = createOverrides({ rules: [{ name: 'rule', ...rule }] });
  return reportOverrides(applyRules(overrides, toWrites(input, undefined), input, now), overrides);
}

test('rules can match the pods of the input', () => {
  const { hasFindings, text } = report({ addresses: { podLabels: 'app=web' }, action: { keepOut: {} } });
  expect(hasFindings).toBe(true);
  expect(text(plainStyle)).toContain('  rule: KeptOut: 10.0.0.1 is shown as not ready');
  expect(text(plainStyle)).not.toContain('  rule: KeptOut: 10.0.0.2 is shown as not ready');
});

test('a refusal is reported as a finding and leaves the object unchanged', () => {
  const { hasFindings, text, data } = report({ action: { refuse: { forbidden: ['10.0.0.2'] } } });
  expect(hasFindings).toBe(true);
  expect(text(plainStyle).at(-1)).toBe('1 object, 1 rule: 1 refused.');
  expect(data()).toMatchObject({ items: [{ state: 'refused', refused: { code: 'Refused' }, patch: [] }] });
});

test('an audit rule is not reported as a finding', () => {
  expect(report({ mode: 'audit', action: { keepOut: {} } }).hasFindings).toBe(false);
});

describe('slices of one Service', () => {
  const endpointAt = (ip: string, ready = true) => ({ addresses: [ip], conditions: { ready } });
  const readyAddressesIn = ({ result: { object } }: ReturnType<typeof applyRules>[number]): string[] =>
    ((object as EndpointSliceInput).endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready)
      .flatMap(({ addresses }) => addresses ?? []);
  const rulesKeeping = (atLeast: number | string): OverrideRule[] => [
    { name: 'out', action: { keepOut: {} } },
    { name: 'keep', action: { keepReady: { atLeast } } },
  ];
  const overridesKeeping = (atLeast: number | string) => createOverrides({ rules: rulesKeeping(atLeast) });
  const twoSlices = inventoryOf({
    slices: [
      slice('web-1', 'web', { endpoints: [endpointAt('10.0.0.1')] }),
      slice('web-2', 'web', { endpoints: [endpointAt('10.0.0.2')] }),
    ],
  });

  test('are reviewed in order, each with the results of the previous reviews', () => {
    const reviews = applyRules(overridesKeeping(1), toWrites(twoSlices, twoSlices), twoSlices, now);
    expect(reviews.map(readyAddressesIn)).toEqual([[], ['10.0.0.2']]);
    expect(reviews[1]?.result.decisions.at(-1)?.message).toBe('10.0.0.2 is kept ready: 1 of 2 addresses must be ready');
  });

  test('count for keepReady as stored until they are written', () => {
    const empty = inventoryOf({ slices: twoSlices.slices.map((slice) => ({ ...slice, endpoints: [] })) });
    const reviews = applyRules(overridesKeeping(1), toWrites(twoSlices, empty), { ...twoSlices, slices: empty.slices }, now);
    expect(reviews.map(readyAddressesIn)).toEqual([['10.0.0.1'], []]);
  });

  test('count for keepReady even before they have a name', () => {
    const pods = Array.from({ length: 150 }, (_, i) => pod(`p${i}`, 'web', `10.0.${i >> 7}.${(i % 128) + 1}`));
    const computed = inventoryOf({ services: [service('web')], pods });
    const writes = computeWrites(computed, undefined, { version: '1.36' }).filter(({ kind }) => kind === 'EndpointSlice');
    const reviews = applyRules(overridesKeeping(60), writes, computed, now);
    expect(reviews).toHaveLength(2);
    expect(reviews.flatMap(readyAddressesIn)).toHaveLength(60);
    expect(reviews.flatMap(({ result }) => result.decisions.map(({ code }) => code))).not.toContain('TooFewToKeepReady');
  });

  test('count for keepReady as stored if their write is refused', () => {
    const refuseRule = { name: 'refuse', action: { refuse: { forbidden: ['10.0.0.1'] } } };
    const overrides = createOverrides({ rules: [refuseRule, ...rulesKeeping(1)] });
    expect(applyRules(overrides, toWrites(twoSlices, twoSlices), twoSlices, now).map(readyAddressesIn)).toEqual([['10.0.0.1'], []]);
    const empty = inventoryOf({});
    const [first, second] = applyRules(overrides, toWrites(twoSlices, empty), empty, now);
    expect(first?.result.state).toBe('refused');
    expect(readyAddressesIn(second as NonNullable<typeof second>)).toEqual(['10.0.0.2']);
  });
});
