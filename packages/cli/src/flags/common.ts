import { type Command, InvalidArgumentError, Option } from 'commander';
import { checkFeatureGates, parseRelease, resolveEndpointLimit } from 'kube-endpoints/internal';
import { type FeatureGates, newest, type ReleaseOptions } from 'kube-endpoints/versions';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { DiagramFormat } from '../print/report.ts';
import { parseDNSLabel } from './names.ts';

/** The flags that every command has. */
export interface CommonFlags {
  readonly filename?: readonly string[];
  readonly recursive?: boolean;
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly output: 'table' | 'wide' | 'yaml' | 'json' | DiagramFormat;
  readonly color: boolean;
}

/** One parsed command line: the command's own flags, the common flags, and names. */
export type Invocation<Flags> = Flags & CommonInvocation;

interface CommonInvocation {
  readonly names: readonly string[];
  readonly flags: CommonFlags;
}

/** Called by the action of a command. @param run runs after the flags passed validation together */
export type OnParsed = <Flags extends { readonly command: string }>(
  names: readonly string[],
  flags: Flags,
  run: (invocation: Invocation<Flags>, io: IO, printMessage: PrintMessage) => Promise<number>,
) => void;

/** Adds arguments, flags and an action to a command that already has a name and a summary. */
export type ConfigureCommand = (command: Command, onParsed: OnParsed) => void;

/** Returns the flags given on the command line, such as "--port", in the order of the command's options; excludes defaults. */
export const findGivenFlags = (command: Command): readonly string[] =>
  command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli').map(({ long }) => long ?? '');

/** Collects the values of a flag that may be given several times. */
export const collectValues = (value: string, previousValues: readonly string[] = []): string[] => [...previousValues, value];

/** Parses the value of `-n`. Accepts empty text as not set, since scripts pass empty variables. @throws InvalidArgumentError */
export const parseNamespaceFlag = (text: string): string => (text === '' ? text : parseDNSLabel(text));

/** Returns the namespace of `-n`; undefined for all namespaces. For commands that select all namespaces without `-n`. */
export const requestedNamespace = (flags: Pick<CommonFlags, 'namespace' | 'allNamespaces'>): string | undefined =>
  flags.allNamespaces ? undefined : flags.namespace || undefined;

/** The environment variable that replaces `--release`. */
export const releaseVariable = 'KUBE_ENDPOINTS_RELEASE';

/** The oldest release that a command accepts, and its default. */
interface ReleaseRange {
  readonly oldest?: string;
  readonly fallback?: string;
  /** True if the default for a live cluster is the release of the cluster. */
  readonly asCluster?: boolean;
}

const createReleaseOption = ({ oldest = '1.9', fallback = newest, asCluster = true }: ReleaseRange): Option =>
  new Option(
    '--release <RELEASE>',
    `the Kubernetes release, "${oldest}" to "${newest}" or a patch release such as "1.29.3" (default: "${fallback}"${asCluster ? ', for a cluster its release' : ''}; env: ${releaseVariable})`,
  ).argParser(parseReleaseFlag);

/** The release to follow, and its feature gates. */
export interface Release extends ReleaseOptions {
  readonly version: string;
}

const createFeatureGatesOption = (): Option =>
  new Option(
    '--feature-gates <NAME=BOOLEAN,...>',
    'feature gates of the cluster that differ from their defaults in the release, as for kube-controller-manager',
  ).argParser(parseFeatureGates);

/** Adds `--release` and `--feature-gates`. */
export const addReleaseFlags = (command: Command, range: ReleaseRange = {}): Command =>
  command.addOption(createReleaseOption(range)).addOption(createFeatureGatesOption());

/**
 * Parses feature gates. Like Kubernetes, accepts the values of Go's strconv.ParseBool, and several occurrences of the flag.
 * @throws InvalidArgumentError naming the gate
 */
export function parseFeatureGates(text: string, previousGates: FeatureGates = {}): FeatureGates {
  const gates = text.split(',').flatMap((item): [string, boolean][] => {
    const [name = '', value = '', ...rest] = item.split('=').map((part) => part.trim());
    if (item.trim() === '') return [];
    const isTrue = /^(1|t|T|true|TRUE|True)$/.test(value);
    if (rest.length > 0 || (!isTrue && !/^(0|f|F|false|FALSE|False)$/.test(value)))
      throw new InvalidArgumentError(`${JSON.stringify(item)} is not NAME=true or NAME=false`);
    return [[name, isTrue]];
  });
  return { ...previousGates, ...Object.fromEntries(gates) };
}

/** The flags that name a release. */
export interface ReleaseFlags {
  readonly release?: string | undefined;
  readonly featureGates?: FeatureGates | undefined;
}

/**
 * Returns the release and its feature gates from the flags.
 * @throws UsageError if the release is not known, or has no such gate
 */
export function releaseOf({ release, featureGates }: ReleaseFlags, io: Pick<IO, 'env'>, fallback: string = newest): Release {
  const version = versionOf(release, io, fallback);
  if (!featureGates) return { version };
  try {
    checkFeatureGates(featureGates, parseRelease(version));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--feature-gates: ${error.message.replace('featureGates.', '')}`);
    throw error;
  }
  return { version, featureGates };
}

/**
 * Returns the version from the flag; without the flag, from the environment variable; without both, the default.
 * @throws UsageError if the variable is not a release
 */
function versionOf(flag: string | undefined, { env }: Pick<IO, 'env'>, fallback: string): string {
  if (flag !== undefined) return flag;
  const variable = env[releaseVariable];
  if (!variable) return fallback;
  try {
    return parseReleaseFlag(variable);
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new UsageError(`${releaseVariable}: ${error.message}`);
    throw error;
  }
}

/** Parses a release. @throws InvalidArgumentError naming the accepted range */
export function parseReleaseFlag(text: string): string {
  const release = text.startsWith('v') ? text.slice(1) : text;
  try {
    parseRelease(release);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
  return release;
}

export const createMaxEndpointsOption = (): Option =>
  new Option(
    '--max-endpoints-per-slice <N>',
    'the maximum number of endpoints in a slice, 1 to 1000 (default: 100, as in kube-controller-manager)',
  ).argParser(parseMaxEndpoints);

/** @throws InvalidArgumentError naming the accepted range */
export function parseMaxEndpoints(text: string): number {
  try {
    return resolveEndpointLimit(/^\d+$/.test(text) ? Number(text) : Number.NaN);
  } catch {
    throw new InvalidArgumentError('give a whole number from 1 to 1000');
  }
}

/** Creates a parser for whole numbers from `from` to `to`. The parser throws InvalidArgumentError naming the range. */
export function createWholeNumberParser(from: number, to: number, unit = ''): (text: string) => number {
  return (text) => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= from && number <= to) return number;
    throw new InvalidArgumentError(`give a whole number${unit} from ${from} to ${to}`);
  };
}

export const parsePort: (text: string) => number = createWholeNumberParser(0, 65_535);

const podKinds: readonly string[] = ['po', 'pod', 'pods'];

/** Parses a pod name, with or without kubectl's kind prefix ("pod/web-1"). */
export function parsePodName(text: string): string {
  const [kind = '', name, ...more] = text.split('/');
  return name !== undefined && more.length === 0 && podKinds.includes(kind) ? name : text;
}
