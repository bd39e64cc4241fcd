import type { EndpointSliceInput, EndpointsInput, ObjectReference, Optional } from 'kube-endpoints/types';
import { type IPNumber, readIP } from '../ranges.ts';

/** The addresses of an object, one by one, and what is needed to make an object of them again. */
export interface View {
  readonly kind: Kind;
  readonly entries: readonly Entry[];
  /** Whether the ports of an address are entries of their own. */
  readonly portsApart: boolean;
  /** Names of ports by their places; "" where they are not told apart. */
  readonly portNames: readonly string[];
}

export type Kind = 'Endpoints' | 'EndpointSlice';

/** What an object is: by its kind, and where it does not say, by what only a slice has. */
export function isSlice(object: EndpointsInput | EndpointSliceInput): object is EndpointSliceInput {
  const { kind } = object as { readonly kind?: unknown };
  if (kind === 'Endpoints' || kind === 'EndpointSlice') return kind === 'EndpointSlice';
  return 'endpoints' in object || 'addressType' in object;
}

/**
 * An address of Endpoints, or an endpoint of a slice, on its way through the rules. Where an Endpoints object has several subsets, an
 * address is an entry for each of its ports, as it may be ready for one and not for another.
 */
export interface Entry {
  readonly ip: string;
  /** The place among all that came in. */
  readonly place: number;
  /** The place of the port in the view; that of all ports where they are not told apart. */
  readonly port: number;
  /** Its name; "" where ports are not told apart. */
  readonly portName: string;
  readonly targetRef: Optional<ObjectReference>;
  readonly hostname: Optional<string>;
  readonly nodeName: Optional<string>;
  readonly zone: Optional<string>;
  /** What the writer wants. */
  readonly wanted: boolean;
  /** On its way out, and therefore never made ready. */
  readonly terminating: boolean;
  /** What it is shown as, as far as the rules have come. */
  ready: boolean;
  /** Put out of use by an action: then it is not even fallen back to where it is on its way out. */
  out: boolean;
  /** Whether it is left out: by an action that says so, or because it may not be there. */
  gone: 'absent' | 'dropped' | undefined;
  /** Read once, when first asked for; null where it is no IP address. */
  number: IPNumber | null | undefined;
}

/** The IP of an entry as a number; undefined where it has none, as a name has not. */
export function numberOf(entry: Entry): IPNumber | undefined {
  if (entry.number === undefined) entry.number = readIP(entry.ip) ?? null;
  return entry.number ?? undefined;
}

/** What tells addresses apart: the same IP of another pod is another address. */
export function identityOf({ ip, targetRef }: Pick<Entry, 'ip' | 'targetRef'>): string {
  const uid = targetRef?.uid;
  return uid ? `${ip}/${uid}` : ip;
}
