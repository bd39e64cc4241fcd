import type { BalancerReference } from 'kube-endpoints/load-balancer';

/** One call that the cloud was asked. */
export interface CloudCall {
  /** From 1. */
  readonly number: number;
  readonly verb: CloudVerb;
  readonly clusterName: string;
  /** Whose load balancer; of `list` undefined. */
  readonly reference: BalancerReference | undefined;
  /** Names, of `ensure` and `update`. */
  readonly nodes: readonly string[] | undefined;
}

export type CloudVerb = 'get' | 'ensure' | 'update' | 'delete' | 'list';

/** What goes wrong with one call of the cloud. */
export type Fault =
  /** No answer, and nothing done: until the call is aborted or, for good, not even then. */
  | { readonly fault: 'hang'; readonly forGood?: boolean }
  /** The call takes that long to arrive. Nothing is done where it is aborted before. */
  | { readonly fault: 'latency'; readonly milliseconds: number }
  /** Nothing is done. By default a CloudError `Failed`; any value may be thrown. */
  | { readonly fault: 'throw'; readonly error?: unknown }
  /** Nothing is done: a CloudError `Elsewhere`. */
  | { readonly fault: 'elsewhere' }
  /** Nothing is done: a CloudError `RetryAfter`. */
  | { readonly fault: 'retryAfter'; readonly milliseconds: number }
  /** It is done, and then a CloudError `Failed`. */
  | { readonly fault: 'failsAfterEffect' }
  /** It is done, and answered with this; by default a status whose address is none. */
  | { readonly fault: 'malformed'; readonly answer?: unknown }
  /** The load balancer disappears just before. */
  | { readonly fault: 'lose' }
  /** No answer until the call is aborted; it is done that much later. Where `unlessSuperseded`, only if no call after it was. */
  | { readonly fault: 'late'; readonly milliseconds: number; readonly unlessSuperseded?: boolean }
  /** It is done, and the answer calls back twice: the second time with this. */
  | { readonly fault: 'answersTwice'; readonly second?: unknown };

export type FaultName = Fault['fault'];
