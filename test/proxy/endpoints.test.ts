import { expect, it } from 'vitest';
import { groupEndpointsByPort } from '../../src/proxy/node-view.ts';
import type { EndpointInput, EndpointSliceInput } from '../../src/types/index.ts';

const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
const endpointsIn = (endpoints: EndpointInput[], more: Partial<EndpointSliceInput> = {}) =>
  groupEndpointsByPort([{ ports, endpoints, ...more }], 'n1').get('http/TCP') ?? [];

it('the first address of an endpoint is used, canonicalized, with the port of the slice', () => {
  expect(endpointsIn([{ addresses: ['010.0.0.1', '10.0.0.9'] }, { addresses: ['FD00::1'] }, {}]).map(({ text, ip }) => [text, ip])).toEqual(
    [
      ['10.0.0.1:8080', '10.0.0.1'],
      ['[fd00::1]:8080', 'fd00::1'],
    ],
  );
});

it('unknown conditions mean ready, serving and not terminating', () => {
  expect(endpointsIn([{ addresses: ['10.0.0.1'] }])[0]).toMatchObject({ ready: true, serving: true, terminating: false, isLocal: false });
});

it('an endpoint is local on the node with its nodeName', () => {
  expect(endpointsIn([{ addresses: ['10.0.0.1'], nodeName: 'n1' }])[0]?.isLocal).toBe(true);
  expect(groupEndpointsByPort([{ ports, endpoints: [{ addresses: ['10.0.0.1'], nodeName: '' }] }], '').get('http/TCP')?.[0]?.isLocal).toBe(
    false,
  );
});

it('ports without a name or number are left out, and the default protocol is TCP', () => {
  const slice = {
    ports: [{ port: 1 }, { name: 'a' }, { name: 'b', port: 0 }, { name: '', port: 2 }],
    endpoints: [{ addresses: ['10.0.0.1'] }],
  };
  expect([...groupEndpointsByPort([slice], 'n1').keys()]).toEqual(['/TCP']);
});

it('the last endpoint with an address wins, but a terminating endpoint does not replace another', () => {
  const duplicates = (...conditions: NonNullable<EndpointInput['conditions']>[]) =>
    endpointsIn(conditions.map((each) => ({ addresses: ['10.0.0.1'], conditions: each }))).map(({ ready, terminating }) => ({
      ready,
      terminating,
    }));
  expect(duplicates({ ready: false }, { ready: true })).toEqual([{ ready: true, terminating: false }]);
  expect(duplicates({ ready: true }, { ready: false, terminating: true })).toEqual([{ ready: true, terminating: false }]);
  expect(duplicates({ ready: false, terminating: true }, { ready: true })).toEqual([{ ready: true, terminating: false }]);
});

it('endpoints are sorted by address and port as text', () => {
  expect(endpointsIn([{ addresses: ['10.0.0.2'] }, { addresses: ['10.0.0.10'] }]).map(({ ip }) => ip)).toEqual(['10.0.0.10', '10.0.0.2']);
});

it('endpoints keep their hints, nodeName and targetRef', () => {
  const targetRef = { kind: 'Pod', name: 'web-0' };
  const hints = { forZones: [{ name: 'a' }], forNodes: [{ name: 'n1' }, {}] };
  expect(endpointsIn([{ addresses: ['10.0.0.1'], hints, nodeName: 'n2', targetRef }])[0]).toMatchObject({
    zoneHints: ['a'],
    nodeHints: ['n1', ''],
    nodeName: 'n2',
    targetRef,
  });
});

it('an invalid endpoint is an error that names the slice', () => {
  const [slice] = [{ metadata: { name: 'web-1' }, ports, endpoints: [null as unknown as EndpointInput] }];
  expect(() => groupEndpointsByPort([slice], 'n1')).toThrow(new RangeError('EndpointSlice "web-1": each of endpoints has to be an object'));
});
