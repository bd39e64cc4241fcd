import {
  admitObject,
  type CheckResult,
  checkCreate,
  checkUpdate,
  type Description,
  descriptions,
  type FieldCause,
  invalidObject,
  printObject,
  type ResourceKey,
  readObject,
} from '../../../src/resources/index.ts';
import { normalize } from './normalize.ts';

/** A recorded request and its answer. */
export interface Vector {
  readonly resource: ResourceKey;
  readonly verb: 'create' | 'update' | 'status';
  readonly old?: Json;
  readonly body: unknown;
  readonly code: number;
  readonly answer: Json;
  readonly warnings?: readonly string[];
}

/** The compared parts of an answer. */
export interface Outcome {
  readonly warnings?: readonly string[];
  /** The stored object, if any. */
  readonly object?: unknown;
  /** The message of a decoding error, or the causes as sorted lines. */
  readonly refusal?: readonly string[];
  readonly status?: Json;
}

type Json = Record<string, unknown>;

export function recordedOutcome({ resource, body, answer, warnings = [] }: Vector): Outcome {
  if (answer['kind'] !== 'Status')
    return { object: normalize(resource, answer), warnings: warnings.filter((each) => isComparedWarning(resource, each)) };
  const { causes, name = '' } = (answer['details'] ?? {}) as { causes?: readonly Cause[]; name?: string };
  const generated = isGenerated(body) ? name : undefined;
  return {
    refusal: causes ? printCauses(causes, generated) : [String(answer['message'])],
    ...(causes && { status: comparableStatus(answer, generated) }),
  };
}

/** The answer of this implementation to the same request. */
export function replayOutcome(vector: Vector): Outcome {
  const { resource, verb, body } = vector;
  const description = descriptions[resource];
  const { value, problem, unknown, warnings: decodeWarnings } = readObject(description, body);
  const { kind, version } = description.resource;
  if (problem !== undefined) return { refusal: [`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`] };
  const checked = verb === 'create' ? replayCreate(description, value) : replayUpdate(description, vector, value);
  if (typeof checked === 'string') return { refusal: [forbiddenMessage(vector, checked)] };
  if (checked.causes) return refusalOutcome(vector, description, checked.causes);
  const old = verb === 'create' ? undefined : readObject(description, vector.old).value;
  const warnings = [
    ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
    ...decodeWarnings,
    ...(verb === 'status' ? [] : (description.strategy.warnings?.(checked.object, old) ?? [])),
  ];
  return {
    object: normalize(resource, printObject(description, checked.object)),
    warnings: warnings.filter((each) => isComparedWarning(resource, each)),
  };
}

function refusalOutcome({ verb, body, old }: Vector, { resource }: Description, causes: readonly FieldCause[]): Outcome {
  const generated = isGenerated(body) ? generatedName(String(metadataOf(body)['generateName'])) : undefined;
  const name = generated ?? String(metadataOf(verb === 'create' ? body : old)['name'] ?? '');
  return { refusal: printCauses(causes, generated), status: comparableStatus(invalidObject(resource, name, causes).status, generated) };
}

/** The Status without its causes. With several causes also without its message, in which Go orders the causes randomly. */
function comparableStatus(status: object, name: string | undefined): Json {
  const { message, details, ...rest } = status as Json & { message: string; details: Json & { causes: readonly Cause[] } };
  const { causes, ...otherDetails } = details;
  const singleMessage = causes.length === 1 && { message: maskName(withoutFieldDiff(message), name) };
  return { ...rest, ...singleMessage, details: name === undefined ? otherDetails : { ...otherDetails, name: 'the name' } };
}

/** Warnings other than those about unknown fields are compared only for some resources. */
const isComparedWarning = (resource: string, warning: string): boolean =>
  warning.startsWith('unknown field') || (warning !== endpointsDeprecation && resourcesWithWarnings.has(resource));

const resourcesWithWarnings = new Set(['services', 'endpoints', 'endpointSlices', 'serviceAccounts']);
const endpointsDeprecation = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';

const forbiddenMessage = ({ body }: Vector, why: string): string =>
  `pods "${((body as Json)['metadata'] as Json)['name']}" is forbidden: ${why}`;

/** Prepares the object like the generic registry before it calls the strategy. */
function replayCreate(description: Description, value: Json): CheckResult | string {
  const metadata = value['metadata'] as Json | undefined;
  const {
    deletionTimestamp: _when,
    deletionGracePeriodSeconds: _after,
    selfLink: _link,
    managedFields: _managed,
    ...keptMetadata
  } = metadata ?? {};
  const object = {
    ...value,
    metadata: {
      ...keptMetadata,
      ...(typeof keptMetadata['generateName'] === 'string' &&
        !keptMetadata['name'] && { name: generatedName(String(keptMetadata['generateName'])) }),
      ...(description.resource.namespaced && { namespace: 'vectors' }),
      uid: 'uid',
      creationTimestamp: '2025-01-01T00:00:00Z',
    },
  };
  const admitted = admitObject(description, withAllocations(description, object));
  return admitted.forbidden ?? checkCreate(description, admitted.object);
}

function replayUpdate(description: Description, { old, verb }: Vector, value: Json): CheckResult | string {
  const oldObject = withAllocations(description, readObject(description, old).value);
  const { selfLink: _link, managedFields: _managed, ...metadata } = (value['metadata'] ?? {}) as Json;
  const namespace = description.resource.namespaced ? { namespace: 'vectors' } : {};
  const admitted = admitObject(description, withAllocations(description, { ...value, metadata: { ...metadata, ...namespace } }), oldObject);
  return admitted.forbidden ?? checkUpdate(description, admitted.object, oldObject, verb === 'status' ? 'status' : undefined);
}

/** Generated names have a random suffix, so they are replaced. */
const generatedName = (prefix: string): string => `${prefix.slice(0, 58)}zzzzz`;

/** Sets the cluster IP and the health check node port, which the replay does not allocate. */
function withAllocations(description: Description, object: Json): Json {
  const spec = object['spec'] as Json | undefined;
  if (description.resource.kind !== 'Service' || !spec || spec['type'] === 'ExternalName') return object;
  const ip = (spec['clusterIP'] as string | undefined) || '10.96.0.1';
  const needsPort = spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
  return { ...object, spec: { ...spec, clusterIP: ip, clusterIPs: [ip], ...(needsPort && { healthCheckNodePort: 30_000 }) } };
}

interface Cause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

/** Go iterates over maps in random order, so causes are sorted. */
const printCauses = (causes: readonly Cause[], name: string | undefined): string[] =>
  causes.map(({ reason, field, message = '' }) => `${reason} ${field}: ${maskName(withoutFieldDiff(message), name)}`).sort();

const maskName = (message: string, name: string | undefined): string =>
  name === undefined ? message : message.replaceAll(`"${name}"`, '"the name"');

const metadataOf = (body: unknown): Json => ((body as Json)['metadata'] ?? {}) as Json;
const isGenerated = (body: unknown): boolean => Boolean(metadataOf(body)['generateName']) && !metadataOf(body)['name'];

/** Removes the difference of the Go structs that kube-apiserver appends to this message. */
const withoutFieldDiff = (message: string): string =>
  message.replace(/(pod updates may not change fields other than [^\n]*\n)[\s\S]*/, '$1');
