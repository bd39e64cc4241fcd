import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type WebhookCall, type WebhookClient, WebhookConnectionError } from '../../src/webhook-client/client.ts';
import { createAgents, createHttpsClient } from '../../src/webhook-client/https-client.ts';
import { behaviours } from '../admission/flows/behaviours.ts';
import { type Authority, createAuthority } from '../admission/support/certificates.ts';
import { startWebhookServer, type WebhookServer } from '../admission/support/webhook-server.ts';

let authority: Authority;
let server: WebhookServer;
let client: WebhookClient;
const otherServers: Server[] = [];

beforeAll(async () => {
  authority = await createAuthority();
  server = await startWebhookServer(await authority.issue(['127.0.0.1', 'hook.shop.svc']), behaviours);
  client = createHttpsClient();
});
afterEach(() => {
  for (const otherServer of otherServers.splice(0)) otherServer.close();
});
afterAll(async () => {
  client.close();
  await server.close();
});

const createCall = (options: Partial<WebhookCall> = {}, port: number = server.port): WebhookCall => ({
  host: `127.0.0.1:${port}`,
  path: '/allow',
  body: '{"apiVersion":"admission.k8s.io/v1","request":{"uid":"u"}}',
  locate: () => ({ host: '127.0.0.1', port }),
  serverName: '127.0.0.1',
  authorities: authority.certificate,
  signal: new AbortController().signal,
  ...options,
});

async function errorOfPost(options: Partial<WebhookCall>, port?: number): Promise<string> {
  const error = await client.post(createCall(options, port)).catch((reason: unknown) => reason);
  if (!(error instanceof WebhookConnectionError)) throw error;
  return `${error.phase}: ${error.message}`;
}

const listen = async (otherServer: Server): Promise<number> => {
  otherServers.push(otherServer);
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
  return (otherServer.address() as AddressInfo).port;
};

describe('HTTPS call', () => {
  it('sends the headers of kube-apiserver', async () => {
    server.clearReceivedReviews();
    const { code, headers, body } = await client.post(
      createCall({ path: '/allow?timeout=10s', host: 'hook.shop.svc:443', serverName: 'hook.shop.svc' }),
    );
    expect({ code, type: headers['content-type'], allowed: JSON.parse(body).response.allowed }).toEqual({
      code: 200,
      type: 'application/json',
      allowed: true,
    });
    const [{ url, headers: sentHeaders } = { url: '', headers: {} }] = server.receivedReviews;
    expect(url).toBe('/allow?timeout=10s');
    expect(sentHeaders).toMatchObject({
      host: 'hook.shop.svc:443',
      'user-agent': 'kube-apiserver-admission',
      accept: 'application/json, */*',
      'content-type': 'application/json',
    });
  });

  it('reuses the connection of an earlier call', async () => {
    const ownClient = createHttpsClient();
    const connectionsBefore = server.connectionCount;
    for (let i = 0; i < 5; i++) await ownClient.post(createCall());
    expect(server.connectionCount - connectionsBefore).toBe(1);
    ownClient.close();
  });

  it('reconnects if the server has closed the idle connection', async () => {
    const ownClient = createHttpsClient();
    await ownClient.post(createCall());
    server.dropConnections();
    expect((await ownClient.post(createCall())).code).toBe(200);
    ownClient.close();
  });

  it('does not share connections between authorities or server names', async () => {
    const connectionsBefore = server.connectionCount;
    await client.post(createCall());
    await client.post(createCall({ serverName: 'hook.shop.svc' }));
    expect(await errorOfPost({ authorities: (await createAuthority('other authority')).certificate })).toBe(
      'call: tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
    expect(server.connectionCount - connectionsBefore).toBeLessThanOrEqual(2);
  });
});

/** The messages are those of kube-apiserver 1.36.3. */
describe('a failed call', () => {
  it('reports a refused connection', async () => {
    expect(await errorOfPost({}, 1)).toBe('call: dial tcp 127.0.0.1:1: connect: connection refused');
  });

  it('reports a Service that cannot be resolved', async () => {
    const locate = (): never => {
      throw new Error('service "hook" not found');
    };
    expect(await errorOfPost({ locate })).toBe('call: service "hook" not found');
  });

  it('reports a certificate for another name', async () => {
    expect(await errorOfPost({ serverName: 'other.shop.svc' })).toBe(
      'call: tls: failed to verify certificate: x509: certificate is valid for hook.shop.svc, not other.shop.svc',
    );
    const otherServer = await startWebhookServer(await authority.issue(['10.0.0.1', 'a.example.com']), behaviours);
    expect(await errorOfPost({}, otherServer.port)).toBe(
      'call: tls: failed to verify certificate: x509: certificate is valid for 10.0.0.1, not 127.0.0.1',
    );
    await otherServer.close();
  });

  it('reports an expired certificate', async () => {
    const expiredServer = await startWebhookServer(await authority.issue(['127.0.0.1'], new Date('2021-01-01T00:00:00Z')), behaviours);
    expect(await errorOfPost({}, expiredServer.port)).toBe(
      'call: tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
    );
    await expiredServer.close();
  });

  it('reports a server without TLS', async () => {
    expect(await errorOfPost({}, await listen(createHttpServer((_request, answer) => answer.end())))).toBe(
      'call: http: server gave HTTP response to HTTPS client',
    );
  });

  it('reports a connection that closes early', async () => {
    expect(await errorOfPost({ path: '/hangup' })).toBe('call: EOF');
    expect(await errorOfPost({}, await listen(createTcpServer((socket) => void socket.end())))).toBe('call: EOF');
    expect(await errorOfPost({ path: '/truncated' })).toBe('answer: unexpected EOF');
  });

  it('reports an answer over the size limit', async () => {
    expect(await errorOfPost({ path: '/huge' })).toBe('answer: the answer is longer than 8388608 bytes');
  });

  it('reports the reason of an aborted signal', async () => {
    const abortedSignal = AbortSignal.abort(new Error('context deadline exceeded'));
    expect(await errorOfPost({ signal: abortedSignal })).toBe('call: context deadline exceeded');
  });

  it('reports an invalid certificate authority', async () => {
    expect(await errorOfPost({ authorities: 'no certificate' })).toBe(
      'setup: unable to load root certificates: unable to parse bytes as PEM block',
    );
    const invalidPem = '-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----\n';
    expect(await errorOfPost({ authorities: invalidPem })).toMatch(/^setup: unable to load root certificates: |^call: tls: /);
  });
});

describe('agents', () => {
  const callTo = (host: string) => ({ host, serverName: 'hook.shop.svc' });

  it('are shared by calls to the same host and server name', async () => {
    const agents = createAgents();
    const agent = await agents.getAgent(callTo('a:443'));
    expect(await agents.getAgent(callTo('a:443'))).toBe(agent);
    expect(await agents.getAgent(callTo('b:443'))).not.toBe(agent);
    expect(await agents.getAgent({ ...callTo('a:443'), serverName: 'other' })).not.toBe(agent);
    agents.close();
    expect(await agents.getAgent(callTo('a:443'))).not.toBe(agent);
  });

  it('are shared by concurrent calls', async () => {
    const agents = createAgents();
    const [first, second] = await Promise.all([agents.getAgent(callTo('a:443')), agents.getAgent(callTo('a:443'))]);
    expect(first).toBe(second);
  });

  it('are dropped above the limit of 200, least recently used first', async () => {
    const agents = createAgents();
    const first = await agents.getAgent(callTo('first:443'));
    const second = await agents.getAgent(callTo('second:443'));
    for (let i = 0; i < 198; i++) await agents.getAgent(callTo(`${i}:443`));
    expect(await agents.getAgent(callTo('first:443'))).toBe(first);
    await agents.getAgent(callTo('one too many:443'));
    expect(await agents.getAgent(callTo('first:443'))).toBe(first);
    expect(await agents.getAgent(callTo('second:443'))).not.toBe(second);
  });
});
