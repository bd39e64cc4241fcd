import { problemsOfLabelKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { defaultResources } from '../cluster/nodes.ts';
import { parseNanos } from '../scheduler/pod-requests.ts';
import { type Job, type JobStatus, jobKind, withoutUidLabels } from '../workloads/job/objects.ts';
import { findTypeProblem } from './check-types.ts';
import { isMap } from './fields.ts';
import { isExclusive, printAmount, sumRequests, topologyKeysOf } from './requests.ts';
import { clusterKinds, isSimulated, replicasOf, type World } from './world.ts';

/**
 * Prepares manifests, or the objects of a cluster, for a simulation. Leaves out what controllers and components write: objects with a
 * controller, EndpointSlices, and statuses, except for those of Nodes and what Jobs have done so far. Adds the namespace "default" to objects
 * without one, the Namespaces of all objects, Nodes if it has none, and room for all pods to Nodes without a capacity.
 * @throws RangeError naming object and field if a field has a wrong type
 */
export function completeWorld({ objects, change }: World): World {
  const [before, after] = [objects, change].map((each) => each.filter(isSimulated).map(requireTypes).map(clean)) as [
    ApiObject[],
    ApiObject[],
  ];
  const existing = new Set(before.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  const needed = new Set([...before, ...after].flatMap(({ metadata }) => metadata.namespace ?? []));
  const namespaces = [...needed].filter((name) => !existing.has(name)).map((name) => createObject('Namespace', name));
  const ofKind = (isFirst: boolean): ApiObject[] => before.filter(({ kind = '' }) => clusterKinds.includes(kind) === isFirst);
  const nodes = before.some(isNode) ? [] : createNodes([...before, ...after]);
  const world = { objects: [...nodes, ...namespaces, ...ofKind(true), ...ofKind(false)], change: after };
  const resources = roomForAll(world);
  return { ...world, objects: world.objects.map((object) => (isNode(object) ? withResources(object, resources) : object)) };
}

const isNode = ({ kind }: ApiObject): boolean => kind === 'Node';

const createObject = (kind: string, name: string): ApiObject => ({ apiVersion: 'v1', kind, metadata: { name } });

/** The error has the form of the API server's. */
function requireTypes(object: ApiObject): ApiObject {
  const { apiVersion = '', kind = '', metadata } = object;
  const problem = findTypeProblem(apiVersion, kind, object);
  if (problem === undefined) return object;
  const [group = ''] = /^.+(?=\/)/.exec(apiVersion) ?? [];
  throw new RangeError(`${kind}${group && `.${group}`} "${metadata.name}" is invalid: ${problem}`);
}

/** An object as its author wrote it, and of a Job what it has done so far. */
function clean(object: ApiObject): ApiObject {
  const { metadata, status, ...rest } = object.kind === jobKind.kind ? withoutUidLabels(object as Job) : object;
  const { uid: _, resourceVersion: __, generation: ___, creationTimestamp: ____, managedFields: _____, ...written } = metadata;
  const { namespace = 'default', ...clusterWide } = written;
  const kept = status === undefined ? undefined : keptStatus[rest.kind ?? '']?.(status);
  return {
    ...rest,
    metadata: clusterKinds.includes(rest.kind ?? '') ? clusterWide : { ...written, namespace },
    ...(kept !== undefined && { status: kept }),
  };
}

/** What stays of a status, by kind. A Job has no pods yet, and its deadline counts from its start in the simulation. */
const keptStatus: Readonly<Record<string, (status: unknown) => unknown>> = {
  Node: (status) => status,
  Job(status) {
    const {
      startTime: _,
      active: __,
      ready: ___,
      terminating: ____,
      uncountedTerminatedPods: _____,
      ...kept
    } = (status ?? {}) as JobStatus;
    return Object.keys(kept).length > 0 ? kept : undefined;
  },
};

/**
 * Nodes for a world without any. All of its pods fit on them if their node selectors and node affinity allow it: three, or more if pods exclude
 * each other.
 */
function createNodes(objects: readonly ApiObject[]): ApiObject[] {
  const replicas = objects.reduce((most, object) => (isExclusive(object) ? Math.max(most, replicasOf(object)) : most), 0);
  const count = Math.min(Math.max(minNodes, roomOfRollout * replicas), maxNodes);
  // With another key, the node would be invalid.
  const keys = new Set(objects.flatMap(topologyKeysOf).filter((key) => problemsOfLabelKey(key).length === 0));
  return Array.from({ length: count }, (_, i) => {
    const name = `n${i + 1}`;
    // Each node is a zone of its own.
    const labels = Object.fromEntries([...keys].map((key) => [key, name]));
    return { apiVersion: 'v1', kind: 'Node', metadata: { name, ...(keys.size > 0 && { labels }) } };
  });
}

const minNodes = 3;

/** Twice what Kubernetes supports. */
const maxNodes = 10_000;

/** Pods that a rollout replaces run beside the new ones, and beside those that end. */
const roomOfRollout = 2;

/** A node as it is if it has a capacity; otherwise, with resources. */
function withResources(node: ApiObject, resources: Readonly<Record<string, string>>): ApiObject {
  const status = isMap(node['status']) ? node['status'] : {};
  return status['allocatable'] || status['capacity']
    ? node
    : { ...node, status: { ...status, capacity: resources, allocatable: resources } };
}

/** Resources that all pods of a world fit into, before and after its change. */
function roomForAll({ objects, change }: World): Readonly<Record<string, string>> {
  const before = sumRequests({ objects, change: [] });
  const after = sumRequests({ objects, change });
  const names = new Set([...Object.keys(defaultResources), ...before.keys(), ...after.keys()]);
  const amountOf = (name: string): string => {
    const least = parseNanos(defaultResources[name] ?? 0);
    const wanted = BigInt(roomOfRollout) * ((before.get(name) ?? 0n) + (after.get(name) ?? 0n));
    return printAmount(name, wanted > least ? wanted : least);
  };
  return Object.fromEntries([...names].map((name) => [name, amountOf(name)]));
}
