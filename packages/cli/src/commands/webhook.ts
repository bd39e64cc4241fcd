import type { Logger } from '@kube-endpoints/controllers/operations';
import type { WebhookServer } from '@kube-endpoints/overrides/webhook';
import { type Command, InvalidArgumentError } from 'commander';
import { formatCount } from 'kube-endpoints/internal';
import { systemClock } from 'kube-endpoints/port';
import { exitCodes, type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { ClusterFlags } from '../flags/cluster.ts';
import { collectValues, findGivenFlags, type OnParsed, parsePort } from '../flags/common.ts';
import { createDurationOption, parseDuration } from '../flags/duration.ts';
import { addLogFlags, type LogFlags, validateMetricsFlags } from '../flags/operations.ts';
import { addCertificateFlags, type CertificateFlags, createFailurePolicyOption } from '../flags/webhook.ts';
import { describeFileError } from '../input/sources.ts';
import { createCommandLogger } from '../live/command-log.ts';
import { createListenError, serveHealthAt } from '../live/listen.ts';
import { ensureSelfSignedFiles } from '../live/self-signed.ts';
import { connectWebhook, type WebhookConnection } from '../live/webhook/connection.ts';
import { createWebhookObserver, printRuleProblems } from '../live/webhook/log.ts';
import { escapeUnprintable } from '../print/text.ts';
import { configureManifest } from './webhook-manifest.ts';

/** Durations are in milliseconds. */
export interface WebhookFlags extends ClusterFlags, CertificateFlags, LogFlags {
  readonly command: 'webhook';
  readonly rules: readonly string[];
  readonly cert?: string;
  readonly key?: string;
  readonly host?: string;
  readonly port: number;
  readonly metricsHost?: string;
  /** 0 if the webhook port serves metrics and health, too. */
  readonly metricsPort: number;
  readonly failurePolicy: 'allow' | 'deny';
  readonly inCluster: boolean;
  readonly timeout: number;
  readonly shutdownDelay: number;
  readonly reloadInterval: number;
}

export function configure(webhook: Command, onParsed: OnParsed): void {
  webhook.option('--rules <FILE>', 'a file with endpoint override rules; repeatable; reloaded when it changes', collectValues);
  addCertificateFlags(webhook)
    .option('--cert <FILE>', 'the certificate chain, in PEM; reloaded when it changes')
    .option('--key <FILE>', 'the private key of the certificate, in PEM')
    .option('--host <ADDRESS>', 'the address to listen on (default: all addresses)')
    .option('--port <PORT>', 'the port to listen on; 0 for any free port', parsePort, 8443)
    .option('--metrics-host <ADDRESS>', 'the address for metrics and health over plain HTTP (default: all addresses)')
    .option('--metrics-port <PORT>', 'the port for metrics and health over plain HTTP; 0 for none: --port serves them, too', parsePort, 0)
    .addOption(createFailurePolicyOption())
    .addOption(
      createDurationOption('--timeout <DURATION>', 'the maximum time for an answer; the API server may shorten it', parseTimeout, 5_000),
    )
    .option('--kubeconfig <FILE>', 'the cluster to read Services, Pods and slices from, and to trigger syncs in when a hold ends')
    .option('--context <NAME>', 'the context of the kubeconfig to use')
    .option('--in-cluster', 'use the cluster that this process runs in')
    .addOption(
      createDurationOption(
        '--shutdown-delay <DURATION>',
        'how long to keep serving, but not ready, after the signal to stop',
        parseDuration,
        0,
      ),
    )
    .addOption(
      createDurationOption(
        '--reload-interval <DURATION>',
        'how often files are checked for changes, besides file system events',
        parseDuration,
        10_000,
      ),
    )
    .action((options: Partial<WebhookFlags>, command: Command) => {
      checkFlags(options, command);
      onParsed([], { inCluster: false, ...options, command: 'webhook' } as WebhookFlags, run);
    });
  addLogFlags(webhook, 'info');
  const manifest = webhook.command('manifest').description(manifestDescription);
  configureManifest(manifest, webhook, onParsed);
}

const manifestDescription =
  'print the MutatingWebhookConfiguration that makes an API server call the webhook; with --all, also the objects that run the webhook; ' +
  '-n sets the namespace of its Service, and --timeout how long the API server waits';

function checkFlags(options: Partial<WebhookFlags>, command: Command): void {
  if (!options.rules) command.error("error: required option '--rules <FILE>' not specified");
  const hasFiles = options.cert !== undefined || options.key !== undefined;
  if (options.selfSigned !== undefined && hasFiles) command.error('error: --self-signed excludes --cert and --key: give one or the other');
  if (options.selfSigned === undefined && (options.cert === undefined || options.key === undefined)) {
    command.error('error: give --cert and --key, or --self-signed DIR to create a certificate');
  }
  if (options.inCluster && (options.kubeconfig !== undefined || options.context !== undefined)) {
    command.error('error: --in-cluster excludes --kubeconfig and --context: give one or the other');
  }
  if (options.dnsName && options.selfSigned === undefined) command.error('error: --dns-name needs --self-signed');
  const problem = validateMetricsFlags(findGivenFlags(command));
  if (problem !== undefined) command.error(`error: ${problem}`);
}

/** @throws InvalidArgumentError if the duration is 0, since every review would time out */
function parseTimeout(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds >= 1) return milliseconds;
  throw new InvalidArgumentError('give a duration greater than 0, such as "5s"');
}

type WebhookModule = typeof import('@kube-endpoints/overrides/webhook');
type Files = Parameters<WebhookModule['loadWebhookFiles']>[0];
type LoadedFiles = Awaited<ReturnType<WebhookModule['loadWebhookFiles']>>;

/** Answers reviews until it is stopped. Serves nothing if the rules, the certificate or a flag are invalid. */
async function run(options: WebhookFlags, io: IO, printMessage: PrintMessage): Promise<number> {
  const webhookModule = await import('@kube-endpoints/overrides/webhook');
  const files = await prepareFiles(options);
  const loaded = await loadFiles(webhookModule, files, printMessage);
  if (!loaded) return exitCodes.error;
  const logger = createCommandLogger(io.stderr, { level: options.logLevel, format: options.logFormat });
  const connection = await connectWebhook(options, io, logger);
  try {
    await serve({ webhookModule, files, loaded, logger, connection }, options, io);
    return exitCodes.nothing;
  } finally {
    await connection?.close();
  }
}

async function prepareFiles({ rules, cert, key, selfSigned: folder, dnsName = [] }: WebhookFlags): Promise<Files> {
  if (folder === undefined) return { rules, cert: cert as string, key: key as string };
  const certificate = await ensureSelfSignedFiles(folder, dnsName);
  return { rules, cert: certificate.cert, key: certificate.key };
}

async function loadFiles(
  { loadWebhookFiles, RuleFilesError }: WebhookModule,
  files: Files,
  printMessage: PrintMessage,
): Promise<LoadedFiles | undefined> {
  try {
    return await loadWebhookFiles(files);
  } catch (error) {
    if (error instanceof RuleFilesError) printRuleProblems(error, printMessage);
    else {
      const { path = 'a file' } = error as { readonly path?: string };
      printMessage('error', `${path}: ${describeFileError(error)}`);
    }
    return undefined;
  }
}

interface ServeContext {
  readonly webhookModule: WebhookModule;
  readonly files: Files;
  readonly loaded: LoadedFiles;
  readonly logger: Logger;
  readonly connection: WebhookConnection | undefined;
}

async function serve({ webhookModule, files, loaded, logger, connection }: ServeContext, options: WebhookFlags, io: IO): Promise<void> {
  const onEvent = createWebhookObserver(logger, connection !== undefined);
  const server = createServer(webhookModule, { loaded, connection, options, onEvent });
  connection?.start(loaded.overrides, server.metrics);
  onEvent({ kind: 'rules', overrides: loaded.overrides });
  const { url } = await listen(server, options);
  const health = await serveHealthAt(options, { ready: () => server.ready, metrics: server.metrics }).catch(async (error: unknown) => {
    await server.close({ drainMs: 0 });
    throw error;
  });
  const fileReloader = webhookModule.followWebhookFiles({
    files,
    loaded,
    server,
    clock: systemClock,
    interval: options.reloadInterval,
    onEvent,
    onRules: (before, after) => connection?.replaceRules(before, after),
  });
  const stopListening = io.onHangup?.(() => void fileReloader.check());
  const stopRequest = io.untilStopped();
  io.stdout.write(`Webhook at ${url}/mutate, ${formatCount(loaded.overrides.rules.length, 'rule')}. Ctrl-C ends it.\n`);
  if (health) logger.log('info', 'serving health and metrics', { url: health.url });
  try {
    await stopRequest;
  } finally {
    stopListening?.();
    fileReloader.close();
    await server.close({ delayMs: options.shutdownDelay });
    await health?.close();
    logger.log('info', 'stopped');
  }
}

interface ServerContext {
  readonly loaded: LoadedFiles;
  readonly connection: WebhookConnection | undefined;
  readonly options: WebhookFlags;
  readonly onEvent: ReturnType<typeof createWebhookObserver>;
}

function createServer(webhookModule: WebhookModule, { loaded, connection, options, onEvent }: ServerContext): WebhookServer {
  const { tls, overrides } = loaded;
  try {
    return webhookModule.createWebhookServer({
      tls,
      overrides,
      failurePolicy: options.failurePolicy,
      limits: { answerMs: options.timeout },
      clock: systemClock,
      onEvent,
      ...(connection && { context: connection.lookUp, ready: () => connection.ready, onResult: connection.onResult }),
    });
  } catch (error) {
    const files = options.selfSigned ?? `${options.cert} and ${options.key}`;
    throw new UsageError(`${escapeUnprintable(files)}: no valid certificate with its key: ${(error as Error).message}`, { cause: error });
  }
}

async function listen(server: WebhookServer, { host, port }: WebhookFlags): ReturnType<WebhookServer['listen']> {
  try {
    return await server.listen({ port, ...(host !== undefined && { host }) });
  } catch (error) {
    throw createListenError(error, { host: host ?? 'all addresses', port }, { host: '--host', port: '--port', orZero: ', or 0 for any' });
  }
}
