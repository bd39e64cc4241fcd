/**
 * Records cases with the answers of kube-apiserver's RBAC authorizer, for tests without Go.
 * Run: node -C kube-endpoints-source conformance/oracle/rbac/record.ts
 */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { runCases } from '../runner.ts';
import { buildRbac } from './build.ts';
import type { RbacAnswer } from './case.ts';
import { rbacReleases } from './conform.ts';
import { generateRbac } from './generate.ts';

const seed = 1;
const count = 60;
const file = new URL('../../../packages/apiserver/test/authorization/golden/rbac.jsonl.gz', import.meta.url);

const cases = [...generateRbac(seed, count)];
const answers = await runCases<RbacAnswer>(await buildRbac(rbacReleases[0] as string), 'run', cases);
const lines = cases.map((testCase, i) => JSON.stringify({ testCase, answer: answers[i] }));
writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
