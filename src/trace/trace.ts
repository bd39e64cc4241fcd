/** How far a name leads: to pods, to some of them only, to what is not the cluster's and not known here, or nowhere. */
export type TraceOutcome = 'reached' | 'degraded' | 'outside' | 'unreachable';

/** What a step is about, in the order in which traffic passes. */
export type TraceStage = 'name' | 'record' | 'service' | 'policy' | 'endpoints' | 'pod' | 'readiness';

/** The way of a request from a name to the pods that answer it. Plain data: text, JSON and pictures are made of it. */
export interface Trace {
  /** As it was asked: "web.shop:http". */
  readonly target: string;
  /** "pod/frontend-1", where one was named. */
  readonly from?: string;
  readonly node?: string;
  readonly outcome: TraceOutcome;
  /** One sentence. */
  readonly verdict: string;
  readonly steps: readonly TraceStep[];
}

/** One station of the way. */
export interface TraceStep {
  readonly stage: TraceStage;
  /** "Service shop/web" */
  readonly title: string;
  readonly outcome: 'ok' | 'warning' | 'error' | 'skipped';
  /** What is so here, a sentence each. */
  readonly notes: readonly TraceNote[];
  /** What goes on from here: records, endpoints, pods. */
  readonly chosen: readonly TraceItem[];
  /** What ends here, and why. */
  readonly leftOut: readonly TraceItem[];
}

/** A sentence with a stable code. */
export interface TraceNote {
  readonly code: string;
  readonly message: string;
  /** The field that decides: "service.spec.internalTrafficPolicy". */
  readonly path?: string;
  /** What would mend it, where something is wrong. */
  readonly mend?: string;
}

/** An endpoint, a pod, a record. */
export interface TraceItem {
  /** Of this item in the whole trace: "pod/shop/web-1". The same thing has the same name in each step. */
  readonly id: string;
  /** For people: "web-1 10.0.0.1:8080". */
  readonly label: string;
  readonly notes: readonly TraceNote[];
}
