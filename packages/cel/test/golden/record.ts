import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildCel } from '../../../../conformance/oracle/cel/build.ts';
import { runCases } from '../../../../conformance/oracle/runner.ts';
import { expressionFiles } from './expressions.ts';

// Records the results of Kubernetes for the expressions of the given areas, or of all areas. Usage: node record.ts [AREA...]
const oracle = await buildCel('1.36.3');
const selectedAreas = process.argv.slice(2);
mkdirSync(import.meta.dirname, { recursive: true });
for (const [area, expressions] of Object.entries(expressionFiles)) {
  if (selectedAreas.length > 0 && !selectedAreas.includes(area)) continue;
  const cases = expressions.map((expression) => ({ id: expression, expression }));
  const results = await runCases<{ readonly id: string }>(oracle, 'expressions', cases);
  const text = results.map((each) => JSON.stringify(each)).join('\n');
  writeFileSync(join(import.meta.dirname, `${area}.jsonl.gz`), gzipSync(`${text}\n`, { level: 9 }));
  console.log(`${area}: ${results.length} expressions`);
}
