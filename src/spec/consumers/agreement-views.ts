import type { EndpointAddress, EndpointsInput, Service, TargetRef } from '../../types/index.ts';
import { profileFor } from '../../versions/index.ts';
import type { Tally } from './agreement-codes.ts';
import { isDraining, isUnresolved } from './convert.ts';
import { canonicalSubsets } from './convert-endpoints.ts';
import { sortedMembers } from './merge.ts';
import type { CollectedService } from './merge-collect.ts';
import { choosePreferred, type MergedEndpoint } from './merge-endpoint.ts';

/** What one side states about an address, in a form common to both sides. */
export type Claim = Pick<MergedEndpoint, 'ready' | 'terminating' | 'nodeName' | 'hostname'> & {
  readonly targetRef?: TargetRef;
  readonly slices: readonly string[];
};

/** The claims of a port, by the UID of their targets. */
export type Claims = Map<string, Claim>;

/** One side: the claims by address, then port (as text), and the application protocols by port. */
export interface View {
  readonly addresses: Map<string, Map<string, Claims>>;
  readonly appProtocols: Map<string, Set<string>>;
}

/** The text that stands for an empty list of ports. */
const noPorts = 'no ports';

/** The view of Endpoints in canonical form: a target that is listed as both ready and not ready is not ready. */
export function viewOfEndpoints(endpoints: EndpointsInput): View {
  const view = emptyView();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of canonicalSubsets(endpoints, profileFor())) {
    const texts = ports.map(({ name, port, protocol }) => textOfPort(name, port, protocol));
    for (const [i, { appProtocol }] of ports.entries()) addProtocols(view, texts[i] as string, appProtocol ? [appProtocol] : []);
    for (const text of texts.length > 0 ? texts : [noPorts]) {
      for (const address of addresses) addClaim(view, text, address, true);
      for (const address of notReadyAddresses) addClaim(view, text, address, false);
    }
  }
  return view;
}

function addClaim(view: View, port: string, { ip, ...rest }: EndpointAddress, ready: boolean): void {
  claimsAt(view, ip, port).set(rest.targetRef?.uid ?? '', { ...rest, ready, terminating: false, slices: [] });
}

/** The context that decides which part of the slices counts. */
export interface ViewContext {
  readonly families: ReadonlySet<string>;
  readonly service: Service | undefined;
  /** The view of the Endpoints. Addresses that it lists always count. */
  readonly other: View;
  readonly tally: Tally;
}

/** The view of the slices, limited to what Endpoints can list. The rest is tallied as disregarded, unless `other` lists it. */
export function viewOfSlices(collected: CollectedService, { families, service, other, tally }: ViewContext): View {
  const view = emptyView();
  for (const group of collected.groups.values()) {
    const { addressType, port } = group;
    for (const { endpoint } of sortedMembers(group)) {
      const { address } = endpoint;
      const text = port ? textOfPort(port.name, endpoint.port, port.protocol) : noPorts;
      const isListed = other.addresses.get(address)?.has(text);
      if (addressType === 'FQDN') tally.add('NameAddress', address);
      else if (!families.has(addressType)) tally.add('OtherFamily', address);
      else if (isDraining(endpoint) && !isListed) tally.add('Terminating', `${address} ${endpoint.targetRef?.uid}`);
      else if (isUnresolved(group, collected, service) && !isListed) tally.add('Unresolved', address);
      else if (port && endpoint.port === undefined) tally.add('PortWithoutNumber', address);
      else {
        addProtocols(view, text, group.appProtocols.get(endpoint.port));
        claimsAt(view, address, text).set(endpoint.targetRef?.uid ?? '', endpoint);
      }
    }
  }
  return view;
}

/** The claim that represents an address as a whole. */
export function bestOf(claims: Iterable<Claim>): Claim {
  const [first, ...others] = [...claims].map((claim) => ({ ...claim, address: '', serving: claim.ready, slices: [...claim.slices] }));
  return others.reduce(choosePreferred, first as MergedEndpoint);
}

const emptyView = (): View => ({ addresses: new Map(), appProtocols: new Map() });

function claimsAt({ addresses }: View, address: string, port: string): Claims {
  const ports = addresses.get(address) ?? new Map<string, Claims>();
  const claims = ports.get(port) ?? new Map();
  addresses.set(address, ports.set(port, claims));
  return claims;
}

const textOfPort = (name: string | undefined, port: number | undefined, protocol: string | undefined): string =>
  `${name ? `${name}:` : ''}${port ?? 'any'}/${protocol || 'TCP'}`;

function addProtocols({ appProtocols }: View, port: string, found: Iterable<string> = []): void {
  const known = appProtocols.get(port) ?? new Set();
  for (const appProtocol of found) known.add(appProtocol);
  appProtocols.set(port, known);
}
