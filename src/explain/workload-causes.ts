import { namespaceOf } from '../apimachinery/index.ts';
import { createLabelMatcher } from '../spec/index.ts';
import { createCauseReason } from './all-reasons.ts';
import { createObjectCause, type DiagnosisInput, type RootCause } from './root-cause.ts';
import {
  describeWorkload,
  findFailureIndex,
  findZeroField,
  isOwned,
  isOwnedBy,
  templateLabelsOf,
  templateOf,
  type Workload,
} from './workload.ts';

/** Workloads of the Service's namespace. ReplicaSets and Jobs of other workloads only repeat their templates. */
export const findOwnWorkloads = ({ service, cluster }: DiagnosisInput): Workload[] =>
  cluster.workloadsIn(namespaceOf(service)).filter((workload) => !isOwned(workload));

/** Finds why the workloads whose pods a selector matches have no pods; undefined if there is no such workload. */
export function findWorkloadCause(input: DiagnosisInput): RootCause | undefined {
  const workloads = findMatchingWorkloads(input);
  const workload = workloads.find((each) => !findZeroField(each)) ?? workloads[0];
  return workload && createWorkloadCause(workload, input);
}

/** Finds why nothing replaces pods that have ended: a workload that is scaled to zero or fails. */
export function findReplacementCause(input: DiagnosisInput): RootCause | undefined {
  const workloads = findMatchingWorkloads(input);
  const isScaledToZero = workloads.length > 0 && workloads.every(findZeroField);
  const failing = workloads.find((workload) => findFailure(workload, input)?.type === 'ReplicaFailure');
  const [workload = failing] = isScaledToZero ? workloads : [];
  return workload && createWorkloadCause(workload, input);
}

function findMatchingWorkloads(input: DiagnosisInput): Workload[] {
  const matches = createLabelMatcher(input.service.spec?.selector);
  return findOwnWorkloads(input).filter((workload) => matches(templateLabelsOf(workload)));
}

function createWorkloadCause(workload: Workload, input: DiagnosisInput): RootCause {
  const { profile } = input;
  const { kind = 'workload' } = workload;
  const name = describeWorkload(workload);
  const zero = findZeroField(workload);
  if (zero?.field === 'desiredNumberScheduled')
    return createObjectCause(
      createCauseReason('NoNodeForDaemonSet', `workload.${zero.path}`, profile, { workload: name, why: describeNodeSelector(workload) }),
      kind ?? '',
      workload,
    );
  if (zero) {
    const reason = createCauseReason('WorkloadScaledToZero', `workload.${zero.path}`, profile, { workload: name, ...zero });
    return createObjectCause(reason, kind ?? '', workload);
  }
  const failing = findFailingWorkload(workload, input);
  const index = findFailureIndex(failing);
  const condition = failing.status?.conditions?.[index];
  const event = input.cluster.warningAbout((failing.kind ?? '').toLowerCase(), failing);
  const details = [condition?.reason ?? event?.reason, condition?.message ?? event?.message].filter(Boolean).join(': ').replace(/\.$/, '');
  const path = condition ? `workload.status.conditions[${index}]` : 'workload.status';
  const reason = createCauseReason('WorkloadHasNoPods', path, profile, { workload: name, why: details && ` (${details})` });
  return createObjectCause(reason, failing.kind ?? '', failing);
}

const describeNodeSelector = (workload: Workload): string => {
  const pairs = Object.entries(templateOf(workload)?.spec?.nodeSelector ?? {});
  return pairs.length > 0 ? ` (node selector ${pairs.map(([key, value]) => `${key}=${value}`).join(',')})` : '';
};

/** A Deployment fails in its ReplicaSet, a CronJob in its Job. */
function findFailingWorkload(workload: Workload, { service, cluster }: DiagnosisInput): Workload {
  const owned = cluster.workloadsIn(namespaceOf(service)).filter((each) => isOwnedBy(each, workload));
  const candidates = [workload, ...owned];
  return (
    candidates.find((each) => each.status?.conditions?.[findFailureIndex(each)]?.type === 'ReplicaFailure') ??
    candidates.find((each) => cluster.warningAbout((each.kind ?? '').toLowerCase(), each)) ??
    workload
  );
}

function findFailure(workload: Workload, input: DiagnosisInput): { readonly type?: string | null | undefined } | undefined {
  const failing = findFailingWorkload(workload, input);
  return failing.status?.conditions?.[findFailureIndex(failing)];
}
