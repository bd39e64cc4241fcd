import { child, type Draft, draftList, ensureChild, has, text } from '../../field/read.ts';
import { roundResources } from '../../field/resource-list.ts';

/** Mirrors SetDefaults_Container, _Probe, _HTTPGetAction and _ResourceList (pkg/apis/core/v1/defaults.go, 1.36). */
export function defaultContainer(container: Draft): void {
  if (text(container, 'imagePullPolicy') === '') container['imagePullPolicy'] = pullPolicyOf(text(container, 'image'));
  if (text(container, 'terminationMessagePath') === '') container['terminationMessagePath'] = '/dev/termination-log';
  if (text(container, 'terminationMessagePolicy') === '') container['terminationMessagePolicy'] = 'File';
  for (const port of draftList(container, 'ports')) if (text(port, 'protocol') === '') port['protocol'] = 'TCP';
  for (const variable of draftList(container, 'env')) defaultFieldRef(child(variable, 'valueFrom'));
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (has(container, name)) defaultProbe(ensureChild(container, name));
  }
  const lifecycle = child(container, 'lifecycle');
  for (const name of ['postStart', 'preStop']) defaultHttpGet(child(lifecycle, name));
  const resources = child(container, 'resources') as Draft;
  for (const name of ['limits', 'requests']) roundResources(child(resources, name) as Draft);
}

/** Sets the default apiVersion of a fieldRef. */
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
  const httpGet = child(handler, 'httpGet') as Draft;
  if (text(httpGet, 'path') === '') httpGet['path'] = '/';
  if (text(httpGet, 'scheme') === '') httpGet['scheme'] = 'HTTP';
}

/** The default imagePullPolicy: Always for the tag "latest", including images without a tag. */
export const pullPolicyOf = (image: string): string => (tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent');

/**
 * The tag of an image: "latest" if it has neither a tag nor a digest; undefined if it has only a digest or is invalid. Mirrors
 * ParseImageName (pkg/util/parsers, 1.36).
 */
export function tagOf(image: string): string | undefined {
  if (/^[a-f0-9]{64}$/.test(image)) return undefined;
  const slash = image.indexOf('/');
  const firstComponent = image.slice(0, Math.max(slash, 0));
  const hasDomain =
    slash >= 0 && (/[.:]/.test(firstComponent) || firstComponent === 'localhost' || firstComponent !== firstComponent.toLowerCase());
  const domain = hasDomain ? firstComponent : 'docker.io';
  const nameAndTag = hasDomain ? image.slice(slash + 1) : image;
  const match = imageReference.exec(nameAndTag);
  if (!match || !domainName.test(domain) || domain.length + nameAndTag.length > 255) return undefined;
  const [, tag, digest] = match;
  return tag ?? (digest === undefined ? 'latest' : undefined);
}

const domainName = /^(?:(?!-)[a-zA-Z0-9-]+(?<!-)(?:\.(?!-)[a-zA-Z0-9-]+(?<!-))*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const imageReference = new RegExp(`^${component}(?:/${component})*(?::(\\w[\\w.-]{0,127}))?(?:@(${digest}))?$`);
