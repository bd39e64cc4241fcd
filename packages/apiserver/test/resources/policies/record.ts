import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildCel } from '../../../../../conformance/oracle/cel/build.ts';
import { runCases } from '../../../../../conformance/oracle/runner.ts';
import { mutationCases, policyCases } from './cases.ts';

/** Records how Kubernetes 1.36.3 validates the cases; needs Go. Usage: node packages/apiserver/test/resources/policies/record.ts */
const results = await runCases<{ readonly id: string }>(await buildCel('1.36.3'), 'policies', [...policyCases, ...mutationCases]);
const text = results.map((each) => JSON.stringify(each)).join('\n');
writeFileSync(join(import.meta.dirname, 'answers.jsonl.gz'), gzipSync(`${text}\n`, { level: 9 }));
console.log(`${results.length} policies`);
