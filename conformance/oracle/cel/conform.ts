import { estimateCost } from '../../../packages/apiserver/src/cel/cost/estimate.ts';
import { compileRules } from '../../../packages/apiserver/src/custom-resources/rules/index.ts';
import { createSize, type SchemaSize, sizeAtPath } from '../../../packages/apiserver/src/custom-resources/rules/sizes.ts';
import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { buildCel } from './build.ts';
import { type CostCase, generateCosts } from './generate.ts';

export const celReleases: readonly string[] = ['1.36.3'];

interface CostAnswer {
  readonly id: string;
  readonly costs: readonly string[];
}

/** Compares the estimated costs of random rules with those of kube-apiserver. */
export const conformCosts: ConformanceCheck = createConformanceCheck<CostCase, CostAnswer>({
  build: buildCel,
  mode: 'costs',
  generate: generateCosts,
  replay: (_release, testCase, theirs) => ({ id: testCase.id, costs: estimateRules(testCase, theirs) }),
  firstDifference(theirs, ours) {
    const index = theirs.costs.findIndex((cost, i) => cost !== ours.costs[i]);
    return index < 0 ? undefined : { path: `costs[${index}]`, theirs: theirs.costs[index], ours: ours.costs[index] };
  },
  excerpt({ schema }, { path }) {
    const index = Number(/\d+/.exec(path)?.[0]);
    return { ...schema, 'x-kubernetes-validations': [schema['x-kubernetes-validations']?.[index]] };
  },
  countsOf: ({ costs }) => ({
    rules: costs.length,
    'that do not compile': costs.filter((cost) => cost === '0').length,
    'too expensive': costs.filter((cost) => Number(cost) > 10_000_000).length,
  }),
  summary: (release, cases, counts) =>
    `${release} costs of rules: ${cases} schemas, ${Object.entries(counts)
      .map(([name, n]) => `${n} ${name}`)
      .join(', ')}`,
});

function estimateRules({ schema }: CostCase, theirs: CostAnswer): readonly string[] {
  const size = createSize(schema, false) as SchemaSize;
  const rules = compileRules(schema)?.root?.rules ?? [];
  return rules.map(({ program }, i) => {
    // The cost of "true" is zero, too.
    if (!program) return theirs.costs[i] === '0' ? '0' : 'does not compile';
    return String(estimateCost(program.ast, (path) => sizeAtPath(size, path))?.max);
  });
}
