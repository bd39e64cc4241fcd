import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { checkKeys, type Fields } from './objects.ts';
import { allReleases, type Changes, findEdges, parseReleases } from './releases.ts';

/** One row of a table. README.md explains the keys. */
export interface Row {
  readonly name: string;
  readonly upstream: readonly string[];
  readonly service?: Fields;
  readonly pods?: readonly Fields[];
  readonly nodes?: readonly Fields[];
  readonly current?: Fields;
  readonly currentSlices?: readonly Fields[];
  readonly endpoints?: Fields;
  readonly timeZone?: string;
  readonly maxEndpointsPerSlice?: number;
  /** The expected outcomes. The row runs in `releases`: the first and last release of each range that an outcome applies to. */
  readonly cases: readonly { readonly releases: readonly string[]; readonly expected: Fields }[];
}

export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

const rowKeys = [
  'name',
  'upstream',
  'releases',
  'service',
  'pods',
  'nodes',
  'current',
  'currentSlices',
  'endpoints',
  'timeZone',
  'maxEndpointsPerSlice',
  'expect',
];

const addressKeys = ['endpoints', 'ready', 'notReady', 'ports', 'subsets', 'labels', 'annotations'];
const sliceKeys = ['slices', 'sliceLabels', 'sliceAnnotations', 'slicesWhy', 'slicesSettled', 'hintsWhy'];

/** The keys that each kind of row may expect. */
function outcomeKeys(row: Fields): readonly string[] {
  if (row['endpoints']) return ['slices', 'slicePlan'];
  if (row['current']) return ['plan', ...addressKeys];
  if (row['currentSlices']) return ['slicePlan'];
  return [...addressKeys, 'counts', 'why', 'settled', ...sliceKeys];
}

const folder = new URL('./', import.meta.url);
const readYaml = (name: string): unknown => parse(readFileSync(new URL(name, folder), 'utf8'), { merge: true });

/** The inputs for reading a table: known changes, and the file of each upstream function. */
export interface Sources {
  readonly changes: Changes;
  readonly functions: Readonly<Record<string, string>>;
  /** The releases that a text names, see `parseReleases`. Cached by text. */
  readonly releases: (text: string) => ReadonlySet<string>;
}

/** Reads the changes and functions that rows may refer to. */
export function readSources(): Sources {
  const changes = readYaml('changes.yaml') as Changes;
  const cache = new Map<string, ReadonlySet<string>>();
  return {
    changes,
    functions: readYaml('functions.yaml') as Record<string, string>,
    releases: (text) => {
      const releases = cache.get(text) ?? new Set(allReleases.filter(parseReleases(text, changes)));
      cache.set(text, releases);
      return releases;
    },
  };
}

/** The names of the tables: every YAML file of this folder except changes.yaml and functions.yaml. */
export const tableNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml') && !['changes.yaml', 'functions.yaml'].includes(name))
  .sort();

/** Reads a table. With `full`, each row runs in more releases: see `findEdges`. */
export const readTable = (name: string, sources: Sources, full: boolean): Table => toTable(name, readYaml(name) as Fields, sources, full);

/**
 * Builds a table from parsed YAML.
 * @throws Error naming the table and the row if a key is unknown, no upstream function is named, or a release has no outcome or two
 */
export function toTable(file: string, content: Fields, sources: Sources, full: boolean): Table {
  checkKeys(file, content, ['title', 'releases', 'anchors', 'rows']);
  const rows = (content['rows'] as readonly Fields[]).map((row) =>
    toRow(`${file}: row "${String(row['name'])}"`, row, String(content['releases'] ?? 'always'), sources, full),
  );
  const names = rows.map(({ name }) => name);
  for (const name of names) if (names.indexOf(name) !== names.lastIndexOf(name)) throw new Error(`${file}: two rows are named "${name}"`);
  return { title: String(content['title']), rows };
}

function toRow(location: string, row: Fields, releases: string, sources: Sources, full: boolean): Row {
  checkKeys(location, row, rowKeys);
  if (typeof row['name'] !== 'string' || !row['name'].includes(' ')) throw new Error(`${location}: the name is no sentence`);
  const upstream = checkUpstream(location, row, sources);
  const releasesOfRow = [...sources.releases(String(row['releases'] ?? releases))];
  const expect = (row['expect'] ?? {}) as Fields;
  const cases = Object.entries(expect).map(([key, outcome]) => {
    const expected = toOutcome(`${location}, ${key}`, outcome, outcomeKeys(row));
    const namedReleases = sources.releases(key);
    const releasesOfCase = new Set(releasesOfRow.filter((release) => namedReleases.has(release)));
    if (releasesOfCase.size === 0) throw new Error(`${location}: "${key}" names no release of this row`);
    return { releasesOfCase, expected };
  });
  for (const release of releasesOfRow) {
    const times = cases.filter(({ releasesOfCase }) => releasesOfCase.has(release)).length;
    if (times !== 1) throw new Error(`${location}: expect names ${release} ${times} times`);
  }
  return {
    ...(row as unknown as Row),
    upstream,
    cases: cases.map(({ releasesOfCase, expected }) => ({ releases: findEdges([...releasesOfCase], full), expected })),
  };
}

/** Returns the functions and changes that a row mirrors. @throws Error if one is unknown, or if there is no function */
function checkUpstream(location: string, row: Fields, { changes, functions }: Sources): string[] {
  const upstream = [row['upstream'] ?? []].flat().map(String);
  for (const each of upstream) {
    if (!Object.hasOwn(functions, each) && !Object.hasOwn(changes, each)) {
      throw new Error(`${location}: upstream "${each}" is neither in functions.yaml nor in changes.yaml`);
    }
  }
  if (!upstream.some((each) => Object.hasOwn(functions, each))) throw new Error(`${location}: no upstream function is named`);
  return upstream;
}

/** Converts an outcome to fields; a text describes the whole Endpoints: "nothing" or "empty". */
function toOutcome(location: string, outcome: unknown, knownKeys: readonly string[]): Fields {
  const fields = typeof outcome === 'string' ? { endpoints: outcome } : (outcome as Fields);
  checkKeys(location, fields, knownKeys);
  if (Object.keys(fields).length === 0) throw new Error(`${location}: nothing is expected`);
  return fields;
}
