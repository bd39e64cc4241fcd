import { createMethodNotAllowedError } from '../http/errors.ts';
import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import type { Catalog } from '../registry/catalog.ts';
import { createIndentedAnswer } from './answers.ts';
import { createHealthHandlers, type HealthCheck } from './health.ts';
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
  /** The concurrent requests that each priority level may have. */
  readonly nominalSeats?: () => ReadonlyMap<string, number>;
}

/** Serves "/", "/version", "/metrics", and "/healthz", "/livez" and "/readyz" with a path for each check. */
export function createOperationalRoutes(options: OperationalOptions): Route {
  const { state, catalog, version = createVersionInfo(), checks = [], storedObjects = () => [] } = options;
  const metrics = createExposition({ state, storedObjects, nominalSeats: options.nominalSeats ?? (() => new Map()) });
  const showVersion = ({ method }: HttpRequest): HttpAnswer => {
    if (method !== 'GET') throw createMethodNotAllowedError();
    return createIndentedAnswer(version);
  };
  const handlersByPath = new Map<string, (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>>([
    ['/version', showVersion],
    ['/metrics', () => ({ code: 200, headers: { 'Content-Type': metrics.contentType }, body: metrics.scrape() })],
    ...createHealthHandlers(state, checks),
  ]);
  const listedPaths = [...handlersByPath.keys(), ...(options.paths ?? [])];
  const listPaths = (): HttpAnswer => createIndentedAnswer({ paths: [...new Set([...listedPaths, ...pathsOf(catalog)])].sort() });
  // These paths are served but not listed.
  handlersByPath.set('/version/', showVersion).set('/', listPaths).set('/index.html', listPaths);
  return (request) => handlersByPath.get(request.path)?.(request);
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
