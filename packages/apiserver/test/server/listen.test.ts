import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { createServingCertificate, type ListenOptions, listen } from '../../src/server/index.ts';
import { createClock } from '../store/support.ts';
import { connectTo, head, parseStatus, sendRequest, serve, text } from './support.ts';

const answerUserName = ({ user }: { user: { username: string } }) => text(user.username);

describe('listen', () => {
  it('serves TLS on loopback with a generated certificate and token', async () => {
    const server = await serve(answerUserName, { tls: true, tokens: undefined as never });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    expect(server.token).toMatch(/^[\w-]{43}$/);
    expect(await sendRequest(server, '/')).toMatchObject({ code: 200, body: 'system:admin' });
    expect((await sendRequest({ ...server, url: `https://localhost:${server.port}` }, '/')).code).toBe(200);
    const { ca: _, ...withoutCa } = server;
    await expect(sendRequest(withoutCa, '/')).rejects.toThrow(/unable to verify/);
  });

  it('uses the given certificate', async () => {
    const certificate = createServingCertificate({
      names: ['127.0.0.1'],
      now: Date.now(),
      randomBytes: (size) => new Uint8Array(size).fill(7),
    });
    const server = await serve(answerUserName, { tls: certificate });
    expect(server.ca).toBe(certificate.ca);
    expect((await sendRequest(server, '/')).code).toBe(200);
  });

  it('writes a kubeconfig that only its owner can read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'listen-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const server = await serve(answerUserName, { tls: true });
    const path = join(folder, 'config');
    await server.writeKubeconfig(path);
    await server.writeKubeconfig(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['config']);
    const written = parse(await readFile(path, 'utf8'));
    expect(written).toMatchObject({ apiVersion: 'v1', kind: 'Config', 'current-context': 'kube-endpoints' });
    expect(written.contexts).toEqual([{ name: 'kube-endpoints', context: { cluster: 'kube-endpoints', user: 'kube-endpoints' } }]);
    const [{ cluster }] = written.clusters;
    expect(cluster.server).toBe(server.url);
    expect(Buffer.from(cluster['certificate-authority-data'], 'base64').toString()).toBe(server.ca);
    expect(written.users).toEqual([{ name: 'kube-endpoints', user: { token: 'secret' } }]);
    await expect(server.writeKubeconfig(join(folder, 'missing', 'config'))).rejects.toThrow(/ENOENT/);
  });

  it.each<{ readonly options: ListenOptions; readonly message: RegExp }>([
    { options: { host: '0.0.0.0' }, message: /host 0\.0\.0\.0 is not loopback: .* tokens or set allowRemote/ },
    { options: { host: 'example.org', anonymous: true }, message: /anonymous requests from other machines need allowRemote/ },
    { options: { host: '::', tokens: [{ token: 't' }], anonymous: true }, message: /need allowRemote/ },
    { options: { host: '' }, message: /is neither a name nor an address/ },
    { options: { host: 'a/b' }, message: /is neither a name nor an address/ },
    { options: { port: 65536 }, message: /port 65536/ },
    { options: { port: 0.5 }, message: /port 0\.5/ },
    { options: { tokens: [] }, message: /every request would be refused/ },
    { options: { tokens: [{ token: 'two words' }] }, message: /printable ASCII/ },
    { options: { limits: { bodyBytes: -1 } }, message: /limits\.bodyBytes/ },
  ])('refuses $options', async ({ options, message }) => {
    const refusedListen = listen(answerUserName, options);
    await expect(refusedListen).rejects.toThrow(RangeError);
    await expect(refusedListen).rejects.toThrow(message);
  });

  it('listens beyond loopback with tokens or with allowRemote', async () => {
    const serverWithTokens = await serve(answerUserName, { host: '0.0.0.0' });
    expect(serverWithTokens.url).toBe(`http://127.0.0.1:${serverWithTokens.port}`);
    expect((await sendRequest(serverWithTokens, '/')).code).toBe(200);
    const anonymousServer = await serve(answerUserName, { host: '0.0.0.0', anonymous: true, tokens: [], allowRemote: true });
    expect((await sendRequest(anonymousServer, '/')).body).toBe('system:anonymous');
  });

  it('rejects with EADDRINUSE if the port is taken', async () => {
    const { port } = await serve(answerUserName);
    await expect(serve(answerUserName, { port })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('authentication', () => {
  it('identifies users by their tokens', async () => {
    const jane = { username: 'jane', groups: ['system:authenticated'] };
    const server = await serve(answerUserName, { tokens: [{ token: 'a' }, { token: 'b', user: jane }] });
    expect(server.token).toBe('a');
    expect((await sendRequest(server, '/', { token: 'b' })).body).toBe('jane');
    expect((await sendRequest(server, '/', { headers: { Authorization: 'bearer  b ' } })).body).toBe('jane');
  });

  it('answers 401 as kube-apiserver does', async () => {
    const server = await serve(answerUserName);
    const reply = await sendRequest(server, '/api/v1/pods', { token: undefined });
    expect(reply).toMatchObject({ code: 401, headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private' } });
    expect(reply.body).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401}\n',
    );
    const indentedReply = await sendRequest(server, '/api/v1/pods', { token: 'secreT', headers: { 'User-Agent': 'curl/8.5.0' } });
    expect(indentedReply.code).toBe(401);
    expect(indentedReply.body).toBe(JSON.stringify(JSON.parse(reply.body), undefined, 2));
    expect((await sendRequest(server, '/api/v1/pods?pretty=true', { token: 'x' })).body).toBe(indentedReply.body);
    expect((await sendRequest(server, '/api/v1/pods?pretty', { token: 'x' })).body).toBe(reply.body);
    const unindentedRequest = { token: 'x', headers: { 'User-Agent': 'curl/8.5.0' } };
    expect((await sendRequest(server, '/api/v1/pods?pretty=0', unindentedRequest)).body).toBe(reply.body);
    expect((await sendRequest(server, '/api/v1/pods', { headers: { Authorization: 'Basic c2VjcmV0' } })).code).toBe(401);
  });

  it('answers 401 in protobuf to clients that prefer it', async () => {
    const server = await serve(answerUserName);
    const reply = await sendRequest(server, '/api/v1/pods', { token: 'x', headers: { Accept: 'application/vnd.kubernetes.protobuf' } });
    expect(reply).toMatchObject({ code: 401, headers: { 'content-type': 'application/vnd.kubernetes.protobuf' } });
    expect(reply.body).toMatch(/^k8s\0.*Unauthorized/s);
  });

  it('serves health and version to requests without a token', async () => {
    const server = await serve(answerUserName);
    for (const path of ['/healthz', '/livez?verbose', '/readyz', '/version', '/version/']) {
      expect(await sendRequest(server, path, { token: undefined })).toMatchObject({ code: 200, body: 'system:anonymous' });
    }
    expect((await sendRequest(server, '/version', { token: 'wrong' })).code).toBe(401);
    expect((await sendRequest(server, '/healthz/ping', { token: undefined })).code).toBe(401);
  });

  it('accepts requests without a token if anonymous is set, but none with a wrong token', async () => {
    const server = await serve(answerUserName, { anonymous: true, tokens: undefined as never });
    expect(server.token).toBeUndefined();
    expect(parse(server.kubeconfig()).users[0].user).toEqual({});
    expect((await sendRequest(server, '/')).body).toBe('system:anonymous');
    expect(parseStatus(await sendRequest(server, '/', { token: 'x' })).reason).toBe('Unauthorized');
  });
});

describe('certificates', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const certificate = createServingCertificate({
    names: ['localhost', '127.0.0.1', '::1', '2001:db8::1:0:2', 'fe80::1%eth0'],
    now,
    randomBytes: (size) => new Uint8Array(size).fill(0xff),
  });
  const [ca, cert] = [new X509Certificate(certificate.ca), new X509Certificate(certificate.cert)];

  it('are issued by a self-signed authority', () => {
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(cert.ca).toBe(false);
    expect(cert.checkIssued(ca)).toBe(true);
    expect(cert.verify(ca.publicKey)).toBe(true);
    expect(cert.serialNumber).toBe('7F'.padEnd(32, 'F'));
    expect(cert.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  });

  it('are valid for a year and for the requested names', () => {
    expect(cert.validFromDate).toEqual(new Date(Date.UTC(2026, 0, 2, 2, 4, 5)));
    expect(cert.validToDate).toEqual(new Date(Date.UTC(2027, 0, 2, 3, 4, 5)));
    for (const ip of ['127.0.0.1', '::1', '2001:db8::1:0:2', 'fe80::1']) expect(cert.checkIP(ip)).toBe(ip);
    expect(cert.checkHost('localhost')).toBe('localhost');
    expect(cert.checkHost('example.org')).toBeUndefined();
    expect(cert.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('are valid from the time of the clock, also beyond 2049', async () => {
    const certificateAfter2049 = createServingCertificate({
      names: ['x'],
      now: Date.UTC(2049, 11, 31, 23),
      randomBytes: (size) => new Uint8Array(size),
    });
    expect(new X509Certificate(certificateAfter2049.cert).validToDate).toEqual(new Date(Date.UTC(2050, 11, 31, 23)));
    const clock = createClock(Date.UTC(2040, 0, 1));
    const server = await serve(answerUserName, { tls: true, clock });
    expect(new X509Certificate(server.ca ?? '').validFromDate).toEqual(new Date(Date.UTC(2039, 11, 31, 23)));
  });
});

describe('answers', () => {
  it('carry a unique Audit-ID, or that of the request', async () => {
    const server = await serve(answerUserName);
    const client = connectTo(server);
    client.send(head('GET /a') + head('GET /b') + head('GET /c', { 'Audit-ID': 'mine' }));
    const ids = [...(await client.until(/mine/)).matchAll(/audit-id: (.*)\r/gi)].map(([, id]) => id);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8000-0{11}1$/);
    expect(ids[1]).toBe(ids[0]?.replace(/1$/, '2'));
    expect(ids[2]).toBe('mine');
  });
});
