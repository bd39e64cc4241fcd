import { type Command, InvalidArgumentError } from 'commander';
import { createWholeNumberParser } from './common.ts';

/** The client-side rate limit. Without both flags, requests are not limited. */
export interface RateLimitFlags {
  /** Requests per second. */
  readonly kubeApiQps: number | undefined;
  readonly kubeApiBurst: number | undefined;
}

export const addRateLimitFlags = (command: Command): Command =>
  command
    .option(
      '--kube-api-qps <QPS>',
      'limit requests to the API server to this number per second, watches excepted (default: no limit; 20 if --kube-api-burst is given)',
      parseQPS,
    )
    .option(
      '--kube-api-burst <N>',
      'the number of requests that may be sent at once before the limit applies (default: 30 if --kube-api-qps is given)',
      createWholeNumberParser(1, 99_999),
    );

/** @throws InvalidArgumentError */
function parseQPS(text: string): number {
  const qps = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (qps >= 0.01 && qps <= 100_000) return qps;
  throw new InvalidArgumentError('give a number from 0.01 to 100000');
}
