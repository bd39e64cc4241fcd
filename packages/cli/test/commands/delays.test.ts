import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../fake-io.ts';

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
    'watch               1 to 100         <none>         default; set it: no component measures it',
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
])('refuses %j', async (args, message) => {
  const { code, stderr } = await run(['delays', ...args], { files: { empty: 'up 1\n', wrong: 'a_bucket{le="1"} x\n' } });
  expect({ code, stderr: stderr.split('\n')[0] }).toStrictEqual({ code: 2, stderr: `error: ${message}` });
});
