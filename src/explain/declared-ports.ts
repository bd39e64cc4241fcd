import type { Container, ContainerPort, Pod, ServicePort } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/** A port that a container declares. */
interface DeclaredPort {
  readonly port: ContainerPort;
  /** Why a target port cannot find it: it belongs to an init container, or to a sidecar in releases that do not search those. */
  readonly hiddenIn: string | undefined;
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

const maxListedPorts = 4;

function declaredPortsOf({ spec }: Pod, { sidecarPortsFound }: Profile): DeclaredPort[] {
  const list = (containers: readonly Container[], hiddenIn: (container: Container) => string | undefined): DeclaredPort[] =>
    containers.flatMap((container) => (container.ports ?? []).map((port) => ({ port, hiddenIn: hiddenIn(container) })));
  return [
    ...list(spec?.containers ?? [], () => undefined),
    ...list(spec?.initContainers ?? [], ({ name, restartPolicy }) => {
      if (restartPolicy !== 'Always') return `init container ${name}`;
      return sidecarPortsFound ? undefined : `sidecar ${name}, which counts from 1.32 on`;
    }),
  ];
}

function formatDeclaredPort({ port: { name, containerPort, protocol }, hiddenIn }: DeclaredPort): string {
  const number = `${containerPort}/${protocol || 'TCP'}`;
  const details = [...(name ? [number] : []), ...(hiddenIn ? [`in ${hiddenIn}`] : [])].join(' ');
  return `${name || number}${details && ` (${details})`}`;
}
