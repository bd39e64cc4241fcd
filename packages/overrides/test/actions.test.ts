import type { EndpointSliceInput, EndpointsInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { heldAnnotation, heldLabel } from '../src/apply/hold-record.ts';
import { createOverrides, type OverrideRule } from '../src/index.ts';
import {
  applyRules,
  createAddress,
  createEndpoints,
  createPod,
  createRules,
  createSlice,
  dateAtSecond,
  formatReadiness,
  noon,
} from './support.ts';

const kinds = [
  {
    kind: 'Endpoints',
    createObject: createEndpoints as (ready: string, notReady?: string, metadata?: object) => EndpointsInput | EndpointSliceInput,
  },
  {
    kind: 'EndpointSlice',
    createObject: createSlice as (ready: string, notReady?: string, metadata?: object) => EndpointsInput | EndpointSliceInput,
  },
];

describe.each(kinds)('rules for $kind', ({ createObject }) => {
  // Rules, the written and the stored object (one letter per pod: those that are ready, and those that are not), the result, codes.
  test.each<[string, readonly Partial<OverrideRule>[], [string, string], [string, string] | undefined, string, string[]]>([
    ['keepIn keeps addresses ready that are stored as ready', [{ action: { keepIn: {} } }], ['a', 'bc'], ['b', 'ac'], 'ab/c', ['KeptIn']],
    ['keepIn drops addresses that the writer no longer lists', [{ action: { keepIn: {} } }], ['a', ''], ['ab', ''], 'a/', []],
    ['keepIn adds no address that is not stored', [{ action: { keepIn: {} } }], ['', 'a'], undefined, '/a', []],
    [
      'keepOut makes an address not ready',
      [{ addresses: { pods: ['b'] }, action: { keepOut: {} } }],
      ['ab', 'c'],
      undefined,
      'a/bc',
      ['KeptOut'],
    ],
    [
      'keepOut with "absent" removes addresses',
      [{ addresses: { pods: ['b', 'c'] }, action: { keepOut: { as: 'absent' } } }],
      ['ab', 'c'],
      undefined,
      'a/',
      ['TakenOut', 'TakenOut'],
    ],
    ['move makes addresses ready', [{ action: { move: { to: 'ready' } } }], ['a', 'b'], undefined, 'ab/', ['MovedToReady']],
    ['move makes addresses not ready', [{ action: { move: { to: 'notReady' } } }], ['a', 'b'], undefined, '/ab', ['MovedToNotReady']],
    [
      'keepReady first restores addresses that are stored as ready',
      [{ action: { keepReady: { atLeast: 2 } } }, { action: { keepOut: {} } }],
      ['abc', 'd'],
      ['cd', ''],
      'cd/ab',
      ['KeptOut', 'KeptOut', 'KeptOut', 'KeptReady', 'KeptReady'],
    ],
    [
      'keepReady rounds a percentage up',
      [{ action: { keepOut: {} } }, { action: { keepReady: { atLeast: '34%' } } }],
      ['abc', ''],
      undefined,
      'ab/c',
      ['KeptOut', 'KeptOut', 'KeptOut', 'KeptReady', 'KeptReady'],
    ],
    [
      'keepReady does not make addresses ready that neither the writer nor the store has as ready',
      [{ action: { keepReady: { atLeast: 1 } } }],
      ['', 'ab'],
      undefined,
      '/ab',
      ['TooFewToKeepReady'],
    ],
    [
      'keepReady lists addresses as not ready that keepOut leaves out',
      [{ action: { keepOut: { as: 'absent' } } }, { action: { keepReady: { atLeast: 1 } } }],
      ['ab', ''],
      undefined,
      'a/b',
      ['TakenOut', 'TakenOut', 'KeptReady'],
    ],
    [
      'keepReady counts an address only for the first matching rule',
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
    ['freeze restores the stored addresses', [{ action: { freeze: {} } }], ['a', 'b'], ['bc', 'a'], 'bc/a', ['Frozen']],
    ['freeze changes nothing without a stored object', [{ action: { freeze: {} } }], ['a', 'b'], undefined, 'a/b', ['NothingToFreeze']],
    [
      'rules after a freeze act on the stored object',
      [
        { match: { services: ['web'] }, action: { freeze: {} } },
        { addresses: { pods: ['c'] }, action: { keepOut: {} } },
      ],
      ['a', ''],
      ['bc', ''],
      'b/c',
      ['Frozen', 'KeptOut'],
    ],
    [
      'drop removes addresses in a forbidden range',
      [{ action: { drop: { forbidden: ['10.0.0.2/31'] } } }],
      ['abc', 'd'],
      undefined,
      'a/d',
      ['Dropped', 'Dropped'],
    ],
    [
      'keepReady does not restore dropped addresses',
      [{ action: { drop: { allowed: ['10.0.0.1'] } } }, { action: { keepReady: { atLeast: '100%' } } }],
      ['ab', ''],
      ['ab', ''],
      'a/',
      ['Dropped'],
    ],
    [
      'rules act in order, each on the result of the previous rules',
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
      'addresses.state matches the readiness that the writer intends',
      [{ addresses: { state: 'notReady' }, action: { keepOut: { as: 'absent' } } }],
      ['a', 'b'],
      undefined,
      'a/',
      ['TakenOut'],
    ],
    [
      'rules that undo each other change nothing',
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
      'keepReady in audit mode does not claim addresses',
      [{ action: { keepOut: {} } }, { mode: 'audit', action: { keepReady: { atLeast: 1 } } }, { action: { keepReady: { atLeast: 2 } } }],
      ['abcd', ''],
      undefined,
      'ab/cd',
      ['KeptOut', 'KeptOut', 'KeptOut', 'KeptOut', 'KeptReady', 'KeptReady', 'KeptReady'],
    ],
    [
      'a rule in audit mode changes nothing',
      [{ mode: 'audit', action: { keepOut: {} } }],
      ['ab', ''],
      undefined,
      'ab/',
      ['KeptOut', 'KeptOut'],
    ],
  ])('%s', (_, ruleList, object, old, readiness, codes) => {
    const result = applyRules(createRules(...ruleList), createObject(...object), old && { oldObject: createObject(...old) });
    expect({ readiness: formatReadiness(result.object), codes: result.decisions.map(({ code }) => code) }).toEqual({ readiness, codes });
  });

  test('only the first matching rule applies with evaluation "first"', () => {
    const set = {
      evaluation: 'first' as const,
      ...createRules(
        { match: { services: ['db'] }, action: { freeze: {} } },
        { match: { namespaces: ['sh*'] }, action: { keepOut: {} }, addresses: { pods: ['a'] } },
        { action: { keepOut: { as: 'absent' } } },
      ),
    };
    expect(formatReadiness(applyRules(set, createObject('ab')).object)).toBe('b/a');
  });

  test('a refusal names the rule and the address, and leaves the object unchanged', () => {
    const object = createObject('ab');
    const result = applyRules(createRules({ action: { keepOut: {} } }, { action: { refuse: { forbidden: ['10.0.0.2'] } } }), object);
    expect(result).toMatchObject({ changed: false, refused: { rule: 'r1', code: 'Refused', address: '10.0.0.2' } });
    expect(result.object).toBe(object);
  });

  test('hold records the time of a change, and applies the change when it is due', () => {
    const set = createRules({ action: { hold: { afterReady: 10, afterUnready: 20 } } });
    const stored = createObject('ac');
    const first = applyRules(set, createObject('ab', 'c'), { oldObject: stored });
    expect({ readiness: formatReadiness(first.object), due: first.due }).toEqual({
      readiness: 'ac/b',
      due: dateAtSecond(10).toISOString(),
    });
    expect(first.object.metadata?.labels).toMatchObject({ [heldLabel]: 'true' });
    const annotations = { [heldAnnotation]: first.object.metadata?.annotations?.[heldAnnotation] };
    const written = createObject('ab', 'c', { annotations });
    const second = applyRules(set, written, { oldObject: first.object, now: dateAtSecond(10) });
    expect({ readiness: formatReadiness(second.object), due: second.due }).toEqual({
      readiness: 'abc/',
      due: dateAtSecond(20).toISOString(),
    });
    const third = applyRules(set, createObject('ab', 'c', { annotations }), { oldObject: second.object, now: dateAtSecond(20) });
    expect({ readiness: formatReadiness(third.object), due: third.due }).toEqual({ readiness: 'ab/c', due: undefined });
    expect(third.object.metadata?.annotations).toEqual({});
  });

  test('hold uses the transition time of the pod', () => {
    const set = createRules({ action: { hold: { afterReady: 10 } } });
    const pods = [createPod('a', { since: dateAtSecond(-4).toISOString() }), createPod('b', { since: dateAtSecond(-60).toISOString() })];
    const result = applyRules(set, createObject('ab'), { pods });
    expect({ readiness: formatReadiness(result.object), due: result.due }).toEqual({
      readiness: 'b/a',
      due: dateAtSecond(6).toISOString(),
    });
  });

  test('the annotation and label of holds are removed if no rule holds the object', () => {
    const heldObject = applyRules(createRules({ action: { hold: { afterReady: 10 } } }), createObject('a')).object;
    const result = applyRules(createRules({ match: { services: ['db'] }, action: { freeze: {} } }), heldObject, { oldObject: heldObject });
    expect(result.object.metadata).toMatchObject({ annotations: {} });
    expect(result.object.metadata?.labels ?? {}).not.toHaveProperty([heldLabel]);
  });

  test('hold tolerates an annotation with invalid content', () => {
    const set = createRules({ action: { hold: { afterReady: 10 } } });
    for (const text of ['', 'x', 'x 10.0.0.1/uid-a=+never', `x 10.0.0.1/uid-a=+${dateAtSecond(1e6).toISOString()}`, 'x'.repeat(300_000)]) {
      const stored = createObject('', 'a', { annotations: { [heldAnnotation]: text } });
      expect(applyRules(set, createObject('a', '', { annotations: { [heldAnnotation]: text } }), { oldObject: stored }).due).toBe(
        dateAtSecond(10).toISOString(),
      );
    }
  });

  test('due is the end of a window only if the rule changed the object', () => {
    const set = createRules({ match: { window: { start: '11:00', end: '13:30', timeZone: 'UTC' } }, action: { keepOut: {} } });
    expect(applyRules(set, createObject('a')).due).toBe('2026-03-04T13:30:00.000Z');
    expect(applyRules(set, createObject('', 'a')).due).toBeUndefined();
    expect(applyRules(set, createObject('a'), { now: new Date('2026-03-04T13:30:00Z') }).changed).toBe(false);
  });

  test('a rule whose expression fails is reported and does not match', () => {
    const result = applyRules(
      createRules({ match: { expression: 'service.spec.nothing == 1' }, action: { keepOut: {} } }),
      createObject('a'),
    );
    expect(result.decisions).toEqual([expect.objectContaining({ rule: 'r0', code: 'ExpressionFailed' })]);
    expect(result.changed).toBe(false);
  });
});

describe('rules for Endpoints with several ports', () => {
  const [http, admin] = [
    { name: 'http', port: 80, protocol: 'TCP' },
    { name: 'admin', port: 90, protocol: 'TCP' },
  ];
  const createObject = (subsets: object[]): EndpointsInput =>
    ({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'shop' }, subsets }) as EndpointsInput;

  test('treat each port of an address separately', () => {
    const oldObject = createObject([
      { addresses: [createAddress('a', '10.0.0.1')], ports: [http] },
      { notReadyAddresses: [createAddress('a', '10.0.0.1')], ports: [admin] },
    ]);
    const object = createObject([{ notReadyAddresses: [createAddress('a', '10.0.0.1')], ports: [http, admin] }]);
    const { subsets } = applyRules(createRules({ action: { keepIn: {} } }), object, { oldObject }).object as EndpointsInput;
    expect(subsets?.map(({ addresses, ports }) => [addresses?.length ?? 0, ports?.map(({ name }) => name)]).sort()).toEqual([
      [0, ['admin']],
      [1, ['http']],
    ]);
  });

  const loopbackSubset = [{ addresses: [createAddress('b', '127.0.0.1')], ports: [http] }];
  const dropLoopback = createRules({ action: { keepIn: {} } }, { name: 'drop', action: { drop: { presets: ['loopback'] } } });

  test.each([
    ['has no ports', {}, http],
    ['has other ports', { ports: [admin] }, http],
    ['has the port among others', { ports: [http, admin] }, admin],
  ])('compare with stored addresses regardless of subset layout, if the subset %s', (_, ports, port) => {
    const oldObject = createObject([{ addresses: [createAddress('a', '10.0.0.1')], ...ports }]);
    const writtenSubsets = [{ notReadyAddresses: [createAddress('a', '10.0.0.1')], ports: [port] }];
    const expectedSubsets = [{ addresses: [createAddress('a', '10.0.0.1')], ports: [port] }];
    for (const subsets of [writtenSubsets, [...loopbackSubset, ...writtenSubsets]]) {
      const { object } = applyRules(dropLoopback, createObject(subsets), { oldObject });
      expect((object as EndpointsInput).subsets).toEqual(expectedSubsets);
      expect(applyRules(dropLoopback, object, { oldObject }).changed).toBe(false);
    }
  });

  test('keep enough addresses ready for each port', () => {
    const object = createObject([
      { addresses: [createAddress('a', '10.0.0.1'), createAddress('b', '10.0.0.2')], ports: [http] },
      { addresses: [createAddress('c', '10.0.0.3')], ports: [admin] },
    ]);
    const { subsets } = applyRules(createRules({ action: { keepOut: {} } }, { action: { keepReady: { atLeast: 1 } } }), object)
      .object as EndpointsInput;
    expect(subsets?.map(({ addresses }) => addresses?.length)).toEqual([1, 1]);
  });

  test('accept addresses without a pod, unsorted and duplicated', () => {
    const object = createObject([{ addresses: [{ ip: '10.0.0.9' }, { ip: '10.0.0.10' }, { ip: '10.0.0.9' }], ports: [http] }]);
    const { subsets } = applyRules(createRules({ addresses: { ranges: ['10.0.0.10'] }, action: { keepOut: {} } }), object)
      .object as EndpointsInput;
    expect(subsets).toEqual([{ addresses: [{ ip: '10.0.0.9' }], notReadyAddresses: [{ ip: '10.0.0.10' }], ports: [http] }]);
  });
});

describe('rules for EndpointSlices', () => {
  const addHints = (object: EndpointSliceInput): EndpointSliceInput => ({
    ...object,
    endpoints: (object.endpoints ?? []).map((each) =>
      each.conditions?.ready ? { ...each, hints: { forZones: [{ name: 'east' }] } } : each,
    ),
  });
  const hintsOf = ({ endpoints: list }: EndpointSliceInput): unknown[] =>
    (list ?? []).map(({ hints }) => hints?.forZones?.map(({ name }) => name));

  test('never make terminating endpoints ready, and clear serving if kept out', () => {
    const object = createSlice('a', 'B') as EndpointSliceInput;
    const drainingSlice = {
      ...object,
      endpoints: (object.endpoints ?? []).map((each) => ({ ...each, conditions: { ...each.conditions, serving: true } })),
    };
    expect(applyRules(createRules({ action: { move: { to: 'ready' } } }), drainingSlice, { oldObject: createSlice('ab') }).changed).toBe(
      false,
    );
    const result = applyRules(createRules({ action: { keepOut: {} } }), drainingSlice).object as EndpointSliceInput;
    expect(result.endpoints?.map(({ conditions }) => conditions)).toEqual([
      { ready: false, serving: false, terminating: false },
      { ready: false, serving: false, terminating: true },
    ]);
  });

  test('remove the hints of endpoints made not ready', () => {
    const result = applyRules(createRules({ addresses: { pods: ['a'] }, action: { keepOut: {} } }), addHints(createSlice('ab')));
    expect(hintsOf(result.object as EndpointSliceInput)).toEqual([undefined, ['east']]);
  });

  test('hint endpoints made ready to their own zone if others have hints', () => {
    const result = applyRules(createRules({ action: { move: { to: 'ready' } } }), addHints(createSlice('a', 'd')));
    expect(hintsOf(result.object as EndpointSliceInput)).toEqual([['east'], ['west']]);
  });

  test('remove all hints if the zone of an endpoint made ready is unknown', () => {
    const object = addHints(createSlice('a', 'd'));
    const sliceWithoutZones = { ...object, endpoints: (object.endpoints ?? []).map(({ zone: _, ...each }) => each) };
    expect(hintsOf(applyRules(createRules({ action: { move: { to: 'ready' } } }), sliceWithoutZones).object as EndpointSliceInput)).toEqual(
      [undefined, undefined],
    );
  });

  test('count ready endpoints in other slices with the same ports', () => {
    const set = createRules({ action: { keepOut: {} } }, { action: { keepReady: { atLeast: '50%' } } });
    const otherSlice = createSlice('cd', '', { name: 'web-2' });
    expect(formatReadiness(applyRules(set, createSlice('ab'), { otherSlices: [otherSlice] }).object)).toBe('/ab');
    expect(
      formatReadiness(applyRules(set, createSlice('ab'), { otherSlices: [{ ...otherSlice, ports: [{ name: 'other', port: 1 }] }] }).object),
    ).toBe('a/b');
  });
});

test.each<[string, string | undefined, string]>([
  ['127.0.0.1', 'loopback', 'loopback'],
  ['::1', 'loopback', 'loopback'],
  ['::ffff:127.9.9.9', 'loopback', 'as an IPv4-mapped address'],
  ['0127.0.0.1', 'loopback', 'with leading zeros'],
  ['169.254.169.254', 'link-local', 'link-local'],
  ['fe80::1', 'link-local', 'link-local'],
  ['0.0.0.0', 'unspecified', 'unspecified'],
  ['::', 'unspecified', 'unspecified'],
  ['224.0.0.1', 'multicast', 'multicast'],
  ['ff02::1', 'multicast', 'multicast'],
  ['10.0.0.7', undefined, 'none'],
  ['128.0.0.1', undefined, 'none, next to loopback'],
])('the preset that covers %s is %s (%s)', (ip, preset) => {
  const set = createRules({ action: { refuse: { presets: ['loopback', 'link-local', 'unspecified', 'multicast'] } } });
  const object = { ...createEndpoints(''), subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }] };
  const message = applyRules(set, object).refused?.message;
  if (preset === undefined) expect(message).toBeUndefined();
  else expect(message).toContain(preset);
});

test.each<[string, object, object[], boolean]>([
  ['a reference to another namespace', { ip: '10.0.0.1', targetRef: { kind: 'Pod', namespace: 'bank', name: 'x' } }, [], true],
  ['a reference to the own namespace', { ip: '10.0.0.1', targetRef: { kind: 'Pod', namespace: 'shop', name: 'x' } }, [], false],
  ['the IP of a pod of another namespace', { ip: '10.0.0.1' }, [createPod('x', { namespace: 'bank', ip: '10.0.0.1' })], true],
  [
    'the IPv4-mapped IP of a pod of another namespace',
    { ip: '::ffff:10.0.0.1' },
    [createPod('x', { namespace: 'bank', ip: '10.0.0.1' })],
    true,
  ],
  [
    'an IP that pods of both namespaces have',
    { ip: '10.0.0.1' },
    [createPod('x', { namespace: 'bank', ip: '10.0.0.1' }), createPod('y', { ip: '10.0.0.1' })],
    false,
  ],
  [
    'the IP of a pod with hostNetwork',
    { ip: '10.0.0.1' },
    [{ ...createPod('x', { namespace: 'bank', ip: '10.0.0.1' }), spec: { hostNetwork: true } }],
    false,
  ],
])('preset pods-of-other-namespaces is checked for %s', (_, endpointAddress, pods, isRefused) => {
  const set = createRules({ action: { refuse: { presets: ['pods-of-other-namespaces'] } } });
  const object = { ...createEndpoints(''), subsets: [{ addresses: [endpointAddress], ports: [{ port: 80 }] }] } as EndpointsInput;
  expect(applyRules(set, object, { pods: pods as never }).refused !== undefined).toBe(isRefused);
});

test('rules report the context they need', () => {
  const listNeeds = (rule: Partial<OverrideRule>): string =>
    Object.entries(createOverrides(createRules(rule)).needs)
      .filter(([, isNeeded]) => isNeeded)
      .map(([name]) => name)
      .join();
  expect(listNeeds({ action: { keepIn: {} } })).toBe('');
  expect(listNeeds({ match: { serviceLabels: 'a' }, action: { keepIn: {} } })).toBe('service');
  expect(listNeeds({ match: { expression: 'size(pods) > 0' }, action: { keepIn: {} } })).toBe('pods');
  expect(listNeeds({ addresses: { podLabels: 'a' }, action: { keepIn: {} } })).toBe('pods');
  expect(listNeeds({ action: { keepReady: { atLeast: 1 } } })).toBe('otherSlices');
  expect(listNeeds({ action: { hold: { afterReady: 1 } } })).toBe('pods');
});

test('decisions are limited, and the last one counts the remaining addresses', () => {
  const list = Array.from({ length: 250 }, (_, index) => ({ ip: `10.0.1.${index}` }));
  const object = { ...createEndpoints(''), subsets: [{ addresses: list, ports: [{ port: 80 }] }] };
  const { decisions } = applyRules(createRules({ action: { keepOut: {} } }), object, { now: noon });
  expect(decisions).toHaveLength(101);
  expect(decisions.at(-1)?.message).toBe('the same for 150 more addresses');
});
