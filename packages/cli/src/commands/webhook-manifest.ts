import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import { collectValues, createWholeNumberParser, findGivenFlags, type Invocation, type OnParsed } from '../flags/common.ts';
import { parseDNSLabel, parseName } from '../flags/names.ts';
import type { CertificateFlags } from '../flags/webhook.ts';
import { describeFileError } from '../input/sources.ts';
import { ensureSelfSignedFiles } from '../live/self-signed.ts';
import { printRuleProblems } from '../live/webhook/log.ts';
import { formatStructured } from '../print/structured.ts';
import { escapeUnprintable } from '../print/text.ts';

interface ManifestFlags extends CertificateFlags {
  readonly command: 'webhook manifest';
  /** The name of the webhook's Service. The common flag `-n` gives its namespace. */
  readonly service: string;
  readonly ca?: string;
  readonly injectCaFrom?: string;
  readonly failurePolicy: 'allow' | 'deny';
  /** In milliseconds. */
  readonly timeout: number;
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
  readonly excludeNamespace?: readonly string[];
  readonly all: boolean;
  readonly rules?: readonly string[] | undefined;
  readonly image?: string;
  readonly replicas: number;
  readonly tlsSecret?: string;
  readonly connected: boolean;
}

/**
 * Adds the flags of `webhook manifest`. The flags for certificate, rules, policy and timeout belong to `webhook`, which parses them before or
 * after the word "manifest".
 */
export function configureManifest(command: Command, webhook: Command, onParsed: OnParsed): void {
  command
    .requiredOption('--service <NAME>', 'the name of the webhook Service', parseDNSLabel)
    .option('--ca <FILE>', 'the CA certificate that the API server must trust, in PEM')
    .option(
      '--inject-ca-from <NAMESPACE/CERTIFICATE>',
      'instead of --ca: the Certificate whose CA cert-manager injects',
      parseCertificateName,
    )
    .addOption(
      new Option('--reinvocation-policy <POLICY>', 'whether the API server calls it again after other webhooks changed the object')
        .choices(['Never', 'IfNeeded'])
        .default('IfNeeded'),
    )
    .option(
      '--exclude-namespace <NAMESPACE>',
      'a namespace whose endpoints are not reviewed, such as kube-system; repeatable',
      collectValues,
    )
    .option('--all', 'also print the Deployment, the Service, RBAC objects and the rules')
    .option('--image <IMAGE>', 'with --all: the image (default: "kube-endpoints:latest")')
    .option('--replicas <N>', 'with --all: the number of replicas', createWholeNumberParser(1, 999), 2)
    .option(
      '--tls-secret <NAME>',
      'with --all: the Secret with tls.crt and tls.key (default: the name of the Service with the suffix "-tls")',
    )
    .option('--no-connected', 'with --all: without rights to read the cluster; rules that need its objects do not match')
    .action((options: Partial<ManifestFlags>) => {
      const { rules, selfSigned, dnsName, failurePolicy, timeout } = webhook.opts<ManifestFlags>();
      const flags = { all: false, ...options, rules, selfSigned, dnsName, failurePolicy, timeout, command: 'webhook manifest' };
      checkManifestFlags(flags as ManifestFlags, command);
      const problem = findIdleFlagProblem(findGivenFlags(webhook), findGivenFlags(command), flags);
      if (problem !== undefined) command.error(`error: ${problem}`);
      onParsed([], flags as ManifestFlags, run);
    });
}

function checkManifestFlags({ ca, injectCaFrom, selfSigned, all, rules, timeout }: ManifestFlags, command: Command): void {
  const sources = [ca, injectCaFrom, selfSigned].filter((source) => source !== undefined);
  if (sources.length !== 1) command.error('error: give one of --ca FILE, --inject-ca-from NAMESPACE/CERTIFICATE and --self-signed DIR');
  if (all && !rules) command.error('error: --all needs --rules FILE');
  if (timeout < 1000 || timeout > 30_000 || timeout % 1000 !== 0) {
    command.error('error: --timeout: give whole seconds from 1s to 30s, as API servers require');
  }
}

/** Returns an error message if a flag has no effect: a flag of `webhook`, or a flag that needs `--self-signed` or `--all`. */
function findIdleFlagProblem(
  webhookFlags: readonly string[],
  manifestFlags: readonly string[],
  { all, selfSigned }: Pick<ManifestFlags, 'all' | 'selfSigned'>,
): string | undefined {
  const servingFlag = webhookFlags.find((flag) => !sharedFlags.includes(flag));
  if (servingFlag !== undefined)
    return `${servingFlag} has no effect on webhook manifest, which uses only ${sharedFlags.join(', ')} of the flags of webhook`;
  if (webhookFlags.includes('--dns-name') && selfSigned === undefined) return '--dns-name needs --self-signed';
  const workloadFlag = manifestFlags.find((flag) => workloadFlags.includes(flag));
  return all || workloadFlag === undefined ? undefined : `${workloadFlag} needs --all`;
}

const sharedFlags: readonly string[] = ['--rules', '--self-signed', '--dns-name', '--failure-policy', '--timeout'];
const workloadFlags: readonly string[] = ['--image', '--replicas', '--tls-secret', '--no-connected'];

/** @throws InvalidArgumentError naming the expected form */
function parseCertificateName(text: string): string {
  const [namespace = '', name, more] = text.split('/');
  if (name === undefined || more !== undefined) throw new InvalidArgumentError('give NAMESPACE/CERTIFICATE, such as "shop/webhook"');
  return `${parseDNSLabel(namespace)}/${parseName(name)}`;
}

type ManifestInvocation = Invocation<ManifestFlags>;
type WebhookModule = typeof import('@kube-endpoints/overrides/webhook');
type Manifest = ReturnType<WebhookModule['mutatingWebhookConfiguration']>;

/** Prints the manifests to apply to a cluster. */
async function run(options: ManifestInvocation, io: IO, printMessage: PrintMessage): Promise<number> {
  const { flags } = options;
  const webhookModule = await import('@kube-endpoints/overrides/webhook');
  const configuration = await configurationOf(options);
  const rules = await readTextFiles(options.rules ?? []);
  try {
    if (rules.length > 0) webhookModule.readRuleFiles(rules.map(({ path, text }) => ({ name: path, text })));
  } catch (error) {
    if (!(error instanceof webhookModule.RuleFilesError)) throw error;
    printRuleProblems(error, printMessage);
    return exitCodes.error;
  }
  const manifests: readonly Manifest[] = options.all
    ? webhookModule.webhookManifests({ ...configuration, ...workloadOptionsOf(options), rules: toConfigMapData(rules) })
    : [webhookModule.mutatingWebhookConfiguration(configuration)];
  io.stdout.write(
    flags.output === 'json' ? toJson(manifests) : manifests.map((manifest) => formatStructured(manifest, 'yaml')).join('---\n'),
  );
  return exitCodes.nothing;
}

type Configuration = Parameters<WebhookModule['mutatingWebhookConfiguration']>[0];

async function configurationOf(options: ManifestInvocation): Promise<Configuration> {
  const { service: name, flags, injectCaFrom, failurePolicy, timeout, reinvocationPolicy, excludeNamespace } = options;
  const namespace = flags.namespace || 'default';
  return {
    name,
    namespace,
    ca: await readCA(options, dnsNamesOf(name, namespace)),
    injectCaFrom,
    failurePolicy: failurePolicy === 'deny' ? 'Fail' : 'Ignore',
    timeoutSeconds: timeout / 1000,
    reinvocationPolicy,
    excludeNamespaces: excludeNamespace,
  };
}

/** The DNS names of a Service, as API servers and other clients use them. */
const dnsNamesOf = (name: string, namespace: string): readonly string[] => {
  const short = `${name}.${namespace}.svc`;
  return [short, `${name}.${namespace}`, `${short}.cluster.local`];
};

const workloadOptionsOf = ({ image, replicas, tlsSecret, connected }: ManifestInvocation) => ({ image, replicas, tlsSecret, connected });

async function readCA({ ca, selfSigned: folder, dnsName = [] }: ManifestInvocation, names: readonly string[]): Promise<string | undefined> {
  const file = folder === undefined ? ca : (await ensureSelfSignedFiles(folder, [...names, ...dnsName])).ca;
  if (file === undefined) return undefined;
  const [caFile] = await readTextFiles([file]);
  if (caFile?.text.includes('-----BEGIN CERTIFICATE-----')) return caFile.text;
  throw new UsageError(`${escapeUnprintable(file)}: it holds no certificate: give the CA certificate in PEM`);
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

const readTextFiles = (paths: readonly string[]): Promise<readonly TextFile[]> =>
  Array.fromAsync(paths, async (path) => {
    try {
      return { path, text: await readFile(path, 'utf8') };
    } catch (error) {
      throw new UsageError(`${escapeUnprintable(path)}: ${describeFileError(error)}`, { cause: error });
    }
  });

/** Converts rule files to ConfigMap data, keyed by base name. @throws UsageError if two files have the same base name */
function toConfigMapData(files: readonly TextFile[]): Readonly<Record<string, string>> {
  const data = new Map<string, string>();
  for (const { path, text } of files) {
    const name = basename(path);
    if (data.has(name))
      throw new UsageError(`--rules ${escapeUnprintable(path)}: another file has the name ${name}: give files with different names`);
    data.set(name, text);
  }
  return Object.fromEntries(data);
}

const toJson = (items: readonly Manifest[]): string =>
  formatStructured(items.length === 1 ? items[0] : { apiVersion: 'v1', kind: 'List', metadata: {}, items }, 'json');
