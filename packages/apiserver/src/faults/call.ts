import type { Resource } from 'kube-endpoints/port';
import type { HttpRequest } from '../http/exchange.ts';
import { everyVerb, type Verb } from '../registry/catalog.ts';
import type { CallScope, ResourceName } from './rule.ts';

/** An API call through a port or over HTTP, with the attributes that fault rules match. */
export interface Call {
  readonly verb: Verb;
  readonly resource: Pick<Resource, 'group' | 'plural'>;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** The resourceVersion that a watch starts from. */
  readonly resourceVersion?: string | undefined;
}

/** Creates a predicate for calls in a scope. */
export function createCallMatcher({ verbs, resources, namespaces }: CallScope): (call: Call) => boolean {
  const resourceNames = resources?.map(parseResourceName);
  return (call) =>
    (verbs === undefined || verbs.includes(call.verb)) &&
    (namespaces === undefined || (call.namespace !== undefined && namespaces.includes(call.namespace))) &&
    (resourceNames === undefined || resourceNames.some((name) => matchesResource(call, name)));
}

/** Formats a call: "create pods/binding shop/web". */
export function formatCall({ verb, resource: { group, plural }, subresource, namespace, name }: Call): string {
  const resourceText = `${plural}${group && `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  const objectName = [namespace, name].filter((part) => part !== undefined && part !== '').join('/');
  return [verb, resourceText, objectName].filter((part) => part !== '').join(' ');
}

interface ParsedResourceName {
  readonly plural: string;
  /** Absent if any group matches. */
  readonly group?: string;
  readonly subresource?: string;
}

function parseResourceName(name: ResourceName): ParsedResourceName {
  if (typeof name !== 'string') return name;
  const [resource = '', subresource] = name.split('/');
  const dotIndex = resource.indexOf('.');
  const plural = dotIndex < 0 ? resource : resource.slice(0, dotIndex);
  return { plural, ...(dotIndex >= 0 && { group: resource.slice(dotIndex + 1) }), ...(subresource !== undefined && { subresource }) };
}

const matchesResource = ({ resource, subresource: callSubresource }: Call, { plural, group, subresource }: ParsedResourceName): boolean =>
  plural === resource.plural &&
  (group === undefined || group === resource.group) &&
  (subresource === undefined || subresource === callSubresource);

/** Converts a request to a call. Returns undefined if the request is not for a resource. */
export function toCall({ info, query }: Pick<HttpRequest, 'info' | 'query'>): Call | undefined {
  const { group, resource, namespace, name, subresource } = info;
  const verb = everyVerb.find((each) => each === info.verb);
  if (resource === '' || verb === undefined) return undefined;
  return {
    verb,
    resource: { group, plural: resource },
    namespace,
    name,
    subresource: subresource === '' ? undefined : subresource,
    ...(verb === 'watch' && { resourceVersion: query.get('resourceVersion') ?? undefined }),
  };
}
