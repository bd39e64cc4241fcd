/**
 * Runs a release's own controller on the cases, and writes the vectors. Needs Go.
 * Run: node test/golden/answer.ts 1.38.0
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { buildEndpointsOracle } from '../../conformance/oracle/build.ts';
import type { Outcome, Result } from '../../conformance/oracle/case.ts';

const folder = import.meta.dirname;

const subsetFields = [
  ...['addresses', 'notReadyAddresses', 'ports'],
  ...['ip', 'hostname', 'nodeName', 'targetRef', 'kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'],
  ...['port', 'protocol', 'appProtocol'],
];

for (const release of process.argv.slice(2)) {
  const input = gunzipSync(readFileSync(join(folder, 'cases.jsonl.gz')));
  // Controllers before 1.22 write times in the time zone of their process.
  const answers = execFileSync(await buildEndpointsOracle(release), ['run'], {
    input,
    env: { ...process.env, TZ: 'UTC' },
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const results = answers
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Result);
  const lines = results.map(({ steps, ...first }) =>
    JSON.stringify({ ...orderFields(first), ...(steps && { steps: steps.map(orderFields) }) }),
  );
  writeFileSync(join(folder, `${release}.jsonl.gz`), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
  process.stdout.write(`${release}: ${lines.length} answers\n`);
}

/** Orders the fields of subsets as the API's types do, which is the order of the API server's JSON. The Go program sorts them by name. */
function orderFields<T extends Outcome>(outcome: T): T {
  const endpoints = outcome.endpoints.map(({ object, ...write }) => {
    if (!object) return write;
    const { subsets, ...rest } = object;
    return {
      ...write,
      object: { ...rest, ...(subsets && { subsets: JSON.parse(JSON.stringify(subsets, subsetFields)) as typeof subsets }) },
    };
  });
  return { ...outcome, endpoints };
}
