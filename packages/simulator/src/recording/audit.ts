import type { ApiObject } from 'kube-endpoints/port';
import { checkObject, checkRequest } from './check-types.ts';
import { type Fields, fieldsAt, isFields, textAt, timeAt } from './fields.ts';
import { type Effect, isRecordedKind, type RawWrite, refOf } from './raw-write.ts';
import { type Place, type RecordedKind, RecordingError, type TimeRange, type Writer } from './types.ts';

/** Why an audit event shows no write. */
export type SkipReason = 'of another stage' | 'of a read' | 'of another kind' | 'refused' | 'of a dry run' | 'without a name';

export interface AuditResult {
  readonly writes: readonly RawWrite[];
  readonly skipped?: SkipReason;
}

/**
 * Reads an Event of audit.k8s.io/v1, as kube-apiserver 1.36 logs it. Only the stage ResponseComplete shows that a write succeeded.
 * @throws RecordingError if a field is missing or has another type
 */
export function readAuditEvent(event: Fields, place: Place): AuditResult {
  const stage = textAt(event, 'stage', place);
  if (stage === '') throw new RecordingError(`${place}: stage: give the stage, such as "ResponseComplete"`);
  if (stage !== 'ResponseComplete') return skip('of another stage');
  const verb = textAt(event, 'verb', place);
  if (!Object.hasOwn(writeVerbs, verb)) return skip('of a read');
  const target = fieldsAt(event, 'objectRef', place);
  const kind = kindOf(target, place);
  const effect = effectOf(verb, textAt(target, 'subresource', place));
  if (!kind || !effect) return skip('of another kind');
  const code = fieldsAt(event, 'responseStatus', place)['code'] ?? 200;
  if (typeof code !== 'number') throw new RecordingError(`${place}: responseStatus.code: give a number`);
  if (code >= 300) return skip('refused');
  if (/[?&]dryRun=All\b/.test(textAt(event, 'requestURI', place))) return skip('of a dry run');
  const time: TimeRange = {
    earliest: timeAt(event, 'requestReceivedTimestamp', place),
    latest: timeAt(event, 'stageTimestamp', place),
    source: 'audit',
  };
  const common = { effect, time, bound: time.latest, near: time.latest, writer: readWriter(event, place), place };
  return verb === 'deletecollection' ? readCollection(event, { ...common, kind }) : readOne(event, target, { ...common, kind });
}

const skip = (skipped: SkipReason): AuditResult => ({ writes: [], skipped });

type Common = Pick<RawWrite, 'effect' | 'time' | 'bound' | 'near' | 'place' | 'kind'> & { readonly writer: Writer };

const writeVerbs: Readonly<Record<string, Effect>> = {
  create: 'create',
  update: 'update',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};

/** The effects of subresources; all other subresources change nothing that a history has. */
const subresources: Readonly<Record<string, Effect>> = {
  status: 'status',
  scale: 'scale',
  binding: 'bind',
  eviction: 'evict',
  resize: 'update',
  ephemeralcontainers: 'update',
};

function effectOf(verb: string, subresource: string): Effect | undefined {
  if (subresource === '') return writeVerbs[verb];
  const effect = Object.hasOwn(subresources, subresource) ? subresources[subresource] : undefined;
  return effect === 'status' && verb === 'patch' ? 'patch' : effect;
}

const kinds: Readonly<Record<string, RecordedKind>> = {
  'services.': 'Service',
  'pods.': 'Pod',
  'endpoints.': 'Endpoints',
  'nodes.': 'Node',
  'endpointslices.discovery.k8s.io': 'EndpointSlice',
  'deployments.apps': 'Deployment',
  'replicasets.apps': 'ReplicaSet',
};

function kindOf(target: Fields, place: Place): RecordedKind | undefined {
  const resource = `${textAt(target, 'resource', place)}.${textAt(target, 'apiGroup', place)}`;
  return Object.hasOwn(kinds, resource) ? kinds[resource] : undefined;
}

/** A write to one object. The name of a new object may be known from its response only. */
function readOne(event: Fields, target: Fields, common: Common): AuditResult {
  const { place, kind } = common;
  const response = fieldsAt(event, 'responseObject', place);
  const metadata = fieldsAt(response, 'metadata', place);
  const request = event['requestObject'];
  const requestMetadata = isFields(request) ? fieldsAt(request, 'metadata', place) : {};
  const name = textAt(target, 'name', place) || textAt(metadata, 'name', place) || textAt(requestMetadata, 'name', place);
  if (name === '') return skip('without a name');
  const resourceVersion = textAt(metadata, 'resourceVersion', place);
  const object = isRecordedKind(response['kind']) ? readObject(response, response['kind'], place) : undefined;
  checkRequest(request, kind, common.effect, place);
  const write: RawWrite = {
    ...common,
    namespace: textAt(target, 'namespace', place),
    name,
    ...(object && { object }),
    ...(resourceVersion !== '' && ownVersionKinds.has(response['kind']) && { resourceVersion }),
    ...(request !== undefined && { request }),
  };
  return { writes: [kind === 'Node' ? { ...write, namespace: '' } : write] };
}

function readObject(response: Fields, kind: RecordedKind, place: Place): ApiObject {
  const object = { ...response, kind };
  checkObject(object, kind, place);
  refOf(object, place);
  return object as unknown as ApiObject;
}

/** The kinds of responses whose resourceVersion is that of the written object. */
const ownVersionKinds: ReadonlySet<unknown> = new Set([
  ...['Service', 'Pod', 'Endpoints', 'EndpointSlice', 'Node', 'Deployment', 'ReplicaSet', 'Scale'],
]);

/** The response to a deletion of a collection lists the deleted objects. */
function readCollection(event: Fields, common: Common): AuditResult {
  const { items = [] } = fieldsAt(event, 'responseObject', common.place);
  if (!Array.isArray(items)) throw new RecordingError(`${common.place}: responseObject.items: give a list`);
  if (event['responseObject'] === undefined) return skip('without a name');
  checkRequest(event['requestObject'], common.kind, common.effect, common.place);
  const writes = items.filter(isFields).map((item): RawWrite => {
    const metadata = fieldsAt(item, 'metadata', common.place);
    const resourceVersion = textAt(metadata, 'resourceVersion', common.place);
    return {
      ...common,
      namespace: textAt(metadata, 'namespace', common.place),
      name: textAt(metadata, 'name', common.place),
      object: readObject(item, common.kind, common.place),
      ...(resourceVersion !== '' && { resourceVersion }),
      ...(event['requestObject'] !== undefined && { request: event['requestObject'] }),
    };
  });
  return { writes };
}

/** The user whom the request acted for, and the component that the user stands for. */
function readWriter(event: Fields, place: Place): Writer {
  const impersonated = fieldsAt(event, 'impersonatedUser', place);
  const user = textAt(impersonated, 'username', place) || textAt(fieldsAt(event, 'user', place), 'username', place);
  return { user, component: componentOf(user, textAt(event, 'userAgent', place)) };
}

/** Controllers have accounts of their own, or share one and differ in the end of their user agent. */
function componentOf(user: string, userAgent: string): string {
  const [, account] = /^system:serviceaccount:kube-system:(.+)$/.exec(user) ?? [];
  if (account !== undefined) return account;
  const [, node] = /^system:node:(.+)$/.exec(user) ?? [];
  if (node !== undefined) return `kubelet/${node}`;
  const [, part] = /^kube-controller-manager\/.*\/([a-z-]*controller)$/.exec(userAgent) ?? [];
  return part ?? user.replace(/^system:/, '');
}
