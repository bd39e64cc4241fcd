import type { EndpointSliceInput, EndpointsInput, ObjectReference, Optional } from 'kube-endpoints/types';
import { type IPNumber, readIP } from '../ranges.ts';

/** The addresses of an object as entries, with what is needed to build an object from them. */
export interface View {
  readonly kind: Kind;
  readonly entries: readonly Entry[];
  /** True if each port of an address is a separate entry. */
  readonly hasSeparatePorts: boolean;
  /** Port names by index; "" if ports are not separate. */
  readonly portNames: readonly string[];
}

export type Kind = 'Endpoints' | 'EndpointSlice';

/** True for an EndpointSlice. An object without `kind` is recognized by the fields that only a slice has. */
export function isSlice(object: EndpointsInput | EndpointSliceInput): object is EndpointSliceInput {
  const { kind } = object as { readonly kind?: unknown };
  if (kind === 'Endpoints' || kind === 'EndpointSlice') return kind === 'EndpointSlice';
  return 'endpoints' in object || 'addressType' in object;
}

/**
 * An address of Endpoints, or an endpoint of a slice, while rules are applied. If Endpoints have several subsets, an address has an entry
 * for each port, since it may be ready for one port and not for another.
 */
export interface Entry {
  readonly ip: string;
  /** Index in the input. */
  readonly index: number;
  /** Index of the port in the view; 0 for all ports if they are not separate. */
  readonly portIndex: number;
  /** Name of the port; "" if ports are not separate. */
  readonly portName: string;
  readonly targetRef: Optional<ObjectReference>;
  readonly hostname: Optional<string>;
  readonly nodeName: Optional<string>;
  readonly zone: Optional<string>;
  /** The readiness that the writer intends. */
  readonly intendedReady: boolean;
  /** True if the endpoint is terminating; then rules never make it ready. */
  readonly terminating: boolean;
  /** The readiness after the rules applied so far. */
  ready: boolean;
  /** True if an action excluded the endpoint from use. Such an endpoint is also no fallback while it terminates. */
  isExcluded: boolean;
  /** Set if the entry is left out of the object: "absent" by keepOut, "dropped" by drop. */
  removal: 'absent' | 'dropped' | undefined;
  /** Parsed on first use; null if it is not an IP address. */
  ipNumber: IPNumber | null | undefined;
}

/** Returns the IP of an entry as a number; undefined for an FQDN. */
export function ipNumberOf(entry: Entry): IPNumber | undefined {
  if (entry.ipNumber === undefined) entry.ipNumber = readIP(entry.ip) ?? null;
  return entry.ipNumber ?? undefined;
}

/** Returns a key that identifies an address by its IP and the UID of its target, since an IP may be reused by a different pod. */
export function identityOf({ ip, targetRef }: Pick<Entry, 'ip' | 'targetRef'>): string {
  const uid = targetRef?.uid;
  return uid ? `${ip}/${uid}` : ip;
}
