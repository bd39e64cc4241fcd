import type { Node } from '../../src/types/index.ts';
import { makePod } from '../spec/objects.ts';
import { mirroringGateFixtures } from './mirroring-gate-fixtures.ts';
import {
  http,
  makeEndpointA,
  makeSlice,
  noWrites,
  oneUpdate,
  type SliceGateFixture,
  type SliceGateName,
  webService,
} from './slice-gate-fixture.ts';

const makeNode = (name: string, zone?: string, labels: Record<string, string> = {}): Node => ({
  metadata: { name, labels: zone === undefined ? labels : { 'topology.kubernetes.io/zone': zone, ...labels } },
  status: { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu: '4' } },
});
const nodes = [makeNode('n1', 'z1'), makeNode('n2', 'z2')];

const podA = makePod('a');
const podB = makePod('b', { ip: '10.0.0.2', spec: { nodeName: 'n2' } });

const zoneHints = { '10.0.0.1': { forZones: [{ name: 'z1' }] }, '10.0.0.2': { forZones: [{ name: 'z2' }] } };
/** A Service with topology hints, and the feature gate that releases before 1.24 need for it. */
const hintedService = {
  service: webService({}, { 'service.kubernetes.io/topology-aware-hints': 'Auto' }),
  featureGates: { TopologyAwareHints: true },
};
const endpointB = makeEndpointA({
  addresses: ['10.0.0.2'],
  nodeName: 'n2',
  zone: 'z2',
  targetRef: { kind: 'Pod', namespace: 'shop', name: 'b', uid: 'uid-b' },
  hints: zoneHints['10.0.0.2'],
});
const noHints = { '10.0.0.1': null, '10.0.0.2': null };

export const sliceGateFixtures: Readonly<Record<SliceGateName, SliceGateFixture>> = {
  slicesAreV1: { service: webService(), pods: [podA], nodes, aspect: 'accepted', off: false, on: true },
  terminatingPodsIncluded: {
    service: webService(),
    pods: [makePod('a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
    nodes,
    aspect: 'conditions',
    off: [],
    on: [{ ready: false, serving: true, terminating: true }],
  },
  endpointKeyedByTarget: {
    service: webService(),
    pods: [podA, makePod('c')],
    nodes,
    aspect: 'addresses',
    off: ['10.0.0.1'],
    on: ['10.0.0.1', '10.0.0.1'],
  },
  missingNodeSkipped: {
    service: webService(),
    pods: [podA, makePod('lost', { ip: '10.0.0.3', spec: { nodeName: 'n3' } })],
    nodes,
    aspect: 'addresses',
    off: [],
    on: ['10.0.0.1'],
  },
  sliceSidecarPortsFound: {
    service: webService({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }] }),
    pods: [
      makePod('a', {
        spec: {
          nodeName: 'n1',
          initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }],
        },
      }),
    ],
    nodes,
    aspect: 'ports',
    off: [],
    on: [http],
  },
  slicesPendingDeletionIgnored: {
    service: webService(),
    pods: [podA],
    nodes,
    current: [makeSlice({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    aspect: 'writes',
    off: noWrites,
    on: { ...noWrites, create: 1 },
  },
  placeholderKept: {
    service: webService(),
    pods: [],
    nodes,
    current: [makeSlice({ endpoints: [], ports: [] })],
    aspect: 'writes',
    off: oneUpdate,
    on: noWrites,
  },
  slicePortsNilAsEmpty: {
    service: webService({ clusterIP: 'None', ports: [] }),
    pods: [podA],
    nodes,
    current: [
      makeSlice(
        { ports: null },
        {
          labels: {
            'kubernetes.io/service-name': 'web',
            'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
            'service.kubernetes.io/headless': '',
          },
        },
      ),
    ],
    aspect: 'writes',
    off: oneUpdate,
    on: noWrites,
  },
  sliceConditionsCompared: {
    service: webService(),
    featureGates: { EndpointSliceTerminatingCondition: true },
    pods: [makePod('a', { ready: false, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
    nodes,
    current: [makeSlice({ endpoints: [makeEndpointA({ conditions: { ready: false, serving: true, terminating: true } })] })],
    aspect: 'writes',
    off: noWrites,
    on: oneUpdate,
  },
  sliceUnknownConditionsCompared: {
    service: webService(),
    pods: [podA],
    nodes,
    current: [makeSlice({ endpoints: [makeEndpointA({ conditions: { ready: true } })] })],
    aspect: 'writes',
    off: noWrites,
    on: oneUpdate,
  },
  sliceNodeAndZoneCompared: {
    service: webService(),
    pods: [podA],
    nodes,
    current: [makeSlice({ endpoints: [makeEndpointA({ zone: 'z2' })] })],
    aspect: 'writes',
    off: noWrites,
    on: oneUpdate,
  },
  topologyHints: {
    service: webService({}, { 'service.kubernetes.io/topology-aware-hints': 'Auto' }),
    pods: [podA, podB],
    nodes,
    aspect: 'hints',
    off: noHints,
    on: zoneHints,
  },
  hintsForReadyOnly: {
    ...hintedService,
    pods: [
      podA,
      podB,
      makePod('c', { ip: '10.0.0.3', ready: false }),
      makePod('d', { ip: '10.0.0.4', ready: false, spec: { nodeName: 'n2' } }),
    ],
    nodes,
    aspect: 'hints',
    off: { ...zoneHints, '10.0.0.3': zoneHints['10.0.0.1'], '10.0.0.4': zoneHints['10.0.0.2'] },
    on: { ...zoneHints, '10.0.0.3': null, '10.0.0.4': null },
  },
  controlPlaneNotCounted: {
    ...hintedService,
    pods: [podA, podB],
    nodes: [...nodes, makeNode('n3', 'z3', { 'node-role.kubernetes.io/control-plane': '' })],
    aspect: 'hints',
    off: noHints,
    on: zoneHints,
  },
  zoneHintsKept: {
    ...hintedService,
    pods: [podA, podB],
    nodes,
    current: [makeSlice({ endpoints: [makeEndpointA({ hints: zoneHints['10.0.0.1'] }), endpointB] })],
    aspect: 'writes',
    off: oneUpdate,
    on: noWrites,
  },
  hintEvents: {
    service: webService({}, { 'service.kubernetes.io/topology-aware-hints': 'Auto' }),
    pods: [podA],
    nodes,
    aspect: 'events',
    off: [],
    on: ['TopologyAwareHintsDisabled'],
  },
  topologyModeAnnotation: {
    service: webService({}, { 'service.kubernetes.io/topology-mode': 'Auto' }),
    pods: [podA, podB],
    nodes,
    aspect: 'hints',
    off: noHints,
    on: zoneHints,
  },
  trafficDistribution: {
    service: webService({ trafficDistribution: 'PreferClose' }),
    pods: [podA, podB],
    nodes,
    aspect: 'hints',
    off: noHints,
    on: zoneHints,
  },
  trafficDistributionValidated: {
    service: webService({ trafficDistribution: 'PreferClose' }),
    pods: [podA],
    nodes: [makeNode('n1')],
    aspect: 'hints',
    off: { '10.0.0.1': { forZones: [{ name: '' }] } },
    on: { '10.0.0.1': null },
  },
  preferSameTrafficDistribution: {
    service: webService({ trafficDistribution: 'PreferSameNode' }),
    pods: [podA],
    nodes,
    aspect: 'hints',
    off: { '10.0.0.1': null },
    on: { '10.0.0.1': { forZones: [{ name: 'z1' }], forNodes: [{ name: 'n1' }] } },
  },
  ...mirroringGateFixtures,
};
