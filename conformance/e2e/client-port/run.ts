import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import repository from '../../../vitest.config.ts';
import { DEFAULT_RELEASE, reasonForNoCluster, withCluster } from '../cluster.ts';

/**
 * Usage: run.ts [--release 1.36.3]
 * Runs the ClientPort contract over HTTPS against a real kube-apiserver, with both majors of client-node.
 */
const { values } = parseArgs({ options: { release: { type: 'string', default: DEFAULT_RELEASE } } });

/** For tests and their hooks. vitest's default of 5 s is too short on a busy machine. */
const TIMEOUT_MS = 60_000;

process.exitCode = await main(values.release);

async function main(release: string): Promise<number> {
  const skipReason = reasonForNoCluster(release);
  if (skipReason === undefined) return withCluster(release, ({ access }) => runContract({ ...access }));
  console.log(`skipped: ${skipReason}`);
  return process.env['CI'] === 'true' ? 1 : 0;
}

async function runContract(access: { readonly port: number; readonly token: string; readonly ca: string }): Promise<number> {
  const options = {
    ...repository.test,
    root: join(import.meta.dirname, '../../..'),
    include: ['conformance/e2e/client-port/real.ts'],
    reporters: ['dot'],
    watch: false,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    provide: { access },
  };
  const vitest = await startVitest('test', [], { ...options, config: false });
  const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  const failed = tests.filter((test) => test.result().state === 'failed').length;
  const errors = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  console.log(`${passed} passed, ${failed + errors} failed`);
  return failed + errors > 0 || passed === 0 ? 1 : 0;
}
