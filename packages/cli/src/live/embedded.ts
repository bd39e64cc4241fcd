import { formatCount } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { type IO, type PrintMessage, UsageError } from '../base/io.ts';
import type { CommonFlags } from '../flags/common.ts';
import { type Manifest, readManifests } from '../input/manifests.ts';
import { formatProblem } from '../input/problem.ts';
import { fileErrorText } from '../input/sources.ts';
import { printable } from '../print/text.ts';
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

/** Replaces option names in a server message by flag names. */
export const replaceOptionNames = (message: string): string =>
  Object.entries(flagFor).reduce((text, [option, flag]) => text.replaceAll(option, flag), message);

const flagFor: Readonly<Record<string, string>> = {
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
  const skipped: ApiObject[] = [];
  try {
    await server.load([...locations.keys()], {
      warn: (warning, object) => printMessage('hint', `${locations.get(object)}: ${printable(warning)}`),
      ...(skipUnserved && { skip: (object: ApiObject) => void skipped.push(object) }),
    });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    printMessage('error', `${locations.get(error.object)}: ${replaceOptionNames(error.message)}`);
    return undefined;
  }
  if (skipped.length > 0) {
    const kinds = [...new Set(skipped.map(({ kind }) => printable(kind ?? '')))].sort().join(', ');
    printMessage('hint', `Skipped ${formatCount(skipped.length, 'object')} of kinds that the server does not serve: ${kinds}.`);
  }
  return locations.size - skipped.length;
}

/** Starts to listen, and resolves to the two lines that tell the user how to connect. @throws UsageError */
export async function startListening(server: ApiServer, flags: ListenFlags, objects: number): Promise<readonly string[]> {
  const listening = await listen(server, flags);
  const { url, token = '' } = listening;
  if (flags.kubeconfigOut !== undefined) writeKubeconfig(flags.kubeconfigOut, listening.kubeconfig());
  return [`Kubernetes API at ${url}, ${formatCount(objects, 'object')} loaded. Ctrl-C ends it.`, connectCommand(flags, url, token)];
}

async function listen(server: ApiServer, { host, port, token }: ListenFlags): ReturnType<ApiServer['listen']> {
  try {
    return await server.listen({ host, port, ...(token !== undefined && { tokens: [{ token }] }) });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(replaceOptionNames(error.message), { cause: error });
    throw createListenError(error, { host, port }, { host: '--host', port: '--port', any: ', or 0 for any' });
  }
}

function writeKubeconfig(file: string, text: string): void {
  if (file === '') throw new UsageError('--kubeconfig-out names no file');
  try {
    replaceFiles([{ path: file, text, mode: 0o600 }]);
  } catch (error) {
    throw new UsageError(`${printable(file)} cannot be written: ${fileErrorText(error)}`);
  }
}

const connectCommand = ({ kubeconfigOut }: Pick<ListenFlags, 'kubeconfigOut'>, url: string, token: string): string =>
  kubeconfigOut === undefined
    ? `curl -k -H 'Authorization: Bearer ${token}' ${url}/api (--kubeconfig-out FILE writes a kubeconfig)`
    : `kubectl --kubeconfig ${quotedForShell(kubeconfigOut)} get all --all-namespaces`;

/** Quotes a word for a POSIX shell if needed. */
const quotedForShell = (word: string): string => (/^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
