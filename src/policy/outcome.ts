import type { PolicyReason } from './reasons.ts';

/** A result that the specifications permit. */
export interface Outcome {
  readonly allowed: boolean;
  readonly reason: PolicyReason;
}

/** Every permitted outcome, the most certain one last, and the open questions that choose between them. */
export interface Branches {
  readonly outcomes: readonly Outcome[];
  readonly open: readonly PolicyReason[];
}

export const createBranches = (outcomes: readonly Outcome[], open: readonly PolicyReason[] = []): Branches => ({ outcomes, open });

export const mergeBranches = (...list: readonly Branches[]): Branches => ({
  outcomes: list.flatMap(({ outcomes }) => outcomes),
  open: list.flatMap(({ open }) => open),
});
