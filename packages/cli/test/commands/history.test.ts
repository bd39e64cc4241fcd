import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/support/sample.ts';
import { run } from '../fake-io.ts';

/**
 * A part of the audit log of kube-apiserver 1.36.3 with kube-controller-manager, without managedFields. The scheduler and the kubelets were requests
 * by hand, and kube-controller-manager was stopped (SIGSTOP) from 03:55:35 to 03:55:46.
 */
const audit = readFileSync(new URL('../../../../examples/recording/audit.log', import.meta.url), 'utf8');

type Json = Readonly<Record<string, unknown>> | readonly unknown[];

/** Each entry of the audit log with each of its fields replaced by a value of another type. */
function* wrongTypes(): Generator<{ readonly name: string; readonly line: number; readonly changed: string }> {
  for (const [line, text] of audit.trimEnd().split('\n').entries())
    for (const path of pathsOf(JSON.parse(text) as Json))
      for (const wrong of [null, 7, [], { text: 7 }]) {
        const name = `line ${line + 1}: ${path.join('.')} = ${JSON.stringify(wrong)}`;
        yield { name, line, changed: JSON.stringify(replace(JSON.parse(text) as Json, path, wrong)) };
      }
}

const pathsOf = (value: unknown): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => [[key], ...pathsOf(each).map((path) => [key, ...path])])
    : [];

function replace(value: Json, [key = '', ...rest]: readonly string[], wrong: unknown): Json {
  const field = rest.length === 0 ? wrong : replace(value[key as never] as Json, rest, wrong);
  return Array.isArray(value) ? value.with(Number(key), field) : { ...value, [key]: field };
}

const history = (files: Readonly<Record<string, string>>, ...flags: string[]) =>
  run(['history', ...Object.keys(files).flatMap((name) => ['-f', name]), ...flags], { files });

describe('history of a real audit log', () => {
  test('says when the Service was empty, why, and which write was late', async () => {
    const { code, stdout, stderr } = await history({ 'audit.log': audit }, 'service', 'shop/web');
    expect({ code, stderr }).toStrictEqual({ code: 1, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('SERVICE shop/web  recorded from 2026-11-30 03:55:20 to 2026-11-30 03:56:01 UTC');
    expect(lines[1]).toBe('  It has had 0 ready addresses since 03:55:56.160.');
    expect(lines.filter((line) => line.startsWith('  Empty'))).toStrictEqual([
      '  Empty from 03:55:20.713 to 03:55:25.810 (5.1 s), since its creation.',
      '  Empty from 03:55:32.458 to 03:55:46.191 (13.7 s): 2 pods (web-8659dfd5f-nmkmh, web-8659dfd5f-nv7tx) ceased to be ready ' +
        'between 03:55:31.348 and 03:55:32.427 (containers with unready status: [web]).',
      '  Empty since 03:55:56.160: pod web-8659dfd5f-qxvkt was evicted by kubernetes-admin at 03:55:53.553; ' +
        '2 pods (web-8659dfd5f-nv7tx, web-8659dfd5f-nmkmh) were deleted by replicaset-controller between 03:55:55.955 and 03:55:56.089, ' +
        'after Deployment web was changed by kubernetes-admin at 03:55:55.907.',
    ]);
    expect(lines.filter((line) => line.includes('Late:'))).toStrictEqual([
      '    Late: the EndpointSlice controller wrote the endpoints 10.7 s after pod web-8659dfd5f-nmkmh became ready, ' +
        'at 03:55:46.191 instead of 03:55:35.503; normal is less than 3 s.',
    ]);
  });

  test('escapes characters that would control a terminal', async () => {
    const { stdout } = await history({ 'audit.log': audit.replaceAll('kubernetes-admin', '\\u001b[31m') }, 'service', 'shop/web');
    expect(stdout).toContain('was evicted by \\u001b[31m at');
  });

  test('shows the state at a time, and why it is so', async () => {
    const { code, stdout } = await history({ 'audit.log': audit }, 'shop/web', '--at', '03:55:34');
    expect(code).toBe(1);
    expect(stdout).toContain('  At 03:55:34 it had 0 ready addresses.\n    ReadinessProbeFails: 2 pods');
    expect(stdout).toMatch(/ {4}web-8659dfd5f-nmkmh {2}not ready: The pod is not ready/);
    const ready = await history({ 'audit.log': audit }, 'shop/web', '--at', '2026-11-30T03:55:47Z');
    expect(ready.code).toBe(0);
    expect(ready.stdout).toContain('  At 03:55:47 it had 2 ready addresses: 10.1.0.1, 10.1.0.2.');
  });

  test('prints causes, times and delays as JSON', async () => {
    const { stdout } = await history({ 'audit.log': audit }, 'shop/web', '-o', 'json');
    const [item] = (JSON.parse(stdout) as { items: readonly [Readonly<Record<string, never>>] }).items;
    const { versions, late } = item as unknown as {
      readonly versions: readonly {
        readonly id: number;
        readonly kind: string;
        readonly cause?: { readonly id: number; readonly by: string };
      }[];
      readonly late: readonly object[];
    };
    expect(late).toHaveLength(2);
    expect(late[0]).toMatchObject({ hop: 'sliceWrite', pod: 'web-8659dfd5f-nmkmh', isReady: true, by: 'triggerTime', minMs: 10_680 });
    const slices = versions.filter(({ kind, cause }) => kind === 'EndpointSlice' && cause);
    expect(slices.map(({ cause }) => cause?.by)).toContain('triggerTime');
    const byId = new Map(versions.map((version) => [version.id, version.kind]));
    expect(new Set(slices.map(({ cause }) => byId.get(cause?.id ?? -1)))).toStrictEqual(new Set(['Pod']));
  });
});

describe('history', () => {
  test.each([
    [
      'a time outside of the recording',
      ['shop/web', '--at', '2026-11-29T00:00:00Z'],
      'error: --at 2026-11-29T00:00:00Z: the recording is from 2026-11-30 03:55:20 to 2026-11-30 03:56:01 UTC\n',
    ],
    [
      'a time of another form',
      ['shop/web', '--at', 'noon'],
      "error: option '--at <TIME>' argument 'noon' is invalid. give a time such as 02:13, 02:13:04 or 2026-11-30T02:13:04Z\n",
    ],
    ['an unknown Service', ['shop/api'], 'error: the recording shows no Service shop/api and no endpoints of it\n'],
    ['two Services', ['shop/web', 'shop/api'], 'error: history is of one Service: give its name\n'],
  ])('refuses %s', async (_, flags, stderr) => {
    expect(await history({ 'audit.log': audit }, ...flags)).toStrictEqual({ code: 2, stdout: '', stderr });
  });

  test('names the file, the line and the field of an invalid entry', async () => {
    const bad = `${audit.slice(0, audit.indexOf('\n') + 1)}{"apiVersion":"audit.k8s.io/v1","stage":1}\n`;
    expect((await history({ 'audit.log': bad }, 'shop/web')).stderr).toBe('error: audit.log:2: stage: give a string\n');
    expect((await run(['history', 'shop/web'])).stderr).toContain("required option '-f, --filename <FILE>' not specified");
    expect((await run(['history', '-f', 'no.log', 'shop/web'])).stderr).toBe('error: no.log: there is no such file or directory\n');
  });

  test('names the place of a wrong type, or ignores it', async () => {
    const lines = audit.trimEnd().split('\n');
    const everySixth = [...wrongTypes()].filter((_, index) => index % 6 === 0);
    for (const { name, line, changed } of sampled(everySixth, 20)) {
      const { code, stderr } = await history({ 'audit.log': lines.with(line, changed).join('\n') }, 'shop/web');
      if (code === 2) expect(stderr, name).toMatch(new RegExp(`^error: audit\\.log:${line + 1}: `));
      else expect({ name, stderr }).toStrictEqual({ name, stderr: '' });
    }
  });

  test('makes a scenario of what a changed log shows, or says what it does not show', async () => {
    const lines = audit.trimEnd().split('\n');
    const everySixth = [...wrongTypes()].filter((_, index) => index % 6 === 3);
    for (const { name, line, changed } of sampled(everySixth, 20)) {
      const { stderr } = await history({ 'audit.log': lines.with(line, changed).join('\n') }, 'shop/web', '--scenario');
      expect(stderr, name).toMatch(/^$|^error: audit\.log:|^error: the recording does not show |^hint: The scenario does not repeat /);
    }
  });

  test('prints a scenario, and a hint about what it does not repeat', async () => {
    const lost = audit.replaceAll('"username":"system:node:n1"', '"username":"system:serviceaccount:kube-system:node-controller"');
    const { code, stdout, stderr } = await history({ 'audit.log': lost }, 'shop/web', '--scenario', '-o', 'json');
    expect({ code, stderr }).toStrictEqual({
      code: 0,
      stderr:
        'hint: The scenario does not repeat why Service shop/web became empty at 03:55:32.458: pods ceased to be ready by themselves. ' +
        'Add a fault, such as loseNode or crash.\n',
    });
    const { objects, steps, faults } = JSON.parse(stdout) as Readonly<Record<string, readonly object[]>>;
    expect([objects, steps, faults].map((list) => list?.length)).toStrictEqual([4, 4, 1]);
  });

  test('says which field of an object has the wrong type', async () => {
    const pod = { kind: 'Pod', metadata: { namespace: 'shop', name: 'web-1' }, spec: { containers: [{ name: 'web', ports: 80 }] } };
    const { stderr } = await history({ 'pods.json': JSON.stringify(pod) }, 'shop/web');
    expect(stderr).toBe(
      'error: pods.json:1: this is not a valid Pod: ' +
        'json: cannot unmarshal number into Go struct field Container.spec.containers.ports of type []v1.ContainerPort\n',
    );
  });

  test('reads the dumps of a directory, with times from their names', async () => {
    const service = {
      kind: 'Service',
      metadata: { namespace: 'shop', name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    };
    const slice = (version: string, ready: boolean): object => ({
      kind: 'EndpointSlice',
      metadata: { namespace: 'shop', name: 'web-1', resourceVersion: version, labels: { 'kubernetes.io/service-name': 'web' } },
      ports: [{ port: 80 }],
      endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready } }],
    });
    const dump = (...items: readonly object[]): string => JSON.stringify({ kind: 'List', items });
    const { code, stdout } = await run(['history', '-f', 'dumps', 'shop/web'], {
      files: {
        'dumps/20261130T021000Z.json': dump(service, slice('1', true)),
        'dumps/20261130T021100Z.json': dump(service, slice('2', false)),
        'dumps/20261130T021200Z.json': dump(service, slice('3', true)),
      },
    });
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(1, 3)).toStrictEqual([
      '  It has had 1 ready address since 02:11:00–02:12:00.',
      '  Empty from 02:10:00–02:11:00 to 02:11:00–02:12:00 (0.0 s to 121.0 s).',
    ]);
  });
});
