import type { EndpointAddress, EndpointsInput, Service, TargetRef } from '../../types/index.ts';
import { profileFor } from '../../versions/index.ts';
import type { Tally } from './agreement-codes.ts';
import { isTerminatingNotReady, isUnresolved } from './convert.ts';
import { canonicalSubsets } from './convert-endpoints.ts';
import { sortMembers } from './merge.ts';
import type { CollectedService } from './merge-collect.ts';
import { choosePreferred, type MergedEndpoint } from './merge-endpoint.ts';

/** An address as Endpoints or slices list it, in a form common to both. */
export type AddressEntry = Pick<MergedEndpoint, 'ready' | 'terminating' | 'nodeName' | 'hostname'> & {
  readonly targetRef?: TargetRef;
  readonly slices: readonly string[];
};

/** The entries of an address for one port, by the UID of the target. */
export type EntriesByTarget = Map<string, AddressEntry>;

/** The content of Endpoints or of slices, for comparison. */
export interface View {
  /** Entries by address, then by port as text. */
  readonly addresses: Map<string, Map<string, EntriesByTarget>>;
  /** Application protocols by port as text. */
  readonly appProtocols: Map<string, Set<string>>;
}

/** The text that represents an empty list of ports. */
const noPortsText = 'no ports';

/** Creates the view of Endpoints in canonical form: a target that is listed as both ready and not ready is not ready. */
export function createEndpointsView(endpoints: EndpointsInput): View {
  const view = createEmptyView();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of canonicalSubsets(endpoints, profileFor())) {
    const portTexts = ports.map(({ name, port, protocol }) => textOfPort(name, port, protocol));
    for (const [i, { appProtocol }] of ports.entries()) addAppProtocols(view, portTexts[i] as string, appProtocol ? [appProtocol] : []);
    for (const text of portTexts.length > 0 ? portTexts : [noPortsText]) {
      for (const address of addresses) addEntry(view, text, address, true);
      for (const address of notReadyAddresses) addEntry(view, text, address, false);
    }
  }
  return view;
}

function addEntry(view: View, port: string, { ip, ...rest }: EndpointAddress, ready: boolean): void {
  ensureEntries(view, ip, port).set(rest.targetRef?.uid ?? '', { ...rest, ready, terminating: false, slices: [] });
}

/** Determines which endpoints of the slices are compared. */
export interface ViewContext {
  /** The address types of the addresses in Endpoints; if Endpoints are empty, that of the primary family. */
  readonly addressTypes: ReadonlySet<string>;
  readonly service: Service | undefined;
  /** The view of the Endpoints. Terminating and unresolved endpoints are compared only if this view has their address and port. */
  readonly endpointsView: View;
  /** Counts the endpoints that are not compared, by reason. */
  readonly tally: Tally;
}

/** Creates the view of the slices, limited to endpoints that Endpoints can list. Counts all other endpoints in `tally`. */
export function createSlicesView(collected: CollectedService, { addressTypes, service, endpointsView, tally }: ViewContext): View {
  const view = createEmptyView();
  for (const group of collected.groups.values()) {
    const { addressType, port } = group;
    for (const { endpoint } of sortMembers(group)) {
      const { address } = endpoint;
      const text = port ? textOfPort(port.name, endpoint.port, port.protocol) : noPortsText;
      const isListed = endpointsView.addresses.get(address)?.has(text);
      if (addressType === 'FQDN') tally.add('NameAddress', address);
      else if (!addressTypes.has(addressType)) tally.add('OtherFamily', address);
      else if (isTerminatingNotReady(endpoint) && !isListed) tally.add('Terminating', `${address} ${endpoint.targetRef?.uid}`);
      else if (isUnresolved(group, collected, service) && !isListed) tally.add('Unresolved', address);
      else if (port && endpoint.port === undefined) tally.add('PortWithoutNumber', address);
      else {
        addAppProtocols(view, text, group.appProtocols.get(endpoint.port));
        ensureEntries(view, address, text).set(endpoint.targetRef?.uid ?? '', endpoint);
      }
    }
  }
  return view;
}

/** Chooses the entry that represents an address as a whole, by `choosePreferred`. */
export function chooseBestEntry(entries: Iterable<AddressEntry>): AddressEntry {
  const [first, ...others] = [...entries].map((entry) => ({ ...entry, address: '', serving: entry.ready, slices: [...entry.slices] }));
  return others.reduce(choosePreferred, first as MergedEndpoint);
}

const createEmptyView = (): View => ({ addresses: new Map(), appProtocols: new Map() });

function ensureEntries({ addresses }: View, address: string, port: string): EntriesByTarget {
  const ports = addresses.get(address) ?? new Map<string, EntriesByTarget>();
  const entries = ports.get(port) ?? new Map();
  addresses.set(address, ports.set(port, entries));
  return entries;
}

const textOfPort = (name: string | undefined, port: number | undefined, protocol: string | undefined): string =>
  `${name ? `${name}:` : ''}${port ?? 'any'}/${protocol || 'TCP'}`;

function addAppProtocols({ appProtocols }: View, port: string, addedProtocols: Iterable<string> = []): void {
  const protocols = appProtocols.get(port) ?? new Set();
  for (const appProtocol of addedProtocols) protocols.add(appProtocol);
  appProtocols.set(port, protocols);
}
