import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly warnings: readonly string[];
}

export interface Server {
  send(method: string, path: string, body?: unknown, accept?: string): Promise<Answer>;
  close(): void;
}

const paths: Readonly<Record<string, string>> = {
  namespaces: '/api/v1/namespaces',
  nodes: '/api/v1/nodes',
  groupEvents: '/apis/events.k8s.io/v1/namespaces/vectors/events',
  endpointSlices: '/apis/discovery.k8s.io/v1/namespaces/vectors/endpointslices',
  leases: '/apis/coordination.k8s.io/v1/namespaces/vectors/leases',
  mutatingWebhookConfigurations: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  validatingWebhookConfigurations: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
};

/** The collection path of a resource. */
export const collectionPath = (resource: string): string => paths[resource] ?? `/api/v1/namespaces/vectors/${resource.toLowerCase()}`;

/** Connects to the API server that conformance/e2e/cluster/up.sh started, given its folder and port. */
export function connect(folder: string, port: string): Server {
  const token = readFileSync(join(folder, 'token'), 'utf8');
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca: readFileSync(join(folder, 'certs', 'apiserver.crt'), 'utf8') });
  return {
    close: () => agent.destroy(),
    send(method, path, body, accept = 'application/json') {
      const text = body === undefined ? '' : JSON.stringify(body);
      const length = Buffer.byteLength(text);
      const headers = { authorization: `Bearer ${token}`, accept, 'content-type': 'application/json', 'content-length': length };
      return new Promise((resolve, reject) => {
        const clientRequest = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const parsed = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
            resolve({ status: response.statusCode ?? 0, body: parsed, warnings: warningsIn(response.headers['warning']) });
          });
        });
        clientRequest.on('error', reject);
        clientRequest.end(text);
      });
    },
  };
}

const warningsIn = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap((each) => each.split(/, (?=299 )/))
    .map((each) => JSON.parse(each.replace(/^299 - /, '')) as string);
