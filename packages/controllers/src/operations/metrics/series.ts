import type { Metric, Registry } from 'prom-client';

/** Label values, in the order of the label names. */
type Labels = readonly string[];

export interface Family {
  readonly registry: Registry;
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

export interface Counter {
  inc(labels: Labels, by?: number): void;
}

export interface Gauge extends Counter {
  set(labels: Labels, value: number): void;
}

export interface Histogram {
  observe(labels: Labels, value: number): void;
}

/** One plain number per set of labels: cheap, because it is updated many times between two scrapes. */
export const createCounter = (family: Family): Counter => createNumbers(family, 'counter');
export const createGauge = (family: Family): Gauge => createNumbers(family, 'gauge');

function createNumbers(family: Family, type: 'counter' | 'gauge'): Gauge {
  const all = new Map<string, { readonly labels: Labels; value: number }>();
  const cellOf = (labels: Labels): { value: number } => {
    const key = keyOf(labels);
    let cell = all.get(key);
    if (!cell) {
      cell = { labels: [...labels], value: 0 };
      all.set(key, cell);
    }
    return cell;
  };
  register(family, type, () => [...all.values()].map(({ labels, value }) => ({ labels: named(family, labels), value })));
  return {
    inc(labels, by = 1) {
      cellOf(labels).value += by;
    },
    set(labels, value) {
      cellOf(labels).value = value;
    },
  };
}

/** @param bounds the upper bounds of the buckets, ascending; the bucket "+Inf" is added */
export function createHistogram(family: Family, bounds: readonly number[]): Histogram {
  const all = new Map<string, Distribution>();
  register(family, 'histogram', () => [...all.values()].flatMap((one) => valuesOf(one, family, bounds)));
  const fresh = (labels: Labels): Distribution => ({ labels: [...labels], buckets: bounds.map(() => 0), sum: 0, count: 0 });
  // A metric without labels exists from the start, as is usual.
  if (!family.labelNames) all.set(keyOf([]), fresh([]));
  return {
    observe(labels, value) {
      const key = keyOf(labels);
      let one = all.get(key);
      if (!one) {
        one = fresh(labels);
        all.set(key, one);
      }
      one.sum += value;
      one.count += 1;
      const bucket = bounds.findIndex((bound) => value <= bound);
      if (bucket >= 0) one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1;
    },
  };
}

interface Distribution {
  readonly labels: Labels;
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
  const own = named(family, labels);
  let total = 0;
  const cumulative = bounds.map((le, bucket): Value => {
    total += buckets[bucket] ?? 0;
    return { metricName: `${family.name}_bucket`, labels: { le, ...own }, value: total };
  });
  return [
    ...cumulative,
    { metricName: `${family.name}_bucket`, labels: { le: '+Inf', ...own }, value: count },
    { metricName: `${family.name}_sum`, labels: own, value: sum },
    { metricName: `${family.name}_count`, labels: own, value: count },
  ];
}

const keyOf = (labels: Labels): string => (labels.length === 1 ? (labels[0] as string) : labels.join('\n'));

const named = ({ labelNames = [] }: Family, labels: Labels): Record<string, string> =>
  Object.fromEntries(labelNames.map((name, at) => [name, labels[at] ?? '']));

/** The library calls a metric only for its values, at a scrape. */
function register({ registry, name, help }: Family, type: string, values: () => readonly Value[]): void {
  const get = async (): Promise<object> => ({ name, help, type, aggregator: 'sum', values: values() });
  registry.registerMetric({ name, help, get, reset: () => undefined } as unknown as Metric);
}
