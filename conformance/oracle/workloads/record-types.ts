/**
 * Records the Go types of a Pod template, for its hash. Run: node -C kube-endpoints-source conformance/oracle/workloads/record-types.ts
 * Needs Go.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorkloads } from './build.ts';
import { workloadReleases } from './conform.ts';

const release = workloadReleases[0] as string;
const output = execFileSync(await buildWorkloads(release), ['pod-template-types'], { encoding: 'utf8' });
const path = join(import.meta.dirname, '../../../packages/simulator/src/workloads/pod-template/types.ts');
writeFileSync(
  path,
  `/**
 * The Go types of a Pod template in ${release}, by conformance/oracle/workloads/record-types.ts: a type and its fields, each as
 * "Name:type", or "Name=json:type" if the JSON name does not only differ in the case of its first letter. A type in brackets is another
 * name of the type after it. Types that are not listed are strings.
 */
export const podTemplateTypes = \`
${output.trim().split('\n').flatMap(formatType).join('\n')}
\`;
`,
);

function formatType(line: string): string[] {
  const alias = / = (.*)$/.exec(line);
  if (alias) return alias[1] === 'string' ? [] : [line.replace(/^(\S+) = /, '[$1] ')];
  const [name, ...fields] = line.replace('{ ', '').split(' ');
  return [[name, ...fields.map(formatField)].join(' ')];
}

function formatField(field: string): string {
  const [name = '', json = '', type] = field.split(',');
  const isUsual = json === name.slice(0, 1).toLowerCase() + name.slice(1);
  return `${name}${isUsual ? '' : `=${json}`}:${type}`;
}
