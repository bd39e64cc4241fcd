import { objectKey } from '../../apimachinery/index.ts';
import type { EndpointSliceInput } from '../../types/index.ts';
import type { TraceService } from '../objects.ts';
import { createItem, createNote, enumerate } from '../reasons.ts';
import type { Protocol, Target } from '../target.ts';
import type { TraceItem, TraceNote } from '../trace.ts';

/** A port of a Service, with the API server's defaults. */
export interface Port {
  readonly name: string;
  readonly number: number;
  readonly protocol: Protocol;
  readonly targetPort: number | string;
  /** 0 if the port has no node port. */
  readonly nodePort: number;
}

/** The port of the traffic, or the problem that prevents choosing one. */
export interface ChosenPort {
  readonly port?: Port;
  readonly notes: readonly TraceNote[];
  readonly problem?: TraceNote;
}

export const portsOf = ({ spec }: TraceService): Port[] =>
  (spec?.ports ?? []).map(({ name, port, protocol, targetPort, nodePort }) => ({
    name: name ?? '',
    number: port ?? 0,
    protocol: (protocol || 'TCP') as Protocol,
    targetPort: targetPort || (port ?? 0),
    nodePort: nodePort ?? 0,
  }));

/** Context for matching a port by number, and for naming the port that pods listen on. */
export interface PortContext {
  readonly role: AddressRole;
  readonly slices: readonly EndpointSliceInput[];
}

/**
 * Chooses the port with the name or number in the target, or the first port if the target has none. Returns a problem if no port matches.
 */
export function choosePort(target: Target, service: TraceService, { role, slices }: PortContext): ChosenPort {
  const allPorts = portsOf(service);
  const ports = target.protocol ? allPorts.filter(({ protocol }) => protocol === target.protocol) : allPorts;
  const [firstPort, ...others] = ports;
  const { port: requested } = target;
  if (allPorts.length === 0)
    return { notes: [], problem: createNote('ServiceHasNoPort', { service: objectKey(service) }, 'service.spec.ports') };
  if (requested === undefined && firstPort) {
    const values = { port: describePort(firstPort), count: ports.length };
    return { port: firstPort, notes: [createNote(others.length > 0 ? 'FirstPort' : 'OnlyPort', values, 'service.spec.ports')] };
  }
  const port = requested === undefined ? undefined : findMatchingPort(ports, requested, role);
  if (!port) return { notes: [], problem: explainMissingPort(target, service, allPorts, slices) };
  const values = { port: port.name, number: port.number, protocol: port.protocol, target: port.targetPort };
  return { port, notes: [createNote(isNumber(requested ?? '') ? 'PortOfNumber' : 'PortOfName', values, 'service.spec.ports')] };
}

/** The requested port. */
export interface RequestedPort {
  readonly port?: string | undefined;
  readonly protocol?: Protocol | undefined;
}

/** Finds the Service's port that the request refers to, or its first port if none is requested; undefined if no port matches. */
export function findPort({ port, protocol }: RequestedPort, service: TraceService, role: AddressRole): Port | undefined {
  const ports = portsOf(service).filter((each) => protocol === undefined || each.protocol === protocol);
  return port === undefined ? ports[0] : findMatchingPort(ports, port, role);
}

/** Finds a port by name or number. Prefers TCP if several protocols have the port. */
function findMatchingPort(ports: readonly Port[], requested: string, role: AddressRole): Port | undefined {
  const isRequested = ({ name, number, nodePort }: Port): boolean =>
    isNumber(requested) ? String(role === 'nodePort' ? nodePort : number) === requested : name === requested;
  const matches = ports.filter(isRequested);
  return matches.find(({ protocol }) => protocol === 'TCP') ?? matches[0];
}

function explainMissingPort(
  { host, port, protocol }: Target,
  service: TraceService,
  ports: readonly Port[],
  slices: readonly EndpointSliceInput[],
): TraceNote {
  const targetPorts = slices.flatMap((slice) => slice.ports ?? []).filter((each) => String(each.port) === port);
  const listeningPort = ports.find(
    ({ name, targetPort }) => String(targetPort) === port || targetPorts.some((each) => (each.name ?? '') === name),
  );
  const suggestedPort = listeningPort ?? ports[0];
  const name = `${host.includes(':') ? `[${host}]` : host}:${suggestedPort?.number}`;
  const requestedText = [port, protocol].filter(Boolean).join('/');
  const values = { service: objectKey(service), port: requestedText, ports: enumerate(ports.map(describePort)), name };
  return createNote(listeningPort ? 'ServicePortIsTargetPort' : 'ServicePortNotFound', values, 'service.spec.ports');
}

/** "http 80/TCP" */
export const describePort = ({ name, number, protocol }: Port): string => [name, `${number}/${protocol}`].filter(Boolean).join(' ');

export const createPortItem = (service: TraceService, port: Port, notes: readonly TraceNote[] = []): TraceItem =>
  createItem(idOfPort(service, port), describePort(port), notes);

export const idOfPort = (service: TraceService, { name, number, protocol }: Port): string =>
  `port/${objectKey(service)}:${name || number}/${protocol}`;

export const isNumber = (port: string): boolean => /^\d+$/.test(port);

/** The kind of a Service's address. */
export type AddressRole = 'cluster' | 'external' | 'loadBalancer' | 'nodePort';

/** For the sentence "ADDRESS is ROLE of Service shop/web". */
export const roleTexts: Readonly<Record<AddressRole, string>> = {
  cluster: 'the cluster IP',
  external: 'an external IP',
  loadBalancer: 'the load balancer address',
  nodePort: 'a node address, and the port is a node port',
};
