import type { Logger } from '@kube-endpoints/controllers/operations';
import type { RuleFilesError, WebhookServer } from '@kube-endpoints/overrides/webhook';
import { systemClock } from 'kube-endpoints/port';
import { unreadable } from '../input/sources.ts';
import { exitCodes, type IO, type Tell, UsageError } from '../io.ts';
import { createCommandLogger } from '../live/command-log.ts';
import { selfSigned } from '../live/self-signed.ts';
import { connectWebhook, type WebhookConnection } from '../live/webhook-connection.ts';
import { tellWebhook } from '../live/webhook-log.ts';
import { counted, printable } from '../print/text.ts';
import type { WebhookParticulars } from '../program-overrides.ts';
import { cannotListen } from './apiserver.ts';
import { serveHealthAt } from './health.ts';

type Room = typeof import('@kube-endpoints/overrides/webhook');
type Files = Parameters<Room['loadWebhookFiles']>[0];
type Loaded = Awaited<ReturnType<Room['loadWebhookFiles']>>;

/** `webhook`: answers reviews until it is stopped. Nothing is served where the rules, the certificate or a flag are wrong. */
export async function webhook(options: WebhookParticulars, io: IO, tell: Tell): Promise<number> {
  const room = await import('@kube-endpoints/overrides/webhook');
  const files = await filesOf(options);
  const loaded = await load(room, files, tell);
  if (!loaded) return exitCodes.error;
  const logger = createCommandLogger(io.stderr, { level: options.logLevel, format: options.logFormat });
  const connection = await connectWebhook(options, io, logger);
  try {
    await serve({ room, files, loaded, logger, connection }, options, io);
    return exitCodes.nothing;
  } finally {
    await connection?.close();
  }
}

async function filesOf({ rules, cert, key, selfSigned: folder, dnsName = [] }: WebhookParticulars): Promise<Files> {
  if (folder === undefined) return { rules, cert: cert as string, key: key as string };
  const made = await selfSigned(folder, dnsName);
  return { rules, cert: made.cert, key: made.key };
}

async function load({ loadWebhookFiles, RuleFilesError }: Room, files: Files, tell: Tell): Promise<Loaded | undefined> {
  try {
    return await loadWebhookFiles(files);
  } catch (error) {
    if (error instanceof RuleFilesError) tellRules(error, tell);
    else {
      const { path = 'a file' } = error as { readonly path?: string };
      tell('error', `${path}: ${unreadable(error)}`);
    }
    return undefined;
  }
}

export function tellRules({ problems }: Pick<RuleFilesError, 'problems'>, tell: Tell): void {
  for (const problem of problems.slice(0, mostProblems)) tell('error', problem);
  if (problems.length > mostProblems) tell('error', `${counted(problems.length - mostProblems, 'more problem')} in the rules`);
}

const mostProblems = 20;

interface Parts {
  readonly room: Room;
  readonly files: Files;
  readonly loaded: Loaded;
  readonly logger: Logger;
  readonly connection: WebhookConnection | undefined;
}

async function serve({ room, files, loaded, logger, connection }: Parts, options: WebhookParticulars, io: IO): Promise<void> {
  const told = tellWebhook(logger, connection !== undefined);
  const server = createServer(room, { loaded, connection, options, tell: told });
  connection?.start(loaded.overrides, server.metrics);
  told({ kind: 'rules', overrides: loaded.overrides });
  const { url } = await listen(server, options);
  const health = await serveHealthAt(options, { ready: () => server.ready, metrics: server.metrics }).catch(async (error: unknown) => {
    await server.close({ drainMs: 0 });
    throw error;
  });
  const reloading = room.followWebhookFiles({
    files,
    loaded,
    server,
    clock: systemClock,
    interval: options.reloadInterval,
    tell: told,
    onRules: (before, after) => connection?.changed(before, after),
  });
  const stopListening = io.onHangup?.(() => void reloading.look());
  io.stdout.write(`Webhook at ${url}/mutate, ${counted(loaded.overrides.rules.length, 'rule')}. Ctrl-C ends it.\n`);
  if (health) logger.log('info', 'serves health and metrics', { url: health.url });
  try {
    await io.untilStopped();
  } finally {
    stopListening?.();
    reloading.close();
    await server.close({ delayMs: options.shutdownDelay });
    await health?.close();
    logger.log('info', 'has ended');
  }
}

interface ServerParts {
  readonly loaded: Loaded;
  readonly connection: WebhookConnection | undefined;
  readonly options: WebhookParticulars;
  readonly tell: ReturnType<typeof tellWebhook>;
}

function createServer(room: Room, { loaded, connection, options, tell }: ServerParts): WebhookServer {
  const { tls, overrides } = loaded;
  try {
    return room.createWebhookServer({
      tls,
      overrides,
      failurePolicy: options.failurePolicy,
      limits: { answerMs: options.timeout },
      clock: systemClock,
      tell,
      ...(connection && { context: connection.lookUp, ready: () => connection.ready, onResult: connection.onResult }),
    });
  } catch (error) {
    const files = options.selfSigned ?? `${options.cert} and ${options.key}`;
    throw new UsageError(`${printable(files)}: no certificate and key that fit: ${(error as Error).message}`, { cause: error });
  }
}

async function listen(server: WebhookServer, { host, port }: WebhookParticulars): ReturnType<WebhookServer['listen']> {
  try {
    return await server.listen({ port, ...(host !== undefined && { host }) });
  } catch (error) {
    throw cannotListen(error, { host: host ?? 'all addresses', port }, { host: '--host', port: '--port', any: ', or 0 for any' });
  }
}
