import { describe, expect, it } from 'vitest';
import type { HttpAnswer, HttpRequest, Route } from '../../src/http/exchange.ts';
import { builtInResources, createCatalog } from '../../src/registry/catalog.ts';
import { createOperationalRoutes, createServerState, createStartupChecks } from '../../src/server/index.ts';
import { deferred, parseStatus, sendRequest, serve, text } from './support.ts';

const call = async (route: Route, target: string, method = 'GET'): Promise<HttpAnswer | undefined> => {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  return route({ method, path: pathname, query: searchParams, headers: {} } as Partial<HttpRequest> as HttpRequest);
};

const json = async (route: Route, target: string): Promise<unknown> => JSON.parse(String((await call(route, target))?.body));

describe('/version', () => {
  const route = createOperationalRoutes({ state: createServerState() });

  it('reports version 1.36 with the build suffix kube-endpoints', async () => {
    const answer = await call(route, '/version');
    expect(answer).toMatchObject({ code: 200, headers: { 'Content-Type': 'application/json' } });
    expect(answer?.body).toMatch(/^\{\n {2}"major": "1",\n {2}"minor": "36",\n {2}"emulationMajor": "1",/);
    expect(await json(route, '/version/')).toMatchObject({
      gitVersion: 'v1.36.3+kube-endpoints',
      platform: expect.stringMatching(/^\w+\/\w+$/),
    });
  });

  it('allows only GET', async () => {
    const server = await serve(route);
    expect(parseStatus(await sendRequest(server, '/version', { method: 'POST' }))).toMatchObject({
      code: 405,
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
      details: {},
    });
  });

  it('reports the configured version', async () => {
    const version = { gitVersion: 'v1.20.0' } as never;
    expect(await json(createOperationalRoutes({ state: createServerState(), version }), '/version')).toEqual({ gitVersion: 'v1.20.0' });
  });
});

describe('health checks', () => {
  let isStoreBroken = false;
  const state = createServerState();
  const route = createOperationalRoutes({
    state,
    checks: [
      {
        name: 'store',
        async check() {
          if (isStoreBroken) throw new Error('out of order');
        },
      },
    ],
  });
  const body = async (target: string): Promise<unknown> => (await call(route, target))?.body;

  it('answer ok, or a list of checks with verbose', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/healthz/ping', '/readyz/store', '/readyz/shutdown']) {
      expect(await call(route, path)).toMatchObject({ code: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'ok' });
    }
    expect(await body('/healthz?verbose')).toBe('[+]ping ok\n[+]store ok\nhealthz check passed\n');
    expect(await body('/readyz?verbose=1')).toBe('[+]ping ok\n[+]store ok\n[+]shutdown ok\nreadyz check passed\n');
    expect(await call(route, '/livez/shutdown')).toBeUndefined();
    expect(await call(route, '/healthz/')).toBeUndefined();
  });

  it('have the names of kube-apiserver 1.36', async () => {
    const checks = createStartupChecks();
    const route = createOperationalRoutes({ state, checks });
    const namesOf = async (endpoint: string): Promise<readonly string[]> =>
      String((await call(route, `/${endpoint}?verbose`))?.body)
        .split('\n')
        .flatMap((line) => /^\[\+\](\S+) ok$/.exec(line)?.[1] ?? []);
    const [healthz, livez, readyz] = await Promise.all(['healthz', 'livez', 'readyz'].map(namesOf));
    expect(livez).toStrictEqual(healthz);
    expect(healthz?.slice(0, 5)).toStrictEqual([
      'ping',
      'log',
      'loopback-serving-certificate',
      'etcd',
      'poststarthook/start-apiserver-admission-initializer',
    ]);
    expect(readyz?.slice(0, 5)).toStrictEqual(['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync']);
    expect(readyz?.slice(5)).toStrictEqual([...(healthz?.slice(4) ?? []), 'shutdown']);
    expect(await call(route, '/livez/poststarthook/scheduling/bootstrap-system-priority-classes')).toMatchObject({ code: 200, body: 'ok' });
    expect(await call(route, '/livez/etcd-readiness')).toBeUndefined();
    expect(healthz).not.toContain('poststarthook/rbac/bootstrap-roles');
    const rbacRoute = createOperationalRoutes({ state, checks: createStartupChecks({ usesRbac: true }) });
    expect(await call(rbacRoute, '/livez/poststarthook/rbac/bootstrap-roles')).toMatchObject({ code: 200 });
  });

  it('fail until the controllers of the server have created their objects', async () => {
    let haveStarted = false;
    const route = createOperationalRoutes({ state, checks: createStartupChecks({ haveControllersStarted: () => haveStarted }) });
    const failed = ['priority-and-fairness-config-producer', 'start-kubernetes-service-cidr-controller'];
    expect(await call(route, '/readyz')).toMatchObject({ code: 500 });
    expect(String((await call(route, '/readyz?verbose'))?.body).match(/(?<=\[-\]poststarthook\/)\S+/g)).toStrictEqual(failed);
    expect(await call(route, `/readyz/poststarthook/${failed[0]}`)).toMatchObject({ body: 'internal server error: not finished\n' });
    haveStarted = true;
    expect(await call(route, '/readyz')).toMatchObject({ code: 200, body: 'ok' });
  });

  it('omit excluded checks and warn of unknown ones', async () => {
    expect(await body('/livez?verbose&exclude=store&exclude=b&exclude=a"')).toBe(
      '[+]ping ok\n[+]store excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a\\"","b"\nlivez check passed\n',
    );
  });

  it('name the failed check and withhold the reason', async () => {
    isStoreBroken = true;
    expect(await call(route, '/livez')).toMatchObject({
      code: 500,
      headers: { 'X-Content-Type-Options': 'nosniff' },
      body: '[+]ping ok\n[-]store failed: reason withheld\nlivez check failed\n',
    });
    expect(await call(route, '/livez/store')).toMatchObject({ code: 500, body: 'internal server error: out of order\n' });
    expect(await body('/livez?exclude=store')).toBe('ok');
    isStoreBroken = false;
  });

  it('report a closing server as live but not ready', async () => {
    state.closing = true;
    expect((await call(route, '/readyz'))?.code).toBe(500);
    expect(await body('/readyz/shutdown')).toBe('internal server error: process is shutting down\n');
    expect(await body('/livez')).toBe('ok');
    state.closing = false;
  });
});

describe('/', () => {
  it('lists the served paths', async () => {
    const catalog = createCatalog(builtInResources());
    const route = createOperationalRoutes({ state: createServerState(), catalog, paths: ['/more'] });
    const { paths } = (await json(route, '/')) as { readonly paths: readonly string[] };
    expect(paths).toEqual([...new Set(paths)].sort());
    for (const path of ['/api', '/api/v1', '/apis', '/apis/', '/apis/discovery.k8s.io', '/apis/discovery.k8s.io/v1', '/healthz/ping']) {
      expect(paths).toContain(path);
    }
    for (const path of ['/livez', '/metrics', '/more', '/openapi/v2', '/openapi/v3', '/readyz/shutdown', '/version'])
      expect(paths).toContain(path);
    expect(paths).not.toContain('/');
    catalog.remove({ group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', kind: 'EndpointSlice', namespaced: true });
    expect(((await json(route, '/index.html')) as { readonly paths: readonly string[] }).paths).not.toContain('/apis/discovery.k8s.io');
  });

  it('does not answer unknown paths', async () => {
    const route = createOperationalRoutes({ state: createServerState() });
    for (const path of ['/api', '/healthz/nope', '/toString', '/__proto__']) expect(await call(route, path)).toBeUndefined();
  });
});

describe('/metrics', () => {
  it('counts requests by resource, verb, scope and code', async () => {
    const catalog = createCatalog(builtInResources());
    const state = createServerState({ catalog });
    const operational = createOperationalRoutes({
      state,
      catalog,
      storedObjects: () => [
        { group: '', resource: 'pods', count: 3 },
        { group: 'discovery.k8s.io', resource: 'endpointslices', count: 2 },
      ],
    });
    const [watchStarted, watchEnded] = [deferred(), deferred()];
    async function* events(): AsyncGenerator<string> {
      watchStarted.resolve();
      await watchEnded.promise;
      yield 'event';
    }
    const server = await serve((request) => operational(request) ?? text(request.query.has('watch') ? events() : 'ok'), { state });
    await sendRequest(server, '/api/v1/namespaces/a/pods/b');
    await sendRequest(server, '/api/v1/namespaces/a/pods?dryRun=All', { method: 'POST' });
    for (const path of ['/api/v1/made', '/apis/up/v1/things']) await sendRequest(server, path);
    const watch = sendRequest(server, '/api/v1/pods?watch=1');
    await watchStarted.promise;
    const { body, headers } = await sendRequest(server, '/metrics');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
    const pods = 'component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",verb="GET",version="v1"';
    const lines = body.split('\n');
    expect(lines).toContain(`apiserver_request_total{${pods},code="200"} 1`);
    expect(lines).toContain(`apiserver_request_duration_seconds_bucket{${pods},le="60"} 1`);
    expect(lines).toContain(`apiserver_request_duration_seconds_bucket{${pods},le="+Inf"} 1`);
    expect(lines).toContain(`apiserver_request_duration_seconds_count{${pods}} 1`);
    expect(body).toMatch(/^apiserver_request_total\{component="apiserver",dry_run="All",group="",resource="pods",.*verb="POST".*\} 1$/m);
    expect(body).toMatch(/^apiserver_longrunning_requests\{.*resource="pods",scope="cluster",.*verb="WATCH",version="v1"\} 1$/m);
    expect(body).toMatch(/^apiserver_current_inflight_requests\{request_kind="readOnly"\} 1$/m);
    expect(body).toMatch(/^apiserver_resource_objects\{group="discovery\.k8s\.io",resource="endpointslices"\} 2$/m);
    expect(body).toMatch(/^apiserver_storage_objects\{resource="pods"\} 3$/m);
    expect(body).toMatch(/^process_resident_memory_bytes \d+$/m);
    // Requests for unknown resources share one series, so that clients cannot create new ones.
    expect(body).toMatch(/^apiserver_request_total\{component="",.*resource="",.*verb="LIST".*\} 2$/m);
    expect(body).not.toMatch(/made|things/);
    watchEnded.resolve();
    await watch;
    const laterMetrics = (await sendRequest(server, '/metrics')).body;
    expect(laterMetrics).toMatch(/^apiserver_longrunning_requests\{.*verb="WATCH".*\} 0$/m);
    expect(laterMetrics).toMatch(/^apiserver_request_total\{.*verb="WATCH".*code="200"\} 1$/m);
  });
});
