import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { Answer, RequestStep } from './steps.ts';

export interface Server {
  send(step: RequestStep): Promise<Answer>;
  close(): void;
}

/** Connects to the API server that conformance/e2e/cluster/up.sh has started. @param folder the folder of its credentials */
export function connect(folder: string, port: string): Server {
  const token = readFileSync(join(folder, 'token'), 'utf8');
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca: readFileSync(join(folder, 'certs', 'apiserver.crt'), 'utf8') });
  return {
    close: () => agent.destroy(),
    send({ method, path, body, type = 'application/json', accept = 'application/json' }) {
      const text = body === undefined ? '' : JSON.stringify(body);
      const length = Buffer.byteLength(text);
      const headers = { authorization: `Bearer ${token}`, accept, 'content-type': type, 'content-length': length };
      return new Promise((resolve, reject) => {
        const clientRequest = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString('utf8');
            const warnings = parseWarnings(response.headers['warning']);
            resolve({ code: response.statusCode ?? 0, answer: parseJsonOrText(answer), ...(warnings.length > 0 && { warnings }) });
          });
        });
        clientRequest.on('error', reject);
        clientRequest.end(text);
      });
    },
  };
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const parseWarnings = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .flatMap((each) => each.split(/, (?=299 )/))
    .map((each) => JSON.parse(each.replace(/^299 - /, '')) as string);
