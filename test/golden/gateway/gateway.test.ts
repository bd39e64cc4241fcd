import { describe, expect, it } from 'vitest';
import type {
  ConformanceTest,
  ExpectedResponse,
  Header,
  Manifest,
  RecordedRequest,
  Step,
} from '../../../conformance/oracle/gateway/case.ts';
import {
  findRouteProblems,
  type Gateway,
  type GatewayObjects,
  type RouteBackend,
  type RouteRequest,
  type RouteResult,
  routeRequest,
} from '../../../src/gateway/index.ts';
import { readGzippedJsonLines } from '../../support/jsonl.ts';

const [header, ...tests] = readGzippedJsonLines<unknown>(new URL('1.7.0.jsonl.gz', import.meta.url)) as [Header, ...ConformanceTest[]];

const listNames: Readonly<Record<string, keyof GatewayObjects>> = {
  Namespace: 'namespaces',
  Service: 'services',
  Gateway: 'gateways',
  ListenerSet: 'listenerSets',
  HTTPRoute: 'httpRoutes',
  GRPCRoute: 'grpcRoutes',
  TLSRoute: 'tlsRoutes',
  TCPRoute: 'tcpRoutes',
  UDPRoute: 'udpRoutes',
  ReferenceGrant: 'referenceGrants',
};

const backendTLS = 'BackendTLSPolicies, and TLS between a Gateway and its backends';
const clientCertificates = 'certificates of clients';

/** What is not modelled: prefixes of the names of rows. docs/semantics/gateway.md has the same list. */
const notModelled: Readonly<Record<string, string>> = {
  'BackendTLSPolicyGRPCRoute:87 ': backendTLS,
  'BackendTLSPolicyGRPCRoute:104 ': backendTLS,
  'BackendTLSPolicyInvalidCACertificateRef:': backendTLS,
  'BackendTLSPolicyInvalidKind:': backendTLS,
  'BackendTLSPolicySANValidation:86 ': backendTLS,
  'BackendTLSPolicySANValidation:119 ': backendTLS,
  'BackendTLSPolicySANValidation:152 ': backendTLS,
  'BackendTLSPolicy:134 ': backendTLS,
  'BackendTLSPolicy:151 ': backendTLS,
  'GatewayFrontendInvalidDefaultClientCertificateValidation:129 ': clientCertificates,
  'GatewayFrontendClientCertificateValidation:109 ': clientCertificates,
  'GatewayFrontendClientCertificateValidation:129 ': clientCertificates,
  'HTTPRouteRetryConnectionError:': 'retries',
  'HTTPRouteTimeoutBackendRequest:72 step 1 ': 'timeouts',
  'HTTPRouteTimeoutRequest:72 step 1 ': 'timeouts',
  'HTTPRouteServiceTypes:101 step 0 ': 'endpoints of Services',
  'HTTPRouteServiceTypes:101 step 1 ': 'endpoints of Services',
};

/** What depends on the implementation: the result is unknown, for this reason. */
const leftOpen: Readonly<Record<string, string>> = {
  ...Object.fromEntries([0, 1, 2, 3, 7, 8, 9, 10, 13, 14].map((step) => [`HTTPRouteCORS:574 step ${step} `, 'FilterUnknown'])),
  'HTTPRouteInvalidBackendRefUnknownKind:63 ': 'BackendKindUnknown',
  'TLSRouteInvalidBackendRefUnknownKind:69 ': 'BackendKindUnknown',
};

interface Row {
  readonly name: string;
  readonly objects: GatewayObjects;
  readonly step: Step;
}

/** The requests and conditions of a test, each with the objects that exist then. */
function listRows({ test, objects: own, steps }: ConformanceTest): Row[] {
  let manifests = [...header.objects, ...own];
  return steps.flatMap((step, i) => {
    const changed = [...(step.apply ?? []), ...(step.delete ? [step.delete] : [])].map(keyOf);
    manifests = [...manifests.filter((each) => !changed.includes(keyOf(each))), ...(step.apply ?? [])];
    return step.request || step.condition ? [{ name: `${test}:${step.line} step ${i}`, objects: createObjects(manifests), step }] : [];
  });
}

const rows = tests.flatMap(listRows);
const find = (table: Readonly<Record<string, string>>, { name }: { readonly name: string }): string | undefined =>
  Object.entries(table).find(([prefix]) => `${name} `.startsWith(prefix))?.[1];

describe(`the conformance tests of Gateway API ${header.version}`, () => {
  const requests = rows.flatMap(({ step: { request }, ...row }) => (request ? [{ ...row, request }] : []));
  const conditions = rows.flatMap(({ step: { condition }, ...row }) => (condition ? [{ ...row, condition }] : []));

  it('have these numbers of requests and conditions', () => {
    const count = (table: Readonly<Record<string, string>>): number => requests.filter((row) => find(table, row)).length;
    const totals = { requests: requests.length, notModelled: count(notModelled), leftOpen: count(leftOpen), conditions: conditions.length };
    expect(totals).toStrictEqual({ requests: 456, notModelled: 18, leftOpen: 12, conditions: 41 });
  });

  it.each(requests)('$name: the request has the expected response', ({ name, request, objects }) => {
    const sent = createRequest(request, objects);
    const result = routeRequest(sent, objects);
    const reversed = Object.fromEntries(Object.entries(objects).map(([list, items]) => [list, [...(items as Iterable<object>)].reverse()]));
    expect({ ...routeRequest(sent, reversed), reasons: [] }).toStrictEqual({ ...result, reasons: [] });
    const actual = describeResult(result, request, sent, objects);
    const expected = describeExpected(request, actual);
    const openCode = find(leftOpen, { name });
    if (openCode) expect([result.outcome, result.reasons[0]?.code]).toStrictEqual(['unknown', openCode]);
    else if (find(notModelled, { name })) expect(actual).not.toStrictEqual(expected);
    else expect(actual, JSON.stringify(result.reasons, undefined, 1)).toStrictEqual(expected);
  });

  it.each(conditions)('$name: the route has the expected condition', ({ condition, objects }) => {
    const { route, parent, type, status, reason } = condition;
    const problems = findRouteProblems(objects).filter(
      ({ object }) => object && `${object.kind} ${object.namespace}/${object.name}` === route,
    );
    const ofType = problems.filter(({ code, message }) => (type === 'Accepted' ? message.includes(parent) : !attachCodes.includes(code)));
    const codes = [...new Set(ofType.map(({ code }) => code))];
    if (status === 'True') expect(codes).toStrictEqual([]);
    else if (reason === '') expect(codes.length).toBeGreaterThan(0);
    else expect(conditionCodes[reason]).toContain(codes[0]);
  });
});

const attachCodes: readonly string[] = ['SectionNotFound', 'NamespaceNotAllowed', 'KindNotAllowed', 'HostnameNotAllowed'];

/** The codes of problems for the reason of a condition. */
const conditionCodes: Readonly<Record<string, readonly string[]>> = {
  NoMatchingParent: ['SectionNotFound'],
  NotAllowedByListeners: ['NamespaceNotAllowed', 'KindNotAllowed'],
  NoMatchingListenerHostname: ['HostnameNotAllowed'],
  RefNotPermitted: ['ReferenceNotGranted'],
  BackendNotFound: ['ServiceNotFound'],
  InvalidKind: ['BackendKindUnknown'],
};

function keyOf({ kind, metadata: { namespace, name } }: Manifest): string {
  return `${kind} ${namespace} ${name}`;
}

/** Objects that a test creates replace those of the base. */
function createObjects(manifests: readonly Manifest[]): GatewayObjects {
  const unique = [...new Map(manifests.map((each) => [keyOf(each), each])).values()];
  const lists = Object.entries(listNames).map(([kind, list]) => [list, unique.filter((each) => each.kind === kind)]);
  return { gatewayClasses: [{ metadata: { name: 'conformance' } }], ...Object.fromEntries(lists) } as GatewayObjects;
}

/** The methods of the service GrpcEcho, by the field with the request. */
const grpcMethods = { EchoRequest: 'Echo', EchoTwoRequest: 'EchoTwo', EchoThreeRequest: 'EchoThree' } as const;

function createRequest(request: RecordedRequest, objects: GatewayObjects): RouteRequest {
  const { gateway, expected = {} } = request;
  const port = portOf(request, objects);
  if (request.function.startsWith('udp.')) return { scheme: 'udp', port, gateway };
  if (request.function.startsWith('tcp.') && !request.isTLS) return { scheme: 'tcp', port, gateway };
  if (request.function.startsWith('tcp.') || request.function.endsWith('Rejection'))
    return { scheme: 'tls', sni: sniOf(request, objects), port, gateway };
  if (request.function.startsWith('grpc.')) {
    const [, method] = Object.entries(grpcMethods).find(([field]) => Object.hasOwn(expected, field)) ?? [];
    return {
      host: expected.RequestMetadata?.Authority ?? '192.0.2.1',
      path: `/gateway_api_conformance.echo_basic.grpcecho.GrpcEcho/${method}`,
      method: 'POST',
      headers: { 'content-type': 'application/grpc', ...expected.RequestMetadata?.Metadata },
      port,
      gateway,
    };
  }
  const { Host, Path, Method, Headers } = expected.Request ?? {};
  return {
    ...(request.sni !== undefined && { scheme: 'https', sni: request.sni }),
    host: Host ?? '192.0.2.1',
    path: Path || '/',
    method: Method ?? 'GET',
    headers: Headers ?? {},
    port,
    gateway,
  };
}

/** The port of the address, of the named listener, of a listener with the port of the host, or of the first listener. */
function portOf({ gateway: key, listener, port, expected }: RecordedRequest, { gateways }: GatewayObjects): number {
  if (port !== undefined) return port;
  const gateway = [...(gateways ?? [])].find(({ metadata }) => `${metadata?.namespace}/${metadata?.name}` === key) as Gateway;
  const listeners = gateway.spec?.listeners ?? [];
  const [, hostPort] = /:(\d+)$/.exec(expected?.Request?.Host ?? '') ?? [];
  const ofHost = listeners.find((each) => each.port === Number(hostPort));
  return (ofHost ?? listeners.find(({ name }) => name === listener) ?? listeners[0])?.port ?? 0;
}

/** The tests take the first hostname of a route if they do not name one. */
const sniOf = ({ sni }: RecordedRequest, { tlsRoutes }: GatewayObjects): string =>
  sni ?? [...(tlsRoutes ?? [])].flatMap(({ spec }) => spec?.hostnames ?? [])[0] ?? '';

interface Outcome {
  readonly outcome: string;
  readonly status?: number | undefined;
  readonly location?: string | undefined;
  readonly backends?: Readonly<Record<string, number>>;
  readonly mirrors?: Readonly<Record<string, number>>;
  /** The parts of the request to the backend that the test checks. */
  readonly forwarded?: object;
}

function describeResult(result: RouteResult, request: RecordedRequest, sent: RouteRequest, objects: GatewayObjects): Outcome {
  const { outcome, status, location, backends } = result;
  const { weights, expected } = request;
  const shares = (isMirror: boolean): Record<string, number> =>
    Object.fromEntries(
      backends
        .filter((each) => Boolean(each.mirror) === isMirror && each.status === undefined)
        .map(({ namespace, name, share }) => [
          weights ? name : expected?.Service ? `${namespace}/${name}` : appOf(`${namespace}/${name}`, objects),
          share,
        ]),
    );
  return {
    outcome,
    ...(status !== undefined && { status }),
    ...(location !== undefined && { location }),
    ...(outcome === 'backends' && { backends: shares(false), mirrors: shares(true) }),
    ...(outcome === 'backends' &&
      expected?.ExpectedRequest && { forwarded: describeForwarded(backends[0], sent, expected.ExpectedRequest) }),
  };
}

/** Tests expect the app that answers: the label of the pods of a Service. */
function appOf(key: string, { services }: GatewayObjects): string {
  const service = [...(services ?? [])].find(({ metadata }) => `${metadata?.namespace}/${metadata?.name}` === key);
  return `${service?.metadata?.namespace}/${service?.spec?.selector?.['app'] ?? service?.metadata?.name}`;
}

type ExpectedRequest = NonNullable<ExpectedResponse['ExpectedRequest']>;

const fieldsOf = ({ Request, ...own }: ExpectedRequest): Omit<ExpectedRequest, 'Request'> => ({ ...Request, ...own });

function describeForwarded(backend: RouteBackend | undefined, { path, host, headers }: RouteRequest, expected: ExpectedRequest): object {
  const { Path, Host, Headers, AbsentHeaders } = fieldsOf(expected);
  const { rewrite } = backend ?? {};
  const sent = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const kept = sent.filter(([name]) => !rewrite?.removedHeaders?.includes(name));
  const all = new Map([...kept, ...Object.entries(rewrite?.headers ?? {})]);
  return {
    ...(Path !== undefined && { path: rewrite?.path ?? path }),
    ...(Host !== undefined && { host: rewrite?.host ?? host }),
    headers: Object.keys(Headers ?? {}).map((name) => all.get(name.toLowerCase())),
    absent: (AbsentHeaders ?? []).filter((name) => !all.has(name.toLowerCase())),
  };
}

function describeExpectedRequest(expected: ExpectedRequest): object {
  const { Path, Host, Headers, AbsentHeaders } = fieldsOf(expected);
  return {
    ...(Path !== undefined && { path: Path }),
    ...(Host !== undefined && { host: Host }),
    headers: Object.values(Headers ?? {}),
    absent: AbsentHeaders ?? [],
  };
}

const grpcCodes: Readonly<Record<string, number>> = { 'codes.Unimplemented': 404, 'codes.Unavailable': 503 };

function describeExpected(request: RecordedRequest, actual: Outcome): Outcome {
  const { expected = {}, weights } = request;
  if (/(Rejection|Failure|FailureResponse)$/.test(request.function)) return { outcome: 'error' };
  const { Response = {}, RedirectRequest, Backend, Service = Backend, Namespace = '' } = expected;
  const code = grpcCodes[Response.Code ?? ''];
  const status =
    code ??
    Response.StatusCode ??
    (Response.StatusCodes?.includes(actual.status ?? 200) ? (actual.status ?? 200) : Response.StatusCodes?.[0]) ??
    200;
  if (RedirectRequest) return { outcome: 'redirect', status, location: locationOf(RedirectRequest, actual.location) };
  if (status >= 400) return { outcome: 'error', status };
  const used = weights && Object.fromEntries(Object.entries(weights).filter(([, share]) => share > 0));
  const backends = used ?? (Service === undefined ? (actual.backends ?? {}) : { [`${Namespace}/${Service}`]: 1 });
  const mirrors = (expected.MirroredTo ?? []).map(({ Name, Namespace: namespace, Percent }) => [
    `${namespace}/${Name}`,
    (Percent ?? 100) / 100,
  ]);
  const { ExpectedRequest } = expected;
  const forwarded = ExpectedRequest && { forwarded: describeExpectedRequest(ExpectedRequest) };
  return { outcome: 'backends', backends, mirrors: Object.fromEntries(mirrors), ...forwarded };
}

/** The parts that the test checks, and those of the actual location. */
function locationOf({ Scheme, Host, Port, Path }: NonNullable<ExpectedResponse['RedirectRequest']>, actual = 'http://absent/'): string {
  const url = new URL(actual);
  const authority = `${Host ?? url.hostname}${Port ? `:${Port}` : ''}`;
  return `${Scheme ?? url.protocol.slice(0, -1)}://${authority}${Path ?? url.pathname}${url.search}`;
}
