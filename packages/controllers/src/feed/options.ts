import { type ClientPort, type SteadyClock, systemClock } from 'kube-endpoints/port';
import type { Tell } from '../happening.ts';

export interface EndpointFeedOptions {
  readonly port: Pick<ClientPort, 'list' | 'watch'>;
  readonly clock?: SteadyClock;
  /** From 0 up to, but not including, 1. */
  readonly random?: () => number;
  /** For how many milliseconds changes of a Service are gathered, from the first on; 2,000 by default. */
  readonly window?: number;
  /** One namespace only; all by default. */
  readonly namespace?: string;
  /** These only, as "namespace/name"; all by default. */
  readonly services?: readonly string[];
  /** What is read; EndpointSlices by default. */
  readonly source?: 'endpointslices' | 'endpoints';
  readonly tell?: Tell;
}

/** The options, checked, with their defaults. */
export interface FeedSettings extends Required<Omit<EndpointFeedOptions, 'namespace' | 'services' | 'tell'>> {
  readonly namespace: string | undefined;
  readonly services: readonly string[] | undefined;
  readonly tell: Tell | undefined;
}

/** @throws RangeError that names the option */
export function feedSettingsOf(options: EndpointFeedOptions): FeedSettings {
  const { port, clock = systemClock, random = Math.random, window = 2000, source = 'endpointslices', namespace, services, tell } = options;
  if (!Number.isSafeInteger(window) || window < 0) throw new RangeError(`window is ${window}: give a whole number from 0 on`);
  if (source !== 'endpointslices' && source !== 'endpoints') {
    throw new RangeError(`source is ${JSON.stringify(source)}: give "endpointslices" or "endpoints"`);
  }
  const wrong = services?.find((key) => !/^[^/]+\/[^/]+$/.test(key));
  if (wrong !== undefined) throw new RangeError(`services has ${JSON.stringify(wrong)}: give each as "namespace/name"`);
  const outside = services?.find((key) => namespace !== undefined && !key.startsWith(`${namespace}/`));
  if (outside !== undefined) throw new RangeError(`services has ${JSON.stringify(outside)}, which is not in the namespace "${namespace}"`);
  return { port, clock, random, window, source, namespace, services, tell };
}
