import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../../../../../conformance/oracle/build.ts';

// Regenerates the golden objects. Usage: objects.ts [RELEASE [COUNT FILE]]; needs Go. With COUNT, writes COUNT random objects as well, to FILE.
const [release = '1.36.3', count, file = join(import.meta.dirname, '../objects.jsonl')] = process.argv.slice(2);
const source = readFileSync(join(import.meta.dirname, 'objects.go'), 'utf8');
const program = await buildProgram('protobuf', release, { 'main.go': source });
writeFileSync(file, execFileSync(program, count === undefined ? [] : [count], { encoding: 'utf8', maxBuffer: 2 ** 30 }));
