/**
 * - reached: traffic reaches all expected endpoints.
 * - degraded: traffic reaches only some of them.
 * - outside: the target is outside the cluster and is not traced.
 * - unreachable: traffic reaches nothing.
 */
export type TraceOutcome = 'reached' | 'degraded' | 'outside' | 'unreachable';

/** The subject of a step, listed in the order of the steps. */
export type TraceStage = 'name' | 'record' | 'service' | 'policy' | 'endpoints' | 'pod' | 'readiness';

/** The path of a request from a name to the pods that answer it. Plain data that can be formatted as text, JSON or pictures. */
export interface Trace {
  /** The target as given: "web.shop:http". */
  readonly target: string;
  /** The client pod as given: "pod/frontend-1". */
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
  /** Items that get the traffic: records, endpoints, pods. */
  readonly chosen: readonly TraceItem[];
  /** Items that get no traffic, with reasons. */
  readonly leftOut: readonly TraceItem[];
}

/** A message with a stable code. */
export interface TraceNote {
  readonly code: string;
  readonly message: string;
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
