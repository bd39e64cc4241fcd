import { explainEndpoints } from 'kube-endpoints';
import { serviceNameLabel } from 'kube-endpoints/internal';
import type { EndpointSlice, Endpoints, Node, Pod, Service } from 'kube-endpoints/types';
import { type History, type ObjectVersion, refKey } from './types.ts';

/** The objects around one Service at a moment of a history. */
export interface ServiceState {
  readonly service: Service | undefined;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly workloads: readonly ObjectVersion[];
  readonly slices: readonly EndpointSlice[];
  readonly endpoints: Endpoints | undefined;
}

/** Applies the versions of a history one after another. */
export interface StateTracker {
  readonly state: ServiceState;
  /** Whether the version belongs to the objects around the Service. */
  apply(version: ObjectVersion): boolean;
}

export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

export function createStateTracker({ namespace, name }: ServiceName): StateTracker {
  const current = new Map<string, ObjectVersion>();
  const listKind = <T>(kind: ObjectVersion['kind']): readonly T[] =>
    [...current.values()].flatMap((version) => (version.kind === kind && version.object ? [version.object as T] : []));
  const isOfService = (version: ObjectVersion): boolean => {
    if (version.kind === 'Node') return true;
    if (version.namespace !== namespace) return false;
    if (version.kind === 'Service' || version.kind === 'Endpoints') return version.name === name;
    return version.kind !== 'EndpointSlice' || current.has(refKey(version)) || version.object?.metadata.labels?.[serviceNameLabel] === name;
  };
  return {
    state: {
      get service() {
        return listKind<Service>('Service')[0];
      },
      get pods() {
        return listKind<Pod>('Pod');
      },
      get nodes() {
        return listKind<Node>('Node');
      },
      get workloads() {
        return [...current.values()].filter(({ kind }) => kind === 'Deployment' || kind === 'ReplicaSet');
      },
      get slices() {
        return listKind<EndpointSlice>('EndpointSlice');
      },
      get endpoints() {
        return listKind<Endpoints>('Endpoints')[0];
      },
    },
    apply(version) {
      if (!isOfService(version)) return false;
      if (version.change === 'delete') current.delete(refKey(version));
      else current.set(refKey(version), version);
      return true;
    },
  };
}

/** Whether a Service lists a pod among its ready addresses, by the rules of the endpoints controller. */
export function isReadyEndpoint(service: Service | undefined, pod: Pod): boolean {
  if (!service) return false;
  const [explanation] = explainEndpoints(service, [pod]);
  return explanation?.ready ?? false;
}

/** The ready endpoints that are written. */
export interface ReadyEndpoints {
  readonly addresses: ReadonlySet<string>;
  /** The names of their pods. */
  readonly pods: ReadonlySet<string>;
}

interface WrittenEndpoint {
  readonly addresses: readonly string[];
  readonly pod: string | undefined;
}

/** @param hasSlices whether EndpointSlices say which endpoints there are, and not Endpoints */
export function readyEndpoints({ service, slices, endpoints }: ServiceState, hasSlices: boolean): ReadyEndpoints {
  const written = hasSlices ? slices.flatMap((slice) => readySliceEndpoints(slice, service)) : readyAddresses(endpoints);
  return {
    addresses: new Set(written.flatMap(({ addresses }) => addresses)),
    pods: new Set(written.flatMap(({ pod }) => (pod === undefined ? [] : [pod]))),
  };
}

/** A slice without ports serves nothing, unless the Service has no ports. */
function readySliceEndpoints({ endpoints, ports }: EndpointSlice, service: Service | undefined): WrittenEndpoint[] {
  if ((ports?.length ?? 0) === 0 && (service?.spec?.ports?.length ?? 1) > 0) return [];
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .map(({ addresses, targetRef }) => ({ addresses, pod: podOf(targetRef) }));
}

const readyAddresses = (endpoints: Endpoints | undefined): WrittenEndpoint[] =>
  (endpoints?.subsets ?? []).flatMap((subset) =>
    (subset.addresses ?? []).map(({ ip, targetRef }) => ({ addresses: [ip], pod: podOf(targetRef) })),
  );

const podOf = (target: { readonly kind?: string | null; readonly name?: string | null } | null | undefined): string | undefined =>
  target?.kind === 'Pod' ? (target.name ?? undefined) : undefined;

/** Whether EndpointSlices say which endpoints a Service has: the recording shows some. Otherwise Endpoints do. */
export const usesSlices = ({ versions }: History, { namespace, name }: ServiceName): boolean =>
  versions.some(
    ({ kind, object }) =>
      kind === 'EndpointSlice' && object?.metadata.namespace === namespace && object.metadata.labels?.[serviceNameLabel] === name,
  );
