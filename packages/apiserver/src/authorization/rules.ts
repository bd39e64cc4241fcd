import type { AccessAttributes, AccessRule } from './attributes.ts';

/** Whether a rule allows a request. Mirrors RuleAllows (plugin/pkg/auth/authorizer/rbac/rbac.go, 1.36). */
export function ruleAllows(rule: AccessRule, attributes: AccessAttributes): boolean {
  const { verb, resource, group = '', subresource = '', name = '', path = '' } = attributes;
  if (!includesOrAll(rule.verbs, verb)) return false;
  if (resource === undefined) return rule.nonResourceURLs?.some((url) => urlMatches(url, path)) ?? false;
  return (
    includesOrAll(rule.apiGroups, group) &&
    resourceMatches(rule.resources, resource, subresource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(name))
  );
}

const includesOrAll = (values: readonly string[] | undefined, value: string): boolean =>
  values !== undefined && (values.includes('*') || values.includes(value));

function resourceMatches(resources: readonly string[] | undefined, resource: string, subresource: string): boolean {
  if (subresource === '') return includesOrAll(resources, resource);
  return includesOrAll(resources, `${resource}/${subresource}`) || (resources?.includes(`*/${subresource}`) ?? false);
}

/** A URL that ends with asterisks matches all paths with the prefix before them. */
export const urlMatches = (url: string, path: string): boolean =>
  url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')));
