import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commandInNewNetwork } from '../proxy/probe.ts';
import { buildFilter } from './build.ts';
import type { WorldReport } from './inside.ts';
import { reasonToSkip } from './requirements.ts';

/**
 * Usage: run.ts [--worlds 300] [--seed N] [--first 0]. Sends packets between the pods of random worlds, in temporary network namespaces, through
 * the engine of kube-network-policies, and compares what arrives with `evaluateTraffic`. --first is the number of the first world.
 */
const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    first: { type: 'string', default: '0' },
  },
});

const RELEASE = '0.8.0';
const MAX_PRINTED_MISMATCHES = 20;

process.exitCode = await main();

async function main(): Promise<number> {
  console.log(`packets through kube-network-policies ${RELEASE} in network namespaces, seed ${values.seed}`);
  const reason = reasonToSkip();
  if (reason !== undefined) {
    console.log(`packets in network namespaces skipped: ${reason}`);
    const failed = process.env['CI'] === 'true' ? 1 : 0;
    console.log(`0 passed, ${failed} failed`);
    return failed;
  }
  const totals = { worlds: 0, probes: 0, allowed: 0, denied: 0, unknown: 0, mismatches: 0, packets: 0 };
  const code = await compareWorlds(await buildFilter(RELEASE), (report) => addReport(totals, report));
  const { worlds, probes, allowed, denied, unknown, mismatches, packets } = totals;
  const isComplete = code === 0 && worlds === Number(values.worlds) && packets > 0;
  if (!isComplete) console.log(`FAILED: the checks exited with ${code} after ${worlds} worlds and ${packets} filtered packets`);
  console.log(`${worlds} worlds, ${probes} probes, ${packets} packets decided by the engine`);
  console.log(
    `${allowed + denied + mismatches} compared (${allowed} allowed, ${denied} denied), ${unknown} unknown, ${mismatches} mismatches`,
  );
  const failed = mismatches + (isComplete ? 0 : 1);
  console.log(`${allowed + denied} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

type Totals = Record<'worlds' | 'probes' | 'allowed' | 'denied' | 'unknown' | 'mismatches' | 'packets', number>;

function addReport(totals: Totals, { world, mismatches, ...counts }: WorldReport): void {
  for (const name of ['probes', 'allowed', 'denied', 'unknown', 'packets'] as const) totals[name] += counts[name];
  totals.worlds++;
  const printable = mismatches.slice(0, Math.max(0, MAX_PRINTED_MISMATCHES - totals.mismatches));
  if (printable.length > 0) console.log(`FAILED world ${world}`);
  for (const mismatch of printable) console.log(`  ${JSON.stringify(mismatch)}`);
  totals.mismatches += mismatches.length;
}

/** Runs the comparisons in new namespaces. @returns the exit code */
async function compareWorlds(path: string, onReport: (report: WorldReport) => void): Promise<number | null> {
  const program = fileURLToPath(new URL('./inside.ts', import.meta.url));
  const parameters = [path, values.worlds, values.seed, values.first];
  const [command, ...words] = commandInNewNetwork([process.execPath, ...process.execArgv, program, ...parameters]);
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stop = (): void => {
    child.kill('SIGKILL');
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  child.on('message', onReport);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  return code;
}
