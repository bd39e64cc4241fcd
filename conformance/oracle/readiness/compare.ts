import { isDeepStrictEqual } from 'node:util';
import type { ReadinessAnswer, ReadinessMode } from './case.ts';

/** Whether the library answers like the kubelet of a minor release. */
export const isSameAnswer = (mode: ReadinessMode, minor: number, theirs: ReadinessAnswer, ours: unknown): boolean =>
  isDeepStrictEqual(toComparable(mode, minor, { ...theirs, id: '' }), toComparable(mode, minor, ours));

/**
 * Returns an answer without Go's zero values of absent fields, without fields unknown to the release, and with a placeholder for
 * times from a clock, which are after 2010.
 */
export function toComparable(mode: ReadinessMode, minor: number, answer: unknown): unknown {
  const excluded = new Set([
    ...ignoredFields,
    ...(minor < 33 ? ['observedGeneration'] : []),
    ...(minor < 16 ? ['started'] : []),
    ...(minor < 28 ? ['resourceClaimStatuses'] : []),
    // start times are derived from ages
    ...(mode === 'probed' ? ['startedAt', 'restartCount'] : []),
  ]);
  return clean(answer, (name, record) => excluded.has(name) || (mode === 'worker' && name === 'result' && record['ended'] === true));
}

const ignoredFields = ['image', 'imageID', 'lastProbeTime', 'qosClass'];

function clean(value: unknown, isExcluded: (name: string, record: Record<string, unknown>) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => clean(each, isExcluded) ?? null);
  if (typeof value === 'string') return value > '2010' && timePattern.test(value) ? 'now' : value || undefined;
  if (typeof value !== 'object' || value === null) return value || undefined;
  const record = value as Record<string, unknown>;
  const fields = Object.entries(record)
    .filter(([name]) => !isExcluded(name, record))
    .map(([name, each]) => [name, clean(each, isExcluded)] as const)
    .filter(([, each]) => each !== undefined && !(Array.isArray(each) && each.length === 0));
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

const timePattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
