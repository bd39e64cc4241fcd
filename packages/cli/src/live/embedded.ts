import { counted } from 'kube-endpoints/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { type IO, type Tell, UsageError } from '../base/io.ts';
import type { CommonFlags } from '../flags/common.ts';
import { type Manifest, readManifests } from '../input/manifests.ts';
import { formatProblem } from '../input/problem.ts';
import { unreadable } from '../input/sources.ts';
import { printable } from '../print/text.ts';
import { replaceFiles } from './files.ts';
import { cannotListen } from './listen.ts';

export type ApiServerModule = typeof import('@kube-endpoints/apiserver');
export type ApiServer = Awaited<ReturnType<ApiServerModule['createApiServer']>>;

/** How clients reach the embedded API server. */
export interface Reach {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly kubeconfigOut: string | undefined;
}

/** A message of the server that names flags instead of options. */
export const inFlags = (message: string): string =>
  Object.entries(flagFor).reduce((text, [option, flag]) => text.replaceAll(option, flag), message);

const flagFor: Readonly<Record<string, string>> = {
  serviceClusterIPRanges: '--service-cluster-ip-range',
  serviceNodePortRange: '--service-node-port-range',
  'give tokens or say allowRemote: true': 'give a --token',
  'describe it in "resources"': 'give --skip-unserved',
};

/** The objects of -f; undefined where something is wrong with them, which is then told. */
export async function manifestsOf(
  { filename = [], recursive = false, namespace }: CommonFlags,
  io: IO,
  tell: Tell,
): Promise<readonly Manifest[] | undefined> {
  const { manifests, problems } = await readManifests({ filenames: filename, recursive, namespace: namespace || 'default' }, io);
  for (const problem of problems.slice(0, mostProblems)) tell('error', formatProblem(problem));
  return problems.length === 0 ? manifests : undefined;
}

const mostProblems = 20;

/** How many objects were loaded; undefined where the server refuses one, which is told, as is what it warns of or does not serve. */
export async function load(
  { LoadError }: ApiServerModule,
  server: ApiServer,
  manifests: readonly Manifest[],
  tell: Tell,
  { skipUnserved = false }: { readonly skipUnserved?: boolean } = {},
): Promise<number | undefined> {
  const places = new Map(manifests.map(({ object, place }) => [object as unknown as ApiObject, place]));
  const skipped: ApiObject[] = [];
  try {
    await server.load([...places.keys()], {
      warn: (warning, object) => tell('hint', `${places.get(object)}: ${printable(warning)}`),
      ...(skipUnserved && { skip: (object: ApiObject) => void skipped.push(object) }),
    });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    tell('error', `${places.get(error.object)}: ${inFlags(error.message)}`);
    return undefined;
  }
  if (skipped.length > 0) {
    const kinds = [...new Set(skipped.map(({ kind }) => printable(kind ?? '')))].sort().join(', ');
    tell('hint', `${counted(skipped.length, 'object')} of kinds that are not served left out: ${kinds}.`);
  }
  return places.size - skipped.length;
}

/** Lets clients in, and answers with the two lines that say so. @throws UsageError */
export async function openTo(server: ApiServer, reach: Reach, objects: number): Promise<readonly string[]> {
  const listening = await listen(server, reach);
  const { url, token = '' } = listening;
  if (reach.kubeconfigOut !== undefined) writeKubeconfig(reach.kubeconfigOut, listening.kubeconfig());
  return [`Kubernetes API at ${url}, ${counted(objects, 'object')} loaded. Ctrl-C ends it.`, howToReach(reach, url, token)];
}

async function listen(server: ApiServer, { host, port, token }: Reach): ReturnType<ApiServer['listen']> {
  try {
    return await server.listen({ host, port, ...(token !== undefined && { tokens: [{ token }] }) });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(inFlags(error.message), { cause: error });
    throw cannotListen(error, { host, port }, { host: '--host', port: '--port', any: ', or 0 for any' });
  }
}

function writeKubeconfig(file: string, text: string): void {
  if (file === '') throw new UsageError('--kubeconfig-out names no file');
  try {
    replaceFiles([{ path: file, text, mode: 0o600 }]);
  } catch (error) {
    throw new UsageError(`${printable(file)} cannot be written: ${unreadable(error)}`);
  }
}

const howToReach = ({ kubeconfigOut }: Pick<Reach, 'kubeconfigOut'>, url: string, token: string): string =>
  kubeconfigOut === undefined
    ? `curl -k -H 'Authorization: Bearer ${token}' ${url}/api (--kubeconfig-out FILE writes a kubeconfig)`
    : `kubectl --kubeconfig ${quotedForShell(kubeconfigOut)} get all --all-namespaces`;

/** A word that a shell takes as it is. */
const quotedForShell = (word: string): string => (/^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
