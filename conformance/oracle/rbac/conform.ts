import { type ConformanceCheck, createConformanceCheck } from '../conform.ts';
import { buildRbac } from './build.ts';
import type { RbacAnswer, RbacCase } from './case.ts';
import { compareRbac } from './compare.ts';
import { generateRbac } from './generate.ts';
import { replayRbac } from './replay.ts';

export const rbacReleases: readonly string[] = ['1.36.3'];

/** Compares decisions, rules, checks of escalation and impersonations with those of kube-apiserver's RBAC authorizer. */
export const conformRbac: ConformanceCheck = createConformanceCheck<RbacCase, RbacAnswer>({
  build: buildRbac,
  mode: 'run',
  generate: generateRbac,
  replay: (_release, testCase) => replayRbac(testCase),
  firstDifference: compareRbac,
  excerpt(testCase, { path }) {
    const [, field, index] = /^(\w+)\[(\d+)\]$/.exec(path) ?? [];
    const { requests, grants, impersonations, id: _, ...objects } = testCase;
    const inputs: Readonly<Record<string, readonly unknown[]>> = { decisions: requests, rules: grants, grants, impersonations };
    return { ...objects, input: inputs[field ?? '']?.[Number(index)] };
  },
  countsOf: ({ decisions, grants, impersonations }) => ({
    requests: decisions.length,
    allowed: decisions.filter(({ allowed }) => allowed).length,
    'with reason': decisions.filter(({ allowed, reason }) => !allowed && reason !== '').length,
    grants: grants.length,
    'grants refused': grants.filter((message) => message !== '').length,
    impersonations: impersonations.length,
    impersonated: impersonations.filter(({ user }) => user).length,
  }),
  summary: (release, cases, counts) =>
    `${release} RBAC: ${cases} cases, ${Object.entries(counts)
      .map(([name, n]) => `${n} ${name}`)
      .join(', ')}`,
});
