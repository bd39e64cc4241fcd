import { escapeText } from 'kube-endpoints/internal/apimachinery';
import type { HttpAnswer, HttpRequest } from '../http/exchange.ts';
import { createTextError, plainTextHeaders } from './answers.ts';
import type { ServerState } from './state.ts';

export interface HealthCheck {
  /** Used in the path of the check and in verbose output. */
  readonly name: string;
  /** Default: all health endpoints. */
  readonly endpoints?: readonly HealthEndpoint['name'][];
  /** Throws or rejects if unhealthy. */
  readonly check: () => void | Promise<void>;
}

/** Returns the handlers of "/healthz", "/livez" and "/readyz" and of the path of each check, by path. */
export function createHealthHandlers(
  state: ServerState,
  checks: readonly HealthCheck[],
): readonly (readonly [string, (request: HttpRequest) => Promise<HttpAnswer>])[] {
  return createHealthEndpoints(state, checks).flatMap((endpoint) => [
    [`/${endpoint.name}`, (request) => answerHealth(endpoint, request)] as const,
    ...endpoint.checks.map((check) => [`/${endpoint.name}/${check.name}`, () => answerCheck(check)] as const),
  ]);
}

function createHealthEndpoints(state: ServerState, checks: readonly HealthCheck[]): readonly HealthEndpoint[] {
  const commonChecks = [{ name: 'ping', check: () => undefined }, ...checks];
  const shutdown: HealthCheck = {
    name: 'shutdown',
    endpoints: ['readyz'],
    check() {
      if (state.closing) throw new Error('process is shutting down');
    },
  };
  return endpointNames.map((name) => ({
    name,
    checks: [...commonChecks, shutdown].filter(({ endpoints = endpointNames }) => endpoints.includes(name)),
  }));
}

const endpointNames: readonly HealthEndpoint['name'][] = ['healthz', 'livez', 'readyz'];

interface HealthEndpoint {
  readonly name: 'healthz' | 'livez' | 'readyz';
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

interface StartupOptions {
  readonly usesRbac?: boolean;
  /** Whether the controllers of kube-apiserver itself have created their objects. Default true. */
  readonly haveControllersStarted?: () => boolean;
}

/**
 * Returns the checks of kube-apiserver 1.36 besides "ping" and "shutdown", in its order, because clients look for their names. Those of the
 * controllers that create objects once the server listens fail until these objects exist. The others always pass: a server starts to listen
 * when the rest is complete, and a part that it does not have cannot fail.
 */
export const createStartupChecks = ({
  usesRbac = false,
  haveControllersStarted = () => true,
}: StartupOptions = {}): readonly HealthCheck[] =>
  checkNames
    .filter((name) => usesRbac || name !== rbacCheckName)
    .map((name) => {
      const endpoints = endpointsByCheck[name];
      const check = (): void => {
        if (controllerCheckNames.includes(name) && !haveControllersStarted()) throw new Error('not finished');
      };
      return { name, check, ...(endpoints && { endpoints }) };
    });

const controllerCheckNames: readonly string[] = [
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/start-kubernetes-service-cidr-controller',
];

const rbacCheckName = 'poststarthook/rbac/bootstrap-roles';

const endpointsByCheck: Readonly<Record<string, readonly HealthEndpoint['name'][]>> = {
  'loopback-serving-certificate': ['healthz', 'livez'],
  'etcd-readiness': ['readyz'],
  'informer-sync': ['readyz'],
};

const checkNames: readonly string[] = [
  'log',
  'loopback-serving-certificate',
  'etcd',
  'etcd-readiness',
  'informer-sync',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/peer-endpoint-reconciler-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/storage-readiness',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  rbacCheckName,
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];
