import type { Container, EndpointPort, Optional, Pod, ServicePort } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/**
 * Finds the number of the pod's port that a Service port targets: the number itself, or the first container port of that name
 * and protocol. Undefined if no container has that port. An absent target port is 0.
 * @param inSidecars whether to search sidecars (init containers with restartPolicy Always) too
 *
 * Mirrors FindPort (1.36, staging/src/k8s.io/endpointslice/utils.go; before 1.34 pkg/api/v1/pod/util.go).
 */
export function findPort(pod: Pod, port: ServicePort, inSidecars: boolean): number | undefined {
  const target = port.targetPort ?? 0;
  if (typeof target === 'number') return target;
  const protocol = port.protocol ?? '';
  for (const container of pod.spec?.containers ?? []) {
    const number = findNamedPort(container, target, protocol);
    if (number !== undefined) return number;
  }
  if (!inSidecars) return undefined;
  for (const container of pod.spec?.initContainers ?? []) {
    const number = container.restartPolicy === 'Always' ? findNamedPort(container, target, protocol) : undefined;
    if (number !== undefined) return number;
  }
  return undefined;
}

function findNamedPort(container: Container, name: string, protocol: Optional<string>): number | undefined {
  for (const port of container.ports ?? []) {
    if ((port.name ?? '') === name && (port.protocol ?? '') === protocol) return port.containerPort ?? 0;
  }
  return undefined;
}

/** Creates the endpoint port of a Service port that resolves to this number. */
export function createEndpointPort(port: ServicePort, number: number, profile: Profile): EndpointPort {
  const result: EndpointPort = port.name ? { name: port.name, port: number } : { port: number };
  if (port.protocol) result.protocol = port.protocol;
  if (profile.appProtocolCopied && typeof port.appProtocol === 'string') result.appProtocol = port.appProtocol;
  return result;
}
