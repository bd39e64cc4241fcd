import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { ApiObject } from 'kube-endpoints/port';
import { parse } from 'yaml';
import { type Connection, openConnection } from '../bench/apiserver/connection.ts';

export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}

export function readAccess(kubeconfig: string): Access {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const { server: url, 'certificate-authority-data': data } = clusters[0].cluster;
  return { url, ca: Buffer.from(data, 'base64').toString(), token: users[0].user.token };
}

export interface Call {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  /** Default: application/json. */
  readonly contentType?: string;
}

export interface Answer {
  readonly code: number;
  readonly object: ApiObject & { readonly message?: string; readonly items?: readonly ApiObject[] };
}

/** A client with one connection, over HTTPS. */
export interface Client {
  /** Rejects if the connection breaks; the server may have processed the call or not. */
  send(call: Call): Promise<Answer>;
  close(): void;
}

export function createClient({ url, ca, token }: Access): Client {
  let connection: Connection | undefined;
  const head = `Host: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`;
  return {
    async send({ method, path, body, contentType = 'application/json' }) {
      const text = body ? JSON.stringify(body) : '';
      connection ??= await openConnection(url, ca);
      try {
        const lines = `${method} ${path} HTTP/1.1\r\n${head}Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
        const answer = await connection.send(lines + text);
        return { code: answer.code, object: JSON.parse(answer.body.toString()) as Answer['object'] };
      } catch (error) {
        connection?.close();
        connection = undefined;
        throw error;
      }
    },
    close() {
      connection?.close();
      connection = undefined;
    },
  };
}

export interface WatchLine {
  readonly type: 'ADDED' | 'BOOKMARK' | 'DELETED' | 'ERROR' | 'MODIFIED';
  readonly object: ApiObject & { readonly code?: number };
}

/** Opens a watch and calls `onLine` with each event, until the connection ends or `signal` aborts. Never rejects. */
export function readWatch({ url, ca, token }: Access, path: string, onLine: (line: WatchLine) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const call = request(`${url}${path}`, { ca, agent: false, signal, headers: { Authorization: `Bearer ${token}` } }, (answer) => {
      let rest = '';
      answer.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(JSON.parse(line) as WatchLine);
      });
      answer.on('close', resolve).on('error', () => resolve());
    });
    call.on('error', () => resolve()).end();
  });
}
