/**
 * - reached: traffic reaches all expected endpoints.
 * - degraded: traffic reaches only some of them.
 * - outside: the target is outside the cluster and is not traced.
 * - unreachable: traffic reaches nothing.
 */
export type TraceOutcome = 'reached' | 'degraded' | 'outside' | 'unreachable';

/** The subject of a step, listed in the order of the steps. */
export type TraceStage = 'name' | 'record' | 'route' | 'service' | 'policy' | 'endpoints' | 'network' | 'pod' | 'readiness';

/** The path of a request from a name to the pods that answer it. Plain data that can be formatted as text, JSON or pictures. */
export interface Trace {
  /** The target as given: "web.shop:http". */
  readonly target: string;
  /** The client pod as given: "pod/frontend-1". */
  readonly from?: string;
  readonly node?: string;
  readonly outcome: TraceOutcome;
  /** The outcome in a few words: "web.shop reaches nothing from pod/frontend-1". */
  readonly headline: string;
  /** The headline and what causes it, as one sentence. */
  readonly verdict: string;
  /** Set if traffic reaches nothing, or only some of the endpoints. */
  readonly cause?: TraceCause;
  readonly steps: readonly TraceStep[];
}

/** The root cause of a trace's outcome, with the values that show it and a fix. */
export interface TraceCause {
  /** Stable identifier; docs/reasons.md lists them all. */
  readonly code: string;
  readonly message: string;
  readonly evidence: readonly { readonly object: string; readonly path: string; readonly value: string }[];
  readonly fix?: { readonly text: string; readonly command?: string };
  /** The stage of the step that reports the cause. */
  readonly stage: TraceStage;
}

/** One step of the path. */
export interface TraceStep {
  readonly stage: TraceStage;
  /** "Service shop/web" */
  readonly title: string;
  /** "unknown": the objects do not show it, or the specifications leave it open. */
  readonly outcome: 'ok' | 'warning' | 'error' | 'unknown' | 'skipped';
  /** One message per fact. */
  readonly notes: readonly TraceNote[];
  /** Items that get the traffic: records, endpoints, pods. */
  readonly chosen: readonly TraceItem[];
  /** Items that get no traffic, with reasons. */
  readonly leftOut: readonly TraceItem[];
}

/** A message with a stable code. */
export interface TraceNote {
  readonly code: string;
  readonly message: string;
  /** The object of the message, if the step is about several: "HTTPRoute shop/web". */
  readonly object?: string;
  /** The field that causes the message: "service.spec.internalTrafficPolicy". */
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

/** A step, and the cause for the verdict if traffic ends at the step or reaches fewer endpoints because of it. */
export interface StepResult {
  readonly step: TraceStep;
  /** Why traffic ends at this step or reaches fewer endpoints; a sentence without its full stop. Undefined if the step has no problem. */
  readonly cause?: string | undefined;
}

/** Optional fields of a step; lists default to empty. */
export interface StepFields {
  readonly outcome?: TraceStep['outcome'];
  readonly notes?: readonly TraceNote[];
  readonly chosen?: readonly TraceItem[];
  readonly leftOut?: readonly TraceItem[];
  readonly cause?: string | undefined;
}

export const createStep = (stage: TraceStage, title: string, fields: StepFields = {}): StepResult => ({
  step: {
    stage,
    title,
    outcome: fields.outcome ?? 'ok',
    notes: fields.notes ?? [],
    chosen: fields.chosen ?? [],
    leftOut: fields.leftOut ?? [],
  },
  ...(fields.cause !== undefined && { cause: fields.cause }),
});

/** Creates a step that does not apply or is not reached. */
export const createSkippedStep = (stage: TraceStage, title: string, notes: readonly TraceNote[] = []): StepResult =>
  createStep(stage, title, { outcome: 'skipped', notes });
