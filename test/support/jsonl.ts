import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The lines of a gzipped file, not yet parsed. */
export const gzippedLines = (file: string | URL): string[] => gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');

/** What the lines of a gzipped file of JSON hold. */
export const gzippedJsonLines = <Line>(file: string | URL): Line[] => gzippedLines(file).map((line) => JSON.parse(line) as Line);
