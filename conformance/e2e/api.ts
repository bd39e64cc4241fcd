import { Agent, request } from 'node:https';
import type { Manifest } from '../../examples/manifest.ts';

/** The port of an API server on loopback, and the token and CA for connecting to it. */
export interface Access {
  readonly port: number;
  readonly token: string;
  /** The server's self-signed certificate. */
  readonly ca: string;
}

export interface Api {
  /** Returns undefined if the object does not exist. */
  get(path: string): Promise<Manifest | undefined>;
  /** Returns the response body as text. */
  getText(path: string): Promise<string>;
  /** Returns a complete list, with kind and apiVersion on every item. */
  list(path: string): Promise<Manifest[]>;
  post(path: string, body: unknown): Promise<Manifest>;
  put(path: string, body: unknown): Promise<Manifest>;
  mergePatch(path: string, patch: unknown): Promise<Manifest>;
  delete(path: string, gracePeriodSeconds?: number): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 30_000;

/** A minimal client for the Kubernetes API, over HTTPS. */
export function connect({ port, token, ca }: Access): Api {
  // Closes idle connections before the server does so after 90 s, because a request sent at that moment would be lost.
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca, timeout: TIMEOUT_MS });
  const send = (method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      // Set explicitly, because Node would send a DELETE's body without a length.
      const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': Buffer.byteLength(text) };
      const sent = request({ agent, host: '127.0.0.1', port, method, path, headers, timeout: TIMEOUT_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
      });
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer in ${TIMEOUT_MS / 1000} s`)));
      sent.on('error', reject);
      sent.end(text);
    });
  const sendAndParse = async (method: string, path: string, body?: unknown, type?: string): Promise<Manifest> =>
    parse(method, path, await send(method, path, body, type));
  return {
    async get(path) {
      const answer = await send('GET', path);
      return answer.status === 404 ? undefined : parse('GET', path, answer);
    },
    async getText(path) {
      const { status, text } = await send('GET', path);
      if (status >= 400) throw new Error(`GET ${path}: ${status}`, { cause: status });
      return text;
    },
    async list(path) {
      const { apiVersion, kind, items } = (await sendAndParse('GET', path)) as unknown as ListAnswer;
      return items.map((item) => ({ ...item, apiVersion, kind: kind.replace(/List$/, '') }));
    },
    post: (path, body) => sendAndParse('POST', path, body),
    put: (path, body) => sendAndParse('PUT', path, body),
    mergePatch: (path, patch) => sendAndParse('PATCH', path, patch, 'application/merge-patch+json'),
    async delete(path, gracePeriodSeconds) {
      await sendAndParse('DELETE', path, gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds });
    },
    close: () => agent.destroy(),
  };
}

/** Whether the API server answered 409, as for an object that already exists. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && error.cause === 409;
}

/** Runs `work` for every item, a few at a time. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>, concurrency = 12): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** The path of a collection, or of one object. */
export function pathOf(kind: string, namespace?: string, name?: string): string {
  const plural = kind === 'Endpoints' ? 'endpoints' : `${kind.toLowerCase()}s`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  const group = kind === 'EndpointSlice' ? '/apis/discovery.k8s.io/v1' : '/api/v1';
  return `${group}${scope}/${plural}${name === undefined ? '' : `/${name}`}`;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface ListAnswer {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly Manifest[];
}

function parse(method: string, path: string, { status, text }: Answer): Manifest {
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${messageIn(text)}`, { cause: status });
  return JSON.parse(text) as Manifest;
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
