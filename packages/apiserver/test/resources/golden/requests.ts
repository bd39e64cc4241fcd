import { type ApiType, type StructType, structType } from '../../../src/api-types/index.ts';
import { readHandmadeRequests } from './handmade.ts';
import { type Base, bases } from './manifests.ts';

/** A request with a body that creates an object or replaces a base. */
export interface Request {
  readonly resource: string;
  readonly verb: 'create' | 'update' | 'status';
  /** The existing base object. */
  readonly base?: string;
  readonly body: unknown;
}

/** The Go type of each resource. */
export const goTypes: Readonly<Record<string, string>> = {
  namespaces: 'core.Namespace',
  services: 'core.Service',
  pods: 'core.Pod',
  endpoints: 'core.Endpoints',
  nodes: 'core.Node',
  events: 'core.Event',
  groupEvents: 'events.Event',
  configMaps: 'core.ConfigMap',
  secrets: 'core.Secret',
  serviceAccounts: 'core.ServiceAccount',
  endpointSlices: 'discovery.EndpointSlice',
  leases: 'coordination.Lease',
  mutatingWebhookConfigurations: 'admission.MutatingWebhookConfiguration',
  validatingWebhookConfigurations: 'admission.ValidatingWebhookConfiguration',
};

/** Creates requests for every base, for changes of its fields, and for the handmade lines. Deterministic for the same random numbers. */
export function createRequests(perBase: number, random: () => number): Request[] {
  const requests: Request[] = [];
  for (const base of bases) {
    requests.push({ resource: base.resource, verb: 'create', body: base.object });
    const changes = shuffle(createChanges(base), random);
    const count = perBase * (weights[base.resource] ?? 1);
    for (const body of changes.slice(0, count)) requests.push({ resource: base.resource, verb: 'create', body });
    for (const body of changes.slice(count, count + Math.ceil(count / 2))) {
      requests.push({ resource: base.resource, verb: 'update', base: base.name, body });
    }
  }
  return [...requests, ...readHandmadeRequests()];
}

/** Resources with more validation get more requests. */
const weights: Readonly<Record<string, number>> = {
  pods: 6,
  services: 2,
  mutatingWebhookConfigurations: 3,
  groupEvents: 2,
  nodes: 2,
  endpointSlices: 2,
};

function createChanges({ resource, object }: Base): Record<string, unknown>[] {
  const changes: Record<string, unknown>[] = [];
  visit(structType(goTypes[resource] as string), object, [], (path, value) => {
    if (!isNotCompared(path)) changes.push(replaceAt(object, path, value) as Record<string, unknown>);
  });
  return changes;
}

/** True for fields that the server or an allocator handles before defaults and validation. */
const isNotCompared = ([first, second, third, fourth]: Path): boolean =>
  first === 'kind' ||
  first === 'apiVersion' ||
  (first === 'metadata' && second === undefined) ||
  (first === 'spec' && (allocatedFields.has(String(second)) || fourth === 'nodePort' || third === 'nodePort'));

const allocatedFields = new Set(['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort']);

type Path = readonly (string | number)[];
type Emit = (path: Path, value: unknown) => void;

/** Emits valid and invalid values for each field of the object's structs. */
function visit(type: ApiType, value: unknown, path: Path, emit: Emit): void {
  const target = type.kind === 'pointer' ? type.to : type;
  if (target.kind === 'struct' && isObject(value)) visitStruct(target, value, path, emit);
  if (target.kind === 'list' && Array.isArray(value)) {
    for (const [i, each] of value.entries()) visit(target.of, each, [...path, i], emit);
    if (value.length > 0) emit(path, [...value, value[0]]);
  }
  if (target.kind === 'map' && isObject(value)) {
    emit([...path, '-bad key-'], Object.values(value)[0] ?? 'x');
    for (const [key, each] of Object.entries(value)) visit(target.of, each, [...path, key], emit);
  }
  if (path.length > 0) for (const candidate of candidates(target)) emit(path, candidate);
}

const skippedFields = new Set([
  'managedFields',
  'selfLink',
  'resourceVersion',
  'uid',
  'ephemeralContainers',
  'resourceClaims',
  'workloadRef',
]);

function visitStruct(type: StructType, value: Record<string, unknown>, path: Path, emit: Emit): void {
  emit([...path, 'nonesuch'], 1);
  for (const [name, field] of type.fields) {
    if (skippedFields.has(name) || (path.length === 1 && path[0] === 'metadata' && name === 'namespace')) continue;
    visit(field.type, value[name], [...path, name], emit);
  }
}

const texts: readonly unknown[] = ['', 'fine', 'Bad Value!', 'x'.repeat(64), '-a', '10.0.0.1', '127.0.0.1', '::1', '1.2.3.4.5', 7, null];

function candidates(type: ApiType): readonly unknown[] {
  switch (type.kind) {
    case 'text':
      return texts;
    case 'integer':
      return [0, -1, 1, 70_000, 2 ** 33, 1.5, 'x', null];
    case 'bool':
      return [true, false, 'x', null];
    case 'intOrString':
      return [0, 80, 'http', 'Bad Value!', 70_000, '', true];
    case 'quantity':
      return ['1', '0.1', '-1', '1500m', '2Gi', 'x', '', 0.5, null, true];
    case 'time':
    case 'microTime':
      return ['2025-06-07T08:09:10Z', '2025-06-07T08:09:10.123456+01:30', 'yesterday', '2025-13-01T00:00:00Z', 5, null];
    case 'bytes':
      return ['AAEC', 'A', '***', 5, null];
    case 'list':
      return [[], null, 'x', {}, ...(type.of.kind === 'text' ? [['a', 'Bad Value!'], ['a', 'a'], [''], [5]] : [[null], ['x']])];
    case 'map':
      return [{}, null, 'x', [], { a: 5 }, { a: 'x' }];
    default:
      return [{}, null, 'x', []];
  }
}

function replaceAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value)) return value.map((each, i) => (i === step ? replaceAt(each, rest, replacement) : each));
  return { ...(value as object), [step]: replaceAt((value as Record<string, unknown> | undefined)?.[step as string], rest, replacement) };
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
