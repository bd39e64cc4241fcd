/** How clients use Services. */
export interface ClientSettings {
  /** The longest request in milliseconds. */
  readonly requestMs: number;
  /** Whether clients keep connections open and use them again, no matter where new connections go. */
  readonly keepAlive: boolean;
  /** How often a client tries another connection if one is refused. */
  readonly retries: number;
  /** Judges only clients that these components route, for example "ingress" or "kube-proxy/n1". Default: all. */
  readonly components?: readonly string[];
}

/** A new connection per request of up to a second, without retries. */
export const clientDefaults: ClientSettings = { requestMs: 1000, keepAlive: false, retries: 0 };

/** Whether an actor is one of some components: "kube-proxy" stands for those of all nodes. */
export const isComponent = (actor: string, components: readonly string[] | undefined): boolean =>
  !components || components.some((component) => actor === component || actor.startsWith(`${component}/`));

/**
 * Why requests fail: `closed` are connections to a pod that has stopped listening, `notOpen` to a pod that does not listen yet,
 * `nodeLost` to a pod whose node is lost, or to such a node itself, `noEndpoints` to a Service without endpoints, and `noLocalEndpoints` to a node
 * without local endpoints; `cut` are requests that were running when their process ended, their node was lost, or a load balancer closed
 * their connection.
 */
export type DropKind = 'closed' | 'notOpen' | 'nodeLost' | 'noEndpoints' | 'noLocalEndpoints' | 'cut';

/** A period in which requests fail. */
export interface Drop {
  readonly kind: DropKind;
  /** "namespace/name" of the Service. */
  readonly service: string;
  /** Milliseconds since the change. */
  readonly from: number;
  /** Milliseconds since the change. The end of the run if `isOngoing`. */
  readonly to: number;
  readonly isOngoing: boolean;
  /** The keys of the pods, sorted. Empty for `noEndpoints`. */
  readonly pods: readonly string[];
  /** The names of the lost nodes, sorted; absent if no node was lost. */
  readonly nodes?: readonly string[];
  /** The largest number of endpoints that a client chose from during this period. */
  readonly endpoints: number;
  /** The components whose routes lead to failing connections, for example "kube-proxy/n1", sorted. */
  readonly actors: readonly string[];
  /** The largest share of one client's new connections that fail, from 0 to 1; undefined for `cut`. */
  readonly share?: number;
  /** The ids of the entries from the first failing moment back to the change. */
  readonly causes: readonly number[];
  /** What ended the period: the entries from the last failing moment on, back to their first cause. Absent if it is ongoing. */
  readonly endCauses?: readonly number[];
  /** When the first and the last change of EndpointSlices were written that ended it, in milliseconds since the change. */
  readonly slicesWritten?: { readonly from: number; readonly to: number };
  /** Whether a pod listened again, or a node was restored, rather than left the routes. */
  readonly isReopened?: boolean;
  /** Whether health checks of a load balancer ended it: a target passed or failed them often enough. */
  readonly isEndedByChecks?: boolean;
  /** Whether a load balancer cut the requests at the end of its deregistration delay. */
  readonly isDeregistered?: boolean;
  /** Whether the pods have no readiness probe for the container. */
  readonly lacksReadinessProbe?: boolean;
}
