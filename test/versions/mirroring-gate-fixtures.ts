import type { EndpointSliceInput, EndpointsInput } from '../../src/types/index.ts';
import type { MirroringGateName } from '../../src/versions/gates.ts';
import { http, makeSlice, noWrites, oneUpdate, type SliceGateFixture, webService } from './slice-gate-fixture.ts';

const serviceWithoutSelector = webService({ selector: null });
const makeEndpoints = (fields: EndpointsInput = {}): EndpointsInput => ({
  subsets: [{ addresses: [{ ip: '10.1.0.1' }], ports: [http] }],
  ...fields,
  metadata: { name: 'web', namespace: 'shop', uid: 'uid-endpoints', ...fields.metadata },
});

/** A slice that mirrors `makeEndpoints()`. */
const makeMirror = (owner = 'uid-endpoints'): EndpointSliceInput =>
  makeSlice(
    { endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true } }] },
    {
      labels: { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name: 'web', uid: owner, controller: true, blockOwnerDeletion: true }],
    },
  );

/** The gates that affect a plan. `mirrorSliceChangesReverted` affects only when the controller syncs. */
export type PlannedMirroringGateName = Exclude<MirroringGateName, 'mirrorSliceChangesReverted'>;

export const mirroringGateFixtures: Readonly<Record<PlannedMirroringGateName, SliceGateFixture>> = {
  endpointsMirrored: { service: serviceWithoutSelector, endpoints: makeEndpoints(), aspect: 'accepted', off: false, on: true },
  mirroredMetadataCompared: {
    service: serviceWithoutSelector,
    endpoints: makeEndpoints({ metadata: { annotations: { team: 'shop' } } }),
    aspect: 'annotations',
    off: {},
    on: { team: 'shop' },
  },
  mirroredReadinessKept: {
    service: serviceWithoutSelector,
    endpoints: makeEndpoints({ subsets: [{ notReadyAddresses: [{ ip: '10.1.0.1' }], ports: [http] }] }),
    aspect: 'conditions',
    off: [{ ready: true }],
    on: [{ ready: false }],
  },
  lastAppliedNotMirrored: {
    service: serviceWithoutSelector,
    endpoints: makeEndpoints({ metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', team: 'shop' } } }),
    aspect: 'annotations',
    off: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', team: 'shop' },
    on: { team: 'shop' },
  },
  mirrorDeletedForSelector: {
    service: webService(),
    endpoints: makeEndpoints(),
    current: [makeMirror()],
    aspect: 'writes',
    off: noWrites,
    on: { ...noWrites, delete: 1 },
  },
  mirroredSubsetsRepacked: {
    service: serviceWithoutSelector,
    endpoints: makeEndpoints({
      subsets: [http, { name: 'https', port: 8443, protocol: 'TCP' }].map((port) => ({ addresses: [{ ip: '10.1.0.1' }], ports: [port] })),
    }),
    aspect: 'writes',
    off: { ...noWrites, create: 2 },
    on: { ...noWrites, create: 1 },
  },
  mirrorRebuiltForNewOwner: {
    service: serviceWithoutSelector,
    endpoints: makeEndpoints(),
    current: [makeMirror('uid-earlier')],
    aspect: 'writes',
    off: noWrites,
    on: oneUpdate,
  },
  mirrorUnchangedTracked: {
    service: serviceWithoutSelector,
    endpoints: makeEndpoints(),
    earlierSlices: [makeMirror()],
    current: [],
    aspect: 'retry',
    off: false,
    on: true,
  },
};
