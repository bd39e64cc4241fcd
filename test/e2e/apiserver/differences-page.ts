import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Explanation, explanations } from './compare/explained.ts';

/** Where the page is. `node test/e2e/apiserver/differences-page.ts --write` writes it anew. */
export const PAGE: string = join(import.meta.dirname, '..', '..', '..', 'docs', 'semantics', 'api-differences.md');

export function pageOf(list: readonly Explanation[]): string {
  return `${[...HEAD, ...list.flatMap(({ title, why }, n) => wrapped(`${n + 1}. **${title}.** ${why}`))].join('\n')}\n`;
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

/** A list item in lines that are not too long. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`   ${word}`);
  }
  return lines;
}

if (import.meta.main && parseArgs({ options: { write: { type: 'boolean', default: false } } }).values.write) {
  writeFileSync(PAGE, pageOf(explanations));
}
