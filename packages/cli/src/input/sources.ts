import { type Files, type IO, UsageError } from '../base/io.ts';
import { escapeUnprintable } from '../print/text.ts';
import type { InputProblem } from './problem.ts';

/** A file or stream with objects. */
export interface Source {
  readonly name: string;
  read(): AsyncIterable<Uint8Array>;
}

export interface Sources {
  readonly sources: readonly Source[];
  readonly problems: readonly InputProblem[];
}

/** The limit for all input together, in bytes. */
export const maxInputBytes: number = 256 * 1024 * 1024;

export const standardInput = 'standard input';

/**
 * Expands the `-f` flags: files, "-" for standard input, and the sorted manifests of directories. Reports paths that cannot be read in
 * `problems`. @throws UsageError if "-" is given twice
 */
export async function findSources(filenames: readonly string[], recursive: boolean, io: Pick<IO, 'stdin' | 'files'>): Promise<Sources> {
  if (filenames.filter((filename) => filename === '-').length > 1)
    throw new UsageError('-f - is given twice, but standard input can be read only once');
  const sources: Source[] = [];
  const problems: InputProblem[] = [];
  for (const filename of filenames) {
    if (filename === '-') {
      sources.push({ name: standardInput, read: () => io.stdin });
      continue;
    }
    try {
      const names = await listManifests(filename, recursive, io);
      if (names.length === 0)
        problems.push({
          source: filename,
          message: `no *.yaml, *.yml or *.json file in it${recursive ? '' : '; -R looks into the directories below, too'}`,
        });
      sources.push(...names.map((name) => ({ name, read: () => io.files.readFile(name) })));
    } catch (error) {
      problems.push({ source: filename, message: describeFileError(error) });
    }
  }
  return { sources, problems };
}

/**
 * Reads a file as text in UTF-8.
 * @param flag the flag that names it, if the path alone would not be clear
 * @throws UsageError if it cannot be read
 */
export async function readText(path: string, files: Pick<Files, 'readFile'>, flag?: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  const name = `${flag === undefined ? '' : `${flag} `}${escapeUnprintable(path)}`;
  let byteCount = 0;
  try {
    for await (const chunk of files.readFile(path)) {
      byteCount += chunk.length;
      if (byteCount > maxInputBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new UsageError(`${name}: ${describeFileError(error)}`, { cause: error });
  }
  if (byteCount > maxInputBytes) throw new UsageError(`${name}: larger than 256 MiB, the limit; give a smaller file`);
  return Buffer.concat(chunks).toString('utf8');
}

/** Describes for the user why a file cannot be read or written. */
export function describeFileError(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return Object.hasOwn(fileErrorTexts, code) ? (fileErrorTexts[code] as string) : `cannot be read${code === '' ? '' : ` (${code})`}`;
}

const fileErrorTexts: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'there is no such file or directory',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  EISDIR: 'this is a directory',
};

const manifestName = /\.(?:yaml|yml|json)$/;

async function listManifests(path: string, recursive: boolean, io: Pick<IO, 'files'>): Promise<string[]> {
  const entries = await io.files.readDir(path);
  if (!entries) return [path];
  const base = path.endsWith('/') ? path : `${path}/`;
  const names: string[] = [];
  for (const { name, isDirectory } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!isDirectory && manifestName.test(name)) names.push(base + name);
    if (isDirectory && recursive) names.push(...(await listManifests(base + name, recursive, io)));
  }
  return names;
}
