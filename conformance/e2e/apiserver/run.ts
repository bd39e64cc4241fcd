import { parseArgs } from 'node:util';
import { DEFAULT_RELEASE } from '../cluster.ts';
import { type Counts, type Options, suites } from './suites.ts';

/**
 * Usage: run.ts [compare | authorization | http2 | kubectl | client-node | controllers]... [--release 1.36.3] [--topic NAME]...
 * [--against real] [--seconds 120]
 * [--seed N]
 * Compares this project's API server with the real one and runs real clients against it: all suites by default, each with new servers.
 * --topic restricts the comparisons to topics of their scripts. --against real replaces our server by a second real one: differences are then
 * faults of the checks. --seconds and --seed apply to the controllers suite.
 */
const { values, positionals } = parseArgs({
  options: {
    release: { type: 'string', default: DEFAULT_RELEASE },
    topic: { type: 'string', multiple: true, default: [] },
    against: { type: 'string', default: 'ours' },
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
  allowPositionals: true,
});

const options: Options = {
  release: values.release,
  topics: values.topic,
  against: values.against === 'real' ? 'real' : 'ours',
  seconds: Number(values.seconds),
  seed: Number(values.seed),
};
process.exitCode = await main(positionals.length === 0 ? Object.keys(suites) : positionals);

async function main(names: readonly string[]): Promise<number> {
  const counts = { passed: 0, failed: 0 };
  for (const name of names) {
    const { passed, failed } = await runSuite(name);
    console.log(`${name}: ${passed} passed, ${failed} failed\n`);
    counts.passed += passed;
    counts.failed += failed;
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed > 0 ? 1 : 0;
}

async function runSuite(name: string): Promise<Counts> {
  const suite = suites[name];
  if (suite === undefined) throw new Error(`there is no suite ${name}; the suites are ${Object.keys(suites).join(', ')}`);
  console.log(`== ${name}`);
  const skipReason = suite.skipReason(options);
  if (skipReason === undefined) return suite.run(options);
  console.log(`skipped: ${skipReason}`);
  return { passed: 0, failed: process.env['CI'] === 'true' ? 1 : 0 };
}
