import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outcomesOf, type Result } from '../../conformance/oracle/case.ts';
import { readGzippedLines } from '../support/jsonl.ts';

/** The releases for which vectors exist. */
export const releases: readonly string[] = [
  '1.9.11',
  '1.10.13',
  '1.11.10',
  '1.12.4',
  '1.13.12',
  '1.14.10',
  '1.15.12',
  '1.16.15',
  '1.17.4',
  '1.19.16',
  '1.20.2',
  '1.21.14',
  '1.22.17',
  '1.23.17',
  '1.24.17',
  '1.26.15',
  '1.28.0',
  '1.29.15',
  '1.30.14',
  '1.33.1',
  '1.34.4',
  '1.35.4',
  '1.36.3',
  '1.37.1',
];

/** The subjects of the cases, as named in their ids. */
export const flavours = ['mixed', 'steps', 'existing', 'hints', 'big'] as const;
export type Flavour = (typeof flavours)[number];

/** Releases that panic on a Service without ipFamilies; 1.36.3 is the first fixed release among the vectors. */
export const panickingReleases: readonly string[] = ['1.33.1', '1.34.4', '1.35.4'];
export const firstFixedRelease = '1.36.3';

/** The unparsed lines of a vector file, so that a sample run parses only the lines that it needs. */
export const linesOf = (name: string): string[] => readGzippedLines(join(import.meta.dirname, `${name}.jsonl.gz`));

/** The ids of the cases in which a release panics. */
export const readPanics = (): Readonly<Record<string, readonly string[]>> =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'panics.json'), 'utf8')) as Record<string, string[]>;

export const hasPanic = (result: Result): boolean => outcomesOf(result).some(({ panic }) => panic);

/** Every line starts with its id, "101-FLAVOUR-NUMBER". */
export const idOf = (line: string): string => /^\{"id":"([^"]+)"/.exec(line)?.[1] ?? '';
export const flavourOf = (id: string): string => id.split('-')[1] ?? '';

/** The releases with EndpointSlice vectors, in order. */
export const sliceReleases: readonly string[] = releases.filter((release) => Number(release.split('.')[1]) >= 17);

/**
 * Reads the lines of a release's answers about slices, by id. The file of the first release has all lines; the file of a later release
 * has only the lines that differ from the release before it.
 */
export function sliceAnswers(): (release: string) => ReadonlyMap<string, string> {
  const cache = new Map<string, ReadonlyMap<string, string>>();
  return (release) => {
    let lines = new Map<string, string>();
    for (const each of sliceReleases) {
      const linesOfRelease =
        cache.get(each) ?? new Map([...lines, ...linesOf(`slices/${each}`).map((line) => [idOf(line), line] as const)]);
      cache.set(each, linesOfRelease);
      if (each === release) return linesOfRelease;
      lines = new Map(linesOfRelease);
    }
    throw new RangeError(`no answers about slices of ${release}`);
  };
}
