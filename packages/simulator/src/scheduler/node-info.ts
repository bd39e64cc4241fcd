import { type AffinityTerms, parseAffinityTerms } from './affinity-terms.ts';
import { type Amounts, addAmounts, amountsOfPod, createAmounts, nonZeroAmountsOfPod, parseAmounts } from './resources.ts';
import type { Container, Node, Pod } from './types.ts';

/** A node with its pods and their sums: NodeInfo (1.36, pkg/scheduler/framework/types.go). */
export interface NodeInfo {
  readonly name: string;
  readonly node: Node;
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  /** With default requests of containers that have none. */
  readonly nonZeroRequested: Amounts;
  /** Pods by UID. */
  readonly pods: ReadonlyMap<string, PodInfo>;
  readonly podsWithAffinity: ReadonlyMap<string, PodInfo>;
  readonly podsWithRequiredAntiAffinity: ReadonlyMap<string, PodInfo>;
}

/** A pod with what its node adds up. */
export interface PodInfo {
  readonly pod: Pod;
  readonly terms: AffinityTerms;
  readonly requests: Amounts;
  readonly nonZeroRequests: Amounts;
  readonly hostPorts: readonly HostPort[];
}

export interface HostPort {
  readonly ip: string;
  /** For example "TCP/80". */
  readonly port: string;
}

/** @param previous of an earlier state of the same pod, which is reused if only fields changed that the scheduler does not read */
export const createPodInfo = (pod: Pod, previous?: PodInfo): PodInfo =>
  previous && previous.pod.spec === pod.spec && !hasResourceStatus(previous.pod) && !hasResourceStatus(pod)
    ? { ...previous, pod }
    : {
        pod,
        terms: parseAffinityTerms(pod),
        requests: amountsOfPod(pod, true),
        nonZeroRequests: nonZeroAmountsOfPod(pod),
        hostPorts: hostPortsOf(pod),
      };

/** Whether the status of a pod has resources, which count besides those of its spec. */
const hasResourceStatus = ({ status }: Pod): boolean =>
  status?.resources !== undefined ||
  [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].some(
    ({ resources, allocatedResources }) => resources !== undefined || allocatedResources !== undefined,
  );

/** A node whose pods and sums change. */
export interface MutableNodeInfo extends NodeInfo {
  setNode(node: Node): void;
  addPod(info: PodInfo): void;
  /** Has no effect if the pod is not there. */
  removePod(uid: string): void;
}

export function createNodeInfo(initial: Node): MutableNodeInfo {
  let node = initial;
  let allocatable = parseAmounts(initial.status?.allocatable);
  const pods = new Map<string, PodInfo>();
  const podsWithAffinity = new Map<string, PodInfo>();
  const podsWithRequiredAntiAffinity = new Map<string, PodInfo>();
  const [requested, nonZeroRequested] = [createAmounts(), createAmounts()];
  const add = ({ requests, nonZeroRequests }: PodInfo, sign: 1 | -1): void => {
    addAmounts(requested, requests, sign);
    addAmounts(nonZeroRequested, nonZeroRequests, sign);
  };
  return {
    get name() {
      return node.metadata.name ?? '';
    },
    get node() {
      return node;
    },
    get allocatable() {
      return allocatable;
    },
    requested,
    nonZeroRequested,
    pods,
    podsWithAffinity,
    podsWithRequiredAntiAffinity,
    setNode(next) {
      node = next;
      allocatable = parseAmounts(next.status?.allocatable);
    },
    addPod(info) {
      const uid = info.pod.metadata.uid ?? '';
      pods.set(uid, info);
      const { podAffinity, podAntiAffinity } = info.pod.spec?.affinity ?? {};
      if (podAffinity || podAntiAffinity) podsWithAffinity.set(uid, info);
      if (info.terms.requiredAntiAffinity.length > 0) podsWithRequiredAntiAffinity.set(uid, info);
      add(info, 1);
    },
    removePod(uid) {
      const info = pods.get(uid);
      if (!info) return;
      for (const map of [pods, podsWithAffinity, podsWithRequiredAntiAffinity]) map.delete(uid);
      add(info, -1);
    },
  };
}

/** The host ports of containers and sidecars: GetHostPorts (1.36, pkg/scheduler/util/utils.go). */
export function hostPortsOf({ spec }: Pod): HostPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...sidecars, ...(spec?.containers ?? [])].flatMap(portsOf);
}

const portsOf = ({ ports = [] }: Container): HostPort[] =>
  ports
    .filter(({ hostPort }) => (hostPort ?? 0) > 0)
    .map(({ hostIP, hostPort, protocol }) => ({ ip: hostIP || allAddresses, port: `${protocol || 'TCP'}/${hostPort}` }));

const allAddresses = '0.0.0.0';

/** Whether two ports cannot be used on one node: CheckConflict (1.36, kube-scheduler/framework/types.go). */
export const conflicts = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && (a.ip === b.ip || a.ip === allAddresses || b.ip === allAddresses);
