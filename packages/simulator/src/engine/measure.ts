import { type DelayMetric, type DelayName, type DelayRange, delays } from './delays.ts';
import type { Bucket } from './metrics.ts';

/** The range of a delay in a cluster. */
export interface MeasuredDelay {
  readonly name: DelayName;
  /** What was observed: the name of a histogram, or "writes". */
  readonly metric: string;
  /** The number of observations. */
  readonly count: number;
  /** In milliseconds; undefined if the greatest observations are in the last bucket, which has no bound. */
  readonly range: DelayRange | undefined;
  /** The greatest bound of the histogram in milliseconds. */
  readonly limit: number;
}

/**
 * Measures the delays of a cluster from the histograms of its components. A range begins at the lower bound of the least bucket with an
 * observation, and ends at the upper bound of the bucket with the quantile.
 * @param buckets of all components together
 * @param quantile the share of the observations that the range includes, from below; more than 0, at most 1
 */
export const measureDelays = (buckets: readonly Bucket[], quantile: number): MeasuredDelay[] =>
  Object.entries(delays).flatMap(([name, { metric }]) =>
    metric ? (measureDelay(name as DelayName, metric, buckets, quantile) ?? []) : [],
  );

/**
 * Measures the delay `watch` from single writes.
 * @param ranges the bounds of each write's delay, in milliseconds; at least one
 * @param quantile as of `measureDelays`
 */
export function measureWrites(ranges: readonly DelayRange[], quantile: number): MeasuredDelay {
  const buckets = ranges.map(({ min, max }) => ({ metric: 'writes', labels: {}, lower: min / 1000, upper: max / 1000, count: 1 }));
  return measureDelay('watch', { name: 'writes' }, buckets, quantile) as MeasuredDelay;
}

function measureDelay(name: DelayName, metric: DelayMetric, all: readonly Bucket[], quantile: number): MeasuredDelay | undefined {
  const buckets = all.filter((bucket) => bucket.metric === metric.name && isSelected(metric, bucket));
  const steps = separateSteps(metric, buckets).map((step) => measureStep(step, quantile));
  const counts = steps.map(({ count }) => count);
  if (counts.includes(0)) return undefined;
  const [min, max] = [sum(steps.map(({ lower }) => lower)), sum(steps.map(({ upper }) => upper))];
  return {
    name,
    metric: metric.name,
    count: Math.min(...counts),
    range: Number.isFinite(max) ? { min: metric.isPeriod ? 0 : Math.floor(toMs(min)), max: Math.ceil(toMs(max)) } : undefined,
    limit: toMs(buckets.reduce((limit, { lower }) => Math.max(limit, lower), 0)),
  };
}

/** Milliseconds, without what the conversion adds to a decimal fraction. */
const toMs = (seconds: number): number => Math.round(seconds * 1e6) / 1000;

function separateSteps({ sumOver, labels = {} }: DelayMetric, buckets: readonly Bucket[]): (readonly Bucket[])[] {
  if (sumOver === undefined) return [buckets];
  return (labels[sumOver] ?? []).map((value) => buckets.filter((bucket) => bucket.labels[sumOver] === value));
}

const isSelected = ({ labels = {} }: DelayMetric, bucket: Bucket): boolean =>
  Object.entries(labels).every(([label, values]) => values.includes(bucket.labels[label] ?? ''));

function measureStep(
  buckets: readonly Bucket[],
  quantile: number,
): { readonly lower: number; readonly upper: number; readonly count: number } {
  const filled = buckets.filter(({ count }) => count > 0).sort((a, b) => a.upper - b.upper);
  const count = sum(filled.map((bucket) => bucket.count));
  let included = 0;
  const last = filled.find((bucket) => {
    included += bucket.count;
    return included >= count * quantile;
  });
  return { lower: filled.reduce((least, { lower }) => Math.min(least, lower), Infinity), upper: last?.upper ?? Infinity, count };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
