import {
  cidrContains,
  createRequirementsMatcher,
  hasLeadingZeros,
  type LabelSelector,
  type Labels,
  parseCIDRSloppy,
  requirementsOf,
  selectorMatches,
} from '../apimachinery/index.ts';
import type { ContainerPort, Pod } from '../types/index.ts';
import { type End, namespaceNameLabel, type World } from './ends.ts';
import { type Match, matchAll } from './match.ts';

/** A direction of a connection: the egress of its source, or the ingress of its target. */
export interface Direction {
  readonly name: 'ingress' | 'egress';
  /** The end that policies select. */
  readonly subject: End;
  /** The other end. */
  readonly peer: End;
  readonly target: End;
  readonly port: number;
  readonly protocol: string;
  readonly world: World;
}

/** Whether a namespace selector selects a namespace. Every namespace has the label with its name. */
export function matchNamespace(selector: LabelSelector, namespace: string, { namespaces }: World): Match {
  const labels = namespaces.get(namespace);
  if (labels) return selectorMatches(selector, labels);
  const known: Labels = { [namespaceNameLabel]: namespace };
  return matchAll(
    ...requirementsOf(selector).map((requirement) => (): Match => {
      if (requirement.key === namespaceNameLabel) return createRequirementsMatcher([requirement])(known);
      return { code: 'NamespaceUnknown', values: { namespace } };
    }),
  );
}

export const matchPod = (selector: LabelSelector, pod: Pod): boolean => selectorMatches(selector, pod.metadata?.labels ?? {});

/** Whether an address is in a CIDR. Plugins read leading zeros and IPv4-mapped addresses differently. */
export function matchCIDR(text: string, { ip, text: peer }: End): Match {
  const cidr = parseCIDRSloppy(text);
  if (!cidr) return false;
  if (!ip) return { code: 'AddressUnknown', values: { peer } };
  const isAmbiguous = hasLeadingZeros(text) || (cidr.family === 'IPv4' && text.includes(':'));
  return isAmbiguous ? { code: 'CIDRAmbiguous', values: { cidr: text } } : cidrContains(cidr, ip);
}

/** Whether the traffic goes to the port with this name on the target pod. */
export function matchPortName(name: string, pod: Pod | undefined, { target, port, protocol }: Direction): Match {
  if (!pod) return false;
  const hasName = (each: ContainerPort): boolean => each.name === name && (each.protocol ?? 'TCP') === protocol;
  const hasNumber = ({ containerPort }: ContainerPort): boolean => containerPort === port;
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []).filter(hasName);
  if (ports[0] && hasNumber(ports[0])) return true;
  const values = { name: JSON.stringify(name), pod: target.text };
  if (ports.some(hasNumber)) return { code: 'PortNameRepeated', values };
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const isOfSidecar = sidecars.flatMap((container) => container.ports ?? []).some((each) => hasName(each) && hasNumber(each));
  return isOfSidecar && { code: 'PortOfSidecar', values };
}
