import type { Pod } from '../types.ts';
import { failureCountAnnotation, ignoredFailureCountAnnotation, indexAnnotation } from './objects.ts';

/** Completion indexes and failure counts of pods. Mirrors pkg/controller/job/indexed_job_utils.go of 1.36. */

/** A decimal number as Go's Atoi reads it; undefined for other texts. */
export const parseIndex = (text: string): number | undefined =>
  /^[+-]?\d+$/.test(text) && Math.abs(Number(text)) < 2 ** 63 ? Number(text) : undefined;

/** The completion index of a pod; undefined if it has no valid one. */
export function completionIndexOf({ metadata }: Pod): number | undefined {
  const index = parseIndex(metadata.annotations?.[indexAnnotation] ?? '');
  return index !== undefined && index >= 0 ? index : undefined;
}

/** Sorts pods without an index first: byCompletionIndex. */
export const hasLowerIndex = (a: Pod, b: Pod): boolean => (completionIndexOf(a) ?? -1) < (completionIndexOf(b) ?? -1);

/** The completion index of a pod; undefined if it is not below `completions`. */
export function validIndexOf(pod: Pod, completions: number | undefined): number | undefined {
  const index = completionIndexOf(pod);
  return index !== undefined && index < (completions ?? 0) ? index : undefined;
}

/** The completion indexes of pods, ascending and without duplicates. */
export const indexesOf = (pods: readonly Pod[]): number[] =>
  [...new Set(pods.map(completionIndexOf).filter((index) => index !== undefined))].sort((a, b) => a - b);

/** How often pods of the index failed before this one, without failures that a policy ignores. */
export const failureCountOf = (pod: Pod): number => parseCount(pod, failureCountAnnotation);
export const ignoredFailureCountOf = (pod: Pod): number => parseCount(pod, ignoredFailureCountAnnotation);
/** How often pods of the index failed before this one. */
export const allFailuresOf = (pod: Pod): number => failureCountOf(pod) + ignoredFailureCountOf(pod);

function parseCount({ metadata }: Pod, annotation: string): number {
  const count = parseIndex(metadata.annotations?.[annotation] ?? '') ?? 0;
  return count >= 0 && count < 2 ** 31 ? count : 0;
}
