/**
 * Reports unclear phrases in comments, texts and documents. Exits with 1 if a file has more of them than its exceptions allow, or fewer:
 * exceptions may only shrink.
 * Usage: node test/package/phrases.ts [--shrink | --accept]
 *   --shrink  lowers and removes exceptions that are no longer needed, and reports the rest
 *   --accept  replaces the exceptions by all current findings; use it for correct sentences and after moving files
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listFiles, readTextFile } from '../support/repository.ts';

/** Phrase -> replacement. A space matches a line break, too; parentheses and question marks have their meaning in regular expressions. */
const phrases: Readonly<Record<string, string>> = {
  'all the same': 'anyway, still; or delete it',
  anew: 'again; or create, rebuild',
  'at hand': 'available, current',
  'comes? to': 'results in, becomes, amounts to',
  'ever later': 'with growing delays',
  'for want of': 'without, because there is no',
  'goes? on with': 'continues with',
  'how many-th': 'index, number',
  '(is|are) to be': 'must be, will be',
  '(?<!there )(is|are|was|were) none': 'is absent, has no, is not a',
  'let be': 'leave unchanged, ignore',
  'mend(s|ed|ing)?': 'fix, remedy',
  nobody: 'no client, no caller; or name the subject',
  "of one's own": 'own, your own, separate',
  'on its way out': 'terminating, being deleted',
  'one that (is|was|has|does|did|stood|came|comes|goes)': 'name the thing: a Service that ...',
  'in the place of': 'instead of, for',
  'such that do': 'name the thing: Services that do',
  '(un)?tells?': 'says, reports, shows, distinguishes',
  told: 'reported, passed, said',
  'undefined where': 'undefined if',
  'what becomes of': 'the result of, the outcome of, what happens to',
  'what (it|they|that|there) (is|are|was|were) (of|there)': 'name the thing',
  'where (it|there|they|that|this|one|none|nothing|no|neither|somebody) (is|are|was|were|has|have|does|do|can|may)': 'if, when',
  'who (asks|reads|waits|has|wants|comes|writes|knows)': 'the caller, the reader, the client',
  whoever: 'anyone who, the caller, regardless of who',
};

export interface Finding {
  readonly line: number;
  readonly phrase: string;
}

type Kind = 'ts' | 'md' | 'hashComments';

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/\.ts$/, 'ts'],
  [/\.md$/, 'md'],
  [/\.(ya?ml|sh)$/, 'hashComments'],
];

/** Recorded and generated files, the files of this check, and the page that lists old names. */
const excluded = /golden\/|fixtures\/|vectors\/|examples\/cluster\/|^test\/package\/phrases|^docs\/(reasons|versions|migration)\.md$/;

const gap = '(?:\\s|\\*|//|#)+';
const matchers = Object.keys(phrases).map((phrase) => ({ phrase, pattern: new RegExp(`\\b${phrase.replaceAll(' ', gap)}\\b`, 'gi') }));

/**
 * Comments, regular expressions and strings of TypeScript. Regular expressions are matched so that a quote inside them is not taken for the
 * start of a string.
 */
const tokens =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*|(?<=[(,=:[!&|?{};>]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** Finds phrases in the prose of a file: comments and texts of TypeScript, Markdown outside code, and comments that begin with "#". */
export function findPhrases(path: string, text: string): Finding[] {
  const kind = kinds.find(([pattern]) => pattern.test(path))?.[1];
  if (kind === undefined) return [];
  const prose = proseOf[kind](text);
  return matchers
    .flatMap(({ phrase, pattern }) => [...prose.matchAll(pattern)].map(({ index }) => ({ phrase, line: lineAt(prose, index) })))
    .sort((a, b) => a.line - b.line);
}

/** Each function replaces everything but prose by blanks, so that line numbers do not change. */
const proseOf: Readonly<Record<Kind, (text: string) => string>> = {
  ts(text) {
    let prose = '';
    for (const { 0: token, index } of text.matchAll(tokens)) {
      prose += blank(text.slice(prose.length, index));
      if (/^\/[*/]/.test(token)) prose += token.replaceAll(/`[^`\n]+`/g, blank);
      else if (/^['"`]/.test(token) && /\w,? \w/.test(token)) prose += token.replaceAll(/\$\{[^{}]*\}/g, blank);
      else prose += blank(token);
    }
    return prose;
  },
  md: (text) => text.replaceAll(/^( *)(```+)[\s\S]*?^\1\2|`[^`\n]+`|\]\([^)]*\)|^ {4}[^ ].*/gm, blank),
  hashComments: (text) => text.replaceAll(/^(?!\s*#).*$/gm, blank),
};

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const exceptionsFile = join(import.meta.dirname, 'phrases.txt');

/** "path: phrase" -> allowed number. */
function readExceptions(): Map<string, number> {
  const lines = readFileSync(exceptionsFile, 'utf8').split('\n');
  return new Map(lines.flatMap((line) => (line === '' || line.startsWith('#') ? [] : [parseException(line)])));
}

function parseException(line: string): [string, number] {
  const [, count, key] = /^(\d+) (.*: .*)$/.exec(line) ?? [];
  if (count === undefined || key === undefined) throw new Error(`${exceptionsFile}: not "COUNT PATH: PHRASE": ${line}`);
  return [key, Number(count)];
}

function writeExceptions(exceptions: ReadonlyMap<string, number>): void {
  const head = ['# Phrases that phrases.ts allows: COUNT PATH: PHRASE. Rewrite the sentence rather than adding a line.'];
  const rows = [...exceptions].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(exceptionsFile, `${[...head, ...rows.map(([key, count]) => `${count} ${key}`)].join('\n')}\n`);
}

/** Compares findings with the exceptions. @returns one line per problem */
export function compare(findings: ReadonlyMap<string, readonly number[]>, allowed: ReadonlyMap<string, number>): string[] {
  const tooMany = [...findings].flatMap(([key, lines]) => {
    const [path = '', phrase = ''] = key.split(': ');
    if (lines.length <= (allowed.get(key) ?? 0)) return [];
    return [`${path}:${lines.join(',')}: avoid "${phrase}": ${phrases[phrase]}`];
  });
  const stale = [...allowed].filter(([key, count]) => (findings.get(key)?.length ?? 0) < count);
  return [...tooMany, ...stale.map(([key, count]) => `${key}: ${findings.get(key)?.length ?? 0} instead of ${count}: run with --shrink`)];
}

/** "path: phrase" -> the lines in which it is found. */
function findAll(): Map<string, number[]> {
  const findings = new Map<string, number[]>();
  for (const path of listFiles('').filter((candidate) => !excluded.test(candidate) && kinds.some(([pattern]) => pattern.test(candidate))))
    for (const { line, phrase } of findPhrases(path, readTextFile(path))) {
      const key = `${path}: ${phrase}`;
      findings.set(key, [...(findings.get(key) ?? []), line]);
    }
  return findings;
}

function run(): void {
  const { values } = parseArgs({ options: { shrink: { type: 'boolean' }, accept: { type: 'boolean' } } });
  const findings = findAll();
  const counts = new Map([...findings].map(([key, lines]) => [key, lines.length]));
  if (values.accept) writeExceptions(counts);
  if (values.shrink) writeExceptions(new Map([...readExceptions()].map(([key, count]) => [key, Math.min(count, counts.get(key) ?? 0)])));
  const problems = compare(findings, readExceptions());
  const total = [...readExceptions().values()].reduce((sum, count) => sum + count, 0);
  console.log([...problems, `${problems.length} problems with phrases, ${total} exceptions`].join('\n'));
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) run();
