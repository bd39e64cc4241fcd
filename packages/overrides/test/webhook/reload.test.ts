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
import type { Reloading } from '../../src/webhook/reload.ts';
import {
  createWebhookClock,
  endpointsOf,
  keptConnections,
  type ManualClock,
  metric,
  newCertificate,
  reviewed,
  reviewOf,
  type Target,
  until,
} from './support.ts';

const folder = makeFolder();
const review = reviewOf(endpointsOf('10.0.0.1', '10.0.0.2'));

/** Rules that remove an address. */
const rulesFor = (ip: string, name = 'out'): string => `apiVersion: kube-endpoints/v1
kind: EndpointOverrides
rules:
  - name: ${name}
    addresses: {ranges: [${ip}]}
    action: {keepOut: {as: absent}}
`;

interface World extends Target {
  readonly server: WebhookServer;
  readonly clock: ManualClock;
  readonly reloading: Reloading;
  readonly reported: WebhookEvent[];
  readonly changes: (readonly string[])[];
  write(name: string, text: string): void;
  remove(name: string): void;
}

/** A server with its own files. Its clock stands still, so files are only read on demand or after a file system event. */
async function world(rules: Readonly<Record<string, string>> = { 'rules.yaml': rulesFor('10.0.0.2') }, interval = 10_000): Promise<World> {
  const place = join(folder, String(Math.random()));
  mkdirSync(place);
  const write = (name: string, text: string): void => writeFileSync(join(place, name), text);
  const certificate = newCertificate();
  write('tls.crt', certificate.cert);
  write('tls.key', certificate.key);
  for (const [name, text] of Object.entries(rules)) write(name, text);
  const files = { rules: Object.keys(rules).map((name) => join(place, name)), cert: join(place, 'tls.crt'), key: join(place, 'tls.key') };
  const clock = createWebhookClock();
  const reported: WebhookEvent[] = [];
  const changes: (readonly string[])[] = [];
  const onEvent = (event: WebhookEvent): void => void reported.push(event);
  const loaded = await loadWebhookFiles(files);
  const server = createWebhookServer({ tls: loaded.tls, overrides: loaded.overrides, clock: systemClock, onEvent, processMetrics: false });
  const listening = await server.listen({ host: '127.0.0.1' });
  const onRules = (...both: readonly { readonly rules: readonly string[] }[]): void =>
    void changes.push(both.flatMap((each) => each.rules));
  const reloading = followWebhookFiles({ files, loaded, server, clock, interval, onEvent, onRules });
  onTestFinished(async () => {
    reloading.close();
    await server.close({ drainMs: 0 });
  });
  const remove = (name: string): void => rmSync(join(place, name));
  return { ...listening, ca: certificate.ca, server, clock, reloading, reported, changes, write, remove };
}

const left = async (target: Target): Promise<readonly string[]> => {
  const { patch = '' } = await reviewed(target, review);
  const text = Buffer.from(patch, 'base64').toString('utf8');
  return ['10.0.0.1', '10.0.0.2'].filter((ip) => patch === '' || text.includes(`"${ip}"`));
};

describe('rule files', () => {
  it('are reloaded when they change', async () => {
    const target = await world();
    expect(await left(target)).toEqual(['10.0.0.1']);
    target.write('rules.yaml', rulesFor('10.0.0.1', 'other'));
    await target.reloading.check();
    expect(await left(target)).toEqual(['10.0.0.2']);
    expect(target.reported).toMatchObject([{ kind: 'rules', overrides: { rules: ['other'] } }]);
    expect(target.changes).toEqual([['out', 'other']]);
    expect(await metric(target.server, 'reloads_total', { what: 'rules' })).toBe(2);
  });

  it('keep the previous rules in force if they are invalid', async () => {
    const target = await world();
    const wrong = rulesFor('10.0.0.1').replace('keepOut', 'keepAway');
    target.write('rules.yaml', wrong);
    await target.reloading.check();
    await target.reloading.check();
    expect(target.reported).toMatchObject([
      { kind: 'reloadFailed', what: 'rules', problems: [expect.stringMatching(/rules\.yaml:6(:\d+)?: /)] },
    ]);
    expect(await left(target)).toEqual(['10.0.0.1']);
    expect(await metric(target.server, 'reload_errors_total', { what: 'rules' })).toBe(1);
    target.write('rules.yaml', '{');
    await target.reloading.check();
    expect(await metric(target.server, 'reload_errors_total', { what: 'rules' })).toBe(2);
    target.write('rules.yaml', rulesFor('10.0.0.1'));
    await target.reloading.check();
    expect(await left(target)).toEqual(['10.0.0.2']);
  });

  it('keep the previous rules in force while they are missing', async () => {
    const target = await world();
    const before = target.server.overrides;
    target.remove('rules.yaml');
    await target.reloading.check();
    await target.reloading.check();
    expect(target.reported).toMatchObject([{ kind: 'reloadFailed', what: 'rules', problems: [expect.stringContaining('ENOENT')] }]);
    expect(target.server.overrides).toBe(before);
    target.write('rules.yaml', rulesFor('10.0.0.1'));
    await target.reloading.check();
    expect(await left(target)).toEqual(['10.0.0.2']);
  });

  it('are concatenated, and problems name the file and line', async () => {
    const target = await world({ 'a.yaml': rulesFor('10.0.0.2', 'a').trimEnd(), 'b.yaml': rulesFor('10.0.0.1', 'b') });
    expect(target.server.overrides.rules).toEqual(['a', 'b']);
    target.write('b.yaml', rulesFor('10.0.0.1', 'b').replace('keepOut', 'keepAway'));
    await target.reloading.check();
    expect(target.reported).toMatchObject([{ problems: [expect.stringMatching(/b\.yaml:6(:\d+)?: /)] }]);
    target.write('b.yaml', rulesFor('10.0.0.1', 'a'));
    await target.reloading.check();
    expect(target.reported.at(-1)).toMatchObject({ problems: [expect.stringMatching(/b\.yaml:\d+/)] });
    expect(target.server.overrides.rules).toEqual(['a', 'b']);
  });

  it('are polled regardless of file system events', async () => {
    const target = await world();
    target.write('rules.yaml', rulesFor('10.0.0.1'));
    target.clock.advance(10_000);
    await until(() => target.reported.length === 1);
    target.write('rules.yaml', rulesFor('10.0.0.2'));
    await until(() => target.clock.scheduled >= 2);
    target.clock.advance(10_000);
    await until(() => target.reported.length === 2);
  });

  it('are read soon after a file system event', async () => {
    const target = await world(undefined, 1e12);
    target.write('rules.yaml', rulesFor('10.0.0.1'));
    while (target.reported.length === 0) {
      target.clock.advance(100);
      await new Promise(setImmediate);
    }
    expect(await left(target)).toEqual(['10.0.0.2']);
  });
});

/** In a mounted ConfigMap, files link into a folder that is itself a link, which updates swap. */
test('the webhook follows a mounted ConfigMap through the swap of its link', async () => {
  const place = join(folder, 'mounted');
  const version = (name: string, text: string): void => {
    mkdirSync(join(place, name), { recursive: true });
    writeFileSync(join(place, name, 'rules.yaml'), text);
  };
  version('..1', rulesFor('10.0.0.2', 'first'));
  symlinkSync('..1', join(place, '..data'));
  symlinkSync(join('..data', 'rules.yaml'), join(place, 'rules.yaml'));
  const certificate = newCertificate();
  writeFileSync(join(folder, 'c.crt'), certificate.cert);
  writeFileSync(join(folder, 'c.key'), certificate.key);
  const files = { rules: [join(place, 'rules.yaml')], cert: join(folder, 'c.crt'), key: join(folder, 'c.key') };
  const clock = createWebhookClock();
  const loaded = await loadWebhookFiles(files);
  const server = createWebhookServer({ ...loaded, processMetrics: false });
  const reloading = followWebhookFiles({ files, loaded, server, clock, interval: 1e12 });
  onTestFinished(() => reloading.close());
  version('..2', rulesFor('10.0.0.2', 'second'));
  symlinkSync('..2', join(place, '..data_tmp'));
  renameSync(join(place, '..data_tmp'), join(place, '..data'));
  rmSync(join(place, '..1'), { recursive: true });
  while (server.overrides.rules[0] !== 'second') {
    clock.advance(100);
    await new Promise(setImmediate);
  }
  expect(server.overrides.rules).toEqual(['second']);
});

describe('certificate files', () => {
  it('apply to new connections after a reload', async () => {
    const target = await world();
    const agent = keptConnections();
    await reviewed(target, review, { agent });
    const next = newCertificate(99);
    target.write('tls.crt', next.cert);
    target.write('tls.key', next.key);
    await target.reloading.check();
    expect(target.reported).toMatchObject([{ kind: 'certificate', expires: expect.stringMatching(/^20\d\d-/) }]);
    await expect(reviewed(target, review)).rejects.toThrow();
    expect(await reviewed({ ...target, ca: next.ca }, review)).toMatchObject({ allowed: true });
    expect(await reviewed(target, review, { agent })).toMatchObject({ allowed: true });
  });

  it('keep the previous certificate in use if it does not match the key', async () => {
    const target = await world();
    target.write('tls.key', newCertificate(99).key);
    await target.reloading.check();
    expect(target.reported).toMatchObject([{ kind: 'reloadFailed', what: 'certificate' }]);
    expect(await reviewed(target, review)).toMatchObject({ allowed: true });
    target.write('tls.crt', 'nothing of the kind');
    await target.reloading.check();
    expect(await metric(target.server, 'reload_errors_total', { what: 'certificate' })).toBe(2);
    expect(await serverName(target)).toBe('kube-apiserver');
  });
});

test('the webhook drops no request while rules and certificates change', async () => {
  const target = await world();
  const agent = keptConnections(8);
  const certificates = [newCertificate(1), newCertificate(2), newCertificate(3)];
  const ca = [target.ca, ...certificates.map((each) => each.ca)].join('');
  let ended = false;
  let answered = 0;
  const client = async (fresh: boolean): Promise<void> => {
    while (!ended) {
      const { allowed, patch } = await reviewed({ ...target, ca }, review, fresh ? {} : { agent });
      if (!allowed || patch === undefined) throw new Error('a review was not answered from the rules');
      answered += 1;
    }
  };
  const clients = [...Array.from({ length: 8 }, () => client(false)), ...Array.from({ length: 4 }, () => client(true))];
  for (let round = 0; round < 12; round++) {
    const next = certificates[round % certificates.length] as (typeof certificates)[number];
    target.write('rules.yaml', round % 4 === 3 ? 'rules: 7' : rulesFor(round % 2 ? '10.0.0.1' : '10.0.0.2', `r${round}`));
    target.write('tls.crt', next.cert);
    target.write('tls.key', next.key);
    await target.reloading.check();
    const seen = answered;
    await until(() => answered > seen + 20);
  }
  ended = true;
  await Promise.all(clients);
  expect(target.reported.filter(({ kind }) => kind === 'certificate')).toHaveLength(12);
  expect(target.reported.filter(({ kind }) => kind === 'rules')).toHaveLength(9);
  expect(target.reported.filter(({ kind }) => kind === 'reloadFailed')).toHaveLength(3);
});

/** The common name of the certificate shown to new connections. */
const serverName = ({ port, ca }: Target): Promise<string | readonly string[] | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' }, () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
    socket.on('error', reject);
  });
