import { createAdmissionCompilers } from '../../cel/admission-expressions.ts';
import type { CelAuthorizer } from '../../cel/authorizer.ts';
import type { AdmissionRequest, Registry } from '../../registry/index.ts';
import type { Store } from '../../store/index.ts';
import { type ReinvocableAdmission, withReinvocation } from '../compose.ts';
import { createObjectConverter } from '../object-converter.ts';
import { compileMutatingPolicy, mutateByPolicies } from './mutate.ts';
import type { PolicyContext } from './policy.ts';
import { watchPolicies } from './source.ts';
import { compileValidatingPolicy, validateByPolicies } from './validate.ts';

export interface PolicyAdmissionOptions {
  /** Contains the policies, their bindings and Namespaces. */
  readonly store: Pick<Store, 'get' | 'list' | 'observe'>;
  /** Returns the registry. A function, because the registry is created after the admission that it uses. */
  readonly getRegistry: () => Pick<Registry, 'resources' | 'strategyFor' | 'storeFor' | 'conversions'>;
  /** Answers the checks of expressions. */
  readonly authorizer: CelAuthorizer;
}

/** Admission by the policies in the store. */
export interface PolicyAdmission extends ReinvocableAdmission {
  /** Stops observing the store. */
  close(): void;
}

/** Evaluates the policies in the store. */
export function createPolicyAdmission({ store, getRegistry, authorizer }: PolicyAdmissionOptions): PolicyAdmission {
  const context: PolicyContext = { store, authorizer, converter: createObjectConverter(getRegistry), getServed: getRegistry };
  const createCompiler = createAdmissionCompilers();
  const mutating = watchPolicies(store, 'MutatingAdmissionPolicy', (policy) => compileMutatingPolicy(policy, createCompiler));
  const validating = watchPolicies(store, 'ValidatingAdmissionPolicy', (policy) => compileValidatingPolicy(policy, createCompiler));
  const admission = withReinvocation({
    mutateReinvocably(request, reinvocation) {
      const hooks = mutating.hooks();
      return hooks.length === 0 || isExempt(request) ? undefined : mutateByPolicies(context, hooks, request, reinvocation);
    },
    validate(request) {
      const hooks = validating.hooks();
      return hooks.length === 0 || isExempt(request) ? undefined : validateByPolicies(context, hooks, request);
    },
  });
  const close = (): void => {
    mutating.close();
    validating.close();
  };
  return { ...admission, close };
}

/** Mirrors the excluded resources of Plugin.Dispatch (1.36, apiserver/pkg/admission/plugin/policy/generic/plugin.go): policies themselves, and reviews. */
const isExempt = ({ resource: { group, kind } }: AdmissionRequest): boolean =>
  (group === 'admissionregistration.k8s.io' && /AdmissionPolicy(Binding)?$/.test(kind)) ||
  ((group === 'authentication.k8s.io' || group === 'authorization.k8s.io') && kind.endsWith('Review'));
