import {
  areLabelsCorrect,
  countAddresses,
  createLabelMatcher,
  labelsFor,
  maxCapacity,
  parseBool,
  tolerateUnreadyAnnotation,
  type UnmanagedCode,
} from '../spec/index.ts';
import type { EndpointsInput, Pod, Service } from '../types/index.ts';
import { type Profile, profileFor } from '../versions/index.ts';
import type { LoadBalancing } from './cause-reasons.ts';
import type { PodExplanation, Problem, ServiceExplanation } from './explanation.ts';
import { type Placements, placePods } from './placements.ts';
import { type ExplainEndpointsOptions, explainPlacements, unmanagedPaths } from './pods.ts';
import { createProblem, formatCountOf, quoteOrNone, segment } from './reason.ts';
import type { ReasonCode, Severity } from './reasons.ts';

export interface ExplainServiceOptions extends ExplainEndpointsOptions {
  /** The existing Endpoints, if any. A Service without a selector depends on them. */
  readonly current?: EndpointsInput | undefined;
  /**
   * Explains why a Service has no working load balancer: `(service) => explainLoadBalancer({ service, nodes, events, version })`, of
   * `kube-endpoints/load-balancer`. If set, its causes are among the problems.
   */
  readonly loadBalancing?: LoadBalancing | undefined;
}

/**
 * Explains whether a Service works under a release, and its problems if it does not.
 * @param pods may be every pod of the cluster
 * @throws RangeError for an unknown version
 */
export function explainService(service: Service, pods: readonly Pod[], options: ExplainServiceOptions = {}): ServiceExplanation {
  const profile = profileFor(options.version);
  const placements = placePods(service, pods, profile);
  const { unmanaged } = placements;
  const explanations = explainPlacements(placements, options.readiness).filter((pod) => pod.selected);
  const endpointsProblems = unmanaged
    ? [unmanagedProblem(unmanaged, profile, options.current)]
    : [
        ...selectionProblems(service, pods, explanations, profile),
        ...portProblems(service, explanations, profile),
        ...capacityProblems(placements, profile),
      ];
  const loadBalancerProblems =
    options.loadBalancing?.(service).map(({ code, path, values }) => createProblem(code, path, profile, values)) ?? [];
  const problems = [...endpointsProblems, ...metadataProblems(service, unmanaged === undefined, profile), ...loadBalancerProblems];
  return {
    namespace: service.metadata?.namespace ?? '',
    name: service.metadata?.name ?? '',
    version: profile.version,
    managed: unmanaged === undefined,
    counts: {
      selected: explanations.length,
      ready: explanations.filter((pod) => pod.ready).length,
      notReady: explanations.filter((pod) => pod.included && !pod.ready).length,
      leftOut: explanations.filter((pod) => !pod.included).length,
    },
    problems: problems.sort((a, b) => severityRank[a.severity] - severityRank[b.severity]),
    pods: explanations,
  };
}

const severityRank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

function unmanagedProblem(code: UnmanagedCode, profile: Profile, current: EndpointsInput | undefined): Problem {
  const existingAddresses = current?.subsets && countAddresses(current.subsets);
  return createProblem(code, unmanagedPaths[code], profile, {
    found: existingAddresses ? `; the existing ones have ${formatCountOf(existingAddresses, 'address', 'addresses')}` : '',
  });
}

function selectionProblems(service: Service, pods: readonly Pod[], selected: readonly PodExplanation[], profile: Profile): Problem[] {
  const namespace = quoteOrNone(service.metadata?.namespace);
  const selector = service.spec?.selector ?? {};
  const path = 'service.spec.selector';
  const problems: Problem[] = [];
  if (Object.keys(selector).length === 0) problems.push(createProblem('SelectorIsEmpty', path, profile, { namespace }));
  if (selected.length === 0) {
    const podsInNamespace = pods.filter((pod) => (pod.metadata?.namespace ?? '') === (service.metadata?.namespace ?? ''));
    const values = {
      selector: printSelector(selector),
      pods: formatCountOf(podsInNamespace.length, 'pod', 'pods'),
      namespace,
      nearest: describeNearestPod(selector, podsInNamespace),
    };
    return [...problems, createProblem('SelectorMatchesNothing', path, profile, values)];
  }
  const included = selected.filter((pod) => pod.included);
  if (included.length === 0) return [...problems, createProblem('NoPodEligible', path, profile, { why: countExclusions(selected) })];
  if (!included.some((pod) => pod.ready)) problems.push(createProblem('NoPodReady', path, profile));
  return problems;
}

const printSelector = (selector: Readonly<Record<string, string>>): string =>
  Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** A hint with the pod that fails the fewest pairs of a selector. */
function describeNearestPod(selector: Readonly<Record<string, string>>, pods: readonly Pod[]): string {
  const pairs = Object.entries(selector);
  let best: { readonly pod: Pod; readonly missing: readonly (readonly [string, string])[] } | undefined;
  for (const pod of pods) {
    const missing = pairs.filter(([key, value]) => !createLabelMatcher({ [key]: value })(pod.metadata?.labels));
    if (missing.length < pairs.length && missing.length < (best?.missing.length ?? pairs.length)) best = { pod, missing };
  }
  if (!best) return '';
  return `; the closest, ${best.pod.metadata?.name}, lacks ${best.missing.map(([key, value]) => `${key}=${value}`).join(', ')}`;
}

/** Counts the first reasons of excluded pods: "3 pods have ended, 1 pod has no IP". */
function countExclusions(pods: readonly PodExplanation[]): string {
  const counts = new Map<ReasonCode | undefined, number>();
  for (const { reasons } of pods) counts.set(reasons[0]?.code, (counts.get(reasons[0]?.code) ?? 0) + 1);
  return [...counts].map(([code, count]) => `${formatCountOf(count, 'pod', 'pods')} ${describeExclusion(code, count)}`).join(', ');
}

function describeExclusion(code: ReasonCode | undefined, count: number): string {
  const has = count === 1 ? 'has' : 'have';
  if (code === 'PodTerminal' || code === 'PodFinished') return `${has} ended`;
  if (code === 'PodHasNoIP') return `${has} no IP`;
  if (code === 'PodHasNoIPOfFamily') return `${has} no IP of the Service's family`;
  if (code === 'PodTerminating') return `${count === 1 ? 'is' : 'are'} terminating`;
  if (code === 'ServiceHasNoPorts') return `${has} no Service port to serve`;
  return `${has} none of the Service's target ports`;
}

function portProblems(service: Service, selected: readonly PodExplanation[], profile: Profile): Problem[] {
  const ports = service.spec?.ports ?? [];
  if (ports.length === 0 && service.spec?.clusterIP !== 'None') return [createProblem('ServiceHasNoPorts', 'service.spec.ports', profile)];
  return ports.flatMap((port, index): Problem[] => {
    const path = `service.spec.ports[${index}].targetPort`;
    const missing = selected.filter(({ reasons }) => reasons.some((each) => each.code === 'PortNotFound' && each.path === path)).length;
    if (missing === 0) return [];
    const code = missing === selected.length ? 'PortFoundInNoPod' : 'PortMissingInSomePods';
    const values = {
      target: quoteOrNone(String(port.targetPort)),
      protocol: quoteOrNone(port.protocol),
      port: port.name || String(port.port),
    };
    return [createProblem(code, path, profile, { ...values, missing, count: selected.length })];
  });
}

function capacityProblems({ packed, subsets }: Placements, profile: Profile): Problem[] {
  const count = countAddresses(packed);
  if (!profile.overCapacityWarned || count <= maxCapacity) return [];
  const code = profile.overCapacityTruncated ? 'OverCapacityTruncated' : 'OverCapacityWarned';
  const problems = [
    createProblem(code, 'endpoints.subsets', profile, { count, cut: count - countAddresses(subsets), capacity: maxCapacity }),
  ];
  const empty = subsets.filter((subset) => countAddresses([subset]) === 0).length;
  if (empty > 0) problems.push(createProblem('EndpointsRefused', 'endpoints.subsets', profile, { empty, count: subsets.length }));
  return problems;
}

function metadataProblems(service: Service, managed: boolean, profile: Profile): Problem[] {
  const problems: Problem[] = [];
  const annotation = service.metadata?.annotations?.[tolerateUnreadyAnnotation];
  const path = `service.metadata.annotations${segment(tolerateUnreadyAnnotation)}`;
  const values = { annotation: tolerateUnreadyAnnotation, value: quoteOrNone(annotation) };
  if (annotation !== undefined && profile.tolerateUnreadyAnnotationIgnored)
    problems.push(createProblem('AnnotationWithoutEffect', path, profile, values));
  else if (annotation !== undefined && parseBool(annotation) === undefined)
    problems.push(createProblem('AnnotationUnreadable', path, profile, values));
  if (!managed) return problems;
  if (profile.emptyIPFamiliesPanic && !service.spec?.ipFamilies?.length)
    problems.push(createProblem('EmptyIPFamiliesPanic', 'service.spec.ipFamilies', profile));
  if (!areLabelsCorrect(labelsFor(service, profile), service, profile))
    problems.push(createProblem('RewrittenAtEverySync', 'service.metadata.labels', profile));
  return problems;
}
