import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Checks, createChecks } from './checks.ts';
import { checkMalformedPackets, checkNode } from './clients.ts';
import { isDigInstalled } from './dig.ts';
import { checkExample, exampleFolder } from './example.ts';
import { checkLive } from './live.ts';
import { checkOutside } from './outside.ts';
import { checkPackets, checkRecords, checkTransfers } from './records.ts';
import { serveDns } from './server.ts';
import { objects } from './world.ts';

/**
 * Usage: run.ts. Runs `kubectl-endpoints dns` in separate processes and queries it with dig (Debian's bind9-dnsutils) and with Node's own
 * resolver: on a cluster with hand-written expected records, on the example cluster, and on the embedded API server while it changes.
 */

const SHOWN_FAILURES = 20;

process.exitCode = await main();

async function main(): Promise<number> {
  if (!isDigInstalled()) {
    console.log('DNS with real clients skipped: dig is not installed (Debian package bind9-dnsutils)');
    return process.env['CI'] === 'true' ? 1 : 0;
  }
  const checks = createChecks();
  const folder = await mkdtemp(join(tmpdir(), 'kube-endpoints-dns-'));
  try {
    await runChecks(folder, checks);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const failed = checks.all.filter(({ passed }) => !passed);
  for (const { what, actual, expected } of failed.slice(0, SHOWN_FAILURES)) {
    console.log(
      `FAILED ${what}\n  actual   ${JSON.stringify(actual)?.slice(0, 2000)}\n  expected ${JSON.stringify(expected)?.slice(0, 2000)}`,
    );
  }
  console.log(`${checks.all.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 && checks.all.length > 0 ? 0 : 1;
}

async function runChecks(folder: string, checks: Checks): Promise<void> {
  const file = join(folder, 'cluster.json');
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  await using server = await serveDns('-f', file, '--pods', 'verified');
  await checkRecords(server.port, checks);
  await checkPackets(server.port, checks);
  await checkNode(server.port, checks);
  await checkMalformedPackets(server, checks);
  await using transferServer = await serveDns('-f', file, '--transfer-to', '127.0.0.0/8');
  await checkTransfers(transferServer.port, server.port, checks);
  await using example = await serveDns('-f', exampleFolder);
  await checkExample(example.port, checks);
  await checkOutside(file, checks);
  await checkLive(folder, checks);
}
