import { compareText } from '../../apimachinery/compare.ts';
import type { Endpoint, EndpointInput, Optional } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { sameMap, samePointer, sameTarget } from '../equal.ts';

/**
 * Builds the key of an endpoint. An endpoint is updated in place as long as its key stays the same: its addresses in any order, its host
 * name and, if the gate `endpointKeyedByTarget` is on, the namespace and name of its target.
 *
 * Mirrors hashEndpoint (1.36, staging/src/k8s.io/endpointslice/util/endpointset.go).
 */
export function endpointKey(endpoint: EndpointInput, profile: Profile): string {
  const { hostname, targetRef } = endpoint;
  const target = profile.endpointKeyedByTarget ? `${targetRef?.namespace ?? ''}/${targetRef?.name ?? ''}` : '';
  return [...sortAddresses(endpoint), hostname ?? '', target].join('\n');
}

/** Sorts the addresses of an endpoint as text, the order in which they are written. */
export function sortAddresses({ addresses }: EndpointInput): readonly string[] {
  if (!addresses) return [];
  return addresses.length < 2 ? addresses : addresses.toSorted(compareText);
}

/** Whether two endpoints have the same key. Builds no key. The addresses of both must be sorted. */
export const haveSameKey = (a: EndpointInput, b: EndpointInput, profile: Profile): boolean =>
  sameTexts(a.addresses ?? [], b.addresses ?? []) &&
  (a.hostname ?? '') === (b.hostname ?? '') &&
  (!profile.endpointKeyedByTarget ||
    ((a.targetRef?.namespace ?? '') === (b.targetRef?.namespace ?? '') && (a.targetRef?.name ?? '') === (b.targetRef?.name ?? '')));

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a[0] === b[0] && a.length === b.length && (a.length === 1 || a.every((text, i) => text === b[i]));

/**
 * Whether endpoints of the same key need no update: equal node, zone, topology, conditions and target. Hints are ignored.
 *
 * Mirrors EndpointsEqualBeyondHash (1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go).
 */
export const areEqualBeyondKey = (a: EndpointInput, b: EndpointInput, profile: Profile): boolean =>
  (profile.slicesAreV1 || sameMap(a.topology, b.topology)) &&
  (!profile.sliceNodeAndZoneCompared || (samePointer(a.nodeName, b.nodeName) && samePointer(a.zone, b.zone))) &&
  samePointer(a.conditions?.ready, b.conditions?.ready) &&
  sameCondition(a.conditions?.serving, b.conditions?.serving, profile) &&
  sameCondition(a.conditions?.terminating, b.conditions?.terminating, profile) &&
  sameTarget(a.targetRef, b.targetRef, profile);

/**
 * Whether two values need no update. The oldest releases do not compare `serving` and `terminating`, later releases compare them if both
 * values are set, the newest always.
 */
function sameCondition(a: Optional<boolean>, b: Optional<boolean>, profile: Profile): boolean {
  if (samePointer(a, b) || !profile.sliceConditionsCompared) return true;
  return !profile.sliceUnknownConditionsCompared && (typeof a !== 'boolean' || typeof b !== 'boolean');
}

/** Compares by addresses, host name, then target. Of several endpoints with one key, the preferred one sorts last. */
export const compareEndpoints = (a: Endpoint, b: Endpoint): number =>
  compareText(a.addresses.join(), b.addresses.join()) || compareText(a.hostname ?? '', b.hostname ?? '') || compareTargets(a, b);

export const compareTargets = (a: Endpoint, b: Endpoint): number => compareText(targetOf(a), targetOf(b));

const targetOf = ({ targetRef }: Endpoint): string => `${targetRef?.namespace ?? ''}/${targetRef?.name ?? ''}/${targetRef?.uid ?? ''}`;
