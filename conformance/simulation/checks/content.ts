import { computeEndpointSlices, createReconciler, type Reconciler } from 'kube-endpoints';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { Endpoint, EndpointSlice, EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { Chronicle } from '../harness/chronicle.ts';
import type { View } from './views.ts';

/** Checks whether written content follows from what the writer knew. */
export interface Content {
  /** Whether Endpoints equal the expected ones. */
  isRight(key: string, endpoints: ApiObject, view: View): boolean;
  /** Why a slice is not one of the expected slices; undefined if it is. */
  slicePart(key: string, slice: ApiObject, view: View): string | undefined;
  service(key: string, view: View): ApiObject | undefined;
}

export interface ContentOptions {
  readonly version: string | undefined;
  readonly maxEndpointsPerSlice: number;
}

export function createContent(chronicle: Chronicle, { version, maxEndpointsPerSlice }: ContentOptions): Content {
  const format = createFormatter(profileFor(version).sliceNodeAndZoneCompared);
  const versioned = { ...(version !== undefined && { version }) };
  const reconciler: Reconciler = createReconciler({ ...versioned, maxEndpointsPerSlice });
  const podsOf = (key: string, view: View): readonly Pod[] =>
    chronicle.all(resources.pods, key.slice(0, key.indexOf('/')), view.pods) as unknown as Pod[];
  const nodesOf = (view: View): readonly Node[] => chronicle.all(resources.nodes, undefined, view.nodes) as unknown as Node[];
  const slicesOf = (key: string, view: View): readonly EndpointSliceInput[] =>
    chronicle.all(resources.endpointSlices, key.slice(0, key.indexOf('/')), view.endpointslices) as unknown as EndpointSliceInput[];
  const service = (key: string, view: View): ApiObject | undefined => chronicle.at(resources.services, key, view.services);
  return {
    service,
    isRight(key, endpoints, view) {
      reconciler.forget(key);
      const current = endpoints as unknown as EndpointsInput;
      const { reasons } = reconciler.reconcile({
        key,
        service: service(key, view) as unknown as Service,
        pods: podsOf(key, view),
        current,
      });
      return reasons.some(({ code }) => code === 'EndpointsEqual');
    },
    slicePart(key, slice, view) {
      const found = service(key, view);
      if (!found) return 'the Service does not exist';
      const known = { service: found as unknown as Service, pods: podsOf(key, view), nodes: nodesOf(view) };
      const due = computeEndpointSlices(known.service, known.pods, { ...versioned, nodes: known.nodes, maxEndpointsPerSlice });
      const sent = slice as unknown as EndpointSlice;
      const problem = partOf(sent, due, found, { maxEndpoints: maxEndpointsPerSlice, format });
      if (problem === undefined || sent.endpoints.length > 0) return problem;
      reconciler.forget(key);
      const { update } = reconciler.reconcileSlices({ ...known, key, current: slicesOf(key, view) });
      return isKeptEmpty(sent, update) ? undefined : problem;
    },
  };
}

type EndpointFormatter = (endpoint: Endpoint) => string;

function partOf(
  slice: EndpointSlice,
  due: readonly EndpointSlice[],
  service: ApiObject,
  { maxEndpoints, format }: { readonly maxEndpoints: number; readonly format: EndpointFormatter },
): string | undefined {
  const { endpoints, metadata } = slice;
  const alike = due.filter((other) => groupOf(other) === groupOf(slice));
  const [first] = alike;
  if (!first) return `no slice is expected with ${groupOf(slice)}`;
  if (!(metadata.ownerReferences ?? []).some(({ uid }) => uid === service.metadata.uid)) return 'its owner is another Service';
  if (sorted(metadata.labels) !== sorted(first.metadata.labels))
    return `its labels are ${sorted(metadata.labels)}, not ${sorted(first.metadata.labels)}`;
  if (endpoints.length > maxEndpoints) return `it has ${endpoints.length} endpoints`;
  const allowed = new Set(alike.flatMap((other) => other.endpoints.map(format)));
  const formatted = endpoints.map(format);
  const unexpected = formatted.find((each) => !allowed.has(each));
  if (unexpected !== undefined) return `its endpoint is not expected: ${unexpected}`;
  return new Set(formatted).size < formatted.length ? 'it contains an endpoint twice' : undefined;
}

/**
 * A slice without endpoints stays, and is updated if its labels change, as long as there are pods with its ports, even if those
 * have no node or no address of its type. It is expected only because it exists.
 */
const isKeptEmpty = (slice: EndpointSlice, updates: readonly EndpointSlice[]): boolean =>
  updates.some(
    (update) =>
      update.endpoints.length === 0 &&
      update.metadata.name === slice.metadata.name &&
      groupOf(update) === groupOf(slice) &&
      sorted(update.metadata.labels) === sorted(slice.metadata.labels),
  );

const groupOf = ({ addressType, ports }: EndpointSlice): string =>
  `${addressType} ${JSON.stringify((ports ?? []).map(({ name, port, protocol, appProtocol }) => [name ?? '', port, protocol, appProtocol]).sort())}`;

/** Formats an endpoint without hints, which depend on all others. Some releases keep an old node and zone. */
const createFormatter =
  (comparesNodes: boolean): EndpointFormatter =>
  ({ addresses, conditions, hostname, nodeName, zone, targetRef }) => {
    const { ready, serving, terminating } = conditions ?? {};
    const { kind, namespace, name, uid } = targetRef ?? {};
    const place = comparesNodes ? [nodeName, zone] : [];
    return JSON.stringify([addresses, [ready, serving, terminating], hostname, place, [kind, namespace, name, uid]]);
  };

const sorted = (map: object | undefined): string => JSON.stringify(Object.entries(map ?? {}).sort());
