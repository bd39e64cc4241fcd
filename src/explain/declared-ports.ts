import type { Container, ContainerPort, Pod, ServicePort } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/** A port that a container or a sidecar declares. Caches of pods keep these ports, without the names of containers. */
interface DeclaredPort {
  readonly port: ContainerPort;
  /** Whether it belongs to a sidecar in a release that does not search sidecars for target ports. */
  readonly isHidden: boolean;
}

/** Lists the ports that pods declare, for a message: "; the containers declare http (8080/TCP)". */
export function describeDeclaredPorts(pods: readonly Pod[], profile: Profile): string {
  const texts = new Set(pods.flatMap((pod) => declaredPortsOf(pod, profile)).map(formatDeclaredPort));
  if (texts.size === 0) return '; the containers declare no ports';
  const shown = [...texts].slice(0, maxListedPorts);
  const rest = texts.size > shown.length ? ` and ${texts.size - shown.length} more` : '';
  return `; the containers declare ${shown.join(', ')}${rest}`;
}

/**
 * Whether the pods declare ports, but none of them the number that a Service port targets. Declaring ports is optional, so a pod without any
 * says nothing about where it listens.
 */
export function isUndeclared({ targetPort, protocol }: ServicePort, pods: readonly Pod[], profile: Profile): boolean {
  if (typeof targetPort !== 'number' || targetPort === 0) return false;
  const declaredPorts = pods.map((pod) => declaredPortsOf(pod, profile));
  return (
    pods.length > 0 &&
    declaredPorts.every((ports) => ports.length > 0) &&
    !declaredPorts.flat().some(({ port }) => port.containerPort === targetPort && (port.protocol || 'TCP') === (protocol || 'TCP'))
  );
}

/** Describes an init container that declares a target port, although it never serves traffic; empty if none does. */
export function describeInitPort(target: number | string, pods: readonly Pod[]): string {
  const isTarget = ({ name, containerPort }: ContainerPort): boolean => name === target || containerPort === target;
  const [container] = pods.flatMap(({ spec }) =>
    (spec?.initContainers ?? []).filter(({ restartPolicy, ports }) => restartPolicy !== 'Always' && ports?.some(isTarget)),
  );
  return container ? `only the init container ${container.name} declares it, and init containers do not serve traffic` : '';
}

const maxListedPorts = 4;

function declaredPortsOf({ spec }: Pod, { sidecarPortsFound }: Profile): DeclaredPort[] {
  const list = (containers: readonly Container[], isHidden: boolean): DeclaredPort[] =>
    containers.flatMap(({ ports }) => (ports ?? []).map((port) => ({ port, isHidden })));
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...list(spec?.containers ?? [], false), ...list(sidecars, !sidecarPortsFound)];
}

function formatDeclaredPort({ port: { name, containerPort, protocol }, isHidden }: DeclaredPort): string {
  const number = `${containerPort ?? 0}/${protocol || 'TCP'}`;
  const details = [...(name ? [number] : []), ...(isHidden ? ['in a sidecar, which counts from 1.32 on'] : [])].join(' ');
  return `${name || number}${details && ` (${details})`}`;
}
