import { parseArgs } from 'node:util';
import { DEFAULT_RELEASE } from '../cluster.ts';
import { type Counts, type Options, parts } from './parts.ts';

/**
 * Usage: run.ts [compare | kubectl | client-node | controllers]... [--release 1.36.3] [--topic NAME]... [--against real] [--seconds 120]
 * [--seed N]
 * Compares this project's API server with the real one and runs real clients against it: all parts by default, each with new servers.
 * --topic restricts the comparison to parts of its script. --against real replaces our server by a second real one, which shows what is
 * random in the checks themselves. --seconds and --seed apply to the controllers part.
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
process.exitCode = await main(positionals.length === 0 ? Object.keys(parts) : positionals);

async function main(names: readonly string[]): Promise<number> {
  const counts = { passed: 0, failed: 0 };
  for (const name of names) {
    const { passed, failed } = await runPart(name);
    console.log(`${name}: ${passed} passed, ${failed} failed\n`);
    counts.passed += passed;
    counts.failed += failed;
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed > 0 ? 1 : 0;
}

async function runPart(name: string): Promise<Counts> {
  const part = parts[name];
  if (part === undefined) throw new Error(`there is no part ${name}; the parts are ${Object.keys(parts).join(', ')}`);
  console.log(`== ${name}`);
  const missing = part.missing(options);
  if (missing === undefined) return part.run(options);
  console.log(`skipped: ${missing}`);
  return { passed: 0, failed: process.env['CI'] === 'true' ? 1 : 0 };
}
