import { spawn, spawnSync } from 'node:child_process';

/** The parsed output of dig for one answer. */
export interface DigResult {
  /** "NOERROR"; "" if there was no answer. */
  readonly status: string;
  readonly flags: readonly string[];
  /** Sorted records in presentation form, with single spaces. */
  readonly answer: readonly string[];
  readonly authority: readonly string[];
  readonly additional: readonly string[];
  /** The complete output. */
  readonly text: string;
}

export const isDigInstalled = (): boolean => spawnSync('dig', ['-v']).error === undefined;

/** Each packet is sent once, because loopback loses no packets. The long timeout allows for slow answers of a busy machine. */
const SINGLE_TRY = ['+tries=1', '+time=30'];

/** @param words dig's arguments, for example `web.shop A +tcp` */
export async function dig(port: number, words: string): Promise<DigResult> {
  const [first] = parse(await run(['@127.0.0.1', '-p', String(port), ...SINGLE_TRY, ...words.split(' ')]));
  return first as DigResult;
}

/** Asks several questions in sequence with one process. */
export async function digAll(port: number, lines: readonly string[]): Promise<readonly DigResult[]> {
  return parse(await run(['@127.0.0.1', '-p', String(port), ...SINGLE_TRY, '-f', '-'], `${lines.join('\n')}\n`));
}

function run(args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('dig', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
    child.stdin.end(input);
  });
}

function parse(text: string): readonly DigResult[] {
  const parts = text.split(/^;; Got answer:$/m);
  return (parts.length > 1 ? parts.slice(1) : parts).map((part) => ({
    status: /status: (\w+)/.exec(part)?.[1] ?? '',
    flags: (/^;; flags: ([^;]*)/m.exec(part)?.[1] ?? '').trim().split(' '),
    answer: parseSection(part, 'ANSWER'),
    authority: parseSection(part, 'AUTHORITY'),
    additional: parseSection(part, 'ADDITIONAL'),
    text: part,
  }));
}

/** Returns the records of a section. A zone transfer prints its records without sections. */
function parseSection(text: string, name: string): readonly string[] {
  const [, rest = ''] = text.split(`;; ${name} SECTION:\n`);
  const records = rest.split(/\n\n|\n;;/)[0] ?? '';
  return linesOf(records);
}

export const linesOf = (records: string): readonly string[] =>
  records
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith(';'))
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
