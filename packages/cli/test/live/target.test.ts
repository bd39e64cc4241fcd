import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import type { IO } from '../../src/base/io.ts';
import { openTarget } from '../../src/live/target.ts';
import { createFakeFiles } from '../fake-io.ts';

type Options = Parameters<typeof openTarget>[0];

const pod = `apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop}
spec: {nodeName: node-1, containers: [{name: web, image: "web:1"}]}
`;

function open(files: Readonly<Record<string, string>>, overrides: Partial<Options> = {}, env: IO['env'] = {}) {
  const messages: string[] = [];
  const options = {
    command: 'run',
    once: true,
    flags: { filename: Object.keys(files), output: 'table', color: false },
    ...overrides,
  } as Options;
  const io = { files: createFakeFiles(files), env, stdin: (async function* () {})(), version: '1' } as unknown as IO;
  return { messages, opened: openTarget(options, io, (prefix, text) => void messages.push(`${prefix}: ${text}`)) };
}

describe('the embedded API server', () => {
  test('holds the objects of the files, and creates the nodes of their pods', async () => {
    const { messages, opened } = open({ 'a.yaml': pod });
    const target = await opened;
    expect(target).toMatchObject({ host: 'embedded', lines: [] });
    expect((await target?.port.list(resources.nodes))?.items.map(({ metadata }) => metadata.name)).toEqual(['node-1']);
    expect(messages).toEqual(['hint: The input has no Nodes: created 1 Node without a zone from the node names of pods.']);
    await target?.close();
  });

  test('creates no nodes if the files contain some', async () => {
    const { messages, opened } = open({ 'a.yaml': `${pod}---\napiVersion: v1\nkind: Node\nmetadata: {name: other}\n` });
    const target = await opened;
    expect((await target?.port.list(resources.nodes))?.items.map(({ metadata }) => metadata.name)).toEqual(['other']);
    expect(messages).toEqual([]);
    await target?.close();
  });

  test('does not end terminating pods', async () => {
    const terminatingPod = pod.replace(
      'namespace: shop',
      'namespace: shop, deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 600',
    );
    const target = await open({ 'a.yaml': terminatingPod }).opened;
    const { metadata } = (await target?.port.get(resources.pods, { namespace: 'shop', name: 'web-1' })) ?? { metadata: {} };
    expect(metadata).toMatchObject({ deletionGracePeriodSeconds: 600, deletionTimestamp: expect.any(String) });
    await target?.close();
  });

  test('is used for files even if a cluster is configured', async () => {
    const target = await open({ 'a.yaml': pod }, {}, { KUBECONFIG: '/no/such' }).opened;
    expect(target?.host).toBe('embedded');
    await target?.close();
  });

  test('is not opened if an object is invalid', async () => {
    const { messages, opened } = open({ 'a.yaml': pod.replace('web-1', 'Web_1') });
    expect(await opened).toBeUndefined();
    expect(messages.at(-1)).toMatch(/^error: a\.yaml, document 1, line 1: Pod \(v1\) shop\/Web_1: .* is invalid/);
  });
});

test('openTarget refuses files together with a cluster', async () => {
  await expect(open({ 'a.yaml': pod }, { context: 'c' }).opened).rejects.toThrow('give one or the other');
});
