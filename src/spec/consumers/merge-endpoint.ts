import { canonicalIP, rankOfIPv4 } from '../../apimachinery/ip.ts';
import type { EndpointConditionsInput, EndpointHints, EndpointHintsInput, EndpointInput, TargetRef } from '../../types/index.ts';
import { normalizeTarget } from '../equal.ts';
import { hostnameLabel, zoneLabel } from '../slices/desired.ts';

/** The address types of slices. FQDN addresses are names; Kubernetes defines no semantics for them. */
export type SliceAddressType = 'IPv4' | 'IPv6' | 'FQDN';

/** A normalized endpoint: conditions filled in, the address as Go prints it, with its port number. */
export interface MergedEndpoint {
  address: string;
  /** Absent if there are no ports, or if the port has no number, which means every port of the address. */
  port?: number;
  ready: boolean;
  serving: boolean;
  terminating: boolean;
  nodeName?: string;
  zone?: string;
  hostname?: string;
  targetRef?: TargetRef;
  hints?: EndpointHints;
  /** The names of the slices that list the endpoint, sorted. */
  slices: string[];
}

/** The address in canonical form for comparison; undefined if it is invalid for that type. */
export function addressOfType(text: string, type: SliceAddressType): string | undefined {
  if (type === 'FQDN') return text || undefined;
  const ip = canonicalIP(text);
  return ip !== undefined && ip.includes(':') === (type === 'IPv6') ? ip : undefined;
}

/** Creates a normalized endpoint for an address and a port number. The result shares nothing with the input. */
export function createMergedEndpoint(input: EndpointInput, address: string, port: number | undefined, slice: string): MergedEndpoint {
  const nodeName = input.nodeName || topologyValue(input, hostnameLabel);
  const zone = input.zone || topologyValue(input, zoneLabel);
  const hints = toHints(input.hints);
  const result: MergedEndpoint = { address, ...(port !== undefined && { port }), ...applyConditionDefaults(input.conditions), slices: [] };
  if (nodeName) result.nodeName = nodeName;
  if (zone) result.zone = zone;
  if (input.hostname) result.hostname = input.hostname;
  if (input.targetRef) result.targetRef = normalizeTarget(input.targetRef);
  if (hints) result.hints = hints;
  result.slices.push(slice);
  return result;
}

/**
 * Fills in absent conditions: ready is true, serving equals ready, terminating is false.
 *
 * The API documents this up to 1.32 (staging/src/k8s.io/api/discovery/v1/types.go). From 1.33 on, an absent `serving` means
 * true, as it always has in kube-proxy. The two differ only for an endpoint that is not ready and has no `serving`, such as
 * the mirroring controller writes, and kube-proxy reads `serving` only if an endpoint is terminating.
 */
export function applyConditionDefaults(
  conditions: EndpointConditionsInput | null | undefined,
): Pick<MergedEndpoint, 'ready' | 'serving' | 'terminating'> {
  const ready = conditions?.ready ?? true;
  return { ready, serving: conditions?.serving ?? ready, terminating: conditions?.terminating ?? false };
}

/**
 * Chooses between two entries of one endpoint. An entry that is not terminating wins, then a ready entry, then a serving entry. Ties are
 * broken by text, so that the input order does not matter.
 *
 * The first rule is kube-proxy's from 1.36 on (pkg/proxy/endpointslicecache.go, addEndpoints). Upstream leaves the rest
 * undefined: the slice that comes last in a random order wins.
 */
export function choosePreferred(one: MergedEndpoint, other: MergedEndpoint): MergedEndpoint {
  const rankDifference = rankOf(one) - rankOf(other);
  if (rankDifference !== 0) return rankDifference > 0 ? one : other;
  return textOf(one) <= textOf(other) ? one : other;
}

const rankOf = ({ ready, serving, terminating }: MergedEndpoint): number => Number(!terminating) * 4 + Number(ready) * 2 + Number(serving);

/** Prints all fields of an endpoint except the slices that list it. */
const textOf = (endpoint: MergedEndpoint): string => JSON.stringify({ ...endpoint, slices: [] });

/** Whether both endpoints have the same conditions and target. */
export const haveSameState = (one: MergedEndpoint, other: MergedEndpoint): boolean =>
  rankOf(one) === rankOf(other) && (one.targetRef?.uid ?? '') === (other.targetRef?.uid ?? '');

export const rankOfAddress = (address: string, type: SliceAddressType): number => (type === 'IPv4' ? rankOfIPv4(address) : -1);

/** Reads the topology of v1beta1; an object written with it may still have it in deprecatedTopology. */
function topologyValue({ topology, deprecatedTopology }: EndpointInput, key: string): string | undefined {
  const labels = topology ?? deprecatedTopology;
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function toHints(hints: EndpointHintsInput | null | undefined): EndpointHints | undefined {
  const forZones = namesOf(hints?.forZones);
  const forNodes = namesOf(hints?.forNodes);
  if (forZones.length + forNodes.length === 0) return undefined;
  return { ...(forZones.length && { forZones }), ...(forNodes.length && { forNodes }) };
}

const namesOf = (list: EndpointHintsInput['forZones']): { name: string }[] => (list ?? []).map(({ name }) => ({ name: name ?? '' }));
