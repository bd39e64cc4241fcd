/** reached: pods; degraded: only some of them; outside: a target outside the cluster, unknown here; unreachable: nothing. */
export type TraceOutcome = 'reached' | 'degraded' | 'outside' | 'unreachable';

/** The subject of a step, in the order in which traffic passes. */
export type TraceStage = 'name' | 'record' | 'service' | 'policy' | 'endpoints' | 'pod' | 'readiness';

/** The path of a request from a name to the pods that answer it. Plain data that can be formatted as text, JSON or pictures. */
export interface Trace {
  /** The target as given: "web.shop:http". */
  readonly target: string;
  /** "pod/frontend-1", if given. */
  readonly from?: string;
  readonly node?: string;
  readonly outcome: TraceOutcome;
  /** One sentence. */
  readonly verdict: string;
  readonly steps: readonly TraceStep[];
}

/** One step of the path. */
export interface TraceStep {
  readonly stage: TraceStage;
  /** "Service shop/web" */
  readonly title: string;
  readonly outcome: 'ok' | 'warning' | 'error' | 'skipped';
  /** One message per fact. */
  readonly notes: readonly TraceNote[];
  /** Items that traffic goes on to: records, endpoints, pods. */
  readonly chosen: readonly TraceItem[];
  /** Items that traffic does not go on to, with reasons. */
  readonly leftOut: readonly TraceItem[];
}

/** A message with a stable code. */
export interface TraceNote {
  readonly code: string;
  readonly message: string;
  /** The field that decides: "service.spec.internalTrafficPolicy". */
  readonly path?: string;
  /** How to fix it, if something is wrong. */
  readonly remedy?: string;
}

/** An endpoint, a pod or a record. */
export interface TraceItem {
  /** The object's id in the whole trace: "pod/shop/web-1". It is the same in every step. */
  readonly id: string;
  /** Display text: "web-1 10.0.0.1:8080". */
  readonly label: string;
  readonly notes: readonly TraceNote[];
}

/** A step, with the explanation for the verdict if traffic ends or is narrowed there. */
export interface Draft {
  readonly step: TraceStep;
  /** Why nothing, or not everything, goes on from here; a sentence without its full stop. */
  readonly blame?: string | undefined;
}

/** Optional parts of a step; lists default to empty. */
export interface Parts {
  readonly outcome?: TraceStep['outcome'];
  readonly notes?: readonly TraceNote[];
  readonly chosen?: readonly TraceItem[];
  readonly leftOut?: readonly TraceItem[];
  readonly blame?: string | undefined;
}

export const draft = (stage: TraceStage, title: string, parts: Parts = {}): Draft => ({
  step: {
    stage,
    title,
    outcome: parts.outcome ?? 'ok',
    notes: parts.notes ?? [],
    chosen: parts.chosen ?? [],
    leftOut: parts.leftOut ?? [],
  },
  ...(parts.blame !== undefined && { blame: parts.blame }),
});

/** A step that does not apply or is not reached. */
export const skipped = (stage: TraceStage, title: string, notes: readonly TraceNote[] = []): Draft =>
  draft(stage, title, { outcome: 'skipped', notes });
