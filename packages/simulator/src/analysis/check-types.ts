import { findDecodeProblem, kindType } from '@kube-endpoints/apiserver/internal';

/** Why a value is not an object of a kind: a field has a wrong type, or an item of a list is null. Undefined if it is one. */
export function findTypeProblem(apiVersion: string, kind: string, value: object): string | undefined {
  return findWrongType(apiVersion, kind, value) ?? findNullItem(value, '');
}

/** As {@link findTypeProblem}, with items that are null, as patches have them. */
export function findWrongType(apiVersion: string, kind: string, value: object): string | undefined {
  const type = kindType(apiVersion, kind);
  return type && findDecodeProblem(type, value);
}

function findNullItem(value: unknown, path: string): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  for (const [name, field] of Object.entries(value)) {
    const fieldPath = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    if (field === null && Array.isArray(value)) return `${fieldPath}: give a value instead of null`;
    const problem = findNullItem(field, fieldPath);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
