import type { DefinitionVersion } from '../definition/definition.ts';

/** What is said to everybody who asks for a version that is deprecated. Mirrors defaultDeprecationWarning (apiextensions-apiserver, 1.36). */
export function deprecationOf(
  version: DefinitionVersion,
  group: string,
  kind: string,
  all: readonly DefinitionVersion[],
): string | undefined {
  const { name = '', deprecated, deprecationWarning } = version;
  if (!deprecated) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const newer = all.filter((each) => each.served && !each.deprecated && compareVersions(each.name ?? '', name) > 0);
  const [best] = newer.map((each) => each.name ?? '').sort((a, b) => compareVersions(b, a));
  return `${group}/${name} ${kind} is deprecated${best === undefined ? '' : `; use ${group}/${best} ${kind}`}`;
}

/** v2 is above v1, that above v1beta1, that above v1alpha1, and all of these above other names. Mirrors CompareKubeAwareVersionStrings. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (!left || !right) return left ? 1 : right ? -1 : a < b ? 1 : a > b ? -1 : 0;
  return left.stability - right.stability || left.major - right.major || left.minor - right.minor;
}

function partsOf(name: string): { readonly stability: number; readonly major: number; readonly minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name);
  if (!match) return undefined;
  return { stability: ['alpha', 'beta', undefined].indexOf(match[2]), major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
