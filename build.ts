/**
 * Puts the modules of the API server together in a few files, after the compiler: some four hundred take a fifth of a second to load, which is
 * more than a server takes to start. What is loaded later stays apart, and so does what other subpaths export. Declarations stay as they are.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const room = resolve(import.meta.dirname, 'dist/apiserver');

const { metafile } = await build({
  entryPoints: [join(room, 'index.js')],
  outdir: room,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.12',
  packages: 'external',
  // The error that all ports throw is one class, wherever it is imported from.
  external: [resolve(room, '../port/index.js')],
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
});

const made = new Set(Object.keys(metafile.outputs).map((path) => resolve(path)));
for (const entry of readdirSync(room, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (/\.js(\.map)?$/.test(entry.name) && !made.has(path)) rmSync(path);
}
