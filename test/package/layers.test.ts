import { dirname, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, textOf } from '../support/repository.ts';

/** Each room may import from the layers before its own, and from nowhere else in src. */
const layers: readonly (readonly string[])[] = [
  ['types', 'go'],
  ['versions', 'cel'],
  ['core'],
  ['explain', 'readiness', 'overrides', 'allocators', 'dns', 'proxy', 'load-balancer'],
  ['trace', 'port'],
  ['runtime', 'apiserver', 'client-node', 'webhook', 'clouds', 'dns-server'],
  ['cli'],
];

/** The packages that a room, or a part of one, may import; what is in no row may import none. */
const packages: Readonly<Record<string, readonly RegExp[]>> = {
  core: [/^fast-deep-equal$/, /^immer$/],
  cel: [/^@marcbachmann\/cel-js$/],
  overrides: [/^yaml$/, /^@marcbachmann\/cel-js$/],
  webhook: [/^node:/, /^yaml$/, /^prom-client$/],
  apiserver: [/^node:/, /^yaml$/, /^ajv$/, /^prom-client$/, /^@bufbuild\/protobuf\/wire$/],
  clouds: [/^node:/],
  'dns-server': [/^node:/, /^dns-packet$/, /^prom-client$/],
  'client-node': [/^node:/, /^yaml$/, /^@kubernetes\/client-node$/],
  'runtime/operations': [/^node:/, /^pino$/, /^prom-client$/, /^@opentelemetry\/api$/],
  cli: [/^commander$/, /^yaml$/, /^node:/],
};

const files = filesIn('src', '.ts');
const graph = new Map(files.map((file) => [file, importsOf(textOf(file))]));
const relativeImports = (file: string): string[] => (graph.get(file) ?? []).filter(isRelative).map((target) => resolve(file, target));
const packageImports = (file: string): string[] => (graph.get(file) ?? []).filter((target) => !isRelative(target));
/** What `look` finds in each file, as "file: finding". */
const pairs = (look: (file: string) => string[]): string[] => files.flatMap((file) => look(file).map((each) => `${file}: ${each}`));

test('there are sources to look at, and the scanner sees their imports', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(importsOf(sample)).toEqual(['a', './b.ts', './c.ts', 'd', './e.ts', './f.ts']);
});

describe('every file of src', () => {
  test('imports from the layers before its own only', () => {
    const wrong = pairs((file) => relativeImports(file).filter((target) => !mayImport(roomOf(file), roomOf(target))));
    expect(wrong).toEqual([]);
  });

  test('imports only the packages that its room may', () => {
    const patternsFor = (file: string): readonly RegExp[] =>
      Object.entries(packages).flatMap(([folder, patterns]) => (file.startsWith(`src/${folder}/`) ? patterns : []));
    const allowed = (file: string, target: string): boolean => patternsFor(file).some((pattern) => pattern.test(target));
    expect(pairs((file) => packageImports(file).filter((target) => !allowed(file, target)))).toEqual([]);
  });

  test('imports files that exist, by their whole names', () => {
    expect(pairs((file) => relativeImports(file).filter((target) => !files.includes(target)))).toEqual([]);
  });

  test.each([
    ['exports by name, never everything there is', /^export \*/m],
    ['has no default export', /^export (default\b|\{[^}]*\bas default\b)/m],
    ['has no state of its own', /^(export )?(let|var) /m],
  ])('%s', (_, forbidden) => {
    expect(files.filter((file) => forbidden.test(textOf(file)))).toEqual([]);
  });

  test('fits on a few screens: 250 lines', () => {
    expect(files.filter((file) => textOf(file).trimEnd().split('\n').length > 250)).toEqual([]);
  });

  test('never comes back to itself by its imports', () => {
    expect(files.map(findCycle).filter((cycle) => cycle.length > 0)).toEqual([]);
  });
});

const sample = `import x from 'a';
import { y, type Z } from './b.ts';
import type {
  Q,
} from './c.ts';
import 'd';
export { w } from './e.ts';
const lazy = await import('./f.ts'); // import { no } from comments
`;

/** What a module imports or exports again, in order; comments are not looked at. */
function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  const found = code.matchAll(/^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm);
  return [...found].map(([, statement, call]) => statement ?? call ?? '');
}

function isRelative(target: string): boolean {
  return target.startsWith('.');
}

function resolve(file: string, target: string): string {
  return posix.normalize(posix.join(dirname(file), target));
}

/** `src/spec/hash/md5.ts` is in core; `src/index.ts`, which hands the pure rooms on, is a room of its own. */
function roomOf(file: string): string {
  const [, room = '', ...rest] = file.split('/');
  return rest.length === 0 ? 'index' : room;
}

function mayImport(room: string, from: string): boolean {
  return room === from || layerOf(from) < layerOf(room);
}

function layerOf(room: string): number {
  if (room === 'index') return layers.length - 1;
  const layer = layers.findIndex((rooms) => rooms.includes(room));
  if (layer < 0) throw new Error(`the room ${room} is in no layer: give it a place in the table of this test and in docs/map.md`);
  return layer;
}

/** The way from a file back to itself, or nothing. */
function findCycle(start: string): string[] {
  const seen = new Set<string>();
  const walk = (file: string, path: string[]): string[] => {
    for (const target of relativeImports(file)) {
      if (target === start) return [...path, target];
      if (seen.has(target)) continue;
      seen.add(target);
      const cycle = walk(target, [...path, target]);
      if (cycle.length > 0) return cycle;
    }
    return [];
  };
  return walk(start, [start]);
}
