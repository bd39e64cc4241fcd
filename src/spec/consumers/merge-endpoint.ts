import { canonicalIP, rankOfIPv4 } from '../../apimachinery/ip.ts';
import type { EndpointConditionsInput, EndpointHints, EndpointHintsInput, EndpointInput, TargetRef } from '../../types/index.ts';
import { readTarget } from '../equal.ts';

/** The address types that a slice can have. Nothing is defined for FQDN; its addresses are names. */
export type SliceAddressType = 'IPv4' | 'IPv6' | 'FQDN';

/** One endpoint as it is to be understood: conditions filled in, the address as Go prints it, the port beside it. */
export interface MergedEndpoint {
  address: string;
  /** Absent where the slices name none: every port of the address for a port without a number, none where they list no ports. */
  port?: number;
  ready: boolean;
  serving: boolean;
  terminating: boolean;
  nodeName?: string;
  zone?: string;
  hostname?: string;
  targetRef?: TargetRef;
  hints?: EndpointHints;
  /** The names of the slices that list it, in order. */
  slices: string[];
}

/** The address in the form by which it is compared; undefined where it is none of that type. */
export function addressOfType(text: string, type: SliceAddressType): string | undefined {
  if (type === 'FQDN') return text || undefined;
  const ip = canonicalIP(text);
  return ip !== undefined && ip.includes(':') === (type === 'IPv6') ? ip : undefined;
}

/** An endpoint of a slice under an address and a port number; the result shares nothing with the input. */
export function endpointOf(input: EndpointInput, address: string, port: number | undefined, slice: string): MergedEndpoint {
  const nodeName = input.nodeName || ownValue(input, nodeTopology);
  const zone = input.zone || ownValue(input, zoneTopology);
  const hints = hintsOf(input.hints);
  const result: MergedEndpoint = { address, ...(port !== undefined && { port }), ...conditionsOf(input.conditions), slices: [] };
  if (nodeName) result.nodeName = nodeName;
  if (zone) result.zone = zone;
  if (input.hostname) result.hostname = input.hostname;
  if (input.targetRef) result.targetRef = readTarget(input.targetRef);
  if (hints) result.hints = hints;
  result.slices.push(slice);
  return result;
}

/**
 * What conditions that are absent mean: ready unless said otherwise, as able to serve as it is ready, not terminating.
 *
 * The API says so up to 1.32 (staging/src/k8s.io/api/discovery/v1/types.go). From 1.33 on it takes an absent `serving` for
 * true, and kube-proxy always has. That differs only for an endpoint that is not ready and not said to be serving, such as
 * the mirroring controller writes, and kube-proxy looks at `serving` only where an endpoint is terminating.
 */
export function conditionsOf(
  conditions: EndpointConditionsInput | null | undefined,
): Pick<MergedEndpoint, 'ready' | 'serving' | 'terminating'> {
  const ready = conditions?.ready ?? true;
  return { ready, serving: conditions?.serving ?? ready, terminating: conditions?.terminating ?? false };
}

/**
 * Which of two that are one endpoint stands for both: the one that is not terminating, then the one that is ready, then the
 * one that serves; between equals, one by its text, so that the order in which they come makes no difference.
 *
 * The first rule is that of kube-proxy from 1.36 on (pkg/proxy/endpointslicecache.go, addEndpoints), which leaves the rest
 * open: there, the slice that a random order puts last wins.
 */
export function preferred(one: MergedEndpoint, other: MergedEndpoint): MergedEndpoint {
  const ranks = rankOf(one) - rankOf(other);
  if (ranks !== 0) return ranks > 0 ? one : other;
  return textOf(one) <= textOf(other) ? one : other;
}

const rankOf = ({ ready, serving, terminating }: MergedEndpoint): number => Number(!terminating) * 4 + Number(ready) * 2 + Number(serving);

/** Everything that is said of an endpoint, except where. */
const textOf = (endpoint: MergedEndpoint): string => JSON.stringify({ ...endpoint, slices: [] });

/** Whether both say the same of readiness and of what is behind the address. */
export const isSameClaim = (one: MergedEndpoint, other: MergedEndpoint): boolean =>
  rankOf(one) === rankOf(other) && (one.targetRef?.uid ?? '') === (other.targetRef?.uid ?? '');

export const rankOfAddress = (address: string, type: SliceAddressType): number => (type === 'IPv4' ? rankOfIPv4(address) : -1);

/** The keys under which v1beta1 told node and zone; an object written with them may still carry them as deprecatedTopology. */
const nodeTopology = 'kubernetes.io/hostname';
const zoneTopology = 'topology.kubernetes.io/zone';

function ownValue({ deprecatedTopology }: EndpointInput, key: string): string | undefined {
  return deprecatedTopology && Object.hasOwn(deprecatedTopology, key) ? deprecatedTopology[key] : undefined;
}

function hintsOf(hints: EndpointHintsInput | null | undefined): EndpointHints | undefined {
  const forZones = namesOf(hints?.forZones);
  const forNodes = namesOf(hints?.forNodes);
  if (forZones.length + forNodes.length === 0) return undefined;
  return { ...(forZones.length && { forZones }), ...(forNodes.length && { forNodes }) };
}

const namesOf = (list: EndpointHintsInput['forZones']): { name: string }[] => (list ?? []).map(({ name }) => ({ name: name ?? '' }));
