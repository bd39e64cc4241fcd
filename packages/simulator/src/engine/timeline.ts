import type { ApiObject } from 'kube-endpoints/port';

/** What happened in a cluster, in order of time. */
export type TimelineEntry = TimelineFact & {
  /** The position in the timeline. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The entry without which this one would not have happened now; absent for the first changes of a scenario. */
  readonly cause?: number;
};

export type TimelineFact =
  /** The API server stored an object. `previous` is absent on creation; on deletion, `object` is the last state. */
  | {
      readonly type: 'create' | 'update' | 'delete';
      /** The component that sent the request, for example "deployment-controller" or "kubelet/n1". */
      readonly actor: string;
      readonly object: ApiObject;
      readonly previous?: ApiObject;
    }
  /** A component emitted an Event about an object. */
  | { readonly type: 'event'; readonly actor: string; readonly object: ApiObject; readonly reason: string; readonly message: string }
  /** A process of a container started, got a signal, or ended. */
  | ({ readonly type: 'container'; readonly what: 'started' | 'SIGTERM' | 'SIGKILL' | 'exited' } & ContainerRef)
  /** A container began or ended its preStop hook. */
  | ({ readonly type: 'preStop'; readonly what: 'started' | 'ended' } & ContainerRef)
  /**
   * A container changed how it treats connections: `open` accepts and serves them, `draining` accepts no new ones but ends those it has, `closed`
   * refuses new ones and has none.
   */
  | ({ readonly type: 'listener'; readonly state: ListenerState } & ContainerRef)
  /** A probe's result changed. */
  | ({ readonly type: 'probe'; readonly probe: ProbeKind; readonly succeeded: boolean } & ContainerRef)
  /** A node was lost: nothing on it answers any more. Or it was restored. */
  | NodeFact
  /** A client's view of a Service changed: where its new connections go from now on. */
  | RouteFact
  /** A target of a load balancer changed its state. */
  | TargetFact;

export interface NodeFact {
  readonly type: 'node';
  readonly what: 'lost' | 'restored' | 'shutdown';
  readonly node: string;
}

export type ProbeKind = 'startup' | 'readiness' | 'liveness';

export type ListenerState = 'open' | 'draining' | 'closed';

export interface ContainerRef {
  /** "namespace/name" of the pod. */
  readonly pod: string;
  readonly podUid: string;
  readonly node: string;
  readonly container: string;
}

/** Where new connections to a Service go, as one component sees it. */
export interface RouteFact {
  readonly type: 'route';
  /** The component that routes, for example "kube-proxy/n2", "ingress/nginx", "load-balancer/web" or "dns/n1". */
  readonly actor: string;
  /** "namespace/name" of the Service. */
  readonly service: string;
  /** The name of the Service's port; "" if it has none. */
  readonly port: string;
  /** The IPs of the endpoints among which it chooses, sorted. */
  readonly addresses: readonly string[];
}

/** A pod as the target of a load balancer that checks it, or that cuts its connections. */
export interface TargetFact {
  readonly type: 'target';
  /** For example "load-balancer/web". */
  readonly actor: string;
  /** "namespace/name" of the Service. */
  readonly service: string;
  /** The name of the Service's port; "" if it has none. */
  readonly port: string;
  readonly address: string;
  readonly state: TargetState;
}

/**
 * The states of AWS: `initial` until enough health checks have had the same result, then `healthy` or `unhealthy`; after its removal `draining`, which
 * leaves its open connections alone, and `unused` when these have been cut.
 */
export type TargetState = 'initial' | 'healthy' | 'unhealthy' | 'draining' | 'unused';
