import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Package, packages, root } from './repository.ts';
import { runNpm, runShell } from './run.ts';
import { linkPackages, makeFolder } from './temporary.ts';

/** The result of `npm pack`; sizes in bytes. */
export interface Tarball {
  readonly path: string;
  readonly size: number;
  readonly entryCount: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the output of `npm run build` as `npm publish` would. */
export function packTarball({ folder }: Package): Tarball {
  const target = makeFolder();
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', target];
  const { status, stdout, stderr } = runNpm(args, { cwd: join(root, folder) });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  // npm prints a list up to version 11, and may print an object keyed by name since then.
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, Tarball & { filename: string }>);
  if (!packed) throw new Error(`npm pack printed no package: ${stdout}`);
  return { ...packed, path: join(target, packed.filename) };
}

/** Creates a project with all tarballs of this repository and links to their third-party dependencies, without network access. */
export function installTarballs(tarballs: readonly Tarball[], linkedPackages: readonly string[] = []): string {
  const project = makeFolder();
  const ownNames = new Set(packages.map(({ manifest }) => manifest.name));
  packages.forEach(({ manifest }, i) => {
    const target = join(project, 'node_modules', manifest.name);
    mkdirSync(target, { recursive: true });
    const { status, stderr } = runShell(`tar -xzf '${tarballs[i]?.path}' --strip-components=1 -C '${target}'`);
    if (status !== 0) throw new Error(`the tarball of ${manifest.name} cannot be unpacked: ${stderr}`);
  });
  const dependencies = packages.flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {})).filter((name) => !ownNames.has(name));
  linkPackages(project, [...new Set([...dependencies, ...linkedPackages])]);
  return project;
}
