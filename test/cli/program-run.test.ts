import { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { addClusterFlags, addRun, type RunParticulars } from '../../src/cli/program-run.ts';

function parse(text: string): RunParticulars | undefined {
  let taken: RunParticulars | undefined;
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  const parts = { release: () => new Option('--release <R>'), max: () => new Option('--max-endpoints-per-slice <N>'), readPort: Number };
  addRun(program, parts, (particulars) => {
    taken = particulars;
  });
  program.parse(['run', ...text.split(' ').filter(Boolean)], { from: 'user' });
  return taken;
}

test.each<[string, Partial<RunParticulars>]>([
  ['', { command: 'run', workers: 5, once: false, leaderElect: false, host: '127.0.0.1' }],
  ['--controllers endpoints', { controllers: ['endpoints'] }],
  ['--once --dry-run --leader-elect', { once: true, dryRun: true, leaderElect: true }],
  ['--workers 999 --batch-period 1s', { workers: 999, batchPeriod: 1000 }],
])('run %s', (text, expected) => {
  expect(parse(text)).toMatchObject(expected);
});

test.each(['--controllers endpoints,', '--controllers pods', '--workers 0', '--workers 1000', '--workers x', '--leader-elect --shards a'])(
  'run %s is refused',
  (text) => {
    expect(() => parse(text)).toThrow();
  },
);

test('a command that reads a cluster has the flags that name one', () => {
  const command = addClusterFlags(new Command());
  command.parse(['--kubeconfig', 'k', '--context', 'c'], { from: 'user' });
  expect(command.opts()).toEqual({ kubeconfig: 'k', context: 'c' });
});
