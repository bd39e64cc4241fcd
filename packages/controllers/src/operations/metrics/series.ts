import type { Metric, Registry } from 'prom-client';

/** Label values, in the order of the label names. */
type LabelValues = readonly string[];

export interface Family {
  readonly registry: Registry;
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

export interface Counter {
  inc(labels: LabelValues, amount?: number): void;
}

export interface Gauge extends Counter {
  set(labels: LabelValues, value: number): void;
}

export interface Histogram {
  observe(labels: LabelValues, value: number): void;
}

/** Keeps a plain number for each set of labels. Updates must be cheap, because there are many between two scrapes. */
export const createCounter = (family: Family): Counter => createNumberFamily(family, 'counter');
export const createGauge = (family: Family): Gauge => createNumberFamily(family, 'gauge');

function createNumberFamily(family: Family, type: 'counter' | 'gauge'): Gauge {
  const cells = new Map<string, { readonly labels: LabelValues; value: number }>();
  const cellOf = (labels: LabelValues): { value: number } => {
    const key = keyOf(labels);
    let cell = cells.get(key);
    if (!cell) {
      cell = { labels: [...labels], value: 0 };
      cells.set(key, cell);
    }
    return cell;
  };
  register(family, type, () => [...cells.values()].map(({ labels, value }) => ({ labels: toLabelObject(family, labels), value })));
  return {
    inc(labels, amount = 1) {
      cellOf(labels).value += amount;
    },
    set(labels, value) {
      cellOf(labels).value = value;
    },
  };
}

/** @param bounds the upper bounds of the buckets, ascending; the bucket "+Inf" is added */
export function createHistogram(family: Family, bounds: readonly number[]): Histogram {
  const distributions = new Map<string, Distribution>();
  register(family, 'histogram', () => [...distributions.values()].flatMap((distribution) => valuesOf(distribution, family, bounds)));
  const createDistribution = (labels: LabelValues): Distribution => ({
    labels: [...labels],
    buckets: bounds.map(() => 0),
    sum: 0,
    count: 0,
  });
  // As in prom-client, a metric without labels exists before its first value.
  if (!family.labelNames) distributions.set(keyOf([]), createDistribution([]));
  return {
    observe(labels, value) {
      const key = keyOf(labels);
      let distribution = distributions.get(key);
      if (!distribution) {
        distribution = createDistribution(labels);
        distributions.set(key, distribution);
      }
      distribution.sum += value;
      distribution.count += 1;
      const bucket = bounds.findIndex((bound) => value <= bound);
      if (bucket >= 0) distribution.buckets[bucket] = (distribution.buckets[bucket] ?? 0) + 1;
    },
  };
}

interface Distribution {
  readonly labels: LabelValues;
  /** Count of values up to the bound at that index and above the previous bound (not cumulative). */
  readonly buckets: number[];
  sum: number;
  count: number;
}

interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Makes the buckets cumulative, as Prometheus expects. */
function valuesOf({ labels, buckets, sum, count }: Distribution, family: Family, bounds: readonly number[]): Value[] {
  const labelValues = toLabelObject(family, labels);
  let total = 0;
  const cumulative = bounds.map((le, bucket): Value => {
    total += buckets[bucket] ?? 0;
    return { metricName: `${family.name}_bucket`, labels: { le, ...labelValues }, value: total };
  });
  return [
    ...cumulative,
    { metricName: `${family.name}_bucket`, labels: { le: '+Inf', ...labelValues }, value: count },
    { metricName: `${family.name}_sum`, labels: labelValues, value: sum },
    { metricName: `${family.name}_count`, labels: labelValues, value: count },
  ];
}

const keyOf = (labels: LabelValues): string => (labels.length === 1 ? (labels[0] as string) : labels.join('\n'));

const toLabelObject = ({ labelNames = [] }: Family, labels: LabelValues): Record<string, string> =>
  Object.fromEntries(labelNames.map((name, index) => [name, labels[index] ?? '']));

/** Registers an object with the few members that prom-client calls at a scrape. */
function register({ registry, name, help }: Family, type: string, values: () => readonly Value[]): void {
  const get = async (): Promise<object> => ({ name, help, type, aggregator: 'sum', values: values() });
  registry.registerMetric({ name, help, get, reset: () => undefined } as unknown as Metric);
}
