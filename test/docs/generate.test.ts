import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pages } from '../../docs/generate/pages.ts';
import { createPlanRows } from '../../docs/generate/plans.ts';
import { minors } from '../../docs/generate/spans.ts';
import { renderTerminal } from '../../docs/generate/terminal.ts';
import { dnsReasons } from '../../src/dns/index.ts';
import { explainService, reasons } from '../../src/explain/index.ts';
import { gatewayReasons } from '../../src/gateway/index.ts';
import type { Pod } from '../../src/types/index.ts';
import { gates } from '../../src/versions/index.ts';
import { readTextFile, root } from '../support/repository.ts';
import { runNode } from '../support/run.ts';
import { makeFolder, writeFiles } from '../support/temporary.ts';

const program = join(root, 'docs/generate.ts');

const generatedPages = await pages();

test.each(generatedPages)('docs/$name matches the output of npm run docs', ({ name, text }) => {
  expect(readTextFile(`docs/${name}`)).toBe(text);
});

test('every gate and every code is documented', () => {
  const [versions, reasonsPage] = generatedPages.map(({ text }) => text);
  for (const [name, { reference, since }] of Object.entries(gates)) {
    expect(versions).toMatch(new RegExp(`^\\| \`${name}\` .*${since.replaceAll('.', '\\.')}.*\\[${reference}\\]`, 'm'));
  }
  for (const code of Object.keys(reasons)) expect(reasonsPage).toContain(`\n### ${code}\n`);
  for (const code of Object.keys({ ...dnsReasons, ...gatewayReasons })) expect(reasonsPage).toContain(`\n| \`${code}\` |`);
  for (const { code, message } of createPlanRows())
    expect(reasonsPage).toMatch(new RegExp(`^\\| \`${code}\` \\|.*\\| ${message} \\|$`, 'm'));
});

test('the matrix shows the patch release in which a gate changes within a minor release', () => {
  const [versions = ''] = generatedPages.map(({ text }) => text);
  const cells = (gate: string): (string | undefined)[] => {
    const line = versions.split('\n').findLast((row) => row.startsWith(`| \`${gate}\` |`)) ?? '';
    const rowCells = line.split('|').map((cell) => cell.trim());
    return ['1.21', '1.22', '1.25', '1.33', '1.36', '1.37'].map((minor) => rowCells[2 + Number(minor.slice(2)) - 9]);
  };
  expect(cells('terminalPodsExcluded')).toEqual(['', '.11', 'on', 'on', 'on', 'on']);
  expect(cells('emptyIPFamiliesPanic')).toEqual(['', '', '', 'to .12', 'to .1', '']);
});

test('the picture shows the coloured output of explain line by line, and README.md shows the picture', () => {
  const picture = generatedPages.find(({ name }) => name === 'explain.svg')?.text ?? '';
  const lines = [...Map.groupBy(picture.matchAll(/<text x="[^"]*" y="(\d+)"[^>]*>([^<]*)</g), ([, y]) => y).values()].map((texts) =>
    texts.map(([, , text]) => text).join(' '),
  );
  expect(lines[0]).toBe('$ kubectl endpoints explain -f examples/broken.yaml -n shop web');
  expect(lines[1]).toMatch(/^SERVICE shop\/web /);
  expect(new Set(lines.flatMap((line) => /^web-\d/.exec(line)?.[0] ?? []))).toEqual(new Set(['web-0', 'web-1', 'web-2']));
  expect(picture).toContain('class="red"');
  expect(
    Math.max(...[...picture.matchAll(/ x="([\d.]+)".*?textLength="([\d.]+)"/g)].map(([, x, length]) => Number(x) + Number(length))),
  ).toBeLessThan(Number(/ width="(\d+)"/.exec(picture)?.[1]));
  expect(readTextFile('README.md')).toContain('docs/explain.svg)');
});

test('renderTerminal rejects escape sequences other than colours', () => {
  expect(() => renderTerminal('', 'a\u001b[Kb', 80)).toThrow('not a style: "Kb"');
  expect(renderTerminal('', '\u001b[1m<a>\u001b[0m', 80)).toContain(' class="bold">&lt;a&gt;</text>');
});

test.each([
  { code: 'PodHasNoIPOfFamily', pods: [{ status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] } }], line: '1.21 and newer (' },
  { code: 'OverCapacityWarned', pods: createPods('fd00::', 1001), line: '1.21 (' },
])('$code is reported in exactly the documented releases', ({ code, pods, line }) => {
  const service = { spec: { selector: {}, clusterIP: 'None', ipFamilies: ['IPv6'] } };
  const reportingMinors = minors.filter((minor) => {
    const { problems, pods: explained } = explainService(service, pods, { version: `1.${minor}` });
    return [...problems, ...explained.flatMap(({ reasons }) => reasons)].some((reason) => reason.code === code);
  });
  const [section = ''] = readTextFile('docs/reasons.md').split(`### ${code}\n`).slice(1);
  expect(section).toContain(`- Releases: ${line}`);
  expect(reportingMinors).toEqual(line === '1.21 (' ? [21] : minors.filter((minor) => minor >= 21));
});

test('npm run docs writes stale pages; with --check it only names them and exits with 1', () => {
  const folder = makeFolder();
  writeFiles(folder, { 'versions.md': '# Old\n' });
  const check = (): { status: number | null; stdout: string } => runNode(['-C', 'kube-endpoints-source', program, '--check', folder]);
  for (let i = 0; i < 2; i++) {
    expect(check()).toMatchObject({ status: 1, stdout: expect.stringContaining('versions.md is stale') });
  }
  expect(runNode(['-C', 'kube-endpoints-source', program, folder])).toMatchObject({
    status: 0,
    stdout: 'versions.md written\nreasons.md written\nexplain.svg written\n',
  });
  expect(check()).toMatchObject({ status: 0, stdout: '' });
});

function createPods(prefix: string, count: number): Pod[] {
  return Array.from({ length: count }, (_, i) => {
    const ip = `${prefix}${(i + 1).toString(16)}`;
    return { metadata: { name: `p${i}`, uid: `u${i}` }, status: { podIP: ip, podIPs: [{ ip }] } };
  });
}
