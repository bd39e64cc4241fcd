import { randomBytes } from 'node:crypto';
import { formatCount } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { CommonFlags } from '../flags/common.ts';
import type { Manifest } from '../input/manifests.ts';
import { formatProblem } from '../input/problem.ts';
import { describeFileError } from '../input/sources.ts';
import type { StaticToken } from '../input/token-file.ts';
import { escapeUnprintable } from '../print/text.ts';
import { createErrorPrinter } from './error-log.ts';
import { replaceFiles } from './files.ts';
import { createListenError } from './listen.ts';

export type ApiServerModule = typeof import('@kube-endpoints/apiserver');
export type ApiServer = Awaited<ReturnType<ApiServerModule['createApiServer']>>;

/** The address of the embedded API server, and its credentials. */
export interface ListenFlags {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  /** Tokens of users other than the administrator. */
  readonly userTokens?: readonly StaticToken[];
  /** Accept requests without a token. */
  readonly anonymousAuth?: boolean;
  readonly kubeconfigOut: string | undefined;
}

/** Replaces option names and advice in a server message by flag names. */
export const replaceOptionNames = (message: string): string =>
  Object.entries(flagTexts).reduce((text, [option, flag]) => text.replaceAll(option, flag), message);

const flagTexts: Readonly<Record<string, string>> = {
  serviceClusterIPRanges: '--service-cluster-ip-range',
  serviceNodePortRange: '--service-node-port-range',
  'give tokens or set allowRemote: true': 'give a --token',
  'anonymous requests from other machines need allowRemote: true': 'leave out --anonymous-auth',
  'describe it in "resources"': 'give --skip-unserved',
};

/** Converts the error for an invalid option, or for a folder that cannot be used. Returns other errors unchanged. */
export function toUsageError(error: unknown): unknown {
  if (error instanceof RangeError) return new UsageError(replaceOptionNames(error.message), { cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_DATA' ? new UsageError(message, { cause: error }) : error;
}

/** Reads the objects of -f. If any is invalid, reports the problems and returns undefined. */
export async function readManifestFiles(
  { filename = [], recursive = false, namespace }: CommonFlags,
  io: IO,
  printMessage: PrintMessage,
): Promise<readonly Manifest[] | undefined> {
  if (filename.length === 0) return [];
  // Imported on demand to keep the start without files fast.
  const { readManifests } = await import('../input/manifests.ts');
  const { manifests, problems } = await readManifests({ filenames: filename, recursive, namespace: namespace || 'default' }, io);
  for (const problem of problems.slice(0, maxProblems)) printMessage('error', formatProblem(problem));
  return problems.length === 0 ? manifests : undefined;
}

const maxProblems = 20;

/**
 * Loads the objects and reports warnings and objects that are not loaded. Resolves to the number of loaded objects. If the server rejects an
 * object, reports the error and resolves to undefined.
 * @param data the folder of the server; objects that it contains already are left unchanged
 */
export async function loadObjects(
  { LoadError }: ApiServerModule,
  server: ApiServer,
  manifests: readonly Manifest[],
  printMessage: PrintMessage,
  { skipUnserved = false, data }: { readonly skipUnserved?: boolean; readonly data?: string | undefined } = {},
): Promise<number | undefined> {
  const locations = new Map(manifests.map(({ object, location }) => [object as unknown as ApiObject, location]));
  const skippedObjects: ApiObject[] = [];
  const keptObjects: ApiObject[] = [];
  try {
    await server.load([...locations.keys()], {
      warn: (warning, object) => printMessage('hint', `${locations.get(object)}: ${escapeUnprintable(warning)}`),
      ...(skipUnserved && { skip: (object: ApiObject) => void skippedObjects.push(object) }),
      ...(data !== undefined && { keep: (object: ApiObject) => void keptObjects.push(object) }),
    });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    printMessage('error', `${locations.get(error.object)}: ${replaceOptionNames(error.message)}`);
    return undefined;
  }
  if (skippedObjects.length > 0) {
    const kinds = [...new Set(skippedObjects.map(({ kind }) => escapeUnprintable(kind ?? '')))].sort().join(', ');
    printMessage('hint', `Skipped ${formatCount(skippedObjects.length, 'object')} of kinds that the server does not serve: ${kinds}.`);
  }
  if (keptObjects.length > 0) {
    printMessage('hint', `Did not load ${formatCount(keptObjects.length, 'object')} of -f that the folder of --data contains already.`);
  }
  return locations.size - skippedObjects.length - keptObjects.length;
}

/**
 * Starts to listen, and writes the file of --kubeconfig-out. Resolves to two lines for the user: the server's URL, and how to connect.
 * Prints internal errors of the server. @throws UsageError if the server cannot listen there, or the file cannot be written
 */
export async function startListening(
  server: ApiServer,
  flags: ListenFlags,
  objectCount: number,
  printMessage: PrintMessage,
): Promise<readonly string[]> {
  const listeningServer = await listen(server, flags, printMessage);
  const { url, token = '' } = listeningServer;
  if (flags.kubeconfigOut !== undefined) writeKubeconfig(flags.kubeconfigOut, listeningServer.kubeconfig());
  return [
    `Kubernetes API at ${url}, ${formatCount(objectCount, 'object')} loaded. Ctrl-C ends it.`,
    createConnectCommand(flags, url, token),
  ];
}

async function listen(
  server: ApiServer,
  { host, port, token, userTokens = [], anonymousAuth = false }: ListenFlags,
  printMessage: PrintMessage,
): ReturnType<ApiServer['listen']> {
  try {
    // The kubeconfig gets the first token.
    const adminToken = token ?? (userTokens.length > 0 || anonymousAuth ? randomBytes(32).toString('base64url') : undefined);
    const tokens = adminToken === undefined ? undefined : [{ token: adminToken }, ...userTokens];
    return await server.listen({
      host,
      port,
      anonymous: anonymousAuth,
      onError: createErrorPrinter(printMessage),
      ...(tokens && { tokens }),
    });
  } catch (error) {
    const usageError = toUsageError(error);
    if (usageError !== error) throw usageError;
    throw createListenError(error, { host, port }, { host: '--host', port: '--port', orZero: ', or 0 for any' });
  }
}

function writeKubeconfig(file: string, text: string): void {
  if (file === '') throw new UsageError('--kubeconfig-out names no file');
  try {
    replaceFiles([{ path: file, text, mode: 0o600 }]);
  } catch (error) {
    throw new UsageError(`${escapeUnprintable(file)} cannot be written: ${describeFileError(error)}`);
  }
}

const createConnectCommand = ({ kubeconfigOut }: Pick<ListenFlags, 'kubeconfigOut'>, url: string, token: string): string =>
  kubeconfigOut === undefined
    ? `curl -k -H 'Authorization: Bearer ${token}' ${url}/api (--kubeconfig-out FILE writes a kubeconfig)`
    : `kubectl --kubeconfig ${quoteForShell(kubeconfigOut)} get all --all-namespaces`;

/** Quotes a word for a POSIX shell if needed. */
const quoteForShell = (word: string): string => (/^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
