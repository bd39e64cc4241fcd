import { quote } from 'kube-endpoints/internal/apimachinery';
import type { AccessRule } from './attributes.ts';
import { urlMatches } from './rules.ts';

/** A rule with one verb and either one path, or one group, one resource and at most one name. */
type SimpleRule = AccessRule;

/**
 * Returns the parts of `rules` that no rule of `ownRules` covers, each with one verb and one resource or path.
 * @throws RangeError if `rules` has more than a million parts
 *
 * Mirrors Covers (component-helpers/auth/rbac/validation/policy_comparator.go, 1.36).
 */
export function findUncoveredRules(ownRules: readonly AccessRule[], rules: readonly AccessRule[]): readonly SimpleRule[] {
  const partCount = rules.reduce((sum, rule) => sum + countParts(rule), 0);
  if (partCount > maxParts)
    throw new RangeError(`the rules have ${partCount} combinations of verbs, resources and names: at most ${maxParts}`);
  const owned = ownRules.map(indexRule);
  return rules.flatMap((rule) => [...splitRule(rule)].filter((part) => !owned.some((own) => covers(own, part))));
}

const maxParts = 1_000_000;

const countParts = ({ apiGroups = [], resources = [], verbs = [], resourceNames = [], nonResourceURLs = [] }: AccessRule): number =>
  verbs.length * (apiGroups.length * resources.length * Math.max(resourceNames.length, 1) + nonResourceURLs.length);

function* splitRule({
  apiGroups = [],
  resources = [],
  verbs = [],
  resourceNames = [],
  nonResourceURLs = [],
}: AccessRule): Generator<SimpleRule> {
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (resourceNames.length === 0) yield part;
        for (const name of resourceNames) yield { ...part, resourceNames: [name] };
      }
    }
  }
  for (const url of nonResourceURLs) for (const verb of verbs) yield { nonResourceURLs: [url], verbs: [verb] };
}

interface IndexedRule {
  readonly verbs: ReadonlySet<string>;
  readonly apiGroups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly resourceNames: ReadonlySet<string>;
  readonly nonResourceURLs: readonly string[];
}

const indexRule = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs = [] }: AccessRule): IndexedRule => ({
  verbs: new Set(verbs),
  apiGroups: new Set(apiGroups),
  resources: new Set(resources),
  resourceNames: new Set(resourceNames),
  nonResourceURLs,
});

/** Whether a rule covers a simple one. An absent field of the simple rule is covered, but a rule for certain names covers no rule without names. */
function covers(own: IndexedRule, { verbs, apiGroups, resources, resourceNames, nonResourceURLs }: SimpleRule): boolean {
  const hasName = own.resourceNames.size === 0 || (resourceNames !== undefined && own.resourceNames.has(resourceNames[0] as string));
  return (
    hasName &&
    hasOrAll(own.verbs, verbs[0] as string) &&
    (apiGroups === undefined || hasOrAll(own.apiGroups, apiGroups[0] as string)) &&
    (resources === undefined || coversResource(own.resources, resources[0] as string)) &&
    (nonResourceURLs === undefined || own.nonResourceURLs.some((url) => urlMatches(url, nonResourceURLs[0] as string)))
  );
}

const hasOrAll = (values: ReadonlySet<string>, value: string): boolean => values.has('*') || values.has(value);

function coversResource(own: ReadonlySet<string>, resource: string): boolean {
  if (hasOrAll(own, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && own.has(`*${resource.slice(slash)}`);
}

/**
 * Describes simple rules, one per line and sorted, with the verbs of the same resource and name in one line. Mirrors CompactRules and
 * CompactString (pkg/registry/rbac/validation/policy_compact.go and pkg/apis/rbac/v1/evaluation_helpers.go, 1.36).
 */
export function describeRules(rules: readonly SimpleRule[]): string {
  const lines = new Set<string>();
  const verbsByTarget = new Map<string, { readonly rule: SimpleRule; readonly verbs: string[] }>();
  for (const rule of rules) {
    if (rule.nonResourceURLs) {
      lines.add(describeRule(rule));
      continue;
    }
    const target = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = verbsByTarget.get(target);
    if (known) known.verbs.push(...rule.verbs);
    else verbsByTarget.set(target, { rule, verbs: [...rule.verbs] });
  }
  for (const { rule, verbs } of verbsByTarget.values()) lines.add(describeRule({ ...rule, verbs }));
  return [...lines].sort().join('\n');
}

function describeRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: AccessRule): string {
  const fields: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ];
  return `{${fields.flatMap(([name, values]) => (values?.length ? [`${name}:${printQuotedList(values)}`] : [])).join(', ')}}`;
}

/** Prints a list as Go's %q. */
export const printQuotedList = (texts: readonly string[]): string => `[${texts.map(quote).join(' ')}]`;
