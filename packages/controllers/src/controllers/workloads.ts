import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import type { EndpointAddressInput, Endpoints, EndpointsInput, Pod, TargetRef } from 'kube-endpoints/types';
import type { Profile } from 'kube-endpoints/versions';
import { createUnconvertedWorkloads, type UnconvertedWorkloads } from './unconverted.ts';

/**
 * Objects that Services select instead of pods: custom resources of an operator, or pods with custom rules for membership and addresses.
 */
export interface Workloads {
  /** The resource to list and watch. */
  readonly resource: Resource;
  /**
   * Returns the pod that an object stands for: its labels, IPs, node, ports and conditions; undefined to ignore the object. Namespace,
   * name, uid and resourceVersion are always the object's; its labels and deletionTimestamp apply if the pod has none. Must be a pure,
   * synchronous function of the object.
   *
   * If it throws or returns something else, the event `informer` reports the error, and the object keeps its last state; a new object
   * is ignored. An object that cannot be read at startup blocks all Services of its namespace: their syncs fail with the error and are
   * retried until it can be read or is deleted.
   */
  toPod(object: ApiObject): Pod | undefined;
  /** Whether Services select pods as well; false by default. */
  readonly withPods?: boolean;
  /** Kind and apiVersion for the targetRef of an endpoint; the resource's by default. */
  readonly targetRef?: { readonly apiVersion?: string; readonly kind: string };
}

/** Adapts workloads to the core, which knows only pods. */
export interface WorkloadAdapter {
  readonly resource: Resource;
  /** Prefix of the pod names of workloads; empty if the workloads are pods. */
  readonly prefix: string;
  /** @throws if the object cannot be converted */
  toPod(object: ApiObject): Pod | undefined;
  /** The workloads for which toPod failed. */
  readonly unconvertedWorkloads: UnconvertedWorkloads;
  /** The targetRef for the address or endpoint of a pod. */
  targetRef(pod: Pod): TargetRef;
  /** Converts Endpoints from the API to the form that the core compares with. */
  fromApi(endpoints: EndpointsInput): EndpointsInput;
  /** Converts Endpoints of the core to the form that is written. */
  toApi(endpoints: Endpoints): Endpoints;
}

/**
 * The core identifies pods by name only. So between the caches and the results a workload is a pod with a name that no real pod can have;
 * only the targetRef contains the workload's own name.
 * @throws RangeError if the options contradict each other
 */
export function createWorkloadAdapter({ resource, toPod, withPods, targetRef }: Workloads, profile: Profile): WorkloadAdapter {
  const arePods = isPodResource(resource);
  if (arePods && withPods) throw new RangeError('workloads.withPods is true though the workloads are pods: leave it out');
  const prefix = arePods ? '' : `${resource.plural}.${resource.group}:`;
  const { kind, apiVersion } = targetRef ?? (arePods ? { kind: 'Pod' } : { apiVersion: apiVersionOf(resource), kind: resource.kind });
  return {
    resource,
    prefix,
    toPod(object) {
      const pod = validatePod(toPod(object));
      return pod && toNamedPod(pod, object, prefix);
    },
    unconvertedWorkloads: createUnconvertedWorkloads(),
    // The core sets nodeName on every pod address, even if the node is unknown; the API rejects an empty nodeName.
    fromApi: (endpoints) => convertAddresses(endpoints, (address) => ({ ...address, nodeName: address.nodeName ?? '' })),
    toApi: (endpoints) => convertAddresses(endpoints, ({ nodeName, ...address }) => (nodeName ? { ...address, nodeName } : address)),
    targetRef(pod) {
      const { namespace = '', name = '', uid = '', resourceVersion } = pod.metadata ?? {};
      const isWorkload = name?.startsWith(prefix);
      return {
        kind: isWorkload ? kind : 'Pod',
        namespace: namespace ?? '',
        name: (isWorkload ? name?.slice(prefix.length) : name) ?? '',
        uid: uid ?? '',
        ...(isWorkload && apiVersion !== undefined && { apiVersion }),
        ...(!profile.targetResourceVersionOmitted && resourceVersion && { resourceVersion }),
      };
    },
  };
}

/** Returns a copy with converted addresses. */
function convertAddresses<T extends EndpointsInput>(endpoints: T, convert: (address: EndpointAddressInput) => EndpointAddressInput): T {
  if (!endpoints.subsets) return endpoints;
  const subsets = endpoints.subsets.map(({ addresses, notReadyAddresses, ...subset }) => ({
    ...(addresses && { addresses: addresses.map(convert) }),
    ...(notReadyAddresses && { notReadyAddresses: notReadyAddresses.map(convert) }),
    ...subset,
  }));
  return { ...endpoints, subsets };
}

function toNamedPod(pod: Pod, { metadata }: ApiObject, prefix: string): Pod {
  const { namespace, name = '', uid, resourceVersion } = metadata;
  return {
    ...pod,
    metadata: {
      ...(metadata.labels && { labels: metadata.labels }),
      ...(metadata.deletionTimestamp !== undefined && { deletionTimestamp: metadata.deletionTimestamp }),
      ...pod.metadata,
      name: `${prefix}${name}`,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
  };
}

const isPodResource = ({ plural, group }: Resource): boolean => plural === resources.pods.plural && group === resources.pods.group;

/** Validates the return value of a user's function at run time. @throws TypeError if it is neither a pod nor absent */
function validatePod(pod: Pod | null | undefined): Pod | undefined {
  if (pod === undefined || pod === null) return undefined;
  if (typeof pod !== 'object' || Array.isArray(pod)) throw new TypeError(`it returned ${JSON.stringify(pod)}: return a pod or undefined`);
  if (!('then' in pod)) return pod;
  // Without a handler, a rejection of this promise would end the process.
  void Promise.resolve(pod).catch(() => undefined);
  throw new TypeError('it returned a promise: make it synchronous');
}
