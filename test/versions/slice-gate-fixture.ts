import type { EndpointInput, EndpointSliceInput, EndpointsInput, Node, Pod, Service, SliceMetaInput } from '../../src/types/index.ts';
import type { MirroringGateName, SlicesGateName } from '../../src/versions/gates.ts';
import { makeService } from '../spec/objects.ts';

/** The gates whose effect is in EndpointSlices. */
export type SliceGateName = SlicesGateName | MirroringGateName;

/**
 * What a fixture looks at.
 * - accepted: whether the release is taken at all; asked of `computeEndpointSlices`
 * - writes: how many slices are created, updated and deleted
 * - retry: whether the sync has to be repeated
 * - events: the reasons of the Events
 * - addresses, conditions: of every endpoint that is written, in the order of the addresses
 * - hints: of every endpoint that is written, by its address; null where there are none
 * - ports, annotations: of the first slice that is written
 */
export type SliceAspect = 'accepted' | 'writes' | 'retry' | 'events' | 'addresses' | 'conditions' | 'hints' | 'ports' | 'annotations';

/** Objects whose outcome is `off` where the gate is closed and `on` where it is open, whatever the other gates of the release. */
export interface SliceGateFixture {
  readonly service: Service;
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  /** The Endpoints that are mirrored; with them, it is the mirroring controller that is looked at. */
  readonly endpoints?: EndpointsInput;
  /** The slices that are there. */
  readonly current?: readonly EndpointSliceInput[];
  /** The slices that are there in an earlier sync of the same reconciler, whose outcome is not looked at. */
  readonly earlier?: readonly EndpointSliceInput[];
  readonly shows: SliceAspect;
  readonly off: unknown;
  readonly on: unknown;
}

export const web = (spec: Service['spec'] = {}, annotations: Record<string, string> = {}): Service =>
  makeService(spec, { uid: 'uid-web', annotations });

/** The endpoint that pod a becomes. */
export const endpointOfA = (fields: EndpointInput = {}): EndpointInput => ({
  addresses: ['10.0.0.1'],
  conditions: { ready: true, serving: true, terminating: false },
  nodeName: 'n1',
  zone: 'z1',
  targetRef: { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'uid-a' },
  ...fields,
});

export const http = { name: 'http', port: 8080, protocol: 'TCP' };

/** A slice of the Service that needs no change beside pod a. */
export const sliceOf = (fields: EndpointSliceInput = {}, metadata: SliceMetaInput = {}): EndpointSliceInput => ({
  addressType: 'IPv4',
  endpoints: [endpointOfA()],
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

export const nothing = { create: 0, update: 0, delete: 0 };
export const oneUpdate = { create: 0, update: 1, delete: 0 };
