import {
  admitObject,
  type Checked,
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
import { normalized } from './normalize.ts';

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
  /** The message of a decoding error, or the causes by field. */
  readonly refusal?: readonly string[];
  readonly status?: Json;
}

type Json = Record<string, unknown>;

export function recorded({ resource, body, answer, warnings = [] }: Vector): Outcome {
  if (answer['kind'] !== 'Status')
    return { object: normalized(resource, answer), warnings: warnings.filter((each) => compared(resource, each)) };
  const { causes, name = '' } = (answer['details'] ?? {}) as { causes?: readonly Cause[]; name?: string };
  const generated = isGenerated(body) ? name : undefined;
  return {
    refusal: causes ? printed(causes, generated) : [String(answer['message'])],
    ...(causes && { status: settled(answer, generated) }),
  };
}

/** The answer of this implementation to the same request. */
export function replayed(vector: Vector): Outcome {
  const { resource, verb, body } = vector;
  const description = descriptions[resource];
  const { value, problem, unknown, warnings: read } = readObject(description, body);
  const { kind, version } = description.resource;
  if (problem !== undefined) return { refusal: [`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`] };
  const checked = verb === 'create' ? created(description, value) : updated(description, vector, value);
  if (typeof checked === 'string') return { refusal: [forbidden(vector, checked)] };
  if (checked.causes) return refused(vector, description, checked.causes);
  const old = verb === 'create' ? undefined : readObject(description, vector.old).value;
  const warnings = [
    ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
    ...read,
    ...(verb === 'status' ? [] : (description.strategy.warnings?.(checked.object, old) ?? [])),
  ];
  return {
    object: normalized(resource, printObject(description, checked.object)),
    warnings: warnings.filter((each) => compared(resource, each)),
  };
}

function refused({ verb, body, old }: Vector, { resource }: Description, causes: readonly FieldCause[]): Outcome {
  const generated = isGenerated(body) ? generatedName(String(metadataOf(body)['generateName'])) : undefined;
  const name = generated ?? String(metadataOf(verb === 'create' ? body : old)['name'] ?? '');
  return { refusal: printed(causes, generated), status: settled(invalidObject(resource, name, causes).status, generated) };
}

/** The remaining parts of a Status, and its message unless Go orders it randomly. */
function settled(status: object, name: string | undefined): Json {
  const { message, details, ...rest } = status as Json & { message: string; details: Json & { causes: readonly Cause[] } };
  const { causes, ...about } = details;
  const single = causes.length === 1 && { message: anonymous(withoutListing(message), name) };
  return { ...rest, ...single, details: name === undefined ? about : { ...about, name: 'the name' } };
}

/** Warnings are compared only for resources that have warnings here. */
const compared = (resource: string, warning: string): boolean =>
  warning.startsWith('unknown field') || (warning !== endpointsDeprecated && warnsOfItself.has(resource));

const warnsOfItself = new Set(['services', 'endpoints', 'endpointSlices', 'serviceAccounts']);
const endpointsDeprecated = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';

const forbidden = ({ body }: Vector, why: string): string => `pods "${((body as Json)['metadata'] as Json)['name']}" is forbidden: ${why}`;

/** As the generic registry does before it calls the strategy. */
function created(description: Description, value: Json): Checked | string {
  const metadata = value['metadata'] as Json | undefined;
  const {
    deletionTimestamp: _when,
    deletionGracePeriodSeconds: _after,
    selfLink: _link,
    managedFields: _managed,
    ...kept
  } = metadata ?? {};
  const object = {
    ...value,
    metadata: {
      ...kept,
      ...(typeof kept['generateName'] === 'string' && !kept['name'] && { name: generatedName(String(kept['generateName'])) }),
      ...(description.resource.namespaced && { namespace: 'vectors' }),
      uid: 'uid',
      creationTimestamp: '2025-01-01T00:00:00Z',
    },
  };
  const admitted = admitObject(description, allocated(description, object));
  return admitted.forbidden ?? checkCreate(description, admitted.object);
}

function updated(description: Description, { old, verb }: Vector, value: Json): Checked | string {
  const before = allocated(description, readObject(description, old).value);
  const { selfLink: _link, managedFields: _managed, ...metadata } = (value['metadata'] ?? {}) as Json;
  const namespace = description.resource.namespaced ? { namespace: 'vectors' } : {};
  const admitted = admitObject(description, allocated(description, { ...value, metadata: { ...metadata, ...namespace } }), before);
  return admitted.forbidden ?? checkUpdate(description, admitted.object, before, verb === 'status' ? 'status' : undefined);
}

/** Generated names have a random suffix, so they are replaced. */
const generatedName = (prefix: string): string => `${prefix.slice(0, 58)}zzzzz`;

/** Addresses are allocated elsewhere, so any value is accepted. */
function allocated(description: Description, object: Json): Json {
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
const printed = (causes: readonly Cause[], name: string | undefined): string[] =>
  causes.map(({ reason, field, message = '' }) => `${reason} ${field}: ${anonymous(withoutListing(message), name)}`).sort();

const anonymous = (message: string, name: string | undefined): string =>
  name === undefined ? message : message.replaceAll(`"${name}"`, '"the name"');

const metadataOf = (body: unknown): Json => ((body as Json)['metadata'] ?? {}) as Json;
const isGenerated = (body: unknown): boolean => Boolean(metadataOf(body)['generateName']) && !metadataOf(body)['name'];

/** A change of what of a pod's spec may not change is listed by the lines of a type that is Go's own. */
const withoutListing = (message: string): string => message.replace(/(pod updates may not change fields other than [^\n]*\n)[\s\S]*/, '$1');
