import { describe, expect, it } from 'vitest';
import {
  addressOfType,
  applyConditionDefaults,
  choosePreferred,
  createMergedEndpoint,
  haveSameState,
  type MergedEndpoint,
  rankOfAddress,
} from '../../../src/spec/consumers/merge-endpoint.ts';

describe('applyConditionDefaults', () => {
  it.each([
    { conditions: undefined, expected: { ready: true, serving: true, terminating: false } },
    { conditions: null, expected: { ready: true, serving: true, terminating: false } },
    { conditions: { ready: null, serving: null, terminating: null }, expected: { ready: true, serving: true, terminating: false } },
    { conditions: { ready: false }, expected: { ready: false, serving: false, terminating: false } },
    { conditions: { ready: false, serving: true, terminating: true }, expected: { ready: false, serving: true, terminating: true } },
    { conditions: { serving: false }, expected: { ready: true, serving: false, terminating: false } },
  ])('reads $conditions as $expected', ({ conditions, expected }) => {
    expect(applyConditionDefaults(conditions)).toEqual(expected);
  });
});

describe('addressOfType', () => {
  it.each([
    { text: '10.0.0.1', type: 'IPv4', expected: '10.0.0.1' },
    { text: '010.0.0.1', type: 'IPv4', expected: '10.0.0.1' },
    { text: '::ffff:10.0.0.1', type: 'IPv4', expected: '10.0.0.1' },
    { text: '::ffff:10.0.0.1', type: 'IPv6', expected: undefined },
    { text: 'FD00:0::1', type: 'IPv6', expected: 'fd00::1' },
    { text: 'fd00::1', type: 'IPv4', expected: undefined },
    { text: '10.0.0.1', type: 'IPv6', expected: undefined },
    { text: 'x', type: 'IPv4', expected: undefined },
    { text: '', type: 'IPv6', expected: undefined },
    { text: 'db.example', type: 'FQDN', expected: 'db.example' },
    { text: '', type: 'FQDN', expected: undefined },
  ] as const)('converts "$text" of type $type to $expected', ({ text, type, expected }) => {
    expect(addressOfType(text, type)).toBe(expected);
  });
});

describe('createMergedEndpoint', () => {
  it('keeps the fields of the endpoint in a copy', () => {
    const input = {
      addresses: ['10.0.0.1'],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: 'n1',
      zone: 'a',
      hostname: 'h',
      targetRef: { kind: 'Pod', namespace: 'shop', name: 'p', uid: 'u', apiVersion: 'v1', resourceVersion: '7', fieldPath: 'f' },
      hints: { forZones: [{ name: 'a' }], forNodes: [{ name: 'n1' }] },
    };
    const { addresses, conditions, ...rest } = input;
    const endpoint = createMergedEndpoint(input, '10.0.0.1', 80, 'web-a');
    expect(endpoint).toEqual({ address: '10.0.0.1', port: 80, ...conditions, ...rest, slices: ['web-a'] });
    expect(endpoint.targetRef).not.toBe(input.targetRef);
    expect(endpoint.hints?.forZones?.[0]).not.toBe(input.hints.forZones[0]);
  });

  it('omits absent and empty fields', () => {
    const input = { nodeName: '', zone: null, hostname: '', targetRef: null, hints: { forZones: [], forNodes: null } };
    expect(createMergedEndpoint(input, '10.0.0.1', undefined, 's')).toStrictEqual({
      address: '10.0.0.1',
      ready: true,
      serving: true,
      terminating: false,
      slices: ['s'],
    });
    expect(createMergedEndpoint({ targetRef: { kind: '', name: 'p' } }, '', undefined, 's').targetRef).toStrictEqual({ name: 'p' });
    expect(createMergedEndpoint({ hints: { forNodes: [{ name: null }] } }, '', undefined, 's').hints).toStrictEqual({
      forNodes: [{ name: '' }],
    });
  });

  it('reads node and zone from deprecatedTopology if the fields are absent', () => {
    const deprecatedTopology = { 'kubernetes.io/hostname': 'n2', 'topology.kubernetes.io/zone': 'b' };
    expect(createMergedEndpoint({ deprecatedTopology }, '', undefined, 's')).toMatchObject({ nodeName: 'n2', zone: 'b' });
    expect(createMergedEndpoint({ deprecatedTopology, nodeName: 'n1', zone: 'a' }, '', undefined, 's')).toMatchObject({
      nodeName: 'n1',
      zone: 'a',
    });
    const inherited = Object.create(deprecatedTopology) as Record<string, string>;
    expect(createMergedEndpoint({ deprecatedTopology: inherited }, '', undefined, 's')).not.toHaveProperty('nodeName');
  });
});

type Condition = 'ready' | 'serving' | 'terminating';

const makeEndpoint = (conditions: readonly Condition[], uid = 'u'): MergedEndpoint => ({
  address: '10.0.0.1',
  ready: conditions.includes('ready'),
  serving: conditions.includes('serving'),
  terminating: conditions.includes('terminating'),
  targetRef: { uid },
  slices: [],
});

describe('choosePreferred', () => {
  it('prefers non-terminating, then ready, then serving endpoints, whichever argument comes first', () => {
    const fromBestToWorst = [
      makeEndpoint(['ready', 'serving']),
      makeEndpoint(['ready']),
      makeEndpoint(['serving']),
      makeEndpoint([]),
      makeEndpoint(['ready', 'serving', 'terminating']),
      makeEndpoint(['serving', 'terminating']),
      makeEndpoint(['terminating']),
    ];
    for (const [i, one] of fromBestToWorst.entries()) {
      for (const other of fromBestToWorst.slice(i + 1)) {
        expect(choosePreferred(one, other)).toBe(one);
        expect(choosePreferred(other, one)).toBe(one);
      }
    }
  });

  it('chooses between endpoints with equal conditions by their JSON text, whichever argument comes first', () => {
    const [one, other] = [makeEndpoint(['ready', 'serving'], 'a'), makeEndpoint(['ready', 'serving'], 'b')];
    expect(choosePreferred(one, other)).toBe(one);
    expect(choosePreferred(other, one)).toBe(one);
  });
});

it('haveSameState compares conditions and target only', () => {
  const one = makeEndpoint(['ready', 'serving']);
  expect(haveSameState(one, { ...one, slices: ['x'], nodeName: 'n' })).toBe(true);
  expect(haveSameState(one, makeEndpoint(['ready', 'serving'], 'v'))).toBe(false);
  expect(haveSameState(one, makeEndpoint(['serving']))).toBe(false);
  expect(haveSameState({ ...one, targetRef: {} }, { address: '', ready: true, serving: true, terminating: false, slices: [] })).toBe(true);
});

it('rankOfAddress ranks IPv4 addresses in the order of their texts, and returns -1 for other address types', () => {
  expect(rankOfAddress('10.0.0.9', 'IPv4')).toBeGreaterThan(rankOfAddress('10.0.0.10', 'IPv4'));
  expect(rankOfAddress('fd00::1', 'IPv6')).toBe(-1);
  expect(rankOfAddress('10.0.0.1', 'FQDN')).toBe(-1);
});
