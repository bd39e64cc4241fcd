import type { RequestInfo } from '../../http/request-info.ts';

/** The requests with the same verb, resource and other labels. */
export interface RequestSeries {
  readonly labels: Readonly<Record<RequestLabel, string>>;
  /** Response code -> number of requests. */
  readonly codes: Map<number, number>;
  /** Number of requests per duration bucket, not cumulative; same indices as `bucketBounds`. */
  readonly buckets: number[];
  /** Sum of the durations. */
  totalSeconds: number;
  count: number;
  /** Number of open watches. */
  openCount: number;
}

type RequestLabel = 'component' | 'dry_run' | 'group' | 'resource' | 'scope' | 'subresource' | 'verb' | 'version';

/** Counts requests. Kept simple because every request pays for it, while the metrics are rarely scraped. */
export interface RequestMetrics {
  /** Returns the series in which a request is counted. */
  begin(info: RequestInfo, dryRun: boolean): RequestSeries;
  /** Counts an answered request. */
  end(series: RequestSeries, code: number, milliseconds: number): void;
  all(): Iterable<RequestSeries>;
}

interface RequestMetricsOptions {
  /** Whether a resource is served. Requests for other resources are counted without resource labels, so that clients cannot add series at will. */
  readonly isServed?: (group: string, version: string, resource: string) => boolean;
  /** Maximum number of series. Requests that would exceed it are counted without resource labels. Default: 2,000. */
  readonly maxSeries?: number;
}

export function createRequestMetrics({ isServed = () => true, maxSeries = 2000 }: RequestMetricsOptions = {}): RequestMetrics {
  const seriesByKey = new Map<string, RequestSeries>();
  const getOrCreateSeries = (key: string, createLabels: () => RequestSeries['labels']): RequestSeries => {
    let series = seriesByKey.get(key);
    if (!series) {
      series = { labels: createLabels(), codes: new Map(), buckets: bucketBounds.map(() => 0), totalSeconds: 0, count: 0, openCount: 0 };
      seriesByKey.set(key, series);
    }
    return series;
  };
  const getSeriesWithoutResource = (verb: string): RequestSeries => getOrCreateSeries(verb, () => labelsOf(verb, undefined, false));
  return {
    begin(info, dryRun) {
      const verb = reportedVerbs.get(info.verb) ?? 'other';
      if (info.resource === '') return getSeriesWithoutResource(verb);
      const key = `${verb} ${info.group}/${info.version}/${info.resource}/${info.subresource} ${info.scope} ${dryRun}`;
      const existing = seriesByKey.get(key);
      if (existing) return existing;
      if (seriesByKey.size >= maxSeries || !isServed(info.group, info.version, info.resource)) return getSeriesWithoutResource(verb);
      return getOrCreateSeries(key, () => labelsOf(verb, info, dryRun));
    },
    end(series, code, milliseconds) {
      const seconds = milliseconds / 1000;
      series.codes.set(code, (series.codes.get(code) ?? 0) + 1);
      series.count += 1;
      series.totalSeconds += seconds;
      const bucket = bucketBounds.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
    },
    all: () => seriesByKey.values(),
  };
}

/** The upper bounds of the buckets of `apiserver_request_duration_seconds`, in seconds. */
export const bucketBounds: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

const labelsOf = (verb: string, info: RequestInfo | undefined, dryRun: boolean): RequestSeries['labels'] => ({
  component: info ? 'apiserver' : '',
  dry_run: dryRun ? 'All' : '',
  group: info?.group ?? '',
  resource: info?.resource ?? '',
  scope: info?.scope ?? '',
  subresource: info?.subresource ?? '',
  verb,
  version: info?.version ?? '',
});

const reportedVerbs: ReadonlyMap<string, string> = new Map([
  ['create', 'POST'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETECOLLECTION'],
  ['get', 'GET'],
  ['head', 'HEAD'],
  ['list', 'LIST'],
  ['patch', 'PATCH'],
  ['post', 'POST'],
  ['put', 'PUT'],
  ['update', 'PUT'],
  ['watch', 'WATCH'],
]);
