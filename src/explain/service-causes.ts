import { namespaceOf } from '../apimachinery/index.ts';
import { createCauseReason } from './all-reasons.ts';
import { findExternalNameCauses } from './external-name.ts';
import { findFieldCauses } from './field-causes.ts';
import { quoteOrNone } from './reason.ts';
import { createObjectCause, type DiagnosisInput, type RootCause } from './root-cause.ts';
import { findWrittenCauses } from './written-endpoints.ts';

/** Finds causes in the Service itself: its namespace, its fields, and its endpoints if no controller manages them. */
export function findServiceCauses(input: DiagnosisInput): RootCause[] {
  const { service, explanation } = input;
  const general = [...findNamespaceCauses(input), ...findFieldCauses(input)];
  if (service.spec?.type === 'ExternalName') return [...general, ...findExternalNameCauses(input)];
  return explanation.managed ? general : [...general, ...findWrittenCauses(input)];
}

function findNamespaceCauses({ service, explanation, cluster, profile }: DiagnosisInput): RootCause[] {
  const namespace = cluster.terminatingNamespace(namespaceOf(service));
  if (!namespace) return [];
  const reason = createCauseReason('NamespaceTerminating', 'namespace.status.phase', profile, {
    namespace: quoteOrNone(namespaceOf(service)),
  });
  return [createObjectCause(reason, 'Namespace', namespace, explanation.managed && explanation.counts.ready === 0 ? 'error' : 'warning')];
}
