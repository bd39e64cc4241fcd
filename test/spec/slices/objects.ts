import { settingsForProfile } from '../../../src/spec/settings.ts';
import { computeDesiredStates, type DesiredState, type NodesByName } from '../../../src/spec/slices/desired.ts';
import { compareByName } from '../../../src/spec/slices/pack.ts';
import type { SlicePlan } from '../../../src/spec/slices/plan.ts';
import { parseSlice, type SliceParser } from '../../../src/spec/slices/reading.ts';
import type {
  AddressType,
  Endpoint,
  EndpointInput,
  EndpointSlice,
  EndpointSliceInput,
  Node,
  Pod,
  Service,
} from '../../../src/types/index.ts';
import type { Profile } from '../../../src/versions/index.ts';

export const key = 'shop/web';
export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const controller = 'endpointslice-controller.k8s.io';
export const triggerTime = 'endpoints.kubernetes.io/last-change-trigger-time';
export const zoneLabel = 'topology.kubernetes.io/zone';

/** The labels and owner of the slices of "shop/web", the Service of `makeService`, which has no UID. */
export const ownLabels: Record<string, string> = { [serviceNameLabel]: 'web', [managedByLabel]: controller };
export const owner = { apiVersion: 'v1', kind: 'Service', name: 'web', uid: '', controller: true, blockOwnerDeletion: true };
export const httpPort = { name: 'http', port: 8080, protocol: 'TCP' };

/** A slice of the controller for "shop/web", under port http; the given fields replace its own. */
export const makeSlice = (
  name: string,
  endpoints: EndpointSliceInput['endpoints'],
  fields: Partial<EndpointSliceInput> = {},
): EndpointSliceInput => ({
  addressType: 'IPv4',
  endpoints,
  ports: [httpPort],
  ...fields,
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-${name}`,
    resourceVersion: '5',
    generation: 1,
    labels: ownLabels,
    ownerReferences: [owner],
    ...fields.metadata,
  },
});

/** The endpoint that results from the ready pod NAME of `makePod`, with 10.0.0.1 as the default address. */
export const makeEndpoint = (name = 'a', ip = '10.0.0.1', fields: Partial<Endpoint> = {}): Endpoint => ({
  addresses: [ip],
  conditions: { ready: true, serving: true, terminating: false },
  targetRef: { kind: 'Pod', namespace: 'shop', name, uid: `uid-${name}` },
  nodeName: 'n1',
  ...fields,
});

/** `count` endpoints, starting with NAME0 at 10.SECOND_OCTET.0.0. */
export const makeEndpoints = (count: number, name = 'p', secondOctet = 0, fields: Partial<Endpoint> = {}): Endpoint[] =>
  Array.from({ length: count }, (_, i) => makeEndpoint(`${name}${i}`, `10.${secondOctet}.${i >> 8}.${i & 255}`, fields));

export const makeNode = (name: string, zoneName?: string, cpu: string | number | null = '1', ready = 'True'): Node => ({
  metadata: { name, labels: zoneName === undefined ? {} : { [zoneLabel]: zoneName } },
  status: { conditions: [{ type: 'Ready', status: ready }], allocatable: cpu === null ? {} : { cpu } },
});

/** The number of slices that a plan creates, updates and deletes, and the codes of its reasons. */
export const summarizePlan = ({ create, update, delete: toDelete, reasons }: SlicePlan): string =>
  [`${create.length} ${update.length} ${toDelete.length}`, ...reasons.map(({ code }) => code)].join(' ');

/** The addresses of each slice. */
export const addressesOf = (slices: readonly EndpointSliceInput[]): string[] =>
  slices.map(({ endpoints }) => (endpoints ?? []).map(({ addresses }: EndpointInput) => addresses?.join('+')).join(' '));

/** Applies a plan like an API server, and returns the slices afterwards; names of new slices start with `prefix`. */
export function applyPlan(current: readonly EndpointSliceInput[], plan: SlicePlan, prefix = 'new'): EndpointSliceInput[] {
  const deletedNames = new Set(plan.delete.map(({ metadata }) => metadata.name));
  const updatedByName = new Map(plan.update.map((slice) => [slice.metadata.name, storeSlice(slice, slice.metadata.name ?? '')]));
  const remaining = current
    .filter(({ metadata }) => !deletedNames.has(metadata?.name ?? ''))
    .map((slice) => updatedByName.get(slice.metadata?.name ?? '') ?? slice);
  return [...remaining, ...plan.create.map((slice, i) => storeSlice(slice, `${prefix}${i}`))].sort(compareByName);
}

function storeSlice(slice: EndpointSlice, name: string): EndpointSliceInput {
  const { metadata, ...rest } = structuredClone(slice);
  const version = Number(metadata.resourceVersion ?? 0) + 1;
  return { ...rest, metadata: { ...metadata, name, uid: `uid-${name}`, resourceVersion: String(version), generation: version } };
}

/** Computes the desired state of each of the address types. */
export const computeDesired = (
  service: Service,
  pods: readonly Pod[],
  nodes: NodesByName,
  types: readonly AddressType[],
  profile: Profile,
): readonly DesiredState[] =>
  computeDesiredStates({ ...service, spec: { ...service.spec, ipFamilies: types } }, pods, nodes, settingsForProfile(profile));

export const createReader =
  (service: Service, profile: Profile): SliceParser =>
  (slice) =>
    parseSlice(slice, service, profile);
