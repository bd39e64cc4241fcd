import type { RequestInfo } from '../../http/request-info.ts';

/** The requests of one kind: of one verb on one resource. */
export interface RequestSeries {
  readonly labels: Readonly<Record<RequestLabel, string>>;
  /** How many there were, by the code that was answered. */
  readonly codes: Map<number, number>;
  /** How many took at most as long as the bound of that place, and longer than the one before. */
  readonly buckets: number[];
  seconds: number;
  count: number;
  /** How many watches are open. */
  open: number;
}

type RequestLabel = 'component' | 'dry_run' | 'group' | 'resource' | 'scope' | 'subresource' | 'verb' | 'version';

/** Counts requests: plainly, for a request costs what is done here, and hardly any is ever scraped. */
export interface RequestMetrics {
  begin(info: RequestInfo, dryRun: boolean): RequestSeries;
  end(series: RequestSeries, code: number, milliseconds: number): void;
  all(): Iterable<RequestSeries>;
}

interface RequestMetricsOptions {
  /** Whether something is served there. What clients make up is counted, but not by name. */
  readonly knows?: (group: string, version: string, resource: string) => boolean;
  /** How many kinds are told apart; those that come later are counted together. */
  readonly kinds?: number;
}

export function createRequestMetrics({ knows = () => true, kinds = 2000 }: RequestMetricsOptions = {}): RequestMetrics {
  const byKind = new Map<string, RequestSeries>();
  const seriesOf = (key: string, labels: () => RequestSeries['labels']): RequestSeries => {
    let series = byKind.get(key);
    if (!series) {
      series = { labels: labels(), codes: new Map(), buckets: bounds.map(() => 0), seconds: 0, count: 0, open: 0 };
      byKind.set(key, series);
    }
    return series;
  };
  const rest = (verb: string): RequestSeries => seriesOf(verb, () => labelsOf(verb, undefined, false));
  return {
    begin(info, dryRun) {
      const verb = reportedVerbs.get(info.verb) ?? 'other';
      if (info.resource === '') return rest(verb);
      const key = `${verb} ${info.group}/${info.version}/${info.resource}/${info.subresource} ${info.scope} ${dryRun}`;
      const known = byKind.get(key);
      if (known) return known;
      if (byKind.size >= kinds || !knows(info.group, info.version, info.resource)) return rest(verb);
      return seriesOf(key, () => labelsOf(verb, info, dryRun));
    },
    end(series, code, milliseconds) {
      const seconds = milliseconds / 1000;
      series.codes.set(code, (series.codes.get(code) ?? 0) + 1);
      series.count += 1;
      series.seconds += seconds;
      const place = bounds.findIndex((bound) => seconds <= bound);
      if (place >= 0) series.buckets[place] = (series.buckets[place] ?? 0) + 1;
    },
    all: () => byKind.values(),
  };
}

/** The upper bounds of the buckets of `apiserver_request_duration_seconds`, in seconds. */
export const bounds: readonly number[] = [
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
