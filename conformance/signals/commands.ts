import { join } from 'node:path';

const examples = join(import.meta.dirname, '../../examples');
const overrides = join(examples, 'overrides/objects.yaml');
const rules = join(examples, 'overrides/rules.yaml');

/** A command line that signals are sent to. It runs in a new, empty folder. */
export interface TestedCommand {
  readonly name: string;
  /** @param port a free port; only servers use it */
  argv(port: number): readonly string[];
  /** True if it runs until it is stopped, and prints a line when it is ready. */
  readonly serves: boolean;
  /** Files and folders that it may create. Each must be complete. */
  readonly creates?: readonly string[];
}

const oneShot = (name: string, ...flags: readonly string[]): TestedCommand => ({
  name,
  serves: false,
  argv: () => [...name.split(' '), ...flags],
});

const server = (name: string, creates: readonly string[], argv: (port: string) => readonly string[]): TestedCommand => ({
  name,
  serves: true,
  creates,
  argv: (port) => [name, ...argv(String(port))],
});

/** Every command; servers with each kind of file that they write. */
export const testedCommands: readonly TestedCommand[] = [
  server('run', ['kubeconfig'], (port) => ['-f', overrides, '--port', port, '--kubeconfig-out', 'kubeconfig']),
  server('apiserver', ['kubeconfig'], (port) => ['-f', overrides, '--port', port, '--kubeconfig-out', 'kubeconfig']),
  server('webhook', ['tls'], (port) => ['--rules', rules, '--self-signed', 'tls', '--host', '127.0.0.1', '--port', port]),
  server('dns', [], (port) => ['-f', overrides, '--port', port]),
  oneShot('run', '-f', overrides, '--once'),
  {
    ...oneShot('webhook manifest', '--service', 'hook', '--self-signed', 'tls', '--all', '--rules', rules),
    creates: ['tls'],
  },
  oneShot('compute', '-f', join(examples, 'cluster'), '-A', '--slices', '-o', 'yaml'),
  oneShot('explain', '-f', overrides, '-A', '-o', 'wide'),
  oneShot('diff', '-f', join(examples, 'cluster'), '-n', 'shop'),
  oneShot('upgrade', '-f', overrides, '-A', '--from', '1.20'),
  oneShot('override test', '--rules', rules, '-f', overrides),
  oneShot('resolve', 'web.shop', '-f', overrides),
  oneShot('proxy view', '--node', 'rack-a-1', '-f', overrides, '-A'),
  oneShot('trace', 'web.shop:http', '-f', overrides),
];
