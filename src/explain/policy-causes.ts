import { findPort } from '../spec/index.ts';
import type { ServicePort } from '../types/index.ts';
import { createCauseReason } from './all-reasons.ts';
import { describePods } from './pod-names.ts';
import { formatCountOf } from './reason.ts';
import { createServiceCause, type DiagnosisInput, type RootCause } from './root-cause.ts';

/** Finds the Service ports whose traffic network policies deny at ready pods, whatever the client. */
export function findPolicyCauses(input: DiagnosisInput): RootCause[] {
  const { service, readyPods, objects } = input;
  if (!objects.denyingPolicies) return [];
  const ports = service.spec?.ports ?? [];
  const denials = ports.map((port) => findDenials(port, readyPods, input));
  const isAllDenied = denials.every(({ deniedPods, count }) => deniedPods.length === count);
  return denials.flatMap(({ port, deniedPods, policies, count }, index): RootCause[] => {
    if (deniedPods.length === 0) return [];
    const values = {
      port,
      pods:
        deniedPods.length === count
          ? `all ${formatCountOf(count, 'ready pod', 'ready pods')}`.replace('all 1', 'the only')
          : describePods(deniedPods),
      policies: policies.join(', '),
    };
    const reason = createCauseReason('PoliciesDenyAll', `service.spec.ports[${index}]`, input.profile, values);
    return [createServiceCause(reason, service, isAllDenied ? 'error' : 'warning')];
  });
}

interface Denials {
  /** "8080/TCP", of the first denied pod. */
  readonly port: string;
  readonly deniedPods: readonly string[];
  readonly policies: readonly string[];
  /** The pods that have the port. */
  readonly count: number;
}

function findDenials(
  servicePort: ServicePort,
  pods: DiagnosisInput['selectedPods'],
  { objects: { denyingPolicies }, profile }: DiagnosisInput,
): Denials {
  const protocol = servicePort.protocol || 'TCP';
  const results = pods.flatMap((pod) => {
    const port = findPort(pod, servicePort, profile.sidecarPortsFound);
    return port ? [{ name: pod.metadata?.name ?? '', port, policies: denyingPolicies?.(pod, port, protocol) ?? [] }] : [];
  });
  const denied = results.filter(({ policies }) => policies.length > 0);
  return {
    port: `${denied[0]?.port}/${protocol}`,
    deniedPods: denied.map(({ name }) => name),
    policies: [...new Set(denied.flatMap(({ policies }) => policies))],
    count: results.length,
  };
}
