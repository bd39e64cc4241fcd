import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { redactSecrets } from 'kube-endpoints/internal/apimachinery';
import { type ConfiguredCluster, clusterOf, type ExecConfig, type KubeConfigLike, originOf } from './kube-config.ts';

/** A credential plugin: the command that a kubeconfig configures under `exec` for a user. */
export interface ExecPlugin {
  readonly config: ExecConfig;
  readonly cluster: ConfiguredCluster;
  /** The command, the user and the kubeconfig, for messages. */
  readonly description: string;
}

export interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Milliseconds since the epoch; undefined if it does not expire. */
  readonly expiresAt: number | undefined;
}

/** Returns the plugin of the current user; undefined if the user has none. */
export function pluginOf(kubeConfig: KubeConfigLike): ExecPlugin | undefined {
  const user = kubeConfig.getCurrentUser?.();
  const config = user?.exec ?? user?.authProvider?.config?.exec;
  if (!user || !config) return undefined;
  const origin = originOf(kubeConfig);
  const owner = `user ${JSON.stringify(user.name)}${origin === undefined ? '' : ` in ${origin}`}`;
  return { config, cluster: clusterOf(kubeConfig), description: `the command ${JSON.stringify(config.command)} of ${owner}` };
}

const defaultApiVersion = 'client.authentication.k8s.io/v1';

/**
 * Runs a plugin and checks its output. Mirrors refreshCredsLocked (Kubernetes 1.36, client-go/plugin/pkg/client/auth/exec/exec.go), except
 * that plugins cannot ask the user.
 * @param signal ends the plugin
 * @throws Error that names the command, the user, the kubeconfig and the problem
 */
export async function runPlugin(plugin: ExecPlugin, signal: AbortSignal): Promise<ExecCredential> {
  const { config, description } = plugin;
  if (typeof config.command !== 'string' || config.command === '') throw new Error(`${description} is missing: set exec.command`);
  const result = await runCommand(config, await createExecInfo(plugin), signal);
  const problem = findProcessProblem(result, config.installHint) ?? findOutputProblem(result.stdout, config.apiVersion);
  if (problem !== undefined) throw new Error(`${description} ${problem}`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = parseStatus(result.stdout);
  const expiresAt = expirationTimestamp === undefined ? undefined : Date.parse(expirationTimestamp);
  return { token: token || undefined, cert: cert || undefined, key: key || undefined, expiresAt };
}

/** Returns the value of KUBERNETES_EXEC_INFO. */
async function createExecInfo({ config, cluster }: ExecPlugin): Promise<string> {
  const { apiVersion = defaultApiVersion, provideClusterInfo = false } = config;
  const { server, caData, caFile, tlsServerName, skipTLSVerify, proxyUrl } = cluster;
  const authority = provideClusterInfo && caFile ? (await readFile(caFile)).toString('base64') : caData;
  const clusterInfo = {
    server,
    ...(tlsServerName && { 'tls-server-name': tlsServerName }),
    ...(skipTLSVerify && { 'insecure-skip-tls-verify': true }),
    ...(authority && { 'certificate-authority-data': authority }),
    ...(proxyUrl && { 'proxy-url': proxyUrl }),
  };
  const spec = { interactive: false, ...(provideClusterInfo && { cluster: clusterInfo }) };
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
}

interface ProcessResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly startError?: NodeJS.ErrnoException;
  readonly isTooLong: boolean;
}

/** In characters. A token and a certificate take a few thousand. */
const maxOutputLength = 1024 * 1024;

function runCommand(config: ExecConfig, execInfo: string, signal: AbortSignal): Promise<ProcessResult> {
  const env = { ...process.env, ...toVariables(config.env), KUBERNETES_EXEC_INFO: execInfo };
  const child = spawn(config.command, [...(config.args ?? [])], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Processes that the plugin started can keep the pipes open.
  const stop = (): void => {
    child.kill('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  let stdout = '';
  let stderr = '';
  let startError: NodeJS.ErrnoException | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.length > maxOutputLength) stop();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-maxStderrLength);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      startError = error;
    });
    child.on('close', (exitCode, endSignal) => {
      signal.removeEventListener('abort', stop);
      const isTooLong = stdout.length > maxOutputLength;
      resolve({ stdout, stderr, exitCode, signal: endSignal, isTooLong, ...(startError && { startError }) });
    });
  });
}

/** In characters, for messages. */
const maxStderrLength = 500;

const toVariables = (env: ExecConfig['env']): Record<string, string> =>
  Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));

function findProcessProblem(
  { startError, isTooLong, exitCode, signal, stderr }: ProcessResult,
  installHint: string | undefined,
): string | undefined {
  if (startError?.code === 'ENOENT')
    return `was not found: ${installHint ? toLine(installHint).slice(0, maxStderrLength) : 'install it, or correct exec.command'}`;
  if (startError) return `cannot be run: ${startError.message}`;
  if (isTooLong) return `printed more than ${maxOutputLength} characters; it must print an ExecCredential`;
  if (exitCode === 0) return undefined;
  const end = signal ? `was ended by ${signal}` : `ended with exit code ${exitCode}`;
  const lastLines = toLine(stderr);
  return lastLines === '' ? `${end} and printed no error: run it to see why` : `${end}: ${redactSecrets(lastLines)}`;
}

const toLine = (text: string): string => text.trim().replace(/\s+/g, ' ');

interface ExecStatus {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

const parseStatus = (stdout: string): ExecStatus => (JSON.parse(stdout) as { readonly status: ExecStatus }).status;

/** Does not quote the output, which can contain a token. */
function findOutputProblem(stdout: string, configuredVersion: string | undefined): string | undefined {
  if (stdout.trim() === '') return 'printed nothing; it must print an ExecCredential';
  let output: unknown;
  try {
    output = JSON.parse(stdout);
  } catch {
    return 'printed something other than JSON; it must print an ExecCredential';
  }
  const { kind, apiVersion, status } = (output ?? {}) as {
    readonly kind?: unknown;
    readonly apiVersion?: unknown;
    readonly status?: unknown;
  };
  if (kind === undefined || apiVersion === undefined)
    return `printed JSON without ${kind === undefined ? 'kind' : 'apiVersion'}; it must print an ExecCredential`;
  if (kind !== 'ExecCredential') return `printed kind ${formatField(kind)} instead of ExecCredential`;
  if (configuredVersion !== undefined && apiVersion !== configuredVersion)
    return `printed apiVersion ${formatField(apiVersion)}, but exec.apiVersion is ${formatField(configuredVersion)}: set it to the same`;
  if (!String(apiVersion).startsWith('client.authentication.k8s.io/'))
    return `printed apiVersion ${formatField(apiVersion)} instead of ${defaultApiVersion}`;
  return findStatusProblem(status);
}

const formatField = (value: unknown): string => String(JSON.stringify(value)).slice(0, maxFieldLength);

const maxFieldLength = 80;

function findStatusProblem(status: unknown): string | undefined {
  if (typeof status !== 'object' || status === null) return 'printed an ExecCredential without a status';
  const fields = status as Readonly<Record<keyof ExecStatus, unknown>>;
  const wrongField = statusFields.find((name) => fields[name] !== undefined && fields[name] !== null && typeof fields[name] !== 'string');
  if (wrongField !== undefined) return `printed a status whose ${wrongField} is not a string`;
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = fields as ExecStatus;
  if (!token && !cert && !key) return 'printed a status without a token, and without a certificate and its key';
  if (!cert !== !key) return cert ? 'printed a certificate without its key' : 'printed a key without its certificate';
  if (expirationTimestamp && Number.isNaN(Date.parse(expirationTimestamp)))
    return `printed the expirationTimestamp ${formatField(expirationTimestamp)}, which is not a time`;
  return undefined;
}

const statusFields = ['token', 'clientCertificateData', 'clientKeyData', 'expirationTimestamp'] as const;
