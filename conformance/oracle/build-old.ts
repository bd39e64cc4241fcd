import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** The first minor release whose module has a go.mod, so that Go can import it. */
export const firstMinorWithGoMod = 15;

/**
 * Third-party releases of that time: a release without go.mod lists its own in Godeps, which Go does not read. A program cannot be built
 * with the newest ones.
 */
export const oldReplacements: readonly string[] = [
  'github.com/docker/distribution => github.com/docker/distribution v2.7.1+incompatible',
  'github.com/evanphx/json-patch => github.com/evanphx/json-patch v4.1.0+incompatible',
  'github.com/gogo/protobuf => github.com/gogo/protobuf v1.2.1',
  'github.com/golang/protobuf => github.com/golang/protobuf v1.3.1',
  'github.com/google/gofuzz => github.com/google/gofuzz v1.0.0',
  'github.com/googleapis/gnostic => github.com/googleapis/gnostic v0.1.0',
  'github.com/json-iterator/go => github.com/json-iterator/go v1.1.7',
  'github.com/modern-go/reflect2 => github.com/modern-go/reflect2 v1.0.2',
  'github.com/prometheus/client_golang => github.com/prometheus/client_golang v0.9.4',
  'github.com/prometheus/client_model => github.com/prometheus/client_model v0.0.0-20190129233127-fd36f4220a90',
  'github.com/prometheus/common => github.com/prometheus/common v0.4.1',
  'github.com/prometheus/procfs => github.com/prometheus/procfs v0.0.2',
  'k8s.io/klog => k8s.io/klog v0.3.1',
  'k8s.io/kube-openapi => k8s.io/kube-openapi v0.0.0-20180731170545-e3762e86a74c',
  'k8s.io/utils => k8s.io/utils v0.0.0-20190221042446-c2654d5206da',
];

/** The replacements of a program: the given ones, and the others of `oldReplacements`. */
export const mergeReplacements = (given: readonly string[]): readonly string[] => {
  const pathOf = (line: string): string | undefined => line.split(' ')[0];
  const givenPaths = new Set(given.map(pathOf));
  return [...given, ...oldReplacements.filter((line) => !givenPaths.has(pathOf(line)))];
};

/**
 * Makes a release up to 1.14 importable: creates modules of its sources in `folder`, and returns the go.mod of a program in a folder beside
 * them. The release is downloaded as a module; its files are linked, because the module cache is read-only.
 * @param folder an existing folder for the modules
 * @param replacements lines of the directive `replace` in the go.mod
 * @throws Error if the release cannot be downloaded
 */
export async function createOldModules(version: string, folder: string, replacements: readonly string[]): Promise<string> {
  const source = await downloadSource(version, folder);
  const staging = join('staging', 'src', 'k8s.io');
  const stagingModules = await readdir(join(source, staging));
  const root = join(folder, 'kubernetes');
  await createModule('k8s.io/kubernetes', root, source, ['pkg', 'third_party']);
  for (const name of stagingModules) {
    const files = await readdir(join(source, staging, name));
    await createModule(`k8s.io/${name}`, join(root, staging, name), join(source, staging, name), files);
  }
  const paths = [['k8s.io/kubernetes', ''], ...stagingModules.map((name) => [`k8s.io/${name}`, `/${staging}/${name}`])];
  return [
    ...createHeader('kube-endpoints-oracle'),
    `require (\n${paths.map(([path]) => `\t${path} v0.0.0\n`).join('')})`,
    `replace (\n${paths.map(([path, suffix]) => `\t${path} => ../${basename(root)}${suffix}\n`).join('')})`,
    `replace (\n${replacements.map((line) => `\t${line}\n`).join('')})`,
    '',
  ].join('\n\n');
}

const createHeader = (path: string): string[] => [`module ${path}`, 'go 1.16'];

/** Downloads the sources of a release to Go's module cache; returns their folder. Runs in an existing `folder` outside of Go modules. */
export async function downloadSource(version: string, folder: string): Promise<string> {
  const arguments_ = ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`];
  const { stdout } = await promisify(execFile)('go', arguments_, { cwd: folder, env: { ...process.env, GOWORK: 'off' } });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

/** Creates a module of links to files and folders of `source`, with a new go.mod. */
async function createModule(path: string, folder: string, source: string, names: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'go.mod'), createHeader(path).join('\n\n'));
  const linkedNames = names.filter((name) => name !== 'go.mod' && name !== 'go.sum');
  for (const name of linkedNames) await symlink(join(source, name), join(folder, name));
}
