/** The observations of a histogram between two bounds in seconds, from one line of labels. */
export interface Bucket {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The upper bound of the bucket below; 0 for the first. */
  readonly lower: number;
  /** Infinity for the last bucket. */
  readonly upper: number;
  readonly count: number;
}

/**
 * Reads the buckets of histograms in the text format of Prometheus, version 0.0.4, as components of Kubernetes serve it at /metrics.
 * @throws RangeError naming the line of a histogram that is not in this format
 */
export function readBuckets(text: string): Bucket[] {
  const series = new Map<string, Sample[]>();
  for (const [index, line] of text.split('\n').entries()) {
    const metric = /^([a-zA-Z_:][\w:]*)_bucket\{/.exec(line)?.[1];
    if (metric === undefined) continue;
    const sample = readSample(metric, line.slice(metric.length + '_bucket'.length));
    if (!sample)
      throw new RangeError(`line ${index + 1} is not a bucket of a histogram in the text format of Prometheus: ${line.slice(0, 80)}`);
    const key = `${metric} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
    const samples = series.get(key) ?? [];
    series.set(key, samples);
    samples.push(sample);
  }
  return [...series.values()].flatMap(separate);
}

/** One line: the number of observations up to a bound. */
interface Sample {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly upper: number;
  readonly count: number;
}

const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|(?=\}))/y;

/** Reads `{name="value",le="0.5"} 3`, with a timestamp or without. */
function readSample(metric: string, text: string): Sample | undefined {
  const labels: Record<string, string> = {};
  let end = 1;
  while (text[end] !== '}') {
    labelPattern.lastIndex = end;
    const [, name, value = ''] = labelPattern.exec(text) ?? [];
    if (name === undefined) return undefined;
    labels[name] = value;
    end = labelPattern.lastIndex;
  }
  const { le = '', ...others } = labels;
  const upper = le === '+Inf' ? Infinity : Number(le || Number.NaN);
  const count = Number(/^ +(\S+)( +-?\d+)?\s*$/.exec(text.slice(end + 1))?.[1]);
  return Number.isNaN(upper) || !(count >= 0) ? undefined : { metric, labels: others, upper, count };
}

/** Separates counts up to a bound into those of each bucket. */
function separate(samples: readonly Sample[]): Bucket[] {
  const sorted = samples.toSorted((a, b) => a.upper - b.upper);
  return sorted.map((sample, i) => {
    const below = sorted[i - 1];
    return { ...sample, lower: below?.upper ?? 0, count: Math.max(0, sample.count - (below?.count ?? 0)) };
  });
}
