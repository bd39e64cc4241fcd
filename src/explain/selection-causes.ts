import { namespaceOf } from '../apimachinery/index.ts';
import { createLabelMatcher } from '../spec/index.ts';
import type { Optional, Pod } from '../types/index.ts';
import { createCauseReason } from './all-reasons.ts';
import type { Reason } from './explanation.ts';
import { describeDifferences, findNearest, isMistyped, type Nearest, printSelector } from './nearest.ts';
import { formatCountOf, quoteOrNone } from './reason.ts';
import { createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';
import { describeWorkload, isOwned, templateLabelsOf, type Workload } from './workload.ts';
import { findOwnWorkloads, findWorkloadCause } from './workload-causes.ts';

/** Finds why a selector matches no pod, in workloads and other namespaces; undefined if only the pods of the namespace show it. */
export function findSelectionCause(input: DiagnosisInput): RootCause | undefined {
  const { service, objects, cluster, profile } = input;
  const workloadCause = findWorkloadCause(input);
  if (workloadCause) return workloadCause;
  const selector = service.spec?.selector ?? {};
  const selectorText = printSelector(selector);
  if (!objects.pods)
    return createServiceCause(createCauseReason('PodsNotGiven', selectorPath, profile, { selector: selectorText }), service);
  const nearestPod = findNearest(selector, cluster.podsIn(namespaceOf(service)), ({ metadata }) => metadata?.labels ?? {});
  const nearestWorkload = findNearest(selector, sortByName(findOwnWorkloads(input), service.metadata?.name), templateLabelsOf);
  const isNear = [nearestPod, nearestWorkload].some((nearest) => nearest && isMistyped(nearest));
  const strangers = isNear ? undefined : createStrangersReason(input);
  if (strangers) return createServiceCause(strangers, service);
  if (!nearestWorkload || (nearestPod && rankOf(nearestPod) < rankOf(nearestWorkload))) return undefined;
  const values = {
    selector: selectorText,
    workload: describeWorkload(nearestWorkload.object),
    differences: describeDifferences(nearestWorkload.differences),
  };
  return createServiceCause(createCauseReason('TemplateLabelsDoNotMatch', selectorPath, profile, values), service);
}

/** Of workloads that are equally near, the one with the name of the Service is meant. */
const sortByName = (workloads: readonly Workload[], name: Optional<string>): Workload[] =>
  workloads.toSorted((a, b) => Number(b.metadata?.name === name) - Number(a.metadata?.name === name));

const selectorPath = 'service.spec.selector';

const rankOf = ({ differences, distance }: Nearest<unknown>): number => differences.length * 100 + distance;

/** Finds pods, or workloads that create such pods, in another namespace. */
function createStrangersReason({ service, objects, cluster, profile }: DiagnosisInput): Reason | undefined {
  const selector = service.spec?.selector ?? {};
  const matches = createLabelMatcher(selector);
  const pods = cluster.podsMatching(selector);
  const workload = (objects.workloads ?? []).find((each) => !isOwned(each) && matches(templateLabelsOf(each)));
  const stranger = pods[0] ?? workload;
  if (!stranger) return undefined;
  const other = namespaceOf(stranger);
  return createCauseReason('PodsInOtherNamespace', 'service.metadata.namespace', profile, {
    selector: printSelector(selector),
    namespace: quoteOrNone(service.metadata?.namespace),
    pods: pods.length > 0 ? countIn(pods, other) : `the pods of ${describeWorkload(workload as Workload)}`,
    other: quoteOrNone(other),
  });
}

const countIn = (pods: readonly Pod[], namespace: string): string =>
  formatCountOf(pods.filter((pod) => namespaceOf(pod) === namespace).length, 'pod', 'pods');
