import type { LogLevel } from '@kube-endpoints/controllers/internal';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readDuration } from './duration.ts';
import { givenFlags } from './given.ts';
import { readName, readNamespace } from './object-names.ts';
import { metricsWrong } from './program-metrics.ts';
import type { ClusterFlags } from './program-run.ts';

/** Where a certificate comes from. */
export interface CertificateFlags {
  readonly selfSigned?: string | undefined;
  readonly dnsName?: readonly string[] | undefined;
}

/** What is asked of `webhook`. */
export interface WebhookParticulars extends ClusterFlags, CertificateFlags {
  readonly command: 'webhook';
  readonly rules: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly host?: string;
  readonly port: number;
  readonly metricsHost?: string;
  readonly metricsPort: number;
  readonly failurePolicy: 'allow' | 'deny';
  readonly inCluster: boolean;
  readonly timeout: number;
  readonly shutdownDelay: number;
  readonly reloadInterval: number;
  readonly logLevel: LogLevel;
  readonly logFormat?: 'json' | 'text';
}

/** What is asked of `webhook manifest`. */
export interface WebhookManifestParticulars extends CertificateFlags {
  readonly command: 'webhook manifest';
  readonly service: string;
  /** Of the Service. The flag is the one that every command has. */
  readonly ca?: string;
  readonly injectCaFrom?: string;
  readonly failurePolicy: 'allow' | 'deny';
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

/** What is asked of `override test`. */
export interface OverrideTestParticulars {
  readonly command: 'override test';
  readonly rules: readonly string[];
  readonly old?: readonly string[];
  readonly at?: Date;
  readonly computed: boolean;
  readonly release: string | undefined;
}

export type OverridesParticulars = WebhookParticulars | WebhookManifestParticulars | OverrideTestParticulars;

interface Parts {
  readonly release: () => Option;
  readonly readPort: (text: string) => number;
}

/** @param take is given what was asked */
export function addOverrides(program: Command, parts: Parts, take: (particulars: OverridesParticulars) => void): void {
  const webhook = addWebhook(program, parts, take);
  addManifest(webhook, take);
  const override = program.command('override').description('what rules that override endpoints would do: override test');
  override
    .command('test')
    .description(
      'show what rules would make of the Endpoints and EndpointSlices of -f, as a difference; Services and Pods of -f are what is known ' +
        'beside them, and where there are no Endpoints what the controllers would write first is computed',
    )
    .requiredOption('--rules <FILE>', 'rules that override endpoints; may be given several times', collect)
    .option('--old <FILE>', 'the objects as they are stored; without it they are created', collect)
    .option('--at <TIME>', 'when: "2026-07-01T22:15:00Z" (default: now)', readTime)
    .option('--computed', 'take what the controllers would write for the Services and Pods of -f, over the Endpoints and slices of -f')
    .addOption(parts.release())
    .action((given: Partial<OverrideTestParticulars>) =>
      take({ computed: false, release: undefined, rules: [], ...given, command: 'override test' }),
    );
}

function addWebhook(program: Command, { readPort }: Parts, take: (particulars: OverridesParticulars) => void): Command {
  const webhook = program
    .command('webhook')
    .description('answer an API server’s reviews of Endpoints and EndpointSlices from rules, over HTTPS, until it is stopped')
    .option('--rules <FILE>', 'rules that override endpoints; may be given several times; read again when they change', collect);
  addCertificate(webhook)
    .option('--cert <FILE>', 'the certificate, in PEM, and those that it is signed by; read again when it changes')
    .option('--key <FILE>', 'its key')
    .option('--host <ADDRESS>', 'the address to listen at (default: all of this machine)')
    .option('--port <PORT>', 'where to listen; 0 for any free port', readPort, 8443)
    .option('--metrics-host <ADDRESS>', 'the address for metrics and health over plain HTTP (default: all of this machine)')
    .option('--metrics-port <PORT>', 'the port for that; 0 for not at all: the other one has them, too', readPort, 0)
    .addOption(failurePolicy())
    .option('--timeout <DURATION>', 'how long an answer may take, where the API server does not ask for less', readTimeout, 5_000)
    .option('--kubeconfig <FILE>', 'the cluster to look Services, pods and slices up in, and to have Services synced that are held')
    .option('--context <NAME>', 'the context of the kubeconfig to use')
    .option('--in-cluster', 'the cluster that this runs in')
    .option('--shutdown-delay <DURATION>', 'how long to go on, not ready, after the signal to stop', readDuration, 0)
    .option('--reload-interval <DURATION>', 'how often files are looked at, beside when the system tells of a change', readDuration, 10_000)
    .addOption(
      new Option('--log-level <LEVEL>', 'the least that is logged').choices(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
    )
    .addOption(
      new Option('--log-format <FORMAT>', 'on standard error (default: "text" on a terminal, "json" elsewhere)').choices(['json', 'text']),
    )
    .action((given: Partial<WebhookParticulars>, command: Command) => {
      checkWebhook(given, command);
      take({ inCluster: false, ...given, command: 'webhook' } as WebhookParticulars);
    });
  return webhook;
}

function checkWebhook(given: Partial<WebhookParticulars>, command: Command): void {
  if (!given.rules) command.error("error: required option '--rules <FILE>' not specified");
  const files = given.cert !== undefined || given.key !== undefined;
  if (given.selfSigned !== undefined && files)
    command.error('error: --self-signed makes what --cert and --key name: give one or the other');
  if (given.selfSigned === undefined && (given.cert === undefined || given.key === undefined)) {
    command.error('error: give --cert and --key, or --self-signed DIR for a certificate of its own');
  }
  if (given.inCluster && (given.kubeconfig !== undefined || given.context !== undefined)) {
    command.error('error: --in-cluster and --kubeconfig or --context exclude each other: give one of them');
  }
  if (given.dnsName && given.selfSigned === undefined) command.error('error: --dns-name is for --self-signed: give both');
  const wrong = metricsWrong(givenFlags(command));
  if (wrong !== undefined) command.error(`error: ${wrong}`);
}

/** The flags for the certificate, the rules, the policy and the time are those of `webhook`, which reads them wherever they stand. */
function addManifest(webhook: Command, take: (particulars: OverridesParticulars) => void): void {
  const command = webhook
    .command('manifest')
    .description(
      'print what has an API server ask the webhook: a MutatingWebhookConfiguration; with --all everything to run it; -n is the ' +
        'namespace of its Service, --timeout how long the API server waits',
    )
    .requiredOption('--service <NAME>', 'the Service of the webhook', readNamespace)
    .option('--ca <FILE>', 'the authority that the API server is to trust, in PEM')
    .option(
      '--inject-ca-from <NAMESPACE/CERTIFICATE>',
      'in its place: the Certificate whose authority cert-manager is to fill in',
      readCertificate,
    )
    .addOption(
      new Option('--reinvocation-policy <POLICY>', 'whether it is asked again after other webhooks')
        .choices(['Never', 'IfNeeded'])
        .default('IfNeeded'),
    )
    .option('--exclude-namespace <NAMESPACE>', 'leave its endpoints alone, as kube-system; may be given several times', collect)
    .option('--all', 'the Deployment, its Service, rights and the rules as well')
    .option('--image <IMAGE>', 'with --all: the image (default: "kube-endpoints:latest")')
    .option('--replicas <N>', 'with --all: how many there are to be', readReplicas, 2)
    .option('--tls-secret <NAME>', 'with --all: the Secret with tls.crt and tls.key (default: the name of the Service, and "-tls")')
    .option('--no-connected', 'with --all: without rights to look anything up, and so without rules that need it')
    .action((own: Partial<WebhookManifestParticulars>) => {
      const { rules, selfSigned, dnsName, failurePolicy, timeout } = webhook.opts<WebhookParticulars>();
      const given = { all: false, ...own, rules, selfSigned, dnsName, failurePolicy, timeout, command: 'webhook manifest' };
      checkManifest(given as WebhookManifestParticulars, command);
      const idle = idleOfManifest(givenFlags(webhook), givenFlags(command), given);
      if (idle !== undefined) command.error(`error: ${idle}`);
      take(given as WebhookManifestParticulars);
    });
}

function checkManifest({ ca, injectCaFrom, selfSigned, all, rules, timeout }: WebhookManifestParticulars, command: Command): void {
  const sources = [ca, injectCaFrom, selfSigned].filter((source) => source !== undefined);
  if (sources.length !== 1) command.error('error: give one of --ca FILE, --inject-ca-from NAMESPACE/CERTIFICATE and --self-signed DIR');
  if (all && !rules) command.error('error: --all needs --rules FILE');
  if (timeout < 1000 || timeout > 30_000 || timeout % 1000 !== 0) {
    command.error('error: --timeout: give whole seconds from 1s to 30s: an API server takes nothing else');
  }
}

/** A flag of `webhook`, or of a manifest of everything, that would say nothing here. */
function idleOfManifest(
  ofWebhook: readonly string[],
  own: readonly string[],
  { all, selfSigned }: Pick<WebhookManifestParticulars, 'all' | 'selfSigned'>,
): string | undefined {
  const serving = ofWebhook.find((flag) => !ofBoth.includes(flag));
  if (serving !== undefined) return `${serving} is for the webhook itself: webhook manifest takes ${ofBoth.join(', ')} of its flags`;
  if (ofWebhook.includes('--dns-name') && selfSigned === undefined) return '--dns-name is for --self-signed: give both';
  const ofAll = own.find((flag) => workload.includes(flag));
  return all || ofAll === undefined ? undefined : `${ofAll} is for --all: give both`;
}

const ofBoth: readonly string[] = ['--rules', '--self-signed', '--dns-name', '--failure-policy', '--timeout'];
const workload: readonly string[] = ['--image', '--replicas', '--tls-secret', '--no-connected'];

const addCertificate = (command: Command): Command =>
  command
    .option('--self-signed <DIR>', 'make ca.crt, tls.crt and tls.key there, unless they are there, for tests and small setups')
    .option('--dns-name <NAME>', 'a name or address for that certificate; may be given several times', collect);

const failurePolicy = (): Option =>
  new Option('--failure-policy <POLICY>', 'what becomes of a write that cannot be decided on').choices(['allow', 'deny']).default('allow');

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** @throws InvalidArgumentError */
function readTime(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i.test(text) ? new Date(text) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('give a time with its zone, such as "2026-07-01T22:15:00Z"');
}

/** @throws InvalidArgumentError: with no time at all, nothing would ever be decided on */
function readTimeout(text: string): number {
  const milliseconds = readDuration(text);
  if (milliseconds >= 1) return milliseconds;
  throw new InvalidArgumentError('give more than no time, such as "5s"');
}

/** @throws InvalidArgumentError naming the form */
function readCertificate(text: string): string {
  const [namespace = '', name, more] = text.split('/');
  if (name === undefined || more !== undefined) throw new InvalidArgumentError('give NAMESPACE/CERTIFICATE, such as "shop/webhook"');
  return `${readNamespace(namespace)}/${readName(name)}`;
}

/** @throws InvalidArgumentError naming the accepted range */
function readReplicas(text: string): number {
  const replicas = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (replicas >= 1) return replicas;
  throw new InvalidArgumentError('give a whole number from 1 to 999');
}
