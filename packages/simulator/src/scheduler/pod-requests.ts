import { isQuantity, parseQuantity } from 'kube-endpoints/internal/apimachinery';
import type { Container, ContainerStatus, Pod, ResourceList } from './types.ts';

/** Quantities in billionths by the name of a resource. */
export type Requests = ReadonlyMap<string, bigint>;

type Draft = Map<string, bigint>;

export interface RequestOptions {
  /** Whether a resize in progress counts with the larger of the wanted and the actual requests. */
  readonly usesStatus: boolean;
  /** Whether requests of the pod as a whole are ignored. */
  readonly ignoresPodLevel?: boolean;
  /** Requests of a container that has none for the resource, in billionths. */
  readonly defaults?: Requests;
}

/** The requests of a pod as a whole: PodRequests (1.36, component-helpers/resource/helpers.go), with the default feature gates. */
export function computePodRequests(pod: Pod, options: RequestOptions): Requests {
  const requests = aggregateContainers(pod, options);
  const podLevel = pod.spec?.resources?.requests;
  if (podLevel && !options.ignoresPodLevel) {
    const actual = options.usesStatus && pod.status?.resources ? effectiveRequestsOfPod(pod, podLevel) : undefined;
    for (const [name, quantity] of parseList(podLevel))
      if (isPodLevelResource(name)) requests.set(name, actual ? (actual.get(name) ?? 0n) : quantity);
  }
  addAll(requests, parseList(pod.spec?.overhead));
  return requests;
}

/** Whether a pod has requests for all of its containers together: IsPodLevelRequestsSet. */
export const hasPodLevelRequests = ({ spec }: Pod): boolean => Object.keys(spec?.resources?.requests ?? {}).some(isPodLevelResource);

const isPodLevelResource = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

/** Sums containers and sidecars; other init containers run before, beside the sidecars that started earlier. */
function aggregateContainers(pod: Pod, options: RequestOptions): Draft {
  const { spec, status } = pod;
  const statuses = new Map(
    [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].map((each) => [each.name, each]),
  );
  const requestsOf = (container: Container, hasStatus: boolean): Requests =>
    withDefaults(effectiveRequests(pod, container, hasStatus ? statuses.get(container.name ?? '') : undefined, options), options.defaults);
  const sum: Draft = new Map();
  for (const container of spec?.containers ?? []) addAll(sum, requestsOf(container, true));
  const sidecars: Draft = new Map();
  const highest: Draft = new Map();
  for (const container of spec?.initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    const requests = requestsOf(container, isSidecar);
    if (isSidecar) {
      addAll(sum, requests);
      addAll(sidecars, requests);
      raiseAll(highest, sidecars);
    } else raiseAll(highest, addAll(new Map(requests), sidecars));
  }
  raiseAll(sum, highest);
  return sum;
}

function effectiveRequests(pod: Pod, container: Container, status: ContainerStatus | undefined, { usesStatus }: RequestOptions): Requests {
  const wanted = parseList(container.resources?.requests);
  if (!usesStatus || !status?.resources) return wanted;
  return largestRequests(pod, wanted, parseList(status.resources.requests), parseList(status.allocatedResources));
}

const effectiveRequestsOfPod = (pod: Pod, wanted: ResourceList): Requests =>
  largestRequests(pod, parseList(wanted), parseList(pod.status?.resources?.requests), parseList(pod.status?.allocatedResources));

/** Wanted requests do not count if the resize is infeasible: determineEffectiveRequests. */
function largestRequests({ status }: Pod, wanted: Requests, actuated: Requests, allocated: Requests): Requests {
  const pending = status?.conditions?.find(({ type }) => type === 'PodResizePending');
  const result: Draft = new Map(pending?.reason === 'Infeasible' ? [] : wanted);
  raiseAll(result, actuated);
  raiseAll(result, allocated);
  return result;
}

function withDefaults(requests: Requests, defaults: Requests | undefined): Requests {
  if (!defaults) return requests;
  return new Map([...defaults, ...requests]);
}

function parseList(list: ResourceList | undefined): Requests {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, parseNanos(text)]));
}

/** A quantity in billionths; 0 if it is invalid. */
export function parseNanos(text: string | number): bigint {
  const quantity = parseQuantity(String(text));
  return isQuantity(quantity) ? quantity.nanos : 0n;
}

function addAll(target: Draft, added: Requests): Draft {
  for (const [name, quantity] of added) target.set(name, (target.get(name) ?? 0n) + quantity);
  return target;
}

function raiseAll(target: Draft, other: Requests): void {
  for (const [name, quantity] of other) {
    const current = target.get(name);
    if (current === undefined || quantity > current) target.set(name, quantity);
  }
}
