import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createOldModules, firstMinorWithGoMod, mergeReplacements } from './build-old.ts';
import { featureGatesFile } from './feature-gates.ts';
import { adaptSource, sources } from './wire.ts';

/** The Kubernetes releases for which the oracle, a Go program that runs the release's own controllers, is known to build. */
export const knownReleases: readonly string[] = [
  '1.9.11',
  '1.10.13',
  '1.11.7',
  '1.11.10',
  '1.12.4',
  '1.13.12',
  '1.14.10',
  '1.15.12',
  '1.16.15',
  '1.17.4',
  '1.18.20',
  '1.19.16',
  '1.20.2',
  '1.21.14',
  '1.22.17',
  '1.23.17',
  '1.24.17',
  '1.26.15',
  '1.28.0',
  '1.29.15',
  '1.30.14',
  '1.32.2',
  '1.33.1',
  '1.34.4',
  '1.35.4',
  '1.36.3',
  '1.37.1',
];

/**
 * Returns the path of a release's oracle; builds it unless the cache has one made from the same sources.
 * @throws Error with the last lines of Go's output if the build fails
 */
export async function buildEndpointsOracle(version: string): Promise<string> {
  const { copiedNames, generatedFiles } = sources(version);
  const files: Record<string, string> = { ...generatedFiles, ...featureGatesFile(minorOf(version)) };
  for (const name of copiedNames)
    files[name] = adaptSource(await readFile(join(import.meta.dirname, 'go', name), 'utf8'), minorOf(version));
  return buildProgram('endpoints', version, files);
}

/**
 * Builds a Go program that imports a release as a module, unless it is cached, and returns the path of the binary. Generates its go.mod.
 * @param name the name of the binary in the cache
 * @param replacements for a release without go.mod: lines of the directive `replace` that differ from `oldReplacements`
 * @throws Error with the last lines of Go's output if the build fails
 */
export async function buildProgram(
  name: string,
  version: string,
  sourceFiles: Readonly<Record<string, string>>,
  replacements: readonly string[] = [],
): Promise<string> {
  const minor = minorOf(version);
  const isOld = minor < firstMinorWithGoMod;
  const allReplacements = mergeReplacements(replacements);
  const files = { 'go.mod': isOld ? allReplacements.join('\n') : goMod(version, minor), ...sourceFiles };
  const flags = 'overlay.json' in files ? ['-overlay', 'overlay.json'] : [];
  const digest = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
  const cache = process.env['ORACLE_CACHE'] ?? join(homedir(), '.cache', 'kube-endpoints-oracle');
  const binary = join(cache, `${name}-${version}-${digest}`);
  if (await exists(binary)) return binary;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), 'kube-endpoints-oracle-'));
  try {
    const folder = join(work, 'program');
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    if (isOld) await writeFile(join(folder, 'go.mod'), await createOldModules(version, work, allReplacements));
    // renamed to its final path when complete, so that another process never sees a partial file
    const temporaryPath = join(cache, `.${randomUUID()}`);
    await goBuild(folder, temporaryPath, version, flags);
    await removeOutdatedBinaries(cache, `${name}-${version}-`);
    await rename(temporaryPath, binary);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return binary;
}

/** Returns the output of `go version`, or undefined if Go is missing. */
export function goVersion(): string | undefined {
  try {
    return execFileSync('go', ['version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Returns 33 for "1.33.1". @throws RangeError unless the version is a patch release from 1.9.0 on */
export function minorOf(version: string): number {
  const match = /^1\.(\d+)\.\d+$/.exec(version);
  const minor = Number(match?.[1]);
  if (!match || minor < 9) throw new RangeError(`${JSON.stringify(version)} is not a patch release from 1.9.0 on, such as "1.36.3"`);
  return minor;
}

/** The minimum go directive for modules of a minor release; the entry with the largest `from` up to the minor applies. */
const goDirectives: readonly { readonly from: number; readonly go: string }[] = [
  { from: 36, go: '1.26' },
  { from: 35, go: '1.25' },
  { from: 33, go: '1.24' },
  { from: 31, go: '1.23' },
  { from: 30, go: '1.22' },
  { from: 28, go: '1.21' },
  { from: 26, go: '1.19' },
  { from: 15, go: '1.16' },
];

/** Modules within Kubernetes' own repository: a release's go.mod requires v0.0.0, so every importer must replace them. */
const stagingModules = [
  'api apiextensions-apiserver apimachinery apiserver cli-runtime client-go cloud-provider cluster-bootstrap code-generator',
  'component-base component-helpers controller-manager cri-api cri-client cri-streaming csi-translation-lib',
  'dynamic-resource-allocation endpointslice externaljwt kms kube-aggregator kube-controller-manager kube-proxy kube-scheduler',
  'kubectl kubelet legacy-cloud-providers metrics mount-utils node-api pod-security-admission sample-apiserver',
  'sample-cli-plugin sample-controller streaming',
]
  .join(' ')
  .split(' ');

/** Replacements for module versions that old releases require but that no longer exist or compile. */
const substitutes: readonly { readonly before: number; readonly line: string }[] = [
  { before: 22, line: 'github.com/modern-go/reflect2 => github.com/modern-go/reflect2 v1.0.2' },
  { before: 20, line: 'vbom.ml/util => github.com/fvbommel/util v0.0.0-20180919145318-efcd4e0f9787' },
];

/** Staging modules to use for releases whose own ones cannot be downloaded. */
const stagingVersions: Readonly<Record<string, string>> = { '1.16.0': '0.16.4', '1.16.3': '0.16.4', '1.18.20': '0.18.19' };

function goMod(version: string, minor: number): string {
  const go = goDirectives.find(({ from }) => minor >= from)?.go;
  const stagingVersion = stagingVersions[version] ?? `0.${version.slice(2)}`;
  const replacements = [
    ...stagingModules.map((name) => `k8s.io/${name} => k8s.io/${name} v${stagingVersion}`),
    ...substitutes.filter(({ before }) => minor < before).map(({ line }) => line),
  ];
  return [
    'module kube-endpoints-oracle',
    `go ${go}`,
    `require k8s.io/kubernetes v${version}`,
    `replace (\n${replacements.map((line) => `\t${line}\n`).join('')})`,
    '',
  ].join('\n\n');
}

async function goBuild(folder: string, output: string, version: string, flags: readonly string[]): Promise<void> {
  try {
    // -trimpath as in e2e/cluster/build.sh, so that shared packages are compiled once.
    await promisify(execFile)('go', ['build', '-trimpath', ...flags, '-o', output, '.'], {
      cwd: folder,
      env: { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' },
      maxBuffer: 2 ** 26,
    });
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    const lines = stderr.split('\n').filter((line) => line && !line.startsWith('go: downloading') && !line.startsWith('go: found'));
    throw new Error(`the program for ${version} failed to build:\n${lines.slice(-12).join('\n') || String(error)}`);
  }
}

/** Removes cached binaries of a release that were made from other sources. */
async function removeOutdatedBinaries(cache: string, prefix: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (name.startsWith(prefix)) await rm(join(cache, name), { force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
