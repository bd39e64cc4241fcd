import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { root } from '../support/repository.ts';

/** The maximum download size in a browser, in bytes: minified, gzipped, dependencies included. */
const budgets = [
  { entry: 'dist/index.js', gzip: 47_000 },
  // With `diagnoseService`; the other functions of the module are a selection below.
  { entry: 'dist/explain.js', gzip: 50_000 },
];

/** The maximum size of bundles with only these imports, after tree shaking. */
const selections: readonly { readonly names: string; readonly gzip: number; readonly entry?: string }[] = [
  { names: 'explainService, compareReleases, compareSliceReleases', entry: 'dist/explain.js', gzip: 42_000 },
  { names: 'computeEndpoints, shouldPodBeInEndpoints, repackSubsets, createSelectorCache', gzip: 20_000 },
  { names: 'computeEndpointSlices', gzip: 20_000 },
  { names: 'createMirror', gzip: 16_000 },
  { names: 'mergeSlices, endpointsFromSlices, checkAgreement', gzip: 20_000 },
];

describe('a bundle for browsers', () => {
  test.each(budgets)('$entry takes at most $gzip bytes', async ({ entry, gzip }) => {
    const { size } = await bundle(`export * from './${entry}';`);
    console.log(`${entry}: ${size} bytes gzipped`);
    expect(size).toBeGreaterThan(1000);
    expect(size).toBeLessThanOrEqual(gzip);
  });

  test.each(selections)('{ $names } takes at most $gzip bytes', async ({ names, gzip, entry = 'dist/index.js' }) => {
    const { size } = await bundle(`export { ${names} } from './${entry}';`);
    console.log(`${names}: ${size} bytes gzipped`);
    expect(size).toBeLessThanOrEqual(gzip);
  });

  test('contains only the code and its two dependencies', async () => {
    const { inputs } = await bundle(`export * from './dist/index.js'; export * as allocators from './dist/allocators.js';`);
    const packages = inputs.filter((path) => path.includes('node_modules/')).map((path) => path.split('node_modules/').at(-1));
    expect(new Set(packages.map((path) => path?.split('/')[0]))).toEqual(new Set(['fast-deep-equal', 'immer']));
  });

  test('with only shouldPodBeInEndpoints is less than a third of the full bundle', async () => {
    const full = await bundle(`export * from './dist/index.js';`);
    const selected = await bundle(`export { shouldPodBeInEndpoints } from './dist/index.js';`);
    expect(selected.size).toBeLessThan(full.size / 3);
  });
});

/** Bundles a module for browsers. @throws the error of esbuild if a source imports a module of Node.js */
async function bundle(contents: string): Promise<{ size: number; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root, sourcefile: join(root, 'entry.js') },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const [file] = outputFiles;
  if (!file) throw new Error('esbuild wrote nothing');
  return { size: gzipSync(file.contents, { level: 9 }).length, inputs: Object.keys(metafile.inputs) };
}
