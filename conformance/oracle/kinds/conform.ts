import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { builtInDescriptions, type Description, toAutoscalingV1 } from '../../../packages/apiserver/src/resources/index.ts';
import { type ConformanceCheck, createConformanceCheck, type Difference, type Oracle } from '../conform.ts';
import { createRandom, type Random } from '../random.ts';
import { buildKinds } from './build.ts';
import type { KindAnswer, KindCase } from './case.ts';
import { firstKindDifference } from './compare.ts';
import { generateObject, type Json } from './generate.ts';
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

/** The kinds that an operation is compared for. */
export const kindsOf = (operation: KindCase['operation']): readonly Description[] =>
  builtInDescriptions().filter(({ resource }) => operation !== 'convert' || resource.kind === 'HorizontalPodAutoscaler');

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

const createCheck = (operation: 'default' | 'table' | 'convert', label: string): ConformanceCheck => {
  const now = new Date();
  const kinds = kindsOf(operation);
  return createConformanceCheck<KindCase, KindAnswer>({
    build: buildKinds,
    mode: operation,
    generate: (seed, count, from) => generateCases(operation, kinds, now, seed, count, from),
    replay: (_, testCase) => replayCase(testCase, now),
    firstDifference: firstKindDifference,
    excerpt: excerptOf,
    countsOf: ({ error }) => ({ failed: error === undefined ? 0 : 1 }),
    summary: (release, count, { failed = 0 }) => `${release} ${label}: ${count} objects, ${failed} of them refused by decoding`,
  });
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
