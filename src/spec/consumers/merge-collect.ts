import type { EndpointSliceInput, SlicePortInput } from '../../types/index.ts';
import { headlessLabel } from '../metadata.ts';
import { managedByLabel, mirroringController, serviceNameLabel, sliceController } from '../slices/metadata.ts';
import {
  addressOfType,
  choosePreferred,
  createMergedEndpoint,
  haveSameState,
  type MergedEndpoint,
  rankOfAddress,
  type SliceAddressType,
} from './merge-endpoint.ts';

export type MergeProblemCode = keyof typeof problemMessages;

/** A problem of a slice, or something that was left out of the result. */
export interface MergeProblem {
  readonly code: MergeProblemCode;
  readonly message: string;
  readonly namespace: string;
  /** Absent if the slice names no Service. */
  readonly service?: string;
  /** The name of the slice, or its generateName if it has no name yet. */
  readonly slice: string;
  /** The affected field, such as "endpoints[3].addresses". */
  readonly path: string;
}

/** Messages for every problem. Values are in braces. */
export const problemMessages = {
  NoServiceLabel: 'the label kubernetes.io/service-name is missing or empty, so the slice belongs to no Service; it is skipped',
  UnknownAddressType: 'the address type "{value}" is not IPv4, IPv6 or FQDN; the slice is skipped',
  NoAddress: 'the endpoint has no address; it is skipped',
  BadAddress: '"{value}" is not a valid {type} address; the endpoint is skipped',
  FurtherAddresses: 'the endpoint has {value} addresses; only the first is used',
  BadPort: 'the port number {value} is not from 1 to 65535; the port is skipped',
  AppProtocolsDiffer: 'slices have different application protocols for the port "{port}": {value}; the first is used',
  EndpointsConflict:
    '{value} is listed with different conditions or targets; an entry that is not terminating takes precedence, then a ready one',
} as const;

/** The writer of a slice without ports, which decides what the missing ports mean: see `isUnresolved`. */
export type Origin = 'controller' | 'controller of a headless Service' | 'other';

export interface GroupMember {
  /** The sort key of the endpoint's address. */
  readonly rank: number;
  endpoint: MergedEndpoint;
  /** Whether slices disagree about this endpoint. */
  hasConflict: boolean;
}

/** The entries of slices for one named port of a Service and one address type. */
export interface EndpointGroup {
  readonly addressType: SliceAddressType;
  /** Undefined for slices without ports. */
  readonly port: { readonly name: string; readonly protocol: string } | undefined;
  readonly origin: Origin;
  /** Application protocols by port number, because slices of one port may have different numbers while a controller rewrites them. */
  readonly appProtocols: Map<number | undefined, Set<string>>;
  readonly members: Map<string, GroupMember>;
}

export interface CollectedService {
  readonly namespace: string;
  readonly service: string;
  readonly slices: Set<string>;
  readonly addressTypes: Set<SliceAddressType>;
  readonly groups: Map<string, EndpointGroup>;
  headless: boolean;
  mirrored: boolean;
  /** Whether any slice of the controller has ports. */
  hasControllerPorts: boolean;
}

export interface CollectOptions {
  /** Whether two targets at one address are two endpoints, as in Endpoints, and whether slices without ports are grouped by origin. */
  readonly byTarget: boolean;
}

export interface CollectedSlices {
  readonly services: CollectedService[];
  readonly problems: MergeProblem[];
}

/** Groups slices by Service, port and endpoint in one pass. The order of the slices does not matter. */
export function collectSlices(slices: readonly EndpointSliceInput[], options: CollectOptions): CollectedSlices {
  const services = new Map<string, CollectedService>();
  const problems: MergeProblem[] = [];
  for (const slice of slices) {
    const namespace = slice.metadata?.namespace ?? '';
    const service = slice.metadata?.labels?.[serviceNameLabel];
    const report = createReporter(slice, namespace, service, problems);
    if (!service) {
      report('NoServiceLabel', 'metadata.labels');
      continue;
    }
    const key = `${namespace}\0${service}`;
    const collected = services.get(key) ?? createCollectedService(namespace, service);
    services.set(key, collected);
    collected.slices.add(nameOf(slice));
    addSlice(collected, slice, report, options);
  }
  return { services: [...services.values()], problems };
}

/** The name of a slice, or its generateName if it is not written yet. */
export const nameOf = ({ metadata }: EndpointSliceInput): string =>
  metadata?.name || ((metadata as { generateName?: string } | null | undefined)?.generateName ?? '');

/** Fills values into a message template. */
export const messageOf = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

type Report = (code: MergeProblemCode, path: string, values?: Readonly<Record<string, string>>) => void;

const createReporter =
  (slice: EndpointSliceInput, namespace: string, service: string | undefined, problems: MergeProblem[]): Report =>
  (code, path, values = {}) =>
    problems.push({
      code,
      message: messageOf(problemMessages[code], values),
      namespace,
      ...(service && { service }),
      slice: nameOf(slice),
      path,
    });

const createCollectedService = (namespace: string, service: string): CollectedService => ({
  namespace,
  service,
  slices: new Set(),
  addressTypes: new Set(),
  groups: new Map(),
  headless: false,
  mirrored: false,
  hasControllerPorts: false,
});

function addSlice(service: CollectedService, slice: EndpointSliceInput, report: Report, { byTarget }: CollectOptions): void {
  const type = slice.addressType ?? '';
  if (!isAddressType(type)) {
    report('UnknownAddressType', 'addressType', { value: type });
    return;
  }
  const { labels } = slice.metadata ?? {};
  const headless = Object.hasOwn(labels ?? {}, headlessLabel);
  const isFromController = labels?.[managedByLabel] === sliceController;
  const ports = parsePorts(slice, report);
  service.addressTypes.add(type);
  service.headless ||= headless;
  service.mirrored ||= labels?.[managedByLabel] === mirroringController;
  service.hasControllerPorts ||= isFromController && ports.length > 0;
  const endpoints = parseEndpoints(slice, type, report);
  const name = nameOf(slice);
  if (!slice.ports?.length) {
    const origin = !byTarget || !isFromController ? 'other' : headless ? 'controller of a headless Service' : 'controller';
    const group = ensureGroup(service, type, undefined, origin);
    for (const { input, address } of endpoints) addMember(group, createMergedEndpoint(input, address, undefined, name), byTarget);
  }
  for (const port of ports) {
    const group = ensureGroup(service, type, port, 'other');
    if (port.appProtocol) addProtocol(group, port.number, port.appProtocol);
    for (const { input, address } of endpoints) addMember(group, createMergedEndpoint(input, address, port.number, name), byTarget);
  }
}

const isAddressType = (type: string): type is SliceAddressType => type === 'IPv4' || type === 'IPv6' || type === 'FQDN';

interface ParsedPort {
  readonly name: string;
  readonly protocol: string;
  readonly number: number | undefined;
  readonly appProtocol: string | undefined;
}

/** Parses ports, with the API server's defaults. Reports and skips invalid numbers. */
function parsePorts({ ports }: EndpointSliceInput, report: Report): ParsedPort[] {
  const parsedPorts: ParsedPort[] = [];
  for (const [i, { name, port, protocol, appProtocol }] of (ports ?? []).entries()) {
    if (isPortNumber(port ?? undefined)) {
      parsedPorts.push({ name: name ?? '', protocol: protocol || 'TCP', number: port ?? undefined, appProtocol: appProtocol || undefined });
    } else report('BadPort', `ports[${i}].port`, { value: String(port) });
  }
  return parsedPorts;
}

const isPortNumber = (port: SlicePortInput['port']): boolean =>
  port === undefined || (Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65535);

/** Parses the endpoints whose first address is valid for the type; reports and skips the others. */
function parseEndpoints({ endpoints }: EndpointSliceInput, type: SliceAddressType, report: Report) {
  const parsedEndpoints = [];
  for (const [i, input] of (endpoints ?? []).entries()) {
    const path = `endpoints[${i}].addresses`;
    const [first, ...others] = input.addresses ?? [];
    if (first === undefined) {
      report('NoAddress', path);
      continue;
    }
    if (others.length > 0) report('FurtherAddresses', path, { value: String(others.length + 1) });
    const address = addressOfType(first, type);
    if (address === undefined) report('BadAddress', `${path}[0]`, { value: first, type });
    else parsedEndpoints.push({ input, address });
  }
  return parsedEndpoints;
}

function ensureGroup(
  service: CollectedService,
  addressType: SliceAddressType,
  port: ParsedPort | undefined,
  origin: Origin,
): EndpointGroup {
  const key = JSON.stringify([addressType, port?.name, port?.protocol, port ? '' : origin]);
  const existing = service.groups.get(key);
  if (existing) return existing;
  const group: EndpointGroup = {
    addressType,
    port: port && { name: port.name, protocol: port.protocol },
    origin,
    appProtocols: new Map(),
    members: new Map(),
  };
  service.groups.set(key, group);
  return group;
}

function addProtocol({ appProtocols }: EndpointGroup, port: number | undefined, appProtocol: string): void {
  const protocols = appProtocols.get(port) ?? new Set();
  appProtocols.set(port, protocols.add(appProtocol));
}

function addMember(group: EndpointGroup, endpoint: MergedEndpoint, byTarget: boolean): void {
  const key = `${endpoint.address} ${endpoint.port ?? ''} ${byTarget ? (endpoint.targetRef?.uid ?? '') : ''}`;
  const member = group.members.get(key);
  if (!member) {
    group.members.set(key, { rank: rankOfAddress(endpoint.address, group.addressType), endpoint, hasConflict: false });
    return;
  }
  if (!haveSameState(member.endpoint, endpoint)) member.hasConflict = true;
  const { slices } = member.endpoint;
  slices.push(...endpoint.slices);
  member.endpoint = choosePreferred(member.endpoint, endpoint);
  member.endpoint.slices = slices;
}
