import { namespaceOf } from '../apimachinery/index.ts';
import { createLabelMatcher } from '../spec/index.ts';
import type { ObjectMeta, Optional } from '../types/index.ts';
import { createReason } from './reason.ts';
import type { DiagnosisInput, RootCause } from './root-cause.ts';
import { templateLabelsOf, type Workload } from './workload.ts';

interface WrittenObject {
  readonly kind: string;
  readonly object: { readonly metadata?: Optional<ObjectMeta> };
}

/**
 * Finds fields that an API server ignores, in the Service and in the workloads of its pods. If the selector matches no pod, every workload of
 * the namespace may be that of the pods.
 */
export function findFieldCauses({ service, explanation, objects, profile }: DiagnosisInput): RootCause[] {
  const { unknownFields, workloads = [] } = objects;
  if (!unknownFields) return [];
  const matches = createLabelMatcher(service.spec?.selector);
  const isRelated = (workload: Workload): boolean =>
    namespaceOf(workload) === namespaceOf(service) && (explanation.counts.selected === 0 || matches(templateLabelsOf(workload)));
  const written: WrittenObject[] = [
    { kind: 'Service', object: service },
    ...(explanation.managed ? workloads.filter(isRelated) : []).map((workload) => ({ kind: workload.kind ?? '', object: workload })),
  ];
  const isBroken = explanation.managed && explanation.counts.ready === 0;
  return written.flatMap(({ kind, object }) =>
    unknownFields(object).map(({ path, nearest }): RootCause => {
      const key = `${namespaceOf(object)}/${object.metadata?.name ?? ''}`;
      const values = { path, object: `${kind} ${key}`, nearest: nearest === undefined ? '' : `; did you mean ${nearest}` };
      const reason = createReason('UnknownField', `object.${path}`, profile, values);
      return {
        reason,
        severity: isBroken ? 'error' : 'warning',
        message: reason.message,
        objects: [`${kind.toLowerCase()}/${key}`],
        subject: { kind: kind.toLowerCase(), name: `${kind} ${key}`, object },
      };
    }),
  );
}
