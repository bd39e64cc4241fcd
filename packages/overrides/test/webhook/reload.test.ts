import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { systemClock } from 'kube-endpoints/port';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import {
  createWebhookServer,
  followWebhookFiles,
  loadWebhookFiles,
  type WebhookEvent,
  type WebhookServer,
} from '../../src/webhook/index.ts';
import type { FileReloader } from '../../src/webhook/reload.ts';
import {
  createCertificate,
  createKeepAliveAgent,
  createWebhookClock,
  endpointsOf,
  type ManualClock,
  readMetric,
  reviewOf,
  sendReview,
  type Target,
  waitUntil,
} from './support.ts';

const folder = makeFolder();
/** A poll interval in milliseconds that no test reaches. */
const noPolling = 1e12;
const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));

/** Rules that remove an address. */
const rulesFor = (ip: string, name = 'out'): string => `apiVersion: kube-endpoints/v1
kind: EndpointOverrides
rules:
  - name: ${name}
    addresses: {ranges: [${ip}]}
    action: {keepOut: {as: absent}}
`;

interface Fixture extends Target {
  readonly server: WebhookServer;
  readonly clock: ManualClock;
  readonly reloader: FileReloader;
  readonly events: WebhookEvent[];
  readonly ruleChanges: (readonly string[])[];
  write(name: string, text: string): void;
  remove(name: string): void;
}

/** A server with its own files. Its clock does not advance, so files are only read on demand or after a file system event. */
async function createFixture(
  rules: Readonly<Record<string, string>> = { 'rules.yaml': rulesFor('10.0.0.2') },
  interval = 10_000,
): Promise<Fixture> {
  const ruleFolder = join(folder, String(Math.random()));
  mkdirSync(ruleFolder);
  const write = (name: string, text: string): void => writeFileSync(join(ruleFolder, name), text);
  const certificate = createCertificate();
  write('tls.crt', certificate.cert);
  write('tls.key', certificate.key);
  for (const [name, text] of Object.entries(rules)) write(name, text);
  const files = {
    rules: Object.keys(rules).map((name) => join(ruleFolder, name)),
    cert: join(ruleFolder, 'tls.crt'),
    key: join(ruleFolder, 'tls.key'),
  };
  const clock = createWebhookClock();
  const events: WebhookEvent[] = [];
  const ruleChanges: (readonly string[])[] = [];
  const onEvent = (event: WebhookEvent): void => void events.push(event);
  const loaded = await loadWebhookFiles(files);
  const server = createWebhookServer({ tls: loaded.tls, overrides: loaded.overrides, clock: systemClock, onEvent, processMetrics: false });
  const listening = await server.listen({ host: '127.0.0.1' });
  const onRules = (...ruleSets: readonly { readonly rules: readonly string[] }[]): void =>
    void ruleChanges.push(ruleSets.flatMap((each) => each.rules));
  const reloader = followWebhookFiles({ files, loaded, server, clock, interval, onEvent, onRules });
  onTestFinished(async () => {
    reloader.close();
    await server.close({ drainMs: 0 });
  });
  const remove = (name: string): void => rmSync(join(ruleFolder, name));
  return { ...listening, ca: certificate.ca, server, clock, reloader, events, ruleChanges, write, remove };
}

const remainingIPs = async (target: Target): Promise<readonly string[]> => {
  const { patch = '' } = await sendReview(target, review);
  const text = Buffer.from(patch, 'base64').toString('utf8');
  return ['10.0.0.1', '10.0.0.2'].filter((ip) => patch === '' || text.includes(`"${ip}"`));
};

describe('rule files that followWebhookFiles watches', () => {
  it('are reloaded when they change', async () => {
    const target = await createFixture();
    expect(await remainingIPs(target)).toEqual(['10.0.0.1']);
    target.write('rules.yaml', rulesFor('10.0.0.1', 'other'));
    await target.reloader.check();
    expect(await remainingIPs(target)).toEqual(['10.0.0.2']);
    expect(target.events).toMatchObject([{ kind: 'rules', overrides: { rules: ['other'] } }]);
    expect(target.ruleChanges).toEqual([['out', 'other']]);
    expect(await readMetric(target.server, 'reloads_total', { what: 'rules' })).toBe(2);
  });

  it('leave the previous rules in force if the new rules are invalid', async () => {
    const target = await createFixture();
    const invalidRules = rulesFor('10.0.0.1').replace('keepOut', 'keepAway');
    target.write('rules.yaml', invalidRules);
    await target.reloader.check();
    await target.reloader.check();
    expect(target.events).toMatchObject([
      { kind: 'reloadFailed', what: 'rules', problems: [expect.stringMatching(/rules\.yaml:6(:\d+)?: /)] },
    ]);
    expect(await remainingIPs(target)).toEqual(['10.0.0.1']);
    expect(await readMetric(target.server, 'reload_errors_total', { what: 'rules' })).toBe(1);
    target.write('rules.yaml', '{');
    await target.reloader.check();
    expect(await readMetric(target.server, 'reload_errors_total', { what: 'rules' })).toBe(2);
    target.write('rules.yaml', rulesFor('10.0.0.1'));
    await target.reloader.check();
    expect(await remainingIPs(target)).toEqual(['10.0.0.2']);
  });

  it('leave the previous rules in force while a file is missing', async () => {
    const target = await createFixture();
    const previousOverrides = target.server.overrides;
    target.remove('rules.yaml');
    await target.reloader.check();
    await target.reloader.check();
    expect(target.events).toMatchObject([{ kind: 'reloadFailed', what: 'rules', problems: [expect.stringContaining('ENOENT')] }]);
    expect(target.server.overrides).toBe(previousOverrides);
    target.write('rules.yaml', rulesFor('10.0.0.1'));
    await target.reloader.check();
    expect(await remainingIPs(target)).toEqual(['10.0.0.2']);
  });

  it('are concatenated, and problems name the file and line', async () => {
    const target = await createFixture({ 'a.yaml': rulesFor('10.0.0.2', 'a').trimEnd(), 'b.yaml': rulesFor('10.0.0.1', 'b') });
    expect(target.server.overrides.rules).toEqual(['a', 'b']);
    target.write('b.yaml', rulesFor('10.0.0.1', 'b').replace('keepOut', 'keepAway'));
    await target.reloader.check();
    expect(target.events).toMatchObject([{ problems: [expect.stringMatching(/b\.yaml:6(:\d+)?: /)] }]);
    target.write('b.yaml', rulesFor('10.0.0.1', 'a'));
    await target.reloader.check();
    expect(target.events.at(-1)).toMatchObject({ problems: [expect.stringMatching(/b\.yaml:\d+/)] });
    expect(target.server.overrides.rules).toEqual(['a', 'b']);
  });

  it('are polled regardless of file system events', async () => {
    const target = await createFixture();
    target.write('rules.yaml', rulesFor('10.0.0.1'));
    target.clock.advance(10_000);
    await waitUntil(() => target.events.length === 1);
    target.write('rules.yaml', rulesFor('10.0.0.2'));
    await waitUntil(() => target.clock.scheduled >= 2);
    target.clock.advance(10_000);
    await waitUntil(() => target.events.length === 2);
  });

  it('are read soon after a file system event', async () => {
    const target = await createFixture(undefined, noPolling);
    target.write('rules.yaml', rulesFor('10.0.0.1'));
    while (target.events.length === 0) {
      target.clock.advance(100);
      await new Promise(setImmediate);
    }
    expect(await remainingIPs(target)).toEqual(['10.0.0.2']);
  });
});

/** In a mounted ConfigMap, files are links into a folder that is itself a link, which an update replaces. */
test('followWebhookFiles reloads a mounted ConfigMap whose symbolic link is replaced', async () => {
  const ruleFolder = join(folder, 'mounted');
  const writeVersion = (name: string, text: string): void => {
    mkdirSync(join(ruleFolder, name), { recursive: true });
    writeFileSync(join(ruleFolder, name, 'rules.yaml'), text);
  };
  writeVersion('..1', rulesFor('10.0.0.2', 'first'));
  symlinkSync('..1', join(ruleFolder, '..data'));
  symlinkSync(join('..data', 'rules.yaml'), join(ruleFolder, 'rules.yaml'));
  const certificate = createCertificate();
  writeFileSync(join(folder, 'c.crt'), certificate.cert);
  writeFileSync(join(folder, 'c.key'), certificate.key);
  const files = { rules: [join(ruleFolder, 'rules.yaml')], cert: join(folder, 'c.crt'), key: join(folder, 'c.key') };
  const clock = createWebhookClock();
  const loaded = await loadWebhookFiles(files);
  const server = createWebhookServer({ ...loaded, processMetrics: false });
  const reloader = followWebhookFiles({ files, loaded, server, clock, interval: noPolling });
  onTestFinished(() => reloader.close());
  writeVersion('..2', rulesFor('10.0.0.2', 'second'));
  symlinkSync('..2', join(ruleFolder, '..data_tmp'));
  renameSync(join(ruleFolder, '..data_tmp'), join(ruleFolder, '..data'));
  rmSync(join(ruleFolder, '..1'), { recursive: true });
  while (server.overrides.rules[0] !== 'second') {
    clock.advance(100);
    await new Promise(setImmediate);
  }
  expect(server.overrides.rules).toEqual(['second']);
});

describe('certificate files that followWebhookFiles watches', () => {
  it('apply to new connections after a reload', async () => {
    const target = await createFixture();
    const agent = createKeepAliveAgent();
    await sendReview(target, review, { agent });
    const nextCertificate = createCertificate(99);
    target.write('tls.crt', nextCertificate.cert);
    target.write('tls.key', nextCertificate.key);
    await target.reloader.check();
    expect(target.events).toMatchObject([{ kind: 'certificate', expires: expect.stringMatching(/^20\d\d-/) }]);
    await expect(sendReview(target, review)).rejects.toThrow();
    expect(await sendReview({ ...target, ca: nextCertificate.ca }, review)).toMatchObject({ allowed: true });
    expect(await sendReview(target, review, { agent })).toMatchObject({ allowed: true });
  });

  it('leave the previous certificate in use if the new one does not match the key', async () => {
    const target = await createFixture();
    target.write('tls.key', createCertificate(99).key);
    await target.reloader.check();
    expect(target.events).toMatchObject([{ kind: 'reloadFailed', what: 'certificate' }]);
    expect(await sendReview(target, review)).toMatchObject({ allowed: true });
    target.write('tls.crt', 'not a certificate');
    await target.reloader.check();
    expect(await readMetric(target.server, 'reload_errors_total', { what: 'certificate' })).toBe(2);
    expect(await readCommonName(target)).toBe('kube-apiserver');
  });
});

test('the webhook drops no request while rules and certificates change', async () => {
  const target = await createFixture();
  const agent = createKeepAliveAgent(8);
  const certificates = [createCertificate(1), createCertificate(2), createCertificate(3)];
  const ca = [target.ca, ...certificates.map((each) => each.ca)].join('');
  let isStopped = false;
  let answerCount = 0;
  const client = async ({ usesNewConnections }: { usesNewConnections: boolean }): Promise<void> => {
    while (!isStopped) {
      const { allowed, patch } = await sendReview({ ...target, ca }, review, usesNewConnections ? {} : { agent });
      if (!allowed || patch === undefined) throw new Error('a review was not answered from the rules');
      answerCount += 1;
    }
  };
  const clients = [
    ...Array.from({ length: 8 }, () => client({ usesNewConnections: false })),
    ...Array.from({ length: 4 }, () => client({ usesNewConnections: true })),
  ];
  for (let round = 0; round < 12; round++) {
    const nextCertificate = certificates[round % certificates.length] as (typeof certificates)[number];
    target.write('rules.yaml', round % 4 === 3 ? 'rules: 7' : rulesFor(round % 2 ? '10.0.0.1' : '10.0.0.2', `r${round}`));
    target.write('tls.crt', nextCertificate.cert);
    target.write('tls.key', nextCertificate.key);
    await target.reloader.check();
    const previousCount = answerCount;
    await waitUntil(() => answerCount > previousCount + 20);
  }
  isStopped = true;
  await Promise.all(clients);
  expect(target.events.filter(({ kind }) => kind === 'certificate')).toHaveLength(12);
  // Every fourth round writes invalid rules.
  expect(target.events.filter(({ kind }) => kind === 'rules')).toHaveLength(9);
  expect(target.events.filter(({ kind }) => kind === 'reloadFailed')).toHaveLength(3);
});

/** The common name of the certificate shown to new connections. */
const readCommonName = ({ port, ca }: Target): Promise<string | readonly string[] | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' }, () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
    socket.on('error', reject);
  });
