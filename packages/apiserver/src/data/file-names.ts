import { temporarySuffix } from './folder.ts';
import type { FileKind } from './frames.ts';

/*
 * A folder contains snapshots and journals with increasing numbers. A snapshot contains all objects before the first write of the journal with
 * the same number. The content is that of the newest snapshot, and of all journals from its number on. Without a snapshot, it is that of
 * all journals from number 1 on.
 */

export const fileNameOf = (kind: FileKind, number: number): string => `${kind}-${String(number).padStart(8, '0')}`;

export const credentialsName = 'credentials.json';
export const lockPrefix = 'lock-';

export interface FileNumbers {
  /** In ascending order. */
  readonly journals: readonly number[];
  readonly snapshots: readonly number[];
  /** Files of an interrupted write. */
  readonly temporary: readonly string[];
  /** Files that no release of this program creates. */
  readonly foreign: readonly string[];
}

export function classifyFiles(names: readonly string[]): FileNumbers {
  const numbersOf = (kind: FileKind): readonly number[] =>
    names
      .map((name) => Number(new RegExp(`^${kind}-(\\d{8,})$`).exec(name)?.[1] ?? 0))
      .filter((number) => number > 0)
      .sort((a, b) => a - b);
  const temporary = names.filter((name) => /^(?:journal|snapshot|credentials)\b/.test(name) && name.endsWith(temporarySuffix));
  const [journals, snapshots] = [numbersOf('journal'), numbersOf('snapshot')];
  const known = new Set([
    ...journals.map((number) => fileNameOf('journal', number)),
    ...snapshots.map((number) => fileNameOf('snapshot', number)),
    ...temporary,
    credentialsName,
    'lost+found',
  ]);
  const foreign = names.filter((name) => !known.has(name) && !name.startsWith(lockPrefix) && !name.startsWith('.'));
  return { journals, snapshots, temporary, foreign };
}
