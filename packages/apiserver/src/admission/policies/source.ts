import type { ApiObject, Resource } from 'kube-endpoints/port';
import { child, type Fields, has, text, texts } from '../../resources/field/read.ts';
import type { Store } from '../../store/index.ts';
import { createConfigurationResource } from '../webhooks/configurations.ts';
import { type MatchResources, readMatchResources } from './match.ts';
import { type ParamRef, readParamRef } from './params.ts';

export interface Binding {
  readonly name: string;
  readonly paramRef: ParamRef | undefined;
  /** Undefined if the binding matches all requests that the policy matches. */
  readonly match: MatchResources | undefined;
  readonly validationActions: readonly string[];
}

/** A policy with its bindings. */
export interface PolicyHook<Policy> {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
}

/** The policies that have bindings, sorted by name, as are the bindings. Upstream has no order. */
export interface PolicySource<Policy> {
  hooks(): readonly PolicyHook<Policy>[];
  /** Stops observing the store. */
  close(): void;
}

/** Reads policies and their bindings from a store. A policy is compiled again only if it changed. */
export function watchPolicies<Policy>(
  store: Pick<Store, 'list' | 'observe'>,
  kind: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy',
  compile: (policy: ApiObject) => Policy,
): PolicySource<Policy> {
  const policyResource = { ...createConfigurationResource(kind), plural: `${kind.slice(0, -1).toLowerCase()}ies` };
  const bindingResource = createConfigurationResource(`${kind}Binding`);
  const compiledPolicies = new WeakMap<ApiObject, Policy>();
  const getPolicy = (policy: ApiObject): Policy => {
    const compiled = compiledPolicies.get(policy) ?? compile(policy);
    compiledPolicies.set(policy, compiled);
    return compiled;
  };
  let hooks: readonly PolicyHook<Policy>[] | undefined;
  const close = store.observe(({ resource }) => {
    if (isResource(resource, policyResource) || isResource(resource, bindingResource)) hooks = undefined;
  });
  return {
    close,
    hooks() {
      hooks ??= readHooks(store, policyResource, bindingResource, getPolicy);
      return hooks;
    },
  };
}

const isResource = (a: Resource, b: Resource): boolean => a.group === b.group && a.plural === b.plural;

function readHooks<Policy>(
  store: Pick<Store, 'list'>,
  policyResource: Resource,
  bindingResource: Resource,
  getPolicy: (policy: ApiObject) => Policy,
): readonly PolicyHook<Policy>[] {
  const bindingsByPolicy = new Map<string, Binding[]>();
  for (const binding of store.list(bindingResource).items) {
    const spec = child(binding as unknown as Fields, 'spec');
    const bindings = bindingsByPolicy.get(text(spec, 'policyName')) ?? [];
    bindings.push(readBinding(binding.metadata.name ?? '', spec));
    bindingsByPolicy.set(text(spec, 'policyName'), bindings);
  }
  if (bindingsByPolicy.size === 0) return [];
  return store.list(policyResource).items.flatMap((policy) => {
    const bindings = bindingsByPolicy.get(policy.metadata.name ?? '');
    return bindings ? [{ policy: getPolicy(policy), bindings }] : [];
  });
}

const readBinding = (name: string, spec: Fields): Binding => ({
  name,
  paramRef: readParamRef(spec),
  match: has(spec, 'matchResources') ? readMatchResources(child(spec, 'matchResources')) : undefined,
  validationActions: texts(spec, 'validationActions'),
});
