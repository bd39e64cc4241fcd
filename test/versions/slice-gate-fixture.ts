import type { EndpointInput, EndpointSliceInput, EndpointsInput, Node, Pod, Service, SliceMetaInput } from '../../src/types/index.ts';
import type { HintsGateName, MirroringGateName, SlicesGateName } from '../../src/versions/gates.ts';
import type { FeatureGates } from '../../src/versions/index.ts';
import { makeService } from '../spec/objects.ts';

/** The gates that affect a plan of EndpointSlices. One gate affects only when the mirroring controller syncs. */
export type SliceGateName = SlicesGateName | HintsGateName | Exclude<MirroringGateName, 'mirrorSliceChangesReverted'>;

/**
 * The compared aspect.
 * - accepted: whether `computeEndpointSlices` accepts the release
 * - writes: how many slices are created, updated and deleted
 * - retry: whether the sync must be repeated
 * - events: the reasons of the Events
 * - addresses, conditions: of every written endpoint, in the order of the addresses
 * - hints: of every written endpoint, by its address; null if there are none
 * - ports, annotations, labels: of the first written slice
 * - versions: the API version of every written slice
 * - nodeNames: of every written endpoint
 */
export type SliceAspect =
  | 'accepted'
  | 'writes'
  | 'retry'
  | 'events'
  | 'addresses'
  | 'conditions'
  | 'hints'
  | 'ports'
  | 'annotations'
  | 'labels'
  | 'versions'
  | 'nodeNames';

/** Objects whose outcome is `off` if the gate is closed and `on` if it is open, regardless of the other gates of the release. */
export interface SliceGateFixture {
  readonly service: Service;
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  /** The Endpoints to mirror. If set, the fixture tests the mirroring controller. */
  readonly endpoints?: EndpointsInput;
  /** The existing slices. */
  readonly current?: readonly EndpointSliceInput[];
  /** The existing slices in an earlier sync of the same reconciler, whose outcome is ignored. */
  readonly earlierSlices?: readonly EndpointSliceInput[];
  /** Slices that were written before. */
  readonly observed?: readonly EndpointSliceInput[];
  /** Whether the Service was deleted in between. */
  readonly deletedBefore?: true;
  /** Feature gates that the gate depends on. */
  readonly featureGates?: FeatureGates;
  readonly aspect: SliceAspect;
  readonly off: unknown;
  readonly on: unknown;
}

export const webService = (spec: Service['spec'] = {}, annotations: Record<string, string> = {}): Service =>
  makeService(spec, { uid: 'uid-web', annotations });

/** The endpoint that results from pod a. */
export const makeEndpointA = (fields: EndpointInput = {}): EndpointInput => ({
  addresses: ['10.0.0.1'],
  conditions: { ready: true, serving: true, terminating: false },
  nodeName: 'n1',
  zone: 'z1',
  targetRef: { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'uid-a' },
  ...fields,
});

export const http = { name: 'http', port: 8080, protocol: 'TCP' };

/** A slice of the Service that needs no change if pod a is its only pod. */
export const makeSlice = (fields: EndpointSliceInput = {}, metadata: SliceMetaInput = {}): EndpointSliceInput => ({
  addressType: 'IPv4',
  endpoints: [makeEndpointA()],
  ports: [http],
  ...fields,
  metadata: {
    name: 'web-1',
    namespace: 'shop',
    uid: 'uid-web-1',
    generation: 1,
    labels: { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'uid-web', controller: true, blockOwnerDeletion: true }],
    ...metadata,
  },
});

export const noWrites = { create: 0, update: 0, delete: 0 };
export const oneUpdate = { create: 0, update: 1, delete: 0 };
