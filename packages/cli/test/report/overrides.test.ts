import { createOverrides, type OverrideRule } from '@kube-endpoints/overrides';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { applyRules, computeWrites, reportOverrides, toWrites } from '../../src/report/overrides.ts';
import { endpoints, inventoryOf, plain, pod, service, slice } from '../objects.ts';

const now = new Date('2026-07-01T12:00:00Z');
const given = inventoryOf({
  services: [service('web')],
  pods: [pod('a', 'web', '10.0.0.1')],
  endpoints: [endpoints('web', [{ addresses: [{ ip: '10.0.0.1', targetRef: { kind: 'Pod', name: 'a' } }, { ip: '10.0.0.2' }] }])],
});

function report(rule: Omit<OverrideRule, 'name'>) {
  const overrides = createOverrides({ rules: [{ name: 'rule', ...rule }] });
  return reportOverrides(applyRules(overrides, toWrites(given, undefined), given, now), overrides);
}

test('rules can match the pods of the input', () => {
  const { found, text } = report({ addresses: { podLabels: 'app=web' }, action: { keepOut: {} } });
  expect(found).toBe(true);
  expect(text(plain)).toContain('  rule: KeptOut: 10.0.0.1 is shown as not ready');
  expect(text(plain)).not.toContain('  rule: KeptOut: 10.0.0.2 is shown as not ready');
});

test('a refusal counts as found and leaves the object unchanged', () => {
  const { found, text, data } = report({ action: { refuse: { forbidden: ['10.0.0.2'] } } });
  expect(found).toBe(true);
  expect(text(plain).at(-1)).toBe('1 object, 1 rule: 1 refused.');
  expect(data()).toMatchObject({ items: [{ state: 'refused', refused: { code: 'Refused' }, patch: [] }] });
});

test('an audit rule counts as nothing found', () => {
  expect(report({ mode: 'audit', action: { keepOut: {} } }).found).toBe(false);
});

describe('slices of one Service', () => {
  const at = (ip: string, ready = true) => ({ addresses: [ip], conditions: { ready } });
  const readyIn = ({ overridden: { object } }: ReturnType<typeof applyRules>[number]): string[] =>
    ((object as EndpointSliceInput).endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready)
      .flatMap(({ addresses }) => addresses ?? []);
  const rulesKeeping = (atLeast: number | string): OverrideRule[] => [
    { name: 'out', action: { keepOut: {} } },
    { name: 'keep', action: { keepReady: { atLeast } } },
  ];
  const keeping = (atLeast: number | string) => createOverrides({ rules: rulesKeeping(atLeast) });
  const two = inventoryOf({
    slices: [slice('web-1', 'web', { endpoints: [at('10.0.0.1')] }), slice('web-2', 'web', { endpoints: [at('10.0.0.2')] })],
  });

  test('are reviewed in order, each with the results of those before', () => {
    const all = applyRules(keeping(1), toWrites(two, two), two, now);
    expect(all.map(readyIn)).toEqual([[], ['10.0.0.2']]);
    expect(all[1]?.overridden.decisions.at(-1)?.message).toBe('10.0.0.2 is kept ready: 1 of 2 addresses must be ready');
  });

  test('count as stored until they are written', () => {
    const empty = inventoryOf({ slices: two.slices.map((each) => ({ ...each, endpoints: [] })) });
    const all = applyRules(keeping(1), toWrites(two, empty), { ...two, slices: empty.slices }, now);
    expect(all.map(readyIn)).toEqual([['10.0.0.1'], []]);
  });

  test('count even before they have a name', () => {
    const pods = Array.from({ length: 150 }, (_, location) => pod(`p${location}`, 'web', `10.0.${location >> 7}.${(location % 128) + 1}`));
    const computed = inventoryOf({ services: [service('web')], pods });
    const writes = computeWrites(computed, undefined, '1.36').filter(({ kind }) => kind === 'EndpointSlice');
    const all = applyRules(keeping(60), writes, computed, now);
    expect(all).toHaveLength(2);
    expect(all.flatMap(readyIn)).toHaveLength(60);
    expect(all.flatMap(({ overridden }) => overridden.decisions.map(({ code }) => code))).not.toContain('TooFewToKeepReady');
  });

  test('count as stored if their write is refused', () => {
    const fence = { name: 'fence', action: { refuse: { forbidden: ['10.0.0.1'] } } };
    const overrides = createOverrides({ rules: [fence, ...rulesKeeping(1)] });
    expect(applyRules(overrides, toWrites(two, two), two, now).map(readyIn)).toEqual([['10.0.0.1'], []]);
    const none = inventoryOf({});
    const [first, second] = applyRules(overrides, toWrites(two, none), none, now);
    expect(first?.overridden.state).toBe('refused');
    expect(readyIn(second as NonNullable<typeof second>)).toEqual(['10.0.0.2']);
  });
});
