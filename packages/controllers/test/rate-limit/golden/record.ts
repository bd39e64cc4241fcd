import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildProgram } from '../../../../../conformance/oracle/build.ts';
import { runCases } from '../../../../../conformance/oracle/runner.ts';
import { type BucketResult, createBucketCases } from './cases.ts';

// Records the delays and tokens of client-go's rate limiter. Usage: node record.ts
const program = join(import.meta.dirname, '../../../../../conformance/oracle/flowcontrol/go/main.go');
const oracle = await buildProgram('flowcontrol', '1.37.1', { 'main.go': readFileSync(program, 'utf8') });
const results = await runCases<BucketResult>(oracle, 'run', createBucketCases());
const text = results.map((each) => JSON.stringify(each)).join('\n');
writeFileSync(join(import.meta.dirname, 'token-bucket.jsonl.gz'), gzipSync(`${text}\n`, { level: 9 }));
console.log(`${results.length} cases, ${results.reduce((sum, { steps }) => sum + steps.length, 0)} steps`);
