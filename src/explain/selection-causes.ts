import { namespaceOf } from '../apimachinery/index.ts';
import { createLabelMatcher } from '../spec/index.ts';
import type { Pod } from '../types/index.ts';
import type { Reason } from './explanation.ts';
import { describeDifferences, findNearest, isClose, printSelector } from './nearest.ts';
import { createReason, formatCountOf, quoteOrNone } from './reason.ts';
import { createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';
import { describeWorkload, findFailureIndex, findZeroField, templateLabelsOf, type Workload } from './workload.ts';

/** Finds why a selector matches no pod, in workloads and other namespaces; undefined if only the pods of the namespace show it. */
export function findSelectionCause(input: DiagnosisInput): RootCause | undefined {
  const { service, objects, profile } = input;
  const selector = service.spec?.selector ?? {};
  const matches = createLabelMatcher(selector);
  const workloads = (objects.workloads ?? []).filter((workload) => namespaceOf(workload) === namespaceOf(service) && !isOwned(workload));
  const workload = workloads.find((each) => matches(templateLabelsOf(each)));
  if (workload) return createWorkloadCause(workload, input);
  const podsOfNamespace = (objects.pods ?? []).filter((pod) => namespaceOf(pod) === namespaceOf(service));
  if (!objects.pods) return createServiceCause(createReason('PodsNotGiven', 'service.spec.selector', profile), service);
  const nearestPod = findNearest(selector, podsOfNamespace, ({ metadata }) => metadata?.labels ?? {});
  const isNear = nearestPod !== undefined && isClose(selector, nearestPod);
  const strangers = isNear ? [] : objects.pods.filter((pod) => matches(pod.metadata?.labels ?? {}));
  if (strangers.length > 0) return createServiceCause(createStrangersReason(strangers, input), service);
  const nearest = nearestPod ? undefined : findNearest(selector, workloads, templateLabelsOf);
  if (!nearest) return undefined;
  const values = {
    selector: printSelector(selector),
    workload: describeWorkload(nearest.object),
    differences: describeDifferences(nearest.differences),
  };
  return createServiceCause(createReason('TemplateLabelsDoNotMatch', 'service.spec.selector', profile, values), service);
}

/** ReplicaSets and Jobs of other workloads only repeat their templates. */
const isOwned = ({ metadata }: Workload): boolean => (metadata?.ownerReferences ?? []).length > 0;

function createWorkloadCause(workload: Workload, { profile }: DiagnosisInput): RootCause {
  const zero = findZeroField(workload);
  const failure = findFailureIndex(workload);
  const condition = workload.status?.conditions?.[failure];
  const details = [condition?.reason, condition?.message].filter(Boolean).join(': ').replace(/\.$/, '');
  const name = describeWorkload(workload);
  const reason: Reason = zero
    ? createReason('WorkloadScaledToZero', `workload.${zero.path}`, profile, { workload: name, field: zero.field })
    : createReason('WorkloadHasNoPods', `workload.${condition ? `status.conditions[${failure}]` : 'status'}`, profile, {
        workload: name,
        why: details && ` (${details})`,
      });
  const kind = (workload.kind ?? '').toLowerCase();
  const path = `${namespaceOf(workload)}/${workload.metadata?.name ?? ''}`;
  return {
    reason,
    severity: 'error',
    message: reason.message,
    objects: [`${kind}/${path}`],
    subject: { kind, name: `${workload.kind ?? ''} ${path}`, object: workload },
  };
}

function createStrangersReason(pods: readonly Pod[], { service, profile }: DiagnosisInput): Reason {
  const [first] = pods as [Pod, ...Pod[]];
  const other = namespaceOf(first);
  const count = pods.filter((pod) => namespaceOf(pod) === other).length;
  return createReason('PodsInOtherNamespace', 'service.metadata.namespace', profile, {
    selector: printSelector(service.spec?.selector ?? {}),
    namespace: quoteOrNone(service.metadata?.namespace),
    pods: formatCountOf(count, 'pod', 'pods'),
    other: quoteOrNone(other),
  });
}
