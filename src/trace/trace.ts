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

/** A step, and what a verdict says of it where it is where the way ends, or is narrowed. */
export interface Draft {
  readonly step: TraceStep;
  /** A sentence without its full stop: why nothing, or not all, goes on from here. */
  readonly blame?: string | undefined;
}

/** What a step has; what is left out is empty. */
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

/** A station that the way does not pass, or does not come to. */
export const skipped = (stage: TraceStage, title: string, notes: readonly TraceNote[] = []): Draft =>
  draft(stage, title, { outcome: 'skipped', notes });
