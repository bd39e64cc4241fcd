/**
 * Compares API versions, ascending: v1alpha1 < v1beta1 < v1 < v2. Names of any other form come first, in reverse alphabetical order. Mirrors
 * CompareKubeAwareVersionStrings (apimachinery/pkg/version).
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (!left || !right) return left ? 1 : right ? -1 : a < b ? 1 : a > b ? -1 : 0;
  return left.stability - right.stability || left.major - right.major || left.minor - right.minor;
}

function parseVersion(name: string): { readonly stability: number; readonly major: number; readonly minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name);
  if (!match) return undefined;
  return { stability: ['alpha', 'beta', undefined].indexOf(match[2]), major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
