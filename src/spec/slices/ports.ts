import { compareText } from '../../apimachinery/compare.ts';
import type { Optional, SlicePort, SlicePortInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { createFNV128a } from '../hash/fnv128a.ts';
import { createMD5 } from '../hash/md5.ts';

/**
 * What two lists of ports have in common exactly if they are the same ports, in whatever order: slices are grouped by it.
 * Absent fields differ from empty ones, as pointers do.
 *
 * Mirrors NewPortMapKey (1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go).
 */
export function slicePortsKey(ports: Optional<readonly SlicePortInput[]>, profile: Profile): string {
  if (!ports && !profile.slicePortsNilAsEmpty) return '<nil>';
  const printed = (ports ?? []).map(printPort);
  return printed.length < 2 ? (printed[0] ?? '') : printed.sort(compareText).join('\n');
}

/** Ports in the order in which they are written: that of the hashes of their printed Go structures. */
export function sortSlicePorts(ports: readonly SlicePort[], profile: Profile): SlicePort[] {
  if (ports.length < 2) return [...ports];
  const hashed = ports.map((port) => {
    const digest = profile.orderedByFNV ? createFNV128a() : createMD5();
    digest.text(`(v1.EndpointPort)${printPort(port)}`);
    return { port, hash: digest.hex() };
  });
  return hashed.sort((a, b) => compareText(a.hash, b.hash)).map(({ port }) => port);
}

/** A port as Go prints its structure in discovery/v1. */
const printPort = ({ name, protocol, port, appProtocol }: SlicePortInput): string =>
  `{Name:(*string)${pointer(name)} Protocol:(*v1.Protocol)${pointer(protocol)} Port:(*int32)${pointer(port)} AppProtocol:(*string)${pointer(appProtocol)}}`;

const pointer = (value: Optional<string | number>): string => (value === undefined || value === null ? '<nil>' : String(value));
