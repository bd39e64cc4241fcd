import { isDeepStrictEqual } from 'node:util';
import { ApiError, type ApiObject, type Status } from 'kube-endpoints/port';
import type { Call } from '../../../packages/simulator/src/internal.ts';
import type { NodeConstraints } from '../../../packages/simulator/src/nodes/affinity.ts';
import type { RecordedWrite, WriteVerb } from './case.ts';

/** What the minimal API server stores, records and answers, without its state. */

/** The status of new objects by kind: creations do not set it. */
export const statusOfNew: Readonly<Record<string, object>> = {
  Pod: { phase: 'Pending' },
  ReplicaSet: { replicas: 0 },
  StatefulSet: { replicas: 0 },
};

/** The current object with the status of the wanted one, and for a Deployment, with its annotations. */
export function mergeStatus(current: ApiObject, wanted: ApiObject): unknown {
  const { annotations } = current.kind === 'Deployment' ? wanted.metadata : current.metadata;
  return { ...current, metadata: { ...current.metadata, annotations }, status: wanted['status'] };
}

/** The wanted object with the fields that only the server changes, and the status, of the current one. */
export function mergeSpec(current: ApiObject, wanted: ApiObject): ApiObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion } = current.metadata;
  const hasNewSpec = !isDeepStrictEqual(prune({ spec: wanted['spec'] }), prune({ spec: current['spec'] }));
  const metadata = {
    ...wanted.metadata,
    ...{ uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, resourceVersion },
    generation: (generation ?? 0) + (hasNewSpec ? 1 : 0),
  };
  return { ...wanted, apiVersion: current.apiVersion, kind: current.kind, metadata, status: current['status'] } as unknown as ApiObject;
}

/** Fields that Go encodes even if they are empty, and then those that it omits: the oracle has neither. */
const omittedIfEmpty = new Set(
  [
    'metadata spec status resources strategy updateStrategy lastState state template',
    'ownerReferences finalizers labels annotations conditions',
  ].flatMap((names) => names.split(' ')),
);

/** A copy without null, undefined and fields that are omitted if empty, as in go/server.go. The data of a ControllerRevision is compared byte by byte. */
export function prune(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prune);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .filter(([, field]) => field !== null && field !== undefined)
    .map(([name, field]) => [name, name === 'data' ? field : prune(field)] as const);
  return Object.fromEntries(entries.filter(([name, field]) => !(omittedIfEmpty.has(name) && isEmpty(field))));
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value as object).length === 0;

/** The record of a write that succeeds. */
export function recordOf(call: Exclude<Call, { do: 'get' }>, at: number): RecordedWrite {
  if (call.do === 'bind') return recordOfBinding(call, at);
  const subresource = 'subresource' in call ? call.subresource : undefined;
  const { namespace, name } = targetOf(call);
  const body = bodyOf(call);
  return {
    at: Math.floor(at),
    verb: call.do as WriteVerb,
    kind: call.kind,
    ...(subresource && { subresource }),
    ...(namespace && { namespace }),
    ...(name && call.do !== 'create' && { name }),
    ...(body !== undefined && { body }),
  };
}

const recordOfBinding = ({ namespace, name, uid, node }: Call & { do: 'bind' }, at: number): RecordedWrite => ({
  at: Math.floor(at),
  verb: 'create',
  kind: 'Pod',
  subresource: 'binding',
  namespace,
  name,
  body: { metadata: { name, uid }, target: { kind: 'Node', name: node } },
});

function bodyOf(call: Exclude<Call, { do: 'get' | 'bind' }>): unknown {
  if (call.do === 'patch') return call.patch;
  if (call.do === 'delete') return call.uid === undefined ? undefined : { preconditions: { uid: call.uid } };
  const { kind: _, apiVersion: __, ...body } = prune(call.object) as ApiObject;
  if (call.do !== 'create') return body;
  // The namespace of a creation is in its path, and its status has no effect.
  const { namespace: ___, ...metadata } = body.metadata;
  const { status: ____, ...rest } = body as ApiObject;
  return { ...rest, metadata };
}

export const targetOf = (call: Call): { namespace: string; name: string } => {
  const { namespace = '', name = '' } = 'object' in call ? call.object.metadata : call;
  return { namespace, name };
};

/** The node that the affinity of a daemon Pod selects; empty for other objects. */
export function selectedNodeOf({ spec }: ApiObject & { readonly spec?: NodeConstraints }): string {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms?.[0]?.matchFields?.[0]?.values?.[0] ?? '';
}

/** "kind/namespace/name" */
export const keyOf = ({ kind, metadata }: ApiObject): string => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;

/** A pod with a node. */
export const bindPod = (pod: ApiObject, nodeName: string): ApiObject =>
  ({ ...pod, spec: { ...(pod['spec'] as object), nodeName } }) as unknown as ApiObject;

const groups: Readonly<Record<string, string>> = {
  ReplicaSet: 'apps',
  Deployment: 'apps',
  StatefulSet: 'apps',
  DaemonSet: 'apps',
  ControllerRevision: 'apps',
  Job: 'batch',
  CronJob: 'batch',
  PodDisruptionBudget: 'policy',
  Lease: 'coordination.k8s.io',
};

/** "apps/ReplicaSet", or "/Pod" in the core group. */
export const groupAndKind = (kind: string): string => `${groups[kind] ?? ''}/${kind}`;

/** "replicasets.apps" */
export const resourceOf = (kind: string): string => `${kind.toLowerCase()}s${groups[kind] === undefined ? '' : `.${groups[kind]}`}`;

export const failure = (code: number, reason: string, message: string): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message } satisfies Status);

export const notFound = (kind: string, name: string): ApiError => failure(404, 'NotFound', `${resourceOf(kind)} "${name}" not found`);
