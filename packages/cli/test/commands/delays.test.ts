import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiServer } from '@kube-endpoints/apiserver';
import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../test/support/temporary.ts';
import { type FakeEnvironment, type Outcome, run } from '../fake-io.ts';
import { createQuickClock } from '../quick-clock.ts';

const files = Object.fromEntries(
  ['apiserver.metrics', 'controller-manager.metrics'].map((name) => [
    name,
    readFileSync(new URL(`../../../../examples/rollout/${name}`, import.meta.url)),
  ]),
);
const given = ['delays', '-f', 'apiserver.metrics', '-f', 'controller-manager.metrics'];

it('prints each range with its source, measured or default', async () => {
  const { code, stdout, stderr } = await run(given, { files });
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n').filter((line) => /^(delay|request|watch|sync|proxySync) /.test(line))).toStrictEqual([
    'delay               milliseconds     observations   from',
    'request             0 to 50          25             metric apiserver_request_duration_seconds',
    'watch               1 to 100         <none>         default; kubectl-endpoints delays --measure-watch',
    'sync                0 to 100         104            metric workqueue_work_duration_seconds',
    'proxySync           5 to 500         <none>         default; metric kubeproxy_sync_proxy_rules_duration_seconds',
  ]);
});

it('prints the measured ranges as a file of --ranges', async () => {
  const { stdout } = await run([...given, '--quantile', '0.9', '-o', 'json'], { files });
  expect(JSON.parse(stdout)).toStrictEqual({ ranges: { request: { min: 0, max: 25 }, sync: { min: 0, max: 100 } } });
});

it('says which range is unknown because its histogram ends too early', async () => {
  const text = 'prober_probe_duration_seconds_bucket{le="10"} 5\nprober_probe_duration_seconds_bucket{le="+Inf"} 6\n';
  const { code, stderr } = await run(['delays', '-f', '-'], { stdin: text });
  expect({ code, stderr }).toStrictEqual({
    code: 0,
    stderr:
      'hint: probe: some of 6 observations of prober_probe_duration_seconds are longer than its greatest bound of 10000 ms; give this range yourself, or a lower --quantile.\n',
  });
});

it.each([
  [['-f', 'none'], 'none: there is no such file or directory'],
  [['-f', 'empty'], 'empty: no histogram; give what a component of Kubernetes serves at /metrics'],
  [['-f', 'wrong'], 'wrong: line 1 is not a bucket of a histogram in the text format of Prometheus: a_bucket{le="1"} x'],
  [
    ['-f', 'empty', '--quantile', '0'],
    "option '--quantile <SHARE>' argument '0' is invalid. give a number above 0, up to 1, such as 0.999",
  ],
  [[], "required option '-f, --filename <FILE>' not specified"],
  [['-f', 'empty', '--context', 'a'], '--context is for --measure-watch: give that, too'],
  [
    ['--measure-watch', 'Shop'],
    "option '--measure-watch <NAMESPACE>' argument 'Shop' is invalid. give an object name: at most 63 lower case letters, digits and \"-\", beginning and ending with a letter or digit",
  ],
  [['--measure-watch', 'shop', '--kubeconfig', '/no/such'], 'the kubeconfig /no/such does not exist'],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await run(['delays', ...args], { files: { empty: 'up 1\n', wrong: 'a_bucket{le="1"} x\n' } });
  expect({ code, stderr: stderr.split('\n')[0] }).toStrictEqual({ code: 2, stderr: `error: ${message}` });
});

describe('--measure-watch', () => {
  const untilStopped = (): Promise<void> => new Promise(() => undefined);

  /** Runs the command on an embedded API server, and lists the Leases that stay. */
  async function measure(args: readonly string[], environment: FakeEnvironment = {}): Promise<Outcome & { readonly left: number }> {
    await using server = await createApiServer({ background: false });
    const kubeconfig = join(makeFolder(), 'kubeconfig');
    await (await server.listen()).writeKubeconfig(kubeconfig);
    const clock = createQuickClock();
    const outcome = await run(['delays', '--kubeconfig', kubeconfig, ...args], { files, untilStopped, clock, ...environment });
    return { ...outcome, left: (await server.client.list(resources.leases)).items.length };
  }

  it('measures the delay of watches in a cluster, besides that of files', async () => {
    const { code, stdout, stderr, left } = await measure(['--measure-watch', 'default', '-f', 'apiserver.metrics']);
    expect({ code, left }).toStrictEqual({ code: 0, left: 0 });
    expect(stderr).toMatch(/^hint: Writes a Lease in namespace default 51 times, and deletes it: .*kubeconfig.*\n$/);
    expect(stdout.split('\n').filter((line) => /^(request|watch|sync) /.test(line))).toStrictEqual([
      'request             0 to 50          25             metric apiserver_request_duration_seconds',
      'watch               0 to 0           50             kubectl-endpoints delays --measure-watch',
      'sync                0 to 50          <none>         default; metric workqueue_work_duration_seconds',
    ]);
  });

  it('prints the measured range as a file of --ranges', async () => {
    const { stdout } = await measure(['--measure-watch', 'default', '-o', 'json']);
    expect(JSON.parse(stdout)).toStrictEqual({ ranges: { watch: { min: 0, max: 0 } } });
  });

  it('is stopped by a signal, and deletes the Lease', async () => {
    const { code, stdout, stderr, left } = await measure(['--measure-watch', 'default'], { untilStopped: () => Promise.resolve() });
    expect({ code, stdout, left, error: stderr.split('\n')[1] }).toStrictEqual({
      code: 2,
      stdout: '',
      left: 0,
      error: 'error: stopped before the delay of watches was measured',
    });
  });

  it('names a namespace that does not exist', async () => {
    const { code, stderr } = await measure(['--measure-watch', 'shop']);
    expect({ code, error: stderr.split('\n')[1] }).toStrictEqual({
      code: 2,
      error: 'error: --measure-watch cannot create leases.coordination.k8s.io in namespace "shop": namespaces "shop" not found',
    });
  });
});
