import { findPort } from '../spec/index.ts';
import { createReason } from './reason.ts';
import { createServiceCause, type DiagnosisInput, type RootCause, selectPods } from './root-cause.ts';

/** Finds the Service ports whose traffic network policies deny at every ready pod, whatever the client. */
export function findPolicyCauses({ service, explanation, objects: { pods = [], denyingPolicies }, profile }: DiagnosisInput): RootCause[] {
  if (!denyingPolicies) return [];
  const readyNames = new Set(explanation.pods.filter(({ ready }) => ready).map(({ name }) => name));
  const readyPods = selectPods(service, pods).filter(({ metadata }) => readyNames.has(metadata?.name ?? ''));
  return (service.spec?.ports ?? []).flatMap((servicePort, index): RootCause[] => {
    const protocol = servicePort.protocol || 'TCP';
    const denials = readyPods.flatMap((pod) => {
      const port = findPort(pod, servicePort, profile.sidecarPortsFound);
      return port ? [{ port, policies: denyingPolicies(pod, port, protocol) }] : [];
    });
    const [first] = denials;
    if (!first || denials.some(({ policies }) => policies.length === 0)) return [];
    const policies = [...new Set(denials.flatMap((denial) => denial.policies))];
    const values = {
      port: `${first.port}/${protocol}`,
      policies: policies.join(', '),
      select: policies.length === 1 ? 'selects' : 'select',
    };
    return [createServiceCause(createReason('PoliciesDenyAll', `service.spec.ports[${index}]`, profile, values), service)];
  });
}
