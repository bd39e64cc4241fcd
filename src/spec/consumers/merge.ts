import { compareText } from '../../apimachinery/compare.ts';
import type { EndpointSliceInput } from '../../types/index.ts';
import { sortByRank } from '../order/addresses.ts';
import { type Collected, collectSlices, type Group, type Member, type MergeProblem, messageOf, problemMessages } from './merge-collect.ts';
import type { MergedEndpoint, SliceAddressType } from './merge-endpoint.ts';

/** The unique endpoints behind one port of a Service, for one address type. */
export interface MergedPort {
  /** The name of the Service's port, "" for one that has none. */
  name: string;
  protocol: string;
  appProtocol?: string;
  addressType: SliceAddressType;
  /** By address and port number: pods behind one named port may well offer it under different numbers. */
  endpoints: MergedEndpoint[];
}

/** The unique endpoints that slices without any port list, for one address type. */
export interface MergedPortless {
  addressType: SliceAddressType;
  endpoints: MergedEndpoint[];
}

/** Everything that slices say of one Service. */
export interface MergedService {
  namespace: string;
  service: string;
  ports: MergedPort[];
  /** Headless Services without ports, and pods that have none of the ports that the Service names. No traffic goes there. */
  portless: MergedPortless[];
  /** The names of all its slices. */
  slices: string[];
}

export interface MergedSlices {
  services: MergedService[];
  /** What was wrong with slices, or left out; nothing gets lost that is not told here. */
  problems: MergeProblem[];
}

/**
 * Joins slices, of one Service or of many, into one list of unique endpoints for each Service, port and address type.
 * Neither the order of the slices nor one that is handed in twice makes a difference; everything comes out sorted.
 *
 * 1. Every slice that names a Service in its label counts for it, whoever wrote it, one that is being deleted included.
 * 2. A port is known by name and protocol. An endpoint is known by address and port number.
 * 3. Of several that are one endpoint, `preferred` chooses; the names of all slices that list it are kept.
 */
export function mergeSlices(slices: readonly EndpointSliceInput[]): MergedSlices {
  const { services, problems } = collectSlices(slices, { byTarget: false });
  const merged = services.map((service) => serviceOf(service, problems));
  return {
    services: merged.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.service, b.service)),
    problems: sortProblems(problems),
  };
}

/** The members of a group by address, port number and target. */
export function sortedMembers({ members }: Group): Member[] {
  const sorted = sortByRank([...members.values()], compareMembers);
  for (const { endpoint } of sorted) {
    if (endpoint.slices.length > 1) endpoint.slices = [...new Set(endpoint.slices)].sort(compareText);
  }
  return sorted;
}

/** In the order of Service, slice and field, each once. */
export function sortProblems(problems: readonly MergeProblem[]): MergeProblem[] {
  const keyed = new Map(problems.map((problem) => [JSON.stringify(Object.values(problem)), problem]));
  return [...keyed.values()].sort(
    (a, b) =>
      compareText(a.namespace, b.namespace) ||
      compareText(a.service ?? '', b.service ?? '') ||
      compareText(a.slice, b.slice) ||
      a.path.localeCompare(b.path, 'en', { numeric: true }) ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
}

function serviceOf(service: Collected, problems: MergeProblem[]): MergedService {
  const groups = [...service.groups.values()].sort(compareGroups);
  const ports: MergedPort[] = [];
  const portless: MergedPortless[] = [];
  for (const group of groups) {
    const { addressType, port } = group;
    const endpoints = sortedMembers(group).map(({ endpoint }) => endpoint);
    reportDisagreement(service, group, problems);
    const [appProtocol] = protocolsOf(group);
    if (port) ports.push({ ...port, ...(appProtocol !== undefined && { appProtocol }), addressType, endpoints });
    else if (endpoints.length > 0) portless.push({ addressType, endpoints });
  }
  return { namespace: service.namespace, service: service.service, ports, portless, slices: [...service.slices].sort(compareText) };
}

/** A problem that no slice has alone is told of the first of those that have it together. */
function reportDisagreement({ namespace, service, slices }: Collected, group: Group, problems: MergeProblem[]): void {
  const place = { namespace, service };
  const protocols = protocolsOf(group);
  if (protocols.length > 1) {
    const value = protocols.join(', ');
    const message = messageOf(problemMessages.AppProtocolsDiffer, { value, port: group.port?.name ?? '' });
    problems.push({ code: 'AppProtocolsDiffer', message, ...place, slice: [...slices].sort(compareText)[0] ?? '', path: 'ports' });
  }
  for (const { endpoint, conflict } of group.members.values()) {
    if (!conflict) continue;
    const message = messageOf(problemMessages.EndpointsConflict, { value: printed(endpoint) });
    problems.push({ code: 'EndpointsConflict', message, ...place, slice: endpoint.slices[0] ?? '', path: 'endpoints' });
  }
}

const protocolsOf = ({ appProtocols }: Group): string[] =>
  [...new Set([...appProtocols.values()].flatMap((set) => [...set]))].sort(compareText);

/** As in a URL. */
function printed({ address, port }: Pick<MergedEndpoint, 'address' | 'port'>): string {
  if (port === undefined) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

const compareGroups = (a: Group, b: Group): number =>
  compareText(a.port?.name ?? '', b.port?.name ?? '') ||
  compareText(a.port?.protocol ?? '', b.port?.protocol ?? '') ||
  typeOrder.indexOf(a.addressType) - typeOrder.indexOf(b.addressType) ||
  compareText(a.origin, b.origin);

const typeOrder: readonly SliceAddressType[] = ['IPv4', 'IPv6', 'FQDN'];

const compareMembers = ({ endpoint: a }: Member, { endpoint: b }: Member): number =>
  compareText(a.address, b.address) || (a.port ?? 0) - (b.port ?? 0) || compareText(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');
