import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { buildPolicy } from './build.ts';
import type { PolicyAnswer, PolicyWorld } from './case.ts';
import { comparePolicy } from './compare.ts';
import { generatePolicy } from './generate.ts';

export { policyReleases } from './build.ts';

/** Compares verdicts about random connections with those of the engines of network policies; prints a line per class of results. */
export const conformPolicy: ConformanceCheck = async (release, seed, count, print) => {
  const totals: Record<string, number> = {};
  const differences = new Map<string, ReturnType<typeof comparePolicy>['difference']>();
  const check = createConformanceCheck<PolicyWorld, PolicyAnswer>({
    build: buildPolicy,
    mode: 'run',
    generate: generatePolicy,
    replay: (_release, world, theirs) => {
      const { counts, difference } = comparePolicy(world, theirs);
      for (const [name, n] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + n;
      differences.set(world.id, difference);
      return theirs;
    },
    firstDifference: ({ id }) => differences.get(id),
    excerpt: ({ probes: _, ...world }) => world,
    countsOf: ({ probes }) => ({ probes: probes.length }),
    summary: (name, worlds, { probes }) => `kube-network-policies ${name}: ${worlds} worlds, ${probes} probes`,
  });
  const result = await check(release, seed, count, print);
  for (const [name, n] of Object.entries(totals).sort()) print(`  ${name}: ${n}`);
  return result;
};
