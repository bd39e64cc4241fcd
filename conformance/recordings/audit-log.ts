import { deepEqual } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { keyOf, type TrueWrite } from './truth.ts';

/** A request with the writes that it leads to: an eviction or a deletion may lead to several. */
interface AuditRequest {
  readonly verb: string;
  readonly subresource?: string;
  readonly request?: unknown;
  readonly response: object;
}

const resources: Readonly<Record<string, { readonly resource: string; readonly apiGroup?: string }>> = {
  Service: { resource: 'services' },
  Pod: { resource: 'pods' },
  Endpoints: { resource: 'endpoints' },
  Node: { resource: 'nodes' },
  EndpointSlice: { resource: 'endpointslices', apiGroup: 'discovery.k8s.io' },
  Deployment: { resource: 'deployments', apiGroup: 'apps' },
  ReplicaSet: { resource: 'replicasets', apiGroup: 'apps' },
};

/** Writes the audit log of a real API server with the level RequestResponse, between reads and refused requests. */
export function writeAuditLog(writes: readonly TrueWrite[], draw: (bound: number) => number): string {
  const lines: string[] = [];
  for (let i = 0; i < writes.length; ) {
    const group = findGroup(writes, i);
    const [write] = group as [TrueWrite, ...TrueWrite[]];
    const event = createEvent(write, requestOf(group, draw), write.at - draw(20));
    lines.push(JSON.stringify({ ...event, stage: 'RequestReceived', stageTimestamp: event['requestReceivedTimestamp'] }));
    if (draw(4) === 0) lines.push(JSON.stringify(noise(event, draw(3))));
    lines.push(JSON.stringify(event));
    i += group.length;
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** The writes of one request: to the same object, by the same client and at the same time, which ends with a deletion or its mark. */
function findGroup(writes: readonly TrueWrite[], index: number): readonly TrueWrite[] {
  const first = writes[index] as TrueWrite;
  const isSame = (write: TrueWrite | undefined): boolean =>
    write?.at === first.at && write.actor === first.actor && keyOf(write.object) === keyOf(first.object);
  if (first.change !== 'update' || !(isMarking(first) || isEviction(first))) return [first];
  let end = index + 1;
  while (isSame(writes[end])) end += 1;
  return writes.slice(index, end);
}

const isMarking = ({ object, previous }: TrueWrite): boolean =>
  object.metadata.deletionGracePeriodSeconds !== undefined &&
  object.metadata.deletionGracePeriodSeconds !== previous?.metadata.deletionGracePeriodSeconds;

const conditionsOf = (object: ApiObject | undefined): string =>
  JSON.stringify((object?.['status'] as { conditions?: unknown })?.conditions ?? []);

const isEviction = ({ object, previous }: TrueWrite): boolean =>
  conditionsOf(object).includes('EvictionByEvictionAPI') && !conditionsOf(previous).includes('EvictionByEvictionAPI');

const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

function requestOf(group: readonly TrueWrite[], draw: (bound: number) => number): AuditRequest {
  const [{ change, object, previous, actor }] = group as [TrueWrite, ...TrueWrite[]];
  const last = group.at(-1) as TrueWrite;
  if (change === 'create') return { verb: 'create', request: object, response: object };
  if (isEviction(group[0] as TrueWrite))
    return { verb: 'create', subresource: 'eviction', request: { kind: 'Eviction' }, response: success };
  if (last.change === 'delete' || isMarking(last)) return { verb: 'delete', request: { kind: 'DeleteOptions' }, response: last.object };
  const [spec, oldSpec] = [object['spec'], previous?.['spec']] as [Record<string, unknown>, Record<string, unknown>];
  if (spec?.['nodeName'] !== oldSpec?.['nodeName'])
    return { verb: 'create', subresource: 'binding', request: { target: { kind: 'Node', name: spec['nodeName'] } }, response: success };
  if (object.kind === 'Deployment' && actor === 'user' && draw(2) === 0) return scaleRequest(object, spec['replicas'] as number);
  if (deepEqual(spec, oldSpec) && !deepEqual(object['status'], previous?.['status']))
    return { verb: actor.startsWith('kubelet') ? 'patch' : 'update', subresource: 'status', response: object };
  return { verb: 'update', request: object, response: object };
}

function scaleRequest({ metadata }: ApiObject, replicas: number): AuditRequest {
  const { name, namespace, resourceVersion, uid } = metadata;
  const response = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name, namespace, resourceVersion, uid }, spec: { replicas } };
  return { verb: 'patch', subresource: 'scale', request: { spec: { replicas } }, response };
}

/** The name of the user of a component. */
function userOf(actor: string): string {
  if (actor.startsWith('kubelet/')) return `system:node:${actor.slice('kubelet/'.length)}`;
  if (actor.endsWith('-controller') || actor === 'garbage-collector') return `system:serviceaccount:kube-system:${actor}`;
  return actor === 'kube-scheduler' ? 'system:kube-scheduler' : actor;
}

function createEvent(
  { object, actor, at, change }: TrueWrite,
  { verb, subresource, request, response }: AuditRequest,
  receivedAt: number,
): Record<string, unknown> {
  const { namespace, name } = object.metadata;
  const isUnnamed = change === 'create' && object.kind === 'Pod';
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: `${object.metadata.uid}-${object.metadata.resourceVersion}`,
    stage: 'ResponseComplete',
    requestURI: '/',
    verb,
    user: { username: userOf(actor) },
    objectRef: {
      ...resources[object.kind as string],
      ...(namespace !== undefined && { namespace }),
      ...(!isUnnamed && { name }),
      ...(subresource !== undefined && { subresource }),
    },
    responseStatus: { metadata: {}, code: verb === 'create' ? 201 : 200 },
    ...(request !== undefined && { requestObject: request }),
    responseObject: response,
    requestReceivedTimestamp: microTime(receivedAt),
    stageTimestamp: microTime(at),
  };
}

const microTime = (time: number): string => new Date(time).toISOString().replace('Z', '000Z');

/** A request that changes nothing: a read, a conflict, or a dry run. */
const noise = (event: Record<string, unknown>, kind: number): object =>
  [
    { ...event, verb: 'watch' },
    { ...event, responseStatus: { metadata: {}, status: 'Failure', reason: 'Conflict', code: 409 }, responseObject: { kind: 'Status' } },
    { ...event, requestURI: '/?dryRun=All' },
  ][kind] as object;
