import { compareText } from '../../apimachinery/compare.ts';
import type { Optional, Pod, Service, ServicePort, SlicePort, SlicePortInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { createFNV128a } from '../hash/fnv128a.ts';
import { createMD5 } from '../hash/md5.ts';
import { findPort } from '../port.ts';

/**
 * Builds a key that is equal if and only if two lists have the same ports in any order. Slices are grouped by this key.
 * Absent fields differ from empty ones, like Go pointers.
 *
 * Mirrors NewPortMapKey (1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go).
 */
export function slicePortsKey(ports: Optional<readonly SlicePortInput[]>, profile: Profile): string {
  if (!ports && !profile.slicePortsNilAsEmpty) return '<nil>';
  const printedPorts = (ports ?? []).map(printPort);
  return printedPorts.length < 2 ? (printedPorts[0] ?? '') : printedPorts.sort(compareText).join('\n');
}

/** Sorts ports in the order in which they are written: by the hashes of their printed Go structures. */
export function sortSlicePorts(ports: readonly SlicePort[], profile: Profile): SlicePort[] {
  if (ports.length < 2) return [...ports];
  const hashedPorts = ports.map((port) => {
    const digest = profile.orderedByFNV ? createFNV128a() : createMD5();
    digest.addText(`(${profile.slicesAreV1 ? 'v1' : 'v1beta1'}.EndpointPort)${printPort(port)}`);
    return { port, hash: digest.hex() };
  });
  return hashedPorts.sort((a, b) => compareText(a.hash, b.hash)).map(({ port }) => port);
}

/** Prints a port as Go prints its discovery/v1 structure. */
const printPort = ({ name, protocol, port, appProtocol }: SlicePortInput): string =>
  `{Name:(*string)${printPointer(name)} Protocol:(*v1.Protocol)${printPointer(protocol)} Port:(*int32)${printPointer(port)} AppProtocol:(*string)${printPointer(appProtocol)}}`;

const printPointer = (value: Optional<string | number>): string => (value === undefined || value === null ? '<nil>' : String(value));

/** A set of ports that pods resolve to, with its `slicePortsKey`. */
export interface PortGroup {
  readonly key: string;
  readonly ports: readonly SlicePort[];
}

/**
 * Creates a function that resolves a Service's ports for a pod. If no target port is a name, all pods share one group; otherwise
 * there is one cached group per distinct result. Ports that a pod does not have are left out.
 *
 * Mirrors getEndpointPorts (1.36, staging/src/k8s.io/endpointslice/utils.go).
 */
export function createPortResolver(service: Service, profile: Profile): (pod: Pod) => PortGroup {
  const servicePorts = service.spec?.ports ?? [];
  const groups = new Map<string, PortGroup>();
  const resolve = (pod: Pod): PortGroup => {
    const numbers = servicePorts.map((port) => findPort(pod, port, profile.sliceSidecarPortsFound));
    const numbersKey = numbers.join();
    let group = groups.get(numbersKey);
    if (!group) {
      group = createPortGroup(servicePorts, numbers, profile);
      groups.set(numbersKey, group);
    }
    return group;
  };
  if (servicePorts.some(({ targetPort }) => typeof targetPort === 'string')) return resolve;
  const sharedGroup = resolve({});
  return () => sharedGroup;
}

function createPortGroup(servicePorts: readonly ServicePort[], numbers: readonly (number | undefined)[], profile: Profile): PortGroup {
  const slicePorts: SlicePort[] = [];
  for (const [i, number] of numbers.entries()) {
    if (number !== undefined) slicePorts.push(toSlicePort(servicePorts[i] as ServicePort, number, profile));
  }
  const ports = sortSlicePorts(slicePorts, profile);
  return { key: slicePortsKey(ports, profile), ports };
}

/** Converts a port. Name and protocol are always set, even if empty, because they are pointers in Go. */
const toSlicePort = ({ name, protocol, appProtocol }: ServicePort, port: number, { sliceAppProtocolCopied }: Profile): SlicePort => ({
  name: name ?? '',
  port,
  protocol: protocol ?? '',
  ...(sliceAppProtocolCopied && typeof appProtocol === 'string' && { appProtocol }),
});
