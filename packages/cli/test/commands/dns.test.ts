import { Resolver } from 'node:dns/promises';
import { join } from 'node:path';
import { createApiServer } from '@kube-endpoints/apiserver';
import { createDnsServer } from '@kube-endpoints/dns-server';
import { resources } from 'kube-endpoints/port';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../../test/support/free-port.ts';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { samplesOf } from '../../../controllers/test/operations/metrics/scrape.ts';
import { answerFromTestZone, decodeMessage, encodeQuery, queryTcp } from '../../../dns-server/test/support.ts';
import { type FakeEnvironment, runLine } from '../fake-io.ts';

const shop = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {clusterIP: 10.96.0.7, ports: [{name: http, port: 80}]}
`;

/** Runs the command and sends queries while it serves. */
async function serveAndQuery<T>(line: string, query: (resolver: Resolver) => Promise<T>, environment: FakeEnvironment = {}) {
  const port = await findFreePort();
  const results: T[] = [];
  const resolver = new Resolver({ timeout: 5000, tries: 2 });
  resolver.setServers([`127.0.0.1:${port}`]);
  const untilStopped = async (): Promise<void> => void results.push(await query(resolver));
  const outcome = await runLine(`dns --port ${port} ${line}`, { files: { 'shop.yaml': shop }, ...environment, untilStopped });
  return { ...outcome, results, port };
}

const resultOrCode = (lookup: Promise<unknown>): Promise<unknown> => lookup.catch(({ code }: { code: string }) => code);

describe('kubectl-endpoints dns', () => {
  test('answers for the objects of -f until it is stopped', async () => {
    const { code, stdout, results, port } = await serveAndQuery('-f shop.yaml', (resolver) =>
      resolver.resolve4('web.shop.svc.cluster.local'),
    );
    expect([code, results]).toEqual([0, [['10.96.0.7']]]);
    expect(stdout).toBe(
      `DNS of cluster.local at 127.0.0.1, port ${port} (UDP and TCP), for 1 Service of 1 namespace. Ctrl-C ends it.\n` +
        `dig @127.0.0.1 -p ${port} kubernetes.default.svc.cluster.local\n`,
    );
  });

  test.each([
    ['-n shop', ['10.96.0.7']],
    ['-n bank', 'ENOTFOUND'],
    ['-n bank -A', ['10.96.0.7']],
  ])('answers for the namespaces that the flags select: %s', async (flags, answer) => {
    const { results, stdout } = await serveAndQuery(`-f shop.yaml ${flags}`, (resolver) =>
      resultOrCode(resolver.resolve4('web.shop.svc.cluster.local')),
    );
    expect(results).toEqual([answer]);
    if (flags === '-n shop') expect(stdout).toContain('for 1 Service of namespace shop. Ctrl-C');
  });

  test('keeps serving and logs a warning if records of a transfer cannot be encoded', async () => {
    const unencodableService = `\n---\napiVersion: v1\nkind: Service\nmetadata: {name: far, namespace: shop}\nspec: {type: ExternalName, externalName: ${'x'.repeat(64)}.example.com}\n`;
    const { results, stderr, code } = await serveAndQuery(
      '-f shop.yaml --transfer-to 127.0.0.1',
      async (resolver) => {
        const [server = ''] = resolver.getServers();
        const [address = '', port] = server.split(':');
        const answer = await queryTcp({ address, port: Number(port) }, encodeQuery('AXFR', { name: 'cluster.local' }));
        return [decodeMessage(answer).answers.at(-1)?.type, await resolver.resolve4('web.shop.svc.cluster.local')];
      },
      { files: { 'shop.yaml': shop + unencodableService } },
    );
    expect([code, results]).toEqual([0, [['SOA', ['10.96.0.7']]]]);
    expect(stderr).toContain('omitted records from a zone transfer');
  });

  test('resolves its own address', async () => {
    const { results } = await serveAndQuery('-f shop.yaml', (resolver) => resolver.resolve4('ns.dns.cluster.local'));
    expect(results).toEqual([['127.0.0.1']]);
  });

  test('refuses names outside its zone, or forwards them with --forward', async () => {
    const lookUp = (resolver: Resolver) => resultOrCode(resolver.resolve4('web.shop.svc.cluster.local'));
    expect((await serveAndQuery('-f shop.yaml --zone acme.test', lookUp)).results).toEqual(['EREFUSED']);
    const other = createDnsServer({ answer: answerFromTestZone });
    onTestFinished(() => other.close());
    const { port } = await other.listen();
    expect((await serveAndQuery(`-f shop.yaml --zone acme.test --forward 127.0.0.1:${port}`, lookUp)).results).toEqual([['10.0.0.1']]);
  });

  test('follows changes in a cluster', async () => {
    const server = await createApiServer({ background: false });
    onTestFinished(() => server.close());
    const kubeconfig = join(makeFolder(), 'kubeconfig');
    await (await server.listen({})).writeKubeconfig(kubeconfig);
    await server.client.create(resources.namespaces, { metadata: { name: 'shop' } });
    const { code, results, stdout } = await serveAndQuery(`--kubeconfig ${kubeconfig} --log-level info`, async (resolver) => {
      await server.client.create(resources.services, {
        metadata: { name: 'web', namespace: 'shop' },
        spec: { clusterIP: '10.96.0.77', ports: [{ port: 80 }] },
      });
      return pollUntil(resolver, 'web.shop.svc.cluster.local', '10.96.0.77');
    });
    expect([code, results]).toEqual([0, ['10.96.0.77']]);
    expect(stdout).toContain(kubeconfig);
  });

  test('serves health, DNS metrics and cache metrics at a separate port', async () => {
    const server = await createApiServer({ background: false });
    onTestFinished(() => server.close());
    const kubeconfig = join(makeFolder(), 'kubeconfig');
    await (await server.listen({})).writeKubeconfig(kubeconfig);
    const metricsPort = await findFreePort();
    const getPath = (path: string): Promise<string> => fetch(`http://127.0.0.1:${metricsPort}${path}`).then((response) => response.text());
    const { results, stderr } = await serveAndQuery(`--kubeconfig ${kubeconfig} --metrics-port ${metricsPort}`, async (resolver) => {
      const address = await pollUntil(resolver, 'kubernetes.default.svc.cluster.local', '10.96.0.1');
      return [address, await getPath('/readyz'), samplesOf(await getPath('/metrics'))] as const;
    });
    const [address, ready, samples] = results[0] ?? [];
    expect([address, ready]).toEqual(['10.96.0.1', 'ok']);
    expect(samples?.get('kube_endpoints_dns_responses_total{transport="udp",type="A",rcode="NOERROR"}')).toBeGreaterThan(0);
    expect(samples?.get('kube_endpoints_cache_objects{resource="services"}')).toBe(1);
    expect(samples?.get('kube_endpoints_informer_state{resource="endpointslices",state="watching"}')).toBe(1);
    expect([...(samples?.keys() ?? [])].filter((name) => /^rest_client_requests_total\{code="200",method="GET"/.test(name))).toHaveLength(
      1,
    );
    expect([...(samples?.keys() ?? [])].filter((name) => name.startsWith('process_cpu_seconds_total'))).toHaveLength(1);
    expect(stderr).toContain(`http://127.0.0.1:${metricsPort}`);
    await expect(getPath('/metrics')).rejects.toThrow('fetch failed');
  });

  test('serves metrics for files, and is ready at once', async () => {
    const metricsPort = await findFreePort();
    const { results } = await serveAndQuery(`-f shop.yaml --metrics-port ${metricsPort} --metrics-host ::1`, async () => {
      const answers = await Promise.all(['readyz', 'metrics'].map((path) => fetch(`http://[::1]:${metricsPort}/${path}`)));
      return [answers[0]?.status, await answers[1]?.text()];
    });
    expect(results).toEqual([[200, expect.stringContaining('kube_endpoints_dns_failures_total{what="answer"} 0')]]);
  });
});

/** Polls until the first address is the expected one. */
async function pollUntil(resolver: Resolver, name: string, expected: string): Promise<unknown> {
  for (;;) {
    const result = await resultOrCode(resolver.resolve4(name));
    if (Array.isArray(result) && result[0] === expected) return result[0];
    await new Promise(setImmediate);
  }
}

describe('dns refuses to start with invalid flags or files', () => {
  test.each([
    ['--port 0', /^error: no input: give -f FILE/],
    ['-f shop.yaml --kubeconfig k', /^error: -f reads files, --kubeconfig and --context read a cluster: give one or the other\n$/],
    ['-f shop.yaml --host localhost', /error: --host "localhost": give an address, such as 127\.0\.0\.1 or ::1\n$/],
    [
      '-f shop.yaml --host 192.0.2.1',
      /error: cannot listen at 192\.0\.2\.1, port 5353: this machine has no such address: give another --host\n$/,
    ],
    [
      '-f shop.yaml --port 0 --metrics-port 1 --metrics-host 192.0.2.1',
      /^error: cannot listen at 192\.0\.2\.1, port 1: this machine has no such address: give another --metrics-host\n$/,
    ],
    ['-f shop.yaml --metrics-host ::', /error: --metrics-host needs --metrics-port\n/],
    ['-f shop.yaml --forward dns.example.com', /"dns\.example\.com" is not the address of a DNS server/],
    ['-f shop.yaml --transfer-to all', /"all" is neither an address nor a range/],
    ['-f none.yaml', /^error: none\.yaml: there is no such file or directory\n$/],
  ])('dns %s', async (line, message) => {
    const { code, stdout, stderr } = await runLine(`dns ${line}`, { files: { 'shop.yaml': shop } });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});
