import { describe, expect, it } from 'vitest';
import { createTally } from '../../../src/spec/consumers/agreement-codes.ts';
import { chooseBestEntry, createEndpointsView, createSlicesView } from '../../../src/spec/consumers/agreement-views.ts';
import { collectSlices } from '../../../src/spec/consumers/merge-collect.ts';
import type { EndpointSliceInput, EndpointsInput } from '../../../src/types/index.ts';
import { controllerLabels, makeEndpoint, makeSlice, notReady, ready, terminating } from './merge-objects.ts';

const makeEntry = (conditions: typeof ready) => ({ ...conditions, slices: [] });

describe('createEndpointsView', () => {
  it('contains addresses, their ports as text, and the entries by target', () => {
    const view = createEndpointsView({
      subsets: [
        { addresses: [{ ip: '10.0.0.1', targetRef: { uid: 'u' } }], ports: [{ name: 'http', port: 80, appProtocol: 'h2' }] },
        { notReadyAddresses: [{ ip: '010.0.0.1', targetRef: { uid: 'v' } }], ports: [{ port: 53, protocol: 'UDP' }] },
        { addresses: [{ ip: '10.0.0.2' }] },
      ],
    });
    const ports = [...(view.addresses.get('10.0.0.1') ?? [])].map(([port, entries]) => [port, [...entries.keys()]]);
    expect(ports.sort()).toEqual([
      ['53/UDP', ['v']],
      ['http:80/TCP', ['u']],
    ]);
    expect([...(view.addresses.get('10.0.0.2')?.keys() ?? [])]).toEqual(['no ports']);
    expect(view.appProtocols.get('http:80/TCP')).toEqual(new Set(['h2']));
    expect(view.appProtocols.get('53/UDP')).toEqual(new Set());
  });
});

describe('createSlicesView', () => {
  const createView = (slices: readonly EndpointSliceInput[], endpoints: EndpointsInput = {}) => {
    const tally = createTally();
    const [collectedService] = collectSlices(slices, { byTarget: true }).services;
    const context = { addressTypes: new Set(['IPv4']), service: undefined, endpointsView: createEndpointsView(endpoints), tally };
    const view = createSlicesView(collectedService as NonNullable<typeof collectedService>, context);
    return { addresses: [...view.addresses.keys()], tally: tally.toDisregarded().map(({ code, count }) => [code, count]) };
  };

  it('contains the addresses expected in Endpoints, and counts the others by reason', () => {
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.1', 'u'), makeEndpoint('10.0.0.2', 'v', notReady), makeEndpoint('10.0.0.3', 'w', terminating)]),
      makeSlice('b', [makeEndpoint('10.0.0.4', 'x')], { ports: [] }, controllerLabels),
      makeSlice('c', [makeEndpoint('10.0.0.5', 'y')], { ports: [{}] }),
      makeSlice('d', [makeEndpoint('fd00::1', 'u')], { addressType: 'IPv6' }),
      makeSlice('e', [makeEndpoint('db.example', '')], { addressType: 'FQDN' }),
    ];
    expect(createView(slices)).toEqual({
      addresses: ['10.0.0.1', '10.0.0.2'],
      tally: [
        ['OtherFamily', 1],
        ['NameAddress', 1],
        ['Terminating', 1],
        ['Unresolved', 1],
        ['PortWithoutNumber', 1],
      ],
    });
  });

  it('contains terminating and unresolved endpoints if their address is in Endpoints', () => {
    const slices = [
      makeSlice('a', [makeEndpoint('10.0.0.3', 'w', terminating), makeEndpoint('10.0.0.5', 'y', terminating)]),
      makeSlice('b', [makeEndpoint('10.0.0.4', 'x')], { ports: [] }, controllerLabels),
    ];
    const subsets = [{ addresses: [{ ip: '10.0.0.3' }], ports: [{ name: 'http', port: 8080 }] }, { addresses: [{ ip: '10.0.0.4' }] }];
    expect(createView(slices, { subsets })).toEqual({ addresses: ['10.0.0.3', '10.0.0.4'], tally: [['Terminating', 1]] });
  });
});

it('chooseBestEntry chooses the same entry as mergeSlices', () => {
  const readyAndTerminating = { ...terminating, ready: true };
  expect(chooseBestEntry([notReady, ready, readyAndTerminating].map(makeEntry))).toMatchObject({ ready: true, terminating: false });
  expect(chooseBestEntry([readyAndTerminating, notReady].map(makeEntry))).toMatchObject({ ready: false, terminating: false });
  expect(chooseBestEntry([{ ...ready, slices: ['s'] }])).toMatchObject({ slices: ['s'] });
});
