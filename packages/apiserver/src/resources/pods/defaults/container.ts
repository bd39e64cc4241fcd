import { isQuantity, millisOf, parseQuantity, printQuantity } from '../../codec/quantity.ts';
import { child, type Draft, draftOf, draftsOf, has, text } from '../../field/read.ts';
import { pullPolicyOf } from './image.ts';

/** Mirrors SetDefaults_Container, _Probe, _HTTPGetAction and _ResourceList (pkg/apis/core/v1/defaults.go, 1.36). */
export function defaultContainer(container: Draft): void {
  if (text(container, 'imagePullPolicy') === '') container['imagePullPolicy'] = pullPolicyOf(text(container, 'image'));
  if (text(container, 'terminationMessagePath') === '') container['terminationMessagePath'] = '/dev/termination-log';
  if (text(container, 'terminationMessagePolicy') === '') container['terminationMessagePolicy'] = 'File';
  for (const port of draftsOf(container, 'ports')) if (text(port, 'protocol') === '') port['protocol'] = 'TCP';
  for (const variable of draftsOf(container, 'env')) defaultFieldRef(child(variable, 'valueFrom'));
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (has(container, name)) defaultProbe(draftOf(container, name));
  }
  const lifecycle = child(container, 'lifecycle');
  for (const name of ['postStart', 'preStop']) defaultHttpGet(child(lifecycle, name));
  const resources = child(container, 'resources') as Draft;
  for (const name of ['limits', 'requests']) roundResources(resources, name);
}

/** Quantities are kept to a thousandth. */
export function roundResources(draft: Draft, name: string): void {
  const list = child(draft, name) as Draft;
  for (const [resource, value] of Object.entries(list)) list[resource] = roundedToMillis(String(value));
}

function roundedToMillis(value: string): string {
  const parsed = parseQuantity(value);
  const million = 1_000_000n;
  if (!isQuantity(parsed) || parsed.nanos % million === 0n) return value;
  return printQuantity(millisOf(parsed.nanos) * million, 'decimal');
}

/** Which version of the API a path of a field is of. */
export function defaultFieldRef(source: Readonly<Record<string, unknown>>): void {
  if (!has(source, 'fieldRef')) return;
  const reference = child(source, 'fieldRef') as Draft;
  if (text(reference, 'apiVersion') === '') reference['apiVersion'] = 'v1';
}

const probeDefaults: Readonly<Record<string, number>> = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

function defaultProbe(probe: Draft): void {
  for (const [name, value] of Object.entries(probeDefaults)) if (!has(probe, name) || probe[name] === 0) probe[name] = value;
  defaultHttpGet(probe);
  const grpc = child(probe, 'grpc') as Draft;
  if (has(probe, 'grpc') && !has(grpc, 'service')) grpc['service'] = '';
}

function defaultHttpGet(handler: Readonly<Record<string, unknown>>): void {
  if (!has(handler, 'httpGet')) return;
  const get = child(handler, 'httpGet') as Draft;
  if (text(get, 'path') === '') get['path'] = '/';
  if (text(get, 'scheme') === '') get['scheme'] = 'HTTP';
}
