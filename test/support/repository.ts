import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder without a trailing slash. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

const generatedFolders = new Set(['.git', 'node_modules', 'dist', 'coverage', 'reports', '.stryker-tmp']);

/** Lists the repository's own files in a folder and below, as sorted paths relative to the repository's root, with forward slashes. */
export const listFiles = (folder: string, ending: string = ''): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !generatedFolders.has(name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return listFiles(path, ending);
      return entry.isFile() && path.endsWith(ending) ? [path] : [];
    })
    .sort();

export const readTextFile = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The targets of an entry point: its source, its declarations and its module. */
export interface Target {
  readonly 'kube-endpoints-source': string;
  readonly types: string;
  readonly default: string;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | Target>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A package of this repository; its folder is relative to the root and empty for the root itself. */
export interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

export const readManifest = (folder = ''): Manifest => JSON.parse(readTextFile(join(folder, 'package.json'))) as Manifest;

/** The root first, then each package under `packages`. */
export const packages: readonly Package[] = ['', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)].map(
  (folder) => ({
    folder,
    manifest: readManifest(folder),
  }),
);

/** An entry point as users import it, with its source relative to the repository's root. */
export interface Entry {
  readonly specifier: string;
  readonly source: string;
  readonly built: string;
}

/** The entry points of a package, except `package.json`. */
export const entriesOf = ({ folder, manifest }: Package): Entry[] =>
  Object.entries(manifest.exports).flatMap(([subpath, target]) =>
    typeof target === 'string'
      ? []
      : [
          {
            specifier: manifest.name + subpath.slice(1),
            source: join(folder, target['kube-endpoints-source']),
            built: join(folder, target.default),
          },
        ],
  );

/** Only packages of this repository may import an internal entry. */
export const isInternal = ({ specifier }: Entry): boolean => /\/internal(\/|$)/.test(specifier);
