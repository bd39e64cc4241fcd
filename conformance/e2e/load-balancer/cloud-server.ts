import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMemoryCloud, type Fault, type MemoryCloud } from '@kube-endpoints/controllers/clouds';
import type { CloudError } from 'kube-endpoints/load-balancer';
import type { CloudCall } from '../../../packages/controllers/src/clouds/memory/answer.ts';

/** A cloud that is independent of controller restarts: controllers reach it over HTTP, through `cloud-module.mjs`. */
export interface CloudServer {
  readonly cloud: MemoryCloud;
  readonly url: string;
  /** Replaces the rules that make calls fail. */
  setFaults(faults: (call: CloudCall) => Fault | undefined): void;
  /** Sets a function that runs after a call has taken effect and before its response is sent; "drop" suppresses the response. */
  setIntercept(intercept: (call: CloudCall) => 'drop' | undefined): void;
  close(): Promise<void>;
}

export async function startCloud(): Promise<CloudServer> {
  let faults: (call: CloudCall) => Fault | undefined = () => undefined;
  let intercept: (call: CloudCall) => 'drop' | undefined = () => undefined;
  const cloud = createMemoryCloud({ faults: (call) => faults(call) });
  const server = createServer((request, response) => {
    respond(cloud, request, response, (call) => intercept(call)).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    cloud,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFaults(next) {
      faults = next;
    },
    setIntercept(next) {
      intercept = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function respond(
  cloud: MemoryCloud,
  request: IncomingMessage,
  response: ServerResponse,
  intercept: (call: CloudCall) => 'drop' | undefined,
): Promise<void> {
  const closeController = new AbortController();
  response.once('close', () => closeController.abort(new Error('the client has closed the connection')));
  const verb = (request.url ?? '').slice(1) as 'get';
  const cloudRequest = JSON.parse(await text(request)) as Parameters<MemoryCloud['balancers']['get']>[0];
  let body: unknown;
  try {
    const result: unknown = await cloud.balancers[verb]({ ...cloudRequest, signal: closeController.signal });
    body = { result: result ?? null };
  } catch (error) {
    const { code = 'Failed', retryAfter } = error as Partial<CloudError>;
    body = { error: { code, message: error instanceof Error ? error.message : String(error), retryAfter } };
  }
  const call = cloud.calls.at(-1);
  if (call && call.verb === verb && intercept(call) === 'drop') return;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}
