import { isDeepStrictEqual } from 'node:util';
import type { Difference } from '../conform.ts';
import type { RbacAnswer } from './case.ts';

/** The first difference between two answers. Absent and empty lists are equal. */
export function compareRbac(theirs: RbacAnswer, ours: RbacAnswer): Difference | undefined {
  for (const field of ['decisions', 'rules', 'grants', 'impersonations'] as const) {
    for (const [index, expected] of theirs[field].entries()) {
      const actual = ours[field][index];
      if (!isDeepStrictEqual(clean(expected), clean(actual))) return { path: `${field}[${index}]`, theirs: expected, ours: actual };
    }
  }
  return undefined;
}

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(clean);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const fields = Object.entries(value).map(([name, each]) => [name, clean(each)] as const);
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}
