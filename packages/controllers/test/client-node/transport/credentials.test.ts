import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../../../../test/support/temporary.ts';
import { createClock, type ManualClock } from '../../../../apiserver/test/store/support.ts';
import type { KubeConfigLike } from '../../../src/client-node/index.ts';
import { createSettings } from '../../../src/client-node/options.ts';
import { type CredentialSource, createCredentialSource } from '../../../src/client-node/transport/credentials.ts';
import { errorOf, loadConfig, majors } from '../support.ts';

const server = 'https://127.0.0.1:1';

function createSource(config: KubeConfigLike): { readonly source: CredentialSource; readonly clock: ManualClock } {
  const clock = createClock();
  const source = createCredentialSource(config, '127.0.0.1:1', createSettings({ clock, userAgent: 'tester' }));
  onTestFinished(() => source.destroy());
  return { source, clock };
}

const authorizationOf = ({ headers }: { readonly headers: readonly string[] }): string | undefined =>
  headers[headers.indexOf('Authorization') + 1];

describe.each(majors)('createCredentialSource with client-node $major', ({ KubeConfig }) => {
  const createConfig = (user: object, cluster?: Readonly<Record<string, unknown>>) => {
    const config = new KubeConfig();
    loadConfig(config, server, user, cluster);
    return config;
  };

  it('returns credentials as raw headers', async () => {
    const { source } = createSource(createConfig({ token: 'secret', impersonateUser: 'jane' }));
    const { headers } = await source.getCurrent();
    expect(headers.slice(0, 6)).toEqual(['Host', '127.0.0.1:1', 'User-Agent', 'tester', 'Accept', 'application/json']);
    expect(headers.slice(6)).toEqual(['Impersonate-User', 'jane', 'Authorization', 'Bearer secret']);
  });

  it('supports a user name and a password', async () => {
    const { source } = createSource(createConfig({ username: 'jane', password: 'x:y' }));
    expect(authorizationOf(await source.getCurrent())).toBe(`Basic ${Buffer.from('jane:x:y').toString('base64')}`);
  });

  it('returns the same object while the credentials are unchanged', async () => {
    const { source, clock } = createSource(createConfig({ token: 'secret' }));
    const first = await source.getCurrent();
    expect(source.getCurrent()).toBe(first);
    clock.advance(30_000);
    expect(await source.getCurrent()).toBe(first);
    expect(await source.getReplacement(first)).toBe(first);
  });

  it('rereads a token file', async () => {
    const tokenFile = join(makeFolder(), 'token');
    writeFileSync(tokenFile, 'one\n');
    const config = createConfig({ authProvider: { name: 'tokenFile', config: { tokenFile } } });
    const { source, clock } = createSource(config);
    const first = await source.getCurrent();
    expect(authorizationOf(first)).toBe('Bearer one');
    writeFileSync(tokenFile, 'two\n');
    expect(source.getCurrent()).toBe(first);
    forgetTokens(config);
    clock.advance(30_000);
    const second = await source.getCurrent();
    expect(authorizationOf(second)).toBe('Bearer two');
    expect(second.agents).toBe(first.agents);
  });

  it('calls an exec plugin again after a 401', async () => {
    const folder = makeFolder();
    const program = join(folder, 'login');
    const countFile = join(folder, 'count');
    const answer =
      '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"expirationTimestamp":"2020-01-01T00:00:00Z","token":"\'$n\'"}}';
    writeFileSync(countFile, '0');
    writeFileSync(program, `#!/bin/sh\nn=$(($(cat ${countFile}) + 1)); printf $n > ${countFile}\necho '${answer}'\n`);
    chmodSync(program, 0o755);
    const { source } = createSource(createConfig({ exec: { command: program } }));
    const first = await source.getCurrent();
    expect(authorizationOf(first)).toBe('Bearer 1');
    const second = await source.getReplacement(first);
    expect(authorizationOf(second)).toBe('Bearer 2');
    expect(await source.getReplacement(first)).toBe(second);
    expect(readFileSync(countFile, 'utf8')).toBe('2');
  });

  it('creates new agents if a certificate file changes', async () => {
    const certFile = join(makeFolder(), 'client.crt');
    writeFileSync(certFile, '');
    const config = createConfig({ token: 'a' }, { caFile: certFile });
    const { source, clock } = createSource(config);
    const first = await source.getCurrent();
    writeFileSync(certFile, '\n');
    clock.advance(30_000);
    const second = await source.getCurrent();
    expect(second.agents).not.toBe(first.agents);
    expect(second.headers).toEqual(first.headers);
  });

  it('uses the TLS settings of the cluster if there is no user', async () => {
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [{ name: 'fake', server, caData: '', skipTLSVerify: true, tlsServerName: 'api' }],
      users: [],
      contexts: [{ name: 'test', cluster: 'fake' }],
      currentContext: 'test',
    });
    const { agents, headers } = await createSource(config).source.getCurrent();
    expect(agents.pooled).toMatchObject({ options: { servername: 'api', rejectUnauthorized: false } });
    expect(headers).not.toContain('Authorization');
  });

  it('rejects if the first load fails, and keeps the credentials if a later load fails', async () => {
    const tokenFile = join(makeFolder(), 'token');
    const config = createConfig({ token: 'a' }, { caFile: tokenFile });
    const { source, clock } = createSource(config);
    expect((await errorOf(Promise.resolve(source.getCurrent()))).message).toMatch(/^the kubeconfig's credentials cannot be loaded: ENOENT/);
    writeFileSync(tokenFile, '');
    const first = await source.getCurrent();
    loadConfig(config, server, { exec: {} });
    clock.advance(30_000);
    expect(await source.getCurrent()).toBe(first);
    expect((await errorOf(source.getReplacement(first))).message).toMatch(
      /the command undefined of user "\w+" is missing: set exec\.command$/,
    );
  });
});

it('createCredentialSource times out, and loads the credentials again on the next call', async () => {
  let attempts = 0;
  const config: KubeConfigLike = {
    getCurrentContext: () => 'test',
    getContexts: () => [],
    getCurrentCluster: () => ({ name: 'fake', server }),
    applyToHTTPSOptions: () => {
      attempts += 1;
      return new Promise(() => undefined);
    },
  };
  const { source, clock } = createSource(config);
  for (const expectedAttempts of [1, 2]) {
    const errors = Promise.all([source.getCurrent(), source.getCurrent()].map((result) => errorOf(Promise.resolve(result))));
    clock.advance(70_000);
    for (const { message } of await errors) expect(message).toContain('no answer within 70 s');
    expect(attempts).toBe(expectedAttempts);
  }
});

/** Clears the tokens that client-node read from files and caches for a minute by the system clock. */
function forgetTokens(config: object): void {
  const { authenticators } = config as { readonly authenticators: readonly { lastRead?: Date | null }[] };
  for (const authenticator of authenticators) if ('lastRead' in authenticator) authenticator.lastRead = null;
}
