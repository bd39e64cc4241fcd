import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type ApiServer, createApiServer } from '@kube-endpoints/apiserver';
import { createHost } from '@kube-endpoints/controllers';
import { mutatingWebhookConfiguration } from '@kube-endpoints/overrides/webhook';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { endpointsOf, reviewOf, sendGet, sendRequest, sendReview } from '../../../overrides/test/webhook/support.ts';
import { type IO, main } from '../../src/index.ts';
import { createFakeFiles, runLine } from '../fake-io.ts';

const folder = makeFolder();
const tls = join(folder, 'tls');
const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));

const rulesFor = (ip: string): string =>
  `rules: [{name: out, match: {serviceLabels: tier=gold}, addresses: {ranges: [${ip}]}, action: {keepOut: {as: absent}}}]\n`;
const plainRules = 'rules: [{name: out, addresses: {ranges: [10.0.0.2]}, action: {keepOut: {as: absent}}}]\n';

const writeTestFile = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

interface RunningWebhook {
  readonly url: string;
  readonly ca: string;
  /** The log lines so far. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** The text on standard output so far. */
  readonly stdout: () => string;
  /** Acts as SIGHUP. */
  reload(): void;
  /** Acts as SIGTERM; resolves with the exit code. */
  stop(): Promise<number>;
}

/** Runs the command until the test ends. */
async function start(line: string): Promise<RunningWebhook> {
  const outputs = { stdout: '', stderr: '' };
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const callbacks = new Set<() => void>();
  const createOutput = (stream: keyof typeof outputs): IO['stdout'] => ({
    write(text) {
      outputs[stream] += text;
    },
    isTTY: false,
  });
  const io: IO = {
    stdin: (async function* () {})(),
    stdout: createOutput('stdout'),
    stderr: createOutput('stderr'),
    env: {},
    files: createFakeFiles({}),
    version: '9.8.7',
    untilStopped: () => stopped,
    onHangup(callback) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
  };
  const exitCode = main(`webhook --host 127.0.0.1 --port 0 --self-signed ${tls} --reload-interval 24h ${line}`.split(' '), io);
  onTestFinished(async () => {
    stop();
    await exitCode;
  });
  await Promise.race([exitCode, pollUntil(() => outputs.stdout.includes('\n'))]);
  const url = /https:\/\/[^/]+/.exec(outputs.stdout)?.[0];
  if (!url) throw new Error(outputs.stderr);
  return {
    url,
    ca: readFileSync(join(tls, 'ca.crt'), 'utf8'),
    get log() {
      return outputs.stderr.split('\n').flatMap((text) => (text.startsWith('{') ? [JSON.parse(text)] : []));
    },
    stdout: () => outputs.stdout,
    reload() {
      for (const callback of callbacks) callback();
    },
    stop() {
      stop();
      return exitCode;
    },
  };
}

/** Polls the condition whenever the event loop is idle. */
async function pollUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

describe('webhook', () => {
  it('answers reviews until it is stopped', async () => {
    const webhook = await start(`--rules ${writeTestFile('a.yaml', plainRules)}`);
    expect(webhook.stdout()).toBe(`Webhook at ${webhook.url}/mutate, 1 rule. Ctrl-C ends it.\n`);
    expect(await sendReview(webhook, review)).toMatchObject({ patchType: 'JSONPatch' });
    expect(await sendGet(webhook, '/readyz')).toMatchObject({ code: 200 });
    expect(await webhook.stop()).toBe(0);
    await expect(sendRequest(webhook, { body: '{}' })).rejects.toThrow();
    expect(webhook.log.at(-1)).toMatchObject({ msg: 'stopped' });
  });

  it('reloads its rules on SIGHUP', async () => {
    const rules = writeTestFile('b.yaml', plainRules);
    const webhook = await start(`--rules ${rules}`);
    writeFileSync(rules, 'rules: 7\n');
    webhook.reload();
    await pollUntil(() => webhook.log.some(({ level }) => level === 'error'));
    expect(webhook.log.find(({ level }) => level === 'error')).toMatchObject({ problem: expect.stringMatching(/b\.yaml:1/) });
    expect(await sendReview(webhook, review)).toMatchObject({ patchType: 'JSONPatch' });
    writeFileSync(rules, plainRules.replace('10.0.0.2', '10.0.0.3'));
    webhook.reload();
    await pollUntil(async () => (await sendReview(webhook, review)).patch === undefined);
  });

  it('warns about rules that cannot match without a cluster', async () => {
    const webhook = await start(`--rules ${writeTestFile('c.yaml', rulesFor('10.0.0.2'))}`);
    expect(webhook.log).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('the Service do not match') }),
    );
    expect((await sendReview(webhook, review)).patch).toBeUndefined();
  });

  it('serves health and metrics at a separate port', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void blocker.close());
    await pollUntil(() => blocker.listening);
    const { port } = blocker.address() as { readonly port: number };
    const line = `--rules ${writeTestFile('d.yaml', plainRules)} --metrics-host 127.0.0.1 --metrics-port`;
    await expect(start(`${line} ${port}`)).rejects.toThrow(
      /cannot listen at 127\.0\.0\.1, port \d+: it is in use: give another --metrics-port/,
    );
    await new Promise((resolve) => blocker.close(resolve));
    const webhook = await start(`${line} ${port}`);
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()).toBe('ok');
    await sendReview(webhook, review);
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('kube_endpoints_webhook_reviews_total{');
  });

  it('denies writes that it cannot review with --failure-policy deny', async () => {
    const webhook = await start(`--rules ${writeTestFile('e.yaml', plainRules)} --failure-policy deny`);
    expect(await sendReview(webhook, '{')).toMatchObject({ allowed: false });
  });
});

describe('webhook with a cluster', () => {
  const metadata = { namespace: 'shop', name: 'web', labels: { tier: 'gold' } };
  const pod = (name: string, ip: string): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name, labels: { app: 'web' } },
    spec: { nodeName: 'n1', containers: [{ name: 'web', image: 'web:1' }] },
    status: { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }] },
  });

  /** An API server with controllers and a kubeconfig. */
  async function startCluster(): Promise<{ readonly server: ApiServer; readonly kubeconfig: string; ips(): Promise<readonly string[]> }> {
    const server = await createApiServer({
      objects: [
        { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } },
        { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
        pod('web-1', '10.0.0.1'),
        pod('web-2', '10.0.0.2'),
      ],
    });
    const kubeconfig = join(folder, 'kubeconfig');
    await (await server.listen()).writeKubeconfig(kubeconfig);
    const stop = new AbortController();
    const running = createHost({ port: server.client, version: '1.36' }).run(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await running;
      await server.close();
    });
    const ips = async (): Promise<readonly string[]> => {
      const { items } = await server.client.list(resources.endpoints, { namespace: 'shop', fieldSelector: 'metadata.name=web' });
      return ((items[0]?.['subsets'] ?? []) as readonly { addresses?: readonly { ip: string }[] }[]).flatMap(({ addresses = [] }) =>
        addresses.map(({ ip }) => ip),
      );
    };
    await pollUntil(async () => (await ips()).length === 2);
    return { server, kubeconfig, ips };
  }

  it('looks up Services, and resyncs those that changed rules affect', async () => {
    const { server, kubeconfig, ips } = await startCluster();
    const rules = writeTestFile('live.yaml', rulesFor('10.9.9.9'));
    const webhook = await start(`--rules ${rules} --kubeconfig ${kubeconfig}`);
    await pollUntil(async () => (await sendGet(webhook, '/readyz')).code === 200);
    const manifest = mutatingWebhookConfiguration({ name: 'webhook', namespace: 'elsewhere', ca: webhook.ca }) as unknown as ApiObject;
    const [webhookEntry] = manifest['webhooks'] as readonly { readonly clientConfig: { readonly caBundle: string } }[];
    const clientConfig = { url: `${webhook.url}/mutate`, caBundle: webhookEntry?.clientConfig.caBundle };
    await server.client.create(
      {
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        plural: 'mutatingwebhookconfigurations',
        kind: 'MutatingWebhookConfiguration',
        namespaced: false,
      },
      { ...manifest, webhooks: [{ ...webhookEntry, clientConfig }] },
    );
    // Service and pods are unchanged, so only the new rules can cause the write.
    writeFileSync(rules, rulesFor('10.0.0.2'));
    webhook.reload();
    await pollUntil(async () => (await ips()).join() === '10.0.0.1');
    writeFileSync(rules, rulesFor('10.0.0.1'));
    webhook.reload();
    await pollUntil(async () => (await ips()).join() === '10.0.0.2');
    writeFileSync(rules, rulesFor('10.9.9.9'));
    webhook.reload();
    await pollUntil(async () => (await ips()).join() === '10.0.0.1,10.0.0.2');
    const { metadata: service } = await server.client.get(resources.services, { namespace: 'shop', name: 'web' });
    expect(service.annotations).toHaveProperty(['kube-endpoints/overrides-due']);
    expect((await sendGet(webhook, '/metrics')).body).toMatch(/kube_endpoints_webhook_resyncs_total\{outcome="resynced"\} [1-9]/);
    expect(await webhook.stop()).toBe(0);
  });

  test('does not start if the cluster cannot be found', async () => {
    await expect(start(`--rules ${writeTestFile('f.yaml', plainRules)} --kubeconfig ${join(folder, 'none')}`)).rejects.toThrow(
      /the kubeconfig .* does not exist/,
    );
    await expect(start(`--rules ${writeTestFile('f.yaml', plainRules)} --in-cluster`)).rejects.toThrow(
      /--in-cluster: this is no pod of a cluster/,
    );
  });
});

describe('an invalid file at startup', () => {
  test.each([
    [
      'invalid rules',
      () => `--rules ${writeTestFile('bad.yaml', 'rules: [{name: x, action: {melt: {}}}]\n')} --self-signed ${tls}`,
      /bad\.yaml:1/,
    ],
    [
      'a missing rule file',
      () => `--rules ${join(folder, 'none.yaml')} --self-signed ${tls}`,
      /none\.yaml: there is no such file or directory/,
    ],
    [
      'an invalid certificate',
      () => `--rules ${writeTestFile('g.yaml', plainRules)} --cert ${writeTestFile('no.crt', 'x')} --key ${writeTestFile('no.key', 'x')}`,
      /no valid certificate with its key/,
    ],
  ])('is reported: %s', async (_, line, message) => {
    const { code, stdout, stderr } = await runLine(`webhook --host 127.0.0.1 --port 0 ${line()}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
