import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { builtInDescriptions, type Description } from '../../../packages/apiserver/src/resources/index.ts';
import { type ConformanceCheck, createConformanceCheck, type Difference, type Oracle } from '../conform.ts';
import { createRandom } from '../random.ts';
import { buildKinds } from './build.ts';
import type { KindAnswer, KindCase } from './case.ts';
import { firstKindDifference } from './compare.ts';
import { generateObject } from './generate.ts';
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
    yield { id: `${operation}-${seed}-${number}`, operation, object: generateObject(random, type, kind, { share, now }) };
  }
}

const createCheck = (operation: 'default' | 'table', label: string): ConformanceCheck => {
  const now = new Date();
  const kinds = builtInDescriptions();
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
