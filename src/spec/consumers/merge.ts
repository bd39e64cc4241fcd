import { compareText } from '../../apimachinery/compare.ts';
import type { EndpointSliceInput } from '../../types/index.ts';
import { sortByRank } from '../order/addresses.ts';
import {
  type CollectedService,
  collectSlices,
  type EndpointGroup,
  type GroupMember,
  type MergeProblem,
  messageOf,
  problemMessages,
} from './merge-collect.ts';
import type { MergedEndpoint, SliceAddressType } from './merge-endpoint.ts';

/** The unique endpoints of one port of a Service, for one address type. */
export interface MergedPort {
  /** The name of the Service's port; "" for an unnamed port. */
  name: string;
  protocol: string;
  appProtocol?: string;
  addressType: SliceAddressType;
  /** Sorted by address and port number. The pods of one named port may have different numbers. */
  endpoints: MergedEndpoint[];
}

/** The unique endpoints of slices without ports, for one address type. */
export interface MergedPortless {
  addressType: SliceAddressType;
  endpoints: MergedEndpoint[];
}

/** All endpoints of one Service, merged from its slices. */
export interface MergedService {
  namespace: string;
  service: string;
  ports: MergedPort[];
  /** Endpoints without ports: of headless Services without ports, and pods with none of the Service's ports. They get no traffic. */
  portless: MergedPortless[];
  /** The names of all slices of the Service. */
  slices: string[];
}

export interface MergedSlices {
  services: MergedService[];
  /** Problems of slices and everything that was left out; nothing is dropped without an entry here. */
  problems: MergeProblem[];
}

/**
 * Merges slices, of one Service or of many, into one list of unique endpoints per Service, port and address type.
 * The order of the slices and duplicates among them do not matter; the result is sorted.
 *
 * 1. Every slice whose label names a Service counts for it, whichever client wrote it, even if it is being deleted.
 * 2. A port is identified by name and protocol, an endpoint by address and port number.
 * 3. `choosePreferred` chooses between several entries of one endpoint; the names of all slices that list it are kept.
 */
export function mergeSlices(slices: readonly EndpointSliceInput[]): MergedSlices {
  const { services, problems } = collectSlices(slices, { byTarget: false });
  const mergedServices = services.map((service) => mergeService(service, problems));
  return {
    services: mergedServices.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.service, b.service)),
    problems: sortProblems(problems),
  };
}

/** Sorts the members of a group by address, port number and target, and the slice names of each member. */
export function sortMembers({ members }: EndpointGroup): GroupMember[] {
  const sorted = sortByRank([...members.values()], compareMembers);
  for (const { endpoint } of sorted) {
    if (endpoint.slices.length > 1) endpoint.slices = [...new Set(endpoint.slices)].sort(compareText);
  }
  return sorted;
}

/** Sorts by Service, slice and field, and removes duplicates. */
export function sortProblems(problems: readonly MergeProblem[]): MergeProblem[] {
  const problemsByText = new Map(problems.map((problem) => [JSON.stringify(Object.values(problem)), problem]));
  return [...problemsByText.values()].sort(
    (a, b) =>
      compareText(a.namespace, b.namespace) ||
      compareText(a.service ?? '', b.service ?? '') ||
      compareText(a.slice, b.slice) ||
      a.path.localeCompare(b.path, 'en', { numeric: true }) ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
}

function mergeService(service: CollectedService, problems: MergeProblem[]): MergedService {
  const groups = [...service.groups.values()].sort(compareGroups);
  const ports: MergedPort[] = [];
  const portless: MergedPortless[] = [];
  for (const group of groups) {
    const { addressType, port } = group;
    const endpoints = sortMembers(group).map(({ endpoint }) => endpoint);
    reportDisagreement(service, group, problems);
    const [appProtocol] = protocolsOf(group);
    if (port) ports.push({ ...port, ...(appProtocol !== undefined && { appProtocol }), addressType, endpoints });
    else if (endpoints.length > 0) portless.push({ addressType, endpoints });
  }
  return { namespace: service.namespace, service: service.service, ports, portless, slices: [...service.slices].sort(compareText) };
}

/** A problem that involves several slices is reported for the first of them. */
function reportDisagreement({ namespace, service, slices }: CollectedService, group: EndpointGroup, problems: MergeProblem[]): void {
  const location = { namespace, service };
  const protocols = protocolsOf(group);
  if (protocols.length > 1) {
    const value = protocols.join(', ');
    const message = messageOf(problemMessages.AppProtocolsDiffer, { value, port: group.port?.name ?? '' });
    problems.push({ code: 'AppProtocolsDiffer', message, ...location, slice: [...slices].sort(compareText)[0] ?? '', path: 'ports' });
  }
  for (const { endpoint, hasConflict } of group.members.values()) {
    if (!hasConflict) continue;
    const message = messageOf(problemMessages.EndpointsConflict, { value: printAddress(endpoint) });
    problems.push({ code: 'EndpointsConflict', message, ...location, slice: endpoint.slices[0] ?? '', path: 'endpoints' });
  }
}

const protocolsOf = ({ appProtocols }: EndpointGroup): string[] =>
  [...new Set([...appProtocols.values()].flatMap((set) => [...set]))].sort(compareText);

/** Prints the address and port as in a URL. */
function printAddress({ address, port }: Pick<MergedEndpoint, 'address' | 'port'>): string {
  if (port === undefined) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

const compareGroups = (a: EndpointGroup, b: EndpointGroup): number =>
  compareText(a.port?.name ?? '', b.port?.name ?? '') ||
  compareText(a.port?.protocol ?? '', b.port?.protocol ?? '') ||
  typeOrder.indexOf(a.addressType) - typeOrder.indexOf(b.addressType) ||
  compareText(a.origin, b.origin);

const typeOrder: readonly SliceAddressType[] = ['IPv4', 'IPv6', 'FQDN'];

const compareMembers = ({ endpoint: a }: GroupMember, { endpoint: b }: GroupMember): number =>
  compareText(a.address, b.address) || (a.port ?? 0) - (b.port ?? 0) || compareText(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');
