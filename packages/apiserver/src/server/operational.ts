import { escapeText } from 'kube-endpoints/internal/apimachinery';
import { createMethodNotAllowedError } from '../http/errors.ts';
import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import type { Catalog } from '../registry/catalog.ts';
import { createIndentedAnswer, createTextError, plainTextHeaders } from './answers.ts';
import { createExposition, type StoredObjects } from './metrics/exposition.ts';
import type { ServerState } from './state.ts';

export interface OperationalOptions {
  /** Must be the same state that `listen` gets. */
  readonly state: ServerState;
  /** If set, the list at "/" includes the paths of its groups. */
  readonly catalog?: Catalog;
  /** Further paths for the list at "/". */
  readonly paths?: readonly string[];
  /** Checks for health, liveness and readiness, in addition to "ping". */
  readonly checks?: readonly HealthCheck[];
  readonly version?: VersionInfo;
  /** Number of stored objects per resource. */
  readonly storedObjects?: () => Iterable<StoredObjects>;
}

/** Serves "/", "/version", "/metrics", and "/healthz", "/livez" and "/readyz" with a path for each check. */
export function createOperationalRoutes(options: OperationalOptions): Route {
  const { state, catalog, version = createVersionInfo(), checks = [], storedObjects = () => [] } = options;
  const healthEndpoints = createHealthEndpoints(state, checks);
  const metrics = createExposition({ state, storedObjects });
  const showVersion = ({ method }: HttpRequest): HttpAnswer => {
    if (method !== 'GET') throw createMethodNotAllowedError();
    return createIndentedAnswer(version);
  };
  const handlersByPath = new Map<string, (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>>([
    ['/version', showVersion],
    ['/metrics', () => ({ code: 200, headers: { 'Content-Type': metrics.contentType }, body: metrics.scrape() })],
  ]);
  for (const endpoint of healthEndpoints) {
    handlersByPath.set(`/${endpoint.name}`, (request) => answerHealth(endpoint, request));
    for (const check of endpoint.checks) handlersByPath.set(`/${endpoint.name}/${check.name}`, () => answerCheck(check));
  }
  const listedPaths = [...handlersByPath.keys(), ...(options.paths ?? [])];
  const listPaths = (): HttpAnswer => createIndentedAnswer({ paths: [...new Set([...listedPaths, ...pathsOf(catalog)])].sort() });
  // These paths are served but not listed.
  handlersByPath.set('/version/', showVersion).set('/', listPaths).set('/index.html', listPaths);
  return (request) => handlersByPath.get(request.path)?.(request);
}

function createHealthEndpoints(state: ServerState, checks: readonly HealthCheck[]): readonly HealthEndpoint[] {
  const commonChecks = [{ name: 'ping', check: () => undefined }, ...checks];
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check() {
      if (state.closing) throw new Error('process is shutting down');
    },
  };
  return [
    { name: 'healthz', checks: commonChecks },
    { name: 'livez', checks: commonChecks },
    { name: 'readyz', checks: [...commonChecks, shutdown] },
  ];
}

/** The paths of discovery and OpenAPI for the served groups. */
function pathsOf(catalog: Catalog | undefined): readonly string[] {
  if (!catalog) return [];
  const groups = catalog.all().flatMap(({ resource: { group, version } }) => {
    if (group === '') return ['/api', `/api/${version}`];
    return ['/apis', '/apis/', `/apis/${group}`, `/apis/${group}/${version}`];
  });
  return [...groups, '/openapi/v2', '/openapi/v3', '/openapi/v3/'];
}

export interface HealthCheck {
  /** Used in the path of the check and in verbose output. */
  readonly name: string;
  /** Throws or rejects if unhealthy. */
  readonly check: () => void | Promise<void>;
}

/** A health endpoint: "healthz", "livez" or "readyz". */
interface HealthEndpoint {
  readonly name: string;
  readonly checks: readonly HealthCheck[];
}

/** Mirrors the handlers of apiserver/pkg/server/healthz (1.36). */
async function answerHealth({ name, checks }: HealthEndpoint, { query }: HttpRequest): Promise<HttpAnswer> {
  const excludedNames = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let isHealthy = true;
  for (const check of checks) {
    if (excludedNames.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    const hasPassed = (await runCheck(check)) === undefined;
    isHealthy &&= hasPassed;
    lines.push(hasPassed ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
  }
  if (excludedNames.size > 0) {
    const unknownNames = [...excludedNames].sort().map((text) => `"${escapeText(text)}"`);
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknownNames.join(',')}`);
  }
  if (!isHealthy) return createTextError(500, [...lines, `${name} check failed`].join('\n'));
  const text = query.has('verbose') ? `${[...lines, `${name} check passed`].join('\n')}\n` : 'ok';
  return { code: 200, headers: { ...plainTextHeaders, 'X-Content-Type-Options': 'nosniff' }, body: text };
}

/** Answers the path of a single check. */
async function answerCheck(check: HealthCheck): Promise<HttpAnswer> {
  const problem = await runCheck(check);
  if (problem !== undefined) return createTextError(500, `internal server error: ${problem}`);
  return { code: 200, headers: plainTextHeaders, body: 'ok' };
}

/** Runs a check and returns the message of its error; undefined if the check passes. */
async function runCheck({ check }: HealthCheck): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** `version.Info` of apimachinery, as served at `/version`. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The Kubernetes release that this server implements. The suffix after the plus sign does not affect version comparison. */
export const createVersionInfo = (): VersionInfo => ({
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3+kube-endpoints',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${goPlatforms.get(process.platform) ?? process.platform}/${goArchitectures.get(process.arch) ?? process.arch}`,
});

/** Go's names of platforms that Node.js names differently. */
const goPlatforms: ReadonlyMap<string, string> = new Map([['win32', 'windows']]);
const goArchitectures: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
]);
