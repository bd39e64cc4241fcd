import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { proxyGatesFor } from 'kube-endpoints/internal';
import type { Outcome } from './checks.ts';
import { commandInNewNetwork, reasonToSkip } from './probe.ts';
import type { Mode } from './rules.ts';
import { runOnUserModeLinux } from './user-mode-linux.ts';

/**
 * Usage: run.ts [--mode nftables|iptables|ipvs] [--release 1.37] [--rounds 10] [--seed N]. --mode and --release are repeatable. Loads the rules of two nodes into temporary network namespaces and
 * checks connectivity for every way to reach a Service, initially and after every change. --rounds is the number of random
 * clusters to check after the scripted changes.
 */
const { values } = parseArgs({
  options: {
    mode: { type: 'string', multiple: true, default: ['nftables', 'iptables'] },
    release: { type: 'string', multiple: true, default: ['1.37'] },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const MAX_PRINTED_FAILURES = 20;

process.exitCode = await main(
  values.release.flatMap((release) => values.mode.map((mode) => ({ mode: parseMode(mode), release }))).filter(isBuilt),
);

/** The mode and the release of kube-proxy's rules. */
interface Kind {
  readonly mode: Mode;
  readonly release: string;
}

/** Whether the release has the mode. */
function isBuilt({ mode, release }: Kind): boolean {
  return mode !== 'nftables' || proxyGatesFor({ version: release }).nftablesMode;
}

async function main(kinds: readonly Kind[]): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const kind of kinds) {
    const title = `${kind.mode} of ${kind.release}`;
    console.log(`rules of ${title} in network namespaces, seed ${values.seed}`);
    const outcome = reasonToSkip(kind.mode) ?? (await runKind(kind));
    if (typeof outcome === 'string') {
      console.log(`rules of ${title} in network namespaces skipped: ${outcome}`);
      if (process.env['CI'] === 'true') failed++;
      continue;
    }
    passed += outcome.passed;
    failed += outcome.failures.length;
    for (const failure of outcome.failures.slice(0, MAX_PRINTED_FAILURES)) console.log(failure);
    console.log(`${title}: ${outcome.passed} of ${outcome.passed + outcome.failures.length} checks passed`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function parseMode(text: string): Mode {
  if (text === 'nftables' || text === 'iptables' || text === 'ipvs') return text;
  throw new RangeError(`--mode must be nftables, iptables or ipvs, not ${text}`);
}

/** Returns the outcome of the checks, or the reason why they did not start. */
async function runKind({ mode, release }: Kind): Promise<Outcome | string> {
  const parameters = [mode, values.rounds, values.seed, release];
  if (mode === 'ipvs') return await runOnUserModeLinux(parameters).catch((error) => ({ passed: 0, failures: [`FAILED ipvs: ${error}`] }));
  const program = fileURLToPath(new URL('./inside.ts', import.meta.url));
  const [command, ...words] = commandInNewNetwork([process.execPath, ...process.execArgv, program, ...parameters]);
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stop = (): void => {
    child.kill('SIGKILL');
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const outcome: Outcome[] = [];
  child.once('message', (message: Outcome) => outcome.push(message));
  const [code] = await once(child, 'exit');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  return outcome[0] ?? { passed: 0, failures: [`FAILED ${mode}: the checks exited with ${code} before their end`] };
}
