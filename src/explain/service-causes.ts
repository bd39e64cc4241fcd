import { namespaceOf } from '../apimachinery/index.ts';
import { findExternalNameCauses } from './external-name.ts';
import { findFieldCauses } from './field-causes.ts';
import { createReason, quoteOrNone } from './reason.ts';
import { createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';
import { findWrittenCauses } from './written-endpoints.ts';

/** Finds causes in the Service itself: its namespace, its fields, and its endpoints if no controller manages them. */
export function findServiceCauses(input: DiagnosisInput): RootCause[] {
  const { service, explanation } = input;
  const general = [...findNamespaceCauses(input), ...findFieldCauses(input)];
  if (service.spec?.type === 'ExternalName') return [...general, ...findExternalNameCauses(input)];
  return explanation.managed ? general : [...general, ...findWrittenCauses(input)];
}

function findNamespaceCauses({ service, explanation, cluster, profile }: DiagnosisInput): RootCause[] {
  const namespace = namespaceOf(service);
  if (!cluster.isTerminating(namespace)) return [];
  const reason = createReason('NamespaceTerminating', 'service.metadata.namespace', profile, { namespace: quoteOrNone(namespace) });
  return [createServiceCause(reason, service, explanation.managed && explanation.counts.ready === 0 ? 'error' : 'warning')];
}
