import type { WebhookMetrics } from './metrics.ts';

export interface PlainAnswer {
  readonly code: number;
  readonly body: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operational {
  readonly metrics: Pick<WebhookMetrics, 'scrape' | 'contentType'>;
  readonly ready: () => boolean;
}

/** What a server says of itself under a path; undefined for a path of others. */
export function operationalAnswer(path: string, { metrics, ready }: Operational): PlainAnswer | Promise<PlainAnswer> | undefined {
  if (path === '/healthz' || path === '/livez') return plain(200, 'ok');
  if (path === '/readyz') return ready() ? plain(200, 'ok') : plain(503, 'not ready');
  if (path !== '/metrics') return undefined;
  return metrics.scrape().then((body) => ({ code: 200, body, contentType: metrics.contentType }));
}

export const operationalPaths: readonly string[] = ['/healthz', '/livez', '/readyz', '/metrics'];

export const plain = (code: number, text: string, headers: Readonly<Record<string, string>> = {}): PlainAnswer => ({
  code,
  body: `${text}\n`,
  contentType: 'text/plain; charset=utf-8',
  headers,
});
