import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { Outcome } from './checks.ts';
import { commandInNewNetwork } from './probe.ts';

/** The Linux kernel that runs as a process (Debian: user-mode-linux). It has the modules of ipvs, which the machine's kernel may lack. */
const KERNEL = 'linux.uml';
const MODULES = '/usr/lib/uml/modules';
const MAX_PRINTED_LINES = 30;

/** The line that shows that the kernel has started and has the modules. */
const READY = 'the kernel has ipvs';

/**
 * Runs the program inside.ts on a kernel of its own, which sees the files of this machine, read-only.
 * @returns the outcome, or the reason why the kernel did not start
 * @throws Error with the last lines of the console if the program does not end with an outcome
 */
export async function runOnUserModeLinux(words: readonly string[]): Promise<Outcome | string> {
  const folder = await mkdtemp(join(tmpdir(), 'user-mode-linux-'));
  try {
    await bundlePrograms(folder);
    await writeModprobe(folder);
    await linkLegacyIptables(join(folder, 'bin'));
    await writeScript(join(folder, 'init'), initScript(folder, words));
    return await boot(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Bundles the programs: on this kernel, a program with many files starts slowly. */
async function bundlePrograms(folder: string): Promise<void> {
  await build({
    entryPoints: ['inside', 'agent'].map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['kube-endpoints-source'],
    logLevel: 'silent',
  });
}

/** Writes the program that the kernel calls to load a module on demand. */
async function writeModprobe(folder: string): Promise<void> {
  await mkdir(join(folder, 'lib'));
  await symlink(MODULES, join(folder, 'lib/modules'));
  await writeScript(join(folder, 'modprobe'), `exec /sbin/modprobe -d ${folder} "$@"\n`);
}

/** This kernel has no tables of nftables for single families, which the default iptables of Debian uses. */
async function linkLegacyIptables(folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of ['iptables', 'ip6tables', 'iptables-restore', 'ip6tables-restore'])
    await symlink('/usr/sbin/xtables-legacy-multi', join(folder, name));
}

async function writeScript(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}`);
  await chmod(path, 0o755);
}

/** The first process, which powers the kernel off at its end. The shell then waits, because the kernel panics if this process exits. */
const initScript = (folder: string, words: readonly string[]): string => `
export PATH=${folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
echo ${folder}/modprobe > /proc/sys/kernel/modprobe
${folder}/modprobe -a ip_vs ip_vs_rr && echo ${READY}
ip link set lo up
${[process.execPath, join(folder, 'inside.mjs'), ...words].join(' ')}
echo o > /proc/sysrq-trigger
exec sleep infinity
`;

async function boot(folder: string): Promise<Outcome | string> {
  const options = ['rootfstype=hostfs', 'rootflags=/', 'ro', `init=${folder}/init`, 'mem=1024M', 'quiet', `uml_dir=${folder}/`];
  const consoles = ['con=null', 'con0=null,fd:1'];
  const [command, ...words] = commandInNewNetwork([KERNEL, ...options, ...consoles]);
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, TMPDIR: folder } });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const exit = once(child, 'close');
  const lines: string[] = [];
  let outcome: Outcome | undefined;
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{"passed":')) outcome = JSON.parse(line) as Outcome;
    else lines.push(line);
  }
  await exit;
  process.off('exit', kill);
  if (outcome !== undefined) return outcome;
  const lastLines = lines.slice(-MAX_PRINTED_LINES).join('\n');
  if (!lines.includes(READY)) return `${KERNEL} did not start with ipvs:\n${lastLines}`;
  throw new Error(`the checks ended before their outcome:\n${lastLines}`);
}
