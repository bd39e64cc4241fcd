/**
 * Records the answers of the oracle as golden files of the tests. Run: node -C kube-endpoints-source conformance/oracle/kinds/record.ts [SUITE]
 * SUITE is one of the table below; by default all. Needs Go.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runCases } from '../runner.ts';
import { buildKinds } from './build.ts';
import type { KindAnswer, KindCase } from './case.ts';
import { generateCases, kindsOf } from './conform.ts';

const release = '1.36.3';
const seed = 36;
const folder = join(import.meta.dirname, '../../../packages/apiserver/test/resources/kinds/golden');

/** The number of cases by suite and operation. */
const suites: Readonly<Record<string, { readonly operation: KindCase['operation']; readonly count: number }>> = {
  tables: { operation: 'table', count: 400 },
  conversions: { operation: 'convert', count: 200 },
  defaults: { operation: 'default', count: 600 },
};

const binary = await buildKinds(release);
const now = new Date();
for (const [name, { operation, count }] of Object.entries(suites)) {
  if (process.argv[2] !== undefined && process.argv[2] !== name) continue;
  const cases = [...generateCases(operation, kindsOf(operation), now, seed, count)];
  const answers = await runCases<KindAnswer>(binary, operation, cases);
  const lines = cases.map((testCase, i) => ({
    testCase,
    answer: { ...answers[i], columns: answers[i]?.columns?.map(withoutDescription) },
  }));
  const text = [{ release, seed, now }, ...lines].map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(folder, `${name}.jsonl.gz`), gzipSync(`${text}\n`, { level: 9 }));
}

function withoutDescription({ description: _, ...column }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return column;
}
