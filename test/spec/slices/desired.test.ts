import { describe, expect, it } from 'vitest';
import {
  addressesOf,
  computeDesiredState,
  createSlicePodEvaluator,
  sortByPod,
  sortGroups,
  zoneLabel,
} from '../../../src/spec/slices/desired.ts';
import { createGroup } from '../../../src/spec/slices/group.ts';
import type { AddressType, Node, Pod, Service } from '../../../src/types/index.ts';
import { makePod, makeService, profileWith } from '../objects.ts';
import { httpPort, makeEndpoint, makeNode } from './objects.ts';

const profile = profileWith();
const indexNodes = (...nodes: Node[]) => new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
const evaluate = (
  pod: Pod,
  service: Service = makeService(),
  nodes: Parameters<typeof createSlicePodEvaluator>[1] = undefined,
  gates = {},
  type: AddressType = 'IPv4',
) => createSlicePodEvaluator(service, nodes, type, profileWith(gates))(pod);
const terminatingFields = { metadata: { name: 'a', namespace: 'shop', uid: 'uid-a', deletionTimestamp: '2026-01-01T00:00:00Z' } };

describe('addressesOf', () => {
  const podOf = (...ips: (string | null)[]) => makePod('a', { status: { podIPs: ips.map((ip) => ({ ip })) } });

  it.each<{ ips: (string | null)[]; type: AddressType; canonicalized?: boolean; expected: string[] }>([
    { ips: ['10.0.0.1'], type: 'IPv4', expected: ['10.0.0.1'] },
    { ips: ['10.0.0.1'], type: 'IPv6', expected: [] },
    { ips: ['fd00:0::1'], type: 'IPv6', expected: ['fd00::1'] },
    { ips: ['fd00:0::1'], type: 'IPv6', canonicalized: false, expected: ['fd00:0::1'] },
    { ips: ['fd00::1', '10.0.0.1'], type: 'IPv4', expected: ['10.0.0.1'] },
    { ips: ['fd00::1', '10.0.0.1'], type: 'IPv6', expected: ['fd00::1'] },
    { ips: ['10.0.0.2', '10.0.0.10'], type: 'IPv4', expected: ['10.0.0.10', '10.0.0.2'] },
    { ips: ['010.0.0.1'], type: 'IPv4', expected: ['10.0.0.1'] },
    { ips: ['010.0.0.1'], type: 'IPv4', canonicalized: false, expected: ['010.0.0.1'] },
    { ips: ['::ffff:10.0.0.1'], type: 'IPv4', expected: ['10.0.0.1'] },
    { ips: ['::ffff:10.0.0.1'], type: 'IPv6', expected: [] },
    { ips: ['no IP', null], type: 'IPv4', expected: ['<nil>', '<nil>'] },
    { ips: ['', null], type: 'IPv4', canonicalized: false, expected: ['', ''] },
    { ips: ['no IP'], type: 'IPv6', expected: [] },
    { ips: [], type: 'IPv4', expected: [] },
  ])('returns $expected for $ips and $type (canonicalized: $canonicalized)', ({ ips, type, canonicalized = true, expected }) => {
    expect(addressesOf(podOf(...ips), type, profileWith({ addressCanonicalized: canonicalized }))).toEqual(expected);
  });

  it('ignores podIP', () => {
    expect(addressesOf(makePod('a', { status: { podIPs: null } }), 'IPv4', profile)).toEqual([]);
    expect(addressesOf({}, 'IPv4', profile)).toEqual([]);
  });
});

describe('createSlicePodEvaluator: the endpoint of a pod', () => {
  const publishingService = makeService({ publishNotReadyAddresses: true });
  const readyConditions = { ready: true, serving: true, terminating: false };

  it.each<{ name: string; pod: Pod; service?: Service; conditions: object; gates?: object }>([
    { name: 'ready', pod: makePod(), conditions: readyConditions },
    { name: 'not ready', pod: makePod('a', { ready: false }), conditions: { ready: false, serving: false, terminating: false } },
    {
      name: 'of unknown readiness',
      pod: makePod('a', { status: { conditions: null } }),
      conditions: { ...readyConditions, ready: false, serving: false },
    },
    {
      name: 'not ready, published',
      pod: makePod('a', { ready: false }),
      service: publishingService,
      conditions: { ...readyConditions, serving: false },
    },
    { name: 'terminating', pod: makePod('a', terminatingFields), conditions: { ready: false, serving: true, terminating: true } },
    {
      name: 'terminating, published',
      pod: makePod('a', terminatingFields),
      service: publishingService,
      conditions: { ...readyConditions, terminating: true },
    },
    {
      name: 'terminating and not ready',
      pod: makePod('a', { ...terminatingFields, ready: false }),
      conditions: { ready: false, serving: false, terminating: true },
    },
    { name: 'ready', pod: makePod(), conditions: { ready: true }, gates: { terminatingPodsIncluded: false } },
    {
      name: 'terminating, published',
      pod: makePod('a', terminatingFields),
      service: publishingService,
      conditions: { ready: true },
      gates: { terminatingPodsIncluded: false },
    },
  ])('has the conditions of a pod that is $name ($gates)', ({ pod, service, conditions, gates }) => {
    expect(evaluate(pod, service, undefined, gates)?.endpoint).toEqual(makeEndpoint('a', '10.0.0.1', { conditions }));
  });

  it.each<{ name: string; pod: Pod; fields: object; gates?: object }>([
    { name: 'zone', pod: makePod(), fields: { zone: 'z' } },
    { name: 'no zone', pod: makePod('a', { spec: { nodeName: 'n2' } }), fields: { nodeName: 'n2' } },
    { name: 'host name', pod: makePod('a', { spec: { hostname: 'h', subdomain: 'web' } }), fields: { zone: 'z', hostname: 'h' } },
    { name: 'host name of a different subdomain', pod: makePod('a', { spec: { hostname: 'h', subdomain: 'db' } }), fields: { zone: 'z' } },
    {
      name: 'version of the pod',
      pod: makePod('a', { metadata: { name: 'a', namespace: 'shop', uid: 'uid-a', resourceVersion: '7' } }),
      fields: { zone: 'z', targetRef: { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'uid-a', resourceVersion: '7' } },
      gates: { targetResourceVersionOmitted: false },
    },
  ])('has these fields of the pod and its node: $name', ({ pod, fields, gates }) => {
    const nodes = indexNodes(makeNode('n1', 'z'), makeNode('n2'));
    expect(evaluate(pod, makeService(), nodes, gates)?.endpoint).toEqual(makeEndpoint('a', '10.0.0.1', fields));
  });

  it('has no nodeName if the pod has none', () => {
    const { nodeName: _, ...endpointWithoutNode } = makeEndpoint();
    expect(evaluate(makePod('a', { spec: { nodeName: null } }))?.endpoint).toEqual(endpointWithoutNode);
    expect(evaluate(makePod('a', { spec: { nodeName: '' } }))?.endpoint).toEqual(endpointWithoutNode);
    expect(evaluate(makePod('a', { spec: { nodeName: null, hostname: 'h', subdomain: 'web' } }))?.endpoint).toEqual({
      ...endpointWithoutNode,
      hostname: 'h',
    });
  });

  it('is absent if the pod has no address of the type; the ports are still returned', () => {
    expect(evaluate(makePod(), makeService(), undefined, {}, 'IPv6')).toEqual({ ports: { key: expect.any(String), ports: [httpPort] } });
  });

  it('is absent, and so are the ports, if the pod is left out', () => {
    expect(evaluate({})).toBeUndefined();
  });
});

describe('createSlicePodEvaluator: a pod whose node does not exist', () => {
  const publishingService = makeService({ publishNotReadyAddresses: true });
  const missingNodeOutcome = { ports: { key: expect.any(String), ports: [httpPort] }, missingNode: { pod: 'a', node: 'n1' } };

  it.each<{ name: string; service?: Service; nodes: ReturnType<typeof indexNodes> | undefined; skipped: boolean; hasEndpoint: boolean }>([
    { name: 'unknown nodes', nodes: undefined, skipped: true, hasEndpoint: true },
    { name: 'no nodes', nodes: indexNodes(), skipped: true, hasEndpoint: false },
    { name: 'no nodes', nodes: indexNodes(), skipped: false, hasEndpoint: false },
    { name: 'other nodes', nodes: indexNodes(makeNode('n2')), skipped: true, hasEndpoint: false },
    { name: 'no nodes, published', service: publishingService, nodes: indexNodes(), skipped: true, hasEndpoint: true },
    { name: 'no nodes, published', service: publishingService, nodes: indexNodes(), skipped: false, hasEndpoint: false },
  ])('for $name, has an endpoint: $hasEndpoint (missingNodeSkipped: $skipped)', ({ service, nodes, skipped, hasEndpoint }) => {
    const outcome = evaluate(makePod(), service, nodes, { missingNodeSkipped: skipped });
    expect(outcome).toEqual(hasEndpoint ? { ports: missingNodeOutcome.ports, endpoint: makeEndpoint() } : missingNodeOutcome);
  });

  it('is reported with empty names if the pod and the node have no name', () => {
    const pod: Pod = { status: { podIPs: [{ ip: '10.0.0.1' }] } };
    expect(evaluate(pod, makeService(), indexNodes())?.missingNode).toEqual({ pod: '', node: '' });
  });
});

describe('computeDesiredState', () => {
  const namedPortService = makeService({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'web' }] });
  const podAt = (name: string, ip: string, port: number, nodeName = 'n1') =>
    makePod(name, { ip, spec: { nodeName, containers: [{ ports: [{ name: 'web', containerPort: port, protocol: 'TCP' }] }] } });

  it('groups endpoints by ports, sorts groups by key and pods with missing nodes by name', () => {
    const pods = [
      podAt('d', '10.0.0.4', 9, 'gone'),
      podAt('a', '10.0.0.1', 8080),
      podAt('c', '10.0.0.3', 9, 'gone'),
      {},
      podAt('b', '10.0.0.2', 80),
    ];
    const { addressType, groups, missingNodes } = computeDesiredState(
      namedPortService,
      pods,
      indexNodes(makeNode('n1', 'z')),
      'IPv4',
      profile,
    );
    expect(addressType).toBe('IPv4');
    expect(groups.map(({ ports }) => ports[0]?.port)).toEqual([80, 8080, 9]);
    expect(groups.map((group) => group.takeRemaining().map(({ addresses }) => addresses[0]))).toEqual([['10.0.0.2'], ['10.0.0.1'], []]);
    expect(missingNodes.map(({ pod }) => pod)).toEqual(['c', 'd']);
  });

  it('has no groups without pods', () => {
    expect(computeDesiredState(namedPortService, [], undefined, 'IPv6', profile)).toEqual({
      addressType: 'IPv6',
      groups: [],
      missingNodes: [],
    });
  });
});

it('sortByPod and sortGroups return copies sorted by UTF-8 bytes', () => {
  const missingNodes = ['\u{1f600}', '\uffee', 'a'].map((pod) => ({ pod, node: 'n' }));
  expect(sortByPod(missingNodes).map(({ pod }) => pod)).toEqual(['a', '\uffee', '\u{1f600}']);
  expect(missingNodes[0]?.pod).toBe('\u{1f600}');
  const groups = ['b', 'a'].map((key) => createGroup({ key, ports: [] }, 'IPv4', profile));
  expect(sortGroups(groups).map(({ key }) => key)).toEqual(['a', 'b']);
});

it('zoneLabel is the topology label', () => {
  expect(zoneLabel).toBe('topology.kubernetes.io/zone');
});
