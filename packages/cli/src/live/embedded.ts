import { formatCount } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { CommonFlags } from '../flags/common.ts';
import { type Manifest, readManifests } from '../input/manifests.ts';
import { formatProblem } from '../input/problem.ts';
import { describeFileError } from '../input/sources.ts';
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
  readonly kubeconfigOut: string | undefined;
}

/** Replaces option names and advice in a server message by flag names. */
export const replaceOptionNames = (message: string): string =>
  Object.entries(flagTexts).reduce((text, [option, flag]) => text.replaceAll(option, flag), message);

const flagTexts: Readonly<Record<string, string>> = {
  serviceClusterIPRanges: '--service-cluster-ip-range',
  serviceNodePortRange: '--service-node-port-range',
  'give tokens or set allowRemote: true': 'give a --token',
  'describe it in "resources"': 'give --skip-unserved',
};

/** Reads the objects of -f. If any is invalid, reports the problems and returns undefined. */
export async function readManifestFiles(
  { filename = [], recursive = false, namespace }: CommonFlags,
  io: IO,
  printMessage: PrintMessage,
): Promise<readonly Manifest[] | undefined> {
  const { manifests, problems } = await readManifests({ filenames: filename, recursive, namespace: namespace || 'default' }, io);
  for (const problem of problems.slice(0, maxProblems)) printMessage('error', formatProblem(problem));
  return problems.length === 0 ? manifests : undefined;
}

const maxProblems = 20;

/**
 * Loads the objects and reports warnings and skipped kinds. Resolves to the number of loaded objects. If the server rejects an object,
 * reports the error and resolves to undefined.
 */
export async function loadObjects(
  { LoadError }: ApiServerModule,
  server: ApiServer,
  manifests: readonly Manifest[],
  printMessage: PrintMessage,
  { skipUnserved = false }: { readonly skipUnserved?: boolean } = {},
): Promise<number | undefined> {
  const locations = new Map(manifests.map(({ object, location }) => [object as unknown as ApiObject, location]));
  const skippedObjects: ApiObject[] = [];
  try {
    await server.load([...locations.keys()], {
      warn: (warning, object) => printMessage('hint', `${locations.get(object)}: ${escapeUnprintable(warning)}`),
      ...(skipUnserved && { skip: (object: ApiObject) => void skippedObjects.push(object) }),
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
  return locations.size - skippedObjects.length;
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

async function listen(server: ApiServer, { host, port, token }: ListenFlags, printMessage: PrintMessage): ReturnType<ApiServer['listen']> {
  try {
    return await server.listen({
      host,
      port,
      ...(token !== undefined && { tokens: [{ token }] }),
      onError: createErrorPrinter(printMessage),
    });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(replaceOptionNames(error.message), { cause: error });
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
