import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { builtInDescriptions, type Description, toAutoscalingV1 } from '../../../packages/apiserver/src/resources/index.ts';
import { type ConformanceCheck, createConformanceCheck, type Difference, type Oracle } from '../conform.ts';
import { createRandom, type Random } from '../random.ts';
import { bases } from './bases.ts';
import { buildKinds } from './build.ts';
import type { KindAnswer, KindCase } from './case.ts';
import { firstKindDifference } from './compare.ts';
import { generateObject, type Json } from './generate.ts';
import { mutate } from './mutate.ts';
import { replayCase } from './replay.ts';

/** Random cases of an operation with one object each; the kinds take turns. */
export function* generateCases(
  operation: KindCase['operation'],
  kinds: readonly Description[],
  now: Date,
  seed: number,
  count: number,
  from = 0,
): Generator<KindCase> {
  for (let number = from; number < from + count; number++) {
    const random = createRandom(seed, number);
    const { type, resource } = kinds[number % kinds.length] as Description;
    const share = random.pick([0.1, 0.2, 0.35, 0.6]);
    const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind, namespaced: resource.namespaced };
    const object = generateObject(random, type, kind, { share, now });
    yield {
      id: `${operation}-${seed}-${number}`,
      operation,
      ...(operation === 'convert' ? generateConversion(random, object) : { object }),
    };
  }
}

/** Fields whose validation is not implemented. */
const excluded = [
  ...['allowedTopologies', 'claims', 'ephemeralContainers', 'podFailurePolicy', 'successPolicy', 'volumeClaimTemplates'],
  ...['ephemeral', 'volumeDevices', 'windowsOptions'],
  // Types of volumes that pods hardly use.
  ...['awsElasticBlockStore', 'azureDisk', 'azureFile', 'cephfs', 'cinder', 'fc', 'flexVolume', 'flocker', 'gcePersistentDisk'],
  ...['glusterfs', 'iscsi', 'photonPersistentDisk', 'portworxVolume', 'quobyte', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume'],
];

/** Random mutations of valid objects, every second one as an update of the valid object. */
export function* generateValidations(kinds: readonly Description[], now: Date, seed: number, count: number, from = 0): Generator<KindCase> {
  for (let number = from; number < from + count; number++) {
    const random = createRandom(seed, number);
    const { type, resource } = kinds[number % kinds.length] as Description;
    const apiVersion = apiVersionOf(resource);
    const base = random.pick(bases[`${apiVersion} ${resource.kind}`] as readonly Json[]);
    const metadata = {
      name: 'web',
      ...(resource.namespaced && { namespace: 'default' }),
      uid: 'e2f4a6b8-0000-4000-8000-000000000000',
      creationTimestamp: '2026-01-01T00:00:00Z',
    };
    const object = mutate(random, type, { apiVersion, kind: resource.kind, metadata, ...base }, { share: 0.3, now, excluded });
    const id = `validation-${seed}-${number}`;
    if (random.chance(0.6)) yield { id, operation: 'create', object };
    else {
      const created = replayCase({ id, operation: 'create', object: { apiVersion, kind: resource.kind, metadata, ...base } }, now);
      const old = { ...(created.object as Json), metadata: { ...((created.object as Json)['metadata'] as Json), resourceVersion: '1' } };
      yield { id, operation: 'update', object: mutate(random, type, old, { share: 0.3, now, excluded }), old };
    }
  }
}

/** The kinds whose validation is compared. */
export const validatedKinds = (): readonly Description[] =>
  builtInDescriptions().filter(({ resource }) => bases[`${apiVersionOf(resource)} ${resource.kind}`]);

/** The kinds that an operation is compared for. Reviews are never stored, so they have no tables. */
export const kindsOf = (operation: KindCase['operation']): readonly Description[] =>
  builtInDescriptions().filter(({ resource: { group, kind } }) =>
    operation === 'convert' ? kind === 'HorizontalPodAutoscaler' : operation !== 'table' || !/^auth(?:entication|orization)\./.test(group),
  );

/** Every second HorizontalPodAutoscaler is converted from autoscaling/v1, some of them with an invalid annotation. */
function generateConversion(random: Random, object: Json): Pick<KindCase, 'object' | 'version'> {
  if (object['apiVersion'] === 'autoscaling/v1') return { object, version: 'v2' };
  if (random.chance(0.5)) return { object, version: 'v1' };
  const converted = toAutoscalingV1(object) as { readonly metadata: Json };
  const annotations = Object.entries((converted.metadata['annotations'] ?? {}) as Json).map(([name, value]) => [
    name,
    random.chance(0.9) ? value : random.pick(['x', '[]', 'null', '{}', String(value).replace(':', ':1')]),
  ]);
  return { object: { ...converted, metadata: { ...converted.metadata, annotations: Object.fromEntries(annotations) } }, version: 'v2' };
}

const createCheck =
  (operation: 'default' | 'table' | 'convert' | 'validate', label: string): ConformanceCheck =>
  (...parameters) => {
    const now = new Date();
    const kinds = operation === 'validate' ? validatedKinds() : kindsOf(operation);
    return createConformanceCheck<KindCase, KindAnswer>({
      build: buildKinds,
      mode: operation,
      generate: (seed, count, from) =>
        operation === 'validate'
          ? generateValidations(kinds, now, seed, count, from)
          : generateCases(operation, kinds, now, seed, count, from),
      replay: (_, testCase) => replayCase(testCase, now),
      firstDifference: firstKindDifference,
      excerpt: excerptOf,
      countsOf: ({ error }) => ({ failed: error === undefined ? 0 : 1 }),
      summary: (release, count, { failed = 0 }) => `${release} ${label}: ${count} objects, ${failed} of them refused by decoding`,
    })(...parameters);
  };

/** The outermost field of the object in which the answers differ. */
const excerptOf: Oracle<KindCase, KindAnswer>['excerpt'] = ({ object }, { path }: Difference) => {
  const [, , field = ''] = path.split('.');
  return field in object ? { kind: object['kind'], [field]: object[field] } : object;
};

/** Compares the objects after decoding, defaulting and encoding. */
export const conformDefaults: ConformanceCheck = createCheck('default', 'defaults');

/** Compares the columns and rows of tables. */
export const conformTables: ConformanceCheck = createCheck('table', 'tables');

/** Compares the conversions of HorizontalPodAutoscalers. */
export const conformConversions: ConformanceCheck = createCheck('convert', 'conversions');

/** Compares the causes of the validation of mutated objects. */
export const conformValidation: ConformanceCheck = createCheck('validate', 'validation');
