import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { heldAnnotation, heldLabel } from '../src/apply/hold-record.ts';
import { createOverrides, type OverrideRule } from '../src/index.ts';
import { address, apply, endpoints, later, noon, picture, podOf, rules, slice } from './support.ts';

const kinds = [
  { kind: 'Endpoints', of: endpoints as (ready: string, notReady?: string, metadata?: object) => EndpointsInput | EndpointSliceInput },
  { kind: 'EndpointSlice', of: slice as (ready: string, notReady?: string, metadata?: object) => EndpointsInput | EndpointSliceInput },
];

describe.each(kinds)('in $kind', ({ of }) => {
  test.each<[string, readonly Partial<OverrideRule>[], [string, string], [string, string] | undefined, string, string[]]>([
    ['keepIn keeps addresses ready that are stored as ready', [{ action: { keepIn: {} } }], ['a', 'bc'], ['b', 'ac'], 'ab/c', ['KeptIn']],
    ['keepIn drops addresses that the writer no longer lists', [{ action: { keepIn: {} } }], ['a', ''], ['ab', ''], 'a/', []],
    ['keepIn adds no address that is not stored', [{ action: { keepIn: {} } }], ['', 'a'], undefined, '/a', []],
    ['keepOut', [{ addresses: { pods: ['b'] }, action: { keepOut: {} } }], ['ab', 'c'], undefined, 'a/bc', ['KeptOut']],
    [
      'keepOut, absent',
      [{ addresses: { pods: ['b', 'c'] }, action: { keepOut: { as: 'absent' } } }],
      ['ab', 'c'],
      undefined,
      'a/',
      ['TakenOut', 'TakenOut'],
    ],
    ['move to ready', [{ action: { move: { to: 'ready' } } }], ['a', 'b'], undefined, 'ab/', ['MovedToReady']],
    ['move to notReady', [{ action: { move: { to: 'notReady' } } }], ['a', 'b'], undefined, '/ab', ['MovedToNotReady']],
    [
      'keepReady takes back what is stored first',
      [{ action: { keepReady: { atLeast: 2 } } }, { action: { keepOut: {} } }],
      ['abc', 'd'],
      ['cd', ''],
      'cd/ab',
      ['KeptOut', 'KeptOut', 'KeptOut', 'KeptReady', 'KeptReady'],
    ],
    [
      'keepReady rounds a share up',
      [{ action: { keepOut: {} } }, { action: { keepReady: { atLeast: '34%' } } }],
      ['abc', ''],
      undefined,
      'ab/c',
      ['KeptOut', 'KeptOut', 'KeptOut', 'KeptReady', 'KeptReady'],
    ],
    ['keepReady invents nothing', [{ action: { keepReady: { atLeast: 1 } } }], ['', 'ab'], undefined, '/ab', ['TooFewToKeepReady']],
    [
      'keepReady keeps listed what would be left out',
      [{ action: { keepOut: { as: 'absent' } } }, { action: { keepReady: { atLeast: 1 } } }],
      ['ab', ''],
      undefined,
      'a/b',
      ['TakenOut', 'TakenOut', 'KeptReady'],
    ],
    [
      'an address counts for the first keepReady',
      [
        { action: { keepOut: {} } },
        { addresses: { pods: ['b'] }, action: { keepReady: { atLeast: 1 } } },
        { action: { keepReady: { atLeast: 1 } } },
      ],
      ['abc', ''],
      undefined,
      'ab/c',
      ['KeptOut', 'KeptOut', 'KeptOut', 'KeptReady', 'KeptReady'],
    ],
    ['freeze', [{ action: { freeze: {} } }], ['a', 'b'], ['bc', 'a'], 'bc/a', ['Frozen']],
    ['freeze without a stored object', [{ action: { freeze: {} } }], ['a', 'b'], undefined, 'a/b', ['NothingToFreeze']],
    [
      'rules behind a freeze',
      [
        { match: { services: ['web'] }, action: { freeze: {} } },
        { addresses: { pods: ['c'] }, action: { keepOut: {} } },
      ],
      ['a', ''],
      ['bc', ''],
      'b/c',
      ['Frozen', 'KeptOut'],
    ],
    ['drop', [{ action: { drop: { forbidden: ['10.0.0.2/31'] } } }], ['abc', 'd'], undefined, 'a/d', ['Dropped', 'Dropped']],
    [
      'what is dropped is not taken back',
      [{ action: { drop: { allowed: ['10.0.0.1'] } } }, { action: { keepReady: { atLeast: '100%' } } }],
      ['ab', ''],
      ['ab', ''],
      'a/',
      ['Dropped'],
    ],
    [
      'rules in order',
      [
        { match: { services: ['web'] }, action: { keepOut: {} } },
        { addresses: { pods: ['a'] }, action: { move: { to: 'ready' } } },
      ],
      ['ab', ''],
      undefined,
      'a/b',
      ['KeptOut', 'KeptOut', 'MovedToReady'],
    ],
    [
      'what the writer wants, not what rules made of it',
      [{ addresses: { state: 'notReady' }, action: { keepOut: { as: 'absent' } } }],
      ['a', 'b'],
      undefined,
      'a/',
      ['TakenOut'],
    ],
    [
      'rules that undo each other',
      [
        { addresses: { state: 'ready' }, action: { keepOut: {} } },
        { addresses: { state: 'notReady' }, action: { move: { to: 'ready' } } },
      ],
      ['a', 'b'],
      undefined,
      'a/b',
      ['Unsettled'],
    ],
    [
      'an audited keepReady claims no address',
      [{ action: { keepOut: {} } }, { mode: 'audit', action: { keepReady: { atLeast: 1 } } }, { action: { keepReady: { atLeast: 2 } } }],
      ['abcd', ''],
      undefined,
      'ab/cd',
      ['KeptOut', 'KeptOut', 'KeptOut', 'KeptOut', 'KeptReady', 'KeptReady', 'KeptReady'],
    ],
    ['an audit', [{ mode: 'audit', action: { keepOut: {} } }], ['ab', ''], undefined, 'ab/', ['KeptOut', 'KeptOut']],
  ])('%s', (_, list, object, old, shown, codes) => {
    const result = apply(rules(...list), of(...object), old && { oldObject: of(...old) });
    expect({ shown: picture(result.object), codes: result.decisions.map(({ code }) => code) }).toEqual({ shown, codes });
  });

  test('only the first matching rule applies with evaluation "first"', () => {
    const set = {
      evaluation: 'first' as const,
      ...rules(
        { match: { services: ['db'] }, action: { freeze: {} } },
        { match: { namespaces: ['sh*'] }, action: { keepOut: {} }, addresses: { pods: ['a'] } },
        { action: { keepOut: { as: 'absent' } } },
      ),
    };
    expect(picture(apply(set, of('ab')).object)).toBe('b/a');
  });

  test('a refusal names the rule and the address, and leaves the object unchanged', () => {
    const object = of('ab');
    const result = apply(rules({ action: { keepOut: {} } }, { action: { refuse: { forbidden: ['10.0.0.2'] } } }), object);
    expect(result).toMatchObject({ changed: false, refused: { rule: 'r1', code: 'Refused', address: '10.0.0.2' } });
    expect(result.object).toBe(object);
  });

  test('hold remembers since when a change is held, and releases it when due', () => {
    const set = rules({ action: { hold: { afterReady: 10, afterUnready: 20 } } });
    const stored = of('ac');
    const first = apply(set, of('ab', 'c'), { oldObject: stored });
    expect({ shown: picture(first.object), due: first.due }).toEqual({ shown: 'ac/b', due: later(10).toISOString() });
    expect(first.object.metadata?.labels).toMatchObject({ [heldLabel]: 'true' });
    const annotations = { [heldAnnotation]: first.object.metadata?.annotations?.[heldAnnotation] };
    const truth = of('ab', 'c', { annotations });
    const second = apply(set, truth, { oldObject: first.object, now: later(10) });
    expect({ shown: picture(second.object), due: second.due }).toEqual({ shown: 'abc/', due: later(20).toISOString() });
    const third = apply(set, of('ab', 'c', { annotations }), { oldObject: second.object, now: later(20) });
    expect({ shown: picture(third.object), due: third.due }).toEqual({ shown: 'ab/c', due: undefined });
    expect(third.object.metadata?.annotations).toEqual({});
  });

  test('hold takes the time of a change from the given pod', () => {
    const set = rules({ action: { hold: { afterReady: 10 } } });
    const pods = [podOf('a', { since: later(-4).toISOString() }), podOf('b', { since: later(-60).toISOString() })];
    const result = apply(set, of('ab'), { pods });
    expect({ shown: picture(result.object), due: result.due }).toEqual({ shown: 'b/a', due: later(6).toISOString() });
  });

  test('the held state is removed if no rule holds the object', () => {
    const held = apply(rules({ action: { hold: { afterReady: 10 } } }), of('a')).object;
    const result = apply(rules({ match: { services: ['db'] }, action: { freeze: {} } }), held, { oldObject: held });
    expect(result.object.metadata).toMatchObject({ annotations: {} });
    expect(result.object.metadata?.labels ?? {}).not.toHaveProperty([heldLabel]);
  });

  test('hold tolerates an annotation with invalid content', () => {
    const set = rules({ action: { hold: { afterReady: 10 } } });
    for (const text of ['', 'x', 'x 10.0.0.1/uid-a=+never', `x 10.0.0.1/uid-a=+${later(1e6).toISOString()}`, 'x'.repeat(300_000)]) {
      const stored = of('', 'a', { annotations: { [heldAnnotation]: text } });
      expect(apply(set, of('a', '', { annotations: { [heldAnnotation]: text } }), { oldObject: stored }).due).toBe(later(10).toISOString());
    }
  });

  test('the end of a window is due only if the rule changed something', () => {
    const set = rules({ match: { window: { start: '11:00', end: '13:30', timeZone: 'UTC' } }, action: { keepOut: {} } });
    expect(apply(set, of('a')).due).toBe('2026-03-04T13:30:00.000Z');
    expect(apply(set, of('', 'a')).due).toBeUndefined();
    expect(apply(set, of('a'), { now: new Date('2026-03-04T13:30:00Z') }).changed).toBe(false);
  });

  test('a rule whose expression fails is reported and does not match', () => {
    const result = apply(rules({ match: { expression: 'service.spec.nothing == 1' }, action: { keepOut: {} } }), of('a'));
    expect(result.decisions).toEqual([expect.objectContaining({ rule: 'r0', code: 'ExpressionFailed' })]);
    expect(result.changed).toBe(false);
  });
});

describe('rules for Endpoints with several ports', () => {
  const [http, admin] = [
    { name: 'http', port: 80, protocol: 'TCP' },
    { name: 'admin', port: 90, protocol: 'TCP' },
  ];
  const of = (subsets: object[]): EndpointsInput =>
    ({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets }) as EndpointsInput;

  test('keep each port of an address ready separately', () => {
    const oldObject = of([
      { addresses: [address('a', '10.0.0.1')], ports: [http] },
      { notReadyAddresses: [address('a', '10.0.0.1')], ports: [admin] },
    ]);
    const object = of([{ notReadyAddresses: [address('a', '10.0.0.1')], ports: [http, admin] }]);
    const { subsets } = apply(rules({ action: { keepIn: {} } }), object, { oldObject }).object as EndpointsInput;
    expect(subsets?.map(({ addresses, ports }) => [addresses?.length ?? 0, ports?.map(({ name }) => name)]).sort()).toEqual([
      [0, ['admin']],
      [1, ['http']],
    ]);
  });

  const notListed = [{ addresses: [address('b', '127.0.0.1')], ports: [http] }];
  const dropping = rules({ action: { keepIn: {} } }, { name: 'drop', action: { drop: { presets: ['loopback'] } } });

  test.each([
    ['has no ports', {}, http],
    ['has other ports', { ports: [admin] }, http],
    ['has the port among others', { ports: [http, admin] }, admin],
  ])('compare with stored addresses regardless of subset layout, if the subset %s', (_, ports, port) => {
    const oldObject = of([{ addresses: [address('a', '10.0.0.1')], ...ports }]);
    const wanted = [{ notReadyAddresses: [address('a', '10.0.0.1')], ports: [port] }];
    const kept = [{ addresses: [address('a', '10.0.0.1')], ports: [port] }];
    for (const subsets of [wanted, [...notListed, ...wanted]]) {
      const { object } = apply(dropping, of(subsets), { oldObject });
      expect((object as EndpointsInput).subsets).toEqual(kept);
      expect(apply(dropping, object, { oldObject }).changed).toBe(false);
    }
  });

  test('keep enough addresses ready for each port', () => {
    const object = of([
      { addresses: [address('a', '10.0.0.1'), address('b', '10.0.0.2')], ports: [http] },
      { addresses: [address('c', '10.0.0.3')], ports: [admin] },
    ]);
    const { subsets } = apply(rules({ action: { keepOut: {} } }, { action: { keepReady: { atLeast: 1 } } }), object)
      .object as EndpointsInput;
    expect(subsets?.map(({ addresses }) => addresses?.length)).toEqual([1, 1]);
  });

  test('accept addresses without a pod, unsorted and duplicated', () => {
    const object = of([{ addresses: [{ ip: '10.0.0.9' }, { ip: '10.0.0.10' }, { ip: '10.0.0.9' }], ports: [http] }]);
    const { subsets } = apply(rules({ addresses: { ranges: ['10.0.0.10'] }, action: { keepOut: {} } }), object).object as EndpointsInput;
    expect(subsets).toEqual([{ addresses: [{ ip: '10.0.0.9' }], notReadyAddresses: [{ ip: '10.0.0.10' }], ports: [http] }]);
  });
});

describe('rules for EndpointSlices', () => {
  const hinted = (object: EndpointSliceInput): EndpointSliceInput => ({
    ...object,
    endpoints: (object.endpoints ?? []).map((each) =>
      each.conditions?.ready ? { ...each, hints: { forZones: [{ name: 'east' }] } } : each,
    ),
  });
  const hintsOf = ({ endpoints: list }: EndpointSliceInput): unknown[] =>
    (list ?? []).map(({ hints }) => hints?.forZones?.map(({ name }) => name));

  test('never make terminating endpoints ready, and clear serving if kept out', () => {
    const object = slice('a', 'B') as EndpointSliceInput;
    const draining = {
      ...object,
      endpoints: (object.endpoints ?? []).map((each) => ({ ...each, conditions: { ...each.conditions, serving: true } })),
    };
    expect(apply(rules({ action: { move: { to: 'ready' } } }), draining, { oldObject: slice('ab') }).changed).toBe(false);
    const out = apply(rules({ action: { keepOut: {} } }), draining).object as EndpointSliceInput;
    expect(out.endpoints?.map(({ conditions }) => conditions)).toEqual([
      { ready: false, serving: false, terminating: false },
      { ready: false, serving: false, terminating: true },
    ]);
  });

  test('remove the hints of endpoints made not ready', () => {
    const result = apply(rules({ addresses: { pods: ['a'] }, action: { keepOut: {} } }), hinted(slice('ab')));
    expect(hintsOf(result.object as EndpointSliceInput)).toEqual([undefined, ['east']]);
  });

  test('hint endpoints made ready to their own zone if others have hints', () => {
    const result = apply(rules({ action: { move: { to: 'ready' } } }), hinted(slice('a', 'd')));
    expect(hintsOf(result.object as EndpointSliceInput)).toEqual([['east'], ['west']]);
  });

  test('remove all hints if the zone of an endpoint made ready is unknown', () => {
    const object = hinted(slice('a', 'd'));
    const unknown = { ...object, endpoints: (object.endpoints ?? []).map(({ zone: _, ...each }) => each) };
    expect(hintsOf(apply(rules({ action: { move: { to: 'ready' } } }), unknown).object as EndpointSliceInput)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('count ready endpoints in other slices with the same ports', () => {
    const set = rules({ action: { keepOut: {} } }, { action: { keepReady: { atLeast: '50%' } } });
    const other = slice('cd', '', { name: 'web-2' });
    expect(picture(apply(set, slice('ab'), { otherSlices: [other] }).object)).toBe('/ab');
    expect(picture(apply(set, slice('ab'), { otherSlices: [{ ...other, ports: [{ name: 'other', port: 1 }] }] }).object)).toBe('a/b');
  });
});

test.each<[string, string | undefined, string]>([
  ['127.0.0.1', 'loopback', 'loopback'],
  ['::1', 'loopback', 'loopback'],
  ['::ffff:127.9.9.9', 'loopback', 'in another form'],
  ['0127.0.0.1', 'loopback', 'in a form of old'],
  ['169.254.169.254', 'link-local', 'link-local'],
  ['fe80::1', 'link-local', 'link-local'],
  ['0.0.0.0', 'unspecified', 'unspecified'],
  ['::', 'unspecified', 'unspecified'],
  ['224.0.0.1', 'multicast', 'multicast'],
  ['ff02::1', 'multicast', 'multicast'],
  ['10.0.0.7', undefined, 'of a pod'],
  ['128.0.0.1', undefined, 'beside loopback'],
])('address presets cover %s: %s (%s)', (ip, preset) => {
  const set = rules({ action: { refuse: { presets: ['loopback', 'link-local', 'unspecified', 'multicast'] } } });
  const object = { ...endpoints(''), subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }] };
  const message = apply(set, object).refused?.message;
  if (preset === undefined) expect(message).toBeUndefined();
  else expect(message).toContain(preset);
});

test.each<[string, object, object[], boolean]>([
  ['a reference to another namespace', { ip: '10.0.0.1', targetRef: { kind: 'Pod', namespace: 'bank', name: 'x' } }, [], true],
  ['a reference to the own namespace', { ip: '10.0.0.1', targetRef: { kind: 'Pod', namespace: 'shop', name: 'x' } }, [], false],
  ['the IP of a pod of another namespace', { ip: '10.0.0.1' }, [podOf('x', { namespace: 'bank', ip: '10.0.0.1' })], true],
  ['the same in another form', { ip: '::ffff:10.0.0.1' }, [podOf('x', { namespace: 'bank', ip: '10.0.0.1' })], true],
  [
    'the IP of a pod of the own namespace too',
    { ip: '10.0.0.1' },
    [podOf('x', { namespace: 'bank', ip: '10.0.0.1' }), podOf('y', { ip: '10.0.0.1' })],
    false,
  ],
  [
    'the IP of a pod on the network of its node',
    { ip: '10.0.0.1' },
    [{ ...podOf('x', { namespace: 'bank', ip: '10.0.0.1' }), spec: { hostNetwork: true } }],
    false,
  ],
])('preset pods-of-other-namespaces covers %s', (_, given, pods, isRefused) => {
  const set = rules({ action: { refuse: { presets: ['pods-of-other-namespaces'] } } });
  const object = { ...endpoints(''), subsets: [{ addresses: [given], ports: [{ port: 80 }] }] } as EndpointsInput;
  expect(apply(set, object, { pods: pods as never }).refused !== undefined).toBe(isRefused);
});

test('rules report the context they need', () => {
  const needs = (rule: Partial<OverrideRule>): string =>
    Object.entries(createOverrides(rules(rule)).needs)
      .filter(([, is]) => is)
      .map(([name]) => name)
      .join();
  expect(needs({ action: { keepIn: {} } })).toBe('');
  expect(needs({ match: { serviceLabels: 'a' }, action: { keepIn: {} } })).toBe('service');
  expect(needs({ match: { expression: 'size(pods) > 0' }, action: { keepIn: {} } })).toBe('pods');
  expect(needs({ addresses: { podLabels: 'a' }, action: { keepIn: {} } })).toBe('pods');
  expect(needs({ action: { keepReady: { atLeast: 1 } } })).toBe('otherSlices');
  expect(needs({ action: { hold: { afterReady: 1 } } })).toBe('pods');
});

test('decisions are limited, and the last one counts the remaining addresses', () => {
  const list = Array.from({ length: 250 }, (_, place) => ({ ip: `10.0.1.${place}` }));
  const object = { ...endpoints(''), subsets: [{ addresses: list, ports: [{ port: 80 }] }] };
  const { decisions } = apply(rules({ action: { keepOut: {} } }), object, { now: noon });
  expect(decisions).toHaveLength(101);
  expect(decisions.at(-1)?.message).toBe('the same for 150 more addresses');
});
