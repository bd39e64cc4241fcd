import type { EndpointSliceInput, Pod } from '../types/index.ts';
import type { DnsAnswer, DnsQuestion } from './answer.ts';
import type { DnsNamespace, DnsService } from './objects.ts';
import type { DnsRecord } from './records.ts';

/** Objects of one kind that a zone knows, by namespace and name. */
export interface ZoneObjects<T> {
  /** Adds an object, or puts it in the place of the one of its name. */
  set(object: T): void;
  /** @param key "shop/web"; the name alone for a namespace. Nothing happens where there is none. */
  delete(key: string): void;
}

/**
 * The records of a cluster, kept in step with its objects: what is asked costs the records it holds, what changes costs the object.
 */
export interface ClusterZone {
  readonly services: ZoneObjects<DnsService>;
  readonly endpointSlices: ZoneObjects<EndpointSliceInput>;
  readonly pods: ZoneObjects<Pod>;
  readonly namespaces: ZoneObjects<DnsNamespace>;
  /** Origins, absolute, in lower case. */
  readonly zones: readonly string[];
  /**
   * Of the SOA: seconds since 1970 at the last change of an object that records are made of, as the zone's clock has it; it never goes
   * back. 0 always without a clock.
   */
  readonly serial: number;
  /** Grows by one with each such change: what was answered before may be kept as long as it stays. */
  readonly revision: number;
  answer(question: DnsQuestion): DnsAnswer;
  /** All records of one of `zones`, as a transfer sends them: the SOA first and last. */
  transfer(zone: string): Iterable<DnsRecord>;
}
