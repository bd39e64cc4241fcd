import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { createServingCertificate, type ServingCertificate } from '@kube-endpoints/apiserver';
import type { SteadyClock } from 'kube-endpoints/port';
import { onTestFinished } from 'vitest';
import { createRawConnection, formatRequestHead, type RawConnection } from '../../../../test/support/raw-connection.ts';
import { createClock } from '../../../apiserver/test/store/support.ts';
import { type AdmissionResponse, createOverrides, type EndpointOverrides } from '../../src/index.ts';
import type { JsonPatchOperation } from '../../src/internal.ts';
import { createWebhookServer, type WebhookOptions, type WebhookServer } from '../../src/webhook/index.ts';

/** A serving certificate for localhost, with its CA. */
export function createCertificate(seed = 7): ServingCertificate {
  let next = seed;
  const randomBytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => (next = (next * 31 + 11) & 0xff));
  return createServingCertificate({ names: ['localhost', '127.0.0.1'], now: Date.now(), randomBytes });
}

export interface ManualClock extends SteadyClock {
  advance(milliseconds: number): void;
  /** The number of pending calls. */
  readonly scheduled: number;
}

/** A clock that only advances manually. */
export function createWebhookClock(): ManualClock {
  const clock = createClock(Date.parse('2026-07-01T12:00:00Z'));
  return Object.assign(clock, { elapsed: () => clock.now() });
}

/** Removes the address 10.0.0.2 from all objects. */
export const removalRules: EndpointOverrides = {
  rules: [{ name: 'two-out', addresses: { ranges: ['10.0.0.2'] }, action: { keepOut: { as: 'absent' } } }],
};

export interface RunningWebhook extends Target {
  readonly server: WebhookServer;
  readonly certificate: ServingCertificate;
}

/** The address of a webhook, and the CA to trust. */
export interface Target {
  readonly url: string;
  readonly port: number;
  readonly ca: string;
}

/** Starts a server that is closed after the test. */
export async function serve(
  options: Partial<WebhookOptions> & { readonly certificate?: ServingCertificate } = {},
): Promise<RunningWebhook> {
  const { certificate = createCertificate(), ...more } = options;
  const server = createWebhookServer({ tls: certificate, overrides: createOverrides(removalRules), processMetrics: false, ...more });
  const { url, port } = await server.listen({ host: '127.0.0.1' });
  onTestFinished(() => server.close({ drainMs: 0 }));
  return { server, url, port, ca: certificate.ca, certificate };
}

export interface Reply {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string;
  readonly agent?: Agent;
}

/** Sends a request over a new connection unless there is an agent. */
export function sendRequest({ url, ca }: Pick<Target, 'url' | 'ca'>, options: RequestOptions = {}): Promise<Reply> {
  const { method = 'POST', path = '/mutate?timeout=10s', headers = { 'Content-Type': 'application/json' }, body, agent } = options;
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, ca, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ code: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}

/** An agent that keeps connections alive until the test ends. */
export function createKeepAliveAgent(sockets = 1): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  onTestFinished(() => agent.destroy());
  return agent;
}

export const sendGet = (target: Pick<Target, 'url' | 'ca'>, path: string): Promise<Reply> =>
  sendRequest(target, { method: 'GET', path, headers: {} });

export const endpointsOf = (...ips: readonly string[]): Readonly<Record<string, unknown>> => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'web', namespace: 'shop' },
  subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 80, protocol: 'TCP' }] }],
});

/** An AdmissionReview as the API server sends it. */
export function reviewOf(object: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { apiVersion, kind, metadata } = object as { apiVersion: string; kind: string; metadata: { name: string; namespace: string } };
  const [version, group = ''] = apiVersion.split('/').reverse();
  const plural = `${kind.toLowerCase()}${kind.endsWith('s') ? '' : 's'}`;
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group, version, kind },
      resource: { group, version, resource: plural },
      name: metadata.name,
      namespace: metadata.namespace,
      operation: 'CREATE',
      userInfo: { username: 'system:serviceaccount:kube-system:endpoint-controller' },
      object,
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      ...more,
    },
  };
}

/** Returns the response to a review. */
export async function sendReview(
  target: Pick<Target, 'url' | 'ca'>,
  review: unknown,
  options: RequestOptions = {},
): Promise<AdmissionResponse> {
  const { code, body } = await sendRequest(target, { ...options, body: typeof review === 'string' ? review : JSON.stringify(review) });
  if (code !== 200) throw new Error(`${code} ${body}`);
  return (JSON.parse(body) as { readonly response: AdmissionResponse }).response;
}

export const patchIn = ({ patch = '' }: AdmissionResponse): readonly JsonPatchOperation[] =>
  patch === '' ? [] : (JSON.parse(Buffer.from(patch, 'base64').toString('utf8')) as JsonPatchOperation[]);

export { formatRequestHead as head };

export async function connectTo({ port, ca }: Pick<Target, 'port' | 'ca'>): Promise<RawConnection<TLSSocket>> {
  const connection = createRawConnection(connect({ port, host: '127.0.0.1', ca, servername: 'localhost' }));
  await once(connection.socket, 'secureConnect');
  return connection;
}

/** Waits for the condition, polling whenever the event loop is idle. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

/** Returns the value of the metric with these labels, or 0. */
export async function readMetric(
  { metrics }: Pick<WebhookServer, 'metrics'>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const lines = (await metrics.scrape()).split('\n').filter((line) => line.startsWith(`kube_endpoints_webhook_${name}`));
  const metricLine = lines.find((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)));
  return metricLine === undefined ? 0 : Number(metricLine.slice(metricLine.lastIndexOf(' ') + 1));
}
