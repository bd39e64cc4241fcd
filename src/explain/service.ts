import {
  areLabelsCorrect,
  countAddresses,
  isPodReady,
  labelsFor,
  maxCapacity,
  mutateLabels,
  type PodEvaluator,
  parseBool,
  tolerateUnreadyAnnotation,
  type UnmanagedCode,
} from '../spec/index.ts';
import type { EndpointsInput, Pod, Service, ServicePort } from '../types/index.ts';
import { type Profile, profileFor } from '../versions/index.ts';
import type { LoadBalancing } from './cause-reasons.ts';
import { describeDeclaredPorts, isUndeclared } from './declared-ports.ts';
import type { PodExplanation, Problem, ServiceExplanation } from './explanation.ts';
import { describeDifferences, findNearest, printSelector } from './nearest.ts';
import { type Placements, placePods } from './placements.ts';
import { listNames } from './pod-names.ts';
import { findPublishingField } from './pod-reasons.ts';
import { type ExplainEndpointsOptions, explainSelectedPods, unmanagedPaths } from './pods.ts';
import { createProblem, formatCountOf, formatSegment, quoteOrNone } from './reason.ts';
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
  const profile = profileFor(options.version, options.featureGates);
  const placements = placePods(service, pods, profile);
  const { unmanagedCode } = placements;
  const explanations = explainSelectedPods(placements, options.readiness);
  const selectedPods = placements.evaluatedPods.flatMap(({ pod }) => (placements.evaluator.isSelected(pod) ? [pod] : []));
  const endpointsProblems = unmanagedCode
    ? [createUnmanagedProblem(unmanagedCode, profile, options.current)]
    : [
        ...findSelectionProblems(service, pods, explanations, profile),
        ...findPortProblems(service, selectedPods, explanations, profile),
        ...findPublishedProblems(placements.evaluator, selectedPods, explanations),
        ...findCapacityProblems(placements, profile),
      ];
  const loadBalancerProblems =
    options.loadBalancing?.(service).map(({ code, path, values }) => createProblem(code, path, profile, values)) ?? [];
  const problems = [...endpointsProblems, ...findMetadataProblems(service, unmanagedCode === undefined, profile), ...loadBalancerProblems];
  return {
    namespace: service.metadata?.namespace ?? '',
    name: service.metadata?.name ?? '',
    version: profile.version,
    managed: unmanagedCode === undefined,
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

function createUnmanagedProblem(code: UnmanagedCode, profile: Profile, current: EndpointsInput | undefined): Problem {
  const existingAddresses = current?.subsets && countAddresses(current.subsets);
  return createProblem(code, unmanagedPaths[code], profile, {
    found: existingAddresses ? `; the existing ones have ${formatCountOf(existingAddresses, 'address', 'addresses')}` : '',
  });
}

function findSelectionProblems(
  service: Service,
  pods: readonly Pod[],
  selectedPods: readonly PodExplanation[],
  profile: Profile,
): Problem[] {
  const namespace = quoteOrNone(service.metadata?.namespace);
  const selector = service.spec?.selector ?? {};
  const path = 'service.spec.selector';
  const problems: Problem[] = [];
  if (Object.keys(selector).length === 0) problems.push(createProblem('SelectorIsEmpty', path, profile, { namespace }));
  if (selectedPods.length === 0) {
    const podsInNamespace = pods.filter((pod) => (pod.metadata?.namespace ?? '') === (service.metadata?.namespace ?? ''));
    const values = {
      selector: printSelector(selector),
      pods: formatCountOf(podsInNamespace.length, 'pod', 'pods'),
      namespace,
      nearest: describeNearestPod(selector, podsInNamespace),
    };
    return [...problems, createProblem('SelectorMatchesNothing', path, profile, values)];
  }
  const includedPods = selectedPods.filter((pod) => pod.included);
  if (includedPods.length === 0)
    return [...problems, createProblem('NoPodEligible', path, profile, { why: countExclusions(selectedPods) })];
  if (!includedPods.some((pod) => pod.ready)) problems.push(createProblem('NoPodReady', path, profile));
  return problems;
}

/** Describes the nearest pod; empty if no pod has any key of the selector. */
function describeNearestPod(selector: Readonly<Record<string, string>>, pods: readonly Pod[]): string {
  const nearest = findNearest(selector, pods, ({ metadata }) => metadata?.labels ?? {});
  return nearest ? `: the closest, ${nearest.object.metadata?.name}, ${describeDifferences(nearest.differences)}` : '';
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

/** Why a pod does not serve any more, whatever its ports are. */
const endCodes: ReadonlySet<ReasonCode> = new Set(['PodTerminal', 'PodFinished', 'PodTerminating']);

function findPortProblems(service: Service, pods: readonly Pod[], selectedPods: readonly PodExplanation[], profile: Profile): Problem[] {
  const lastingPods = selectedPods.filter(({ reasons }) => !reasons.some(({ code }) => endCodes.has(code)));
  const explanations = lastingPods.length > 0 ? lastingPods : selectedPods;
  const ports = service.spec?.ports ?? [];
  if (ports.length === 0 && service.spec?.clusterIP !== 'None') return [createProblem('ServiceHasNoPorts', 'service.spec.ports', profile)];
  return ports.flatMap((port, index): Problem[] => {
    const path = `service.spec.ports[${index}].targetPort`;
    if (isUndeclared(port, pods, profile)) {
      const target = { target: Number(port.targetPort), protocol: port.protocol || 'TCP' };
      return [
        createProblem('TargetPortUndeclared', path, profile, {
          port: describePort(port),
          ...target,
          declared: describeDeclaredPorts(pods, profile),
        }),
      ];
    }
    const names = explanations
      .filter(({ reasons }) => reasons.some((each) => each.code === 'PortNotFound' && each.path === path))
      .map(({ name }) => name);
    if (names.length === 0) return [];
    const code = names.length === explanations.length ? 'PortFoundInNoPod' : 'PortMissingInSomePods';
    const lackingPods = pods.filter(({ metadata }) => names.includes(metadata?.name ?? ''));
    const values = {
      port: describePort(port),
      target: quoteOrNone(String(port.targetPort)),
      protocol: port.protocol || 'TCP',
      declared: describeDeclaredPorts(lackingPods, profile),
    };
    return [
      createProblem(code, path, profile, {
        ...values,
        missing: names.length,
        count: explanations.length,
        pods: listNames(names),
        lack: names.length === 1 ? 'lacks' : 'lack',
      }),
    ];
  });
}

/** Pods that are not ready get requests if the Service publishes them. Consumers of endpoints decide about pods that terminate. */
function findPublishedProblems(evaluator: PodEvaluator, pods: readonly Pod[], explanations: readonly PodExplanation[]): Problem[] {
  const names = new Set(pods.filter((pod) => !isPodReady(pod) && !pod.metadata?.deletionTimestamp).map((pod) => pod.metadata?.name ?? ''));
  const endpoints = explanations.filter(({ ready }) => ready);
  const notReadyPods = endpoints.filter(({ name }) => names.has(name));
  if (notReadyPods.length === 0) return [];
  const { path, ...values } = findPublishingField(evaluator);
  const counts = { count: notReadyPods.length, all: endpoints.length };
  return [
    createProblem('NotReadyPodsPublished', path, evaluator.profile, {
      ...values,
      ...counts,
      pods: listNames(notReadyPods.map(({ name }) => name)),
    }),
  ];
}

const describePort = ({ name, port }: ServicePort): string => name || String(port);

function findCapacityProblems({ packedSubsets, subsets }: Placements, profile: Profile): Problem[] {
  const count = countAddresses(packedSubsets);
  if (!profile.overCapacityWarned || count <= maxCapacity) return [];
  const code = profile.overCapacityTruncated ? 'OverCapacityTruncated' : 'OverCapacityWarned';
  const problems = [
    createProblem(code, 'endpoints.subsets', profile, { count, cut: count - countAddresses(subsets), capacity: maxCapacity }),
  ];
  const emptyCount = subsets.filter((subset) => countAddresses([subset]) === 0).length;
  if (emptyCount > 0)
    problems.push(createProblem('EndpointsRefused', 'endpoints.subsets', profile, { empty: emptyCount, count: subsets.length }));
  return problems;
}

function findMetadataProblems(service: Service, isManaged: boolean, profile: Profile): Problem[] {
  const problems: Problem[] = [];
  const annotation = service.metadata?.annotations?.[tolerateUnreadyAnnotation];
  const path = `service.metadata.annotations${formatSegment(tolerateUnreadyAnnotation)}`;
  const values = { annotation: tolerateUnreadyAnnotation, value: quoteOrNone(annotation) };
  if (annotation !== undefined && profile.tolerateUnreadyAnnotationIgnored)
    problems.push(createProblem('AnnotationWithoutEffect', path, profile, values));
  else if (annotation !== undefined && parseBool(annotation) === undefined)
    problems.push(createProblem('AnnotationUnreadable', path, profile, values));
  if (!isManaged) return problems;
  if (profile.emptyIPFamiliesPanic && !service.spec?.ipFamilies?.length)
    problems.push(createProblem('EmptyIPFamiliesPanic', 'service.spec.ipFamilies', profile));
  if (!areLabelsCorrect(labelsFor(service, profile), mutateLabels(service, profile), profile))
    problems.push(createProblem('RewrittenAtEverySync', 'service.metadata.labels', profile));
  return problems;
}
