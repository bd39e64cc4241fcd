import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the repository is, without a slash at the end. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

const made = new Set(['.git', 'node_modules', 'dist', 'coverage', 'reports', '.stryker-tmp']);

/** The repository's own files in a folder and below, as sorted paths relative to its root, with forward slashes. */
export const filesIn = (folder: string, ending: string = ''): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !made.has(name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(path, ending);
      return entry.isFile() && path.endsWith(ending) ? [path] : [];
    })
    .sort();

export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const readManifest = (): Manifest => JSON.parse(textOf('package.json')) as Manifest;
