import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type WebhookCall, type WebhookClient, WebhookConnectionError } from '../../../src/admission/webhooks/client.ts';
import { createAgents, createHttpsClient } from '../../../src/admission/webhooks/https-client.ts';
import { behaviours } from '../flows/behaviours.ts';
import { type Authority, createAuthority } from '../support/certificates.ts';
import { startWebhooks, type WebhookServer } from '../support/webhook-server.ts';

let authority: Authority;
let server: WebhookServer;
let client: WebhookClient;
const others: Server[] = [];

beforeAll(async () => {
  authority = await createAuthority();
  server = await startWebhooks(await authority.issue(['127.0.0.1', 'hook.shop.svc']), behaviours);
  client = createHttpsClient();
});
afterEach(() => {
  for (const other of others.splice(0)) other.close();
});
afterAll(async () => {
  client.close();
  await server.close();
});

const call = (more: Partial<WebhookCall> = {}, port: number = server.port): WebhookCall => ({
  host: `127.0.0.1:${port}`,
  path: '/allow',
  body: '{"apiVersion":"admission.k8s.io/v1","request":{"uid":"u"}}',
  locate: () => ({ host: '127.0.0.1', port }),
  serverName: '127.0.0.1',
  authorities: authority.certificate,
  signal: new AbortController().signal,
  ...more,
});

async function broken(more: Partial<WebhookCall>, port?: number): Promise<string> {
  const error = await client.post(call(more, port)).catch((reason: unknown) => reason);
  if (!(error instanceof WebhookConnectionError)) throw error;
  return `${error.where}: ${error.message}`;
}

const listening = async (other: Server): Promise<number> => {
  others.push(other);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  return (other.address() as AddressInfo).port;
};

describe('an HTTPS call', () => {
  it('sends the headers of kube-apiserver', async () => {
    server.forget();
    const { code, headers, body } = await client.post(
      call({ path: '/allow?timeout=10s', host: 'hook.shop.svc:443', serverName: 'hook.shop.svc' }),
    );
    expect({ code, type: headers['content-type'], allowed: JSON.parse(body).response.allowed }).toEqual({
      code: 200,
      type: 'application/json',
      allowed: true,
    });
    const [{ url, headers: sent } = { url: '', headers: {} }] = server.received;
    expect(url).toBe('/allow?timeout=10s');
    expect(sent).toMatchObject({
      host: 'hook.shop.svc:443',
      'user-agent': 'kube-apiserver-admission',
      accept: 'application/json, */*',
      'content-type': 'application/json',
    });
  });

  it('reuses a connection', async () => {
    const own = createHttpsClient();
    const before = server.connections;
    for (let i = 0; i < 5; i++) await own.post(call());
    expect(server.connections - before).toBe(1);
    own.close();
  });

  it('reconnects if the kept connection is closed', async () => {
    const own = createHttpsClient();
    await own.post(call());
    server.dropConnections();
    expect((await own.post(call())).code).toBe(200);
    own.close();
  });

  it('does not share connections between authorities or server names', async () => {
    const before = server.connections;
    await client.post(call());
    await client.post(call({ serverName: 'hook.shop.svc' }));
    expect(await broken({ authorities: (await createAuthority('somebody else')).certificate })).toBe(
      'call: tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
    expect(server.connections - before).toBeLessThanOrEqual(2);
  });
});

/** The messages are those of kube-apiserver 1.36.3. */
describe('a failed call reports', () => {
  it('a refused connection', async () => {
    expect(await broken({}, 1)).toBe('call: dial tcp 127.0.0.1:1: connect: connection refused');
  });

  it('a Service that cannot be resolved', async () => {
    const locate = (): never => {
      throw new Error('service "hook" not found');
    };
    expect(await broken({ locate })).toBe('call: service "hook" not found');
  });

  it('a certificate for another name', async () => {
    expect(await broken({ serverName: 'other.shop.svc' })).toBe(
      'call: tls: failed to verify certificate: x509: certificate is valid for hook.shop.svc, not other.shop.svc',
    );
    const elsewhere = await startWebhooks(await authority.issue(['10.0.0.1', 'a.example.com']), behaviours);
    expect(await broken({}, elsewhere.port)).toBe(
      'call: tls: failed to verify certificate: x509: certificate is valid for 10.0.0.1, not 127.0.0.1',
    );
    await elsewhere.close();
  });

  it('an expired certificate', async () => {
    const past = await startWebhooks(await authority.issue(['127.0.0.1'], new Date('2021-01-01T00:00:00Z')), behaviours);
    expect(await broken({}, past.port)).toBe('call: tls: failed to verify certificate: x509: certificate has expired or is not yet valid');
    await past.close();
  });

  it('a server without TLS', async () => {
    expect(await broken({}, await listening(createHttpServer((_request, answer) => answer.end())))).toBe(
      'call: http: server gave HTTP response to HTTPS client',
    );
  });

  it('a connection that closes early', async () => {
    expect(await broken({ path: '/hangup' })).toBe('call: EOF');
    expect(await broken({}, await listening(createTcpServer((socket) => void socket.end())))).toBe('call: EOF');
    expect(await broken({ path: '/truncated' })).toBe('answer: unexpected EOF');
  });

  it('an answer over the size limit', async () => {
    expect(await broken({ path: '/huge' })).toBe('answer: the answer is longer than 8388608 bytes');
  });

  it('an aborted signal', async () => {
    const ended = AbortSignal.abort(new Error('context deadline exceeded'));
    expect(await broken({ signal: ended })).toBe('call: context deadline exceeded');
  });

  it('an invalid authority', async () => {
    expect(await broken({ authorities: 'no certificate' })).toBe(
      'setup: unable to load root certificates: unable to parse bytes as PEM block',
    );
    const torn = '-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----\n';
    expect(await broken({ authorities: torn })).toMatch(/^setup: unable to load root certificates: |^call: tls: /);
  });
});

describe('agents', () => {
  const server = (host: string) => ({ host, serverName: 'hook.shop.svc' });

  describe('agents', () => {
    it('are shared by calls to the same host and server name', async () => {
      const agents = createAgents();
      const agent = await agents.agentFor(server('a:443'));
      expect(await agents.agentFor(server('a:443'))).toBe(agent);
      expect(await agents.agentFor(server('b:443'))).not.toBe(agent);
      expect(await agents.agentFor({ ...server('a:443'), serverName: 'other' })).not.toBe(agent);
      agents.close();
      expect(await agents.agentFor(server('a:443'))).not.toBe(agent);
    });

    it('are shared by concurrent calls', async () => {
      const agents = createAgents();
      const [one, two] = await Promise.all([agents.agentFor(server('a:443')), agents.agentFor(server('a:443'))]);
      expect(one).toBe(two);
    });

    it('are evicted least recently used first', async () => {
      const agents = createAgents();
      const first = await agents.agentFor(server('first:443'));
      const second = await agents.agentFor(server('second:443'));
      for (let i = 0; i < 198; i++) await agents.agentFor(server(`${i}:443`));
      expect(await agents.agentFor(server('first:443'))).toBe(first);
      await agents.agentFor(server('one too many:443'));
      expect(await agents.agentFor(server('first:443'))).toBe(first);
      expect(await agents.agentFor(server('second:443'))).not.toBe(second);
    });
  });
});
