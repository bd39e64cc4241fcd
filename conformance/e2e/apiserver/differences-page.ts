import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Explanation, explanations } from './compare/explained.ts';

/** The path of the page. `node conformance/e2e/apiserver/differences-page.ts --write` regenerates it. */
export const PAGE: string = join(import.meta.dirname, '..', '..', '..', 'docs', 'semantics', 'api-differences.md');

export function pageOf(list: readonly Explanation[]): string {
  const explained = list.flatMap(({ title, why }, n) => wrapped(`${n + 1}. **${title}.** ${why}`));
  return `${[...HEAD, ...explained, ...MORE, ...unbuilt.flatMap((text) => wrapped(`- ${text}`, '  '))].join('\n')}\n`;
}

export function readPage(): string {
  return readFileSync(PAGE, 'utf8');
}

const WIDTH = 140;
const HEAD = [
  '# Where the API server differs',
  '',
  'The embedded API server answers as kube-apiserver 1.36 does. An end-to-end test sends more than 1,500 requests to it and to a real',
  'kube-apiserver and compares the answers field by field: every difference that it finds is one of these, and each of these is found.',
  'What either server chooses by itself is not compared: uids, times, numbers of resourceVersions, generated names, addresses and ports',
  'that were not asked for, continue tokens.',
  '',
];

const MORE = ['', '## What the comparison does not ask for', '', 'Of what is not built, that which a client may meet:', ''];

/** Known differences that no request of the comparison shows. */
const unbuilt: readonly string[] = [
  '**HTTP/2.** Connections speak HTTP/1.1; clients of Kubernetes do with it.',
  '**Subresources.** Beside those above, `ephemeralcontainers` (`kubectl debug`) and `resize` of pods and `token` of service accounts ' +
    '(`kubectl create token`) are 404.',
  '**CEL.** Admission policies are not served, match conditions know no `authorizer`, and what expressions may cost is not estimated when they ' +
    'are written. An expression that cannot be parsed is refused in other words.',
  '**Whole numbers over 2^53.** In JSON, custom resources that hold one are refused, where the real server keeps it; in fields of built-in ' +
    'resources it is rounded.',
  '**Checks of pods.** There are no warnings for volumes that overlap, no checks of what is particular to Windows, and no RuntimeClasses, so ' +
    'that `overhead` is taken as it is given.',
  '**YAML answers.** They say the same, with other indentation and quotes.',
  '**Who may do what.** Who has a token may do everything: roles are not served.',
];

/** A list item, wrapped. */
function wrapped(text: string, indent = '   '): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

if (import.meta.main && parseArgs({ options: { write: { type: 'boolean', default: false } } }).values.write) {
  writeFileSync(PAGE, pageOf(explanations));
}
