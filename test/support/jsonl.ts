import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Reads the unparsed lines of a gzipped file. */
export const readGzippedLines = (file: string | URL): string[] => gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');

/** Reads and parses the lines of a gzipped JSON Lines file. */
export const readGzippedJsonLines = <Line>(file: string | URL): Line[] => readGzippedLines(file).map((line) => JSON.parse(line) as Line);
