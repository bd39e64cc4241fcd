import type { EndpointAddress, EndpointsInput, Service, TargetRef } from '../../types/index.ts';
import { profileFor } from '../../versions/index.ts';
import type { Tally } from './agreement-codes.ts';
import { isLeaving, isUnresolved } from './convert.ts';
import { canonicalSubsets } from './convert-endpoints.ts';
import { sortedMembers } from './merge.ts';
import type { Collected } from './merge-collect.ts';
import { type MergedEndpoint, preferred } from './merge-endpoint.ts';

/** What one side says of an address, in the form that both sides have in common. */
export type Claim = Pick<MergedEndpoint, 'ready' | 'terminating' | 'nodeName' | 'hostname'> & {
  readonly targetRef?: TargetRef;
  readonly slices: readonly string[];
};

/** The claims of a port by the UID of their targets. */
export type Claims = Map<string, Claim>;

/** One side: addresses, the ports of each in words, the claims of each port; and the application protocols of ports. */
export interface View {
  readonly addresses: Map<string, Map<string, Claims>>;
  readonly appProtocols: Map<string, Set<string>>;
}

/** How the ports of an address that has none read. */
const noPorts = 'no ports';

/** What Endpoints say, in canonical form: one target that is listed ready and not ready is not ready. */
export function viewOfEndpoints(endpoints: EndpointsInput): View {
  const view = emptyView();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of canonicalSubsets(endpoints, profileFor())) {
    const texts = ports.map(({ name, port, protocol }) => textOfPort(name, port, protocol));
    for (const [i, { appProtocol }] of ports.entries()) noteProtocols(view, texts[i] as string, appProtocol ? [appProtocol] : []);
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

/** What decides which part of the slices counts. */
export interface Surroundings {
  readonly families: ReadonlySet<string>;
  readonly service: Service | undefined;
  /** What Endpoints say: what they have counts in any case. */
  readonly other: View;
  readonly tally: Tally;
}

/** What slices say as far as Endpoints would say it; what they would not is tallied, unless these do. */
export function viewOfSlices(collected: Collected, { families, service, other, tally }: Surroundings): View {
  const view = emptyView();
  for (const group of collected.groups.values()) {
    const { addressType, port } = group;
    for (const { endpoint } of sortedMembers(group)) {
      const { address } = endpoint;
      const text = port ? textOfPort(port.name, endpoint.port, port.protocol) : noPorts;
      const isListed = other.addresses.get(address)?.has(text);
      if (addressType === 'FQDN') tally.add('NameAddress', address);
      else if (!families.has(addressType)) tally.add('OtherFamily', address);
      else if (isLeaving(endpoint) && !isListed) tally.add('Terminating', `${address} ${endpoint.targetRef?.uid}`);
      else if (isUnresolved(group, collected, service) && !isListed) tally.add('Unresolved', address);
      else if (port && endpoint.port === undefined) tally.add('PortWithoutNumber', address);
      else {
        noteProtocols(view, text, group.appProtocols.get(endpoint.port));
        claimsAt(view, address, text).set(endpoint.targetRef?.uid ?? '', endpoint);
      }
    }
  }
  return view;
}

/** The claim that stands for an address as a whole. */
export function bestOf(claims: Iterable<Claim>): Claim {
  const [first, ...others] = [...claims].map((claim) => ({ ...claim, address: '', serving: claim.ready, slices: [...claim.slices] }));
  return others.reduce(preferred, first as MergedEndpoint);
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

function noteProtocols({ appProtocols }: View, port: string, found: Iterable<string> = []): void {
  const known = appProtocols.get(port) ?? new Set();
  for (const appProtocol of found) known.add(appProtocol);
  appProtocols.set(port, known);
}
