import type { EndpointSliceInput, EndpointsInput } from '../../src/types/index.ts';
import type { MirroringGateName } from '../../src/versions/gates.ts';
import { http, nothing, oneUpdate, type SliceGateFixture, sliceOf, web } from './slice-gate-fixture.ts';

const custom = web({ selector: null });
const endpointsOf = (fields: EndpointsInput = {}): EndpointsInput => ({
  subsets: [{ addresses: [{ ip: '10.1.0.1' }], ports: [http] }],
  ...fields,
  metadata: { name: 'web', namespace: 'shop', uid: 'uid-endpoints', ...fields.metadata },
});

/** A slice that mirrors `endpointsOf()`. */
const mirrorOf = (owner = 'uid-endpoints'): EndpointSliceInput =>
  sliceOf(
    { endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true } }] },
    {
      labels: { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name: 'web', uid: owner, controller: true, blockOwnerDeletion: true }],
    },
  );

export const mirroringGateFixtures: Readonly<Record<MirroringGateName, SliceGateFixture>> = {
  mirroredReadinessKept: {
    service: custom,
    endpoints: endpointsOf({ subsets: [{ notReadyAddresses: [{ ip: '10.1.0.1' }], ports: [http] }] }),
    shows: 'conditions',
    off: [{ ready: true }],
    on: [{ ready: false }],
  },
  lastAppliedNotMirrored: {
    service: custom,
    endpoints: endpointsOf({ metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', team: 'shop' } } }),
    shows: 'annotations',
    off: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', team: 'shop' },
    on: { team: 'shop' },
  },
  mirrorDeletedForSelector: {
    service: web(),
    endpoints: endpointsOf(),
    current: [mirrorOf()],
    shows: 'writes',
    off: nothing,
    on: { ...nothing, delete: 1 },
  },
  mirroredSubsetsRepacked: {
    service: custom,
    endpoints: endpointsOf({
      subsets: [http, { name: 'https', port: 8443, protocol: 'TCP' }].map((port) => ({ addresses: [{ ip: '10.1.0.1' }], ports: [port] })),
    }),
    shows: 'writes',
    off: { ...nothing, create: 2 },
    on: { ...nothing, create: 1 },
  },
  mirrorRebuiltForNewOwner: {
    service: custom,
    endpoints: endpointsOf(),
    current: [mirrorOf('uid-earlier')],
    shows: 'writes',
    off: nothing,
    on: oneUpdate,
  },
  mirrorUnchangedTracked: {
    service: custom,
    endpoints: endpointsOf(),
    earlier: [mirrorOf()],
    current: [],
    shows: 'retry',
    off: false,
    on: true,
  },
};
