import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { createLineCounter, readYaml, type YamlError } from 'kube-endpoints/internal/apimachinery';

/** The used fields of a kubeconfig file. */
export interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly clusters: readonly Entry[];
  readonly users: readonly Entry[];
  readonly contexts: readonly Entry[];
}

export interface Entry {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Reads a kubeconfig and makes its paths absolute; undefined if the file does not exist. @throws Error that names the file */
export async function readKubeconfig(path: string): Promise<Kubeconfig | undefined> {
  const text = await readIfExists(path).catch((error: Error) => {
    throw new Error(`the kubeconfig ${path} cannot be read: ${error.message}`, { cause: error });
  });
  return text === undefined ? undefined : resolvePaths(parseKubeconfig(path, text), dirname(path));
}

/** Reads a file as text; undefined if the file does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Merges several files: for each name, and for the current context, the first file that has it wins.
 *
 * Mirrors ClientConfigLoadingRules.Load (Kubernetes 1.36, client-go/tools/clientcmd/loader.go).
 */
export function mergeKubeconfigs(files: readonly Kubeconfig[]): Kubeconfig {
  const current = files.map((file) => file['current-context']).find(Boolean);
  const mergeEntries = (type: EntryType): Entry[] => {
    const entriesByName = new Map<string, Entry>();
    for (const file of files) for (const entry of file[type]) if (!entriesByName.has(entry.name)) entriesByName.set(entry.name, entry);
    return [...entriesByName.values()];
  };
  return {
    ...(current !== undefined && { 'current-context': current }),
    clusters: mergeEntries('clusters'),
    users: mergeEntries('users'),
    contexts: mergeEntries('contexts'),
  };
}

const maxNesting = 100;

type EntryType = 'clusters' | 'users' | 'contexts';
type Fields = Readonly<Record<string, unknown>>;

function parseKubeconfig(path: string, text: string): Kubeconfig {
  let content: unknown;
  try {
    content = readYaml(text, { maxDepth: maxNesting, yaml11: true })[0]?.value;
  } catch (error) {
    const { message, offset } = error as YamlError;
    const place = offset === undefined ? '' : `line ${createLineCounter(text)(offset).line}: `;
    throw new Error(`the kubeconfig ${path} is not valid YAML: ${place}${message}`, { cause: error });
  }
  const fields = (content ?? {}) as Fields;
  if (typeof fields !== 'object' || Array.isArray(fields)) throw new Error(`the kubeconfig ${path} is not an object`);
  const current = fields['current-context'];
  return {
    ...(typeof current === 'string' && current !== '' && { 'current-context': current }),
    clusters: parseEntries(path, fields, 'clusters'),
    users: parseEntries(path, fields, 'users'),
    contexts: parseEntries(path, fields, 'contexts'),
  };
}

function parseEntries(path: string, fields: Fields, type: EntryType): Entry[] {
  const entries = fields[type] ?? [];
  if (!Array.isArray(entries)) throw new Error(`the kubeconfig ${path}: ${type} is not a list`);
  return entries.filter((entry): entry is Entry => typeof entry?.name === 'string' && entry.name !== '');
}

function resolvePaths(config: Kubeconfig, folder: string): Kubeconfig {
  const toAbsolute = (value: unknown): unknown =>
    typeof value === 'string' && value !== '' && !isAbsolute(value) ? join(folder, value) : value;
  const resolveFields = (fields: Fields, names: readonly string[]): Fields => ({
    ...fields,
    ...Object.fromEntries(names.filter((name) => fields[name]).map((name) => [name, toAbsolute(fields[name])])),
  });
  return {
    ...config,
    clusters: config.clusters.map((entry) => ({
      ...entry,
      cluster: resolveFields((entry['cluster'] ?? {}) as Fields, ['certificate-authority']),
    })),
    users: config.users.map((entry) => {
      const user = resolveFields((entry['user'] ?? {}) as Fields, ['client-certificate', 'client-key', 'tokenFile']);
      return { ...entry, user: resolveCommand(convertTokenFile(user), folder) };
    }),
  };
}

/**
 * Converts `tokenFile` to client-node's auth provider of that name, which rereads the file once a minute. `tokenFile` takes precedence over
 * `token`.
 */
function convertTokenFile({ tokenFile, ...user }: Fields): Fields {
  if (typeof tokenFile !== 'string' || tokenFile === '') return user;
  const { token: _, ...others } = user;
  return { ...others, 'auth-provider': { name: 'tokenFile', config: { tokenFile } } };
}

/** Resolves a command with a slash against the folder of the kubeconfig file; other commands are found by PATH. */
function resolveCommand(user: Fields, folder: string): Fields {
  const exec = user['exec'] as { readonly command?: unknown } | undefined;
  if (typeof exec?.command !== 'string' || !/[\\/]/.test(exec.command) || isAbsolute(exec.command)) return user;
  return { ...user, exec: { ...exec, command: join(folder, exec.command) } };
}
