import { computeEndpointSlices, createReconciler, type Reconciler } from 'kube-endpoints';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { Endpoint, EndpointSlice, EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import { profileFor } from 'kube-endpoints/versions';
import type { History } from '../harness/history.ts';
import type { ControllerView } from './views.ts';

/** Checks whether written objects follow from the caches of their writer. */
export interface ContentCheck {
  /** Whether Endpoints equal those that follow from the caches. */
  isExpected(key: string, endpoints: ApiObject, view: ControllerView): boolean;
  /** Why a slice is not one of the expected slices; undefined if it is expected. */
  problemOfSlice(key: string, slice: ApiObject, view: ControllerView): string | undefined;
  /** The Service in the caches of the writer. */
  service(key: string, view: ControllerView): ApiObject | undefined;
}

export interface ContentCheckOptions {
  readonly version: string | undefined;
  readonly maxEndpointsPerSlice: number;
}

export function createContentCheck(history: History, { version, maxEndpointsPerSlice }: ContentCheckOptions): ContentCheck {
  const format = createFormatter(profileFor(version).sliceNodeAndZoneCompared);
  const versionOption = { ...(version !== undefined && { version }) };
  const reconciler: Reconciler = createReconciler({ ...versionOption, maxEndpointsPerSlice });
  const podsOf = (key: string, view: ControllerView): readonly Pod[] =>
    history.all(resources.pods, key.slice(0, key.indexOf('/')), view.pods) as unknown as Pod[];
  const nodesOf = (view: ControllerView): readonly Node[] => history.all(resources.nodes, undefined, view.nodes) as unknown as Node[];
  const slicesOf = (key: string, view: ControllerView): readonly EndpointSliceInput[] =>
    history.all(resources.endpointSlices, key.slice(0, key.indexOf('/')), view.endpointslices) as unknown as EndpointSliceInput[];
  const service = (key: string, view: ControllerView): ApiObject | undefined => history.at(resources.services, key, view.services);
  return {
    service,
    isExpected(key, endpoints, view) {
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
    problemOfSlice(key, slice, view) {
      const serviceObject = service(key, view);
      if (!serviceObject) return 'the Service does not exist';
      const input = { service: serviceObject as unknown as Service, pods: podsOf(key, view), nodes: nodesOf(view) };
      const expectedSlices = computeEndpointSlices(input.service, input.pods, {
        ...versionOption,
        nodes: input.nodes,
        maxEndpointsPerSlice,
      });
      const writtenSlice = slice as unknown as EndpointSlice;
      const problem = findSliceProblem(writtenSlice, expectedSlices, serviceObject, { maxEndpoints: maxEndpointsPerSlice, format });
      if (problem === undefined || writtenSlice.endpoints.length > 0) return problem;
      reconciler.forget(key);
      const { update } = reconciler.reconcileSlices({ ...input, key, current: slicesOf(key, view) });
      return isKeptEmpty(writtenSlice, update) ? undefined : problem;
    },
  };
}

type EndpointFormatter = (endpoint: Endpoint) => string;

function findSliceProblem(
  slice: EndpointSlice,
  expectedSlices: readonly EndpointSlice[],
  service: ApiObject,
  { maxEndpoints, format }: { readonly maxEndpoints: number; readonly format: EndpointFormatter },
): string | undefined {
  const { endpoints, metadata } = slice;
  const slicesOfGroup = expectedSlices.filter((other) => groupOf(other) === groupOf(slice));
  const [first] = slicesOfGroup;
  if (!first) return `no slice is expected with ${groupOf(slice)}`;
  if (!(metadata.ownerReferences ?? []).some(({ uid }) => uid === service.metadata.uid)) return 'its owner is another Service';
  if (toSortedText(metadata.labels) !== toSortedText(first.metadata.labels))
    return `its labels are ${toSortedText(metadata.labels)}, not ${toSortedText(first.metadata.labels)}`;
  if (endpoints.length > maxEndpoints) return `it has ${endpoints.length} endpoints`;
  const allowedTexts = new Set(slicesOfGroup.flatMap((other) => other.endpoints.map(format)));
  const formatted = endpoints.map(format);
  const unexpected = formatted.find((text) => !allowedTexts.has(text));
  if (unexpected !== undefined) return `its endpoint is not expected: ${unexpected}`;
  return new Set(formatted).size < formatted.length ? 'it contains an endpoint twice' : undefined;
}

/**
 * Whether an empty slice is expected only because it exists: the controller keeps it and updates its labels as long as pods have its ports,
 * even if these pods have no node or no address of its type.
 */
const isKeptEmpty = (slice: EndpointSlice, updates: readonly EndpointSlice[]): boolean =>
  updates.some(
    (update) =>
      update.endpoints.length === 0 &&
      update.metadata.name === slice.metadata.name &&
      groupOf(update) === groupOf(slice) &&
      toSortedText(update.metadata.labels) === toSortedText(slice.metadata.labels),
  );

const groupOf = ({ addressType, ports }: EndpointSlice): string =>
  `${addressType} ${JSON.stringify((ports ?? []).map(({ name, port, protocol, appProtocol }) => [name ?? '', port, protocol, appProtocol]).sort())}`;

/**
 * Returns a function that formats an endpoint without hints, because hints depend on all endpoints, and without node and zone if the release
 * does not update them.
 */
const createFormatter =
  (comparesNodes: boolean): EndpointFormatter =>
  ({ addresses, conditions, hostname, nodeName, zone, targetRef }) => {
    const { ready, serving, terminating } = conditions ?? {};
    const { kind, namespace, name, uid } = targetRef ?? {};
    const nodeFields = comparesNodes ? [nodeName, zone] : [];
    return JSON.stringify([addresses, [ready, serving, terminating], hostname, nodeFields, [kind, namespace, name, uid]]);
  };

const toSortedText = (map: object | undefined): string => JSON.stringify(Object.entries(map ?? {}).sort());
