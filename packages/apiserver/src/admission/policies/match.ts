import type { Resource } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../../registry/index.ts';
import { child, type Fields, list, text, texts } from '../../resources/field/read.ts';
import type { Store } from '../../store/index.ts';
import { createLabelMatcher, type LabelMatcher, matchesNamespaceLabels, matchesObjectLabels } from '../labels.ts';
import type { ObjectConverter } from '../object-converter.ts';
import { findMatchingResource, type Rule, type RuleSet, readRule } from '../rules.ts';

/** `admissionregistration.k8s.io/v1`'s MatchResources. */
export interface MatchResources extends RuleSet<NamedRule> {
  readonly excludedRules: readonly NamedRule[];
  readonly matchesNamespace: LabelMatcher;
  readonly matchesObject: LabelMatcher;
}

interface NamedRule extends Rule {
  /** Names of objects; empty if all names match. */
  readonly resourceNames: readonly string[];
}

export const readMatchResources = (fields: Fields): MatchResources => ({
  rules: list(fields, 'resourceRules').map(readNamedRule),
  excludedRules: list(fields, 'excludeResourceRules').map(readNamedRule),
  matchesEquivalentResources: text(fields, 'matchPolicy') === 'Equivalent',
  matchesNamespace: createLabelMatcher(child(fields, 'namespaceSelector')),
  matchesObject: createLabelMatcher(child(fields, 'objectSelector')),
});

const readNamedRule = (rule: Fields): NamedRule => ({ ...readRule(rule), resourceNames: texts(rule, 'resourceNames') });

export interface PolicyMatchContext {
  readonly store: Pick<Store, 'get'>;
  readonly converter: Pick<ObjectConverter, 'findEquivalents'>;
}

/**
 * Returns the resource to which the objects must be converted; undefined if the request does not match.
 *
 * Mirrors Matcher.Matches (1.36, apiserver/pkg/admission/plugin/policy/matching): a missing namespace is an error only if everything else matches.
 * @throws ApiError NotFound for a missing namespace
 */
export function matchRequest(context: PolicyMatchContext, match: MatchResources, request: AdmissionRequest): Resource | undefined {
  let namespaceError: unknown;
  try {
    if (!matchesNamespaceLabels(context.store, match.matchesNamespace, request)) return undefined;
  } catch (error) {
    namespaceError = error;
  }
  if (!matchesObjectLabels(match.matchesObject, request) || findByRules(context, match, match.excludedRules, request)) return undefined;
  const resource = match.rules.length === 0 ? request.resource : findByRules(context, match, match.rules, request);
  if (resource && namespaceError !== undefined) throw namespaceError;
  return resource;
}

const findByRules = (
  { converter }: PolicyMatchContext,
  { matchesEquivalentResources }: MatchResources,
  rules: readonly NamedRule[],
  request: AdmissionRequest,
): Resource | undefined =>
  findMatchingResource(
    { rules, matchesEquivalentResources },
    request,
    converter.findEquivalents,
    ({ resourceNames }) => resourceNames.length === 0 || resourceNames.includes(request.key.name),
  );
