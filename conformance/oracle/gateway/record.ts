/**
 * Records the requests of Gateway API's conformance tests, with the objects and the expected responses, for test/golden/gateway.
 * Run: node conformance/oracle/gateway/record.ts VERSION, for example 1.7.0; requires Go, and downloads the module with the tests.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import type { ConformanceTest, Header, Manifest, RecordedCondition, RecordedRequest, Step } from './case.ts';

const apiModule = 'sigs.k8s.io/gateway-api';
const moduleName = `${apiModule}/conformance`;
type Argument = string | boolean | GoStruct | readonly GoStruct[];
type GoStruct = Readonly<Record<string, unknown>>;

/** What the Go program prints for a test. */
interface ReadTest {
  readonly name: string;
  readonly file: string;
  readonly manifests: readonly string[];
  readonly calls: readonly ReadCall[];
}

interface ReadCall {
  readonly function: string;
  readonly line: number;
  readonly gateway: string;
  readonly listener?: string;
  readonly port?: string;
  readonly args: readonly Argument[];
}

const [version] = process.argv.slice(2);
if (version === undefined) throw new RangeError('name the version of the module, for example 1.7.0');
const folder = downloadModule(moduleName, version);
const header: Header = { module: moduleName, version, objects: readManifests(['base/manifests.yaml']) };
const output = execFileSync('go', ['run', '.', folder, downloadModule(apiModule, version)], {
  cwd: join(import.meta.dirname, 'go'),
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
const tests = (JSON.parse(output) as ReadTest[]).map(readTest).filter(({ steps }) => steps.length > 0);
const path = join(import.meta.dirname, `../../../test/golden/gateway/${version}.jsonl.gz`);
writeFileSync(path, gzipSync(`${[header, ...tests].map((line) => JSON.stringify(line)).join('\n')}\n`, { level: 9 }));
console.log(`${tests.length} tests with ${tests.flatMap(({ steps }) => steps).length} steps written to ${path}`);

/** Returns the folder of a module. Go reports an error if the module requires a newer Go, but still downloads it. */
function downloadModule(name: string, version: string): string {
  const run = (...args: string[]): string => execFileSync('go', args, { cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const path = join(run('env', 'GOMODCACHE').trim(), `${name}@v${version}`);
  if (existsSync(path)) return path;
  try {
    run('mod', 'download', `${name}@v${version}`);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  return path;
}

/** The objects that routing reads, without fields that it does not. */
function readManifests(paths: readonly string[]): Manifest[] {
  const kinds =
    /^(Namespace|Service|Gateway|GatewayClass|ListenerSet|HTTPRoute|GRPCRoute|TLSRoute|TCPRoute|UDPRoute|ReferenceGrant|IngressClass|Ingress)$/;
  return paths.flatMap((each) => {
    const text = readFileSync(join(folder, each), 'utf8').replaceAll('{GATEWAY_CLASS_NAME}', 'conformance');
    return parseAllDocuments(text).flatMap((document): Manifest[] => {
      const object = document.toJS() as Manifest | null;
      return object && kinds.test(object.kind) ? [object] : [];
    });
  });
}

function readTest({ name, file, manifests, calls }: ReadTest): ConformanceTest {
  const steps: Step[] = [];
  for (const call of calls) {
    const { function: callee, line, args } = call;
    const structs = args.filter((each): each is GoStruct => typeof each === 'object' && !Array.isArray(each));
    const [first] = structs;
    const last = steps.at(-1);
    if (callee === 'weight.TestWeightedDistribution') {
      if (last?.request && !last.request.weights)
        steps[steps.length - 1] = { line: last.line, request: { ...last.request, weights: first as Readonly<Record<string, number>> } };
    } else if (callee.endsWith('.MustApplyObjectsWithCleanup')) {
      const objects = args.flatMap((each) => (Array.isArray(each) ? (each as readonly GoStruct[]) : [])).filter((each) => each['kind']);
      if (objects.length > 0) steps.push({ line, apply: objects.map(convertObject) });
    } else if (callee.endsWith('.Delete')) {
      if (first?.['kind']) steps.push({ line, delete: convertObject(first) });
    } else if (callee.endsWith('RouteMustHaveCondition')) {
      steps.push({ line, condition: readCondition(call, structs) });
      // The others repeat a request, or only check that something listens.
    } else if (callee !== 'http.MakeRequest' && callee !== 'tcp.ExpectAddressBeAvailable') {
      steps.push({ line, request: readRequest(call, first) });
    }
  }
  return { test: name, file, objects: readManifests(manifests), steps };
}

function readRequest({ function: callee, gateway, listener, port, args }: ReadCall, expected: GoStruct | undefined): RecordedRequest {
  const sni = args.find((each) => typeof each === 'string' && !/^(suite|s|t)\./.test(each) && each !== '') as string | undefined;
  return {
    function: callee,
    gateway,
    ...(listener !== undefined && { listener }),
    ...(port !== undefined && { port: Number(port) }),
    ...(sni !== undefined && { sni }),
    ...(args.includes(true) && { isTLS: true as const }),
    ...(expected && { expected }),
  };
}

function readCondition({ function: callee }: ReadCall, [route, parent, condition]: readonly GoStruct[]): RecordedCondition {
  const text = (value: unknown): string => String(value ?? '').replace(/^v1(beta1)?\.(Condition|RouteCondition|RouteReason)?/, '');
  return {
    route: `${/(\w+Route)Must/.exec(callee)?.[1]} ${route?.['Namespace']}/${route?.['Name']}`,
    parent: `${parent?.['Namespace']}/${parent?.['Name']}`,
    type: text(condition?.['Type']),
    status: text(condition?.['Status']),
    reason: text(condition?.['Reason']),
  };
}

/** Converts a Go struct to the object that it stands for. Objects that a test creates are newer than those of its manifests. */
function convertObject({ kind, Name: name, Namespace: namespace, Spec: spec }: GoStruct): Manifest {
  const metadata = { namespace, name, ...(spec !== undefined && { creationTimestamp: '2026-01-01T00:00:01Z' }) };
  return { kind, metadata, ...(spec !== undefined && { spec: convertFields(spec) }) } as Manifest;
}

function convertFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convertFields);
  if (typeof value !== 'object' || value === null) return value;
  const { CommonRouteSpec: common, ...own } = value as GoStruct;
  const fields = Object.entries({ ...(common as GoStruct | undefined), ...own });
  return Object.fromEntries(fields.map(([name, field]) => [name.charAt(0).toLowerCase() + name.slice(1), convertFields(field)]));
}
