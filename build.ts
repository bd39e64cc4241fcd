/**
 * Builds the published files of the root and of each package under `packages`: a module per entry point, chunks that several entry points
 * share, and their declarations. Dependencies stay outside; the command line is bundled whole, so that installing it brings one package.
 */
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type RolldownOptions, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const root = import.meta.dirname;
const condition = 'kube-endpoints-source';
const folders = [root, ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name))];
const wanted = process.argv.slice(2);

for (const folder of folders) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  if (wanted.length > 0 && !wanted.includes(manifest.name)) continue;
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  if (folder !== root) copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await buildModules(folder, manifest);
}

async function buildModules(folder: string, { exports, bin, dependencies = {}, peerDependencies = {} }: Manifest): Promise<void> {
  const input: Record<string, string> = {};
  for (const target of Object.values(exports)) {
    if (typeof target === 'string') continue;
    const { [condition]: source = '', default: built = '' } = target;
    input[nameOf(built)] = join(folder, source);
  }
  const outside = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
  const external = (id: string): boolean => outside.some((name) => id === name || id.startsWith(`${name}/`));
  const shared = {
    cwd: folder,
    external,
    platform: folder === root ? 'neutral' : 'node',
    resolve: { conditionNames: [condition, 'node', 'import', 'default'] },
  } satisfies RolldownOptions;
  const output = {
    dir: join(folder, 'dist'),
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: true, jsdoc: false },
  };
  const programs = Object.values(bin ?? {}).map((built) => [nameOf(built), join(folder, 'src', `${nameOf(built)}.ts`)]);
  const modules = await rolldown({ ...shared, input: { ...input, ...Object.fromEntries(programs) } });
  await modules.write({ ...output, format: 'esm' });
  const declarations = await rolldown({
    ...shared,
    input,
    plugins: [dts({ emitDtsOnly: true, generator: 'oxc', tsconfig: false, sourcemap: false })],
  });
  await declarations.write({ ...output, format: 'esm' });
}

function nameOf(built: string): string {
  return built.replace('./dist/', '').replace(/\.js$/, '');
}
