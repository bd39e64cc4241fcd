import type { TraceItem, TraceNote, TraceStage, TraceStep } from './trace.ts';

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
