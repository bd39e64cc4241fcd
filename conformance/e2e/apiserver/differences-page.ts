import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Explanation, explanations } from './compare/explanations.ts';

/** The path of the page. `node conformance/e2e/apiserver/differences-page.ts --write` regenerates it. */
export const PAGE_PATH: string = join(import.meta.dirname, '..', '..', '..', 'docs', 'semantics', 'api-differences.md');

export function createPage(list: readonly Explanation[]): string {
  const items = list.flatMap(({ title, reason }, n) => wrapListItem(`${n + 1}. **${title}.** ${reason}`));
  return `${[...INTRODUCTION, ...items, ...UNCOVERED_HEADING, ...missingFeatures.flatMap((text) => wrapListItem(`- ${text}`, '  '))].join('\n')}\n`;
}

export function readPage(): string {
  return readFileSync(PAGE_PATH, 'utf8');
}

const WIDTH = 140;
const INTRODUCTION = [
  '# Differences from kube-apiserver',
  '',
  'The embedded API server responds like kube-apiserver 1.36. An end-to-end test sends more than 1,500 requests to it and to a real',
  'kube-apiserver and compares the responses field by field. It fails for any difference that is not in this list, and for any entry that',
  'matches no difference. Values that a server chooses itself are not compared: uids, times, resourceVersions, generated names, allocated',
  'addresses and ports, continue tokens.',
  '',
];

const UNCOVERED_HEADING = ['', '## Differences that the comparison does not cover', '', 'Missing features that a client may notice:', ''];

/** Known differences that no request of the comparison shows. */
const missingFeatures: readonly string[] = [
  '**HTTP/2.** Connections use HTTP/1.1, which all Kubernetes clients support.',
  '**Subresources.** Besides those above, `ephemeralcontainers` (`kubectl debug`) and `resize` of pods and `token` of service accounts ' +
    '(`kubectl create token`) return 404.',
  '**CEL.** Admission policies are not supported, match conditions have no `authorizer`, and the cost of expressions is not estimated when they ' +
    'are written. The error for an expression that cannot be parsed has another text.',
  '**Integers above 2^53.** The server refuses custom resources that contain one in JSON; the real server preserves it. In fields of built-in ' +
    'resources it is rounded.',
  '**Pod validation.** There are no warnings for overlapping volumes, no validation of Windows-specific fields, and no RuntimeClasses, so ' +
    'that `overhead` is accepted unchanged.',
  '**Health checks.** `/healthz?verbose`, `/livez?verbose` and `/readyz?verbose` list the checks of the real server. They pass as soon as the ' +
    'server listens, except `shutdown`, which fails while the server closes.',
  '**YAML answers.** They have the same content with other indentation and quotes.',
  '**Authorization.** By default, every client with a token has all permissions. With RBAC, the differences are those of ' +
    '[authorization](authorization.md).',
];

function wrapListItem(text: string, indent = '   '): string[] {
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
  writeFileSync(PAGE_PATH, createPage(explanations));
}
