import { delimiter, join } from 'node:path';
import { createApiServer } from '@kube-endpoints/apiserver';
import * as clientNode2 from '@kubernetes/client-node';
import * as clientNode1 from 'client-node-1';
import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { makeFolder, writeFiles } from '../../../../../test/support/temporary.ts';
import { createClientNodePort, type LoadOptions, loadKubeConfig } from '../../../src/client-node/index.ts';
import {
  type ClientNodeLibrary,
  importLibrary,
  type LoadedKubeConfig,
  readInCluster,
} from '../../../src/client-node/load/load-kube-config.ts';
import { errorOf, majors } from '../support.ts';

const config = (name: string, { current = true, namespace = '', token = `of ${name}` } = {}): string => `
apiVersion: v1
kind: Config
clusters: [{name: ${name}, cluster: {server: "https://${name}"}}]
users: [{name: ${name}, user: {token: ${token}}}]
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}${namespace && `, namespace: ${namespace}`}}}]
${current ? `current-context: ${name}` : ''}
`;

describe.each(majors)('loadKubeConfig with client-node $major', ({ KubeConfig }) => {
  // Typed as client-node 2; these tests use only calls that both versions have.
  const library = { KubeConfig } as ClientNodeLibrary<clientNode2.KubeConfig>;
  const folderWith = (files: Readonly<Record<string, string>>): string => {
    const folder = makeFolder();
    writeFiles(folder, files);
    return folder;
  };
  const load = (options: LoadOptions = {}): Promise<LoadedKubeConfig<clientNode2.KubeConfig>> =>
    loadKubeConfig({ env: {}, ...options, library });

  it('prefers the kubeconfig option', async () => {
    const folder = folderWith({ a: config('a', { namespace: 'shop' }), b: config('b'), '.kube/config': config('c') });
    const env = { KUBECONFIG: join(folder, 'b'), HOME: folder };
    const { kubeConfig, namespace, description } = await load({ kubeconfig: join(folder, 'a'), env });
    expect(kubeConfig).toBeInstanceOf(KubeConfig);
    expect(kubeConfig.getCurrentCluster()?.server).toBe('https://a');
    expect([namespace, description]).toEqual(['shop', `context "a" of ${join(folder, 'a')}, https://a`]);
  });

  it('merges the files of KUBECONFIG and skips missing files (js#265, js#579)', async () => {
    const folder = folderWith({ a: config('a', { current: false }), b: config('b'), c: config('c'), d: config('a', { token: 'later' }) });
    const KUBECONFIG = ['missing', 'a', 'b', 'c', 'd', 'a'].map((name) => join(folder, name)).join(delimiter);
    const { kubeConfig, namespace } = await load({ env: { KUBECONFIG: `${delimiter}${KUBECONFIG}`, HOME: folder } });
    expect(kubeConfig.getCurrentContext()).toBe('b');
    expect(kubeConfig.getContexts().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(kubeConfig.getUser('a')?.token).toBe('of a');
    expect(namespace).toBe('default');
  });

  it('reads the file in the home directory if KUBECONFIG is not set', async () => {
    const folder = folderWith({ '.kube/config': config('a') });
    expect((await load({ env: { HOME: folder } })).description).toContain('context "a"');
    expect((await load({ env: { USERPROFILE: folder, KUBECONFIG: '' } })).description).toContain('context "a"');
  });

  it('reads the service account and namespace of a pod (js#692)', async () => {
    const folder = folderWith({ token: 'secret\n', namespace: 'shop' });
    const env = { HOME: folder, KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const { kubeConfig, namespace, description } = await load({ env, serviceAccountFolder: folder });
    expect([namespace, description]).toEqual(['shop', 'the cluster of this pod, https://10.96.0.1:443']);
    const options: { headers?: Record<string, string> } = {};
    await kubeConfig.applyToHTTPSOptions(options);
    expect(options.headers?.['Authorization']).toBe('Bearer secret\n');
  });

  it('selects the context of the context option', async () => {
    const folder = folderWith({ a: config('a'), b: config('b', { namespace: 'shop' }) });
    const env = { KUBECONFIG: [join(folder, 'a'), join(folder, 'b')].join(delimiter) };
    const { kubeConfig, namespace } = await load({ env, context: 'b' });
    expect([kubeConfig.getCurrentCluster()?.server, namespace]).toEqual(['https://b', 'shop']);
    expect((await errorOf(load({ env, context: 'c' }))).message).toContain('has no context "c": there are "a", "b"');
  });

  it('throws an error that says why no cluster was found', async () => {
    const folder = folderWith({
      none: config('a', { current: false }),
      empty: '',
      broken: config('a').replace('server', 'servers'),
      loose: config('a').replace('cluster: a,', 'cluster: b,'),
    });
    const messageOf = async (options: LoadOptions): Promise<string> => (await errorOf(load(options))).message;
    const kubeconfigAt = (name: string): { readonly kubeconfig: string } => ({ kubeconfig: join(folder, name) });
    expect(await messageOf(kubeconfigAt('none'))).toBe(`${join(folder, 'none')} has no current context: name one; there are "a"`);
    expect(await messageOf(kubeconfigAt('empty'))).toBe(`${join(folder, 'empty')} has no current context: name one; it has no contexts`);
    expect(await messageOf(kubeconfigAt('missing'))).toBe(`the kubeconfig ${join(folder, 'missing')} does not exist`);
    for (const name of ['broken', 'loose']) expect(await messageOf(kubeconfigAt(name))).toContain('context "a" of');
    expect(await messageOf({ env: { HOME: folder } })).toContain(
      `${join(folder, '.kube/config')} does not exist, and this process does not run in a pod`,
    );
    const env = { HOME: folder, KUBECONFIG: join(folder, 'missing') };
    expect(await messageOf({ env })).toContain('none of the files in KUBECONFIG exists');
    expect(await errorOf(load({ env }))).toMatchObject({ code: 'NoCluster' });
    expect(await errorOf(load(kubeconfigAt('missing')))).not.toHaveProperty('code');
  });

  it('returns a configuration that connects to the cluster', async () => {
    const server = await createApiServer();
    const folder = folderWith({ config: (await server.listen()).kubeconfig() });
    const { kubeConfig } = await load({ kubeconfig: join(folder, 'config') });
    const port = createClientNodePort(kubeConfig);
    const { items } = await port.list(resources.namespaces);
    expect(items.map(({ metadata }) => metadata.name)).toContain('default');
    port.close();
    await server.close();
  });
});

it('loadKubeConfig imports client-node unless it is passed in', async () => {
  const folder = makeFolder();
  writeFiles(folder, { config: config('a') });
  const kubeconfig = join(folder, 'config');
  expect((await loadKubeConfig({ kubeconfig })).kubeConfig).toBeInstanceOf(clientNode2.KubeConfig);
  const { kubeConfig } = await loadKubeConfig({ kubeconfig, library: clientNode1 });
  expect(kubeConfig).toBeInstanceOf(clientNode1.KubeConfig);
  expect(kubeConfig.getCurrentUser()?.token).toBe('of a');
});

const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

describe('readInCluster', () => {
  it('returns the cluster, the namespace and a token file', async () => {
    const folder = makeFolder();
    writeFiles(folder, { token: 'secret', 'ca.crt': 'ca', namespace: 'shop\n' });
    expect(await readInCluster(env, folder)).toEqual({
      'current-context': 'in-cluster',
      clusters: [{ name: 'in-cluster', cluster: { server: 'https://10.96.0.1:443', 'certificate-authority': join(folder, 'ca.crt') } }],
      users: [{ name: 'in-cluster', user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile: join(folder, 'token') } } } }],
      contexts: [{ name: 'in-cluster', context: { cluster: 'in-cluster', user: 'in-cluster', namespace: 'shop' } }],
    });
  });

  it('supports IPv6, and works without a CA and a namespace', async () => {
    const folder = makeFolder();
    writeFiles(folder, { token: 'secret' });
    const { clusters, contexts } = (await readInCluster({ ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder)) ?? {};
    expect(clusters).toEqual([{ name: 'in-cluster', cluster: { server: 'https://[fd00::1]:443' } }]);
    expect(contexts).toEqual([{ name: 'in-cluster', context: { cluster: 'in-cluster', user: 'in-cluster' } }]);
  });
});

it('readInCluster returns undefined outside a pod', async () => {
  const folder = makeFolder();
  expect(await readInCluster(env, folder)).toBeUndefined();
  writeFiles(folder, { token: 'secret' });
  expect(await readInCluster({ KUBERNETES_SERVICE_HOST: '10.96.0.1' }, folder)).toBeUndefined();
  expect(await readInCluster({}, folder)).toBeUndefined();
});

const createFailingImport = (message: string, code: string) => () => Promise.reject(Object.assign(new Error(message), { code }));

it('importLibrary imports client-node', async () => {
  const { KubeConfig } = await importLibrary();
  expect(new KubeConfig().getContexts()).toEqual([]);
});

it('importLibrary says what to install if client-node is missing', async () => {
  const missing = createFailingImport("Cannot find package '@kubernetes/client-node' imported from /app/index.js", 'ERR_MODULE_NOT_FOUND');
  expect((await errorOf(importLibrary(missing))).message).toBe(
    'Reading a kubeconfig requires @kubernetes/client-node, which is not installed: npm install @kubernetes/client-node',
  );
});

it('importLibrary does not hide other errors', async () => {
  for (const [message, code] of [
    ["Cannot find package 'undici'", 'ERR_MODULE_NOT_FOUND'],
    ['@kubernetes/client-node is broken', 'ERR_OTHER'],
  ] as const) {
    expect(await errorOf(importLibrary(createFailingImport(message, code)))).toMatchObject({ message, code });
  }
});
