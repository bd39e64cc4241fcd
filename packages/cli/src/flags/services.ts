import { type Command, InvalidArgumentError } from 'commander';
import { createRequirementsMatcher, parseLabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { CommonFlags } from './common.ts';
import { parseDNSLabel } from './names.ts';

/** A label selector, as given and as a function. */
export interface ServiceSelector {
  readonly text: string;
  matches(labels: Readonly<Record<string, string>>): boolean;
}

export interface SelectorFlag {
  readonly selector?: ServiceSelector;
}

export const addSelectorFlag = (command: Command): Command =>
  command.option(
    '-l, --selector <SELECTOR>',
    'select Services by their labels, as in kubectl: app=web, tier!=back, "app in (web, db)", !canary',
    parseSelector,
  );

/** @throws InvalidArgumentError if this is not a label selector */
export function parseSelector(text: string): ServiceSelector {
  const parsed = parseLabelSelector(text);
  if (parsed.problem !== undefined)
    throw new InvalidArgumentError(
      `${parsed.problem.replace('unable to parse requirement: ', '')}: give a selector such as app=web or "app in (web, db)"`,
    );
  return { text, matches: createRequirementsMatcher(parsed.requirements) };
}

/** The Services that the arguments of a command line name. */
export interface ServiceArguments {
  readonly names: readonly string[];
  /** Undefined if the arguments name no namespace. */
  readonly namespace?: string;
}

const serviceKinds: ReadonlySet<string> = new Set(['svc', 'service', 'services', 'ep', 'endpoints', 'endpointslice', 'endpointslices']);

/** Other kinds of kubectl, which would otherwise count as namespaces. */
const otherKinds: ReadonlySet<string> = new Set([
  ...['po', 'pod', 'pods', 'deploy', 'deployment', 'deployments', 'rs', 'replicaset', 'replicasets', 'sts', 'statefulset', 'statefulsets'],
  ...[
    'ds',
    'daemonset',
    'daemonsets',
    'job',
    'jobs',
    'no',
    'node',
    'nodes',
    'ns',
    'namespace',
    'namespaces',
    'ing',
    'ingress',
    'ingresses',
  ],
]);

/**
 * Parses the arguments that name Services, as kubectl writes them: "web", "svc/web", "services web" and "shop/web", of namespace shop.
 * @throws InvalidArgumentError if an argument names no Service, or if the namespaces differ from each other or from the flags
 */
export function parseServiceArguments(
  texts: readonly string[],
  { namespace: flag, allNamespaces }: Pick<CommonFlags, 'namespace' | 'allNamespaces'>,
): ServiceArguments {
  const [first = '', ...rest] = texts;
  const services = (rest.length > 0 && serviceKinds.has(first) ? rest : texts).map(parseService);
  const names = services.map(({ name }) => name);
  const namespaces = [...new Set(services.map(({ namespace }) => namespace))];
  const namespace = namespaces.find((candidate) => candidate !== undefined);
  if (namespace === undefined) return { names };
  const text = `${namespace}/${services.find((service) => service.namespace === namespace)?.name}`;
  if (namespaces.length > 1)
    throw new InvalidArgumentError('the arguments are of several namespaces: give those of one namespace, or names and -A');
  if (allNamespaces) throw new InvalidArgumentError(`-A selects all namespaces, but ${text} names one: leave out one of the two`);
  if (flag && flag !== namespace)
    throw new InvalidArgumentError(`-n is ${flag}, but ${text} is of ${namespace}: leave out -n, or correct it`);
  return { names, namespace };
}

function parseService(text: string): { readonly name: string; readonly namespace?: string } {
  const [prefix = '', name, ...more] = text.split('/');
  if (name === undefined) return { name: text };
  const form = 'give NAME, svc/NAME or NAMESPACE/NAME';
  if (name === '' || prefix === '' || more.length > 0) throw new InvalidArgumentError(`${JSON.stringify(text)} names no Service: ${form}`);
  if (serviceKinds.has(prefix)) return { name };
  if (otherKinds.has(prefix))
    throw new InvalidArgumentError(`${JSON.stringify(text)} is not a Service: ${form}${isPod(prefix) ? '; explain has --pod NAME' : ''}`);
  return { name, namespace: parseDNSLabel(prefix) };
}

const isPod = (kind: string): boolean => /^po(ds?)?$/.test(kind);
