import type { Node } from '../../src/types/index.ts';
import { makePod } from '../spec/objects.ts';
import { mirroringGateFixtures } from './mirroring-gate-fixtures.ts';
import { endpointOfA, http, nothing, oneUpdate, type SliceGateFixture, type SliceGateName, sliceOf, web } from './slice-gate-fixture.ts';

const makeNode = (name: string, zone?: string): Node => ({
  metadata: { name, labels: zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone } },
  status: { conditions: [{ type: 'Ready', status: 'True' }], allocatable: { cpu: '4' } },
});
const nodes = [makeNode('n1', 'z1'), makeNode('n2', 'z2')];

const a = makePod('a');
const b = makePod('b', { ip: '10.0.0.2', spec: { nodeName: 'n2' } });

const inZones = { '10.0.0.1': { forZones: [{ name: 'z1' }] }, '10.0.0.2': { forZones: [{ name: 'z2' }] } };
const unhinted = { '10.0.0.1': null, '10.0.0.2': null };

export const sliceGateFixtures: Readonly<Record<SliceGateName, SliceGateFixture>> = {
  slicesAreV1: { service: web(), pods: [a], nodes, shows: 'accepted', off: false, on: true },
  terminatingPodsIncluded: {
    service: web(),
    pods: [makePod('a', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
    nodes,
    shows: 'conditions',
    off: [],
    on: [{ ready: false, serving: true, terminating: true }],
  },
  endpointKeyedByTarget: {
    service: web(),
    pods: [a, makePod('c')],
    nodes,
    shows: 'addresses',
    off: ['10.0.0.1'],
    on: ['10.0.0.1', '10.0.0.1'],
  },
  missingNodeSkipped: {
    service: web(),
    pods: [a, makePod('lost', { ip: '10.0.0.3', spec: { nodeName: 'n3' } })],
    nodes,
    shows: 'addresses',
    off: [],
    on: ['10.0.0.1'],
  },
  sliceSidecarPortsFound: {
    service: web({ ports: [{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }] }),
    pods: [
      makePod('a', {
        spec: {
          nodeName: 'n1',
          initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }],
        },
      }),
    ],
    nodes,
    shows: 'ports',
    off: [],
    on: [http],
  },
  slicesPendingDeletionIgnored: {
    service: web(),
    pods: [a],
    nodes,
    current: [sliceOf({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    shows: 'writes',
    off: nothing,
    on: { ...nothing, create: 1 },
  },
  placeholderKept: {
    service: web(),
    pods: [],
    nodes,
    current: [sliceOf({ endpoints: [], ports: [] })],
    shows: 'writes',
    off: oneUpdate,
    on: nothing,
  },
  slicePortsNilAsEmpty: {
    service: web({ clusterIP: 'None', ports: [] }),
    pods: [a],
    nodes,
    current: [
      sliceOf(
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
    shows: 'writes',
    off: oneUpdate,
    on: nothing,
  },
  sliceConditionsCompared: {
    service: web(),
    pods: [makePod('a', { ready: false, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } })],
    nodes,
    current: [sliceOf({ endpoints: [endpointOfA({ conditions: { ready: false, serving: true, terminating: true } })] })],
    shows: 'writes',
    off: nothing,
    on: oneUpdate,
  },
  sliceUnknownConditionsCompared: {
    service: web(),
    pods: [a],
    nodes,
    current: [sliceOf({ endpoints: [endpointOfA({ conditions: { ready: true } })] })],
    shows: 'writes',
    off: nothing,
    on: oneUpdate,
  },
  sliceNodeAndZoneCompared: {
    service: web(),
    pods: [a],
    nodes,
    current: [sliceOf({ endpoints: [endpointOfA({ zone: 'z2' })] })],
    shows: 'writes',
    off: nothing,
    on: oneUpdate,
  },
  topologyHints: {
    service: web({}, { 'service.kubernetes.io/topology-aware-hints': 'Auto' }),
    pods: [a, b],
    nodes,
    shows: 'hints',
    off: unhinted,
    on: inZones,
  },
  hintEvents: {
    service: web({}, { 'service.kubernetes.io/topology-aware-hints': 'Auto' }),
    pods: [a],
    nodes,
    shows: 'events',
    off: [],
    on: ['TopologyAwareHintsDisabled'],
  },
  topologyModeAnnotation: {
    service: web({}, { 'service.kubernetes.io/topology-mode': 'Auto' }),
    pods: [a, b],
    nodes,
    shows: 'hints',
    off: unhinted,
    on: inZones,
  },
  trafficDistribution: {
    service: web({ trafficDistribution: 'PreferClose' }),
    pods: [a, b],
    nodes,
    shows: 'hints',
    off: unhinted,
    on: inZones,
  },
  trafficDistributionValidated: {
    service: web({ trafficDistribution: 'PreferClose' }),
    pods: [a],
    nodes: [makeNode('n1')],
    shows: 'hints',
    off: { '10.0.0.1': { forZones: [{ name: '' }] } },
    on: { '10.0.0.1': null },
  },
  preferSameTrafficDistribution: {
    service: web({ trafficDistribution: 'PreferSameNode' }),
    pods: [a],
    nodes,
    shows: 'hints',
    off: { '10.0.0.1': null },
    on: { '10.0.0.1': { forZones: [{ name: 'z1' }], forNodes: [{ name: 'n1' }] } },
  },
  ...mirroringGateFixtures,
};
