import { createLabelMatcher } from '../spec/index.ts';
import { createCauseReason } from './all-reasons.ts';
import { createObjectCause, type DiagnosisInput, type RootCause } from './root-cause.ts';
import { templateLabelsOf, type Workload } from './workload.ts';
import { findOwnWorkloads } from './workload-causes.ts';

/**
 * Finds fields that an API server ignores, in the Service and in the workloads of its pods. If the selector matches no pod, every workload of
 * the namespace may be that of the pods.
 */
export function findFieldCauses(input: DiagnosisInput): RootCause[] {
  const { service, explanation, objects, profile } = input;
  const { unknownFields } = objects;
  if (!unknownFields) return [];
  const matches = createLabelMatcher(service.spec?.selector);
  const isRelated = (workload: Workload): boolean => explanation.counts.selected === 0 || matches(templateLabelsOf(workload));
  const workloads = explanation.managed ? findOwnWorkloads(input).filter(isRelated) : [];
  const isBroken = explanation.managed ? explanation.counts.ready === 0 : service.spec?.type !== 'ExternalName';
  return [{ kind: 'Service', object: service }, ...workloads.map((workload) => ({ kind: workload.kind ?? '', object: workload }))].flatMap(
    ({ kind, object }) =>
      unknownFields(object).map(({ path, nearest }) => {
        const values = { path, kind, nearest: nearest === undefined ? '' : `; the nearest is ${nearest}` };
        return createObjectCause(
          createCauseReason('UnknownField', `${kind === 'Service' ? 'service' : 'workload'}.${path}`, profile, values),
          kind,
          object,
          isBroken ? 'error' : 'warning',
        );
      }),
  );
}
