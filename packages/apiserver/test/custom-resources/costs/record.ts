import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildCel } from '../../../../../conformance/oracle/cel/build.ts';
import { runCases } from '../../../../../conformance/oracle/runner.ts';
import { costCases, definitionCases } from './cases.ts';

/** Records the estimates of Kubernetes 1.36.3; needs Go. Usage: node packages/apiserver/test/custom-resources/costs/record.ts */
const oracle = await buildCel('1.36.3');
const results = [
  ...(await runCases<{ readonly id: string }>(oracle, 'costs', costCases)),
  ...(await runCases<{ readonly id: string }>(oracle, 'definitions', definitionCases)),
];
const text = results.map((each) => JSON.stringify(each)).join('\n');
writeFileSync(join(import.meta.dirname, 'answers.jsonl.gz'), gzipSync(`${text}\n`, { level: 9 }));
console.log(`${results.length} schemas`);
