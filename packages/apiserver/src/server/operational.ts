import type { HttpAnswer, HttpRequest, Route } from '../http/exchange.ts';
import { methodNotAllowed } from '../http/refusals.ts';
import type { Catalog } from '../registry/catalog.ts';
import { indentedAnswer } from './answers.ts';
import { answerCheck, answerHealth, type Health, type HealthCheck } from './health.ts';
import { createExposition, type StoredObjects } from './metrics/exposition.ts';
import type { ServerState } from './state.ts';
import { type VersionInfo, versionInfo } from './version.ts';

export interface OperationalOptions {
  /** The one that `listen` is given, too. */
  readonly state: ServerState;
  /** For the list of paths at "/". */
  readonly catalog?: Catalog;
  /** Further paths for that list. */
  readonly paths?: readonly string[];
  /** Beside "ping": what has to be well for the server to be taken for alive and ready. */
  readonly checks?: readonly HealthCheck[];
  readonly version?: VersionInfo;
  /** How many objects of each resource there are. */
  readonly storedObjects?: () => Iterable<StoredObjects>;
}

/** What a server says of itself: "/", "/version", "/healthz", "/livez", "/readyz" and their checks, "/metrics". */
export function operationalRoutes(options: OperationalOptions): Route {
  const { state, catalog, version = versionInfo(), checks = [], storedObjects = () => [] } = options;
  const healths = healthsOf(state, checks);
  const metrics = createExposition({ state, storedObjects });
  const showVersion = ({ method }: HttpRequest): HttpAnswer => {
    if (method !== 'GET') throw methodNotAllowed();
    return indentedAnswer(version);
  };
  const byPath = new Map<string, (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>>([
    ['/version', showVersion],
    ['/metrics', async () => ({ code: 200, headers: { 'Content-Type': metrics.contentType }, body: await metrics.scrape() })],
  ]);
  for (const health of healths) {
    byPath.set(`/${health.name}`, (request) => answerHealth(health, request));
    for (const check of health.checks) byPath.set(`/${health.name}/${check.name}`, () => answerCheck(check));
  }
  const listed = [...byPath.keys(), ...(options.paths ?? [])];
  const index = (): HttpAnswer => indentedAnswer({ paths: [...new Set([...listed, ...pathsOf(catalog)])].sort() });
  // These are there without being listed.
  byPath.set('/version/', showVersion).set('/', index).set('/index.html', index);
  return (request) => byPath.get(request.path)?.(request);
}

function healthsOf(state: ServerState, checks: readonly HealthCheck[]): readonly Health[] {
  const all = [{ name: 'ping', check: () => undefined }, ...checks];
  const shutdown: HealthCheck = {
    name: 'shutdown',
    check() {
      if (state.closing) throw new Error('process is shutting down');
    },
  };
  return [
    { name: 'healthz', checks: all },
    { name: 'livez', checks: all },
    { name: 'readyz', checks: [...all, shutdown] },
  ];
}

/** What discovery and OpenAPI answer under for what is served. */
function pathsOf(catalog: Catalog | undefined): readonly string[] {
  if (!catalog) return [];
  const groups = catalog.all().flatMap(({ resource: { group, version } }) => {
    if (group === '') return ['/api', `/api/${version}`];
    return ['/apis', '/apis/', `/apis/${group}`, `/apis/${group}/${version}`];
  });
  return [...groups, '/openapi/v2', '/openapi/v3', '/openapi/v3/'];
}
