import type { PortGroup } from '../../incremental/slices/group.ts';
import type { Pod, Service, ServicePort, SlicePort } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { findPort } from '../port.ts';
import { slicePortsKey, sortSlicePorts } from './ports.ts';

/**
 * Tells which ports a pod resolves a Service's ports to. Where no target port is a name all pods resolve to the same; where
 * one is, to a few, and each is made once. A port that a pod does not have is left out.
 *
 * Mirrors getEndpointPorts (1.36, staging/src/k8s.io/endpointslice/utils.go).
 */
export function createPortResolver(service: Service, profile: Profile): (pod: Pod) => PortGroup {
  const servicePorts = service.spec?.ports ?? [];
  const known = new Map<string, PortGroup>();
  const resolve = (pod: Pod): PortGroup => {
    const numbers = servicePorts.map((port) => findPort(pod, port, profile.sliceSidecarPortsFound));
    const id = numbers.join();
    let group = known.get(id);
    if (!group) {
      group = groupOf(servicePorts, numbers, profile);
      known.set(id, group);
    }
    return group;
  };
  if (servicePorts.some(({ targetPort }) => typeof targetPort === 'string')) return resolve;
  const shared = resolve({});
  return () => shared;
}

function groupOf(servicePorts: readonly ServicePort[], numbers: readonly (number | undefined)[], profile: Profile): PortGroup {
  const found: SlicePort[] = [];
  for (const [i, number] of numbers.entries()) {
    if (number !== undefined) found.push(slicePortOf(servicePorts[i] as ServicePort, number));
  }
  const ports = sortSlicePorts(found, profile);
  return { key: slicePortsKey(ports, profile), ports };
}

/** Name and protocol are there even where they are empty, since they are pointers. */
const slicePortOf = ({ name, protocol, appProtocol }: ServicePort, port: number): SlicePort => ({
  name: name ?? '',
  port,
  protocol: protocol ?? '',
  ...(typeof appProtocol === 'string' && { appProtocol }),
});
