import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from './repository.ts';
import { runNpm, runShell } from './run.ts';
import { linkPackages, makeFolder } from './temporary.ts';

/** Packs what `npm run build` has built, as `npm publish` would, and says where the tarball is. */
export function packTarball(): string {
  const folder = makeFolder();
  const { status, stdout, stderr } = runNpm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const packed: unknown = JSON.parse(stdout);
  // npm 11 and older print a list, newer ones may print an object keyed by name
  const [first] = Object.values(packed as Record<string, { filename: string }>);
  if (!first) throw new Error(`npm pack printed no package: ${stdout}`);
  return join(folder, first.filename);
}

/** A project that has the tarball installed, its dependencies and the further packages beside it; needs no network. */
export function installTarball(tarball: string, further: readonly string[] = []): string {
  const project = makeFolder();
  const { name, dependencies } = readManifest();
  const target = join(project, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  const { status, stderr } = runShell(`tar -xzf '${tarball}' --strip-components=1 -C '${target}'`);
  if (status !== 0) throw new Error(`the tarball cannot be unpacked: ${stderr}`);
  linkPackages(project, [...Object.keys(dependencies), ...further]);
  return project;
}
