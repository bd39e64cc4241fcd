import { ApiError, type ApiObject, type Resource } from 'kube-endpoints/port';
import type { AdmissionRequest } from '../../registry/index.ts';
import { matchRequest } from './match.ts';
import { ConfigurationError, collectParams, findParamResource } from './params.ts';
import type { Policy, PolicyContext } from './policy.ts';
import type { Binding, PolicyHook } from './source.ts';

/** One evaluation of a policy, with the object that a binding refers to. */
export interface Invocation<P extends Policy> {
  readonly policy: P;
  readonly binding: Binding;
  /** The resource to which objects are converted. */
  readonly resource: Resource;
  readonly params: ApiObject | undefined;
}

/** A policy or binding that matches a request but cannot be applied. */
export interface Misconfiguration<P extends Policy> {
  readonly policy: P;
  /** Undefined if the policy itself cannot be applied. */
  readonly binding: Binding | undefined;
  readonly problem: string;
}

/** Finds the evaluations of a policy for a request, and the bindings that cannot be applied, in the order of the bindings. */
export function findInvocations<P extends Policy>(
  context: PolicyContext,
  { policy, bindings }: PolicyHook<P>,
  request: AdmissionRequest,
): readonly (Invocation<P> | Misconfiguration<P>)[] {
  const configuration = attempt(() => {
    const resource = matchRequest(context, policy.match, request);
    return resource && { resource, paramResource: policy.paramKind && findParamResource(context.getServed(), policy.paramKind) };
  });
  if (configuration.problem !== undefined) return [{ policy, binding: undefined, problem: configuration.problem }];
  if (!configuration.value) return [];
  const { resource, paramResource } = configuration.value;
  return bindings.flatMap((binding): readonly (Invocation<P> | Misconfiguration<P>)[] => {
    const params = attempt(() => {
      if (binding.match && !matchRequest(context, binding.match, request)) return [];
      return collectParams(context.getServed(), paramResource, binding.paramRef, request);
    });
    if (params.problem !== undefined) return [{ policy, binding, problem: params.problem }];
    return params.value.map((each) => ({ policy, binding, resource, params: each }));
  });
}

type Attempt<T> = { readonly value: T; readonly problem?: undefined } | { readonly problem: string };

/** Returns the message of an error in the configuration. Other errors are rethrown. */
function attempt<T>(run: () => T): Attempt<T> {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof ApiError) return { problem: error.message };
    throw error;
  }
}
