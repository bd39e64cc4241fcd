import type { ApiType, Field, StructType } from '../../../packages/apiserver/src/api-types/index.ts';
import type { Random } from '../random.ts';
import { integersOf, textsOf } from './values.ts';

export type Json = Record<string, unknown>;

export interface GenerateOptions {
  /** The chance that a field is set. Required fields and those of few siblings are set more often. */
  readonly share: number;
  /** The time that ages are relative to. */
  readonly now: Date;
}

/** Generates a random object of a kind: random fields with plausible values, deterministic for a random source. */
export function generateObject(
  random: Random,
  type: StructType,
  { apiVersion, kind, namespaced }: { readonly apiVersion: string; readonly kind: string; readonly namespaced: boolean },
  options: GenerateOptions,
): Json {
  const { metadata: _, apiVersion: __, kind: ___, ...fields } = generateStruct(random, type, options, 0);
  const metadata = {
    name: 'web',
    ...(namespaced && { namespace: 'default' }),
    uid: 'e2f4a6b8-0000-4000-8000-000000000000',
    creationTimestamp: generateTime(random, options.now),
    ...random.maybe(0.4, () => ({ labels: generateMap(random, () => random.pick(labelValues)) })),
    ...random.maybe(0.3, () => ({ annotations: generateMap(random, () => random.pick(['true', 'false', 'x']), annotationKeys) })),
    ...random.maybe(0.2, () => ({ deletionTimestamp: generateTime(random, options.now) })),
    ...random.maybe(0.3, () => ({ ownerReferences: [generateOwner(random)] })),
  };
  return { apiVersion, kind, metadata, ...fields };
}

const labelValues = ['web', 'db', '', 'v1'];
const annotationKeys = [
  'a',
  'example.com/x',
  'volume.beta.kubernetes.io/storage-class',
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
  'ingressclass.kubernetes.io/is-default-class',
];

const generateOwner = (random: Random): Json => ({
  apiVersion: random.pick(['apps/v1', 'v1', 'example.com/v1']),
  kind: random.pick(['Deployment', 'Node']),
  name: 'owner',
  uid: 'e2f4a6b8-0000-4000-8000-000000000001',
  ...random.maybe(0.7, () => ({ controller: random.chance(0.8) })),
});

const maxDepth = 14;

function generateStruct(random: Random, type: StructType, options: GenerateOptions, depth: number): Json {
  const result: Json = {};
  const fields = [...type.fields.values()];
  const share = depth > maxDepth ? 0 : Math.max(options.share, Math.min(0.7, 2 / fields.length)) * (depth > 6 ? 0.6 : 1);
  for (const field of isUnion(type) ? random.shuffle(fields).slice(0, random.chance(0.9) ? 1 : 2) : fields) {
    if (!isUnion(type) && !random.chance(field.required ? Math.max(share, 0.9) : share)) continue;
    const value = generateField(random, field, type, options, depth);
    if (value !== undefined) result[field.name] = value;
  }
  return result;
}

/** Of these structs, usually one field is set. */
const unions = ['VolumeSource', 'PersistentVolumeSource', 'LifecycleHandler', 'EnvVarSource', 'VolumeProjection'];
const isUnion = ({ name }: StructType): boolean => unions.some((each) => name.endsWith(`.${each}`));

function generateField(random: Random, field: Field, owner: StructType, options: GenerateOptions, depth: number): unknown {
  if (field.name === 'managedFields' || field.embedded.includes('TypeMeta')) return undefined;
  return generateValue(random, field.type, `${owner.name}.${field.name}`, options, depth + 1);
}

function generateValue(random: Random, type: ApiType, path: string, options: GenerateOptions, depth: number): unknown {
  switch (type.kind) {
    case 'pointer':
      return generateValue(random, type.to, path, options, depth);
    case 'struct':
      return generateStruct(random, type, options, depth);
    case 'list': {
      // No empty lists: decoding does not distinguish them from absent ones.
      if (depth > maxDepth) return undefined;
      return Array.from({ length: random.pick([1, 1, 1, 2, 2, 4]) }, () => generateValue(random, type.of, path, options, depth + 1));
    }
    case 'map':
      return generateMap(random, () => generateValue(random, type.of, path, options, depth + 1), mapKeys(type));
    case 'text':
      return type.values && random.chance(0.95) ? random.pick(type.values) : random.pick(textsOf(path));
    case 'bool':
      return random.chance(0.5);
    case 'bytes':
      return random.pick(['', 'aGk=', 'aGVsbG8=']);
    case 'float':
      return random.pick([0, 1.5]);
    case 'integer':
      return random.pick(integersOf(path));
    case 'time':
      return generateTime(random, options.now);
    case 'microTime':
      return '2026-01-02T03:04:05.000006Z';
    case 'quantity':
      return random.pick(quantities);
    case 'intOrString':
      return random.pick([0, 1, 80, '25%', '100%', 'http']);
    case 'raw':
      return random.pick([{}, { a: 1 }, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }]);
  }
}

const quantities = ['0', '1', '100m', '1000m', '1.5', '128Mi', '1Gi', '1500Mi', '1e3', '100u', '1.0001m', '2n', '0.1234', 2, '10.5Ki'];
const resourceNames = ['cpu', 'memory', 'storage', 'pods', 'limits.cpu', 'requests.memory', 'example.com/gpu', 'hugepages-2Mi'];

/** Maps of quantities have the names of resources as keys. */
const mapKeys = ({ of }: Extract<ApiType, { kind: 'map' }>): readonly string[] =>
  of.kind === 'quantity' ? resourceNames : ['app', 'tier', 'kubernetes.io/os', 'example.com/x'];

function generateMap(random: Random, generate: () => unknown, keys: readonly string[] = ['app', 'tier', 'example.com/x']): Json {
  const shuffled = random.shuffle(keys).slice(0, random.pick([0, 1, 1, 2, 3]));
  return Object.fromEntries(shuffled.map((key) => [key, generate()]));
}

/** A time in the middle of the unit that an age shows, so that a comparison may take minutes. */
function generateTime(random: Random, now: Date): string {
  const seconds = random.pick([5 * hour + 30 * 60, 30 * hour + 30 * 60, 12 * day + 12 * hour, 900 * day + 12 * hour]);
  return new Date(Math.floor((now.getTime() - seconds * 1000) / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

const hour = 3600;
const day = 24 * hour;
