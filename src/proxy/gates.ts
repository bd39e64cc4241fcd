/**
 * The differences between releases of kube-proxy, one row per change. The rows are in `gates/`: those of the view, which all modes share,
 * and those of each mode's rules.
 */
import type { Profile, ReleaseOptions } from '../versions/index.ts';
import { createGateLookup } from '../versions/profile.ts';
import { parseRelease } from '../versions/releases.ts';
import type { ProxyGate } from './gates/gate.ts';
import { type IptablesGateName, iptablesGates } from './gates/iptables.ts';
import { type IpvsGateName, ipvsGates } from './gates/ipvs.ts';
import { type NftablesGateName, nftablesGates } from './gates/nftables.ts';
import { type ViewGateName, viewGates } from './gates/view.ts';

export type { ProxyGate } from './gates/gate.ts';

/** Behaviour of kube-proxy that differs between releases. */
export type ProxyGateName = ViewGateName | IptablesGateName | NftablesGateName | IpvsGateName;

/** The differences between releases of kube-proxy. docs/semantics/proxy.md explains each. */
export const proxyGates: Readonly<Record<ProxyGateName, ProxyGate>> = {
  ...viewGates,
  ...iptablesGates,
  ...nftablesGates,
  ...ipvsGates,
};

/** The first minor release whose rules are specified. */
export const firstProxyMinor = 17;

/** For each gate, whether a release has the change. */
export type ProxyGates = Readonly<Record<ProxyGateName, boolean>>;

/** The release, "1.17" to "1.37" or a patch release of one, and its feature gates. The mode nftables needs 1.29 or later. */
export type ProxyVersionOptions = ReleaseOptions;

/**
 * The gates of a release.
 * @throws RangeError naming the accepted range, or an invalid feature gate
 */
export const proxyGatesFor = ({ version, featureGates }: ProxyVersionOptions = {}): ProxyGates => lookUp(version, featureGates);

const lookUp = /* @__PURE__ */ createGateLookup(proxyGates, firstProxyMinor);

/** Returns the release, or the oldest one that this module specifies if that is newer. @throws RangeError if the release is unknown */
export const nearestProxyRelease = (release: ReleaseOptions & Pick<Profile, 'version'>): ReleaseOptions =>
  parseRelease(release.version).minor < firstProxyMinor ? { version: `1.${firstProxyMinor}` } : release;
