import { dirname, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, packages, readTextFile } from '../support/repository.ts';

/**
 * The folders of each package in layers, lowest first: a file imports from its own folder and from lower layers, never from another folder
 * of the same layer. Folders that are not listed belong to their parent; '' is the rest of the package, including its index.
 */
const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '': [
    ['apimachinery'],
    ['types'],
    ['versions'],
    ['spec'],
    ['incremental'],
    ['explain', 'readiness', 'allocators', 'dns', 'proxy', 'policy', 'gateway', 'load-balancer'],
    ['trace', 'port'],
    [''],
  ],
  'packages/cel': [['regexp'], ['']],
  'packages/apiserver': [
    ['store'],
    ['data', 'formats'],
    ['cel', 'patch'],
    ['resources'],
    ['protobuf', 'registry'],
    ['admission', 'custom-resources'],
    ['http'],
    ['discovery', 'faults', 'server'],
    ['openapi'],
    [''],
  ],
  'packages/controllers': [
    ['base'],
    ['queue', 'rate-limit'],
    ['cache'],
    ['events', 'election'],
    ['sharding', 'resync', 'controllers'],
    ['feed', 'dns', 'service-lb'],
    ['host'],
    ['operations'],
    ['client-node', 'clouds'],
    [''],
  ],
  'packages/cli': [['base'], ['print'], ['input', 'flags'], ['live'], ['report'], ['commands'], ['']],
};

/** Sources that only Node.js can run. All other sources must not import modules of Node.js. */
const nodeOnlyPaths: readonly RegExp[] = [
  /^packages\/(apiserver|cli|dns-server)\//,
  /^packages\/controllers\/src\/(client-node|clouds|operations)\//,
  /^packages\/overrides\/src\/webhook\//,
];

const sources = packages.flatMap(({ folder }) => listFiles(posix.join(folder, 'src'), '.ts'));
const graph = new Map(sources.map((file) => [file, importsOf(readTextFile(file))]));
const relativeImports = (file: string): string[] => (graph.get(file) ?? []).filter(isRelative).map((target) => resolve(file, target));
const packageImports = (file: string): string[] => (graph.get(file) ?? []).filter((target) => !isRelative(target));
/** The findings of `findProblems` in each file, as "file: finding". */
const findings = (findProblems: (file: string) => string[]): string[] =>
  sources.flatMap((file) => findProblems(file).map((problem) => `${file}: ${problem}`));

test('importsOf finds every import', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(importsOf(sample)).toEqual(['a', './b.ts', './c.ts', 'd', './e.ts', './f.ts']);
});

describe('every source file', () => {
  test('imports from lower layers of its package only', () => {
    expect(findings((file) => relativeImports(file).filter((target) => !mayImport(file, target)))).toEqual([]);
  });

  test('imports only packages of its manifest, and modules of Node.js only if it requires Node.js', () => {
    expect(findings((file) => packageImports(file).filter((target) => !isAllowed(file, target)))).toEqual([]);
  });

  test('imports existing files by their complete names', () => {
    expect(
      findings((file) => relativeImports(file).filter((target) => !sources.includes(target) && !target.endsWith('/package.json'))),
    ).toEqual([]);
  });

  test.each([
    ['exports by name, never everything', /^export \*/m],
    ['has no default export', /^export (default\b|\{[^}]*\bas default\b)/m],
    ['has no state at module level', /^(export )?(let|var) /m],
  ])('%s', (_, forbiddenPattern) => {
    expect(sources.filter((file) => forbiddenPattern.test(readTextFile(file)))).toEqual([]);
  });

  test('has at most 250 lines', () => {
    expect(sources.filter((file) => readTextFile(file).trimEnd().split('\n').length > 250)).toEqual([]);
  });

  test('is not part of an import cycle', () => {
    expect(sources.map(findCycle).filter((cycle) => cycle.length > 0)).toEqual([]);
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

/** The specifiers that a module imports or re-exports, in order; comments are ignored. */
function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  const matches = code.matchAll(/^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm);
  return [...matches].map(([, statement, call]) => statement ?? call ?? '');
}

function isRelative(target: string): boolean {
  return target.startsWith('.');
}

function resolve(file: string, target: string): string {
  return posix.normalize(posix.join(dirname(file), target));
}

/** The folder of a file's package: '' for the root. */
function packageOf(file: string): string {
  return /^packages\/[^/]+/.exec(file)?.[0] ?? '';
}

function mayImport(file: string, target: string): boolean {
  if (packageOf(file) !== packageOf(target)) return false;
  if (target === posix.join(packageOf(file), 'package.json')) return true;
  const [from, to] = [locationOf(file), locationOf(target)];
  return from.folder === to.folder || to.layer < from.layer;
}

/** The deepest listed folder that contains a file, and its layer. */
function locationOf(file: string): { folder: string; layer: number } {
  const packageLayers = layers[packageOf(file)] ?? [['']];
  const path = file.slice(posix.join(packageOf(file), 'src/').length);
  const folders = packageLayers.flatMap((names, layer) => names.map((folder) => ({ folder, layer })));
  const matching = folders.filter(({ folder }) => folder === '' || path.startsWith(`${folder}/`));
  const [location] = matching.sort((a, b) => b.folder.length - a.folder.length);
  if (!location) throw new Error(`${file} is in no layer: add its folder to the table of this test`);
  return location;
}

function isAllowed(file: string, target: string): boolean {
  if (target.startsWith('node:')) return nodeOnlyPaths.some((pattern) => pattern.test(file));
  const { manifest } = packages.find(({ folder }) => folder === packageOf(file)) ?? {};
  const names = Object.keys({ ...manifest?.dependencies, ...manifest?.peerDependencies, ...manifest?.devDependencies });
  return names.some((name) => target === name || target.startsWith(`${name}/`)) && (packageOf(file) !== '' || !target.startsWith('kube'));
}

/** An import path from a file back to itself; empty if it is in no cycle. */
function findCycle(start: string): string[] {
  const visited = new Set<string>();
  const findPathBack = (file: string, path: string[]): string[] => {
    for (const target of relativeImports(file)) {
      if (target === start) return [...path, target];
      if (visited.has(target)) continue;
      visited.add(target);
      const cycle = findPathBack(target, [...path, target]);
      if (cycle.length > 0) return cycle;
    }
    return [];
  };
  return findPathBack(start, [start]);
}
