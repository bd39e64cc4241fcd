import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './repository.ts';

/** Creates a folder outside the repository, which is removed at the end of the test run. */
export const makeFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'kube-endpoints-')));

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Lets a folder import packages that are installed in the repository. */
export function linkPackages(folder: string, names: readonly string[]): void {
  for (const name of names) linkPackage(folder, name, join(root, 'node_modules', name));
}

/** Lets a folder import a package from the folder `target`. */
export function linkPackage(folder: string, name: string, target: string): void {
  const link = join(folder, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link, 'junction');
}
