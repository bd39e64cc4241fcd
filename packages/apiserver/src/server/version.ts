/** `version.Info` of apimachinery, as `/version` gives it. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The release this server speaks as. What stands after the plus sign is no part of a version's rank. */
export const versionInfo = (): VersionInfo => ({
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3+kube-endpoints',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${systems.get(process.platform) ?? process.platform}/${architectures.get(process.arch) ?? process.arch}`,
});

/** Go's names, where they are others than Node's. */
const systems: ReadonlyMap<string, string> = new Map([['win32', 'windows']]);
const architectures: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
]);
